/**
 * Lets commits of many entities share round trips: one bulk write for the heads of a batch, then one for each
 * collection that the batch changes.
 *
 *  - An entity has one commit in flight at a time; its next one starts when that one has been applied.
 *  - A commit resolves 'committed' once its head and all its documents are written (the documents by guarded writes;
 *    see apply.ts).
 *  - Commits that arrive in one turn of the event loop are sent together, in batches of up to `mostCommits`. While
 *    `mostBatches` are in flight, further commits wait and accumulate.
 *  - On a sharded cluster a slow shard delays the commits of its own entities and, for `slowMs`, those that were sent
 *    in the same batch.
 *
 * A commit that rejects with 'unknown' may have taken effect; any other rejection means that it has not.
 */
import { Stopwatch } from './age.js';
import type { Applier } from './apply.js';
import type { MongoConnection } from './connection.js';
import { compareAndSet, type Outcome } from './fence.js';
import type { Planned } from './plan.js';

/**
 * Several batches of moderate size keep a server busy that waits for its journal on each of them. One batch of 256
 * commits at a time achieved half as many commits a second.
 */
const mostBatches = 4;
const mostCommits = 64;
const mostBytes = 8 * 1024 * 1024;

interface Waiting extends Planned {
  resolve: (outcome: 'committed' | 'conflict') => void;
  reject: (error: unknown) => void;
}

/**
 * On a sharded cluster a bulk write is answered when its slowest shard has answered. While a batch has been in flight
 * for longer than this, commits are sent one by one, and more of them at a time, so that only those of the slow shard
 * wait for it.
 */
const slowMs = 500;
const mostSingles = 512;

export class Committer {
  private ready: Waiting[] = [];
  /** Entities that have a commit in flight or ready, each with the commits queued behind it. */
  private readonly behind = new Map<string, Waiting[]>();
  /** The batches in flight, and those of them that have been so for longer than `slowMs`. */
  private readonly out = new Set<readonly Waiting[]>();
  private readonly slow = new Set<readonly Waiting[]>();
  private scheduled = false;

  constructor(
    private readonly connection: MongoConnection,
    private readonly applier: Applier,
  ) {}

  commit(planned: Planned): Promise<'committed' | 'conflict'> {
    return new Promise((resolve, reject) => {
      const waiting = { ...planned, resolve, reject };
      const queue = this.behind.get(planned.head._id);
      if (queue) {
        queue.push(waiting);
        return;
      }
      this.behind.set(planned.head._id, []);
      this.ready.push(waiting);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.out.size >= (this.isSlow ? mostSingles : mostBatches) || this.ready.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      const batch = this.take();
      this.out.add(batch);
      if (this.connection.sharded)
        void this.connection.pause(slowMs).then(() => {
          if (!this.out.has(batch)) return;
          this.slow.add(batch);
          this.schedule();
        });
      void this.run(batch, new Stopwatch(this.connection.clocks)).finally(() => {
        this.out.delete(batch);
        this.slow.delete(batch);
        this.schedule();
      });
      this.schedule();
    });
  }

  private get isSlow(): boolean {
    return this.slow.size > 0;
  }

  private take(): Waiting[] {
    if (this.isSlow) return this.ready.splice(0, 1);
    let n = 0;
    for (let bytes = 0; n < this.ready.length && n < mostCommits; n++) {
      bytes += this.ready[n]?.bytes ?? 0;
      if (n > 0 && bytes > mostBytes) break;
    }
    return this.ready.splice(0, n);
  }

  /** Never rejects. */
  private async run(batch: readonly Waiting[], age: Stopwatch): Promise<void> {
    const outcomes = await compareAndSet(
      this.connection,
      batch.map((w) => w.head),
    );
    const won = batch.filter((w) => outcomes.get(w.head) === 'committed');
    const writes = this.applier.start(
      won.flatMap((w) => w.changes),
      age,
    );
    await Promise.all(
      batch.map(async (waiting) => {
        const outcome: Outcome = outcomes.get(waiting.head) ?? 'conflict';
        try {
          if (outcome === 'committed')
            await Promise.all(new Set(waiting.changes.flatMap((change) => writes.get(change) ?? [])));
          if (outcome instanceof Error) waiting.reject(outcome);
          else waiting.resolve(outcome);
        } catch (error) {
          waiting.reject(error);
        }
        this.done(waiting);
      }),
    );
  }

  private done({ head }: Waiting): void {
    const queue = this.behind.get(head._id);
    const next = queue?.shift();
    if (next) this.ready.push(next);
    else this.behind.delete(head._id);
    this.schedule();
  }
}
