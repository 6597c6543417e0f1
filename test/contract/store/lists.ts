/** Lists and counts: every list of every collection, in both orders and any page size. */
import type { StoredMemory } from '../../../src/domain/memory/stored-memory.js';
import { fieldsOf } from '../../helpers/fields.js';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  collections,
  type CollectionDefinition,
  type CollectionName,
  type ListDefinition,
  type SortValue,
} from '../../../src/store/collections.js';
import { iso } from '../../../src/domain/shared/clock.js';
import type {
  DocKind,
  EntityRef,
  Listed,
  ListQuery,
  Position,
  Put,
  Store,
  StoredDoc,
} from '../../../src/store/port.js';
import { commit, committed, entity, memory, message, put, start, type OpenStore, type Opened } from './fixtures.js';

type Body = Record<string, unknown>;
interface Doc {
  owner: EntityRef;
  id: string;
  body: Body;
}

const heads = new Set<CollectionName>(['agent', 'hive', 'workspace']);
const docKinds = (Object.keys(collections) as CollectionName[]).filter((c): c is DocKind => !heads.has(c));

/** Strings that a key must not mix up, next to ordinary ones. */
const tricky = fc.oneof(
  fc.constantFrom('', 'a', 'a\0', 'a\u0001', 'a\u0001\u0001', 'a\0b', 'é', '\uffff', '\ud83d\ude00', 'ab'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const time = fc.integer({ min: 0, max: 5000 }).map((n) => iso(start + n));
const bodyOf: Record<DocKind, fc.Arbitrary<Body>> = {
  memory: fc.record({
    updated_at: fc.oneof(time, tricky),
    sessionId: fc.oneof(fc.constant(null), fc.constantFrom('s1', 's2'), tricky),
    shared_by: fc.option(fc.constantFrom('agent_1', 'agent_2')),
    expires_at: fc.option(time),
  }),
  message: fc.record({ read_at: fc.option(time), created_at: time }),
  run: fc.record({
    status: fc.constantFrom('running', 'paused', 'completed'),
    turns: fc.option(fc.constant({ input: 'conversation' })),
    updated_at: time,
    contextId: fc.option(fc.constantFrom('c1', 'c2')),
    files: fc.option(fc.array(fc.record({ sha256: fc.constantFrom('f1', 'f2') }), { maxLength: 3 })),
  }),
  journal: fc.record({
    runId: fc.constantFrom('run_1', 'run_2'),
    sessionId: fc.constantFrom('s1', 's2'),
    firstSeq: fc.oneof(
      fc.integer({ min: -3, max: 2000 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0) /* JSON has no -0 */,
    ),
  }),
  file: fc.record({}),
  outbox: fc.record({}),
  deadLetter: fc.record({}),
  audit: fc.record({}),
  usageDay: fc.record({}),
  subjectUse: fc.record({ month: fc.constantFrom('2026-10', '2026-11'), of: fc.constantFrom('x', 'y') }),
  schedule: fc.record({}),
  block: fc.record({ created_at: time, subject: fc.option(fc.constantFrom('s1', 's2')) }),
  webhook: fc.record({}),
  token: fc.record({ hash: fc.string({ minLength: 1 }) }),
  key: fc.record({ hash: fc.string({ minLength: 1 }) }),
};

const compare = (x: SortValue, y: SortValue): number => (x < y ? -1 : x > y ? 1 : 0);
function inOrder(definition: ListDefinition | undefined, docs: readonly Doc[]): Doc[] {
  const values = (d: Doc): readonly SortValue[] => [...(definition?.sort?.(d.body) ?? []), d.id];
  return [...docs].sort((x, y) => {
    const xs = values(x);
    const ys = values(y);
    for (const [i, value] of xs.entries()) {
      const c = compare(value, ys[i]!);
      if (c !== 0) return c;
    }
    return 0;
  });
}

async function allPages(
  store: Store,
  query: Omit<ListQuery, 'limit'>,
  limit: number,
  between?: () => Promise<void>,
): Promise<Listed[]> {
  const all: Listed[] = [];
  let after: Position | undefined;
  for (let pages = 0; pages < 1000; pages++) {
    const { items, next } = await store.list({ ...query, limit, ...(after && { after }) });
    all.push(...items);
    if (!next) return all;
    expect(items, 'without `where` a page that is not the last is full').to.have.length(limit);
    after = JSON.parse(JSON.stringify(next)) as Position; // a cursor carries it as JSON
    await between?.();
  }
  throw new Error('the pages never end');
}

export function listsContract(open: OpenStore, runs: number): void {
  let opened: Opened;
  let store: Store;
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });
  afterEach(() => opened.destroy());
  const a = entity('agent_1');
  let workspaces = 0;

  /** Commits the documents of each owner in two commits: some change in the second, some go. */
  async function fill(
    kind: DocKind,
    docs: readonly { owner: number; id: string; before: Body; body: Body; fate: 'new' | 'changed' | 'deleted' }[],
  ): Promise<{ workspace: string; kept: Doc[]; owners: EntityRef[] }> {
    const workspace = `ws_${workspaces++}`;
    const owners = [0, 1, 2].map((n) => entity(`agent_${n}`, 'agent', workspace));
    const unique = (doc: { id: string }, body: Body): Body => ({
      id: doc.id,
      ...body,
      ...('hash' in body && { hash: `${workspace} ${doc.id} ${String(body['hash'])}` }),
    });
    const kept: Doc[] = [];
    for (const [n, owner] of owners.entries()) {
      const own = docs.filter((d) => d.owner === n);
      await committed(
        store,
        commit(owner, 1, {
          puts: own.filter((d) => d.fate !== 'new').map((d) => put(kind, d.id, unique(d, d.before))),
        }),
      );
      await committed(
        store,
        commit(owner, 2, {
          puts: own
            .filter((d) => d.fate !== 'deleted')
            .map((d) => put(kind, d.id, unique(d, d.body), d.fate === 'new')),
          deletes: own.filter((d) => d.fate === 'deleted').map((d) => ({ kind, id: d.id })),
        }),
      );
      kept.push(...own.filter((d) => d.fate !== 'deleted').map((d) => ({ owner, id: d.id, body: unique(d, d.body) })));
    }
    return { workspace, kept, owners };
  }

  for (const kind of docKinds) {
    const definition: CollectionDefinition = collections[kind];
    it(`Store.P5: ${kind}: pages of every list concatenate to the sorted whole, both ways, without repeats`, async function () {
      this.timeout(60_000);
      const doc = fc.record({
        owner: fc.integer({ min: 0, max: 2 }),
        id: fc.integer({ min: 0, max: 400 }).map((n) => `${kind}_${String(n).padStart(4, '0')}`),
        before: bodyOf[kind],
        body: bodyOf[kind],
        fate: fc.constantFrom('new' as const, 'changed' as const, 'deleted' as const),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(doc, { selector: (d) => d.id, maxLength: 30 }),
          fc.integer({ min: 1, max: 12 }),
          fc.nat(5),
          async (docs, limit, offset) => {
            const { workspace, kept, owners } = await fill(kind, docs);
            const lists: [string, ListDefinition | undefined][] = [
              ['created', undefined],
              ...Object.entries(definition.lists),
            ];
            for (const [list, d] of lists) {
              const scopes: (EntityRef | null)[] = [];
              if (d ? d.scope !== 'workspace' : true) scopes.push(...owners);
              if (d ? d.scope !== 'entity' : definition.global) scopes.push(null);
              for (const owner of scopes) {
                const partitions = d?.by
                  ? [...new Set(kept.flatMap((k) => [...d.by!(k.body)])), 'of nobody']
                  : [undefined];
                for (const by of partitions) {
                  const expected = inOrder(
                    d,
                    kept.filter(
                      (k) => (!owner || k.owner === owner) && (by === undefined || d!.by!(k.body).includes(by)),
                    ),
                  );
                  const query = {
                    workspace,
                    collection: kind,
                    list,
                    order: 'asc',
                    ...(owner && { entity: owner }),
                    ...(by !== undefined && { by }),
                  } as Omit<ListQuery, 'limit'>;
                  const where = `${list} ${by ?? ''} ${owner?.id ?? 'workspace'}`;
                  const all = await allPages(store, query, limit);
                  expect(
                    all.map((i) => [i.id, i.entity, i.body]),
                    where,
                  ).to.deep.equal(expected.map((e) => [e.id, e.owner, e.body]));
                  expect(
                    (await allPages(store, { ...query, order: 'desc' }, limit)).map((i) => i.id),
                    where,
                  ).to.deep.equal(expected.map((e) => e.id).reverse());
                  expect(
                    (await store.list({ ...query, limit, offset })).items.map((i) => i.id),
                    where,
                  ).to.deep.equal(expected.slice(offset, offset + limit).map((e) => e.id));
                  expect(await store.count(query, limit), where).to.deep.equal({
                    count: Math.min(limit, expected.length),
                    exact: expected.length <= limit,
                  });
                }
              }
            }
          },
        ),
        { numRuns: Math.min(12, runs) },
      );
    });
  }

  it('Store.P5: a journal is listed and read as a whole, wherever its entries came with their runs', async function () {
    this.timeout(60_000);
    const at = iso(start);
    const run = fc.record({
      session: fc.constantFrom('s1', 's2'),
      status: fc.constantFrom('completed', 'failed', 'paused'),
      together: fc.boolean(),
      more: fc.nat(2),
      fate: fc.constantFrom('kept', 'kept', 'run changed', 'entry changed', 'entry deleted', 'both deleted'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), async (specs, limit) => {
        const owner = entity('agent_1', 'agent', `ws_${workspaces++}`);
        const kept = new Map<string, Doc>();
        let seq = 0;
        const commits = async (
          puts: readonly Put[],
          deletes: readonly { kind: DocKind; id: string }[] = [],
        ): Promise<void> => {
          await committed(store, commit(owner, ++seq, { puts, deletes }));
          for (const { kind, id, body } of puts)
            if (kind === 'journal') kept.set(id, { owner, id, body: fieldsOf(body) });
          for (const { id } of deletes) kept.delete(id);
        };
        for (const [n, { session, status, together, more, fate }] of specs.entries()) {
          const [id, entryId] = [`run_${n + 10}`, `ckpt_${n + 10}`];
          const said = { sessionId: session, created_at: at };
          const runPut = (isNew: boolean): Put => put('run', id, { status, updated_at: at, ...said, isNew }, isNew);
          const entryPut = (isNew: boolean, entry = entryId, firstSeq = 1): Put =>
            put('journal', entry, { runId: id, ...said, step: 1, firstSeq, isNew }, isNew);
          if (together) await commits([runPut(true), entryPut(true)]);
          else {
            await commits([runPut(true)]);
            await commits([entryPut(true)]);
          }
          for (let i = 0; i < more; i++) await commits([entryPut(true, `ckpt_${60 - n}_${i}`, 5 + i)]);
          if (fate === 'run changed') await commits([runPut(false)]);
          if (fate === 'entry changed') await commits([runPut(false), entryPut(false)]);
          if (fate === 'entry deleted') await commits([runPut(false)], [{ kind: 'journal', id: entryId }]);
          if (fate === 'both deleted')
            await commits(
              [],
              [
                { kind: 'journal', id: entryId },
                { kind: 'run', id },
              ],
            );
        }
        const query = { workspace: owner.workspace, collection: 'journal', entity: owner } as const;
        for (const by of [undefined, 's1', 's2']) {
          const list = by === undefined ? ('created' as const) : ('session' as const);
          const definition = by === undefined ? undefined : collections.journal.lists.session;
          const expected = inOrder(
            definition,
            [...kept.values()].filter(({ body }) => by === undefined || body['sessionId'] === by),
          );
          const of = { ...query, list, ...(by !== undefined && { by }) };
          const up = await allPages(store, { ...of, order: 'asc' }, limit);
          expect(up.map(({ id, body }) => [id, body])).to.deep.equal(expected.map(({ id, body }) => [id, body]));
          const down = await allPages(store, { ...of, order: 'desc' }, limit);
          expect(down.map(({ id }) => id)).to.deep.equal(expected.map(({ id }) => id).reverse());
          expect((await store.count(of, 100)).count).to.equal(expected.length);
          const runs = new Set(expected.map(({ body }) => String(body['runId'])));
          for (const one of by === undefined ? [] : runs) {
            const after = [one, -1, ''];
            const page = await store.list({ ...of, order: 'asc', limit: 1, after });
            expect(page.items[0]?.id).to.equal(expected.find(({ body }) => body['runId'] === one)?.id);
            const last = await store.list({ ...of, order: 'desc', limit: 1, after: [one, 1.5, ''] });
            expect(last.items[0]?.id).to.equal(
              expected
                .filter(({ body }) => String(body['runId']) < one || (body['runId'] === one && body['firstSeq'] === 1))
                .at(-1)?.id,
            );
          }
        }
        for (const [n] of specs.entries()) {
          const doc = await store.get(owner, 'journal', `ckpt_${n + 10}`);
          expect(doc?.body).to.deep.equal(kept.get(`ckpt_${n + 10}`)?.body);
        }
        const documents: StoredDoc[] = [];
        for await (const part of store.contents(owner)) if (part.type === 'content') documents.push(...part.documents);
        expect(
          documents.filter(({ kind }) => kind === 'journal').map(({ id, body }) => [id, body]),
        ).to.have.deep.members([...kept.values()].map(({ id, body }) => [id, body]));
        expect(documents.filter(({ kind }) => kind === 'run')).to.have.length(
          specs.filter(({ fate }) => fate !== 'both deleted').length,
        );
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
  });

  it('Store.P5: what does not change is listed once, whatever is added, changed and deleted between the pages', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.array(fc.record({ id: fc.integer({ min: 0, max: 39 }), at: time, gone: fc.boolean() }), { maxLength: 20 }),
        async (limit, order, changes) => {
          const owner = entity('agent_1', 'agent', `ws_${workspaces++}`);
          const ids = Array.from({ length: 40 }, (_, i) => `mem_${String(i).padStart(3, '0')}`);
          await committed(
            store,
            commit(owner, 1, { puts: ids.map((id, i) => memory(id, { updated_at: iso(start + ((i * 17) % 40)) })) }),
          );
          let seq = 1;
          const touched = new Set<string>();
          const gone = new Set<string>();
          const queue = [...changes];
          const change = async (): Promise<void> => {
            const next = queue.shift();
            if (!next) return;
            const id = ids[next.id]!;
            touched.add(id);
            if (gone.has(id)) return;
            if (next.gone) gone.add(id);
            await committed(
              store,
              commit(
                owner,
                ++seq,
                next.gone
                  ? { deletes: [{ kind: 'memory', id }] }
                  : {
                      puts: [
                        memory(id, { updated_at: next.at }, false),
                        memory(`mem_new_${seq}`, { updated_at: next.at }),
                      ],
                    },
              ),
            );
          };
          const listed = (
            await allPages(
              store,
              { workspace: owner.workspace, collection: 'memory', list: 'updated', entity: owner, order },
              limit,
              change,
            )
          ).map((i) => i.id);
          for (const id of ids.filter((i) => !touched.has(i)))
            expect(
              listed.filter((l) => l === id),
              id,
            ).to.have.length(1);
        },
      ),
      { numRuns: runs },
    );
  });

  it('an inbox shows unread first, newest first among these and among the read ones', async () => {
    await committed(
      store,
      commit(a, 1, {
        puts: [message('msg_1', 1), message('msg_2', 2, 50), message('msg_3', 3), message('msg_4', 4, 40)],
      }),
    );
    expect(
      (
        await store.list({
          workspace: 'ws_a',
          collection: 'message',
          list: 'inbox',
          entity: a,
          order: 'asc',
          limit: 10,
        })
      ).items.map((i) => i.id),
    ).to.deep.equal(['msg_3', 'msg_1', 'msg_4', 'msg_2']);
  });

  it('`where` takes what equals, and pages lead to every match', async () => {
    const puts = Array.from({ length: 60 }, (_, i) =>
      memory(`mem_${String(i).padStart(2, '0')}`, {
        type: i % 3 === 0 ? 'fact' : 'note',
        content: i % 2 === 0 ? 'even' : 'odd',
      }),
    );
    await committed(store, commit(a, 1, { puts }));
    const query = { workspace: 'ws_a', collection: 'memory', list: 'created', order: 'asc' } as const;
    const all: string[] = [];
    for (let after: Position | null | undefined; after !== null;) {
      const page = await store.list({
        ...query,
        limit: 4,
        where: { type: 'fact', content: 'odd' },
        ...(after && { after }),
      });
      all.push(...page.items.map((i) => i.id));
      after = page.next;
    }
    expect(all).to.deep.equal(
      puts.filter((p) => fieldsOf(p.body)['type'] === 'fact' && fieldsOf(p.body)['content'] === 'odd').map((p) => p.id),
    );
    expect(await store.count({ ...query, where: { type: 'fact' } }, 100)).to.deep.equal({ count: 20, exact: true });
    expect(await store.count({ ...query, where: { type: 'fact' } }, 20)).to.deep.equal({ count: 20, exact: true });
    expect(await store.count({ ...query, where: { type: 'fact' } }, 19)).to.deep.equal({ count: 19, exact: false });
    expect(
      (await store.list({ ...query, limit: 3, offset: 2, where: { type: 'fact' } })).items.map((i) => i.id),
    ).to.deep.equal(['mem_06', 'mem_09', 'mem_12']);
  });

  it('`where` that matches nothing among very many ends with short pages, not with one long look', async function () {
    this.timeout(60_000);
    const size = 12_000;
    for (let n = 0; n < size; n += 3000)
      await committed(
        store,
        commit(a, n / 3000 + 1, {
          puts: Array.from({ length: 3000 }, (_, i) =>
            put('outbox', `out_${String(n + i).padStart(6, '0')}`, { to: n + i === size - 1 ? 'last' : 'x' }),
          ),
        }),
      );
    const query = {
      workspace: 'ws_a',
      collection: 'outbox',
      list: 'created',
      entity: a,
      order: 'asc',
      limit: 10,
      where: { to: 'last' },
    } as const;
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns++;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    const found: string[] = [];
    let pages = 0;
    for (let after: Position | null | undefined; after !== null; pages++) {
      const page = await store.list({ ...query, ...(after && { after }) });
      found.push(...page.items.map((i) => i.id));
      after = page.next;
    }
    running = false;
    expect(found).to.deep.equal([`out_${String(size - 1).padStart(6, '0')}`]);
    expect(pages).to.be.greaterThan(1);
    expect(turns, 'turns of the event loop meanwhile').to.be.greaterThan(2);
  });

  it('`from` and `until` bound a list, in both orders, beside pages and counts; each may be the beginning of a position, and of any length', async () => {
    const ids = ['mem_a1', 'mem_a2', 'mem_b1', 'mem_b2', 'mem_c1'];
    await committed(
      store,
      commit(a, 1, { puts: ids.map((id, i) => memory(id, { updated_at: iso(start + ids.length - i) })) }),
    );
    const query = { workspace: 'ws_a', collection: 'memory', order: 'asc' } as const;
    const within = async (
      bounds: Pick<ListQuery, 'from' | 'until'>,
      list: 'created' | 'updated',
      order: 'asc' | 'desc',
    ) => (await allPages(store, { ...query, ...bounds, list, order }, 1)).map((i) => i.id);
    for (const [from, until, expected] of [
      [['mem_a2'], ['mem_c'], ['mem_a2', 'mem_b1', 'mem_b2']],
      [['mem_b'], undefined, ['mem_b1', 'mem_b2', 'mem_c1']],
      [undefined, ['mem_b1'], ['mem_a1', 'mem_a2']],
      [['mem_c'], ['mem_a'], []],
      [[`mem_b1${'é'.repeat(9000)}`], [`mem_c${'1'.repeat(9000)}`], ['mem_b2', 'mem_c1']],
    ] as const) {
      const bounds = { ...(from && { from }), ...(until && { until }) };
      expect(await within(bounds, 'created', 'asc')).to.deep.equal(expected);
      expect(await within(bounds, 'created', 'desc')).to.deep.equal([...expected].reverse());
      expect(await store.count({ ...query, ...bounds, list: 'created' }, 10)).to.include({ count: expected.length });
      expect(await store.count({ ...query, ...bounds, list: 'created', where: { type: 'fact' } }, 10)).to.include({
        count: expected.length,
      });
    }
    expect(await within({ from: [iso(start + 2)], until: [iso(start + 4)] }, 'updated', 'asc')).to.deep.equal([
      'mem_b2',
      'mem_b1',
    ]);
  });

  it('`matches` asks each document, and pages lead to every one that passes', async () => {
    const puts = Array.from({ length: 40 }, (_, i) =>
      memory(`mem_${String(i).padStart(2, '0')}`, { type: i % 2 === 0 ? 'fact' : 'note', metadata: { n: i % 5 } }),
    );
    await committed(store, commit(a, 1, { puts }));
    const query = {
      workspace: 'ws_a',
      collection: 'memory',
      list: 'created',
      order: 'desc',
      where: { type: 'fact' },
      matches: (body: StoredMemory) => body.metadata['n'] === 1,
    } as const;
    const all: string[] = [];
    for (let after: Position | null | undefined; after !== null;) {
      const page = await store.list({ ...query, limit: 2, ...(after && { after }) });
      all.push(...page.items.map((i) => i.id));
      after = page.next;
    }
    expect(all).to.deep.equal(['mem_36', 'mem_26', 'mem_16', 'mem_06']);
    expect(await store.count(query, 10)).to.deep.equal({ count: 4, exact: true });
  });

  it('`aliveAt` leaves out what has expired by then', async () => {
    await committed(
      store,
      commit(a, 1, {
        puts: [
          memory('mem_1', { expires_at: iso(start + 10) }),
          memory('mem_2'),
          memory('mem_3', { expires_at: iso(start + 30) }),
        ],
      }),
    );
    const query = { workspace: 'ws_a', collection: 'memory', list: 'created', order: 'asc' } as const;
    const alive = async (at: number): Promise<string[]> =>
      (await store.list({ ...query, limit: 10, aliveAt: start + at })).items.map((i) => i.id);
    expect(await alive(9)).to.deep.equal(['mem_1', 'mem_2', 'mem_3']);
    expect(await alive(10)).to.deep.equal(['mem_2', 'mem_3']);
    expect(await alive(30)).to.deep.equal(['mem_2']);
    expect(await store.count({ ...query, aliveAt: start + 10 }, 10)).to.deep.equal({ count: 2, exact: true });
    const expiring = await store.list({
      workspace: 'ws_a',
      collection: 'memory',
      list: 'expiring',
      by: 'yes',
      entity: a,
      order: 'asc',
      limit: 10,
    });
    expect(expiring.items.map((i) => i.id)).to.deep.equal(['mem_1', 'mem_3']);
  });

  it('`newest` is the last of a partition within its entity, as of the last commit; null without one', async () => {
    const [a, b] = [entity('agent_1'), entity('agent_2')];
    const about = (identity: string | null): Record<string, unknown> => ({ identity });
    await committed(
      store,
      commit(a, 1, { puts: [memory('mem_1', about('x')), memory('mem_2', about('x')), memory('mem_3')] }),
    );
    await committed(store, commit(b, 1, { puts: [memory('mem_4', about('x'))] }));
    const newest = async (identity: string): Promise<string | null> =>
      (await store.newest(a, 'memory', 'identity', identity))?.id ?? null;
    expect([await newest('x'), await newest('z')]).to.deep.equal(['mem_2', null]);
    await committed(
      store,
      commit(a, 2, { puts: [memory('mem_2', about(null), false)], deletes: [{ kind: 'memory', id: 'mem_3' }] }),
    );
    expect((await store.newest(a, 'memory', 'identity', 'x'))?.body).to.include({ content: 'content of mem_1' });
  });

  it('Store.P5: with `maxBytes` pages are as short as their documents are long, of one at least, and lead to all of them', async () => {
    const a = entity('agent_1');
    const long = (n: number): string => 'é'.repeat(n % 4 === 0 ? 5000 : 100);
    const ids = Array.from({ length: 24 }, (_, i) => `mem_${String(i).padStart(2, '0')}`);
    await committed(store, commit(a, 1, { puts: ids.map((id, i) => memory(id, { content: long(i), type: 'x' })) }));
    for (const order of ['asc', 'desc'] as const)
      for (const where of [{}, { where: { type: 'x' } }]) {
        const query = {
          workspace: 'ws_a',
          entity: a,
          collection: 'memory',
          list: 'created',
          order,
          limit: 10,
          maxBytes: 4000,
          ...where,
        } as const;
        const seen: string[] = [];
        let after: Position | undefined;
        do {
          const page = await store.list({ ...query, ...(after && { after }) });
          const sizes = page.items.map(({ body }) => Buffer.byteLength(JSON.stringify(body)));
          expect(page.items).not.to.deep.equal([]);
          if (page.items.length > 1) expect(sizes.reduce((sum, n) => sum + n, 0)).to.be.at.most(4000);
          seen.push(...page.items.map(({ id }) => id));
          after = page.next ?? undefined;
        } while (after);
        expect(seen).to.deep.equal(order === 'asc' ? ids : [...ids].reverse());
      }
  });

  it('answers empty for what is empty, and ends exactly at the end', async () => {
    const query = { workspace: 'ws_a', collection: 'memory', list: 'created', order: 'asc' } as const;
    expect(await store.list({ ...query, limit: 5 })).to.deep.equal({ items: [], next: null });
    await committed(store, commit(a, 1, { puts: [1, 2, 3].map((n) => memory(`mem_${n}`)) }));
    expect((await store.list({ ...query, limit: 3 })).next).to.equal(null);
    expect((await store.list({ ...query, limit: 2 })).next).to.deep.equal(['mem_2']);
    expect((await store.list({ ...query, limit: 2, after: ['mem_3'] })).items).to.deep.equal([]);
    expect(
      (await store.list({ ...query, limit: 2, after: ['mem_2'], order: 'desc' })).items.map((i) => i.id),
    ).to.deep.equal(['mem_1']);
    expect((await store.list({ ...query, limit: 5, offset: 99 })).items).to.deep.equal([]);
  });

  it('a global document is found by id alone, a lookup without the workspace', async () => {
    await committed(
      store,
      commit(a, 1, { puts: [memory('mem_1'), put('token', 'tok_1', { hash: 'h\0x' })] }),
      commit(entity('ws_b', 'workspace', 'ws_b'), 1, { puts: [put('key', 'key_1', { hash: 'h\0x' })] }),
    );
    expect((await store.find('ws_a', 'memory', 'mem_1'))?.entity).to.deep.equal(a);
    expect(await store.lookup('token', 'h\0x')).to.deep.equal({
      entity: a,
      kind: 'token',
      id: 'tok_1',
      body: { id: 'tok_1', hash: 'h\0x' },
    });
    expect((await store.lookup('key', 'h\0x'))?.entity).to.deep.equal(entity('ws_b', 'workspace', 'ws_b'));
    expect(await store.lookup('key', 'h')).to.equal(null);
    expect((await store.getMany(a, 'memory', ['mem_0', 'mem_1'])).map((d) => d?.id)).to.deep.equal([
      undefined,
      'mem_1',
    ]);
  });

  it('refuses a list that does not exist, or without what it needs', async () => {
    const wrong = [
      { collection: 'memory', list: 'nothing' },
      { collection: 'memory', list: 'session' },
      { collection: 'message', list: 'created' },
      { collection: 'memory', list: 'created', by: 'x' },
      { collection: 'run', list: 'updated' },
      { collection: 'memory', list: 'created', entity: entity('agent_1', 'agent', 'ws_b') },
    ];
    for (const query of wrong) {
      let thrown: unknown;
      await Promise.resolve()
        .then(() => store.list({ workspace: 'ws_a', order: 'asc', limit: 5, ...query } as unknown as ListQuery))
        .catch((e: unknown) => {
          thrown = e;
        });
      expect(thrown, JSON.stringify(query)).to.be.instanceOf(RangeError);
    }
  });
}
