/**
 * Facts that change, through the engine and over the stores (src/domain/memory/memories.ts,
 * actors/entities/present-memories.ts).
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getUsage } from '../../../src/commands/workspace.js';
import { createHive } from '../../../src/commands/hives.js';
import { caller, echo, eventually, skippingClock, type TestEngine } from '../../helpers/engine.js';
import { codeOf, oldestFirst, overStores } from './kit.js';

overStores('Facts that change', (bed) => {
  type Service = TestEngine['engine']['service'];
  const contents = async (
    service: Service,
    query: string,
    more: Partial<Parameters<Service['searchMemories']>[1]> = {},
  ): Promise<string[]> => (await service.searchMemories(caller, { query, ...more })).map((m) => m.content).sort();

  const metadata = { key: 'launch' };

  it('what was superseded is found only by a search for history, also after a restart and in every context', async () => {
    let e = await bed.start(echo);
    const agent_id = (await e.service.execute(caller, spawnAgent, {}, { name: 'a' })).id;
    const hive_id = (await e.service.execute(caller, createHive, {}, { name: 'h' })).id;
    for (const context of [{ agent_id }, { hive_id }, {}]) {
      const may = await e.service.createMemory(caller, {
        type: 'semantic',
        content: 'The launch is in May.',
        metadata,
        ...context,
      });
      const june = await e.service.createMemory(caller, {
        type: 'semantic',
        content: 'The launch moved to June.',
        metadata,
        ...context,
      });
      expect(june.supersedes).to.equal(may.id);
    }
    for (const restarted of [false, true]) {
      if (restarted) {
        e.kill();
        e = await bed.start(echo);
      }
      const { service } = e;
      for (const scope of [{ agent_id }, { hive_id }]) {
        expect(await contents(service, 'launch', scope)).to.deep.equal(['The launch moved to June.']);
        expect(await contents(service, 'launch', { ...scope, include_superseded: true })).to.have.length(2);
        const [old] = (await service.listMemories(caller, scope, oldestFirst)).items;
        expect(await contents(service, 'launch', { ...scope, as_of: old!.occurred_at })).to.deep.equal([
          'The launch is in May.',
        ]);
        const { items, total } = await service.memoryHistory(caller, old!.id, oldestFirst);
        expect(items.map((m) => m.content)).to.deep.equal(['The launch is in May.', 'The launch moved to June.']);
        expect(total).to.equal(2);
      }
      expect(await contents(service, 'launch')).to.deep.equal(Array(3).fill('The launch moved to June.'));
    }
    const reply = await e.service.messageAgent(caller, agent_id, { content: 'When is the launch?' });
    expect(reply.memories_consulted.map((m) => m.content)).to.deep.equal(['The launch moved to June.']);
  });

  it('memories of a key that come at once supersede one another one by one, and repetitions are all counted', async () => {
    let e = await bed.start(echo);
    const { service } = e;
    const agent_id = (await service.execute(caller, spawnAgent, {}, { name: 'a' })).id;
    const months = ['January', 'February', 'March', 'April', 'June', 'July', 'August', 'September'];
    await Promise.all(
      months.flatMap((month) => [
        service.createMemory(caller, { type: 'semantic', content: `The launch is in ${month}.`, agent_id, metadata }),
        service.createMemory(caller, { type: 'semantic', content: 'Cats sleep all day.', agent_id }),
      ]),
    );
    const { items } = await service.listMemories(caller, { agent_id }, { ...oldestFirst, limit: 50 });
    const launches = items.filter((m) => m.content.startsWith('The launch'));
    expect(launches).to.have.length(months.length);
    expect(launches.filter((m) => m.valid_until === null)).to.have.length(1);
    expect(new Set(launches.map((m) => m.supersedes)).size).to.equal(months.length);
    expect(items.filter((m) => m.content.startsWith('Cats')).map((m) => m.times_seen)).to.deep.equal([months.length]);
    expect(await service.execute(caller, getUsage, {}, {})).to.include({ used: months.length + 1 });
    e.kill();
    e = await bed.start(echo);
    const again = await e.service.createMemory(caller, { type: 'semantic', content: 'cats sleep all day', agent_id });
    expect(again.times_seen, 'after a restart').to.equal(months.length + 1);
  });

  it('a text that is said again is the same memory, however many others came between', async () => {
    let clock = skippingClock();
    let e = await bed.start(echo, { clock });
    const agent_id = (await e.service.execute(caller, spawnAgent, {}, { name: 'a' })).id;
    const say = (content: string, more = {}) =>
      e.service.createMemory(caller, { type: 'semantic', content, agent_id, ...more });
    const first = await say('Cats sleep all day.');
    const annes = await say('Cats sleep all day.', { speaker: 'Anne' });
    for (let batch = 0; batch < 2; batch++)
      await e.service.createMemories(caller, {
        memories: Array.from({ length: 400 }, (_, i) => ({
          type: 'semantic',
          content: `Parcel ${batch} ${i} came today.`,
          agent_id,
        })),
      });
    const again = async (why: string, times_seen: number): Promise<void> => {
      expect(await say('cats sleep  all day'), why).to.include({ id: first.id, times_seen });
      expect(await say('cats sleep all day!', { speaker: 'Anne' }), why).to.include({ id: annes.id, times_seen });
      expect(await say('Parcel 0 7 came today.'), why).to.include({ times_seen });
    };
    await again('at once', 2);
    clock.skip(600_000);
    await eventually(async () => e.engine.stats().active === 0, 'passivation');
    await again('after it had left memory (KeptTexts.T1)', 3);
    e.kill();
    clock = skippingClock();
    e = await bed.start(echo, { clock });
    await again('after a restart', 4);
    await e.service.deleteMemory(caller, first.id);
    expect(await say('Cats sleep all day.')).to.include({ times_seen: 1 });
    const { total } = await e.service.listMemories(caller, { agent_id }, { ...oldestFirst, limit: 1 });
    expect(total).to.equal(802);
  });

  it('what was deleted or belongs to another context is neither repeated nor superseded', async () => {
    const { service } = await bed.start(echo);
    const [a, b] = [
      await service.execute(caller, spawnAgent, {}, { name: 'a' }),
      await service.execute(caller, spawnAgent, {}, { name: 'b' }),
    ];
    const say = (agent_id: string, content: string, more = {}) =>
      service.createMemory(caller, { type: 'semantic', content, agent_id, ...more });
    const first = await say(a.id, 'The launch is in May.', { metadata });
    expect(await say(b.id, 'The launch is in June.', { metadata })).to.include({ supersedes: null });
    expect(await codeOf(say(b.id, 'It is in July.', { supersedes: first.id }))).to.equal('NOT_FOUND');
    await service.deleteMemory(caller, first.id);
    expect(await say(a.id, 'The launch is in June.', { metadata })).to.include({ supersedes: null, times_seen: 1 });
    expect(await codeOf(say(a.id, 'It is in July.', { supersedes: first.id }))).to.equal('NOT_FOUND');
  });

  it('an agent counts what it shares twice as one, and ends only what it shared itself (Identities.D2)', async () => {
    const { service } = await bed.start(echo);
    const hive = await service.execute(caller, createHive, {}, { name: 'h' });
    const [a, b] = await Promise.all(
      ['a', 'b'].map((name) => service.execute(caller, spawnAgent, {}, { name, hives: [hive.id] })),
    );
    const share = (agent_id: string, content: string) =>
      service.shareMemory(caller, hive.id, { type: 'semantic', content, agent_id, metadata });
    const first = await share(a!.id, 'The launch is in May.');
    expect(await share(b!.id, 'The launch is in June.')).to.include({ supersedes: null });
    expect(await share(a!.id, 'The launch is in May.')).to.include({ id: first.id, times_seen: 2 });
    expect(await share(a!.id, 'The launch is in July.')).to.include({ supersedes: first.id });
  });
});
