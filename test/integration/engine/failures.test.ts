/**
 * What the engine does when somebody else writes its entities, and when the store fails (actors/entities/entity.ts).
 */
import { deleteAgent, getAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { listMessages, sendMessage } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import { refusedCommit, StoreError, type Head, type Store } from '../../../src/store/port.js';
import {
  answers,
  call,
  caller,
  does,
  echo,
  eventually,
  fastClock,
  skippingClock,
  testEngine,
  type Script,
} from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import type { Tier } from '../../../src/domain/shared/vocabulary.js';
import type { Caller } from '../../../src/service.js';
import { workspaceCommit } from '../../helpers/stored.js';
import { agentRef, codeOf, follow, HeldSteps, newestFirst, overStores } from './kit.js';
import { turn } from '../../helpers/turn.js';
import { listRuns, getRun, cancelRun } from '../../../src/commands/runs.js';
import { listCheckpoints } from '../../../src/commands/journals.js';

/** As the command line does beside a running server: writes the entity, changing nothing that matters. */
async function writeBeside(store: Store, id: string): Promise<void> {
  const head = (await store.head(agentRef(id))) as Head;
  await store.commit({
    ...head,
    seq: head.seq + 1,
    snapshot: { ...head.snapshot, description: `seen at ${head.seq}` },
    previousCounts: head.counts,
    puts: [],
    deletes: [],
    records: [],
  });
}

overStores('Somebody else writes the entity', (bed) => {
  it('commands in flight are all answered once, and nothing is doubled (Entity.A3)', async () => {
    const e = await bed.start(echo);
    const { service } = e;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'contested' });
    const written = Array.from({ length: 40 }, (_, i) =>
      service.createMemory(caller, { type: 'note', content: `n${i}`, agent_id: agent.id }),
    );
    const talked = Array.from({ length: 10 }, (_, i) => service.messageAgent(caller, agent.id, { content: `t${i}` }));
    const sent = Array.from({ length: 10 }, (_, i) =>
      service.execute(caller, sendMessage, { id: agent.id }, { content: `s${i}` }),
    );
    for (let i = 0; i < 10; i++) {
      await writeBeside(bed.store, agent.id);
      await turn();
    }
    const memories = await Promise.all(written);
    const replies = await Promise.all(talked);
    const messages = await Promise.all(sent);
    const stored = await service.listMemories(caller, { agent_id: agent.id }, { ...newestFirst, limit: 1000 });
    expect(stored.items.map((m) => m.id).sort()).to.deep.equal(memories.map((m) => m.id).sort());
    expect(
      (await service.execute(caller, listRuns, { id: agent.id }, { page: newestFirst })).items.map((r) => r.id).sort(),
    ).to.deep.equal(replies.map((r) => r.run_id).sort());
    expect(
      (await service.execute(caller, listMessages, { id: agent.id }, { page: { ...newestFirst, ordered: true } })).items
        .map((m) => m.id)
        .sort(),
    ).to.deep.equal(messages.map((m) => m.id).sort());
    expect(await service.execute(caller, getAgent, { id: agent.id }, {})).to.include({ memory_count: 40 });
    expect(replies.map((r) => r.status)).to.deep.equal(Array(10).fill('completed'));
  });

  it('a run goes on by itself after a conflict, although nobody asks for its agent', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'alone' });
    const run = await e.service.startRun(caller, agent.id, { input: 'go' });
    const first = await steps.next();
    await writeBeside(bed.store, agent.id);
    first.answer(answers('decided on a state that is not there any more'));
    (await steps.next()).answer(answers('again'));
    await eventually(
      async () => (await bed.store.get(agentRef(agent.id), 'run', run.id))?.body['status'] === 'completed',
      'the end of the run',
    );
    expect((await follow(e, agent.id, run.id)).filter((ev) => ev.type === 'answer')).to.have.length(1);
  });

  it('what the command line wrote is kept', async () => {
    const e = await bed.start(echo);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'kept' });
    await writeBeside(bed.store, agent.id);
    await e.service.createMemory(caller, { type: 'note', content: 'x', agent_id: agent.id });
    expect((await e.service.execute(caller, getAgent, { id: agent.id }, {})).description).to.equal('seen at 1');
  });
});

