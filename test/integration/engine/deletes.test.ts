/** Deletes (section 11): the fence first, then everything, also what was shared; gone on with after a crash. */
import { deleteAgent, getAgent, spawnAgent } from '../../../src/commands/agents.js';
import { getUsage } from '../../../src/commands/workspace.js';
import { createHive, deleteHive, getHive, listSharedMemories } from '../../../src/commands/hives.js';
import { fieldsOf } from '../../helpers/fields.js';
import { sendMessage } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import { type Commit, StoreError } from '../../../src/store/port.js';
import { answers, call, caller, does, eventually, fastClock, testEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { agentRef, codeOf, follow, HeldSteps, hiveRef, newestFirst, overStores } from './kit.js';
import { turn } from '../../helpers/turn.js';
import { listRuns } from '../../../src/commands/runs.js';

const noMemories = { used: 0, memories: 0 };

overStores('Deletes', (bed) => {
  it('ends the streams of paused runs with a final cancelled too', async () => {
    const { service } = await bed.start(() => does(call('ask_human', { question: '?' })));
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Paused' });
    const runs = [
      await service.startRun(caller, agent.id, { input: 'a' }),
      await service.startRun(caller, agent.id, { input: 'b' }),
    ];
    const streams = await Promise.all(
      runs.map(({ id }) => service.runEvents(caller, agent.id, id, 0, new AbortController().signal)),
    );
    const told = streams.map(async (events) => {
      const seen: string[] = [];
      for await (const e of events) if (e.type === 'status') seen.push(e.status);
      return seen;
    });
    await eventually(async () =>
      (await service.execute(caller, listRuns, { id: agent.id }, { page: newestFirst })).items.every(
        (r) => r.status === 'paused',
      ),
    );
    await service.execute(caller, deleteAgent, { id: agent.id });
    for (const seen of await Promise.all(told)) expect(seen.slice(-2)).to.deep.equal(['paused', 'cancelled']);
  });

  it('a share that a client deletes stays away, also where the agent never learned that it had arrived', async () => {
    const e = await bed.start((c) =>
      does(call('share_with_hive', { content: `shared ${c.run.input}` }), call('answer', { content: 'ok' })),
    );
    const hive = await e.service.execute(caller, createHive, {}, { name: 'h' });
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'a', hives: [hive.id] });
    const commit = bed.store.commit.bind(bed.store);
    let losing = true;
    bed.store.commit = (one) =>
      losing && one.deletes.some(({ kind }) => kind === 'outbox')
        ? Promise.reject(new StoreError('io', 'the answer is lost'))
        : commit(one);
    await e.service.messageAgent(caller, agent.id, { content: 'pelican' });
    const shares = async () =>
      (await e.service.execute(caller, listSharedMemories, { id: hive.id }, { page: newestFirst })).items;
    await eventually(async () => (await shares()).length === 1, 'the share');
    await e.service.deleteMemory(caller, (await shares())[0]!.id);
    losing = false;
    const owed = async (): Promise<boolean> => {
      const left = await bed.store.list({
        workspace: 'default',
        entity: { workspace: 'default', kind: 'agent', id: agent.id },
        collection: 'outbox',
        list: 'created',
        order: 'asc',
        limit: 10,
      });
      return left.items.length === 0;
    };
    await eventually(owed, 'the share is told as delivered');
    expect(await shares()).to.deep.equal([]);
  });

  it('a hive knows of an agent that was deleted, so that a share that is late is refused', async () => {
    const e = await bed.start((c) =>
      does(call('share_with_hive', { content: `shared ${c.run.input}` }), call('answer', { content: 'ok' })),
    );
    const hive = await e.service.execute(caller, createHive, {}, { name: 'h' });
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'a', hives: [hive.id] });
    await e.service.messageAgent(caller, agent.id, { content: 'pelican' });
    await eventually(
      async () => (await e.service.execute(caller, getHive, { id: hive.id }, {})).memory_count === 1,
      'the share',
    );
    await e.service.execute(caller, deleteAgent, { id: agent.id });
    expect((await e.service.execute(caller, getHive, { id: hive.id }, {})).memory_count).to.equal(0);
    const entity = { workspace: 'default', kind: 'hive' as const, id: hive.id };
    expect(await bed.store.record(entity, `gone_${agent.id}`, Date.now() + 7 * 24 * 3600 * 1000)).not.to.equal(null);
  });

  it('a delete in the middle of a run: its step is aborted, its stream ends cancelled, and who asks meanwhile gets NOT_FOUND', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'doomed', config: { max_parallel: 1 } });
    const running = await e.service.startRun(caller, agent.id, { input: 'go' });
    const waiting = await e.service.startRun(caller, agent.id, { input: 'wait' });
    const step = await steps.next();
    const streams = [running, waiting].map((r) => follow(e, agent.id, r.id));
    await turn();
    const message = e.service.messageAgent(caller, agent.id, { content: 'in line' }).then(
      (r) => r.status,
      (error: unknown) => (error as HivekeepError).code,
    );
    const deleted = e.service.execute(caller, deleteAgent, { id: agent.id });
    const late = [
      codeOf(e.service.messageAgent(caller, agent.id, { content: 'too late' })),
      codeOf(e.service.execute(caller, sendMessage, { id: agent.id }, { content: 'too late' })),
      codeOf(e.service.execute(caller, deleteAgent, { id: agent.id })),
    ];
    await deleted;
    expect(step.signal.aborted).to.equal(true);
    for (const stream of streams) expect((await stream).at(-1)).to.include({ type: 'status', status: 'cancelled' });
    expect(await Promise.all(late)).to.deep.equal(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    // it was a run in line already: cancelled, or gone by the time that its outcome is read
    expect(await message).to.be.oneOf(['cancelled', 'NOT_FOUND']);
    expect(steps.begun).to.equal(1);
  });

  for (const steps of [0, 1, 2, 3, 5, 8, 13]) {
    it(`killed ${steps} turns into a delete, it is gone on with after the start, or has not begun`, async () => {
      const script = (): ReturnType<typeof does> =>
        does(call('share_with_hive', { content: 'shared' }), call('answer', { content: 'ok' }));
      let e = await bed.start(script);
      const hive = await e.service.execute(caller, createHive, {}, { name: 'h' });
      const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'a', hives: [hive.id] });
      await e.service.messageAgent(caller, agent.id, { content: 'go' });
      await eventually(
        async () => (await e.service.execute(caller, getHive, { id: hive.id }, {})).memory_count === 1,
        'the share',
      );
      await Promise.all(
        Array.from({ length: 700 }, (_, i) =>
          e.service.createMemory(caller, { type: 'note', content: `note ${i}`, agent_id: agent.id }),
        ),
      );
      void e.service.execute(caller, deleteAgent, { id: agent.id }).catch(() => undefined);
      for (let i = 0; i < steps; i++) await turn();
      e.kill();
      e = await bed.start(script);
      const head = await eventually(async () => {
        const h = await bed.store.head(agentRef(agent.id));
        return h && (h.deleted || !h.snapshot.deleting) && h;
      }, 'the rest of the delete');
      if (head.deleted) {
        expect(await e.service.execute(caller, getUsage, {}, {})).to.include({ ...noMemories, agents: 0 });
        expect((await e.service.execute(caller, getHive, { id: hive.id }, {})).memory_count).to.equal(0);
        expect((await e.service.listMemories(caller, {}, newestFirst)).items).to.deep.equal([]);
      } else {
        expect((await e.service.execute(caller, getAgent, { id: agent.id }, {})).memory_count).to.equal(700);
        expect(
          (await e.service.execute(caller, listSharedMemories, { id: hive.id }, { page: newestFirst })).items,
        ).to.have.length(1);
      }
    });
  }
});

