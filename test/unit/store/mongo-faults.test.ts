/** What a network, a crash or a second writer does to commits on MongoDB. */
import { fieldsOf } from '../../helpers/fields.js';
import { expect } from 'chai';
import { MongoNetworkError, type Document } from 'mongodb';
import { Stopwatch } from '../../../src/store/mongo/age.js';
import { Applier } from '../../../src/store/mongo/apply.js';
import type { MongoConnection } from '../../../src/store/mongo/connection.js';
import type { MongoStore } from '../../../src/store/mongo/open.js';
import { plan } from '../../../src/store/mongo/plan.js';
import { fewestShards } from '../../../src/store/shards.js';
import { StoreError } from '../../../src/store/port.js';
import { commit, entity, put } from '../../contract/store/fixtures.js';
import { withClient } from '../../helpers/mongo-service.js';
import { a, ending, gate, HandClock, MongoBench, noted } from './mongo-helpers.js';

describe('store on MongoDB: faults', function () {
  this.timeout(60_000);
  const bench = new MongoBench();
  bench.hooks();

  const isUnknown = (error: unknown): void => {
    expect(error).to.be.instanceOf(StoreError).with.property('reason', 'unknown');
  };

  describe('the answer of the compare-and-set is lost', () => {
    for (const seq of [1, 2]) {
      const command = seq === 1 ? 'insert' : 'update';
      it(`it took effect (seq ${seq}): the commit id says so, and it counts once`, async () => {
        const { store, proxy } = await bench.openBehindProxy();
        for (let n = 1; n < seq; n++) await store.commit(noted(a, n, 'one'));
        const lost = proxy.trap(command, 'heads', 'lose-answer');
        expect(await store.commit(noted(a, seq, 'one'))).to.equal('committed');
        await lost;
        expect((await store.head(a))?.seq).to.equal(seq);
        expect(fieldsOf((await store.get(a, 'memory', `mem_0000${seq}`))?.body)['who']).to.equal('one');
      });

      it(`it never arrived (seq ${seq}): it is sent again, and counts once`, async () => {
        const { store, proxy } = await bench.openBehindProxy();
        for (let n = 1; n < seq; n++) await store.commit(noted(a, n, 'one'));
        const lost = proxy.trap(command, 'heads', 'lose');
        expect(await store.commit(noted(a, seq, 'one'))).to.equal('committed');
        await lost;
        expect((await store.head(a))?.seq).to.equal(seq);
      });

      it(`it never arrived, and somebody else has written (seq ${seq}): a conflict`, async () => {
        const { store, proxy } = await bench.openBehindProxy();
        const other = await bench.open();
        for (let n = 1; n < seq; n++) await store.commit(noted(a, n, 'one'));
        const back = gate();
        void proxy.trap(command, 'heads', 'lose');
        const looked = proxy.trap('find', 'heads', { hold: back.opened });
        const outcome = store.commit(noted(a, seq, 'one'));
        await looked;
        expect(await other.commit(noted(a, seq, 'two'))).to.equal('committed');
        back.open();
        expect(await outcome).to.equal('conflict');
        expect(fieldsOf((await store.head(a))?.snapshot)['who']).to.equal('two');
      });

      it(`it took effect and somebody has gone on from there (seq ${seq}): unknown, and the history has no hole`, async () => {
        const { store, proxy } = await bench.openBehindProxy();
        const other = await bench.open();
        for (let n = 1; n < seq; n++) await store.commit(noted(a, n, 'one'));
        const back = gate();
        const lost = proxy.trap(command, 'heads', 'lose-answer');
        const looked = proxy.trap('find', 'heads', { hold: back.opened });
        const outcome = ending(store.commit(noted(a, seq, 'one')));
        await lost;
        await looked;
        expect((await other.load(a))?.seq).to.equal(seq);
        expect(await other.commit(noted(a, seq + 1, 'two'))).to.equal('committed');
        back.open();
        isUnknown(await outcome);
        expect(
          fieldsOf((await store.get(a, 'memory', `mem_0000${seq}`))?.body)['who'],
          'the load of the other finished it',
        ).to.equal('one');
        expect((await store.head(a))?.seq).to.equal(seq + 1);
      });
    }

    it('a whole bulk whose answer came tells of a newer head that it never matched: a conflict', async () => {
      const one = await bench.open();
      const other = await bench.open();
      const refs = [entity('agent_1'), entity('agent_2')];
      for (const ref of refs) await one.commit(noted(ref, 1, 'one'));
      for (const seq of [2, 3]) await other.commit(noted(a, seq, 'two'));
      expect(await Promise.all(refs.map((ref) => one.commit(noted(ref, 2, 'one'))))).to.deep.equal([
        'conflict',
        'committed',
      ]);
    });

    it('a server that stays away: unknown, once the patience is over by the clock', async () => {
      const clock = new HandClock();
      const { store, proxy } = await bench.openBehindProxy(clock);
      await store.commit(noted(a, 1, 'one'));
      const lost = proxy.trap('update', 'heads', 'lose-answer');
      const outcome = ending(store.commit(noted(a, 2, 'one')));
      await lost;
      proxy.cut();
      clock.run();
      isUnknown(await outcome);
      proxy.mend();
      const other = await bench.open();
      expect((await other.load(a))?.seq).to.equal(2);
      expect(fieldsOf((await other.get(a, 'memory', 'mem_00002'))?.body)['who']).to.equal('one');
    });
  });

  describe('a commit that is left half done', () => {
    it('Store.P2: the next load finishes it: puts, deletes and idempotency records', async () => {
      const clock = new HandClock();
      const { store, proxy } = await bench.openBehindProxy(clock);
      const other = await bench.open();
      await store.commit(
        commit(a, 1, {
          puts: [put('memory', 'mem_1', { v: 1, updated_at: 'x' }), put('memory', 'mem_2', { updated_at: 'x' })],
        }),
      );
      const never = gate();
      const held = [
        proxy.trap('insert', 'memory', { hold: never.opened }),
        proxy.trap('update', 'memory', { hold: never.opened }),
        proxy.trap('insert', 'commands', { hold: never.opened }),
      ];
      const outcome = ending(
        store.commit(
          commit(a, 2, {
            puts: [
              put('memory', 'mem_1', { v: 2, updated_at: 'y' }, false),
              put('memory', 'mem_3', { updated_at: 'x' }),
            ],
            deletes: [{ kind: 'memory', id: 'mem_2' }],
            records: [{ id: 'cmd', bodyHash: 'h', result: { ok: true }, expiresAt: Date.now() + 1e6 }],
          }),
        ),
      );
      await Promise.all(held);
      expect(await other.get(a, 'memory', 'mem_3'), 'not applied yet').to.equal(null);

      expect((await other.load(a))?.seq).to.equal(2);
      expect(fieldsOf((await other.get(a, 'memory', 'mem_1'))?.body)['v']).to.equal(2);
      expect(await other.get(a, 'memory', 'mem_2')).to.equal(null);
      expect((await other.get(a, 'memory', 'mem_3'))?.id).to.equal('mem_3');
      expect((await other.record(a, 'cmd', 0))?.result).to.deep.equal({ ok: true });
      expect(
        (
          await other.list({ workspace: 'ws_a', collection: 'memory', list: 'updated', order: 'asc', limit: 9 })
        ).items.map((i) => i.id),
      ).to.deep.equal(['mem_3', 'mem_1']);
      clock.pass(60_001);
      proxy.cut();
      isUnknown(await outcome);
    });

    const halfway = commit(a, 1, { puts: [put('run', 'run_1', { status: 'running', updated_at: 'x' })] });
    const done = commit(a, 2, {
      puts: [
        put('run', 'run_1', { status: 'completed', updated_at: 'y' }, false),
        put('journal', 'chk_1', { sessionId: 's', runId: 'run_1', firstSeq: 1 }),
        put('memory', 'mem_1', { updated_at: 'y' }),
      ],
    });
    const isDone = async (store: MongoStore): Promise<void> => {
      expect(fieldsOf((await store.get(a, 'run', 'run_1'))?.body)['status']).to.equal('completed');
      expect((await store.get(a, 'journal', 'chk_1'))?.id).to.equal('chk_1');
      expect((await store.get(a, 'memory', 'mem_1'))?.id).to.equal('mem_1');
    };

    it('who sees that a run is done sees its journal and its memories, however slow the apply', async () => {
      const { store, proxy } = await bench.openBehindProxy({ oneCollectionAtATime: true });
      const other = await bench.open();
      await store.commit(halfway);
      const late = gate();
      const held = [
        proxy.trap('insert', 'journal', { hold: late.opened }),
        proxy.trap('insert', 'memory', { hold: late.opened }),
      ];
      const outcome = store.commit(done);
      await Promise.all(held);
      // the write of the run would have come by now, were it not to wait for the others
      const beside: unknown[] = [];
      for (let n = 0; n < 20; n++) beside.push(fieldsOf((await other.get(a, 'run', 'run_1'))?.body)['status']);
      late.open();
      expect(new Set(beside)).to.deep.equal(new Set(['running']));
      expect(await outcome).to.equal('committed');
      await isDone(store);
    });

    /** An applier to whose server the ordered write of MongoDB 8.0 is done one operation at a time, up to an error. */
    const ordering = async (meets: (operations: () => Promise<void>) => Promise<void>) => {
      const store = await bench.open();
      await store.commit(halfway);
      const apply = (): Promise<void> =>
        withClient(bench.url, async (client) => {
          const db = client.db();
          const bulkWrite = (operations: readonly OneWrite[]): Promise<void> =>
            meets(async () => {
              for (const { namespace, name, document, filter, replacement } of operations) {
                const collection = db.collection(namespace.slice(db.databaseName.length + 1));
                if (name === 'insertOne') await collection.insertOne(document);
                else await collection.replaceOne(filter, replacement, { upsert: true });
              }
            });
          const connection = { ...bare, url: bench.url, ordersWrites: true } as unknown as MongoConnection;
          const stands = { client: { bulkWrite }, databaseName: db.databaseName, collection: db.collection.bind(db) };
          const applier = new Applier({ ...connection, db: stands as never });
          const { changes } = plan(done, 0, fewestShards);
          const sent = applier.start(changes, new Stopwatch(bare.clocks));
          for (const change of changes) await sent.get(change);
        });
      return { store, apply };
    };
    interface OneWrite {
      namespace: string;
      name: string;
      document: Document;
      filter: Document;
      replacement: Document;
    }
    const bare = { clocks: new HandClock(), pause: () => Promise.resolve(), log: null };

    for (const [fate, meets] of [
      ['is lost', () => Promise.reject(new MongoNetworkError('lost'))],
      ['loses its answer', (write) => write().then(() => Promise.reject(new MongoNetworkError('lost')))],
    ] as [string, (write: () => Promise<void>) => Promise<void>][])
      it(`an ordered write that ${fate} is finished in parts, once`, async () => {
        const { store, apply } = await ordering(meets);
        await apply();
        await isDone(store);
      });

    it('an ordered write that stops at what is there already is finished in parts', async () => {
      let stopped: unknown = null;
      const { store, apply } = await ordering((write) =>
        write().catch((error: unknown) => {
          stopped = error;
          throw error;
        }),
      );
      await withClient(bench.url, (client) =>
        client
          .db()
          .collection<Document & { _id: string }>('journal')
          .insertOne(plan(done, 0, fewestShards).changes.find(({ to }) => to === 'journal')!.document),
      );
      await apply();
      expect(stopped).to.have.property('code', 11000);
      await isDone(store);
    });

    it('an ordered write has the runs of all its commits at the end, and nothing of other commits', async () => {
      const written: string[] = [];
      const client = {
        bulkWrite: (operations: { namespace: string }[], options: { ordered: boolean }) => {
          expect(options.ordered).to.equal(true);
          written.push(...operations.map(({ namespace }) => namespace));
          return Promise.resolve();
        },
      };
      const inserted: string[] = [];
      const collection = (name: string) => ({ insertMany: () => Promise.resolve(inserted.push(name)) });
      const clocks = new HandClock();
      const db = { client, databaseName: 'db', collection };
      const applier = new Applier({ ordersWrites: true, clocks, db } as unknown as MongoConnection);
      const record = { id: 'cmd', bodyHash: 'h', result: null, expiresAt: 1 };
      const commits = [
        { ...done, records: [record] },
        { ...done, entity: entity('agent_2') },
        noted(entity('agent_3'), 1, 'one'),
      ];
      const changes = commits.flatMap((one) => plan(one, 0, fewestShards).changes);
      const sent = applier.start(changes, new Stopwatch(clocks));
      for (const change of changes) await sent.get(change);
      expect(written.slice(-2)).to.deep.equal(['db.run', 'db.run']);
      expect(written.slice(0, -2).sort()).to.deep.equal([
        'db.commands',
        'db.journal',
        'db.journal',
        'db.memory',
        'db.memory',
      ]);
      expect(inserted).to.deep.equal(['memory']);
    });

    it('its head is open until a load and a release, though it is not active: a takeover finds it', async () => {
      const store = await bench.open();
      const found = async (): Promise<string[]> => {
        const ids: string[] = [];
        for await (const page of store.activeHeads(undefined, { unfinished: true }))
          ids.push(...page.map((h) => h.entity.id));
        return ids;
      };
      await store.commit(noted(a, 1, 'one'));
      expect(await found()).to.deep.equal(['agent_1']);
      await store.load(a);
      store.release(a, 1);
      await store.released();
      expect(await found()).to.deep.equal([]);
    });

    it('an apply sends nothing more once its head is 60 s old, by either clock', async () => {
      for (const hand of ['wall', 'steady'] as const) {
        const clock = new HandClock();
        const ref = entity(`agent_${hand}`);
        const { store, proxy } = await bench.openBehindProxy(clock);
        const lost = proxy.trap('insert', 'memory', 'lose');
        const outcome = ending(store.commit(noted(ref, 1, 'one')));
        await lost;
        clock[hand] += 60_001;
        isUnknown(await outcome);
        const other = await bench.open();
        expect(await other.get(ref, 'memory', 'mem_00001'), hand).to.equal(null);
        await other.load(ref);
        expect(await other.get(ref, 'memory', 'mem_00001'), hand).not.to.equal(null);
      }
    });

    it('an apply that the network loses is sent again', async () => {
      const { store, proxy } = await bench.openBehindProxy();
      await store.commit(noted(a, 1, 'one'));
      const lost = [proxy.trap('insert', 'memory', 'lose-answer'), proxy.trap('update', 'memory', 'lose')];
      expect(
        await store.commit(
          commit(a, 2, {
            puts: [put('memory', 'mem_9', { updated_at: 'x' })],
            deletes: [{ kind: 'memory', id: 'mem_00001' }],
          }),
        ),
      ).to.equal('committed');
      await Promise.all(lost);
      expect((await store.get(a, 'memory', 'mem_9'))?.id).to.equal('mem_9');
      expect(await store.get(a, 'memory', 'mem_00001')).to.equal(null);
    });
  });

  describe('the slow apply of a writer that lost the entity changes nothing', () => {
    it('neither a put over a newer put, nor one over a delete, nor a delete over a newer put', async () => {
      const clock = new HandClock();
      const { store: slow, proxy } = await bench.openBehindProxy(clock);
      const other = await bench.open();
      await slow.commit(
        commit(a, 1, {
          puts: [put('memory', 'mem_1', { v: 1 }), put('memory', 'mem_2', { v: 1 }), put('memory', 'mem_3', { v: 1 })],
        }),
      );
      const late = gate();
      const held = [
        proxy.trap('update', 'memory', { hold: late.opened }),
        proxy.trap('insert', 'memory', { hold: late.opened }),
      ];
      const outcome = ending(
        slow.commit(
          commit(a, 2, {
            puts: [
              put('memory', 'mem_1', { v: 'stale' }, false),
              put('memory', 'mem_2', { v: 'stale' }, false),
              put('memory', 'mem_4', { v: 'stale' }),
              put('memory', 'mem_5', { v: 'stale' }),
            ],
            deletes: [{ kind: 'memory', id: 'mem_3' }],
          }),
        ),
      );
      await Promise.all(held);
      await other.load(a);
      expect(
        await other.commit(
          commit(a, 3, {
            puts: [
              put('memory', 'mem_1', { v: 3 }, false),
              put('memory', 'mem_3', { v: 3 }),
              put('memory', 'mem_4', { v: 3 }, false),
            ],
            deletes: [
              { kind: 'memory', id: 'mem_2' },
              { kind: 'memory', id: 'mem_5' },
            ],
          }),
        ),
      ).to.equal('committed');
      late.open();
      expect(await outcome, 'its commit is in the history').to.equal('committed');
      const values = (await other.getMany(a, 'memory', ['mem_1', 'mem_2', 'mem_3', 'mem_4', 'mem_5'])).map(
        (d) => fieldsOf(d?.body)['v'] ?? null,
      );
      expect(values).to.deep.equal([3, null, 3, 3, null]);
      expect(
        (
          await other.list({ workspace: 'ws_a', collection: 'memory', list: 'created', order: 'asc', limit: 9 })
        ).items.map((i) => i.id),
      ).to.deep.equal(['mem_1', 'mem_3', 'mem_4']);
    });
  });

  it('Store.P1: two stores that hammer one entity give one history without holes, and what was acknowledged is in it', async () => {
    const stores = [await bench.open(), await bench.open()];
    const acknowledged = new Map<number, string>();
    await Promise.all(
      stores.map(async (store, n) => {
        for (let won = 0; won < 15;) {
          const seq = ((await store.load(a))?.seq ?? 0) + 1;
          const who = `store ${n}, ${seq}`;
          if ((await store.commit(noted(a, seq, who))) !== 'committed') continue;
          expect(acknowledged.has(seq), `seq ${seq} twice`).to.equal(false);
          acknowledged.set(seq, who);
          won++;
        }
      }),
    );
    expect((await stores[0]!.head(a))?.seq).to.equal(30);
    const { items } = await stores[0]!.list({
      workspace: 'ws_a',
      collection: 'memory',
      list: 'created',
      order: 'asc',
      limit: 100,
    });
    expect(items.map((i) => fieldsOf(i.body)['who'])).to.deep.equal(
      Array.from({ length: 30 }, (_, i) => acknowledged.get(i + 1)),
    );
  });

  it('Store.P3: kill -9 of the server in the middle of commits: nothing acknowledged is lost, and the writers go on', async () => {
    const store = await bench.open();
    const refs = Array.from({ length: 20 }, (_, i) => entity(`agent_${i}`));
    const seqs = refs.map(() => 0);
    let stop = false;
    const writers = Promise.all(
      refs.map(async (ref, i) => {
        while (!stop) {
          const outcome = await ending(store.commit(noted(ref, seqs[i]! + 1, 'x')));
          if (outcome === 'committed') seqs[i]!++;
          else seqs[i] = (await store.load(ref))?.seq ?? 0;
        }
      }),
    );
    for (let round = 0; round < 2; round++) {
      await untilWritten(seqs, 40 * (round + 1));
      await bench.own.kill();
      await bench.own.start();
    }
    await untilWritten(seqs, 160);
    stop = true;
    await writers;
    for (const [i, ref] of refs.entries()) {
      expect((await store.head(ref))?.seq, ref.id).to.equal(seqs[i]);
      const { items } = await store.list({
        workspace: 'ws_a',
        collection: 'memory',
        list: 'created',
        entity: ref,
        order: 'asc',
        limit: 1000,
      });
      expect(
        items.map((d) => d.id),
        ref.id,
      ).to.deep.equal(Array.from({ length: seqs[i]! }, (_, n) => `mem_${String(n + 1).padStart(5, '0')}`));
    }
  });
});

async function untilWritten(seqs: readonly number[], n: number): Promise<void> {
  while (seqs.reduce((x, y) => x + y, 0) < n)
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
}
