/**
 * What processes do whose primary of MongoDB was replaced: one that reads from the old primary and has not heard of
 * the successor, and those of a successor that shows less than it has (docs/cluster.md).
 */
import type { Agent } from '../../src/domain/model/model.js';
import { spawnAgent } from '../../src/commands/agents.js';
import { listMessages, sendMessage } from '../../src/commands/mailbox.js';
import { expect } from 'chai';
import { fewestShards } from '../../src/store/shards.js';
import type { HivekeepError } from '../../src/domain/shared/errors.js';
import type { Caller } from '../../src/service.js';
import { scopes } from '../../src/domain/shared/vocabulary.js';
import { Cluster, leaseMs } from './cluster.js';
import { Kernel } from './kernel.js';

const caller: Caller = { workspace: 'default', credentialId: 'key_sim', tier: 'enterprise', scopes };

describe('A process that reads from a primary that was replaced', () => {
  it('ShardWorker.W6: takes no shard over until it hears of the successor, and then finds what was acknowledged', async () => {
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
      let agent: Agent;
      do agent = await service.execute(caller, spawnAgent, {}, { name: 'Ada', hives: [], wake_on_message: false });
      while (!first.engine.serves(fewestShards.of({ workspace: 'default', kind: 'agent', id: agent.id })));

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

describe('A primary that judges commits by newer data than it shows', () => {
  /** What is stored of two changes of one memory, the second made while the primary shows what was before the first. */
  const changedTwice = async (waits: boolean): Promise<object> => {
    const kernel = new Kernel(1);
    const cluster = new Cluster(kernel, 'enterprise');
    const { database } = cluster;
    database.lostAnswers = 0;
    database.waits = waits;
    cluster.network.trouble = 0;
    let stored: object = {};
    await kernel.run(async () => {
      const { engine } = cluster.start();
      while (engine.placement.held().length < 256) await kernel.sleep(50);
      const { service } = engine;
      const { id: agent_id } = await service.execute(
        caller,
        spawnAgent,
        {},
        { name: 'Ada', hives: [], wake_on_message: false },
      );
      const { id } = await service.createMemory(caller, { type: 'note', content: 'the pier is open', agent_id });
      const key: Caller = { ...caller, idempotencyKey: { id: 'once', bodyHash: 'body', replayed: false } };
      const send = () => service.execute(key, sendMessage, { id: agent_id }, { content: 'hello' });
      database.lag();
      kernel.after(100, () => {
        database.catchUp();
      });
      await service.patchMemory(caller, id, { content: 'the pier is closed' });
      await service.patchMemory(caller, id, { importance: 0.7 });
      await send();
      await send();
      await kernel.sleep(1_000);
      const { content, importance } = await service.getMemory(caller, id);
      const { items } = await service.execute(
        caller,
        listMessages,
        { id: agent_id },
        {
          page: {
            sort: 'created_at',
            order: 'desc',
            limit: 9,
          },
        },
      );
      stored = { content, importance, messages: items.length };
    }, 120_000);
    return stored;
  };

  it('loses a change and doubles a message where reads do not wait until it has caught up', async () => {
    expect(await changedTwice(false)).to.deep.equal({ content: 'the pier is open', importance: 0.7, messages: 2 });
  });

  it('loses and doubles nothing where they do', async () => {
    expect(await changedTwice(true)).to.deep.equal({ content: 'the pier is closed', importance: 0.7, messages: 1 });
  });
});