describe('Deletes over a store that fails', () => {
  const isFence = (c: Commit): boolean => fieldsOf(c.snapshot)['deleting'] === true && !c.deleted;

  for (const kind of ['agent', 'hive'] as const) {
    const setUp = async (): Promise<{
      store: MemoryStore;
      id: string;
      remove(): Promise<void>;
      count(): Promise<number>;
      stop(): Promise<void>;
    }> => {
      const store = new MemoryStore();
      const { engine } = await testEngine(store, () => answers('ok'), { clock: fastClock(20) });
      const { service } = engine;
      const { id } =
        kind === 'agent'
          ? await service.execute(caller, spawnAgent, {}, { name: 'x' })
          : await service.execute(caller, createHive, {}, { name: 'x' });
      for (let i = 0; i < 3; i++)
        await service.createMemory(caller, {
          type: 'note',
          content: `n${i}`,
          ...(kind === 'agent' ? { agent_id: id } : { hive_id: id }),
        });
      return {
        store,
        id,
        remove: () =>
          kind === 'agent'
            ? service.execute(caller, deleteAgent, { id })
            : service.execute(caller, deleteHive, { id: id }),
        count: async () => (await service.listMemories(caller, {}, newestFirst)).items.length,
        stop: () => engine.stop(1000),
      };
    };

    it(`takes nothing of the ${kind} away when the fence cannot be committed, and says so (Agent.G4)`, async () => {
      const { store, remove, count, stop } = await setUp();
      store.beforeCommit = (c) => {
        if (isFence(c)) throw new Error('disk full');
      };
      expect(await codeOf(remove())).to.equal('UNAVAILABLE');
      expect(await count()).to.equal(3);
      store.beforeCommit = () => undefined;
      await remove();
      expect(await count()).to.equal(0);
      await stop();
    });

    it(`begins again where somebody else wrote the ${kind} before the fence, and is answered once all is gone`, async () => {
      const { store, id, remove, count, stop } = await setUp();
      const key = `default/${kind}/${id}`;
      let once = true;
      store.beforeCommit = (c) => {
        if (once && isFence(c)) {
          once = false;
          const h = store.heads.get(key)!;
          store.heads.set(key, { ...h, seq: h.seq + 1 });
        }
      };
      await remove();
      expect([once, await count(), store.heads.get(key)?.deleted]).to.deep.equal([false, 0, true]);
      await stop();
    });

    it(`is not acknowledged while the last commit of the ${kind} fails, and goes on by itself`, async () => {
      const { store, id, remove, stop } = await setUp();
      const ref = kind === 'agent' ? agentRef(id) : hiveRef(id);
      store.beforeCommit = (c) => {
        if (c.deleted) throw new Error('disk full');
      };
      expect(await codeOf(remove())).to.equal('UNAVAILABLE');
      expect(store.head(ref)?.deleted).to.equal(false);
      store.beforeCommit = () => undefined;
      await eventually(async () => store.head(ref)?.deleted, 'the last commit');
      await stop();
    });
  }

  it('what an agent shares with a hive in the moment of its delete does not stay there (outbox stopped first)', async () => {
    const store = new MemoryStore();
    const { engine } = await testEngine(
      store,
      () => does(call('share_with_hive', { content: 's' }), call('answer', { content: 'ok' })),
      { clock: fastClock(50) },
    );
    const { service } = engine;
    const hive = await service.execute(caller, createHive, {}, { name: 'h' });
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'a', hives: [hive.id] });
    let failed = false;
    store.beforeCommit = (c) => {
      if (c.entity.id === hive.id && !failed) {
        failed = true;
        throw new Error('not now');
      }
    }; // the first delivery fails, so another is planned
    await service.messageAgent(caller, agent.id, { content: 'go' });
    await eventually(async () => failed, 'the failed delivery');
    let slow = true;
    const purge = store.purge.bind(store);
    store.purge = async (entity, limit) => {
      if (slow && entity.id === agent.id) {
        slow = false;
        await new Promise((r) => {
          setTimeout(r, 60);
        });
      }
      return purge(entity, limit);
    };
    await service.execute(caller, deleteAgent, { id: agent.id });
    expect((await service.execute(caller, getHive, { id: hive.id }, {})).memory_count).to.equal(0);
    await engine.stop(1000);
  });
});
