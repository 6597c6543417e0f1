/**
 * The only writer of an entity: turns decisions into commits.
 *
 * Invariants
 *  - At most one commit of the entity is in progress. Decisions made meanwhile wait and are folded into the next
 *    commit.
 *  - Commits keep the order of decisions: a decision is committed together with, or after, every earlier one.
 *  Writer.E3 No consequence of a decision (reply, event, message) leaves the entity before the commit that contains the
 *     decision is durable.
 *  - A commit is at most 4 MiB, measured as its documents and idempotency records are stored, unless a single decision
 *    is larger.
 *  - After a conflict or a failure nothing more is written, because the state in memory can no longer be trusted.
 *  Writer.E6 While the writer is held, it begins no commit, so that a decision that is about to follow becomes part of
 *     the same one; but never for longer than `holdMs`, nor while somebody waits for it to settle.
 */
import type { EntityKind, Snapshots } from '../../src/domain/shared/documents.js';
import type { Counts, DocumentDelete, DocumentPut } from '../../src/domain/shared/draft.js';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { type Commit, type EntityRef, type IdempotencyRecord, type Store, StoreError } from '../../src/store/port.js';
import { jsonBytes } from '../../src/domain/shared/bounded.js';
import { mostJsonBytes, sizeOf } from '../../src/domain/workspace/usage.js';
import type { Metrics } from '../../src/telemetry/metrics.js';
import { traceNow } from '../../src/telemetry/tracing.js';
import { tracedCommit } from './traced-commits.js';
import type { RunRecord } from '../../src/domain/agent/agent-state.js';
import type { WorkspaceEvent } from '../../src/domain/model/model.js';

export interface HeadUpdate {
  snapshot: Snapshots[EntityKind];
  counts: Counts;
  active: boolean;
  due: number | null;
  deleted: boolean;
}

/** What of a decision is to be committed. */
export interface PendingWrite extends HeadUpdate {
  puts: readonly DocumentPut[];
  deletes: readonly DocumentDelete[];
  records: readonly IdempotencyRecord[];
}

export type CommitLoss = 'conflict' | { error: unknown };

/** Who hears what became of the decisions, `W`, that it gave to the writer. */
export interface WriterOwner<W> {
  /** The decisions of one commit, in their order. */
  written(batch: readonly W[]): void;
  /**
   * None of these decisions was written: another process wrote the entity (`conflict`), or the store failed. If the
   * store refused the commit for good, `behind` holds the later decisions, which are not at fault.
   */
  lost(batch: readonly W[], reason: CommitLoss, behind: readonly W[]): void;
}

interface WriterDeps {
  store: Pick<Store, 'commit'>;
  clock: Pick<MonotonicClock, 'elapsed' | 'after'>;
  metrics: Pick<Metrics, 'commit'>;
}

const maxBytes = 4 * 1024 * 1024;

/** About as long as a commit takes; a decision that takes longer to follow is worth a commit of its own, ms. */
const holdMs = 50;

export class EntityWriter<W extends PendingWrite> {
  private waiting: W[] = [];
  private inFlight: W[] = [];
  private scheduled = false;
  /** Why the writer no longer writes. */
  private loss: CommitLoss | null = null;
  private quietWaiters: (() => void)[] = [];
  private readonly holds = new Set<object>();
  /** Cancels the timer that ends the holds; null if no commit waits for them. */
  private cancelHolds: (() => void) | null = null;
  /** The trace of the first decision that waits and is traced. */
  private trace: string | undefined = undefined;

  constructor(
    private readonly deps: WriterDeps,
    private readonly entity: EntityRef,
    private last: number,
    private counts: Counts,
    private readonly owner: WriterOwner<W>,
  ) {}

  /** The sequence number of the entity's last commit. */
  get seq(): number {
    return this.last;
  }

  /** Whether a conflict or a failure has occurred. */
  get broken(): boolean {
    return this.loss !== null;
  }

  get quiet(): boolean {
    return this.inFlight.length === 0 && this.waiting.length === 0;
  }

  /** Resolves when every decision handed over so far has been committed or lost. */
  settled(): Promise<void> {
    this.endHolds();
    return this.quiet
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.quietWaiters.push(resolve);
        });
  }

  /** Holds the writer until the returned function is called (Writer.E6). */
  hold(): () => void {
    const hold = {};
    this.holds.add(hold);
    return () => {
      if (this.holds.delete(hold) && this.holds.size === 0) this.schedule();
    };
  }

  /** Queues a decision. The commit is sent after the current burst of messages, so that a burst becomes one commit. */
  add(write: W): void {
    if (this.loss !== null) {
      this.owner.lost([write], isRefusal(this.loss) ? 'conflict' : this.loss, []);
      return;
    }
    this.waiting.push(write);
    this.trace ??= traceNow();
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.inFlight.length > 0) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    if (this.broken || this.inFlight.length > 0 || this.waiting.length === 0) return;
    if (this.holds.size > 0) {
      this.cancelHolds ??= this.deps.clock.after(holdMs, () => {
        this.endHolds();
      });
      return;
    }
    this.endHolds();
    this.inFlight = this.takeBatch();
    const commit = fold(this.entity, this.last + 1, this.counts, this.inFlight);
    const { store, clock, metrics } = this.deps;
    const started = clock.elapsed();
    const measured = (outcome: 'committed' | 'conflict' | 'failed'): void => {
      metrics.commit(outcome, (clock.elapsed() - started) / 1000);
    };
    const { trace } = this;
    this.trace = undefined;
    tracedCommit(trace, commit, (made) => store.commit(made)).then(
      (outcome) => {
        measured(outcome);
        if (outcome === 'committed') this.done(commit);
        else this.lose('conflict');
      },
      (error: unknown) => {
        measured('failed');
        this.lose({ error });
      },
    );
  }

  private endHolds(): void {
    const isHeld = this.holds.size > 0;
    this.holds.clear();
    this.cancelHolds?.();
    this.cancelHolds = null;
    if (isHeld) this.schedule();
  }

  private takeBatch(): W[] {
    if (this.waiting.length === 1) return this.waiting.splice(0);
    if (this.waiting.reduce((bytes, write) => bytes + mostBytesOf(write), 0) <= maxBytes) return this.waiting.splice(0);
    let bytes = 0;
    let n = 0;
    for (const write of this.waiting) {
      bytes += bytesOf(write);
      if (n > 0 && bytes > maxBytes) break;
      n++;
    }
    return this.waiting.splice(0, n);
  }

  private done(commit: Commit): void {
    const batch = this.inFlight;
    this.inFlight = [];
    this.last = commit.seq;
    this.counts = commit.counts;
    this.owner.written(batch);
    this.flush();
    this.tellQuiet();
  }

  private lose(reason: CommitLoss): void {
    const behind = isRefusal(reason) ? this.waiting : [];
    const lost = isRefusal(reason) ? this.inFlight : [...this.inFlight, ...this.waiting];
    this.inFlight = this.waiting = [];
    this.loss = reason;
    this.owner.lost(lost, reason, behind);
    this.tellQuiet();
  }

  private tellQuiet(): void {
    if (!this.quiet) return;
    for (const resolve of this.quietWaiters.splice(0)) resolve();
  }
}