describe('A store that fails', () => {
  const broken = (): never => {
    throw new StoreError('full', 'The disk is full; free some space.');
  };

  it("nothing is acknowledged, each caller gets 503 with the store's sentence, and it works again afterwards (Entity.A3)", async () => {
    const store = new MemoryStore();
    const { engine, log } = await testEngine(store);
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'x' });
    store.beforeCommit = broken;
    const work = [
      service.createMemory(caller, { type: 'note', content: 'a', agent_id: agent.id }),
      service.messageAgent(caller, agent.id, { content: 'b' }),
      service.execute(caller, sendMessage, { id: agent.id }, { content: 'c' }),
      service.execute(caller, patchAgent, { id: agent.id }, { name: 'y' }),
      service.createMemory(caller, { type: 'note', content: 'd' }),
      service.execute(caller, spawnAgent, {}, { name: 'z' }),
    ].map((p: Promise<unknown>) =>
      p.then(
        () => 'none',
        (error: Error & { code: string }) => `${error.code} ${error.message}`,
      ),
    );
    expect(await Promise.all(work)).to.deep.equal(Array(6).fill('UNAVAILABLE The disk is full; free some space.'));
    expect(service.ready()).to.deep.equal({ ready: false, reason: 'the data store cannot be written' });
    store.beforeCommit = () => undefined;
    expect(await service.execute(caller, getAgent, { id: agent.id }, {})).to.include({
      name: 'x',
      memory_count: 0,
      message_count: 0,
    });
    expect([...store.docs.values()].map(({ kind }) => kind)).to.deep.equal(['audit']); // of the agent's beginning
    expect((await service.messageAgent(caller, agent.id, { content: 'well?' })).response).to.equal('well?');
    expect(log.join()).to.contain('a commit failed');
    await engine.stop(1000);
  });

  it('a run goes on by itself when the store works again, although nobody asks for its agent', async () => {
    const store = new MemoryStore();
    const steps = new HeldSteps();
    const { engine } = await testEngine(store, steps.script, { clock: fastClock(20) });
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'alone' });
    const run = await service.startRun(caller, agent.id, { input: 'go' });
    const first = await steps.next();
    store.beforeCommit = broken;
    first.answer(answers('lost'));
    await eventually(async () => engine.stats().active === 0, 'the fall');
    store.beforeCommit = () => undefined;
    (await steps.next()).answer(answers('after all'));
    await eventually(
      async () => store.get(agentRef(agent.id), 'run', run.id)?.body['output'] === 'after all',
      'the end of the run',
    );
    await engine.stop(1000);
  });

  it('an outbox is delivered when the store works again, although nobody asks', async () => {
    const store = new MemoryStore();
    const { engine } = await testEngine(
      store,
      (c) =>
        does(
          ...c.messages.map((m) => call('send_message', { to: 'to', content: m.content })),
          call('answer', { content: 'ok' }),
        ),
      { clock: fastClock(50) },
    );
    const { service } = engine;
    const to = await service.execute(caller, spawnAgent, {}, { name: 'to' });
    const from = await service.execute(caller, spawnAgent, {}, { name: 'from', wake_on_message: true });
    let down = 5;
    store.beforeCommit = (c) => {
      if (c.entity.id === to.id && down-- > 0) broken();
    };
    await service.execute(caller, sendMessage, { id: from.id }, { content: 'persist' });
    await eventually(async () => !store.head(agentRef(from.id))?.active, 'an empty outbox');
    expect(
      (
        await service.execute(caller, listMessages, { id: to.id }, { page: { ...newestFirst, ordered: true } })
      ).items.map((m) => m.content),
    ).to.deep.equal(['persist']);
    await engine.stop(1000);
  });

  it('a store that cannot be read is 503 too, for queries and for commands, and no agent is lost by it', async () => {
    const store = new MemoryStore();
    const { engine } = await testEngine(store, echo, { idleMs: 5 });
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'x' });
    await eventually(async () => engine.stats().active === 0, 'passivation');
    const head = store.head.bind(store);
    store.head = broken;
    expect(await codeOf(service.execute(caller, getAgent, { id: agent.id }, {}))).to.equal('UNAVAILABLE');
    expect(await codeOf(service.messageAgent(caller, agent.id, { content: 'hi' }))).to.equal('UNAVAILABLE');
    store.head = head;
    expect((await service.messageAgent(caller, agent.id, { content: 'hi' })).response).to.equal('hi');
    await engine.stop(1000);
  });

  it('a run that was in progress at the start is gone on with, although the store could not be read at first', async () => {
    const store = new MemoryStore();
    const steps = new HeldSteps();
    const before = await testEngine(store, steps.script);
    const agent = await before.engine.service.execute(caller, spawnAgent, {}, { name: 'x' });
    const run = await before.engine.service.startRun(caller, agent.id, { input: 'go' });
    await steps.next();
    await before.engine.stop(0);
    const get = store.get.bind(store);
    let failures = 3;
    store.get = (entity, kind, id) => {
      if (kind === 'run' && failures-- > 0) broken();
      return get(entity, kind, id);
    };
    const { engine } = await testEngine(store, steps.script, { clock: fastClock(20) });
    (await steps.next()).answer(answers('at last'));
    await eventually(
      async () => get(agentRef(agent.id), 'run', run.id)?.body['output'] === 'at last',
      'the end of the run',
    );
    await engine.stop(1000);
  });

  it('an outbox that could not be read after a start is delivered later, although nobody asks', async () => {
    const store = new MemoryStore();
    const relay: Script = (c) =>
      does(
        ...c.messages.map((m) => call('send_message', { to: 'to', content: m.content })),
        call('answer', { content: 'ok' }),
      );
    const before = await testEngine(store, relay);
    const to = await before.engine.service.execute(caller, spawnAgent, {}, { name: 'to' });
    const from = await before.engine.service.execute(caller, spawnAgent, {}, { name: 'from', wake_on_message: true });
    store.beforeCommit = (c) => {
      if (c.entity.id === to.id) broken();
    };
    await before.engine.service.execute(caller, sendMessage, { id: from.id }, { content: 'persist' });
    await eventually(async () => store.head(agentRef(from.id))?.snapshot.outbox === 1, 'a full outbox');
    await before.engine.stop(0);
    store.beforeCommit = () => undefined;
    const list = store.list.bind(store);
    let failures = 2;
    store.list = (query) => {
      if (query.collection === 'outbox' && failures-- > 0) broken();
      return list(query);
    };
    const { engine } = await testEngine(store, relay, { clock: fastClock(20) });
    await eventually(async () => !store.head(agentRef(from.id))?.active, 'an empty outbox');
    expect(
      (
        await engine.service.execute(caller, listMessages, { id: to.id }, { page: { ...newestFirst, ordered: true } })
      ).items.map((m) => m.content),
    ).to.deep.equal(['persist']);
    await engine.stop(1000);
  });

  it("a direct message that waits for its run is answered, also when a later step's commit fails", async () => {
    const store = new MemoryStore();
    const steps = new HeldSteps();
    const { engine } = await testEngine(store, steps.script, { clock: fastClock(20), messageWaitMs: 100_000 });
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'x', config: { multi_step: true } });
    const reply = service.messageAgent(caller, agent.id, { content: 'go' });
    const first = await steps.next();
    let fails = 1;
    store.beforeCommit = () => {
      if (fails-- > 0) broken();
    };
    first.answer(does(call('remember', { content: 'x' })));
    (await steps.next()).answer(does(call('remember', { content: 'y' })));
    (await steps.next()).answer(answers('done'));
    expect((await reply).response).to.equal('done');
    expect(
      (await service.listMemories(caller, { agent_id: agent.id }, newestFirst)).items.map((m) => m.content),
    ).to.deep.equal(['y']);
    await engine.stop(1000);
  });

  it('a step whose commit the store refuses for good ends its run with that reason, and the model is not paid again', async () => {
    const store = new MemoryStore();
    const steps = new HeldSteps();
    const { engine } = await testEngine(store, steps.script, { clock: fastClock(20) });
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'x', config: { multi_step: true } });
    store.beforeCommit = ({ puts }) => {
      if (puts.some(({ kind, body }) => kind === 'memory' && body['content'] === 'too much'))
        throw refusedCommit(new RangeError('it has 17.0 MiB'));
    };
    const run = await service.startRun(caller, agent.id, { input: 'go' });
    (await steps.next()).answer(does(call('remember', { content: 'too much' })));
    await eventually(
      async () => (await service.execute(caller, getRun, { id: agent.id, runId: run.id })).status === 'failed',
      'the run to be given up',
    );
    const { error } = await service.execute(caller, getRun, { id: agent.id, runId: run.id });
    expect(error).to.deep.equal({ code: 'too_large', message: 'this cannot be stored: it has 17.0 MiB' });
    expect(steps.begun, 'calls of the reasoner').to.equal(1);

    const refused = service.createMemory(caller, { type: 'note', content: 'too much', agent_id: agent.id });
    const other = service.createMemory(caller, { type: 'note', content: 'fits', agent_id: agent.id });
    expect(await codeOf(refused)).to.equal('PAYLOAD_TOO_LARGE');
    await other.catch(() => undefined); // may have been folded with it
    await service.createMemory(caller, { type: 'note', content: 'fits too', agent_id: agent.id });
    await engine.stop(1000);
  });

  /** An agent with two memories whose next step remembers and changes memories, in a store that cannot read any. */
  async function memoriesUnreadable(tier: Tier) {
    const store = new MemoryStore();
    await store.commit(workspaceCommit('default', tier));
    const steps = new HeldSteps();
    const clock = skippingClock();
    const { engine } = await testEngine(store, steps.script, { clock });
    const { service } = engine;
    const who: Caller = { ...caller, tier };
    const agent = await service.execute(who, spawnAgent, {}, { name: 'x', config: { multi_step: true } });
    const memory = async (content: string): Promise<string> =>
      (await service.createMemory(who, { type: 'semantic', content, agent_id: agent.id })).id;
    const [quay, office] = [await memory('The quay is closed'), await memory('The office is in Berlin.')];
    const { get, newest } = store;
    let reads = 0;
    const away = <A extends unknown[], R>(read: (...args: A) => R) =>
      function fails(this: MemoryStore, ...args: A): R {
        if (args[1] === 'memory') {
          reads++;
          throw new StoreError('io', 'the store does not answer');
        }
        return read.apply(this, args);
      };
    store.get = away(get);
    store.newest = away(newest);
    const run = await service.startRun(who, agent.id, { input: 'go' });
    (await steps.next()).answer(
      does(
        call('forget', { memory: quay }),
        call('update_memory', { memory: office, content: 'The office is in Rome.' }),
      ),
    );
    await eventually(async () => reads > 0, 'the look-up of what it names');
    return {
      run: () => service.execute(who, getRun, { id: agent.id, runId: run.id }),
      cancel: () => service.execute(who, cancelRun, { id: agent.id, runId: run.id }),
      pass: async (ms: number) => {
        const before = reads;
        clock.skip(ms);
        await eventually(async () => reads > before, 'another look-up');
      },
      back: () => {
        Object.assign(store, { get, newest });
        clock.skip(5_000);
      },
      memory: (id: string) => service.getMemory(who, id),
      firstStep: async () =>
        (await service.execute(who, listCheckpoints, { id: agent.id }, { runId: run.id, page: newestFirst })).items.at(
          -1,
        ),
      steps,
      quay,
      office,
      stop: () => engine.stop(1000),
    };
  }

  for (const tier of ['enterprise', 'free'] as const)
    it(`a step waits while the memories that it names cannot be read, and is not thought again (${tier}; Outage.W1, Outage.W2)`, async () => {
      const t = await memoriesUnreadable(tier);
      for (let n = 0; n < 65; n++) await t.pass(5_000); // longer than a run may take, and than a reservation is kept
      expect(await t.run()).to.include({ status: 'running', steps: 0 });
      t.back();
      (await t.steps.next()).answer(answers('done'));
      await eventually(async () => (await t.run()).status === 'completed', 'the end of the run');
      expect(t.steps.begun, 'calls of the reasoner').to.equal(2);
      const calls = (await t.firstStep())?.calls.map(({ tool, ok }) => [tool, ok]);
      expect(calls).to.deep.equal([
        ['forget', true],
        ['update_memory', true],
      ]);
      expect(await codeOf(t.memory(t.quay))).to.equal('NOT_FOUND');
      expect((await t.memory(t.office)).superseded_by, 'what supersedes Berlin').to.be.a('string');
      await t.stop();
    });

  it('a run can be cancelled while its step waits for memories that cannot be read', async () => {
    const t = await memoriesUnreadable('enterprise');
    await t.pass(5_000);
    await t.cancel();
    expect((await t.run()).status).to.equal('cancelled');
    t.back();
    expect((await t.memory(t.quay)).content).to.equal('The quay is closed');
    await t.stop();
  });

  for (const how of ['terminated', 'deleted'] as const) {
    it(`an agent with more waiting than one commit can hold is ${how}: its runs are cancelled in several commits`, async () => {
      const store = new MemoryStore();
      const steps = new HeldSteps();
      const { engine } = await testEngine(store, steps.script, { clock: fastClock(20) });
      const { service } = engine;
      const most = 5 * 1024 * 1024;
      store.beforeCommit = (commit) => {
        if (Buffer.byteLength(JSON.stringify(commit)) > most) throw refusedCommit(new RangeError('it is too large'));
      };
      const agent = await service.execute(caller, spawnAgent, {}, { name: 'x', config: { max_parallel: 1 } });
      await service.startRun(caller, agent.id, { input: 'first' });
      const input = '€'.repeat(85_000);
      const runs = [];
      for (let n = 0; n < 30; n++) runs.push(await service.startRun(caller, agent.id, { input: `${n} ${input}` }));
      await steps.next();
      const before = store.commits.length;
      if (how === 'deleted') await service.execute(caller, deleteAgent, { id: agent.id });
      else {
        await service.execute(caller, patchAgent, { id: agent.id }, { status: 'terminated' });
        await eventually(async () => !store.head(agentRef(agent.id))?.active, 'every run to be cancelled');
        for (const { id } of runs)
          expect((await service.execute(caller, getRun, { id: agent.id, runId: id })).status).to.equal('cancelled');
      }
      expect(store.commits.length - before, 'commits').to.be.greaterThan(1);
      expect(steps.begun).to.equal(1);
      await engine.stop(1000);
    });
  }
});
