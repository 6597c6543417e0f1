/** Heads as collections, timers, recovery, sums, tombstones and purge. */
import { fieldsOf } from '../../helpers/fields.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { iso } from '../../../src/domain/shared/clock.js';
import { fewestShards } from '../../../src/store/shards.js';
import type { EntityRef, OpenHead, Store } from '../../../src/store/port.js';
import {
  collect,
  commit,
  committed,
  entity,
  memory,
  message,
  put,
  start,
  type OpenStore,
  type Opened,
} from './fixtures.js';

export function headsContract(open: OpenStore, runs: number): void {
  let opened: Opened;
  let store: Store;
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });
  afterEach(() => opened.destroy());
  const a = entity('agent_1');

  const ids = async (query: {
    collection: 'agent' | 'hive';
    list: 'created' | 'updated' | 'hive' | 'name' | 'names' | 'status' | 'public';
    by?: string;
    from?: [string];
    until?: [string];
    order?: 'asc' | 'desc';
  }): Promise<string[]> =>
    (await store.list({ workspace: 'ws_a', order: 'asc', limit: 100, ...query })).items.map((i) => i.id);

  it('lists agents by the beginnings of their names in any case, by status, and the active ones that are public', async () => {
    const agent = (n: number, name: string, status: string, seq = 1) => {
      const config = n === 4 ? {} : { card: { public: n < 3 } };
      return commit(entity(`agent_${n}`), seq, { snapshot: { id: `agent_${n}`, name, status, config, hives: [] } });
    };
    await committed(
      store,
      agent(1, 'Planner', 'active'),
      agent(2, 'plan b', 'inactive'),
      agent(3, 'Pläne \u{1f41d}', 'active'),
      agent(4, 'ZEBRA', 'active'),
    );
    const named = (begins: string) =>
      ids({ collection: 'agent', list: 'names', from: [begins], until: [`${begins}\uffff`] });
    expect(await named('plan')).to.deep.equal(['agent_2', 'agent_1']);
    expect(await named('pläne \u{1f41d}')).to.deep.equal(['agent_3']);
    expect(await named('')).to.deep.equal(['agent_2', 'agent_1', 'agent_3', 'agent_4']);
    expect(await ids({ collection: 'agent', list: 'status', by: 'active' })).to.deep.equal([
      'agent_1',
      'agent_3',
      'agent_4',
    ]);
    const open = () => ids({ collection: 'agent', list: 'public', by: 'yes' });
    expect(await open()).to.deep.equal(['agent_1']);
    await committed(store, agent(1, 'Writer', 'inactive', 2));
    expect(await open()).to.deep.equal([]);
    expect(await named('plan')).to.deep.equal(['agent_2']);
    expect(await named('wri')).to.deep.equal(['agent_1']);
    expect(await ids({ collection: 'agent', list: 'status', by: 'inactive' })).to.deep.equal(['agent_1', 'agent_2']);
  });

  it('keeps the first of all claims of one id until it expires, beside the commits of its entity', async () => {
    const claimed = (id: string, result: unknown, expiresAt = 100, bodyHash = 'body') => ({
      id,
      bodyHash,
      result,
      expiresAt,
    });
    const first = claimed('k', { id: 'agent_ä' });
    expect(await store.claim(a, first, 0), 'of an entity that has no head').to.equal(null);
    expect(await store.claim(a, claimed('k', 'later', 200, 'other'), 99)).to.deep.equal(first);
    expect(await store.claim(entity('agent_2'), claimed('k', 2), 0), 'by entity').to.equal(null);
    expect(await store.claim(entity('agent_1', 'hive'), claimed('k', 3), 0)).to.equal(null);
    const rush = await Promise.all(Array.from({ length: 10 }, async (_, n) => store.claim(a, claimed('rush', n), 0)));
    const winner = rush.indexOf(null);
    expect(
      rush.map((kept, n) => (kept === null ? n : kept.result)),
      'ten at once',
    ).to.deep.equal(rush.map(() => winner));
    store = await opened.reopen();
    expect(await store.record(a, 'k', 99)).to.deep.equal(first);
    expect(await store.record(a, 'k', 100), 'expired').to.equal(null);
    const second = claimed('k', 'second', 300, 'other');
    expect(await store.claim(a, second, 100)).to.equal(null);
    expect(await store.claim(a, first, 299)).to.deep.equal(second);

    const own = claimed('own', 1, 300);
    await committed(store, commit(a, 1, { records: [own] }));
    expect(await store.claim(a, claimed('own', 2), 0), 'what a commit has recorded is claimed').to.deep.equal(own);
    await committed(store, commit(a, 2, { records: [claimed('k', 'of a commit', 400)] }));
    expect((await store.record(a, 'k', 0))?.result, 'a commit has the last word').to.equal('of a commit');
  });

  it('lists agents by creation, update, hive and name, from their snapshots', async () => {
    const agent = (n: number, updated: number, hives: string[], name: string) =>
      commit(entity(`agent_${n}`), 1, {
        snapshot: { id: `agent_${n}`, name, hives, updated_at: iso(start + updated) },
      });
    await committed(store, agent(1, 30, ['h1'], 'Ann'), agent(2, 10, ['h1', 'h2'], 'Bob'), agent(3, 20, [], 'Ann'));
    await committed(
      store,
      commit(entity('hive_1', 'hive'), 1, { snapshot: { id: 'hive_1', updated_at: 'b' } }),
      commit(entity('hive_2', 'hive'), 1, { snapshot: { id: 'hive_2', updated_at: 'a' } }),
    );
    expect(await ids({ collection: 'agent', list: 'created' })).to.deep.equal(['agent_1', 'agent_2', 'agent_3']);
    expect(await ids({ collection: 'agent', list: 'updated' })).to.deep.equal(['agent_2', 'agent_3', 'agent_1']);
    expect(await ids({ collection: 'agent', list: 'updated', order: 'desc' })).to.deep.equal([
      'agent_1',
      'agent_3',
      'agent_2',
    ]);
    expect(await ids({ collection: 'agent', list: 'hive', by: 'h1' })).to.deep.equal(['agent_1', 'agent_2']);
    expect(await ids({ collection: 'agent', list: 'hive', by: 'h2' })).to.deep.equal(['agent_2']);
    expect(await ids({ collection: 'agent', list: 'name', by: 'Ann' })).to.deep.equal(['agent_1', 'agent_3']);
    expect(await ids({ collection: 'hive', list: 'updated' })).to.deep.equal(['hive_2', 'hive_1']);

    await committed(
      store,
      commit(entity('agent_2'), 2, {
        snapshot: { id: 'agent_2', name: 'Ann', hives: ['h2'], updated_at: iso(start + 99) },
      }),
    );
    expect(await ids({ collection: 'agent', list: 'updated' })).to.deep.equal(['agent_3', 'agent_1', 'agent_2']);
    expect(await ids({ collection: 'agent', list: 'hive', by: 'h1' })).to.deep.equal(['agent_1']);
    expect(await ids({ collection: 'agent', list: 'name', by: 'Bob' })).to.deep.equal([]);
    const page = await store.list({
      workspace: 'ws_a',
      collection: 'agent',
      list: 'name',
      by: 'Ann',
      order: 'desc',
      limit: 1,
    });
    expect(page.items[0]).to.deep.include({ id: 'agent_3', entity: entity('agent_3') });
  });

  it('a tombstone is listed nowhere, answers as a head, and its id is not used again', async () => {
    await committed(store, commit(a, 1, { active: true, due: 3, counts: { memories: 2 } }));
    await committed(store, commit(a, 2, { deleted: true, snapshot: {} }));
    expect(await ids({ collection: 'agent', list: 'created' })).to.deep.equal([]);
    expect(await ids({ collection: 'agent', list: 'updated' })).to.deep.equal([]);
    expect((await store.head(a))?.deleted).to.equal(true);
    expect(await store.commit(commit(a, 1))).to.equal('conflict');
    expect(await collect(store.activeHeads())).to.deep.equal([]);
    expect(await store.dueHeads(10, 10)).to.deep.equal([]);
    expect(await store.sum('ws_a', 'memories')).to.equal(0);
    expect(await store.count({ workspace: 'ws_a', collection: 'agent', list: 'created' }, 10)).to.deep.equal({
      count: 0,
      exact: true,
    });
  });

  it('finds the heads with work left, each once, deleted ones too', async () => {
    const refs = Array.from({ length: 600 }, (_, i) =>
      entity(`agent_${String(i).padStart(4, '0')}`, i % 7 === 0 ? 'hive' : 'agent', `ws_${i % 3}`),
    );
    await Promise.all(refs.map((r, i) => store.commit(commit(r, 1, { active: i % 2 === 0, deleted: i % 10 === 0 }))));
    const found = (await collect(store.activeHeads())).map((h) => h.entity.id).sort();
    expect(found).to.deep.equal(
      refs
        .filter((_, i) => i % 2 === 0)
        .map((r) => r.id)
        .sort(),
    );
    await committed(store, commit(refs[0]!, 2));
    expect((await collect(store.activeHeads())).some((h) => h.entity.id === refs[0]!.id)).to.equal(false);
  });

  it('finds heads by shard: those with work left, and those that are due, each in its shard and in no other', async () => {
    const refs = Array.from({ length: 300 }, (_, i) => entity(`agent_${i}`, 'agent', `ws_${i % 3}`));
    await Promise.all(
      refs.map((r, i) => store.commit(commit(r, 1, { active: i % 2 === 0, due: i % 5 === 0 ? i : null }))),
    );
    const shards = [...new Set(refs.map(fewestShards.of))].sort((x, y) => x - y);
    const some = shards.filter((_, i) => i % 3 === 0);
    const inSome = (r: EntityRef): boolean => some.includes(fewestShards.of(r));
    const names = (heads: OpenHead[]): string[] => heads.map((h) => h.entity.id);
    expect(names(await collect(store.activeHeads(some))).sort()).to.deep.equal(
      refs
        .filter((r, i) => i % 2 === 0 && inSome(r))
        .map((r) => r.id)
        .sort(),
    );
    expect(names(await store.dueHeads(1000, 1000, some))).to.deep.equal(
      refs.filter((r, i) => i % 5 === 0 && inSome(r)).map((r) => r.id),
    );
    expect(names(await store.dueHeads(1000, 3, some))).to.deep.equal(
      refs
        .filter((r, i) => i % 5 === 0 && inSome(r))
        .slice(0, 3)
        .map((r) => r.id),
    );
    expect(await collect(store.activeHeads([]))).to.deep.equal([]);
    expect(await store.dueHeads(1000, 10, [])).to.deep.equal([]);
    const all = fewestShards.all;
    expect(await collect(store.activeHeads(all))).to.have.length(150);
    expect(await store.dueHeads(1000, 1000, all)).to.have.length(60);
  });

  it('a load answers the newest head; a release of the last commit changes nothing that is read, and one of an older commit nothing at all', async () => {
    expect(await store.load(a)).to.equal(null);
    await committed(
      store,
      commit(a, 1, {
        active: true,
        due: 7,
        counts: { memories: 1 },
        puts: [memory('mem_1')],
        records: [{ id: 'cmd', bodyHash: 'h', result: 1, expiresAt: 99 }],
      }),
    );
    const head = await store.head(a);
    const loaded = await store.load(a);
    expect(loaded).to.deep.include(head);
    // an adapter whose commits may be seen in part says what the last one changed, as long as its writer holds on to it
    if (loaded?.lastChanges) {
      expect(loaded.lastChanges.puts.map(({ kind, id, body }) => [kind, id, fieldsOf(body)['id']])).to.deep.equal([
        ['memory', 'mem_1', 'mem_1'],
      ]);
      expect(loaded.lastChanges.deletes).to.deep.equal([]);
    }
    store.release(a, 1);
    await opened.released?.();
    expect(await store.load(a)).to.deep.equal(head);
    expect(
      (await collect(store.activeHeads())).map((h) => h.entity),
      'it is active',
    ).to.deep.equal([a]);
    expect((await store.get(a, 'memory', 'mem_1'))?.id).to.equal('mem_1');
    expect((await store.record(a, 'cmd', 0))?.result).to.equal(1);

    await committed(store, commit(a, 2, { active: false, puts: [memory('mem_2')] }));
    store.release(a, 1);
    store.release(a, 9);
    await opened.released?.();
    expect((await store.load(a))?.seq).to.equal(2);
    store.release(a, 2);
    await opened.released?.();
    expect(await collect(store.activeHeads())).to.deep.equal([]);
    expect((await store.get(a, 'memory', 'mem_2'))?.id).to.equal('mem_2');
    await committed(store, commit(a, 3));
    expect((await store.head(a))?.seq).to.equal(3);
  });

  it('finds due heads, earliest first, at most so many, and only the newest time of each', async () => {
    await committed(
      store,
      commit(entity('agent_1'), 1, { due: 300 }),
      commit(entity('agent_2'), 1, { due: 100 }),
      commit(entity('hive_1', 'hive', 'ws_b'), 1, { due: 200.5 }),
      commit(entity('agent_4'), 1, { due: 1000 }),
      commit(entity('agent_5'), 1, { due: -5 }),
    );
    const due = async (now: number, limit = 10): Promise<string[]> =>
      (await store.dueHeads(now, limit)).map((h) => h.entity.id);
    expect(await due(300)).to.deep.equal(['agent_5', 'agent_2', 'hive_1', 'agent_1']);
    expect(await due(299)).to.deep.equal(['agent_5', 'agent_2', 'hive_1']);
    expect(await due(300, 2)).to.deep.equal(['agent_5', 'agent_2']);
    expect(await due(300, 0)).to.deep.equal([]);
    expect((await store.dueHeads(300, 10, undefined, 200.5)).map((h) => [h.entity.id, h.due])).to.deep.equal([
      ['hive_1', 200.5],
      ['agent_1', 300],
    ]);
    await committed(store, commit(entity('agent_2'), 2, { due: 5000 }), commit(entity('agent_5'), 2, { due: null }));
    expect(await due(300)).to.deep.equal(['hive_1', 'agent_1']);
  });

  it('lists all workspaces', async () => {
    for (const w of ['ws_a', 'ws_b', 'ws_c']) await committed(store, commit(entity(w, 'workspace', w), 1));
    await committed(store, commit(entity('ws_b', 'workspace', 'ws_b'), 2, { deleted: true }), commit(a, 1));
    expect((await collect(store.workspaces())).map((h) => h.entity.id)).to.deep.equal(['ws_a', 'ws_c']);
  });

  it('sums of counts follow the heads: up, down, new names and gone names, also after opening again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            agent: fc.integer({ min: 0, max: 3 }),
            counts: fc.dictionary(fc.constantFrom('memories', 'messages', 'x'), fc.integer({ min: -5, max: 1000 })),
            reopen: fc.boolean(),
          }),
          { maxLength: 12 },
        ),
        async (steps) => {
          const workspace = `ws_${Math.random()}`;
          const heads = new Map<number, { seq: number; counts: Record<string, number> }>();
          for (const { agent, counts, reopen } of steps) {
            const seq = (heads.get(agent)?.seq ?? 0) + 1;
            await committed(
              store,
              commit(entity(`agent_${agent}`, 'agent', workspace), seq, {
                counts,
                previousCounts: heads.get(agent)?.counts ?? {},
              }),
            );
            heads.set(agent, { seq, counts });
            if (reopen) store = opened.store = await opened.reopen();
            for (const name of ['memories', 'messages', 'x']) {
              expect((await store.sums(workspace))[name] ?? 0).to.equal(await store.sum(workspace, name));
              expect(await store.sum(workspace, name)).to.equal(
                [...heads.values()].reduce((sum, h) => sum + (h.counts[name] ?? 0), 0),
              );
            }
          }
        },
      ),
      { numRuns: Math.min(15, runs) },
    );
  });

  it('a sum that is asked for while commits are in flight is exact when they have settled', async () => {
    const refs = Array.from({ length: 200 }, (_, i) => entity(`agent_${i}`));
    await Promise.all(refs.map((r) => store.commit(commit(r, 1, { counts: { memories: 1 } }))));
    for (let n = 1; n <= 8; n++) {
      store = opened.store = await opened.reopen();
      const more = { counts: { memories: n + 1 }, previousCounts: { memories: n } };
      const running = refs.map((r, i) => store.commit(commit(r, i % 4 === 0 ? 1 : n + 1, more)));
      const sums = [store.sum('ws_a', 'memories'), store.sum('ws_a', 'memories')];
      await Promise.all([...running, ...sums]);
      expect(await store.sum('ws_a', 'memories')).to.equal(50 + 150 * (n + 1));
    }
    expect(await store.sum('ws_a', 'nothing')).to.equal(0);
  });

  it('keeps how many bytes a workspace stores, also what came before it was first asked for, and after opening again', async () => {
    const [a, b, other] = [entity('agent_1'), entity('agent_2'), entity('agent_1', 'agent', 'ws_b')];
    await committed(store, commit(a, 1, { counts: { bytes: 1000 } }));
    await committed(store, commit(other, 1, { counts: { bytes: 7 } }));
    expect(await store.storage('ws_a')).to.equal(1000);
    await committed(store, commit(b, 1, { counts: { bytes: 500, memories: 1 } }));
    await committed(store, commit(a, 2, { counts: { bytes: 300 }, previousCounts: { bytes: 1000 } }));
    expect(await store.storage('ws_a')).to.equal(800);
    await committed(store, commit(b, 2, { deleted: true, previousCounts: { bytes: 500, memories: 1 } }));
    store = opened.store = await opened.reopen();
    expect([await store.storage('ws_a'), await store.storage('ws_b')]).to.deep.equal([300, 7]);
    expect(await store.storage('ws_none')).to.equal(0);
  });

  it('purges what an entity owns, in chunks, entries included, and nothing else', async () => {
    const b = entity('agent_10');
    const puts = [
      ...Array.from({ length: 25 }, (_, i) => memory(`mem_a${i}`, { sessionId: 's', expires_at: iso(start + 9) })),
      ...Array.from({ length: 10 }, (_, i) => message(`msg_a${i}`, i)),
      put('token', 'tok_a', { hash: 'a' }),
      put('run', 'run_a', { updated_at: 'x' }),
    ];
    await committed(
      store,
      commit(a, 1, { puts, records: [{ id: 'cmd', bodyHash: 'h', result: 1, expiresAt: 99 }] }),
      commit(b, 1, { puts: [memory('mem_b', { sessionId: 's' }), put('token', 'tok_b', { hash: 'b' })] }),
    );
    await committed(store, commit(a, 2, { active: true, deleted: true }));
    let rounds = 1;
    while (!(await store.purge(a, 10))) rounds++;
    expect(rounds).to.be.within(4, 6);
    expect(await store.purge(a, 10)).to.equal(true);
    expect(await store.get(a, 'memory', 'mem_a3')).to.equal(null);
    expect(await store.find('ws_a', 'memory', 'mem_a3')).to.equal(null);
    expect(await store.lookup('token', 'a')).to.equal(null);
    for (const query of [
      { collection: 'memory', list: 'created' },
      { collection: 'memory', list: 'updated' },
      { collection: 'memory', list: 'session', by: 's' },
    ] as const) {
      expect(
        (await store.list({ workspace: 'ws_a', ...query, order: 'asc', limit: 100 })).items.map((i) => i.id),
        query.list,
      ).to.deep.equal(['mem_b']);
    }
    for (const query of [
      { collection: 'message', list: 'inbox' },
      { collection: 'memory', list: 'expiring', by: 'yes' },
      { collection: 'run', list: 'updated' },
      { collection: 'token', list: 'created' },
    ] as const) {
      expect(
        (await store.list({ workspace: 'ws_a', entity: a, ...query, order: 'asc', limit: 100 })).items,
        query.list,
      ).to.deep.equal([]);
      expect((await store.count({ workspace: 'ws_a', entity: a, ...query }, 100)).count, query.list).to.equal(0);
    }
    expect((await store.lookup('token', 'b'))?.id).to.equal('tok_b');
    expect((await store.head(a))?.seq).to.equal(2);
    expect(await store.record(a, 'cmd', 0), 'a repeated delete still finds its answer').not.to.equal(null);
    expect(await store.purge(entity('agent_nobody'), 10)).to.equal(true);
  });

  it('leaves audit records where they are, found and listed, behind the purge', async () => {
    const record = (id: string) => put('audit', id, { action: 'token.revoked' });
    await committed(
      store,
      commit(a, 1, {
        puts: [
          memory('mem_1'),
          record('aud_1'),
          ...Array.from({ length: 8 }, (_, i) => message(`msg_${i}`, i)),
          put('token', 'tok_1', { hash: 'h' }),
          record('aud_3'),
        ],
      }),
      commit(a, 2, { deleted: true }),
    );
    await committed(store, commit(entity('ws_a', 'workspace', 'ws_a'), 1, { puts: [record('aud_2')] }));
    for (let rounds = 0; !(await store.purge(a, 3)); rounds++) expect(rounds).to.be.below(10);
    expect(await store.get(a, 'memory', 'mem_1')).to.equal(null);
    expect(await store.lookup('token', 'h')).to.equal(null);
    expect(await store.find('ws_a', 'audit', 'aud_1')).to.deep.include({
      id: 'aud_1',
      body: { id: 'aud_1', action: 'token.revoked' },
    });
    expect(
      (
        await store.list({ workspace: 'ws_a', collection: 'audit', list: 'created', order: 'desc', limit: 10 })
      ).items.map((i) => i.id),
    ).to.deep.equal(['aud_3', 'aud_2', 'aud_1']);
  });

  it('removes records of the audit from all lists, of an entity that is there and of one that was deleted', async () => {
    const record = (id: string) => put('audit', id, { action: 'agent.updated', actor: 'key_1', agent_id: 'agent_1' });
    const b = entity('agent_10');
    await committed(store, commit(a, 1, { puts: [record('aud_1'), record('aud_3'), memory('mem_1')] }));
    await committed(store, commit(b, 1, { puts: [record('aud_2'), record('aud_4')] }), commit(b, 2, { deleted: true }));
    for (let rounds = 0; !(await store.purge(b, 3)); rounds++) expect(rounds).to.be.below(10);
    expect(await store.removeOutliving(a, 'audit', ['aud_1', 'aud_none'])).to.equal(true);
    expect(await store.removeOutliving(b, 'audit', ['aud_2'])).to.equal(true);
    expect(await store.removeOutliving(a, 'audit', ['aud_1'])).to.equal(true);
    for (const query of [
      { list: 'created' },
      { list: 'action', by: 'agent.updated' },
      { list: 'actor', by: 'key_1' },
      { list: 'agent', by: 'agent_1' },
    ] as const) {
      const listed = { workspace: 'ws_a', collection: 'audit', order: 'asc', limit: 10, ...query } as const;
      expect(
        (await store.list(listed)).items.map((i) => i.id),
        query.list,
      ).to.deep.equal(['aud_3', 'aud_4']);
    }
    expect(await store.find('ws_a', 'audit', 'aud_1')).to.equal(null);
    expect(await store.get(a, 'memory', 'mem_1')).to.not.equal(null);
    const use = { month: '2026-11', of: 'x', agent_id: 'agent_9' };
    await committed(store, commit(a, 2, { puts: [record('aud_5'), put('subjectUse', '2026-11-x', use)] }));
    const uses = { workspace: 'ws_a', collection: 'subjectUse', list: 'subject', by: '2026-11 x' } as const;
    expect((await store.list({ ...uses, order: 'asc', limit: 10 })).items.map((i) => i.id)).to.deep.equal([
      '2026-11-x',
    ]);
    expect(await store.removeOutliving(a, 'subjectUse', ['2026-11-x'])).to.equal(true);
    expect((await store.list({ ...uses, order: 'asc', limit: 10 })).items).to.deep.equal([]);
    // its entity goes on as before
    expect((await store.load(a))?.seq).to.equal(2);
  });

  it('purges long documents up to its limit and no further, entries included', async () => {
    const puts = Array.from({ length: 10 }, (_, i) =>
      put('message', `msg_${i}`, { ...message(`msg_${i}`, i).body, content: 'x'.repeat(200_000) }),
    );
    await committed(store, commit(a, 1, { puts }), commit(a, 2, { active: true, deleted: true }));
    expect(await store.purge(a, 7)).to.equal(false);
    expect(
      (
        await store.list({
          workspace: 'ws_a',
          entity: a,
          collection: 'message',
          list: 'created',
          order: 'asc',
          limit: 100,
        })
      ).items,
    ).to.have.length(3);
    expect(await store.purge(a, 7)).to.equal(true);
    expect(
      (
        await store.list({
          workspace: 'ws_a',
          entity: a,
          collection: 'message',
          list: 'inbox',
          order: 'asc',
          limit: 100,
        })
      ).items,
    ).to.deep.equal([]);
  });
}
