/**
 * Messages between agents (docs/api.md 6.3): the wake rule, the hop guard, delivery exactly once, and what could not be
 * delivered.
 */
import { patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import type { AgentSnapshot } from '../../../src/domain/shared/snapshots.js';
import { listMessages, sendMessage, deleteMessage } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import type { Commit } from '../../../src/store/port.js';
import type { MailboxMessage } from '../../../src/domain/model/model.js';
import { bounds } from '../../../src/domain/agent/agent-state.js';
import { answers, call, caller, does, eventually, fastClock, type Script, testEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { agentRef, HeldSteps, mortal, newestFirst, oldestFirst, overStores, type Running, runIn } from './kit.js';
import { turn } from '../../helpers/turn.js';
import { listRuns } from '../../../src/commands/runs.js';

const inbox = async (e: Running, agent: string): Promise<MailboxMessage[]> =>
  (await e.service.execute(caller, listMessages, { id: agent }, { page: { ...oldestFirst, ordered: true } })).items;
/** Nothing left to deliver or to run, at any agent. */
const quiet = (e: Running, ...agents: string[]): Promise<unknown> =>
  eventually(async () => {
    const heads = await Promise.all(agents.map(async (id) => e.store.head(agentRef(id))));
    return heads.every((h) => h && !h.active) && e.engine.stats().queued === 0;
  }, 'quiet');

/** Sends what it reads on to whom its instructions name. */
const relay: Script = (c) => {
  const to = c.agent.config.instructions;
  return does(
    ...(to === undefined ? [] : c.messages.map((m) => call('send_message', { to, content: `${m.content}>` }))),
    call('answer', { content: 'passed on' }),
  );
};

overStores('Mailbox', (bed) => {
  it('a message goes through a chain of agents, each woken by the one before', async () => {
    const e = await bed.start(relay);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++)
      ids.unshift(
        (
          await e.service.execute(
            caller,
            spawnAgent,
            {},
            {
              name: `link-${i}`,
              wake_on_message: true,
              config: { ...(ids[0] !== undefined && { instructions: ids[0] }) },
            },
          )
        ).id,
      );
    await e.service.execute(caller, sendMessage, { id: ids[0] ?? '' }, { content: 'go' });
    const last = ids.at(-1) ?? '';
    const [arrived] = await eventually(async () => {
      const all = await inbox(e, last);
      return all[0]?.read_at != null && all;
    }, 'the end of the chain');
    expect(arrived).to.include({ content: 'go>>>>', hops: 4, from: ids.at(-2) });
    for (const id of ids) {
      const { items } = await e.service.execute(caller, listRuns, { id }, { page: newestFirst });
      expect(items.map((r) => r.triggeredBy)).to.deep.equal(['message']);
    }
  });

  it('a message to a busy agent creates no run; the end of a conversation wakes it beside the others', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'busy', wake_on_message: true });
    const run = await e.service.startRun(caller, agent.id, { input: 'work' });
    const first = await steps.next();
    const other = await e.service.startRun(caller, agent.id, { input: 'more' });
    const beside = await steps.next();
    await e.service.execute(caller, sendMessage, { id: agent.id }, { content: 'by the way' });
    first.answer(does(call('remember', { content: 'a' })));
    const second = await steps.next();
    expect(second.context.messages, 'a conversation reads no mail').to.deep.equal([]);
    expect((await e.service.execute(caller, listRuns, { id: agent.id }, { page: newestFirst })).items).to.have.length(
      2,
    );
    second.answer(answers('done'));
    const woken = await steps.next();
    expect(woken.context.messages.map((m) => m.content)).to.deep.equal(['by the way']);
    for (const step of [woken, beside]) step.answer(answers('read it'));
    for (const { id } of [run, other]) await runIn(e, agent.id, id, 'completed');
    await quiet(e, agent.id);
    expect((await inbox(e, agent.id)).map((m) => m.read_at !== null)).to.deep.equal([true]);
  });

  it('a message that arrives during the last step wakes the agent when that run has ended', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'late', wake_on_message: true });
    await e.service.startRun(caller, agent.id, { input: 'work' });
    const last = await steps.next();
    await e.service.execute(caller, sendMessage, { id: agent.id }, { content: 'wake up' });
    last.answer(answers('done'));
    const woken = await steps.next();
    expect(woken.context.run.triggeredBy).to.equal('message');
    expect(woken.context.messages.map((m) => m.content)).to.deep.equal(['wake up']);
    woken.answer(answers('awake'));
    await quiet(e, agent.id);
    expect((await e.service.execute(caller, listRuns, { id: agent.id }, { page: newestFirst })).items).to.have.length(
      2,
    );
  });

  it('a message that wakes an agent whose reasoner fails wakes three times and then no more', async () => {
    let runs = 0;
    const e = await bed.start(() => {
      runs++;
      throw new Error('never works');
    });
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'ill', wake_on_message: true });
    await e.service.execute(caller, sendMessage, { id: agent.id }, { content: 'try' });
    await eventually(async () => (await inbox(e, agent.id))[0]?.wakes === bounds.maxWakes, 'the last wake');
    await quiet(e, agent.id);
    expect(runs).to.equal(bounds.maxWakes);
    expect((await inbox(e, agent.id))[0]?.read_at).to.equal(null);
  });

  it('what cannot be delivered for good comes back to the sender, and wakes nobody', async () => {
    const e = await bed.start(relay);
    const gone = await e.service.execute(caller, spawnAgent, {}, { name: 'gone' });
    const from = await e.service.execute(
      caller,
      spawnAgent,
      {},
      {
        name: 'from',
        wake_on_message: true,
        config: { instructions: gone.id },
      },
    );
    await e.service.execute(caller, patchAgent, { id: gone.id }, { status: 'inactive' });
    await e.service.execute(caller, sendMessage, { id: from.id }, { content: 'tell them' });
    const [, bounced] = await eventually(async () => {
      const all = await inbox(e, from.id);
      return all.length === 2 && all;
    }, 'the bounce');
    expect(bounced?.content).to.contain(gone.id).and.contain('inactive');
    expect(bounced).to.deep.include({ from: null, metadata: { undelivered: { to: gone.id, content: 'tell them>' } } });
    await quiet(e, from.id);
    expect((await e.service.execute(caller, listRuns, { id: from.id }, { page: newestFirst })).items).to.have.length(1);
    expect((await e.store.head(agentRef(from.id)))?.snapshot.outbox).to.equal(0);
  });

  it('sends again after a kill, and the receiver takes it in once (Mailbox.B1)', async () => {
    let e = await bed.start(relay);
    const to = await e.service.execute(caller, spawnAgent, {}, { name: 'to' });
    const from = await e.service.execute(
      caller,
      spawnAgent,
      {},
      {
        name: 'from',
        wake_on_message: true,
        config: { instructions: to.id },
      },
    );
    for (let round = 1; round <= 5; round++) {
      await e.service.execute(caller, sendMessage, { id: from.id }, { content: `m${round}` });
      for (let i = 0; i < round; i++) await turn(); // the kill comes a little later each time
      e.kill();
      e = await bed.start(relay);
      await eventually(async () => (await inbox(e, to.id)).length === round, `delivery of m${round}`);
      await quiet(e, from.id, to.id);
    }
    expect((await inbox(e, to.id)).map((m) => m.content)).to.deep.equal(['m1>', 'm2>', 'm3>', 'm4>', 'm5>']);
    expect((await bed.store.head(agentRef(from.id)))?.snapshot.outbox).to.equal(0);
  });

  it('messages are found by recall, and 200 of them to a sleeping agent are all read, 20 a step', async () => {
    const sizes: number[] = [];
    const e = await bed.start((c) => {
      sizes.push(c.messages.length);
      return c.messages.length > 0 ? does(call('remember', { content: 'more' })) : answers('all read');
    });
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'popular' });
    await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        e.service.execute(caller, sendMessage, { id: agent.id }, { content: `letter ${i} about zebras` }),
      ),
    );
    expect(
      (await e.service.searchMemories(caller, { agent_id: agent.id, query: 'zebras', limit: 5 })).map((m) => m.type),
    ).to.deep.equal(Array(5).fill('message'));
    const run = await e.service.startRun(caller, agent.id, { input: 'read your mail', maxSteps: 20 });
    await runIn(e, agent.id, run.id, 'completed');
    const unread = (await e.store.head(agentRef(agent.id)))?.snapshot.unread;
    expect(sizes.reduce((a, b) => a + b, 0)).to.equal(200);
    expect(unread).to.equal(0);
    expect(Math.max(...sizes)).to.equal(bounds.unreadPerStep);
  });
});

