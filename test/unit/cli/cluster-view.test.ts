import { expect } from 'chai';
import fc from 'fast-check';
import { clusterLines, clusterView, ranges } from '../../../gateway/cli/cluster-view.js';
import { fewestShards } from '../../../src/store/shards.js';
import type { PlacementTable } from '../../../src/cluster/redis/read.js';

const member = (
  instance: string,
  role: 'all' | 'gateway' | 'worker',
  leftMs: number,
  more: { draining?: boolean; stats?: Record<string, number> } = {},
): PlacementTable['members'][number] => ({
  leftMs,
  member: {
    instance,
    role,
    draining: more.draining ?? false,
    about: { host: 'h1', pid: 12, version: '0.1.0' },
    stats: more.stats ?? {},
  },
});
const leases = (owner: string | null, from: number, to: number): PlacementTable['leases'] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ shard: from + i, epoch: 3, owner }));

const table: Pick<PlacementTable, 'members' | 'leases'> = {
  members: [
    member('w-2', 'worker', 9_000, { draining: true, stats: { shards: 156, actors: 7, queued: 0 } }),
    member('g-1', 'gateway', 8_000),
    member('w-1', 'worker', 10_500, { stats: { shards: 90, actors: 3, takeovers: 1 } }),
  ],
  leases: [...leases('w-1', 0, 89), ...leases('w-2', 90, 245), ...leases(null, 246, 250)],
};

describe('view of a cluster', () => {
  it('tells of each member what it holds by the leases, and when it was heard of', () => {
    const { id, members, unowned } = clusterView('c1', table, fewestShards, 10_000);
    expect(id).to.equal('c1');
    expect(members.map((m) => [m.instance, m.shards.length, m.beat_ms, m.draining])).to.deep.equal([
      ['g-1', 0, 2000, false],
      ['w-1', 90, 0, false],
      ['w-2', 156, 1000, true],
    ]);
    expect(unowned).to.deep.equal([246, 247, 248, 249, 250, 251, 252, 253, 254, 255]);
  });

  it('shows members, their shards, and those that nobody holds', () => {
    expect(clusterLines(clusterView('c1', table, fewestShards, 10_000))).to.deep.equal([
      'Cluster c1: 3 processes, 246 of 256 shards held.',
      '',
      'INSTANCE  ROLE     PROCESS  VERSION  SHARDS  ACTORS  TAKEOVERS  QUEUED  BEAT       STATE',
      'g-1       gateway  h1:12    0.1.0    -       -       -          -       2.0 s ago  live',
      'w-1       worker   h1:12    0.1.0    90      3       1          -       0.0 s ago  live',
      'w-2       worker   h1:12    0.1.0    156     7       -          0       1.0 s ago  draining',
      '',
      'INSTANCE  HOLDS SHARDS',
      'w-1       0-89',
      'w-2       90-245',
      '',
      'Nobody holds 246-255: workers take them within a lease and 2 s; if this stays, see their logs.',
    ]);
  });

  it('says so where no worker lives, and where nobody does', () => {
    const gateways = clusterView('c1', { members: [member('g-1', 'gateway', 1)], leases: [] }, fewestShards, 10_000);
    expect(clusterLines(gateways)).to.have.length(6);
    expect(clusterLines(gateways).at(-1)).to.equal(
      'Nobody holds 0-255: no worker lives, so no agent of theirs does anything; start one.',
    );
    expect(clusterLines(clusterView('c1', { members: [], leases: [] }, fewestShards, 10_000))).to.deep.equal([
      'Cluster c1: no process of it lives.',
    ]);
  });

  it('writes shards as ranges, which say the same', () => {
    expect(ranges([0, 1, 2, 5])).to.equal('0-2 5');
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 255 })), (shards) => {
        const sorted = shards.sort((a, b) => a - b);
        const read = ranges(sorted)
          .split(' ')
          .filter((r) => r !== '')
          .flatMap((r) => {
            const [a = 0, b = a] = r.split('-').map(Number);
            return Array.from({ length: b - a + 1 }, (_, i) => a + i);
          });
        expect(read).to.deep.equal(sorted);
      }),
    );
  });
});
