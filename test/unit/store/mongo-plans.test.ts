/** How MongoDB carries out what the adapter asks: always by an index, and in the order of that index. */
import { expect } from 'chai';
import { MongoClient, type Db } from 'mongodb';
import { collections, type CollectionName, type ListDefinition } from '../../../src/store/collections.js';
import { isHeadCollection } from '../../../src/store/list-query.js';
import { openMongoStore, type MongoStore } from '../../../src/store/mongo/open.js';
import type { DocKind, ListQuery } from '../../../src/store/port.js';
import { mongoService, type MongoService } from '../../helpers/mongo-service.js';
import { collect, commit, committed, entity, memory, message, put } from '../../contract/store/fixtures.js';

const kinds = (Object.keys(collections) as CollectionName[]).filter((name): name is DocKind => !isHeadCollection(name));

/** One document of each kind, in every list of its kind. */
const documents = (n: number) => [
  memory(`mem_${n}`, {
    sessionId: 's',
    speaker: 'Ana',
    metadata: { n: 1 },
    shared_by: 'a',
    identity: ['i'],
    chain: 'c',
    source: 'r',
    expires_at: '2027',
  }),
  message(`msg_${n}`, n),
  ...kinds
    .filter((kind) => kind !== 'memory' && kind !== 'message')
    .map((kind) =>
      put(kind, `${kind}_${n}`, {
        hash: `hash_${kind}_${n}`,
        status: 'completed',
        contextId: 'c',
        sessionId: 's',
        opens: true,
        turns: 1,
        updated_at: '2026',
        runId: 'r',
        firstSeq: n,
      }),
    ),
];

async function filled(store: MongoStore): Promise<void> {
  for (let n = 0; n < 40; n++) {
    const of = entity(`agent_${n}`, 'agent', `ws_${n % 4}`);
    const command = { id: `cmd_${n}`, bodyHash: '', result: null, expiresAt: Date.now() + 3_600_000 };
    const body = { id: of.id, name: `Agent ${n}`, status: 'active', config: {}, hives: ['h'], updated_at: '2026' };
    await committed(
      store,
      commit(of, 1, {
        puts: documents(n),
        records: [command],
        snapshot: body,
        active: n % 2 === 0,
        due: n,
        counts: { bytes: 1 },
      }),
    );
    await committed(store, commit(entity(`hive_${n}`, 'hive', `ws_${n % 4}`), 1));
  }
  for (let n = 0; n < 4; n++) await committed(store, commit(entity(`ws_${n}`, 'workspace', `ws_${n}`), 1));
  await store.released();
}

/** Every list there is, over whatever it is listed, in both directions, from the beginning and from within. */
function* lists(): Generator<ListQuery> {
  const own = entity('agent_4', 'agent', 'ws_0');
  for (const [collection, { global, lists: defined }] of Object.entries(collections)) {
    const created: ListDefinition = { scope: global ? 'both' : 'entity' };
    for (const [list, definition] of Object.entries<ListDefinition>({ created, ...defined }))
      for (const of of isHeadCollection(collection as CollectionName) ? [null] : [null, own]) {
        if (!isHeadCollection(collection as CollectionName) && definition.scope === (of ? 'workspace' : 'entity'))
          continue;
        for (const order of ['asc', 'desc'] as const)
          for (const more of [
            {},
            { after: [...(definition.sort ? [''] : []), 'x'] },
            { where: { type: 'fact' } },
            { where: { status: 'active' }, matches: () => true },
            { aliveAt: 1, from: [''], until: ['z'], offset: 1 },
          ])
            yield {
              workspace: 'ws_0',
              collection,
              list,
              order,
              limit: 5,
              ...(of && { entity: of }),
              ...(definition.by && { by: 'completed' }),
              ...more,
            } as ListQuery;
      }
  }
}

