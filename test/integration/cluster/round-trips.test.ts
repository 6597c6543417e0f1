/**
 * What requests cost in a cluster: the commands that MongoDB gets, counted on the wire, how many of them follow one
 * another, and the entries that go between the processes. The engines share a store, and their time stands still, so
 * that nothing else is sent.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import type { Caller, Service } from '../../../src/service.js';
import { serverFacts } from '../../../src/store/mongo/connect.js';
import { type MongoStore, openMongoStore } from '../../../src/store/mongo/open.js';
import { everyShard, testCluster, type TestCluster } from '../../helpers/cluster.js';
import { caller, type SkippingClock, stillClock } from '../../helpers/engine.js';
import { mongoService, withClient, type MongoService } from '../../helpers/mongo-service.js';
import { type MongoWire, mongoWire, roundTrips } from '../../helpers/mongo-wire.js';

describe('What a request costs in a cluster', () => {
  let mongo: MongoService | null;
  let wire: MongoWire;
  let store: MongoStore;
  let c: TestCluster;
  let clock: SkippingClock;
  let service: Service;
  let agent: string;
  let entries = 0;
  let ordered = false;
  let keys = 0;

  before(async function () {
    mongo = await mongoService();
    if (!mongo?.own) return this.skip(); // what others send to a server that was given would count too
    wire = await mongoWire(mongo.own.port, ['update storage']); // sums, of the commits of some time
    const url = new URL(mongo.freshUrl());
    url.host = wire.host;
    url.searchParams.set('directConnection', 'true'); // else the driver goes to where the server says that it is
    store = await openMongoStore({ url: url.href });
    ordered = (await withClient(url.href, (client) => serverFacts(client.db()))).ordersWrites;
    const reasoner = createBuiltIn();
    c = await testCluster(store, (context, signal) => reasoner.next(context, signal), reasoner.usesMemories);
    clock = stillClock();
    service = (await c.add('gateway', 'gateway', clock)).engine.service;
    await c.add('worker', 'worker', clock);
    await c.table.give(everyShard, 'worker');
    c.network.fate = () => {
      entries++;
      return 'arrives';
    };
    agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
    // whatever is read once is read: indexes, the texts of memories, the sessions
    await remember('the heron stands in the reeds');
    await ask('Where does the heron stand?');
    await remember('the pier is closed', withKey());
    await say();
    clock.skip(10);
    await say();
    clock.skip(10);
  });
  after(async () => {
    await c?.stop();
    await store?.close();
    await wire?.close();
    await mongo?.stop();
  });

  const withKey = (): Caller => ({
    ...caller,
    idempotencyKey: { id: `key_${++keys}`, bodyHash: 'body', replayed: false },
  });
  const say = (who = caller) => service.messageAgent(who, agent, { content: 'Say: hello' });
  const ask = (content: string, who = caller) => service.messageAgent(who, agent, { content });
  const remember = (content: string, who = caller) =>
    service.createMemory(who, { agent_id: agent, type: 'fact', content });

  async function costOf(work: () => Promise<unknown>): Promise<{ commands: string[]; trips: number; entries: number }> {
    entries = 0;
    const commands = await wire.during(work);
    return { commands: commands.map(({ name }) => name).sort(), trips: roundTrips(commands), entries };
  }
  /** From MongoDB 8.0 on one command writes to several collections in order; before, the run's waits for the others. */
  const run = (): string[] => (ordered ? ['bulkWrite'] : ['insert commands', 'insert journal', 'insert run']);
  const tripsOfRun = (): number => (ordered ? 2 : 3);

  it('Idempotency.Y4: a message is one commit, and no record of it is looked for', async () => {
    expect(await costOf(() => say())).to.deep.equal({
      commands: [...run(), 'update heads'],
      trips: tripsOfRun(),
      entries: 2,
    });
  });

  it('a message whose recall finds memories reads them together, and is one commit', async () => {
    for (const n of [1, 2, 3]) await remember(`the heron has caught fish number ${n}`);
    const cost = await costOf(async () => {
      const { memories_consulted: found } = await ask('What does the heron do?');
      expect(found.length).to.be.greaterThan(2);
    });
    expect(cost).to.deep.equal({
      commands: [...run(), 'find memory', 'update heads'].sort(),
      trips: tripsOfRun() + 1,
      entries: 2,
    });
  });

  it('Idempotency.Y4: a memory is one commit in two round trips', async () => {
    expect(await costOf(() => remember('the harbour office opens at nine'))).to.deep.equal({
      commands: ['insert commands', 'insert memory', 'update heads'],
      trips: 2,
      entries: 2,
    });
  });

  it('with an Idempotency-Key its record is looked for once; a memory claims its key instead', async () => {
    const said = await costOf(() => say(withKey()));
    expect(said).to.deep.equal({
      commands: [...run(), 'find commands', 'update heads'].sort(),
      trips: tripsOfRun() + 1,
      entries: 2,
    });
    expect(await costOf(() => remember('the ferry sails at ten', withKey())), 'a new key').to.deep.equal({
      commands: ['insert commands', 'insert commands', 'insert memory', 'update heads'],
      trips: 3,
      entries: 2,
    });
  });
});
