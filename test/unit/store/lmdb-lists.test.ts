/** Lists of which most documents have no entries. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ListQuery, Position, Put, PutOf, Store } from '../../../src/store/port.js';
import { docEntries, docKey } from '../../../src/store/lmdb/entries.js';
import { defaultMapSize, openEnvironment, openTrees } from '../../../src/store/lmdb/environment.js';
import { entityPrefix } from '../../../src/store/keys.js';
import { Lists } from '../../../src/store/lmdb/lists.js';
import { ReadSnapshots } from '../../../src/store/lmdb/snapshots.js';
import { commit, committed, entity, put } from '../../contract/store/fixtures.js';
import { Workbench } from './helpers.js';

const a = entity('agent_1');

describe('lists of the embedded store: the usual partition', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-lists-'));
  const root = openEnvironment(dir, defaultMapSize);
  const trees = openTrees(root);
  const lists = new Lists(trees, new ReadSnapshots(trees), 4);
  after(async () => {
    await root.close();
    rmSync(dir, { recursive: true });
  });

  const completed = { workspace: a.workspace, collection: 'run', list: 'status', by: 'completed' } as const;
  const ids = async (query: Pick<ListQuery, 'order' | 'limit' | 'after'>) => {
    const { items, next } = await lists.list({ ...completed, ...query });
    return { ids: items.map(({ id }) => id), next };
  };

  before(async () => {
    const prefix = entityPrefix(a);
    // oldest first: one completed run, ten that failed, two completed ones
    for (let n = 1; n <= 13; n++) {
      const id = `run_${String(n).padStart(2, '0')}`;
      const body = { status: n === 1 || n > 11 ? 'completed' : 'failed', updated_at: 'x' };
      await trees.docs.put(docKey(prefix, 'run', id), JSON.stringify(body));
      for (const { tree, key, value } of docEntries(a, prefix, 'run', id, body)) await trees[tree].put(key, value);
    }
  });

  it('a page passes so many others and no more, and the next goes on behind them', async () => {
    for (const [order, found] of [
      ['desc', ['run_13', 'run_12', 'run_01']],
      ['asc', ['run_01', 'run_12', 'run_13']],
    ] as const) {
      const first = await ids({ order, limit: 10 });
      expect(first.ids.length).to.be.lessThan(3);
      const all = [...first.ids];
      let pages = 1;
      for (let { next } = first; next !== null; pages++) {
        const page = await ids({ order, limit: 10, after: next });
        all.push(...page.ids);
        next = page.next;
      }
      expect(all).to.deep.equal(found);
      expect(pages).to.equal(3); // ten others, four at a time
    }
  });

  it('a count passes so many others, and is a lower bound then', async () => {
    expect(await lists.count(completed, 100)).to.deep.equal({ count: 1, exact: false });
    expect(await lists.count({ ...completed, by: 'failed' }, 100)).to.deep.equal({ count: 10, exact: true });
  });
});

describe('lists of the embedded store: runs that open a session', () => {
  const bench = new Workbench();
  before(bench.setUp);
  after(bench.tearDown);
  let store: Store;
  const b = entity('agent_2');
  const at = (n: number): string => `01m84gt0ra01${String(n).padStart(14, '0')}`;
  // every third run opens a session that is named after it, every fifth one that a client named
  const opens = (n: number): boolean => n % 3 === 0 || n % 5 === 0;
  const run = (n: number): Put =>
    put('run', `run_${at(n)}`, {
      status: n % 2 === 0 ? 'completed' : 'failed',
      updated_at: '',
      sessionId: n % 3 === 0 ? `sess_${at(n)}` : n % 5 === 0 ? `client ${n}` : `sess_${at(n - (n % 3))}`,
      ...(opens(n) && { opens: true }),
    });
  const ids = Array.from({ length: 40 }, (_, n) => n);
  const idsOf = (numbers: readonly number[]): string[] => numbers.map((n) => `run_${at(n)}`);
  const opening = { workspace: a.workspace, collection: 'run', list: 'opening', by: 'yes' } as const;

  async function all(of: Pick<ListQuery<'run'>, 'entity' | 'order' | 'limit' | 'from' | 'until'>): Promise<string[]> {
    const found: string[] = [];
    for (let after: Position | undefined; ;) {
      const { items, next } = await store.list({ ...opening, ...of, ...(after && { after }) });
      found.push(...items.map(({ id }) => id));
      if (next === null) return found;
      after = next;
    }
  }

  async function inSession(by: string, limit: number): Promise<string[]> {
    const of = { workspace: a.workspace, entity: a, collection: 'run', list: 'session', by } as const;
    const pages: string[][] = [];
    for (const order of ['asc', 'desc'] as const) {
      const found: string[] = [];
      let after: Position | undefined;
      do {
        const page = await store.list({ ...of, order, limit, ...(after && { after }) });
        found.push(...page.items.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after);
      pages.push(found);
    }
    expect(pages[1]).to.deep.equal(pages[0]?.toReversed());
    expect((await store.count(of, 10)).count).to.equal(pages[0]?.length);
    return pages[0] ?? [];
  }

  before(async () => {
    store = await bench.open();
    const own = (agent: number) => ids.filter((n) => n % 4 === agent);
    await committed(store, commit(a, 1, { puts: own(0).map(run) }), commit(b, 1, { puts: own(1).map(run) }));
  });

  it('are listed in their order and counted, in pages of any size', async () => {
    for (const [of, has] of [
      [undefined, [0, 1]],
      [a, [0]],
      [b, [1]],
    ] as const) {
      const wanted = idsOf(ids.filter((n) => opens(n) && has.some((agent) => agent === n % 4)));
      const entityOf = of && { entity: of };
      for (const limit of [1, 2, 7, 100]) {
        expect(await all({ ...entityOf, order: 'asc', limit })).to.deep.equal(wanted);
        expect(await all({ ...entityOf, order: 'desc', limit })).to.deep.equal(wanted.toReversed());
      }
      expect(await store.count({ ...opening, ...entityOf }, 100)).to.deep.equal({ count: wanted.length, exact: true });
    }
    for (const limit of [1, 10])
      for (const [session, runs] of [
        [`sess_${at(12)}`, [12]],
        [`sess_${at(24)}`, [24]],
        ['client 20', [20]],
        [`sess_${at(2)}`, []],
        [`sess_${at(1)}`, []],
      ] as const)
        expect(await inSession(session, limit), session).to.deep.equal(idsOf(runs));
    expect(await inSession(`sess_${at(39)}`, 1), 'of another agent').to.deep.equal([]);
    const between = { from: [`run_${at(5)}`], until: [`run_${at(20)}`] };
    expect(await all({ ...between, order: 'asc', limit: 2 })).to.deep.equal(idsOf([5, 9, 12]));
    expect(await all({ ...between, entity: a, order: 'desc', limit: 3 })).to.deep.equal(idsOf([12]));
  });

  it('a session that goes on is listed from its first run on, and so is its journal', async () => {
    const c = entity('agent_3');
    const session = `sess_${at(50)}`;
    const said = { sessionId: session, created_at: '', updated_at: '', status: 'completed' };
    const puts = [50, 51, 52].flatMap((n) => {
      const entryOf = { runId: `run_${at(n)}`, sessionId: session, created_at: '', firstSeq: 1, step: n };
      return [
        put('run', `run_${at(n)}`, { ...said, ...(n === 50 && { opens: true }) }),
        put('journal', `ckpt_${at(n)}`, entryOf),
      ];
    });
    await committed(store, commit(c, 1, { puts }));
    for (const [collection, prefix] of [
      ['run', 'run_'],
      ['journal', 'ckpt_'],
    ] as const) {
      const of = { workspace: c.workspace, entity: c, collection, list: 'session', by: session } as const;
      const wanted = [50, 51, 52].map((n) => prefix + at(n));
      for (const order of ['asc', 'desc'] as const) {
        const found: string[] = [];
        for (let after: Position | undefined; ;) {
          const { items, next } = await store.list({ ...of, order, limit: 1, ...(after && { after }) });
          found.push(...items.map(({ id }) => id));
          if (next === null) break;
          after = next;
        }
        expect(found).to.deep.equal(order === 'asc' ? wanted : wanted.toReversed());
      }
      expect(await store.count(of, 10)).to.deep.equal({ count: 3, exact: true });
      expect(await store.count(of, 2)).to.deep.equal({ count: 2, exact: false });
    }
    await committed(store, commit(c, 2, { deletes: [{ kind: 'run', id: `run_${at(50)}` }] }));
    const left = await store.list({
      ...{ workspace: c.workspace, entity: c, collection: 'journal', list: 'session', by: session },
      order: 'asc',
      limit: 10,
    });
    expect(left.items.map(({ id }) => id)).to.deep.equal([`ckpt_${at(51)}`, `ckpt_${at(52)}`]);
    await committed(
      store,
      commit(c, 3, { puts: [], deletes: [51, 52].map((n) => ({ kind: 'run', id: `run_${at(n)}` })) }),
    );
  });

  it('what they were is gone when they open none any more, or are deleted', async () => {
    const { body } = run(12);
    const changed = {
      kind: 'run',
      id: `run_${at(12)}`,
      body: { ...body, opens: false },
      isNew: false,
    } as object as PutOf<'run'>;
    await committed(
      store,
      commit(a, 2, { puts: [changed], deletes: [{ kind: 'run', id: `run_${at(24)}` }] }),
      commit(b, 2, {
        puts: [
          {
            ...changed,
            id: `run_${at(13)}`,
            body: { ...changed.body, ...(run(13) as PutOf<'run'>).body, opens: true },
          },
        ],
      }),
    );
    const left = ids.filter((n) => opens(n) && n % 4 === 0 && n !== 12 && n !== 24);
    expect(await all({ entity: a, order: 'asc', limit: 4 })).to.deep.equal(idsOf(left));
    expect(await all({ entity: b, order: 'asc', limit: 4 })).to.include(`run_${at(13)}`);
    expect(await all({ order: 'desc', limit: 4 }))
      .to.include(`run_${at(13)}`)
      .and.not.include(`run_${at(24)}`);
  });

  it('one of a session of its own has no entries in the lists of those', async () => {
    await store.close();
    const root = openEnvironment(join(bench.dir, 'data'), defaultMapSize);
    const { docs, lists } = openTrees(root);
    for (const tree of [docs, lists]) {
      const keys = [...tree.getKeys({ start: '\x01' })].filter((key) => key.includes('\0run:opening\0'));
      expect(keys.some((key) => key.endsWith(at(20)))).to.equal(true);
      expect(keys.filter((key) => key.endsWith(at(36)))).to.deep.equal([]);
    }
    await root.close();
  });
});
