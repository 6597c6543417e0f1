/** What a hand-over leaves whole for searches that meet it. */
import { expect } from 'chai';
import { ShardActors, type ShardActorsOptions } from '../../../../actors/cluster/shard-actors.js';
import type { Placement } from '../../../../src/cluster/placement.js';
import { stillClock } from '../../../helpers/engine.js';
import { MemoryStore } from '../../../helpers/memory-store.js';

describe('the actors of the shards of a process', () => {
  it('a shard that is handed over counts as served until the indexes are told', async () => {
    let told = 0;
    const recall = {
      dropWhere: () => {
        told++;
      },
      keep: () => Promise.resolve(),
    };
    const parts = { deps: { clock: stillClock(), store: new MemoryStore() }, recall, stopLeftMs: () => null };
    const shards = new ShardActors(parts as unknown as ShardActorsOptions);
    shards.attach({ holds: () => true } as unknown as Placement);
    shards.acquired([1, 2, 3]);
    const before = told;
    const handedOver = shards.handOver([1, 2]);
    let looks = 0;
    for (; told === before && looks < 100; looks++) {
      expect([1, 2, 3].map((shard) => shards.serves(shard))).to.deep.equal([true, true, true]);
      await Promise.resolve();
    }
    expect(looks).to.be.greaterThan(3);
    await handedOver;
    expect([1, 2, 3].map((shard) => shards.serves(shard))).to.deep.equal([false, false, true]);
    await shards.stop();
  });
});
