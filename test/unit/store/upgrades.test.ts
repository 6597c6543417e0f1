/** Data of an earlier version (LmdbUpgrades.V1-V2, LmdbStore.O2). Newer data: directory.test.ts. */
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultMapSize, openEnvironment, openTrees } from '../../../src/store/lmdb/environment.js';
import { keyEncoder } from '../../../src/store/lmdb/keys.js';
import { schemaVersion, upgrade } from '../../../src/store/lmdb/upgrades.js';
import type { EntityRef, ListQueryOf, Store } from '../../../src/store/port.js';
import { commit, committed, put } from '../../contract/store/fixtures.js';
import { unpackOldData } from '../../helpers/old-data.js';
import { Workbench } from './helpers.js';

const bob: EntityRef = { workspace: 'default', kind: 'agent', id: 'agent_01m8285tbxc6t5k2mxgcydahvj' };
const session = 'sess_01m8285tkn2mfdaq9a2y2t8yz9';

const ada: EntityRef = { workspace: 'default', kind: 'agent', id: 'agent_1' };

describe('the embedded store on data of the layout before', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);

  it('version 5 listed completed runs and those with turns by themselves: the lists answer the same, and their entries go', async () => {
    const before = await bench.open();
    const said = { updated_at: '', sessionId: 's', created_at: '' };
    const runs = { run_1: 'completed', run_2: 'paused', run_3: 'completed', run_4: 'failed' };
    const puts = Object.entries(runs).map(([id, status]) =>
      put('run', id, { status, ...said, ...(id !== 'run_3' && { turns: {} }) }),
    );
    const entry = { runId: 'run_1', sessionId: 's', created_at: '', firstSeq: 1 };
    await committed(before, commit(ada, 1, { puts: [...puts, put('journal', 'ckpt_0', entry)] }));
    await before.close();
    const asBefore = openEnvironment(join(bench.dir, 'data'), defaultMapSize);
    const trees = openTrees(asBefore);
    const usual = [
      ['docs', 'default\0a\0agent_1\0run:recalled\0yes\0run_1'],
      ['lists', 'default\0run:status\0completed\0run_1'],
    ] as const;
    await asBefore.transaction(() => {
      for (const [tree, key] of usual) void trees[tree].put(key, tree === 'docs' ? '' : 'aagent_1');
      for (const id of Object.keys(runs)) void trees.lists.put(`default\0run:created\0\0${id}`, 'aagent_1');
      void trees.system.put('schema', '5');
    });
    await asBefore.close();

    const store = await bench.open();
    const listed = async (query: Pick<ListQueryOf<'run'>, 'list' | 'by' | 'entity'>): Promise<string[]> =>
      (await store.list({ workspace: 'default', collection: 'run', order: 'asc', limit: 10, ...query })).items.map(
        ({ id }) => id,
      );
    expect(await listed({ list: 'status', by: 'completed' })).to.deep.equal(['run_1', 'run_3']);
    expect(await listed({ list: 'status', by: 'paused' })).to.deep.equal(['run_2']);
    expect(await listed({ list: 'created' })).to.deep.equal(Object.keys(runs));
    expect(await listed({ list: 'recalled', by: 'yes', entity: ada })).to.deep.equal(['run_1', 'run_2', 'run_4']);
    expect((await store.find('default', 'run', 'run_2'))?.body).to.include({ status: 'paused' });
    await store.close();
    const after = openEnvironment(join(bench.dir, 'data'), defaultMapSize);
    const now = openTrees(after);
    for (const [tree, key] of usual) expect(now[tree].get(key)).to.equal(undefined);
    await after.close();
  });

  it('version 6 compressed nothing and listed all runs that open a session: both are read as they are', async () => {
    const before = await bench.open();
    const id = '01m84gt0ra01aaaaaaaaaaaaaa';
    const body = {
      status: 'completed',
      updated_at: '',
      created_at: '',
      sessionId: 's',
      opens: true,
      input: 'x'.repeat(500),
    };
    await committed(before, commit(ada, 1, { puts: [put('run', `run_${id}`, body)] }));
    await before.close();
    const asBefore = openEnvironment(join(bench.dir, 'data'), defaultMapSize);
    const withoutCompression = { name: 'docs', encoding: 'string', keyEncoder } as const;
    const plain = asBefore.openDB<string, string>(withoutCompression);
    const { system } = openTrees(asBefore);
    await asBefore.transaction(() => {
      void plain.put(`default\0a\0agent_1\0run\0run_${id}`, JSON.stringify({ id: `run_${id}`, ...body }));
      void system.put('schema', '6');
    });
    await asBefore.close();
    const store = await bench.open();
    expect((await store.get(ada, 'run', `run_${id}`))?.body).to.include({ input: body.input });
    for (const entity of [{ entity: ada }, {}]) {
      const of = { workspace: 'default', collection: 'run', list: 'opening', by: 'yes', ...entity } as const;
      expect((await store.list({ ...of, order: 'asc', limit: 10 })).items).to.have.length(1);
    }
    await store.close();
    const after = openEnvironment(join(bench.dir, 'data'), defaultMapSize);
    expect(openTrees(after).system.get('schema')).to.equal('7');
    await after.close();
  });

  it('LmdbFirstEntries.F2: a run that came with its only entry and has ended is one document', async () => {
    const store = await bench.open();
    const said = { sessionId: 's', created_at: '' };
    const entry = put('journal', 'ckpt_1', { runId: 'run_1', ...said, firstSeq: 1, events: [{ answer: 'hello' }] });
    const run = put('run', 'run_1', { status: 'completed', updated_at: '', ...said });
    await committed(store, commit(ada, 1, { puts: [run, entry] }));
    expect((await store.get(ada, 'journal', 'ckpt_1'))?.body).to.deep.equal(entry.body);
    await store.close();
    const root = openEnvironment(join(bench.dir, 'data'), defaultMapSize);
    const keys = [...openTrees(root).docs.getKeys({ start: '\x01' })];
    await root.close();
    expect(keys.filter((key) => key.includes('\0run\0'))).to.have.length(1);
    expect(keys.filter((key) => key.includes('\0journal'))).to.deep.equal([]);
  });
});

