/** src/store/mongo/causal.ts on a replica set of three, by what goes over the wire. */
import { expect } from 'chai';
import { MongoClient, type CommandStartedEvent, type Timestamp } from 'mongodb';
import { Causal } from '../../../src/store/mongo/causal.js';
import { clientFor, databaseOf } from '../../../src/store/mongo/connect.js';
import { isTransient } from '../../../src/store/mongo/failures.js';
import { mongoSet, type MongoSet } from '../../helpers/mongo-set.js';

interface Note {
  _id: string;
  n: number;
}

describe('store on MongoDB: causality', function () {
  this.timeout(60_000);
  let set: MongoSet;
  let client: MongoClient;
  let causal: Causal;
  const sent: CommandStartedEvent[] = [];

  before(async function () {
    const found = await mongoSet({ linked: false });
    if (found === null) return this.skip(); // no mongod on PATH
    set = found;
    const url = set.freshUrl();
    // the settings of the store, and the commands that it sends
    client = new MongoClient(url, { ...settingsOf(url), monitorCommands: true });
    client.on('commandStarted', (event) => sent.push(event));
    causal = new Causal(client, databaseOf(url));
  });
  beforeEach(() => {
    sent.length = 0;
  });
  after(async () => {
    await causal?.close();
    await client?.close();
    await set?.stop();
  });

  const settingsOf = (url: string): object => {
    const { writeConcern, readConcern, readPreference, retryWrites } = clientFor(url).options;
    return { writeConcern, readConcern, readPreference, retryWrites };
  };
  const names = (): string[] => sent.map(({ commandName }) => commandName);
  const notes = () => causal.db.collection<Note>('notes');
  const readsAfter = (): Timestamp[] =>
    sent.flatMap(({ command }) => {
      const concern = command['readConcern'] as { afterClusterTime?: Timestamp; level: string } | undefined;
      return concern?.level === 'majority' && concern.afterClusterTime ? [concern.afterClusterTime] : [];
    });

  it('each kind of read waits for what was acknowledged last', async () => {
    await notes().insertOne({ _id: 'a', n: 1 });
    const first = await causal.read(async () => notes().findOne({ _id: 'a' }));
    await notes().updateOne({ _id: 'a' }, { $inc: { n: 1 } });
    sent.length = 0;
    expect(first?.n).to.equal(1);
    expect(await notes().find({}).toArray()).to.deep.equal([{ _id: 'a', n: 2 }]);
    await notes().findOne({ _id: 'a' });
    await notes().countDocuments({});
    await notes()
      .aggregate([{ $match: {} }])
      .toArray();
    const times = readsAfter();
    expect(times).to.have.length(4);
    expect(new Set(times.map(String)).size).to.equal(1);
  });

  it('a write that nobody acknowledged, or only one server, moves nothing', async () => {
    await notes().findOne({ _id: 'a' });
    const [before] = readsAfter();
    sent.length = 0;
    await notes().updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { writeConcern: { w: 1 } });
    const failed = await notes()
      .insertOne({ _id: 'a', n: 9 })
      .catch((error: Error) => error.message);
    expect(failed).to.match(/duplicate key/);
    await notes().findOne({ _id: 'a' });
    expect(readsAfter()).to.deep.equal([before]);
  });

  it('the first read after an election waits for a barrier, and no other does', async () => {
    await causal.read(() => notes().findOne({ _id: 'a' }));
    sent.length = 0;
    await causal.read(() => notes().findOne({ _id: 'a' }));
    expect(names()).to.deep.equal(['find']);
    const before = await set.primary();
    const elected = new Promise<void>((resolve) => {
      client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
        for (const { type, address } of servers.values())
          if (type === 'RSPrimary' && address !== before.host) resolve();
      });
    });
    await before.stepDown();
    await elected;
    sent.length = 0;
    await Promise.all([1, 2, 3].map(() => causal.read(() => notes().findOne({ _id: 'a' }))));
    expect(names()).to.deep.equal(['delete', 'find', 'find', 'find']);
    expect(sent[0]?.command).to.have.nested.property('writeConcern.w', 'majority');
  });

  it('what is still being sent when the connection breaks fails, as if its answer were lost', async () => {
    const url = `${set.freshUrl()}&waitQueueTimeoutMS=100`;
    const hasty = clientFor(url, 300, 300);
    const one = new Causal(hasty, databaseOf(url));
    const texts = one.db.collection<{ _id: string }>('texts');
    const _id = 'x'.repeat(12_000_000); // more than the socket takes
    const sends: Record<string, (_id: string) => Promise<unknown>> = {
      insertOne: (_id) => texts.insertOne({ _id }),
      find: (_id) => texts.find({ _id }).toArray(),
      findOne: (_id) => texts.findOne({ _id }),
      countDocuments: (_id) => texts.countDocuments({ _id }),
      command: (_id) => one.db.command({ find: 'texts', filter: { _id } }),
    };
    await Promise.all(Object.keys(sends).map((name) => texts.insertOne({ _id: name }))); // a connection for each
    const primary = await set.primary();
    primary.pause();
    const ends = await Promise.allSettled(Object.values(sends).map((send) => send(_id)));
    primary.resume();
    await set.whole();
    expect(ends.map((end) => end.status === 'rejected' && isTransient(end.reason))).to.not.include(false);
    await one.close();
    await hasty.close();
  });

  it('a read that the old primary never answers is repeated when the new one is known', async () => {
    const url = set.freshUrl();
    const patient = clientFor(url, 2000, 600_000);
    const one = new Causal(patient, databaseOf(url));
    const texts = one.db.collection<{ _id: string }>('texts');
    await one.read(() => texts.insertOne({ _id: 'there' }));
    const primary = await set.primary();
    const more = 'x'.repeat(12_000_000);
    let reads = 0;
    const found = one.read(() => texts.find({ _id: { $in: reads++ === 0 ? ['there', more] : ['there'] } }).toArray());
    primary.pause();
    expect(await found).to.deep.equal([{ _id: 'there' }]);
    primary.resume();
    await set.whole();
    await one.close();
    await patient.close();
  });

  it('a read during which the primary changed is repeated', async () => {
    let reads = 0;
    const elected = (): Promise<void> =>
      new Promise((resolve) => {
        client.once('topologyDescriptionChanged', () => {
          resolve();
        });
      });
    await causal.read(async () => {
      if (reads++ > 0) return;
      const changed = elected();
      await (await set.primary()).stepDown();
      await changed;
    });
    expect(reads).to.equal(2);
  });
});
