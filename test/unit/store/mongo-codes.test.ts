/**
 * What MongoDB answers while it recovers or is overloaded, and what a mongos relays from its shards
 * (src/store/mongo/failures.ts).
 */
import { fieldsOf } from '../../helpers/fields.js';
import { expect } from 'chai';
import { MongoBulkWriteError } from 'mongodb';
import type { Applier } from '../../../src/store/mongo/apply.js';
import { clientFor } from '../../../src/store/mongo/connect.js';
import type { MongoConnection } from '../../../src/store/mongo/connection.js';
import { Committer } from '../../../src/store/mongo/committer.js';
import type { StoredHead } from '../../../src/store/mongo/documents.js';
import { plan } from '../../../src/store/mongo/plan.js';
import { fewestShards } from '../../../src/store/shards.js';
import { isAway } from '../../../src/store/port.js';
import { commit } from '../../contract/store/fixtures.js';
import { withClient } from '../../helpers/mongo-service.js';
import { turn } from '../../helpers/turn.js';
import { a, ending, HandClock, MongoBench, noted } from './mongo-helpers.js';

/** A mongos whose shard loses the answer of the first write; it `takes` effect or not. */
function relaying(takes: boolean): { connection: MongoConnection; heads: Map<string, StoredHead> } {
  const heads = new Map<string, StoredHead>();
  let sent = 0;
  const collection = () => ({
    bulkWrite: ([write]: { insertOne: { document: StoredHead } }[]) => {
      const { document } = write!.insertOne;
      if (sent++ > 0 || takes) heads.set(document._id, document);
      if (sent > 1) return Promise.resolve({ matchedCount: 0 });
      const relayed = {
        index: 0,
        code: 6,
        errmsg: 'Write results unavailable from shard :: caused by :: HostUnreachable',
      };
      const result = { getWriteConcernError: () => undefined, matchedCount: 0 };
      return Promise.reject(
        new MongoBulkWriteError({ message: relayed.errmsg, code: 6, writeErrors: [relayed] } as never, result as never),
      );
    },
    find: () => ({ toArray: () => Promise.resolve([...heads.values()]) }),
  });
  const connection = { sharded: true, clocks: new HandClock(), db: { collection }, pause: () => Promise.resolve() };
  return { connection: connection as unknown as MongoConnection, heads };
}

describe('store on MongoDB: codes', function () {
  this.timeout(60_000);

  for (const takes of [true, false])
    it(`a write whose answer a mongos lost is unknown, not refused (it took effect: ${takes})`, async () => {
      const { connection, heads } = relaying(takes);
      const committer = new Committer(connection, { start: () => new Map() } as unknown as Applier);
      const planned = plan(commit(a, 1), 0, fewestShards);
      expect(await committer.commit(planned)).to.equal('committed');
      expect([...heads.values()].map(({ c }) => c)).to.deep.equal([planned.head.c]);
    });

  it('a longer time for commands is taken from the URL, a shorter one is not', () => {
    const timeout = (query: string): number | undefined => clientFor(`mongodb://h/db${query}`).options.socketTimeoutMS;
    expect(['', '?socketTimeoutMS=90000', '?socketTimeoutMS=5'].map(timeout)).to.deep.equal([30_000, 90_000, 30_000]);
  });

  describe('of a real server', () => {
    const bench = new MongoBench();
    bench.hooks();

    const fails = (
      command: string,
      errorCode: number,
      mode: object | string = { times: 1 },
      instead?: object,
    ): Promise<unknown> =>
      withClient(bench.url, (client) =>
        client.db('admin').command({
          configureFailPoint: 'failCommand',
          mode,
          data: { failCommands: [command], appName: 'hivekeep', ...(instead ?? { errorCode }) },
        }),
      );

    for (const code of [112, 133, 202, 365, 384, 462, 11601])
      it(`${code} of a commit: it is sent again, and takes effect once`, async () => {
        const store = await bench.open();
        await store.commit(noted(a, 1, 'one'));
        await fails('update', code);
        expect(await store.commit(noted(a, 2, 'one'))).to.equal('committed');
        await fails('insert', code);
        expect(await store.commit(noted(a, 3, 'one'))).to.equal('committed');
        expect((await store.head(a))?.seq).to.equal(3);
        expect(fieldsOf((await store.get(a, 'memory', 'mem_00003'))?.body)['who']).to.equal('one');
      });

    for (const code of [43, 237, 365])
      it(`${code} of a read: the server is away for the moment`, async () => {
        const store = await bench.open();
        await store.commit(noted(a, 1, 'one'));
        await fails('find', code, { times: 2 }); // the driver asks once more
        expect(isAway(await ending(Promise.resolve(store.head(a))))).to.equal(true);
        await fails('find', code, 'off');
        expect((await store.head(a))?.seq).to.equal(1);
      });

    it('who waits for a connection of the pool for too long is told so, and the next read works', async () => {
      await (await bench.open()).commit(noted(a, 1, 'one'));
      const store = await bench.open({ url: `${bench.url}?maxPoolSize=1&waitQueueTimeoutMS=2000` });
      await fails('find', 0, { times: 1 }, { blockConnection: true, blockTimeMS: 4000 });
      const slow = store.head(a);
      await turn();
      const error = await ending(Promise.resolve(store.get(a, 'memory', 'mem_00001')));
      expect(error)
        .to.have.property('message')
        .that.matches(/^All connections to MongoDB .* raise maxPoolSize/);
      expect(isAway(error)).to.equal(true);
      expect((await slow)?.seq).to.equal(1);
      expect((await store.get(a, 'memory', 'mem_00001'))?.id).to.equal('mem_00001');
    });
  });
});