describe('a commit that puts the journal entry of a run twice', () => {
  const bench = new Workbench();
  beforeEach(bench.setUp);
  afterEach(bench.tearDown);

  it('LmdbPlan.L2: keeps the last', async () => {
    const store = await bench.open();
    const said = { sessionId: 's', created_at: '' };
    const entry = (step: number, isNew: boolean) =>
      put('journal', 'ckpt_1', { runId: 'run_1', ...said, firstSeq: 1, step }, isNew);
    const run = put('run', 'run_1', { status: 'completed', updated_at: '', ...said });
    await committed(store, commit(ada, 1, { puts: [entry(1, true), run, entry(2, false)] }));
    expect((await store.get(ada, 'journal', 'ckpt_1'))?.body).to.include({ step: 2 });
  });
});

describe('the embedded store on data of version 0.1', () => {
  const bench = new Workbench();
  beforeEach(() => {
    bench.setUp();
    unpackOldData(data());
  });
  afterEach(bench.tearDown);
  const data = (): string => join(bench.dir, 'data');

  const journal = async (store: Store): Promise<Record<string, unknown>[]> =>
    (
      await store.list({
        workspace: 'default',
        collection: 'journal',
        list: 'session',
        entity: bob,
        by: session,
        order: 'asc',
        limit: 10,
      })
    ).items.map((item) => item.body);

  /** All that is stored, but for what every opening writes. */
  async function stored(): Promise<string[]> {
    const root = openEnvironment(data(), defaultMapSize);
    const { docs, heads, lists, system } = openTrees(root);
    const all = [docs, heads, lists, system].flatMap((tree) =>
      [...tree.getRange({ start: '\x01' })].map(({ key, value }) => `${key} ${value}`),
    );
    await root.close();
    return all.filter((entry) => !/^(server|sums) /.test(entry));
  }

  it('a server upgrades it: journals are packed, and listed by session and run', async () => {
    const store = await bench.open();
    expect(await journal(store)).to.have.length(2);
    for (const body of await journal(store)) expect(body).not.to.have.property('agent_id');
    await store.close();
    const entries = await stored();
    expect(entries).to.include(`schema ${schemaVersion}`);
    expect(entries.filter((e) => e.includes('\0journal:run\0'))).to.deep.equal([]);
    expect(entries.filter((e) => e.includes('\0journal:session\0'))).to.have.length(5);
    await (await bench.open()).close();
    expect(await stored(), 'opening it again changes nothing').to.deep.equal(entries);
  });

  it('a server lists its runs over the workspace, and its agents by name and status', async () => {
    const store = await bench.open();
    const listed = async (query: Pick<ListQueryOf<'run'>, 'list' | 'by'>): Promise<number> =>
      (await store.list({ workspace: 'default', collection: 'run', order: 'asc', limit: 10, ...query })).items.length;
    expect(await listed({ list: 'created' })).to.equal(4);
    expect(await listed({ list: 'status', by: 'paused' })).to.equal(1);
    const named = async (begins: string): Promise<string[]> =>
      (
        await store.list({
          workspace: 'default',
          collection: 'agent',
          list: 'names',
          from: [begins],
          until: [`${begins}\uffff`],
          order: 'asc',
          limit: 10,
        })
      ).items.map((item) => item.id);
    expect(await named('bo')).to.deep.equal([bob.id]);
    const head = await store.head(bob);
    const renamed = { ...head!, seq: head!.seq + 1, snapshot: { ...head!.snapshot, name: 'Carl' } };
    await store.commit({ ...renamed, puts: [], deletes: [], commands: [], previousCounts: head!.counts });
    expect(await named('bo'), 'the entry of the old name goes with the name').to.deep.equal([]);
    expect(await named('car')).to.deep.equal([bob.id]);
  });

  it('a server lists its sessions, each by its first run', async () => {
    const store = await bench.open();
    const { items } = await store.list({
      workspace: 'default',
      collection: 'run',
      list: 'opening',
      by: 'yes',
      order: 'asc',
      limit: 10,
    });
    expect(items).to.have.length(4);
    for (const { entity, id, body } of items) {
      const by = String(body['sessionId']);
      const runs = await store.list({
        workspace: 'default',
        collection: 'run',
        list: 'session',
        entity,
        by,
        order: 'asc',
        limit: 10,
      });
      expect(runs.items[0]?.id).to.equal(id);
    }
  });

  it('a process beside a server refuses it, says what to do, and changes nothing', async () => {
    const before = await stored();
    expect(await bench.refuses('older-schema', { shared: true })).to.match(/older version .* Start the service/);
    expect(await stored()).to.deep.equal(before);
  });

  it('LmdbUpgrades.V2: an upgrade that was interrupted is done again, to the same end', async () => {
    const root = openEnvironment(data(), defaultMapSize);
    const cut = upgrade(openTrees(root), 1, () => Promise.reject(new Error('killed')));
    await cut.then(
      () => expect.fail('it was to be interrupted'),
      () => undefined,
    );
    await root.close();
    expect(await stored(), 'in the middle').to.include('schema 1');
    await (await bench.open()).close();
    const twice = await stored();
    await bench.tearDown();
    bench.setUp();
    unpackOldData(data());
    await (await bench.open()).close();
    expect(twice).to.deep.equal(await stored());
  });
});
