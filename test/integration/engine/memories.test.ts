/**
 * Memories through the engine (docs/api.md 8.4): expiry by the timer, places in sessions, quotas that hold under
 * concurrency.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getUsage } from '../../../src/commands/workspace.js';
import { createHive } from '../../../src/commands/hives.js';
import {
  call,
  caller,
  does,
  echo,
  eventually,
  realClock,
  skippingClock,
  type TestEngine,
} from '../../helpers/engine.js';
import { codeOf, newestFirst, oldestFirst, overStores } from './kit.js';

const iso = (ms: number): string => new Date(ms).toISOString();

overStores('Memories', (bed) => {
  const contexts = async (
    service: TestEngine['engine']['service'],
  ): Promise<{ agent_id?: string; hive_id?: string }[]> => [
    { agent_id: (await service.execute(caller, spawnAgent, {}, { name: 'a' })).id },
    { hive_id: (await service.execute(caller, createHive, {}, { name: 'h' })).id },
    {},
  ];

  it('what expires is gone at once from every reading, and soon from the store and the counts, also after a restart', async () => {
    const clock = skippingClock();
    let e = await bed.start(echo, { clock });
    for (const context of await contexts(e.service)) {
      await e.service.createMemory(caller, { type: 'note', content: 'lasting ibis', ...context });
      for (let i = 0; i < 3; i++)
        await e.service.createMemory(caller, {
          type: 'note',
          content: `fleeting ibis ${i}`,
          expires_at: iso(clock.now() + 60_000 + i * 1000),
          ...context,
        });
    }
    expect(await e.service.execute(caller, getUsage, {}, {})).to.include({ memories: 12, used: 3 });
    e.kill();
    e = await bed.start(echo, { clock });
    clock.skip(62_000);
    await eventually(async () => (await e.service.execute(caller, getUsage, {}, {})).memories === 3, 'the expiry');
    expect((await e.service.listMemories(caller, {}, newestFirst)).items.map((m) => m.content)).to.deep.equal(
      Array(3).fill('lasting ibis'),
    );
    expect((await e.service.searchMemories(caller, { query: 'ibis' })).map((m) => m.content)).to.deep.equal(
      Array(3).fill('lasting ibis'),
    );
    expect((await e.service.execute(caller, getUsage, {}, {})).used).to.equal(3);
  });

  it('an expired memory is not found in the moment before its timer either', async () => {
    let late = 0;
    const clock = { ...realClock, now: () => Date.now() + late }; // its timers know nothing of `late`
    const e = await bed.start(echo, { clock });
    const { service } = e;
    const [context = {}] = await contexts(service);
    const memory = await service.createMemory(caller, {
      type: 'note',
      content: 'brief ibis',
      expires_at: iso(Date.now() + 3_600_000),
      ...context,
    });
    expect(await service.searchMemories(caller, { query: 'ibis' })).to.have.length(1);
    late = 3_600_000;
    expect(await service.searchMemories(caller, { query: 'ibis' })).to.deep.equal([]);
    expect(await codeOf(service.getMemory(caller, memory.id))).to.equal('NOT_FOUND');
    expect(await codeOf(service.deleteMemory(caller, memory.id))).to.equal('NOT_FOUND');
    expect((await service.listMemories(caller, context, newestFirst)).items).to.deep.equal([]);
  });

  it('memories of a session get places 0, 1, 2... however many are written at once, and go on after a passivation and a kill', async () => {
    let e = await bed.start(echo, { idleMs: 10 });
    const all = await contexts(e.service);
    const write = (n: number): Promise<unknown> =>
      Promise.all(
        all.flatMap((context) =>
          Array.from({ length: n }, (_, i) =>
            e.service.createMemory(caller, {
              type: 'turn',
              content: `turn ${i}`,
              sessionId: i % 2 ? 'odd' : 'even',
              ...context,
            }),
          ),
        ),
      );
    await write(20);
    await eventually(async () => e.engine.stats().active === 0, 'passivation');
    await write(20);
    e.kill();
    e = await bed.start(echo);
    await write(20);
    for (const context of all)
      for (const sessionId of ['odd', 'even']) {
        const { items } = await e.service.listMemories(caller, { ...context, sessionId }, oldestFirst);
        const own = items.filter(
          (m) => m.agent_id === (context.agent_id ?? null) && m.hive_id === (context.hive_id ?? null),
        );
        expect(own.map((m) => m.position)).to.deep.equal(Array.from({ length: 30 }, (_, i) => i));
      }
  });

  it('a quota of 10 lets exactly 10 of 100 concurrent writes through, whoever writes', async () => {
    const e = await bed.start(() =>
      does(
        ...Array.from({ length: 7 }, (_, i) => call('remember', { content: `by the run ${i}` })),
        call('answer', { content: 'ok' }),
      ),
    );
    const { service } = e;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'small', memory_quota: 10 });
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        codeOf(service.createMemory(caller, { type: 'note', content: `n${i}`, agent_id: agent.id })),
      ),
    );
    expect(codes.filter((c) => c === 'none')).to.have.length(10);
    expect(codes.filter((c) => c === 'QUOTA_EXCEEDED')).to.have.length(90);
    await service.messageAgent(caller, agent.id, { content: 'remember more' });
    expect((await service.listMemories(caller, { agent_id: agent.id }, newestFirst)).items).to.have.length(10);
    // what expires and what was deleted counts for nothing
    await service.createMemory(caller, {
      type: 'note',
      content: 'short',
      agent_id: agent.id,
      expires_at: iso(Date.now() + 60_000),
    });
    await service.deleteMemory(
      caller,
      (await service.listMemories(caller, { agent_id: agent.id }, oldestFirst)).items[0]?.id ?? '',
    );
    const again = await Promise.all(
      Array.from({ length: 5 }, () =>
        codeOf(service.createMemory(caller, { type: 'note', content: 'one more', agent_id: agent.id })),
      ),
    );
    expect(again.filter((c) => c === 'none')).to.have.length(1);
  });

  it('a memory that a run wrote names the run, also after a restart, and one of a client none', async () => {
    let e = await bed.start(echo);
    const hive = (await e.service.execute(caller, createHive, {}, { name: 'h' })).id;
    const agent = (await e.service.execute(caller, spawnAgent, {}, { name: 'a', hives: [hive] })).id;
    const by = { type: 'note', agent_id: agent };
    const old = await e.service.createMemory(caller, { ...by, content: 'The launch is on 12 May' });
    e.script(() =>
      does(
        call('remember', { content: 'The quay is closed on Mondays' }),
        call('update_memory', { memory: old.id, content: 'The launch is in June' }),
        call('share_with_hive', { content: 'The crew has three members', type: 'note' }),
        call('answer', { content: 'ok' }),
      ),
    );
    const { run_id: run } = await e.service.messageAgent(caller, agent, { content: 'go' });
    const written = async (): Promise<Record<string, string | null>> => {
      const { items } = await e.service.listMemories(caller, {}, oldestFirst);
      return Object.fromEntries(items.map(({ content, run_id }) => [content, run_id]));
    };
    await eventually(async () => Object.keys(await written()).length === 4, 'the share');
    const changed = (await e.service.listMemories(caller, by, newestFirst)).items[0]!;
    await e.service.patchMemory(caller, changed.id, { importance: 1 });
    const all = {
      'The launch is on 12 May': null,
      'The quay is closed on Mondays': run,
      'The launch is in June': run,
      'The crew has three members': run,
    };
    const ofRun = Object.keys(all).filter((content) => all[content as keyof typeof all] === run);
    const contents = (found: readonly { content: string }[]): string[] => found.map(({ content }) => content);
    /** What is found by the run, in a list by each order, in a search of the workspace and in one of its agent. */
    const foundByRun = async (): Promise<void> => {
      const page = { ...oldestFirst, sort: 'updated_at' as const };
      expect(contents((await e.service.listMemories(caller, { run_id: run }, oldestFirst)).items)).to.have.members(
        ofRun,
      );
      expect(contents((await e.service.listMemories(caller, { run_id: run }, page)).items)).to.have.members(ofRun);
      const own = { run_id: run, agent_id: agent, sessionId: 'another' };
      expect((await e.service.listMemories(caller, own, oldestFirst)).items).to.deep.equal([]);
      expect((await e.service.listMemories(caller, { run_id: 'run_none' }, oldestFirst)).items).to.deep.equal([]);
      const query = 'launch quay crew';
      expect(contents(await e.service.searchMemories(caller, { query, run_id: run }))).to.have.members(ofRun);
      const searched = await e.service.searchMemories(caller, { query, run_id: run, agent_id: agent });
      expect(contents(searched)).to.have.members(ofRun.filter((content) => !content.includes('crew')));
      expect(await e.service.searchMemories(caller, { query, run_id: 'run_none' })).to.deep.equal([]);
    };
    expect(await written()).to.deep.equal(all);
    await foundByRun();
    e.kill();
    e = await bed.start(echo);
    expect(await written()).to.deep.equal(all);
    await foundByRun();
  });
});
