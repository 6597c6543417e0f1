/**
 * Delivers an agent's pushes (docs/api.md 6.2). Each push is a document in the commit that changed the task's status.
 * It is tried with growing pauses, and is reported as delivered or given up.
 *
 * Invariants
 *  PushOutbox.Z1 Pushes of one config are delivered in the order of the changes. The next push is tried when the one
 *     before it was delivered or given up and the commit that removes it is done. So after a crash the status that was
 *     delivered last may be delivered again, but never an earlier one. Pushes stored before this activation come first.
 *  PushOutbox.Z2 A push is in progress once, from `send` to `forget`; its outcome is taken once (`take`).
 *  PushOutbox.Z3 A push is no longer sent if its config has been deleted or now names another receiver.
 *  PushOutbox.Z4 After `stop` nothing is sent and nothing is reported.
 *  PushOutbox.Z5 Only the ids of waiting pushes are kept in memory. A push is read when it is the first of its config,
 *     and kept until its outcome is known.
 *
 * The outbox holds nothing that is not in the store: after a crash it is filled from there, and every push starts again
 * with all its tries.
 */
import pRetry from 'p-retry';
import type { RunRecord } from '../../../src/domain/agent-state.js';
import { type PushOutboxItem, sameReceiver } from '../../../src/domain/push.js';
import { PushError } from '../../../src/push/port.js';
import type { EntityRef, StoredDoc } from '../../../src/store/port.js';
import type { EntityDependencies } from '../dependencies.js';

export interface PushEvents {
  pushed(item: PushOutboxItem): void;
  deadLettered(item: PushOutboxItem, reason: string, tries: number): void;
}

/** Ids of outbox documents. */
type PushQueue = string[];
/** The longest pause between two attempts to read the store, in ms. */
const longestPauseMs = 60_000;
const queueKeyOf = (item: PushOutboxItem): string => `${item.task.id}/${item.config.id}`;

export class PushOutbox {
  private readonly lines = new Map<string, PushQueue>();
  private readonly underWay = new Set<string>();
  private readonly ended = new Set<string>();
  /** Callbacks that wait until a push has been removed from the store. */
  private readonly removals = new Map<string, () => void>();
  private readonly over = new AbortController();
  /** Whether all stored pushes have been handed over; until then new ones wait behind them (PushOutbox.Z1). */
  private ready: boolean;

  constructor(
    private readonly deps: EntityDependencies,
    private readonly agent: EntityRef,
    stored: boolean,
    private readonly events: PushEvents,
  ) {
    this.ready = !stored;
  }

  send(item: PushOutboxItem): void {
    if (this.over.signal.aborted || this.underWay.has(item.id)) return;
    this.underWay.add(item.id);
    const key = queueKeyOf(item);
    const line = this.lines.get(key);
    if (line) {
      line.push(item.id);
      return;
    }
    const fresh = [item.id];
    this.lines.set(key, fresh);
    if (this.ready) this.begin(key, fresh);
  }

  /** Call this when all stored pushes have been handed over. */
  begun(): void {
    if (this.ready) return;
    this.ready = true;
    for (const [key, line] of this.lines)
      this.begin(
        key,
        line.sort((a, b) => (a < b ? -1 : 1)),
      );
  }

  /** Takes the reported outcome of this push: true for the first call, false after that. */
  take(id: string): boolean {
    return this.ended.delete(id);
  }

  /** Call this when the push has been removed from the store. */
  forget(id: string): void {
    this.underWay.delete(id);
    this.removals.get(id)?.();
  }

  stop(): void {
    this.over.abort();
    for (const go of this.removals.values()) go();
  }

  private begin(key: string, line: PushQueue): void {
    this.work(key, line).catch((error: unknown) => {
      if (!this.over.signal.aborted)
        this.deps.log.error({ err: error, entity: this.agent }, 'pushes of a task have stopped');
    });
  }

  private async work(key: string, line: PushQueue): Promise<void> {
    for (let id = line[0]; id !== undefined; id = line[0]) {
      const item = await this.read(id);
      const problem = item && (await this.deliver(item));
      if (this.over.signal.aborted) return;
      line.shift();
      if (item === null) {
        this.underWay.delete(id);
        continue;
      }
      this.ended.add(id);
      const removed = new Promise<void>((resolve) => this.removals.set(item.id, resolve));
      if (problem === null) this.events.pushed(item);
      else this.events.deadLettered(item, problem.reason, problem.tries);
      await removed;
      this.removals.delete(item.id);
      if (this.over.signal.aborted) return;
    }
    this.lines.delete(key);
  }

  /** Resolves with null if the push no longer exists. */
  private async read(id: string): Promise<PushOutboxItem | null> {
    const doc = await this.reading('outbox', id);
    return doc && (doc.body as unknown as PushOutboxItem);
  }

  /**
   * Repeats a read until it succeeds. An outage of the store is not the fault of the receiver and uses up none of its
   * tries.
   */
  private reading(kind: 'outbox' | 'run', id: string): Promise<StoredDoc | null> {
    return pRetry(async () => await this.deps.store.get(this.agent, kind, id), {
      retries: Infinity,
      minTimeout: this.deps.pushRetry.firstPauseMs,
      maxTimeout: longestPauseMs,
      factor: 2,
      randomize: true,
      unref: true,
      signal: this.over.signal,
    });
  }

  /** Resolves with null if the push was delivered or is no longer wanted. */
  private async deliver(item: PushOutboxItem): Promise<{ reason: string; tries: number } | null> {
    const { tries, firstPauseMs } = this.deps.pushRetry;
    const { signal } = this.over;
    let made = 0;
    try {
      await pRetry(
        async (attempt) => {
          made = attempt;
          if (await this.wanted(item)) await this.deps.push.deliver(item, signal);
        },
        {
          retries: tries - 1,
          minTimeout: firstPauseMs,
          factor: 2,
          randomize: true,
          unref: true,
          signal,
          shouldRetry: ({ error }) => !(error instanceof PushError && error.final),
        },
      );
      return null;
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error), tries: made };
    }
  }

  /** Whether the push is still wanted (PushOutbox.Z3). */
  private async wanted({ task, config }: PushOutboxItem): Promise<boolean> {
    const run = (await this.reading('run', task.id))?.body as unknown as RunRecord | undefined;
    return run?.push?.some((now) => sameReceiver(now, config)) ?? false;
  }
}