describe('Mailbox over a store that holds commits back', () => {
  it('a process that ends before it has read on in a long mailbox leaves that to the next one (Model.W2)', async () => {
    const store = new MemoryStore();
    const first = mortal(store);
    const passed = (): ReturnType<Script> => answers('read');
    const { engine } = await testEngine(first.store, passed);
    const { id } = await engine.service.execute(caller, spawnAgent, {}, { name: 'popular' });
    for (let i = 0; i <= bounds.unreadInMemory; i++)
      await engine.service.execute(caller, sendMessage, { id }, { content: `${i}` });
    store.beforeCommit = ({ snapshot }: Commit) => {
      const { wake_on_message, running } = snapshot as AgentSnapshot;
      if (wake_on_message && running.length === 0) first.kill();
    };
    void engine.service.execute(caller, patchAgent, { id }, { wake_on_message: true });
    await eventually(async () => first.killed(), 'the end of the first process');
    await first.landed();
    expect(store.head(agentRef(id))?.snapshot.unread, 'what was not in memory is unread').to.equal(1);

    const second = await testEngine(store, passed);
    await eventually(async () => store.head(agentRef(id))?.snapshot.unread === 0, 'the reading');
    await second.engine.stop(0);
  });

  it('a read that finds nothing to wake for settles the agent, also after a load (Entity.A6)', async () => {
    const store = new MemoryStore();
    const first = mortal(store);
    const passed = (): ReturnType<Script> => answers('read');
    const { engine } = await testEngine(first.store, passed);
    const { id } = await engine.service.execute(caller, spawnAgent, {}, { name: 'popular' });
    for (let i = 0; i < bounds.unreadInMemory; i++)
      await engine.service.execute(caller, sendMessage, { id }, { content: `${i}` });
    const last = await engine.service.execute(caller, sendMessage, { id }, { content: 'more than memory holds' });
    await engine.service.execute(caller, deleteMessage, { id, messageId: last.id });
    const head = () => store.head(agentRef(id));
    const isSettled = () => head()?.snapshot.unread === 0 && head()?.active === false;
    let settling = false;
    store.beforeCommit = ({ snapshot, puts, active }: Commit) => {
      if ((snapshot as AgentSnapshot).unread !== 0 || puts.length > 0 || active) return undefined;
      settling = true;
      first.kill();
      return new Promise(() => undefined); // never stored
    };
    await engine.service.execute(caller, patchAgent, { id }, { wake_on_message: true });
    await eventually(async () => settling, 'the commit that says so');
    expect(head()?.active, 'what the last run has left').to.equal(true);
    store.beforeCommit = () => undefined;

    const second = await testEngine(store, passed);
    await eventually(async () => isSettled(), 'the same after a load');
    await second.engine.stop(0);
  });

  it('one document of the outbox is counted down once, although its agent was loaded again meanwhile', async () => {
    const store = new MemoryStore();
    const { engine } = await testEngine(store, relay, { clock: fastClock(20) });
    const { service } = engine;
    const to = await service.execute(caller, spawnAgent, {}, { name: 'to' });
    const from = await service.execute(
      caller,
      spawnAgent,
      {},
      {
        name: 'from',
        wake_on_message: true,
        config: { instructions: to.id },
      },
    );
    // somebody else writes the sender whenever it is about to remove a document of its outbox, three times
    let writes = 3;
    store.beforeCommit = (commit: Commit) => {
      if (writes === 0 || commit.entity.id !== from.id || !commit.deletes.some((d) => d.kind === 'outbox')) return;
      writes--;
      const head = store.heads.get(`default/agent/${from.id}`)!;
      store.heads.set(`default/agent/${from.id}`, { ...head, seq: head.seq + 1 });
    };
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => service.execute(caller, sendMessage, { id: from.id }, { content: `m${i}` })),
    );
    await eventually(async () => !store.heads.get(`default/agent/${from.id}`)!.active, 'an empty outbox');
    expect(writes).to.equal(0);
    expect(store.head(agentRef(from.id))!.snapshot.outbox).to.equal(0);
    expect(
      (await service.execute(caller, listMessages, { id: to.id }, { page: { ...oldestFirst, ordered: true } })).items
        .map((m) => m.content)
        .sort(),
    ).to.deep.equal(Array.from({ length: 10 }, (_, i) => `m${i}>`).sort());
    await engine.stop(1000);
  });
});
