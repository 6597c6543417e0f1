/**
 * Delivers the pushes of an entity: task updates of an agent (docs/api.md 6.2), and events that webhooks of the
 * workspace are told (docs/webhooks.md). Each push is a document in the commit that caused it. It is tried with growing
 * pauses, and is reported as delivered or given up.
 *
 * Invariants
 *  - Pushes of one line, which for tasks is one config, are delivered in the order of the changes. The next push is
 *    tried when the one before it was delivered or given up and the commit that removes it is done. So after a crash
 *    the push that was delivered last may be delivered again, but never an earlier one. Pushes stored before this
 *    activation come first.
 *  - A push is in progress once, from `send` to `forget`; its outcome is taken once (`take`).
 *  - A push is no longer sent once nobody wants it, which is asked before every try: the config of a task has been
 *    deleted or now names another receiver, or a webhook was deleted or disabled.
 *  - After `stop` nothing is sent and nothing is reported.
 *  - Only the ids of waiting pushes are kept in memory. A push is read when it is the first of its line, and kept
 *    until its outcome is known.
 *
 * The outbox holds nothing that is not in the store: after a crash it is filled from there, and every push starts again
 * with all its tries.
 */
import pRetry from 'p-retry';
import type { PushItem } from '../../src/domain/task/push.js';
import { PushError } from '../../src/push/port.js';
import type { EntityRef } from '../../src/store/port.js';
import { inTrace, span } from '../../src/telemetry/tracing.js';
import type { EntityDeps } from './deps.js';

/** What is to be pushed, and the trace that it belongs to. */
interface Waiting {
  id: string;
  trace?: string;
}

/** Whose pushes they are. */
export interface PushOwner<Item extends Waiting> {
  /** Pushes of one line are delivered one after the other. */
  lineOf(item: Item): string;
  /** What is to be sent by the next try; null if the push is no longer wanted. It is asked again if it fails. */
  current(item: Item): PushItem | null | Promise<PushItem | null>;
  /** `sent` is false if the push was no longer wanted. */
  pushed(item: Item, sent: boolean): void;
  deadLettered(item: Item, reason: string, tries: number): void;
  /** Called after each try, with the reason of its failure. */
  tried?(item: Item, reason: string | null): void;
  /** Default: that of the dependencies, with pauses that grow without bound. */
  retry?: { tries: number; firstPauseMs: number; longestPauseMs: number };
}

/** Ids of outbox documents. */
type PushQueue = string[];
/** The longest pause between two attempts to read the store, in ms. */
const longestPauseMs = 60_000;

/** What became of a push. */
type Outcome = 'sent' | 'unwanted' | { reason: string; tries: number };

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class PushOutbox<Item extends Waiting> {
  private readonly lines = new Map<string, PushQueue>();
  private readonly underWay = new Set<string>();
  private readonly ended = new Set<string>();
  /** Callbacks that wait until a push has been removed from the store. */
  private readonly removals = new Map<string, () => void>();
  private readonly over = new AbortController();
  /** Whether all stored pushes have been handed over; until then new ones wait behind them. */
  private ready: boolean;

  constructor(
    private readonly deps: EntityDeps,
    private readonly entity: EntityRef,
    stored: boolean,
    private readonly owner: PushOwner<Item>,
  ) {
    this.ready = !stored;
  }

  send(item: Item): void {
    if (this.over.signal.aborted || this.underWay.has(item.id)) return;
    this.underWay.add(item.id);
    const key = this.owner.lineOf(item);
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
        this.deps.log.error(
          { event: 'push.stopped', err: error, entity: this.entity },
          'pushes of an entity have stopped',
        );
    });
  }

  private async work(key: string, line: PushQueue): Promise<void> {
    for (let id = line[0]; id !== undefined; id = line[0]) {
      const item = await this.read(id);
      const outcome = item && (await this.deliver(item));
      if (this.over.signal.aborted) return;
      line.shift();
      if (item === null || outcome === null) {
        this.underWay.delete(id);
        continue;
      }
      this.ended.add(id);
      const removed = new Promise<void>((resolve) => this.removals.set(item.id, resolve));
      if (typeof outcome === 'string') this.owner.pushed(item, outcome === 'sent');
      else this.owner.deadLettered(item, outcome.reason, outcome.tries);
      await removed;
      this.removals.delete(item.id);
      if (this.over.signal.aborted) return;
    }
    this.lines.delete(key);
  }

  /** Resolves with null if the push no longer exists. */
  private read(id: string): Promise<Item | null> {
    return this.untilItWorks(async () => {
      const doc = await this.deps.store.get(this.entity, 'outbox', id);
      const item: object | undefined = doc?.body;
      return (item ?? null) as Item | null;
    });
  }

  /**
   * Repeats a read until it succeeds. An outage of the store is not the fault of the receiver and uses up none of its
   * tries.
   */
  private untilItWorks<T>(read: () => Promise<T>): Promise<T> {
    return pRetry(read, {
      retries: Infinity,
      minTimeout: this.deps.pushRetry.firstPauseMs,
      maxTimeout: longestPauseMs,
      factor: 2,
      randomize: true,
      unref: true,
      signal: this.over.signal,
    });
  }

  private async deliver(item: Item): Promise<Outcome> {
    const { tries, firstPauseMs, longestPauseMs } = this.owner.retry ?? {
      ...this.deps.pushRetry,
      longestPauseMs: Infinity,
    };
    const { signal } = this.over;
    let made = 0;
    try {
      return await pRetry(
        async (attempt): Promise<Outcome> => {
          made = attempt;
          const current = await this.untilItWorks(async () => await this.owner.current(item));
          if (current === null) return 'unwanted';
          await this.attempt(item, current);
          return 'sent';
        },
        {
          retries: tries - 1,
          minTimeout: firstPauseMs,
          maxTimeout: longestPauseMs,
          factor: 2,
          randomize: true,
          unref: true,
          signal,
          shouldRetry: ({ error }) => !(error instanceof PushError && error.final),
        },
      );
    } catch (error) {
      return { reason: reasonOf(error), tries: made };
    }
  }

  private async attempt(item: Item, current: PushItem): Promise<void> {
    const { signal } = this.over;
    try {
      await inTrace(item.trace, () =>
        span(
          `push ${'task' in current ? 'task' : 'event'}`,
          () => ({ kind: 'client', attributes: { 'server.address': new URL(current.config.url).hostname } }),
          () => this.deps.push.deliver({ ...current, workspace: this.entity.workspace }, signal),
        ),
      );
    } catch (error) {
      if (!signal.aborted) this.owner.tried?.(item, reasonOf(error));
      throw error;
    }
    this.owner.tried?.(item, null);
  }
}
