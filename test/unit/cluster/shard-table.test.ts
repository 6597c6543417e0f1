/** shard-table.ts. */
import { expect } from 'chai';
import type { Lease, TableNews } from '../../../src/cluster/leases.js';
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
const whole = (leases: Lease[], members = [worker('a'), worker('b')]): TableNews => ({
  born: 'one',
  version: 1,
  since: null,
  members: new Map(members.map((member) => [member.instance, member])),
  leases,
  firstEndMs: 1000,
});
const change = (since: number, version: number, ...leases: Lease[]): TableNews => ({
  ...whole(leases, []),
  since,
  version,
});

describe('shard table', () => {
  it('tells whether anything has changed', () => {
    const table = new ShardTable(fewestShards.count);
    expect(table.learn(whole([{ shard: 3, epoch: 1, owner: 'a' }]))).to.equal(true);
    expect(table.learn(whole([{ shard: 3, epoch: 1, owner: 'a' }]))).to.equal(false);
    expect(table.learn(whole([{ shard: 3, epoch: 2, owner: 'a' }]))).to.equal(true);
    expect(table.learn(whole([{ shard: 3, epoch: 2, owner: 'a' }], [worker('a')]))).to.equal(true);
    expect(table.learn(whole([{ shard: 3, epoch: 2, owner: 'a' }], [worker('a', { stats: { shards: 3 } })]))).to.equal(
      false,
    );
    expect(table.learn({ ...change(1, 2), members: new Map([['b', worker('b')]]) })).to.equal(true);
    expect(table.learn({ ...change(2, 3), members: new Map([['b', null]]) })).to.equal(true);
    expect(table.members.map(({ instance }) => instance)).to.deep.equal(['a']);
  });

  it('learns what goes on from what it knows, once, and nothing after a gap', () => {
    const table = new ShardTable(fewestShards.count);
    expect(table.learn(change(0, 1)), 'before it has read anything').to.equal(null);
    table.learn(whole([{ shard: 3, epoch: 9, owner: 'a' }]));
    const freed = change(1, 2, { shard: 3, epoch: 9, owner: null });
    expect([table.learn(freed), table.ownerOf(3)]).to.deep.equal([true, null]);
    table.learn(change(1, 3, { shard: 3, epoch: 10, owner: 'b' }));
    expect([table.learn(freed), table.ownerOf(3)], 'again').to.deep.equal([false, { instance: 'b', epoch: 10 }]);
    expect(table.learn(change(4, 5, { shard: 3, epoch: 11, owner: 'a' })), 'a gap').to.equal(null);
    expect(table.learn({ ...change(3, 5), born: 'two' }), 'of another table').to.equal(null);
    expect(table.ownerOf(3)).to.deep.equal({ instance: 'b', epoch: 10 });
  });

  it('of what it has changed itself, only what is later is news', () => {
    const table = new ShardTable(fewestShards.count);
    table.learn(whole([]));
    table.changed([3], 9, 'a');
    table.learn(change(1, 2, { shard: 3, epoch: 8, owner: 'b' }));
    expect(table.ownerOf(3), 'taken').to.deep.equal({ instance: 'a', epoch: 9 });
    table.changed([3], null, null);
    table.learn(change(2, 3, { shard: 3, epoch: 9, owner: 'a' }));
    expect(table.ownerOf(3), 'given up').to.equal(null);
    table.learn(change(3, 4, { shard: 3, epoch: 10, owner: 'b' }));
    expect(table.ownerOf(3)).to.deep.equal({ instance: 'b', epoch: 10 });
  });

  it('of another table it believes what that says: its epochs may be older than those of one that was emptied (Model.H7)', () => {
    const table = new ShardTable(fewestShards.count);
    table.learn(whole([{ shard: 3, epoch: 9, owner: 'a' }]));
    table.learn({ ...whole([{ shard: 3, epoch: 8, owner: 'b' }]), born: 'two' });
    expect(table.ownerOf(3)).to.deep.equal({ instance: 'b', epoch: 8 });
  });

  it('places shards on workers that are not draining; a gateway is none', () => {
    const table = new ShardTable(fewestShards.count);
    table.learn(
      whole([], [worker('a', { role: 'all' }), worker('b', { draining: true }), worker('g', { role: 'gateway' })]),
    );
    expect(new Set(Array.from({ length: fewestShards.count }, (_, shard) => table.placeOf(shard)))).to.deep.equal(
      new Set(['a']),
    );
  });
});
