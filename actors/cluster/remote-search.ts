/**
 * Searches the recall index of one named process, which may be this one. A search has no side effects, so it is sent
 * once: if there is no answer in time, or the process is gone, the result is null and the caller chooses again
 * (routed-recall.ts).
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import type { RecallHits, RecallQuery } from '../../src/memory/port.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import { type ClusterConnection, shuttingDown } from './connection.js';
import { type Answer, errorWire, notOwnerWire, okWire, type SearchMessage, searchWire } from './wire-format.js';

/** Searches the recall index of this process, by shard. */
export interface LocalSearch {
  /** Searches the memory spaces whose index is in this process; null if one of the shards is not held. */
  search(shards: readonly number[], query: RecallQuery): Promise<RecallHits | null>;
}

export interface RemoteSearch {
  /**
   * Resolves to the hits from one process's index; null if that process does not hold all of these shards, or does not
   * answer within `waitMs`.
   */
  searchAt(instance: string, shards: readonly number[], query: RecallQuery, waitMs: number): Promise<RecallHits | null>;
  /** The number of searches that are waiting for another process. */
  unanswered(): number;
  /** Refuses new searches and resolves the pending ones to null. */
  close(): void;
}

export interface RemoteSearchDeps {
  connection: ClusterConnection;
  /** Null for a process that holds no shards. */
  local: LocalSearch | null;
  clock: MonotonicClock;
  log: Pick<Logger, 'error'>;
}

interface PendingSearch {
  to: string;
  cancelTimer: () => void;
  resolve: (hits: RecallHits | null) => void;
}

export function createRemoteSearch({ connection, local, clock, log }: RemoteSearchDeps): RemoteSearch {
  const pending = new Map<number, PendingSearch>();
  let closed = false;

  const searchHere = (shards: readonly number[], query: RecallQuery): Promise<RecallHits | null> =>
    local ? local.search(shards, query) : Promise.resolve(null);

  /** Returns false if no search with this id is pending. */
  function settle(id: number, hits: RecallHits | null): boolean {
    const search = pending.get(id);
    if (!search) return false;
    pending.delete(id);
    search.cancelTimer();
    search.resolve(hits);
    return true;
  }

  function serve(from: string, { id, shards, query }: SearchMessage): void {
    searchHere(shards, query as RecallQuery)
      .then(
        (hits) => (hits === null ? notOwnerWire(id) : okWire(id, hits.partial ? { partial: hits } : hits)),
        (error: unknown) => {
          log.error({ event: 'search.failed', err: error }, 'a search from another process failed');
          return errorWire(id, error);
        },
      )
      .then((wire) => {
        connection.send(from, wire);
      })
      .catch((error: unknown) => {
        log.error({ event: 'search.answer_failed', err: error }, 'the answer to a search could not be sent');
      });
  }

  connection.attach({
    received(from, message) {
      switch (message.kind) {
        case 'ask':
          return false;
        case 'search':
          serve(from, message);
          return true;
        default:
          return settle(message.id, hitsOf(message));
      }
    },
    gone(instance) {
      for (const [id, { to }] of pending) if (to === instance) settle(id, null);
    },
  });

  return {
    searchAt(instance, shards, query, waitMs) {
      if (closed) return Promise.reject(shuttingDown());
      return new Promise((resolve, reject) => {
        const id = connection.nextId();
        const cancelTimer = clock.after(Math.max(0, waitMs), () => {
          settle(id, null);
        });
        pending.set(id, { to: instance, cancelTimer, resolve });
        if (instance === connection.self)
          searchHere(shards, query)
            .then((hits) => settle(id, hits))
            .catch(reject);
        else connection.send(instance, searchWire({ id, shards, query }));
      });
    },
    unanswered: () => pending.size,
    close() {
      closed = true;
      for (const id of [...pending.keys()]) settle(id, null);
    },
  };
}

/** Hits are an array, and partial ones are in an object, which an older version takes for no answer. */
function hitsOf(answer: Answer): RecallHits | null {
  if (answer.kind !== 'ok') return null;
  if (Array.isArray(answer.value)) return answer.value as RecallHits;
  const { partial } = (answer.value ?? {}) as { partial?: unknown };
  return Array.isArray(partial) ? Object.assign(partial as RecallHits, { partial: true as const }) : null;
}
