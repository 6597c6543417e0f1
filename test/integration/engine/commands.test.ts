/**
 * Commands that may be sent again (Idempotency.Y1-Y3 of src/commands/idempotency.ts) while things go wrong: conflicts, a
 * store that fails before or after it has written, deletes.
 */
import { deleteAgent, getAgent, listAgents, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import type { TaskInput } from '../../../src/domain/task/task.js';
import type { Caller, RequestKey } from '../../../src/service.js';
import { type Commit, StoreError } from '../../../src/store/port.js';
import { caller, echo, testEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { agentRef, codeOf, newestFirst } from './kit.js';
import { turn } from '../../helpers/turn.js';
import { listRuns } from '../../../src/commands/runs.js';

const as = (id: string, bodyHash = 'b'): Caller & { idempotencyKey: RequestKey } => ({
  ...caller,
  idempotencyKey: { id, bodyHash, replayed: false },
});
const said = (text: string): TaskInput => ({
  message: { messageId: 'm1', role: 'user', parts: [{ kind: 'text', text }] },
  wait: 'settled',
});
const page = { ...newestFirst, limit: 1000 };

/** Somebody else commits to the entity. */
async function writeBeside(store: MemoryStore, agent: string): Promise<void> {
  for (;;) {
    const head = store.head(agentRef(agent));
    if (!head) throw new Error('no such agent');
    if (
      (await store.commit({
        ...head,
        seq: head.seq + 1,
        previousCounts: head.counts,
        puts: [],
        deletes: [],
        records: [],
      })) === 'committed'
    )
      return;
  }
}

/** Fails the next commit of the agent: before it is written, or when it is. */
function failing(store: MemoryStore, agent: string, when: 'before' | 'after'): void {
  const commit = store.commit.bind(store);
  store.commit = async (c: Commit) => {
    if (c.entity.id !== agent) return commit(c);
    store.commit = commit;
    if (when === 'after') await commit(c);
    throw new StoreError('io', 'the disk does not answer');
  };
}

describe('Commands sent again', () => {
  let store: MemoryStore;
  let e: Awaited<ReturnType<typeof testEngine>>;
  let agent: string;
  beforeEach(async () => {
    store = new MemoryStore();
    e = await testEngine(store, echo, { messageWaitMs: 2000 });
    agent = (await e.engine.service.execute(caller, spawnAgent, {}, { name: 'A' })).id;
  });
  afterEach(() => e.engine.stop(0));
  const remember = (who: Caller): Promise<{ id: string }> =>
    e.engine.service.createMemory(who, { type: 'note', content: 'x', agent_id: agent });
  const memories = async (): Promise<number> =>
    (await e.engine.service.listMemories(caller, { agent_id: agent }, page)).items.length;
  const runs = async (): Promise<number> =>
    (await e.engine.service.execute(caller, listRuns, { id: agent }, { page })).items.length;

  it('the record keeps no text that the repeat brings again, and the answer has it', async () => {
    const { service } = e.engine;
    const content = 'kettle '.repeat(9000);
    const input = { type: 'note', content, agent_id: agent, metadata: { long: content.slice(0, 300), short: 'x' } };
    const spawning = { name: 'B', config: { instructions: content.slice(0, 9000) } };
    const made = [await service.createMemory(as('k'), input), await service.execute(as('s'), spawnAgent, {}, spawning)];
    const again = [
      await service.createMemory(as('k'), input),
      await service.execute(as('s'), spawnAgent, {}, spawning),
    ];
    expect(again).to.deep.equal(made);
    for (const record of store.commands.values()) expect(JSON.stringify(record).length).to.be.below(2000);
  });

  it('Idempotency.Y1 Idempotency.Y2 take effect once, whoever writes beside; the second of two at once waits or is a conflict', async () => {
    const { service } = e.engine;
    const made = Array.from({ length: 20 }, (_, i) => remember(as(`k${i}`)));
    const talked = Array.from({ length: 10 }, (_, i) => service.messageAgent(as(`t${i}`), agent, { content: `t${i}` }));
    const tasks = Array.from({ length: 20 }, (_, i) => service.sendTask(caller, agent, said(`go ${i % 10}`)));
    const doubled = Array.from({ length: 20 }, (_, i) =>
      remember(as(`k${i}`)).then(
        ({ id }) => id,
        (error: { code?: string }) => error.code ?? 'defect',
      ),
    );
    for (let i = 0; i < 5; i++) {
      await writeBeside(store, agent);
      await turn();
    }
    const ids = (await Promise.all(made)).map(({ id }) => id);
    for (const [i, double] of (await Promise.all(doubled)).entries()) expect(double).to.be.oneOf([ids[i], 'CONFLICT']);
    const begun = (await Promise.all(tasks)).map((t) => t.id);
    const answers = await Promise.all(talked);
    expect(begun.slice(0, 10)).to.deep.equal(begun.slice(10));
    expect([await memories(), await runs()]).to.deep.equal([20, 20]);
    expect(e.engine.stats().restarts, 'conflicts').to.be.greaterThan(0);
    const again = as('t3');
    const repeated = await service.messageAgent(again, agent, { content: 't3' });
    expect([again.idempotencyKey.replayed, repeated.run_id, repeated.response]).to.deep.equal([
      true,
      answers[3]?.run_id,
      answers[3]?.response,
    ]);
  });

  for (const when of ['before', 'after'] as const) {
    it(`when the store fails ${when} it has written, who asked hears so, and the same again has one effect`, async () => {
      failing(store, agent, when);
      expect(await codeOf(remember(as('k')))).to.equal('UNAVAILABLE');
      const again = as('k');
      const { id } = await remember(again);
      expect([again.idempotencyKey.replayed, await memories()]).to.deep.equal([when === 'after', 1]);
      expect((await remember(as('k'))).id).to.equal(id);
      expect(await codeOf(remember(as('k', 'another')))).to.equal('IDEMPOTENCY_MISMATCH');
    });

    it(`messages that wait for the first of them, whose commit fails ${when} it is written, begin one task`, async () => {
      failing(store, agent, when);
      const sent = await Promise.allSettled(
        Array.from({ length: 5 }, () => e.engine.service.sendTask(caller, agent, said('go'))),
      );
      for (const one of sent)
        if (one.status === 'rejected') expect((one.reason as { code: string }).code).to.equal('UNAVAILABLE');
      const task = await e.engine.service.sendTask(caller, agent, said('go'));
      for (const one of sent) if (one.status === 'fulfilled') expect(one.value.id).to.equal(task.id);
      expect(await runs()).to.equal(1);
    });
  }

  it('of an agent that was deleted meanwhile: nothing is made again', async () => {
    const { service } = e.engine;
    const spawned = await service.execute(as('s'), spawnAgent, {}, { name: 'short' });
    await service.startRun(as('r'), spawned.id, { input: 'go' });
    await service.messageAgent(as('m'), spawned.id, { content: 'hi' });
    await service.execute(caller, deleteAgent, { id: spawned.id });
    expect((await service.execute(as('s'), spawnAgent, {}, { name: 'short' })).id).to.equal(spawned.id);
    expect(await codeOf(service.messageAgent(as('m'), spawned.id, { content: 'hi' }))).to.equal('NOT_FOUND');
    expect(await codeOf(service.execute(caller, getAgent, { id: spawned.id }, {}))).to.equal('NOT_FOUND');
    expect((await service.execute(caller, listAgents, {}, { page })).items.map((a) => a.id)).to.deep.equal([agent]);
  });
});