/** Everything that a store can be asked; a method that is missing here fails the test. */
const uses: { [M in keyof MongoStore]: (store: MongoStore) => unknown } = (() => {
  const a = entity('agent_4', 'agent', 'ws_0');
  const shards = Array.from({ length: 64 }, (_, i) => 4 * i);
  return {
    shards: (store) => store.shards.of(a),
    images: async (store) => {
      const images = store.images!;
      const b = entity('agent_12', 'agent', 'ws_0');
      const read = async (): Promise<void> => {
        const image = (await images.kept(b, 1))!;
        for await (const _ of image.chunks);
        for await (const _ of image.changes()!);
        await images.discard(b, image);
      };
      await images.prepare(b);
      for (const seq of [1, 2]) await images.keep(b, seq, [Buffer.from('x'), Buffer.from('y')]);
      await read();
    },
    head: (store) => store.head(a),
    load: (store) => store.load(a),
    release: (store) => {
      store.release(a, 1);
    },
    released: (store) => store.released(),
    commit: async (store) => {
      const changes = {
        puts: [memory('mem_4', { content: 'new' }, false)],
        deletes: [{ kind: 'message', id: 'msg_4' }] as const,
      };
      await committed(store, commit(a, 2, changes), commit(entity('new'), 1));
      await store.commit(commit(a, 2, changes));
    },
    trialWrite: (store) => store.trialWrite(),
    record: (store) => store.record(a, 'cmd_4', 0),
    claim: async (store) => {
      for (const [expiresAt, now] of [
        [10, 0],
        [10, 5],
        [20, 15],
      ] as const)
        await store.claim(a, { id: 'claimed', bodyHash: '', result: null, expiresAt }, now);
    },
    get: (store) => store.get(a, 'memory', 'mem_4'),
    getMany: (store) => store.getMany(a, 'memory', ['mem_4', 'mem_5']),
    find: (store) => store.find('ws_0', 'memory', 'mem_4'),
    lookup: (store) => Promise.all([store.lookup('key', 'hash_key_4'), store.lookup('token', 'none')]),
    newest: (store) => store.newest(a, 'journal', 'session', 's'),
    list: async (store) => {
      for (const query of lists()) await store.list(query);
    },
    count: async (store) => {
      for (const query of lists()) if (query.order === 'asc') await store.count(query, 3);
    },
    sum: (store) => store.sum('ws_0', 'bytes'),
    exactSum: (store) => store.exactSum('ws_0', 'bytes'),
    sums: (store) => store.sums('ws_0'),
    storage: (store) => store.storage('ws_0'),
    activeHeads: async (store) => {
      for (const unfinished of [true, false])
        for (const of of [shards, undefined]) await collect(store.activeHeads(of, { unfinished }));
    },
    dueHeads: (store) => Promise.all([store.dueHeads(20, 5, shards), store.dueHeads(20, 5)]),
    workspaces: (store) => collect(store.workspaces()),
    allHeads: async (store) => {
      for (const of of [
        {},
        { workspace: 'ws_1' },
        { workspace: 'ws_1', kind: 'hive' as const },
        { workspace: 'ws_1', after: a },
        { workspace: 'ws_1', shards },
      ])
        await collect(store.allHeads(of));
    },
    contents: async (store) => {
      for await (const _ of store.contents(a));
    },
    manyContents: async (store) => {
      for await (const _ of store.manyContents!([a, entity('agent_8', 'agent', 'ws_0')]));
    },
    purge: (store) => store.purge(entity('agent_8', 'agent', 'ws_0'), 2),
    removeOutliving: (store) => store.removeOutliving(entity('agent_8', 'agent', 'ws_0'), 'audit', ['aud_1', 'aud_2']),
    close: () => undefined,
    clusterId: (store) => store.clusterId,
    ping: (store) => store.ping(),
    upToDate: (store) => store.upToDate(),
    nextEpoch: (store) => store.nextEpoch(),
    processes: async (store) => {
      await store.processes.noteProcess({ instance: 'p', redis: 'r', host: 'h', leaseMs: 1000, protocol: 1 });
      await store.processes.liveProcesses();
      await store.processes.forgetProcess('p');
    },
    time: (store) => store.time(),
    bytesOnDisk: (store) => store.bytesOnDisk(),
    hasEntities: (store) => store.hasEntities('ws_0', shards),
    endMigration: (store) => store.endMigration(true),
  };
})();

interface Profiled {
  ns: string;
  op: string;
  planSummary?: string;
  hasSortStage?: boolean;
  docsExamined?: number;
  command: unknown;
}

describe('plans of MongoDB', function () {
  this.timeout(120_000);
  let service: MongoService;
  let client: MongoClient;
  let db: Db;
  let url: string;
  before(async function () {
    const found = await mongoService();
    if (!found) return this.skip(); // neither MONGODB_URL nor mongod on PATH
    service = found;
    url = found.freshUrl();
    client = new MongoClient(url);
    db = client.db();
    const isRefused = await db.command({ profile: 0 }).then(
      () => false,
      () => true,
    );
    if (isRefused) this.skip(); // a mongos, or not MongoDB's own server
    await db.createCollection('system.profile', { capped: true, size: 64 * 1024 * 1024 });
  });
  after(async () => {
    await client?.close();
    if (url) await service.drop(url);
    await service?.stop();
  });

  /** What was carried out meanwhile by reading more than the index that it needs, or by sorting. */
  async function bad(work: () => Promise<unknown>): Promise<string[]> {
    await db.command({ profile: 2, filter: { ns: { $ne: `${db.databaseName}.system.profile` } } });
    await work();
    await db.command({ profile: 0 });
    const all = await db.collection<Profiled>('system.profile').find().toArray();
    expect(all.length, 'what was profiled').to.be.greaterThan(0);
    return all
      .filter(
        ({ ns, planSummary = '', hasSortStage = false, docsExamined = 0 }) =>
          // There is one note for each process, and a start looks whether a collection has any document.
          (planSummary.includes('COLLSCAN') && !ns.endsWith('.processes') && docsExamined > 1) || hasSortStage,
      )
      .map(
        ({ ns, planSummary, hasSortStage, command }) =>
          `${ns} ${planSummary} ${hasSortStage ? 'SORT ' : ''}${JSON.stringify(command)}`,
      );
  }

  it('every query is answered by an index, in its order; a start reads no heads', async () => {
    let store = await openMongoStore({ url });
    await filled(store);
    await store.close();
    const atStart = await bad(async () => (store = await openMongoStore({ url })));
    const headsRead = await db
      .collection('system.profile')
      .countDocuments({ ns: /\.heads$/, docsExamined: { $gt: 0 } });
    const later = await bad(async () => {
      for (const use of Object.values(uses)) await use(store);
    });
    await store.close();
    expect([...new Set([...atStart, ...later])]).to.deep.equal([]);
    expect(headsRead, 'queries of a start that read heads').to.equal(0);
  });
});
