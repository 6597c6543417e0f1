/**
 * 300 agents under random traffic over both stores, with somebody else's writes, a store that fails now and then and a
 * kill in the middle; then everything stored must fit together. SEED repeats a run.
 */
import { expect } from 'chai';
import { entityKey, type Head, type Listed, type Position } from '../../../src/store/port.js';
import { eventsAfter } from '../../../actors/entities/agent/run-reads.js';
import { external, type StoredMessage } from '../../../src/domain/agent-state.js';
import type { Checkpoint, RunEvent } from '../../../src/domain/model.js';
import { unpackRun } from '../../../src/domain/stored-run.js';
import type { CollectionName } from '../../../src/store/collections.js';
import { call, caller, does, eventually, fastClock, type Script } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { Random } from '../../chaos/random.js';
import { agentRef, overStores, type Bed, type Running } from './kit.js';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const agentCount = 300;
const terminal = new Set(['completed', 'failed', 'timeout', 'cancelled']);

/** Deterministic in the run and its step: remembers, writes to its neighbours, and comes to an end. */
const busy =
  (ids: readonly string[]): Script =>
  (c) => {
    const at = ids.indexOf(c.agent.id);
    const text = c.run.input + c.messages.map((m) => m.content).join('');
    const calls = [
      ...(text.includes('keep') ? [call('remember', { content: `kept ${c.step}` })] : []),
      ...(text.includes('tell')
        ? [call('send_message', { to: ids[(at + 1) % ids.length] ?? '', content: `told ${text.slice(0, 20)}` })]
        : []),
      ...(c.step >= 3 || !text.includes('long')
        ? [call('answer', { content: 'ok' })]
        : [call('recall', { query: text.slice(0, 50) })]),
    ];
    return text.includes('slow')
      ? new Promise((resolve) => {
          setTimeout(() => {
            resolve(does(...calls));
          }, 3);
        })
      : does(...calls);
  };

overStores(`Random traffic (SEED=${seed})`, (bed) => {
  it('leaves counts that equal what is stored, numbers without holes, runs that have ended and messages that arrived once', async function traffic() {
    this.timeout(90_000);
    const random = new Random(seed);
    const clock = fastClock(20);
    const ids: string[] = [];
    const acknowledged: { id: string; agent: string }[] = [];
    let e = await bed.start(busy(ids), { clock, idleMs: 2000 });
    for (let i = 0; i < agentCount; i++)
      ids.push(
        (
          await e.service.spawnAgent(caller, {
            name: `agent-${i}`,
            wake_on_message: i % 3 !== 0,
            config: { multi_step: true, max_steps: 3 },
            ...(i % 5 === 0 && { memory_quota: 3 }),
          })
        ).id,
      );
    trouble(bed, random);
    for (const part of [1, 2]) {
      const work = Array.from({ length: 900 }, () => act(e, random, random.pick(ids), acknowledged));
      if (part === 1) {
        await new Promise((resolve) => {
          setTimeout(resolve, 60);
        });
        e.kill();
        void Promise.allSettled(work);
        e = await bed.start(busy(ids), { clock, idleMs: 2000 });
      } else await Promise.all(work);
    }
    if (bed.store instanceof MemoryStore) bed.store.beforeCommit = () => undefined;
    await eventually(
      async () => {
        for await (const heads of bed.store.activeHeads()) if (heads.length > 0) return false;
        return e.engine.stats().queued === 0;
      },
      'the end of all work',
      60_000,
    );
    const messages = await all(bed, 'message');
    const documents = new Set(messages.map((m) => `${m.entity.id}/${m.id}`));
    for (const { id, agent } of acknowledged)
      expect(documents.has(`${agent}/${id}`), `message ${id} to ${agent}`).to.equal(true);
    await agree(bed, e, ids, messages);
  });
});

/** Somebody else's writes and failures, where the store lets us. */
function trouble({ store }: Bed, random: Random): void {
  if (!(store instanceof MemoryStore)) return;
  store.beforeCommit = (commit) => {
    const chance = random.next();
    const key = entityKey(commit.entity);
    const head = store.heads.get(key);
    if (chance < 0.01) throw new Error('the store failed');
    if (chance < 0.03 && head && !head.snapshot['deleting']) store.heads.set(key, { ...head, seq: head.seq + 1 });
  };
}

async function act(
  e: Running,
  random: Random,
  agent: string,
  acknowledged: { id: string; agent: string }[],
): Promise<void> {
  const { service } = e;
  const content = `${random.pick(['', 'keep ', 'tell ', 'keep tell '])}${random.pick(['', 'long '])}${random.pick(['', '', 'slow '])}x`;
  try {
    switch (random.between(0, 7)) {
      case 0:
        await service.createMemory(caller, {
          type: random.pick(['note', 'fact']),
          content,
          agent_id: agent,
          ...(random.next() < 0.3 && { sessionId: 's' }),
        });
        break;
      case 1:
        await service.messageAgent(caller, agent, { content });
        break;
      case 2:
        await service.startRun(caller, agent, { input: content });
        break;
      case 3:
      case 4: {
        const { id } = await service.sendMessage(caller, agent, { content });
        acknowledged.push({ id, agent });
        break;
      }
      case 5:
        await service.patchAgent(caller, agent, { metadata: { at: random.between(0, 9) } });
        break;
      default: {
        const { items } = await service.listRuns(caller, agent, { sort: 'created_at', order: 'desc', limit: 1 });
        if (items[0] && !terminal.has(items[0].status)) await service.cancelRun(caller, agent, items[0].id);
      }
    }
  } catch (error) {
    const { code } = error as { code?: string };
    if (!['UNAVAILABLE', 'QUOTA_EXCEEDED', 'CONFLICT', 'AGENT_BUSY'].includes(code ?? '')) throw error;
  }
}

