/** shard-table.ts. */
import { expect } from 'chai';
import type { Lease, LeaseTableView } from '../../../src/cluster/leases.js';
import type { Member } from '../../../src/cluster/placement.js';
import { ShardTable } from '../../../src/cluster/shard-table.js';
import { fewestShards } from '../../../src/store/shards.js';

const worker = (instance: string, change: Partial<Member> = {}): Member => ({
  instance,
  role: 'worker',
  draining: false,
  about: {},
  stats: {},
  ...change,
});
const view = (leases: Lease[], members = [worker('a'), worker('b')]): LeaseTableView => ({
  born: 'one',
  ageMs: 0,
  fresh: false,
  members,
  leases,
  firstEndMs: 1000,
});

describe('shard table', () => {
  it('tells whether anything has changed', () => {
    const table = new ShardTable(fewestShards.count);
    expect(table.seen(view([{ shard: 3, epoch: 1, owner: 'a' }]))).to.equal(true);
    expect(table.seen(view([{ shard: 3, epoch: 1, owner: 'a' }]))).to.equal(false);
    expect(table.seen(view([{ shard: 3, epoch: 2, owner: 'a' }]))).to.equal(true);
    expect(table.seen(view([{ shard: 3, epoch: 2, owner: 'a' }], [worker('a')]))).to.equal(true);
    expect(table.seen(view([{ shard: 3, epoch: 2, owner: 'a' }], [worker('a', { stats: { shards: 3 } })]))).to.equal(
      false,
    );
  });

  it('does not believe an owner of an older epoch', () => {
    const table = new ShardTable(fewestShards.count);
    table.seen(view([{ shard: 3, epoch: 9, owner: 'a' }]));
    expect(table.seen(view([{ shard: 3, epoch: 8, owner: 'b' }]))).to.equal(false);
    expect(table.ownerOf(3)).to.deep.equal({ instance: 'a', epoch: 9 });
    table.seen(view([{ shard: 3, epoch: 10, owner: 'b' }]));
    expect(table.ownerOf(3)).to.deep.equal({ instance: 'b', epoch: 10 });
  });

  it('of another table it believes what that says: its epochs may be older than those of one that was emptied (Model.H7)', () => {
    const table = new ShardTable(fewestShards.count);
    table.seen(view([{ shard: 3, epoch: 9, owner: 'a' }]));
    table.seen({ ...view([{ shard: 3, epoch: 8, owner: 'b' }]), born: 'two' });
    expect(table.ownerOf(3)).to.deep.equal({ instance: 'b', epoch: 8 });
  });

  it('also when it was free in between; a free one has no owner', () => {
    const table = new ShardTable(fewestShards.count);
    table.seen(view([{ shard: 3, epoch: 9, owner: 'a' }]));
    table.seen(view([]));
    expect(table.ownerOf(3)).to.equal(null);
    table.seen(view([{ shard: 3, epoch: 8, owner: 'b' }]));
    expect(table.ownerOf(3)).to.equal(null);
  });

  it('listens to a later owner and to the end of the lease that it knows, and to nothing older', () => {
    const table = new ShardTable(fewestShards.count);
    table.seen(view([{ shard: 3, epoch: 9, owner: 'a' }]));
    for (const old of [
      { shard: 3, epoch: 8, owner: 'b' },
      { shard: 3, epoch: 8, owner: null },
      { shard: 3, epoch: 9, owner: 'b' },
    ])
      expect(table.told([old])).to.equal(false);
    expect(table.ownerOf(3)).to.deep.equal({ instance: 'a', epoch: 9 });
    expect([table.told([{ shard: 3, epoch: 9, owner: null }]), table.ownerOf(3)]).to.deep.equal([true, null]);
    expect(table.told([{ shard: 3, epoch: 9, owner: 'a' }]), 'told late that a has it').to.equal(false);
    expect([table.told([{ shard: 3, epoch: 10, owner: 'b' }]), table.ownerOf(3)]).to.deep.equal([
      true,
      { instance: 'b', epoch: 10 },
    ]);
  });

  it('places shards on workers that are not draining; a gateway is none', () => {
    const table = new ShardTable(fewestShards.count);
    table.seen(
      view([], [worker('a', { role: 'all' }), worker('b', { draining: true }), worker('g', { role: 'gateway' })]),
    );
    expect(new Set(Array.from({ length: fewestShards.count }, (_, shard) => table.placeOf(shard)))).to.deep.equal(
      new Set(['a']),
    );
  });
});
