/** Data of all kinds for migrations between stores, and what is compared of it. */
import type { Commit, Store } from '../../../src/store/port.js';
import { commit, committed, entity, memory, message, put } from '../../contract/store/fixtures.js';

export async function fill(store: Store): Promise<void> {
  const later = Date.now() + 24 * 3_600_000;
  const a = entity('agent_a');
  await committed(
    store,
    commit(entity('ws_a', 'workspace'), 1, {
      snapshot: { id: 'ws_a', name: 'ws', cursorSecret: 'abc' },
      puts: [put('key', 'key_1', { hash: 'hash of key_1', created_at: 'x' }), put('audit', 'aud_1', { a: 1 })],
    }),
    commit(a, 1, {
      puts: Array.from({ length: 1200 }, (_, n) =>
        memory(`mem_${String(n).padStart(5, '0')}`, { sessionId: `s${n % 7}` }),
      ),
      counts: { memories: 1200, bytes: 7 },
      records: [{ id: 'cmd_1', bodyHash: 'h', result: { ok: 'ä\u0000\ud83d\ude00' }, expiresAt: later }],
    }),
    commit(a, 2, {
      puts: [
        message('msg_1', 3),
        put('run', 'run_1', { updated_at: 'u', status: 'running' }),
        put('outbox', 'out_1', {}),
      ],
      deletes: [{ kind: 'memory', id: 'mem_00007' }],
      counts: { memories: 1199, bytes: 6 },
      previousCounts: { memories: 1200, bytes: 7 },
      active: true,
      due: 4_000_000_000_000,
    }),
    commit(entity('agent_gone'), 1, { deleted: true, puts: [put('audit', 'aud_2', { a: 2 })] }),
    commit(entity('agent_a', 'agent', 'ws_a.sandbox'), 1, { puts: [put('token', 'tok_1', { hash: 'hash of tok_1' })] }),
  );
  for (let n = 0; n < 30; n++)
    await committed(store, commit(entity(`agent_${n}`), 1, { puts: [memory(`mem_of_${n}`)] }));
}

/** Everything that is stored, as text, without the numbers that order commits. */
export async function everything(store: Store): Promise<string[]> {
  const all: string[] = [];
  for await (const heads of store.allHeads())
    for (const { entity: of } of heads)
      for await (const part of store.contents(of)) {
        if (part.type === 'head') {
          const { snapshot, active, due, counts, deleted } = part.head;
          all.push(JSON.stringify([of, snapshot, active, due, Object.entries(counts).sort(), deleted]));
        }
        if (part.type !== 'content') continue;
        all.push(...part.documents.map((d) => JSON.stringify([d.kind, d.id, d.body])));
        all.push(...part.records.map((c) => JSON.stringify([c.id, c.bodyHash, c.result, c.expiresAt])));
      }
  return all.sort();
}

/** A store whose commits end with an error after a while, as with kill -9. */
export function dying(store: Store, commits: number): Store {
  let left = commits;
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commit')
        return (one: Commit) => (left-- > 0 ? target.commit(one) : Promise.reject(new Error('killed')));
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