async function all(
  bed: Bed,
  collection: Exclude<CollectionName, 'workspace' | 'hive' | 'agent'>,
  agent?: string,
): Promise<Listed[]> {
  const out: Listed[] = [];
  const ids =
    agent === undefined
      ? (
          await bed.store.list({
            workspace: 'default',
            collection: 'agent',
            list: 'created',
            order: 'asc',
            limit: 10_000,
          })
        ).items.map((i) => i.id)
      : [agent];
  for (const id of ids) {
    for (let after: Position | undefined; ;) {
      const page = await bed.store.list({
        workspace: 'default',
        entity: agentRef(id),
        collection,
        list: 'created',
        order: 'asc',
        limit: 500,
        ...(after && { after }),
      });
      out.push(...page.items);
      if (!page.next) break;
      after = page.next;
    }
  }
  return out;
}

async function eventsOf({ store }: Bed, agent: string, run: string): Promise<RunEvent[]> {
  const out: RunEvent[] = [];
  for (;;) {
    const { events } = await eventsAfter(store, agentRef(agent), run, out.at(-1)?.seq ?? 0);
    if (events.length === 0) return out;
    out.push(...events);
  }
}

async function checkpointsOf({ service }: Running, agent: string): Promise<Checkpoint[]> {
  const out: Checkpoint[] = [];
  for (let after: Position | undefined; ;) {
    const page = await service.listCheckpoints(
      caller,
      agent,
      {},
      { sort: 'created_at', order: 'asc', limit: 100, ...(after && { after }) },
    );
    out.push(...page.items);
    if (!page.next) return out;
    after = page.next;
  }
}

async function agree(bed: Bed, e: Running, ids: readonly string[], messages: readonly Listed[]): Promise<void> {
  const ofAgent = (items: readonly Listed[], id: string): Listed[] => items.filter((i) => i.entity.id === id);
  const [memories, runs, outbox] = [await all(bed, 'memory'), await all(bed, 'run'), await all(bed, 'outbox')];
  const checkpoints: Checkpoint[] = [];
  for (const id of ids) checkpoints.push(...(await checkpointsOf(e, id)));
  expect(outbox).to.deep.equal([]);
  // told by an agent: once at the receiver for each send_message that a checkpoint says was done, and at no other
  const told = checkpoints.flatMap((c) => c.calls).filter((c) => c.tool === 'send_message' && c.ok);
  expect(messages.filter((m) => m.body['from'] !== external)).to.have.length(told.length);
  expect(new Set(messages.map((m) => m.id)).size).to.equal(messages.length);
  for (const id of ids) {
    const head = (await bed.store.head(agentRef(id))) as Head;
    const mine = ofAgent(memories, id);
    const inbox = ofAgent(messages, id).map((m) => m.body as unknown as StoredMessage);
    const mineRuns = ofAgent(runs, id).map(unpackRun);
    const own = checkpoints.filter((c) => c.agent_id === id);
    const { counts, snapshot } = head;
    expect(head).to.include({ active: false });
    expect(snapshot).to.deep.include({
      running: [],
      pending: [],
      outbox: 0,
      unread: inbox.filter((m) => m.read_at === null).length,
    });
    expect([counts['memories'] ?? 0, counts['messages'] ?? 0, counts['runs'] ?? 0], id).to.deep.equal([
      mine.length,
      inbox.length,
      mineRuns.length,
    ]);
    expect(counts['checkpoints'] ?? 0).to.equal(own.length);
    const places = mine.filter((m) => m.body['sessionId'] === 's').map((m) => m.body['position']);
    expect(places).to.deep.equal(places.map((_, i) => i));
    for (const run of mineRuns) {
      expect(terminal.has(run.status), `${run.id} is ${run.status}`).to.equal(true);
      expect((await eventsOf(bed, id, run.id)).map((ev) => ev.seq)).to.deep.equal(
        Array.from({ length: run.nextSeq - 1 }, (_, i) => i + 1),
      );
      expect(own.filter((c) => c.runId === run.id).map((c) => c.step)).to.deep.equal(
        Array.from({ length: run.steps }, (_, i) => i + 1),
      );
    }
    if (snapshot['wake_on_message'] === true)
      expect(
        inbox.filter((m) => m.read_at === null && m.hops <= 16 && m.wakes < 3),
        `${id} sleeps on unread messages`,
      ).to.deep.equal([]);
  }
  expect(await bed.store.sum('default', 'memories')).to.equal(memories.length);
}
