/**
 * The sums of counts by workspace, added up by the server from the workspace's heads each time they are requested.
 *
 *  MongoSums.U1 Exact: a sum covers the heads that exist when the aggregation begins, which is after the call.
 *  MongoSums.U2 Callers that ask while an aggregation is running share the next one.
 *
 * Each aggregation reads every head of the workspace, so callers that need sums often should cache them for a while.
 */
import { headsOf, type Connection } from './connection.js';
import { decoded, encoded } from './keys.js';

type Numbers = Readonly<Record<string, number>>;

export class Sums {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly next = new Map<string, Promise<Numbers>>();

  constructor(private readonly connection: Connection) {}

  async sum(workspace: string, name: string): Promise<number> {
    return (await this.all(workspace))[name] ?? 0;
  }

  all(workspace: string): Promise<Numbers> {
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
    const groups = headsOf(this.connection).aggregate<{ _id: string; v: number }>([
      { $match: { w: encoded(workspace) } },
      { $project: { _id: 0, n: 1 } },
      { $unwind: '$n' },
      { $group: { _id: '$n.k', v: { $sum: '$n.v' } } },
    ]);
    const sums: Record<string, number> = {};
    for await (const { _id, v } of groups) sums[decoded(_id)] = v;
    return sums;
  }
}
