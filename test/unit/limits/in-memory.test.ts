/** What the limits in memory promise beside the contract (src/limits/in-memory.ts). */
import { expect } from 'chai';
import { createInMemoryLimits } from '../../../src/limits/in-memory.js';
import type { Policy } from '../../../src/limits/port.js';

const free: Policy = { limit: 100, burst: 150 };
const now = 1_800_000_000_000;
const holdMs = 30_000;
const times = (n: number, act: (i: number) => void): void => {
  for (let i = 0; i < n; i++) act(i);
};

describe('limits in memory', () => {
  it('a million strangers take no more room than the bound', () => {
    const limits = createInMemoryLimits({ tuning: { maxBuckets: 1000 }, holdMs });
    times(1_000_000, (i) => {
      limits.take(`ip_${i}`, free, now + Math.floor(i / 1000));
    });
    expect(limits.size.buckets).to.be.at.most(1000);
  });

  it('the bucket that was not used for longest goes first', () => {
    const limits = createInMemoryLimits({ tuning: { maxBuckets: 2 }, holdMs });
    for (const key of ['a', 'b'])
      times(80, () => {
        limits.take(key, free, now);
      });
    limits.take('a', free, now + 1000);
    limits.take('new', free, now + 1000);
    expect(limits.size.buckets).to.equal(2);
    expect(limits.take('a', free, now + 1000).remaining, 'kept').to.equal(19);
    expect(limits.take('b', free, now + 1000).remaining, 'begins anew').to.equal(99);
  });

  it('a key without slots is forgotten, also when its last request was refused', () => {
    const limits = createInMemoryLimits({ holdMs });
    times(100, (i) => {
      limits.enter(`key_${i}`, 2, 'x', now);
      limits.enter(`key_${i}`, 2, 'y', now);
      limits.enter(`key_${i}`, 2, 'z', now);
    });
    expect(limits.size.slots).to.equal(100);
    times(100, (i) => {
      for (const id of ['x', 'y', 'z']) limits.leave(`key_${i}`, id);
    });
    expect(limits.size.slots).to.equal(0);
    expect(limits.enter('none', 0, 'x', now)).to.equal(false);
    expect(limits.size.slots).to.equal(0);
  });

  it('answers at once', () => {
    const limits = createInMemoryLimits({ holdMs });
    expect(limits.take('a', free, now)).to.have.property('allowed', true);
    expect(limits.enter('a', 1, 'x', now)).to.equal(true);
  });
});
