/**
 * The sums of counts by workspace, added up by the server from the workspace's heads.
 *
 *  - An exact sum covers the heads that exist when the aggregation begins, which is after the call. Callers that ask
 *    while an aggregation is running share the next one.
 *  - For a workspace with at most `fewHeads` heads, every sum is exact.
 *  - For a larger one, a caller that does not ask for exactness gets the sums of the last aggregation with what this
 *    process has committed since. They may lack commits of other processes, and differ by commits that were in
 *    progress during the aggregation, for a little more than `pauseOf` its duration. The heads of a workspace are
 *    therefore read for at most a twentieth of the time, however many there are and however often sums are requested.
 */
import type { Commit } from '../port.js';
import { Stopwatch } from './age.js';
import { headsOf, type MongoConnection } from './connection.js';
import { decoded, encoded } from './keys.js';

type Numbers = Readonly<Record<string, number>>;

/** The result of an aggregation, kept up to date with the commits of this process. */
interface Known {
  readonly sums: Record<string, number>;
  readonly age: Stopwatch;
  /** How long the aggregation took, ms. */
  readonly tookMs: number;
}

const fewHeads = 1000;
const mostKnown = 1000;
/** After an aggregation, the next one begins after a second, or after twenty times its duration. */
const pauseOf = ({ tookMs }: Known): number => Math.max(1000, 20 * tookMs);

export class Sums {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly next = new Map<string, Promise<Numbers>>();
  /** The workspaces with many heads, the one added up last at the end. */
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly connection: MongoConnection,
    private readonly few = fewHeads,
  ) {}

  exact(workspace: string): Promise<Numbers> {
    const shared = this.next.get(workspace);
    if (shared) return shared;
    const before = this.running.get(workspace);
    if (!before) return this.begin(workspace);
    const after = before.then(() => {
      this.next.delete(workspace);
      return this.begin(workspace);
    });
    this.next.set(workspace, after);
    return after;
  }

  async recent(workspace: string): Promise<Numbers> {
    const known = this.known.get(workspace);
    if (!known) return this.exact(workspace);
    const pauseMs = pauseOf(known);
    if (known.age.ms > 2 * pauseMs) return this.exact(workspace);
    // A failure shows when the sums have become too old to be told.
    if (known.age.ms > pauseMs && !this.running.has(workspace)) this.begin(workspace).catch(() => undefined);
    return known.sums;
  }

  /** Call this when a commit of this process has taken effect. */
  add({ entity: { workspace }, counts, previousCounts }: Commit): void {
    const sums = this.known.get(workspace)?.sums;
    if (!sums) return;
    for (const name of new Set([...Object.keys(counts), ...Object.keys(previousCounts)]))
      sums[name] = (sums[name] ?? 0) + (counts[name] ?? 0) - (previousCounts[name] ?? 0);
  }

  private begin(workspace: string): Promise<Numbers> {
    const sums = this.addUp(workspace);
    const ended = sums
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (this.running.get(workspace) === ended) this.running.delete(workspace);
      });
    this.running.set(workspace, ended);
    return sums;
  }

  private async addUp(workspace: string): Promise<Numbers> {
    const age = new Stopwatch(this.connection.clocks);
    const groups = headsOf(this.connection).aggregate<{ _id: string; v: number; heads: number }>([
      { $match: { w: encoded(workspace) } },
      { $project: { _id: 0, n: 1 } },
      { $unwind: '$n' },
      { $group: { _id: '$n.k', v: { $sum: '$n.v' }, heads: { $sum: 1 } } },
    ]);
    const sums: Record<string, number> = {};
    let most = 0;
    for await (const { _id, v, heads } of groups) {
      sums[decoded(_id)] = v;
      most = Math.max(most, heads);
    }
    this.known.delete(workspace);
    if (most > this.few) {
      this.known.set(workspace, { sums, age, tookMs: age.ms });
      if (this.known.size > mostKnown) this.known.delete(this.known.keys().next().value as string);
    }
    return sums;
  }
}
