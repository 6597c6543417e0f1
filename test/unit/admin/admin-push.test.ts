import { expect } from 'chai';
import type { AgentSnapshot } from '../../../src/domain/shared/snapshots.js';
import { createPushAdmin, type PushAdmin } from '../../../gateway/admin/pushes.js';
import { bounds } from '../../../src/domain/agent/agent-state.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';
import { idSource } from '../../../src/domain/shared/ids.js';
import type { StoredDeadLetter } from '../../../src/domain/task/push.js';
import { entityKey, type EntityRef } from '../../../src/store/port.js';
import { MemoryStore } from '../../helpers/memory-store.js';

const now = Date.parse('2026-11-21T10:00:00.000Z');
const agentIn = (workspace: string, id: string): EntityRef => ({ workspace, kind: 'agent', id });
const first = agentIn('default', 'agent_1');
const second = agentIn('default', 'agent_2');

function letter(id: string, { id: agent_id }: EntityRef): StoredDeadLetter {
  return {
    id,
    kind: 'push',
    created_at: '2026-11-20T10:00:00.000Z',
    updated_at: '2026-11-20T10:15:00.000Z',
    reason: 'the receiver answered 500',
    tries: 8,
    config: { id: 'config_1', url: 'https://hooks.example.com/x?secret=1', token: 'secret-token', version: '0.3' },
    task: {
      id: 'run_1',
      agent_id,
      status: 'completed',
      statusAt: '2026-11-20T10:00:00.000Z',
      statusSeq: 4,
      statusMessage: null,
      output: null,
      history: null,
      lastSeq: 4,
    },
  };
}

async function given(letters: Record<string, EntityRef>): Promise<{ store: MemoryStore; pushes: PushAdmin }> {
  const store = new MemoryStore();
  for (const agent of new Map(Object.values(letters).map((a) => [entityKey(a), a])).values()) {
    const own = Object.keys(letters).filter((id) => letters[id] === agent);
    await store.commit({
      entity: agent,
      seq: 1,
      snapshot: {
        id: agent.id,
        name: 'a',
        pushes: 2,
        outbox: 1,
        deleting: false,
        lastMs: now + 5,
        nextExpiry: now + 9,
      } as AgentSnapshot,
      active: false,
      due: null,
      deleted: false,
      counts: { memories: 7, deadLetters: own.length },
      previousCounts: {},
      deletes: [],
      records: [],
      puts: own.map((id) => ({ kind: 'deadLetter', id, body: { ...letter(id, agent) }, isNew: true })),
    });
  }
  return {
    store,
    pushes: createPushAdmin({
      store,
      clock: { now: () => now, after: () => () => undefined },
      ids: idSource((n) => new Uint8Array(n)),
    }),
  };
}

const stored = (store: MemoryStore): string[] => [...store.docs.values()].map((d) => `${d.kind} ${d.id}`).sort();
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (e: unknown) => (e instanceof HivekeepError ? e.code : String(e)),
  );

async function listed(pushes: PushAdmin, workspace: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of pushes.deadLetters(workspace)) ids.push(...page.map((l) => l.id));
  return ids;
}

