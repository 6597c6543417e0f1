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

  it('full buckets go first: who has used something is not forgotten for who has not', () => {
    const limits = createInMemoryLimits({ tuning: { maxBuckets: 4 }, holdMs });
    times(150, () => {
      limits.take('used', free, now);
    });
    // full again after 600 ms, and less used than the first: gone before it, although they came later
    times(200, (i) => {
      limits.take(`once_${i}`, free, now + i * 250);
    });
    expect(limits.take('used', free, now + 50_000).remaining).to.equal(82);
  });

  it('what has become full meanwhile is full', () => {
    const limits = createInMemoryLimits({ tuning: { maxBuckets: 2 }, holdMs });
    const later = now + 200_000;
    times(150, () => {
      limits.take('long ago', free, now);
    });
    times(20, () => {
      limits.take('just now', free, later);
    });
    limits.take('new', free, later);
    expect(limits.take('just now', free, later).remaining).to.equal(79);
  });

  it('where none is full, the fullest of the oldest goes', () => {
    const limits = createInMemoryLimits({ tuning: { maxBuckets: 3 }, holdMs });
    for (const [key, uses] of [
      ['much', 150],
      ['little', 10],
      ['more', 80],
    ] as const)
      times(uses, () => {
        limits.take(key, free, now);
      });
    limits.take('new', free, now);
    expect(limits.size.buckets).to.equal(3);
    expect(limits.take('much', free, now).allowed).to.equal(false);
    expect(limits.take('more', free, now).remaining).to.equal(19);
  });

  it('what was used lately goes last, even where it is the fullest', () => {
    const limits = createInMemoryLimits({ tuning: { maxBuckets: 10 }, holdMs });
    const slow: Policy = { limit: 2, burst: 4 };
    for (const key of 'abcdefghij')
      times(key === 'a' ? 1 : 4, () => {
        limits.take(key, slow, now);
      });
    limits.take('a', slow, now + 1000);
    limits.take('new', slow, now + 1000);
    expect(limits.size.buckets).to.equal(10);
    expect(limits.take('a', slow, now + 1000).remaining, 'its third').to.equal(0);
  });

  it('a key without places is forgotten, also when its last request was refused', () => {
    const limits = createInMemoryLimits({ holdMs });
    times(100, (i) => {
      limits.enter(`key_${i}`, 2, 'x', now);
      limits.enter(`key_${i}`, 2, 'y', now);
      limits.enter(`key_${i}`, 2, 'z', now);
    });
    expect(limits.size.places).to.equal(100);
    times(100, (i) => {
      for (const id of ['x', 'y', 'z']) limits.leave(`key_${i}`, id);
    });
    expect(limits.size.places).to.equal(0);
    expect(limits.enter('none', 0, 'x', now)).to.equal(false);
    expect(limits.size.places).to.equal(0);
  });

  it('answers at once', () => {
    const limits = createInMemoryLimits({ holdMs });
    expect(limits.take('a', free, now)).to.have.property('allowed', true);
    expect(limits.enter('a', 1, 'x', now)).to.equal(true);
  });
});