const isRefusal = (loss: CommitLoss): boolean =>
  loss !== 'conflict' && loss.error instanceof StoreError && loss.error.reason === 'refused';

type Stored = Pick<PendingWrite, 'puts' | 'deletes' | 'records'>;
/** The bytes that a document or record takes in addition to its contents: its keys and its list entries. */
const bytesAround = 500;

/** The bytes that a decision takes in the store: its documents and idempotency records, as JSON in UTF-8. */
function bytesOf({ puts, deletes, records }: Stored): number {
  let bytes = bytesAround * deletes.length;
  for (const { body } of puts) bytes += bytesAround + jsonBytes(body);
  for (const { result } of records) bytes += bytesAround + jsonBytes(result ?? null);
  return bytes;
}

/** A quick upper bound for `bytesOf`, because most decisions are small. */
function mostBytesOf({ puts, deletes, records }: Stored): number {
  let size = 0;
  for (const put of puts) size += put.size ?? sizeOf(put.body);
  for (const { result } of records) size += sizeOf(result);
  return mostJsonBytes(size) + 2 * bytesAround * (puts.length + deletes.length + records.length);
}

/**
 * Folds the writes of several decisions into one commit: the last put of a document counts, and the head comes from the
 * last decision.
 */
export function fold(entity: EntityRef, seq: number, previousCounts: Counts, writes: readonly PendingWrite[]): Commit {
  const last = writes[writes.length - 1];
  if (!last) throw new Error('a commit needs a decision');
  const { puts, deletes } = writes.length === 1 ? last : foldDocuments(writes);
  const { snapshot, counts, active, due, deleted } = last;
  return {
    entity,
    seq,
    snapshot,
    counts,
    active,
    due,
    deleted,
    previousCounts,
    puts,
    deletes,
    records: writes.length === 1 ? last.records : writes.flatMap((w) => w.records),
  };
}

function foldDocuments(writes: readonly Pick<PendingWrite, 'puts' | 'deletes'>[]): Pick<Commit, 'puts' | 'deletes'> {
  const puts = new Map<string, DocumentPut>();
  const deletes = new Map<string, DocumentDelete>();
  for (const write of writes) {
    for (const put of write.puts) {
      // a document is new to the store if it was new to the first of these decisions that put it; a document that one
      // of them deleted is still in the store
      const key = `${put.kind}/${put.id}`;
      const deleted = deletes.delete(key);
      const before = puts.get(key);
      const isNew = before?.isNew ?? (put.isNew && !deleted);
      const rewrites = before?.rewrites ?? deleted;
      puts.set(key, isNew === put.isNew && !rewrites ? put : { ...put, isNew, ...(rewrites && { rewrites }) });
    }
    for (const gone of write.deletes) {
      const key = `${gone.kind}/${gone.id}`;
      const before = puts.get(key);
      puts.delete(key);
      if (!before?.isNew) deletes.set(key, gone);
    }
  }
  return { puts: [...puts.values()], deletes: [...deletes.values()] };
}

/* Counts the work of entities, from the events that they announce and the documents that they commit. */

export type ActorMetrics = Pick<
  Metrics,
  'commit' | 'run' | 'message' | 'outbox' | 'waitsForModel' | 'learning' | 'waitsToLearn'
>;

export function countEvent(metrics: ActorMetrics, event: WorkspaceEvent): void {
  if (event.type === 'message.received') metrics.message('received', 1);
  else if (event.type === 'run.status' && event.data.status === 'running') metrics.run('started', 0);
}

/** Counts a run that has ended. The steps of a run that was paused in between are counted once, at its end. */
export function countRun(metrics: ActorMetrics, { status, steps, budgetFromStep }: RunRecord): void {
  if (status !== 'running' && status !== 'pending' && status !== 'paused') metrics.run(status, steps - budgetFromStep);
}

/** Counts messages that were read or that woke their agent: only these write a message document again. */
export function countMessages(metrics: ActorMetrics, puts: readonly DocumentPut[]): void {
  for (const put of puts)
    if (put.kind === 'message' && !put.isNew) metrics.message(put.body.read_at === null ? 'wake' : 'read', 1);
}
