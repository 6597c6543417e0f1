/** claims.ts, own-lease.ts. */
import { expect } from 'chai';
import { ShardClaims } from '../../../src/cluster/claims.js';
import type { Lease } from '../../../src/cluster/leases.js';
import { OwnLease } from '../../../src/cluster/own-lease.js';

const leaseMs = 1000;

/** A worker `me`, whose two clocks the test moves. */
function setUp() {
  const at = { monotonic: 5000, wall: 1_000_000 };
  const events: string[] = [];
  const lease = new OwnLease(leaseMs, { now: () => at.wall, after: () => () => undefined }, () => at.monotonic);
  const claims = new ShardClaims('me', lease, {
    acquired: (shards) => {
      events.push(`acquired ${shards.join()}`);
    },
    lost: (shards) => {
      events.push(`lost ${shards.join()}`);
    },
  });
  const pass = (ms: number): void => {
    at.monotonic += ms;
    at.wall += ms;
  };
  const beat = (leases: Lease[], born = 'one', sent = lease.now()): void => {
    claims.seen(born, (shard) => leases.find((one) => one.shard === shard) ?? free(shard, 0), sent);
  };
  return { at, lease, claims, events, pass, beat };
}
const mine = (shard: number, epoch = 1): Lease => ({ shard, epoch, owner: 'me' });
const free = (shard: number, epoch = 1): Lease => ({ shard, epoch, owner: null });

describe('own lease', () => {
  it('ends nine tenths of a lease after the beat was sent, however long its answer took', () => {
    const { lease, pass } = setUp();
    const sent = lease.now();
    pass(300);
    lease.renew(sent);
    expect(lease.left).to.equal(600);
  });

  it('the clock that has gone further counts', () => {
    const { lease, at } = setUp();
    lease.renew(lease.now());
    at.wall += 950; // a sleep that the monotonic clock did not see
    expect(lease.left).to.be.below(0);
    at.wall -= 5000; // set back
    expect(lease.left).to.equal(900);
    at.monotonic += 901;
    expect(lease.left).to.be.below(0);
  });

  it('an older beat does not shorten what a newer one has renewed', () => {
    const { lease, pass } = setUp();
    const older = lease.now();
    pass(100);
    lease.renew(lease.now());
    lease.renew(older);
    expect(lease.left).to.equal(900);
  });

  it('is not valid before the first beat', () => {
    expect(setUp().lease.left).to.be.below(0);
  });
});

describe('claims', () => {
  it('says no from the moment that the lease has run out, and tells the host once', () => {
    const { claims, events, pass, beat } = setUp();
    beat([]);
    claims.took([1, 2], 1);
    pass(899);
    expect([claims.holds(1), claims.held()]).to.deep.equal([true, [1, 2]]);
    pass(1);
    expect([claims.holds(1), claims.held(), events]).to.deep.equal([false, [], ['acquired 1,2']]);
    claims.expire();
    claims.expire();
    expect(events).to.deep.equal(['acquired 1,2', 'lost 1,2']);
  });

  it('a beat that is answered late does not bring back what has run out, though the table still has it', () => {
    const { claims, events, pass, beat } = setUp();
    beat([]);
    claims.took([1], 1);
    pass(950);
    beat([mine(1)]);
    expect([claims.holds(1), events]).to.deep.equal([false, ['acquired 1', 'lost 1']]);
    beat([mine(1)]);
    expect(claims.holds(1)).to.equal(false);
    claims.took([1], 2);
    expect([claims.holds(1), claims.epochOf(1)]).to.deep.equal([true, 2]);
  });

  it('what was taken by an answer that comes after the lease has run out is not held', () => {
    const { claims, events, pass, beat } = setUp();
    beat([]);
    pass(950);
    claims.took([1], 1);
    expect([claims.holds(1), claims.has(1), events]).to.deep.equal([false, false, []]);
  });

  it('drops what another holds, and what is free in the same table', () => {
    const { claims, events, beat } = setUp();
    beat([]);
    claims.took([1, 2, 3], 1);
    beat([{ shard: 1, epoch: 2, owner: 'you' }, free(2), mine(3)]);
    expect([claims.held(), events]).to.deep.equal([[3], ['acquired 1,2,3', 'lost 1,2']]);
  });

  it('keeps what an emptied table does not know, without renewing it, until it is taken again', () => {
    const { claims, events, pass, beat, lease } = setUp();
    beat([]);
    claims.took([1, 2], 1);
    pass(500);
    beat([], 'two');
    expect([claims.held(), [...claims.unconfirmed], lease.left]).to.deep.equal([[1, 2], [1, 2], 400]);
    claims.took([1], 7);
    expect([[...claims.unconfirmed], lease.left]).to.deep.equal([[2], 400]);
    claims.took([2], 7);
    expect([[...claims.unconfirmed], lease.left, claims.epochOf(1)]).to.deep.equal([[], 900, 7]);
    expect(events, 'the host is not disturbed').to.deep.equal(['acquired 1,2']);
    beat([mine(1, 7)], 'two');
    expect(events, 'from then on the new table counts').to.deep.equal(['acquired 1,2', 'lost 2']);
  });

  it('drops it when somebody else has taken it there, or when its time is over first', () => {
    const { claims, events, pass, beat } = setUp();
    beat([]);
    claims.took([1, 2], 1);
    pass(500);
    beat([{ shard: 1, epoch: 3, owner: 'you' }], 'two');
    expect([claims.held(), events.at(-1)]).to.deep.equal([[2], 'lost 1']);
    pass(400);
    beat([], 'two');
    expect([claims.held(), events.at(-1)]).to.deep.equal([[], 'lost 2']);
  });

  it('gives up what is held, with the epochs that may be released', () => {
    const { claims, events, beat } = setUp();
    beat([]);
    claims.took([1, 2], 4);
    expect(claims.giveUp([2, 3])).to.deep.equal([{ shard: 2, epoch: 4 }]);
    expect([claims.held(), events]).to.deep.equal([[1], ['acquired 1,2']]);
  });
});
