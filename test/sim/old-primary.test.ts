/**
 * What a process does that reads from a primary of MongoDB which was replaced, and has not heard of the successor
 * (ShardWorker.W5, docs/cluster.md).
 */
import { expect } from 'chai';
import { shardOf } from '../../src/store/shards.js';
import type { HivekeepError } from '../../src/domain/errors.js';
import type { Caller, Service } from '../../src/service.js';
import { scopes } from '../../src/domain/vocabulary.js';
import { Cluster, leaseMs } from './cluster.js';
import { Kernel } from './kernel.js';

const caller: Caller = { workspace: 'default', key: 'key_sim', tier: 'enterprise', scopes: new Set(scopes) };

describe('A process that reads from a primary that was replaced', () => {
  it('ShardWorker.W5: takes no shard over until it hears of the successor, and then finds what was acknowledged', async () => {
    const kernel = new Kernel(1);
    const cluster = new Cluster(kernel, 'enterprise');
    cluster.database.lostAnswers = 0;
    cluster.network.trouble = 0;
    await kernel.run(async () => {
      const [first, second] = [cluster.start(), cluster.start()];
      const until = async (holds: () => boolean): Promise<void> => {
        while (!holds()) await kernel.sleep(50);
      };
      const held = ({ engine }: typeof first): number => engine.placement.held().length;
      await until(() => held(first) > 0 && held(first) + held(second) === 256);
      const { service } = first.engine;
      let agent: Awaited<ReturnType<Service['spawnAgent']>>;
      do agent = await service.spawnAgent(caller, { name: 'Ada', hives: [], wake_on_message: false });
      while (!first.engine.serves(shardOf({ workspace: 'default', kind: 'agent', id: agent.id })));

      cluster.database.cutOff(second.process);
      const memory = await service.createMemory(caller, {
        type: 'note',
        content: 'the pier is closed',
        agent_id: agent.id,
      });
      const before = held(second);
      cluster.kill(first);
      await kernel.sleep(3 * leaseMs);
      const search = () => second.engine.service.searchMemories(caller, { query: 'pier', agent_id: agent.id });
      const meanwhile = await search().catch((error: unknown) => (error as HivekeepError).code);
      const taken = held(second) - before;

      cluster.database.hearsOfPrimary(second.process);
      await until(() => held(second) === 256);
      const found = await search();
      expect(found.map(({ id }) => id)).to.deep.equal([memory.id]);
      expect([meanwhile, taken]).to.deep.equal(['UNAVAILABLE', 0]);
      await cluster.stop(second, 1_000);
    }, 120_000);
  });
});
