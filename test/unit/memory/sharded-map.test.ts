/** The map of terms and ids is a map, at any size. */
import { expect } from 'chai';
import { ShardedMap } from '../../../src/memory/sharded-map.js';

describe('sharded map', () => {
  it('holds what was added and not deleted, past the size of its first part and back', () => {
    const map = new ShardedMap();
    const truth = new Map<string, number>();
    let state = 7;
    const random = (n: number) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65_521) % n;
    for (let i = 0; i < 60_000; i++) {
      const key = `key-${random(9000)}`;
      if (truth.has(key) && random(i < 30_000 ? 5 : 2) === 0) {
        map.delete(key);
        truth.delete(key);
      } else if (!truth.has(key)) {
        map.add(key, i);
        truth.set(key, i);
      }
      expect(map.size).to.equal(truth.size);
    }
    expect(truth.size).to.be.above(4096);
    for (let i = 0; i < 9000; i++) expect(map.get(`key-${i}`)).to.equal(truth.get(`key-${i}`));
    for (const key of truth.keys()) map.delete(key);
    map.delete('never there');
    expect(map.size).to.equal(0);
  });
});
