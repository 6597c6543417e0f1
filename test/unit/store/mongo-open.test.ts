/**
 * What is said of servers and databases that cannot be used, by a start and by checkMongo (src/store/mongo/check.ts);
 * and the cluster's document.
 */
import { expect } from 'chai';
import { StoreError } from '../../../src/store/port.js';
import { fewestShards } from '../../../src/store/shards.js';
import { checkMongo } from '../../../src/store/mongo/check.js';
import { sentence } from '../../../src/store/mongo/failures.js';
import { openMongoStore } from '../../../src/store/mongo/open.js';
import { freePort } from '../../helpers/redis-service.js';
import { mongoService, withClient } from '../../helpers/mongo-service.js';
import { commit } from '../../contract/store/fixtures.js';
import { a, ending, MongoBench, noted } from './mongo-helpers.js';

const problems = async (url: string, now?: () => number): Promise<string[]> =>
  (await checkMongo(url, { patienceMs: 2000, ...(now && { now }) }))
    .filter((f) => f.level !== 'ok')
    .map((f) => `${f.level}: ${f.text}`);

describe('store on MongoDB: opening', function () {
  this.timeout(60_000);
  const bench = new MongoBench(true);
  bench.hooks();

  async function refuses(url: string): Promise<StoreError> {
    const error = await ending(openMongoStore({ url }));
    expect(error).to.be.instanceOf(StoreError);
    return error as StoreError;
  }

  it('a server that was a member of a replica set and runs by itself is told of: its last commits may be missing', async () => {
    const alone = await mongoService('standalone');
    const url = alone!.freshUrl();
    const about = async (): Promise<string[]> => (await problems(url)).filter((text) => text.includes('replica set'));
    try {
      expect(await about()).to.deep.equal([]);
      await withClient(url, (client) =>
        client.db('local').collection<{ _id: string }>('system.replset').insertOne({ _id: 'rs7' }),
      );
      const [text] = await about();
      expect(text).to.match(
        /^warn: .* was a member of the replica set rs7 and runs by itself now: .* after the last checkpoint is missing/,
      );
    } finally {
      await alone!.stop();
    }
    expect(
      (await problems(bench.url)).filter((text) => text.includes('replica set')),
      'a member',
    ).to.deep.equal([]);
  });

  it('all processes of a database have one cluster id, and count one row of epochs', async () => {
    const stores = await Promise.all([bench.open(), bench.open(), bench.open()]);
    expect(new Set(stores.map((s) => s.clusterId)).size).to.equal(1);
    const epochs = await Promise.all(Array.from({ length: 30 }, (_, i) => stores[i % 3]!.nextEpoch()));
    expect(epochs.sort((x, y) => x - y)).to.deep.equal(Array.from({ length: 30 }, (_, i) => i + 1));
    expect([await stores[0].nextEpoch(1000), await stores[1].nextEpoch(3)], 'also beyond a later one').to.deep.equal([
      1001, 1002,
    ]);
    bench.url = bench.service.freshUrl();
    expect((await bench.open()).clusterId).not.to.equal(stores[0].clusterId);
    await stores[0].ping();
  });

  it('a process lives for its own lease after its note, and not by a note from the future of a clock that went back', async () => {
    const { processes } = await bench.open();
    const note = (instance: string, leaseMs: number) => ({
      instance,
      redis: 't',
      host: 'h',
      leaseMs,
      protocol: 1,
    });
    await processes.noteProcess(note('short', 1));
    await processes.noteProcess(note('long', 60_000));
    await processes.noteProcess(note('future', 60_000));
    await withClient(bench.url, (client) =>
      client
        .db()
        .collection<{ _id: string }>('processes')
        .updateMany({ _id: { $in: ['short', 'long'] } }, { $set: { at: new Date(Date.now() - 10_000) } }),
    );
    await withClient(bench.url, (client) =>
      client
        .db()
        .collection<{ _id: string }>('processes')
        .updateOne({ _id: 'future' }, { $set: { at: new Date(Date.now() + 3_600_000) } }),
    );
    const live = await processes.liveProcesses();
    expect(live).to.deep.equal([note('long', 60_000)]);
  });

  it('a server that is not there, and an URL that is none: one sentence each, without the password', async () => {
    const nobody = `mongodb://user:s3cret%40@127.0.0.1:${await freePort()}/db`;
    expect(await problems(nobody)).to.have.length(1);
    for (const [url, words] of [
      [nobody, 'Nothing listens at'],
      ['mongodb://user:s3cret@/db', 'HIVEKEEP_MONGODB_URL'],
      ['http://user:s3cret@h/db', 'HIVEKEEP_MONGODB_URL'],
    ] as const) {
      const error = await refuses(url);
      expect(error.reason).to.equal('io');
      expect(error.message).to.include(words).and.not.include('s3cret');
      expect((await problems(url))[0]).to.equal(`fail: ${error.message}`);
    }
  });

  it('wrong credentials, missing rights, a full disk: what to do, without the password', () => {
    const url = 'mongodb://user:s3cret@db.example:27017/hivekeep?authSource=admin';
    const said = (message: string, code: number): string => sentence(Object.assign(new Error(message), { code }), url);
    expect(said('Authentication failed.', 18)).to.equal(
      'MongoDB at db.example:27017/hivekeep refuses the credentials: correct user and password in HIVEKEEP_MONGODB_URL, and authSource where the user stands in another database.',
    );
    expect(said('not authorized on hivekeep to execute command', 13)).to.include('the role readWrite');
    expect(said('no space left', 14031)).to.include('is full');
    expect(said('something with s3cret in it', 1)).to.include('[password]').and.not.include('s3cret');
  });

  it("a database that holds somebody else's collections of our names is refused and left as it is", async () => {
    await withClient(bench.url, (client) =>
      client.db().collection<{ _id: string }>('memory').insertOne({ _id: 'theirs' }),
    );
    const error = await refuses(bench.url);
    expect(error.reason).to.equal('foreign');
    expect(error.message).to.include('memory');
    expect(await problems(bench.url)).to.deep.equal([`fail: ${error.message}`]);
    await withClient(bench.url, async (client) => {
      expect(await client.db().collection('meta').countDocuments()).to.equal(0);
    });
  });

  it('a database that a newer version has written is refused', async () => {
    await (await bench.open()).close();
    await withClient(bench.url, (client) =>
      client
        .db()
        .collection<{ _id: string }>('meta')
        .updateOne({ _id: 'cluster' }, { $set: { schema: 99 } }),
    );
    const error = await refuses(bench.url);
    expect(error.reason).to.equal('other-schema');
    expect(error.message).to.include('schema is 99');
    expect(await problems(bench.url)).to.deep.equal([`fail: ${error.message}`]);
  });

  it('missing indexes are named, and made by a start', async () => {
    const store = await bench.open();
    expect(await problems(bench.url)).to.deep.equal([]);
    await withClient(bench.url, (client) => client.db().collection('heads').dropIndex('due_sh'));
    const [problem = ''] = await problems(bench.url);
    expect(problem).to.match(/^warn: .*heads\.due_sh/);
    await bench.open();
    expect(await problems(bench.url)).to.deep.equal([]);
    await store.commit(noted(a, 1, 'one'));
  });

  it('clocks that are apart: a warning from 2 s on, a refusal from a minute on', async () => {
    await bench.open();
    expect(await problems(bench.url, () => Date.now() - 10_000))
      .to.have.length(1)
      .and.have.property('0')
      .that.matches(/^warn: The clock of MongoDB at .* says 2.*Z and this machine's 2.*Z: keep both right with NTP/);
    expect((await problems(bench.url, () => Date.now() + 300_000))[0]).to.match(/^fail: The clock of MongoDB/);
  });

  it('a database keeps the number of shards that it was made with', async () => {
    const { url } = bench;
    const made = await openMongoStore({ url, shards: 1024 });
    await made.commit(commit(a, 1));
    const shard = made.shards.of(a);
    expect([made.shards.count, shard & 255]).to.deep.equal([1024, fewestShards.of(a)]);
    expect(await made.hasEntities(a.workspace, [shard])).to.equal(true);
    await made.close();
    const error = await ending(openMongoStore({ url, shards: 512 }));
    expect(error).to.be.instanceOf(StoreError).with.property('reason', 'other-schema');
    expect(error)
      .to.have.property('message')
      .that.includes('is divided into 1024 shards, which never changes: unset HIVEKEEP_SHARDS');
    expect((await bench.open()).shards.count).to.equal(1024);
  });

  it('tells its size on disk, and which shards a workspace has entities in', async () => {
    const store = await bench.open();
    await store.commit(commit(a, 1));
    expect(await store.bytesOnDisk()).to.be.greaterThan(0);
    expect(await store.hasEntities(a.workspace, [fewestShards.of(a)])).to.equal(true);
    expect(await store.hasEntities(a.workspace, [(fewestShards.of(a) + 1) % fewestShards.count])).to.equal(false);
    expect(await store.hasEntities('ws_none', [fewestShards.of(a)])).to.equal(false);
  });

  it('a commit above what a document can hold is refused before it is sent', async () => {
    const store = await bench.open();
    const error = await ending(store.commit(noted(a, 1, 'x'.repeat(9 * 1024 * 1024))));
    expect(error).to.be.instanceOf(StoreError).with.property('reason', 'refused');
    expect(error).to.have.property('message').that.includes('16 MiB');
    expect(await store.head(a)).to.equal(null);
  });

  it('a server that does not answer a read: a sentence, and the next read works when it is back', async () => {
    const { store, proxy } = await bench.openBehindProxy();
    await store.commit(noted(a, 1, 'one'));
    proxy.cut();
    const error = await ending(Promise.resolve(store.head(a)));
    expect(error).to.be.instanceOf(StoreError).with.property('reason', 'io');
    proxy.mend();
    expect((await store.head(a))?.seq).to.equal(1);
  });
});