describe('administration: dead letters', () => {
  it('lists those of a workspace, newest first, without the secrets of the receiver', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`out_${1000 + i}`, i % 2 ? first : second]));
    const { pushes } = await given({ ...many, out_9999: agentIn('other', 'agent_3') });
    expect(await listed(pushes, 'default')).to.deep.equal(Object.keys(many).reverse());
    for await (const [one] of pushes.deadLetters('other')) {
      expect(one).to.deep.equal({
        id: 'out_9999',
        agent_id: 'agent_3',
        task_id: 'run_1',
        config_id: 'config_1',
        url: 'https://hooks.example.com/x',
        status: 'completed',
        reason: 'the receiver answered 500',
        tries: 8,
        created_at: '2026-11-20T10:00:00.000Z',
        updated_at: '2026-11-20T10:15:00.000Z',
      });
    }
  });

  it('puts a letter back into the outbox, with the numbers, and wakes the agent', async () => {
    const { store, pushes } = await given({ out_1: first, out_2: first });
    expect(await pushes.replay('out_1', ['other', 'default'])).to.include({ id: 'out_1', agent_id: 'agent_1' });
    expect(stored(store)).to.deep.equal(['deadLetter out_2', 'outbox out_1']);
    const { config, task, kind, created_at } = letter('out_1', first);
    expect(store.get(first, 'outbox', 'out_1')!.body).to.deep.equal({ id: 'out_1', kind, config, task, created_at });
    const head = store.head(first)!;
    expect(head).to.deep.include({
      seq: 2,
      active: true,
      due: now,
      deleted: false,
      counts: { memories: 7, deadLetters: 1 },
    });
    expect(head.snapshot).to.include({ pushes: 3, outbox: 1, nextExpiry: now + 9 });
    expect(head.snapshot['lastMs'], 'the clock of an entity never stands still').to.equal(now + 6);
    await pushes.replay('out_2', ['default']);
    expect(store.head(first)!.counts, 'a number that reaches 0 is left out').to.deep.equal({ memories: 7 });
  });

  it('is decided again after a conflict, and keeps what the other wrote', async () => {
    const { store, pushes } = await given({ out_1: first });
    let raced = false;
    store.beforeCommit = async () => {
      if (raced) return;
      raced = true;
      const head = store.head(first)!;
      await store.commit({
        ...head,
        seq: head.seq + 1,
        snapshot: { ...head.snapshot, pushes: 1 },
        counts: { memories: 8, deadLetters: 1 },
        previousCounts: head.counts,
        puts: [],
        deletes: [],
        records: [],
      });
    };
    await pushes.replay('out_1', ['default']);
    expect(store.head(first)).to.deep.include({ seq: 3, counts: { memories: 8 } });
    expect(store.head(first)!.snapshot).to.include({ pushes: 2 });
  });

  it('of two that replay the same letter at once, one does', async () => {
    const { store, pushes } = await given({ out_1: first });
    const codes = await Promise.all([
      codeOf(pushes.replay('out_1', ['default'])),
      codeOf(pushes.replay('out_1', ['default'])),
    ]);
    expect(codes.sort()).to.deep.equal(['NOT_FOUND', 'no error']);
    expect(store.head(first)!.snapshot).to.include({ pushes: 3 });
    expect(stored(store)).to.deep.equal(['outbox out_1']);
  });

  it('replays all of a workspace, oldest first', async () => {
    const { store, pushes } = await given({
      out_2: first,
      out_1: second,
      out_3: first,
      out_4: agentIn('other', 'agent_3'),
    });
    store.commits.length = 0;
    expect(await pushes.replayAll('default')).to.equal(3);
    expect(store.commits.map((c) => c.puts[0]!.id)).to.deep.equal(['out_1', 'out_2', 'out_3']);
    expect(stored(store)).to.deep.equal(['deadLetter out_4', 'outbox out_1', 'outbox out_2', 'outbox out_3']);
    expect(await pushes.replayAll('default')).to.equal(0);
  });

  it('finds none that is not there, in another workspace, or of an agent that is being deleted', async () => {
    const { store, pushes } = await given({ out_1: first });
    expect(await codeOf(pushes.replay('out_2', ['default']))).to.equal('NOT_FOUND');
    expect(await codeOf(pushes.replay('out_1', ['other']))).to.equal('NOT_FOUND');
    expect(await codeOf(pushes.replay('out_1', []))).to.equal('NOT_FOUND');
    const head = store.head(first)!;
    store.heads.set(entityKey(first), { ...head, snapshot: { ...head.snapshot, deleting: true } });
    expect(await codeOf(pushes.replay('out_1', ['default']))).to.equal('NOT_FOUND');
    expect(await pushes.replayAll('default')).to.equal(0);
  });

  it('changes nothing where the agent has too many pushes waiting', async () => {
    const { store, pushes } = await given({ out_1: first });
    const head = store.head(first)!;
    store.heads.set(entityKey(first), { ...head, snapshot: { ...head.snapshot, pushes: bounds.pushes } });
    expect(await codeOf(pushes.replay('out_1', ['default']))).to.equal('CONFLICT');
    expect(stored(store)).to.deep.equal(['deadLetter out_1']);
  });

  it('gives up where others write the agent all the time', async () => {
    const { store, pushes } = await given({ out_1: first });
    store.commit = async () => 'conflict';
    expect(await codeOf(pushes.replay('out_1', ['default']))).to.equal('UNAVAILABLE');
  });
});
