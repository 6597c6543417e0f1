/**
 * Delivers an agent's pushes (docs/api.md 6.2): each is a document of the commit that changed the
 * task's status, tried with growing pauses, and reported as delivered or as given up.
 *
 *  PushOutbox.Z1 Pushes of one config go out in the order of the changes: the next is tried when the one before it was
 *     delivered or given up, and the commit that removes it is done, so that after a crash the last status that was
 *     delivered may be told again, but never one before it. What was stored before this incarnation comes first.
 *  PushOutbox.Z2 A push is under way once from `send` to `forget`; its end is taken up once (`take`).
 *  PushOutbox.Z3 A push whose config was deleted meanwhile, or names another receiver now, is not sent any more.
 *  PushOutbox.Z4 After `stop` nothing is sent and nothing is reported.
 *  PushOutbox.Z5 Of what waits in a line only ids are kept; a push is read when it is the first of its config, and kept
 *     until its end.
 *
 * Holds nothing that is not in the store: after a crash it is filled again from there, and every push has all its
 * tries.
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
/** Between two attempts to read the store. */
const longestPauseMs = 60_000;
const queueKeyOf = (item: PushOutboxItem): string => `${item.task.id}/${item.config.id}`;

export class PushOutbox {
  private readonly lines = new Map<string, PushQueue>();
  private readonly underWay = new Set<string>();
  private readonly ended = new Set<string>();
  /** What waits until a push has been removed from the store. */
  private readonly removals = new Map<string, () => void>();
  private readonly over = new AbortController();
  /** Until the stored ones are there, new ones wait behind them (PushOutbox.Z1). */
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

  /** All that was stored has been handed over. */
  begun(): void {
    if (this.ready) return;
    this.ready = true;
    for (const [key, line] of this.lines)
      this.begin(
        key,
        line.sort((a, b) => (a < b ? -1 : 1)),
      );
  }

  /** True for the first who takes up the reported end of this document. */
  take(id: string): boolean {
    return this.ended.delete(id);
  }

  /** It has been removed from the store. */
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

  /** Null when it is not there any more. */
  private async read(id: string): Promise<PushOutboxItem | null> {
    const doc = await this.reading('outbox', id);
    return doc && (doc.body as unknown as PushOutboxItem);
  }

  /** Reads until the store can be read: its outages are no fault of the receiver's, and use up none of its tries. */
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

  /** Null when it was delivered, or is not wanted any more. */
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

  /** PushOutbox.Z3. */
  private async wanted({ task, config }: PushOutboxItem): Promise<boolean> {
    const run = (await this.reading('run', task.id))?.body as unknown as RunRecord | undefined;
    return run?.push?.some((now) => sameReceiver(now, config)) ?? false;
  }
}
