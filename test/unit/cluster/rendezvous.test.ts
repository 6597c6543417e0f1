/** rendezvous.ts. */
import { expect } from 'chai';
import fc from 'fast-check';
import { assignShards } from '../../../src/cluster/rendezvous.js';
import { shardCounts } from '../../../src/store/shards.js';

const names = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 20 });
const some = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 12 });
const moved = (a: readonly (string | null)[], b: readonly (string | null)[]): number =>
  a.filter((worker, shard) => worker !== b[shard]).length;

describe('which worker should hold a shard', () => {
  it('is the same for all who see the same workers, in whatever order', () => {
    fc.assert(
      fc.property(names, fc.nat(), (workers, turn) => {
        const at = turn % workers.length;
        expect(assignShards([...workers.slice(at), ...workers.slice(0, at)], 256)).to.deep.equal(
          assignShards(workers, 256),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('gives every worker its share and no more', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(...shardCounts), (workers, count) => {
        const most = Math.ceil(count / workers.length);
        const placed = assignShards(workers, count);
        for (const worker of workers) expect(placed.filter((one) => one === worker).length).to.be.at.most(most);
        expect(placed).not.to.include(null);
      }),
      { numRuns: 50 },
    );
  });

  it('moves little beyond the share of who comes or goes', () => {
    fc.assert(
      fc.property(some, fc.constantFrom(...shardCounts), (workers, count) => {
        const share = count / workers.length;
        const change = moved(assignShards(workers.slice(1), count), assignShards(workers, count));
        expect(change).to.be.within(Math.floor(share) - workers.length, share + count * 0.1);
      }),
      { numRuns: 100 },
    );
  });

  it('is nobody where there is no worker', () => {
    expect(assignShards([], 256).every((worker) => worker === null)).to.equal(true);
  });
});
