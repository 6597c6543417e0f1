/** Old records of the audit go, and those by which credentials are found stay. */
import { expect } from 'chai';
import { idsFrom } from '../../../src/domain/shared/ids.js';
import { sandboxOf } from '../../../src/domain/workspace/workspace.js';
import { keepAudit, removeOldAudit } from '../../../src/store/audit-retention.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { commit, committed, entity, put, start } from '../../contract/store/fixtures.js';

const day = 24 * 3_600_000;
/** An id of this time. */
const at = (ms: number, n: number): string => `${idsFrom('audit', ms)}${String(n).padStart(4, '0')}`;

async function filled(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const record = (ms: number, n: number, action: string) => put('audit', at(ms, n), { action, actor: 'key_1' });
  await committed(
    store,
    commit(entity('ws_a', 'workspace', 'ws_a'), 1, {
      puts: [
        record(start, 1, 'key.created'),
        record(start, 2, 'key.revoked'),
        record(start + 9 * day, 3, 'key.revoked'),
      ],
    }),
    commit(entity('agent_1'), 1, {
      puts: Array.from({ length: 450 }, (_, n) => record(start + n, n, 'memory.deleted')),
    }),
    commit(entity('agent_1', 'agent', sandboxOf('ws_a')), 1, { puts: [record(start, 1, 'memory.deleted')] }),
  );
  return store;
}
const left = async (store: MemoryStore, workspace = 'ws_a'): Promise<string[]> =>
  (await store.list({ workspace, collection: 'audit', list: 'created', order: 'asc', limit: 1000 })).items.map(
    ({ body }) => body.action,
  );

describe('Retention of the audit', () => {
  it('removes what is older, of all entities, and keeps that a key or token was created', async () => {
    const store = await filled();
    await removeOldAudit(store, start - day);
    expect(await left(store)).to.have.length(453);
    await removeOldAudit(store, start + 5 * day);
    expect(await left(store)).to.deep.equal(['key.created', 'key.revoked']);
    expect(await left(store, sandboxOf('ws_a'))).to.deep.equal([]);
  });

  it('looks again and again until it is stopped, also after a failure, and never where all is kept', async () => {
    const store = await filled();
    const timers: { ms: number; fn: () => void }[] = [];
    const clock = {
      now: () => start + 20 * day,
      after: (ms: number, fn: () => void) => {
        const timer = { ms, fn };
        timers.push(timer);
        return () => {
          timers.splice(timers.indexOf(timer), 1);
        };
      },
    };
    keepAudit(store, clock, 0, () => undefined);
    expect(timers).to.deep.equal([]);
    const failures: unknown[] = [];
    let works = false;
    const sometimes = {
      list: store.list.bind(store),
      removeOutliving: store.removeOutliving.bind(store),
      workspaces: () => {
        if (!works) throw new Error('the store is away');
        return store.workspaces();
      },
    };
    const stop = keepAudit(sometimes, clock, 5 * day, (error) => failures.push(error));
    const turn = async (): Promise<void> => {
      timers.shift()?.fn();
      while (timers.length === 0) await new Promise(setImmediate);
    };
    await turn();
    expect(failures).to.have.length(1);
    works = true;
    await turn();
    expect(await left(store)).to.deep.equal(['key.created']);
    stop();
    expect(timers).to.deep.equal([]);
  });
});
