/**
 * Gateways and workers over one store: commands find their actor wherever it is, once, while shards move and messages
 * are lost.
 */
import { deleteAgent, listAgents, spawnAgent } from '../../../src/commands/agents.js';
import { createHive, joinHive } from '../../../src/commands/hives.js';
import type { CollectionName } from '../../../src/store/collections.js';
import { createSchedule } from '../../../src/commands/schedules.js';
import { expect } from 'chai';
import type { Embedder } from '../../../src/embeddings/port.js';
import type { Caller } from '../../../src/service.js';
import { completed, inState, startFakePeer } from '../../helpers/a2a-peer.js';
import {
  answers,
  caller,
  call,
  does,
  eventually,
  pushTo,
  type Script,
  skippingClock,
  stillClock,
} from '../../helpers/engine.js';
import { fewestShards } from '../../../src/store/shards.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import type { ListQuery, Page } from '../../../src/store/port.js';
import { everyShard, testCluster, type TestCluster } from '../../helpers/cluster.js';
import { codeOf } from '../engine/kit.js';
import { turn } from '../../helpers/turn.js';
import { getRun, cancelRun } from '../../../src/commands/runs.js';
import { deletePush } from '../../../src/commands/tasks.js';

const half = (odd: boolean): number[] => everyShard.filter((s) => (s % 2 === 1) === odd);
/** Everything has happened that needs no time. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await turn();
};
const named = (id: string): Caller => ({ ...caller, idempotencyKey: { id, bodyHash: 'body', replayed: false } });

describe('a cluster of engines', () => {
  let c: TestCluster;
  afterEach(() => c.stop());

  async function twoAndTwo(): Promise<{
    g1: Awaited<ReturnType<TestCluster['add']>>;
    g2: Awaited<ReturnType<TestCluster['add']>>;
  }> {
    c = await testCluster();
    const g1 = await c.add('g1', 'gateway');
    const g2 = await c.add('g2', 'gateway');
    await c.add('w1', 'worker');
    await c.add('w2', 'worker');
    await c.table.give(half(false), 'w1');
    await c.table.give(half(true), 'w2');
    return { g1, g2 };
  }

  it('memories are found by meaning on any process, and their vectors are kept where their actors are', async () => {
    c = await testCluster();
    const embedder: Embedder = {
      model: 'test/one',
      embed: (texts) => Promise.resolve(texts.map((text, i) => (/dog|hound/.test(text) ? [1, 0, 0] : [0, i + 1, 1]))),
    };
    const gateway = await c.add('g1', 'gateway', undefined, embedder);
    await c.add('w1', 'worker', undefined, embedder);
    await c.add('w2', 'worker', undefined, embedder);
    await c.table.give(half(false), 'w1');
    await c.table.give(half(true), 'w2');
    const { service } = gateway.engine;
    for (let i = 0; i < 4; i++) {
      const { id } = await service.execute(caller, spawnAgent, {}, { name: `agent ${i}` });
      await service.createMemory(caller, { agent_id: id, type: 'fact', content: `Hound ${i} is a hound.` });
    }
    const found = await eventually(async () => {
      const hits = await service.searchMemories(caller, { query: 'dog', min_relevance: 0.1 });
      return hits.length === 4 && hits;
    });
    for (const { relevance } of found) expect(relevance).to.be.closeTo(0.75, 0.01);
  });

  it('what a peer pushes to any gateway reaches whoever waits for it, also after a move (PeerPushes.H2)', async () => {
    const peer = await startFakePeer();
    const push = pushTo([peer.host]);
    try {
      const script: Script = ({ transcript }) =>
        transcript.length === 0
          ? does(call('use_tool', { name: 'harbour', input: '{"message":"when?"}' }))
          : answers(
              transcript
                .flat()
                .map(({ result }) => result)
                .join(),
            );
      c = await testCluster(new MemoryStore(), script, undefined, { push, publicUrl: 'https://hive.example' });
      const [g1, g2] = [await c.add('g1', 'gateway'), await c.add('g2', 'gateway')];
      // their time stands still: nothing is asked for but what is pushed
      await c.add('w1', 'worker', stillClock());
      await c.add('w2', 'worker', stillClock());
      await c.table.give(everyShard, 'w1');
      let task = inState('t', 'WORKING');
      peer.say({ capabilities: { pushNotifications: true } });
      peer.on((request) => {
        request.result(request.method === 'SendMessage' ? { task } : task);
      });
      const reads = (): number => peer.seen.filter(({ method }) => method === 'GetTask').length;
      const tools = [{ kind: 'a2a' as const, name: 'harbour', card: peer.card }];
      const config = { multi_step: true, tools };
      const { id } = await g1.engine.service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
      const { id: run } = await g1.engine.service.startRun(caller, id, { input: 'ask', maxRuntimeSeconds: 30 });
      const is = (status: string) => async () =>
        (await g1.engine.service.execute(caller, getRun, { id, runId: run })).status === status;
      await eventually(is('paused'));
      const sent = await eventually(async () => peer.seen[0]);
      const { taskPushNotificationConfig: told } = sent.params['configuration'] as {
        taskPushNotificationConfig: { url: string; token: string };
      };
      const pushed = () => g2.engine.service.takePeerPush(told.url.split('/').at(-1) ?? '', told.token);
      await pushed();
      await eventually(async () => reads() === 1);
      await c.table.give(everyShard, 'w2');
      await eventually(async () => reads() === 2, 'the task to be read again after the move');
      task = completed('t', 'at noon');
      await pushed();
      await eventually(is('completed'));
      expect((await g1.engine.service.execute(caller, getRun, { id, runId: run })).output).to.equal('at noon');
      expect(reads()).to.equal(3);
    } finally {
      await push.close();
      await peer.close();
    }
  });

  it('any gateway answers for any agent, and sees at once what another has written', async () => {
    const { g1, g2 } = await twoAndTwo();
    const s1 = g1.engine.service;
    const s2 = g2.engine.service;
    const agents = await Promise.all(
      Array.from({ length: 20 }, (_, i) => s1.execute(caller, spawnAgent, {}, { name: `agent ${i}` })),
    );
    const replies = await Promise.all(agents.map((a, i) => s2.messageAgent(caller, a.id, { content: `hello ${i}` })));
    expect(replies.map((r) => r.response)).to.deep.equal(agents.map((_, i) => `hello ${i}`));
    const memory = await s1.createMemory(caller, {
      agent_id: agents[0]!.id,
      type: 'fact',
      content: 'the heron stands in the reeds',
    });
    expect(
      (await s2.searchMemories(caller, { query: 'heron', agent_id: agents[0]!.id })).map((m) => m.id),
    ).to.deep.equal([memory.id]);
    expect(
      (await s2.searchMemories(caller, { query: 'heron reeds' })).map((m) => m.id),
      'the whole workspace',
    ).to.deep.equal([memory.id]);
    await s2.deleteMemory(caller, memory.id);
    expect(await s1.searchMemories(caller, { query: 'heron reeds' })).to.deep.equal([]);
    expect(
      (await s2.execute(caller, listAgents, {}, { page: { sort: 'created_at', order: 'asc', limit: 50 } })).total,
    ).to.equal(20);
  });

  it('nothing with an Idempotency-Key is written by the desk, or waits for it, but what is its own', async () => {
    const { g1 } = await twoAndTwo();
    const { service } = g1.engine;
    const ada = await service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const hive = await service.execute(caller, createHive, {}, { name: 'Bees' });
    const desk = { workspace: 'default', kind: 'workspace', id: 'default' } as const;
    const { seq } = (await c.store.head(desk))!;
    const memory = { type: 'fact', content: 'the desk is away' } as const;
    const batch = { memories: [{ ...memory, agent_id: ada.id }] };
    const asks: [string, (who: Caller) => Promise<unknown>][] = [
      ['a memory of an agent', (who) => service.createMemory(who, { ...memory, agent_id: ada.id })],
      ['a memory of a hive', (who) => service.createMemory(who, { ...memory, hive_id: hive.id })],
      ['an agent', (who) => service.execute(who, spawnAgent, {}, { name: 'Bob' })],
      ['a hive', (who) => service.execute(who, createHive, {}, { name: 'Wasps' })],
      ['a member', (who) => service.execute(who, joinHive, { id: hive.id }, { agent_id: ada.id })],
      ['a batch', (who) => service.createMemories(who, batch)],
    ];
    for (const [what, ask] of asks) {
      const first = await ask(named(what));
      const again = named(what);
      expect(await ask(again), what).to.deep.equal(first);
      expect(again.idempotencyKey?.replayed, `${what} again`).to.equal(true);
      const other: Caller = { ...caller, idempotencyKey: { id: what, bodyHash: 'other', replayed: false } };
      expect(await codeOf(ask(other)), what).to.equal('IDEMPOTENCY_MISMATCH');
    }
    expect((await c.store.head(desk))?.seq).to.equal(seq);

    const deskShard = fewestShards.of(desk);
    let { id } = ada;
    while (c.shardOfAgent(id) === deskShard)
      ({ id } = await service.execute(caller, spawnAgent, {}, { name: 'elsewhere' }));
    await c.table.give([deskShard], null);
    await service.createMemory(named('while the desk is away'), { ...memory, agent_id: id });
  });

  it('a gateway is not ready only when a server has been away for 15 s, as in no election; a worker at once', async () => {
    c = await testCluster();
    const clock = stillClock();
    const gateway = (await c.add('g', 'gateway', clock)).engine.service;
    const worker = (await c.add('w', 'worker', clock)).engine.service;
    await c.table.give(everyShard, 'w');
    const ready = (): boolean[] => [gateway.ready().ready, worker.ready().ready];
    const pass = async (ms: number): Promise<void> => {
      await settled();
      clock.skip(ms);
      await settled();
    };
    await pass(0);
    expect(ready()).to.deep.equal([true, true]);
    c.outage.store = true;
    await pass(1_000);
    expect(ready()).to.deep.equal([true, false]);
    await pass(14_999);
    expect(ready()).to.deep.equal([true, false]);
    await pass(1);
    expect(gateway.ready())
      .to.deep.include({ ready: false })
      .and.have.property('reason')
      .match(/does not answer/);
    c.outage.store = false;
    await pass(1_000);
    expect(ready()).to.deep.equal([true, true]);
    c.outage.store = true;
    await pass(1_000);
    expect(ready(), 'another outage').to.deep.equal([true, false]);
  });

  it('a search of a workspace goes without a worker that is late, and says so; one of an agent there does not', async () => {
    const { g1 } = await twoAndTwo();
    const { service } = g1.engine;
    const written = new Map<boolean, { agent: string; memory: string }>();
    while (written.size < 2) {
      const { id: agent } = await service.execute(caller, spawnAgent, {}, { name: 'Ada' });
      const { id: memory } = await service.createMemory(caller, { type: 'fact', content: 'heron', agent_id: agent });
      written.set(half(true).includes(c.shardOfAgent(agent)), { agent, memory });
    }
    const [near, far] = [written.get(false)!, written.get(true)!];
    const restore = c.network.cut('w2');
    const found = await service.searchMemories(caller, { query: 'heron', limit: 50 });
    expect(found.partial).to.equal(true);
    expect(found.map(({ id }) => id))
      .to.include(near.memory)
      .and.not.include(far.memory);
    const ofAgent = service.searchMemories(caller, { query: 'heron', agent_id: far.agent });
    restore();
    expect((await ofAgent).map(({ id }) => id)).to.deep.equal([far.memory]);
    const whole = await service.searchMemories(caller, { query: 'heron', limit: 50 });
    expect(whole.partial).to.equal(undefined);
    expect(whole.map(({ id }) => id)).to.include.members([near.memory, far.memory]);
  });

  it('the index of a workspace stays while shards move in which the workspace has nothing', async () => {
    const { g1 } = await twoAndTwo();
    const { service } = g1.engine;
    const [w1, w2] = [await c.add('w3', 'worker'), await c.add('w4', 'worker')] as const;
    await c.table.give(half(false), 'w3');
    await c.table.give(half(true), 'w4');
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const written: string[] = [];
    const writes = async (): Promise<void> => {
      const content = `heron ${written.length}`;
      written.push((await service.createMemory(caller, { type: 'fact', content })).id);
      written.push((await service.createMemory(caller, { type: 'fact', content, agent_id: agent.id })).id);
    };
    const finds = async (): Promise<number> => {
      const found = await service.searchMemories(caller, { query: 'heron', limit: 50 });
      expect(found.map(({ id }) => id)).to.have.members(written);
      return w1.indexesBuilt() + w2.indexesBuilt();
    };
    await writes();
    expect(await finds()).to.equal(2);
    const used = new Set([
      c.shardOfAgent(agent.id),
      fewestShards.of({ workspace: 'default', kind: 'workspace', id: 'default' }),
    ]);
    const unused = everyShard.filter((shard) => !used.has(shard)).slice(0, 100);
    for (const to of ['w3', 'w4', 'w3']) {
      await c.table.give(unused, to);
      await writes();
      expect(await finds(), `with a hundred shards at ${to}`).to.equal(2);
    }
    await c.table.give([...used], 'w3');
    await writes();
    expect(await finds(), 'where the memories are').to.be.greaterThan(2);
    await c.table.give([...used], 'w4');
    await writes();
    await finds();
  });

  it('agents on different workers write to one another and recall what their hive knows', async () => {
    const { g1 } = await twoAndTwo();
    const { service } = g1.engine;
    const hive = await service.execute(caller, createHive, {}, { name: 'heronry' });
    const agents = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        service.execute(caller, spawnAgent, {}, { name: `a${i}`, hives: [hive.id], wake_on_message: true }),
      ),
    );
    await service.shareMemory(caller, hive.id, {
      agent_id: agents[0]!.id,
      type: 'fact',
      content: 'the kingfisher nests in the bank',
    });
    for (const a of agents) {
      const { response } = await service.messageAgent(caller, a.id, { content: 'kingfisher?' });
      expect(response).to.contain('the kingfisher nests in the bank');
    }
  });

  it('Router.R3: what is sent while a shard moves takes effect once, whatever is lost or repeated on the way', async function () {
    this.timeout(60_000);
    const { g1, g2 } = await twoAndTwo();
    const agents = await Promise.all(
      Array.from({ length: 10 }, (_, i) => g1.engine.service.execute(caller, spawnAgent, {}, { name: `agent ${i}` })),
    );
    let n = 0;
    c.network.fate = () => (++n % 7 === 0 ? 'lost' : n % 5 === 0 ? 'twice' : 'arrives');
    let moving = true;
    const moves = (async () => {
      for (let turn = 0; moving; turn++) {
        await c.table.give(half(turn % 2 === 0), turn % 4 < 2 ? 'w2' : 'w1');
        await new Promise((r) => {
          setTimeout(r, 50);
        });
      }
    })();
    const sent = Array.from({ length: 200 }, (_, i) => `note ${i} `);
    await Promise.all(
      sent.map((content, i) =>
        (i % 2 ? g1 : g2).engine.service.createMemory(caller, { agent_id: agents[i % 10]!.id, type: 'fact', content }),
      ),
    );
    moving = false;
    await moves;
    c.network.fate = () => 'arrives';
    const stored = await g1.engine.service.listMemories(caller, {}, { sort: 'created_at', order: 'asc', limit: 500 });
    expect(stored.items.map((m) => m.content).sort()).to.deep.equal([...sent].sort());
    expect(g1.engine.routerStats().resent + g2.engine.routerStats().resent, 'sent again').to.be.greaterThan(0);
  });

  it('Idempotency.Y1: the same idempotencyKey by two gateways, and again after the shard has moved, is answered the same', async () => {
    const { g1, g2 } = await twoAndTwo();
    const agent = await g1.engine.service.execute(caller, spawnAgent, {}, { name: 'one' });
    const first = await g1.engine.service.createMemory(named('c1'), {
      agent_id: agent.id,
      type: 'fact',
      content: 'once',
    });
    await c.table.give(everyShard, 'w2');
    const again = named('c1');
    expect(
      await g2.engine.service.createMemory(again, { agent_id: agent.id, type: 'fact', content: 'once' }),
    ).to.deep.equal(first);
    expect(again.idempotencyKey?.replayed).to.equal(true);
    const other = { ...caller, idempotencyKey: { id: 'c1', bodyHash: 'another', replayed: false } };
    const refused = await g2.engine.service
      .createMemory(other, { agent_id: agent.id, type: 'fact', content: 'twice' })
      .catch((e: unknown) => e);
    expect(refused).to.have.property('code', 'IDEMPOTENCY_MISMATCH');
  });

  it('a delete that was begun by one owner is finished and answered by the next', async () => {
    const { g1 } = await twoAndTwo();
    const { service } = g1.engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'gone' });
    const shard = c.shardOfAgent(agent.id);
    const owner = c.table.owners[shard]!.instance;
    for (let i = 0; i < 30; i++)
      await service.createMemory(caller, { agent_id: agent.id, type: 'fact', content: `m${i}` });
    c.network.fate = (from) => (from === owner ? 'lost' : 'arrives'); // the answer never comes
    const deleting = service.execute(caller, deleteAgent, { id: agent.id });
    await eventually(
      async () => (await c.store.head({ workspace: 'default', kind: 'agent', id: agent.id }))?.deleted,
      'the delete',
    );
    c.network.kill(owner);
    await c.table.give(everyShard, owner === 'w1' ? 'w2' : 'w1', true);
    await deleting;
    expect(
      (await service.listMemories(caller, {}, { sort: 'created_at', order: 'asc', limit: 50 })).items,
    ).to.deep.equal([]);
  });

  it('a run goes on at the next owner, counts each step once, and its stream has no gap (Model.S1, Model.W3)', async () => {
    const { g1, g2 } = await twoAndTwo();
    const w3 = await c.add('w3', 'worker');
    let steps = 0;
    const slow = async (): Promise<ReturnType<typeof answers>> => {
      steps++;
      await new Promise((r) => {
        setTimeout(r, 60);
      });
      return steps >= 12 ? answers('done') : does(call('remember', { content: `step ${steps}`, type: 'fact' }));
    };
    w3.script(slow);
    await c.table.give(everyShard, 'w3');
    const agent = await g1.engine.service.execute(
      caller,
      spawnAgent,
      {},
      {
        name: 'runner',
        config: { multi_step: true, max_steps: 50 },
      },
    );
    const run = await g1.engine.service.startRun(caller, agent.id, { input: 'go' });
    const abort = new AbortController();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const e of await g2.engine.service.runEvents(caller, agent.id, run.id, 0, abort.signal))
        seen.push(e.seq);
    })();
    const w4 = await c.add('w4', 'worker');
    w4.script(slow);
    await eventually(() => Promise.resolve(steps >= 4), 'four steps');
    await c.table.give(everyShard, 'w4');
    await reading;
    const ended = await g1.engine.service.execute(caller, getRun, { id: agent.id, runId: run.id });
    expect(ended.status).to.equal('completed');
    expect(seen).to.deep.equal(seen.map((_, i) => i + 1));
  });

  it('a takeover of runs that have only begun reads documents by id, which the store reads together, and lists only where a run has ended', async () => {
    class CountingStore extends MemoryStore {
      readonly lists: string[] = [];
      override list<C extends CollectionName>(query: ListQuery<C>): Promise<Page<C>> {
        this.lists.push(`${query.collection}.${query.list}`);
        return super.list(query);
      }
    }
    const store = new CountingStore();
    c = await testCluster(store, () => new Promise(() => undefined));
    const { service } = (await c.add('g1', 'gateway')).engine;
    await c.add('w1', 'worker');
    await c.table.give(everyShard, 'w1');
    const withHistory = 3;
    for (let n = 0; n < 20; n++) {
      const { id } = await service.execute(caller, spawnAgent, {}, { name: `a${n}` });
      for (let runs = n < withHistory ? 2 : 1; runs > 0; runs--) {
        const run = await service.startRun(caller, id, { input: 'go' });
        if (runs > 1) await service.execute(caller, cancelRun, { id, runId: run.id });
      }
    }
    let begun = 0;
    const w2 = await c.add('w2', 'worker');
    w2.script(() => {
      begun++;
      return new Promise(() => undefined);
    });
    store.lists.length = 0;
    await c.table.give(everyShard, 'w2');
    await eventually(() => Promise.resolve(begun === 20), 'every run goes on');
    // the webhooks of the workspace are read by each process, from time to time
    const lists = store.lists.filter((list) => list !== 'webhook.created');
    expect(lists, 'the turns that recall finds').to.deep.equal(
      Array.from({ length: withHistory }, () => 'run.created'),
    );
    expect(await store.dueHeads(Date.now(), 10), 'nothing is due of agents whose runs have not ended').to.deep.equal(
      [],
    );
  });

  it('Idempotency.Y4: a first delivery that comes late to an owner of before is not refused there, but answered as it was elsewhere', async () => {
    c = await testCluster();
    const { service } = (await c.add('g', 'gateway')).engine;
    await c.add('old', 'worker');
    await c.add('new', 'worker');
    await c.table.give(everyShard, 'old');
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const memory = await service.createMemory(caller, { agent_id: agent.id, type: 'fact', content: 'a heron' });
    const shard = c.shardOfAgent(agent.id);
    c.believes.add(`old/${shard}`);
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const answered: unknown[] = [];
    let firstDelivery: unknown[] = [];
    c.network.fate = (from, to, messages) => {
      if (from === 'old') answered.push(...messages.map((message) => (message as unknown[])[0]));
      if (to !== 'old') return 'arrives';
      firstDelivery = messages[0] as unknown[];
      return held;
    };
    const deleted = service.deleteMemory(caller, memory.id);
    await settled();
    await c.table.give([shard], 'new', true);
    await deleted;
    expect(firstDelivery[8], 'with what the clock of its receiver showed').to.be.a('number');
    arrive();
    await eventually(() => Promise.resolve(answered.length > 0), 'the late delivery is answered');
    expect(answered).to.deep.equal(['r']);
  });

  it('two owners of one agent, each of whom believes to be the only one, leave one history', async () => {
    const { g1 } = await twoAndTwo();
    const agent = await g1.engine.service.execute(caller, spawnAgent, {}, { name: 'contended' });
    const shard = c.shardOfAgent(agent.id);
    const owner = c.table.owners[shard]!.instance;
    const other = owner === 'w1' ? 'w2' : 'w1';
    const old = await c.add('old', 'all');
    await c.table.give([shard], 'old');
    await old.engine.service.createMemory(caller, { agent_id: agent.id, type: 'fact', content: 'before' });
    c.believes.add(`old/${shard}`);
    await c.table.give([shard], other, true);
    const notes = Array.from({ length: 60 }, (_, i) => `n${i}`);
    await Promise.all(
      notes.map((content, i) =>
        (i % 2 ? old : g1).engine.service.createMemory(caller, { agent_id: agent.id, type: 'fact', content }),
      ),
    );
    const stored = (
      await g1.engine.service.listMemories(
        caller,
        { agent_id: agent.id },
        { sort: 'created_at', order: 'asc', limit: 100 },
      )
    ).items.map((m) => m.content);
    expect([...stored].sort()).to.deep.equal(['before', ...notes].sort());
    expect((await c.store.head({ workspace: 'default', kind: 'agent', id: agent.id }))?.counts['memories']).to.equal(
      61,
    );
  });

  it('two processes that both believe to be the owner start one run at each time of a schedule', async () => {
    const clock = skippingClock();
    c = await testCluster();
    const workers = [await c.add('w1', 'all', clock), await c.add('w2', 'all', clock)];
    await c.table.give(everyShard, 'w1');
    const { service } = workers[0]!.engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'punctual' });
    const shard = c.shardOfAgent(agent.id);
    await service.execute(caller, createSchedule, { id: agent.id }, { every: 60, input: 'report' });
    c.believes.add(`w1/${shard}`);
    await c.table.give([shard], 'w2', true);
    const rounds = 5;
    for (let n = 1; n <= rounds; n++) {
      clock.skip(60_000);
      await eventually(async () => (await c.store.sum('default', 'runs')) >= n);
    }
    for (let i = 0; i < 5; i++) {
      clock.skip(1000);
      await settled();
    }
    expect(await c.store.exactSum('default', 'runs')).to.equal(rounds);
  });

  it('a stop gives steps one grace time in all, however many batches of shards there are', async () => {
    const { g1 } = await twoAndTwo();
    const clock = stillClock();
    const leaving = await c.add('leaving', 'worker', clock);
    await c.table.give(everyShard, 'leaving');
    leaving.script(() => new Promise(() => undefined));
    const agents = await Promise.all(
      Array.from({ length: 100 }, (_, i) => g1.engine.service.execute(caller, spawnAgent, {}, { name: `busy ${i}` })),
    );
    await Promise.all(agents.map(({ id }) => g1.engine.service.startRun(caller, id, { input: 'takes long' })));
    const steps = (): number => leaving.engine.actorStats().children;
    await eventually(() => Promise.resolve(steps() >= agents.length), 'all steps');
    let over = false;
    const left = leaving.engine.handOver(1000).then(() => (over = true));
    clock.skip(980);
    await settled();
    expect(steps(), 'steps in progress a moment before the grace time is over').to.equal(agents.length);
    let ms = 980;
    for (; !over; ms += 20) {
      clock.skip(20);
      await settled();
    }
    await left;
    expect(ms, 'each batch used to take the whole grace time, 8 s in all').to.be.within(1000, 3500);
    expect(steps()).to.equal(0);
  });

  it('Model.H5: a run that a stale owner commits after the takeover goes on at the new one, also where that has the agent in memory', async () => {
    const { g1 } = await twoAndTwo();
    const old = await c.add('old', 'all');
    const agent = await g1.engine.service.execute(caller, spawnAgent, {}, { name: 'late' });
    const shard = c.shardOfAgent(agent.id);
    await c.table.give([shard], 'old');
    old.script(() => new Promise(() => undefined));
    c.believes.add(`old/${shard}`);
    await c.table.give([shard], 'w1', true);
    await g1.engine.service
      .execute(caller, deletePush, { id: agent.id, taskId: 'run_none', configId: 'none' })
      .catch(() => undefined); // loads the agent there, and commits nothing
    const run = await old.engine.service.startRun(caller, agent.id, { input: 'left behind' });
    c.believes.delete(`old/${shard}`);
    c.table.hosts.get('old')?.lost([shard]);
    await eventually(
      async () =>
        (await g1.engine.service.execute(caller, getRun, { id: agent.id, runId: run.id })).status === 'completed',
      'the run',
    );
  });
});
