/**
 * Durable commits on MongoDB: a mailbox message taken in (the agent's head of about 400 B, which carries the message of
 * about 400 B, and the message), 256 agents, each with a commit on its way. Baseline: what the bare driver does with
 * the same documents in collections with the same indexes: bulkWrite of 100 heads and insertMany of 100 messages, in
 * rounds.
 */
import { MongoClient } from 'mongodb';
import type { StoredDocument, StoredHead } from '../../src/store/mongo/documents.js';
import { openMongoStore } from '../../src/store/mongo/open.js';
import { plan } from '../../src/store/mongo/plan.js';
import { fewestShards } from '../../src/store/shards.js';
import { mongoService } from '../helpers/mongo-service.js';
import { percentile, type Bench, type Row } from './harness.js';
import { mailbox } from './mailbox-commits.js';

const agents = 256;
const seconds = 10;
const turns = 2;
interface Load {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Runs `round`s in so many lanes; each answers how many commits it was. */
async function load(lanes: number, round: (lane: number) => Promise<number>): Promise<Load> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < end) {
        const began = performance.now();
        const commits = await round(lane);
        done += commits;
        times.push(performance.now() - began);
      }
    }),
  );
  return {
    perSecond: (done / (performance.now() - start)) * 1000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

async function storeLoad(url: string): Promise<Load> {
  const store = await openMongoStore({ url });
  const made = Array.from({ length: agents }, (_, i) => ({ next: mailbox(i), seq: 0 }));
  let message = 0;
  const commit = async (agent: number): Promise<number> => {
    const one = made[agent]!;
    if ((await store.commit(one.next(++one.seq, ++message))) !== 'committed') throw new Error('conflict');
    return 1;
  };
  await Promise.all(made.map((_, i) => commit(i)));
  const result = await load(agents, commit);
  await store.close();
  return result;
}

const perRound = 100;
const lanes = 2;

async function driverLoad(url: string): Promise<Load> {
  await (await openMongoStore({ url })).close(); // makes the indexes
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  const db = client.db();
  const heads = db.collection<StoredHead>('heads');
  const messages = db.collection<StoredDocument>('message');
  const made = Array.from({ length: perRound * lanes }, (_, i) => ({ next: mailbox(i), seq: 0 }));
  let message = 0;
  const planned = (lane: number): ReturnType<typeof plan>[] =>
    made
      .slice(lane * perRound, (lane + 1) * perRound)
      .map((one) => plan(one.next(++one.seq, ++message), 0, fewestShards));
  await heads.insertMany(Array.from({ length: lanes }, (_, lane) => planned(lane).map((p) => p.head)).flat());
  const result = await load(lanes, async (lane) => {
    const round = planned(lane);
    await Promise.all([
      heads.bulkWrite(
        round.map(({ head }) => ({
          replaceOne: { filter: { _id: head._id, w: head.w, e: head.e, s: head.s - 1 }, replacement: head },
        })),
        { ordered: false },
      ),
      messages.insertMany(
        round.flatMap((p) => p.changes.map((c) => c.document)),
        { ordered: false },
      ),
    ]);
    return round.length;
  });
  await client.close();
  return result;
}

function mean(loads: readonly Load[]): Load {
  const of = (name: keyof Load): number => loads.reduce((sum, l) => sum + l[name], 0) / loads.length;
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') };
}

export const bench: Bench = {
  name: 'mongo: durable mailbox commits (head + message), 256 agents',
  async run() {
    const service = await mongoService();
    const rows: Row[] = [];
    if (!service) return [{ what: 'not measured: mongod is not on PATH', figure: NaN, unit: '' }];
    try {
      const drivers: Load[] = [];
      const stores: Load[] = [];
      // in turns, so that what else the machine does meets both
      for (let turn = 0; turn < turns; turn++) {
        drivers.push(await driverLoad(service.freshUrl()));
        stores.push(await storeLoad(service.freshUrl()));
      }
      const driver = mean(drivers);
      const ours = mean(stores);
      rows.push({
        what: `commits, ${agents} in flight`,
        figure: ours.perSecond,
        unit: '/s',
        baseline: {
          what: 'bulkWrite of 100 heads + insertMany of 100 messages by the driver alone',
          figure: driver.perSecond,
        },
        target: '>= 70 %',
        met: ours.perSecond >= 0.7 * driver.perSecond,
        note: `p50 ${ours.p50.toFixed(0)} ms, p99 ${ours.p99.toFixed(0)} ms a commit; the driver p50 ${driver.p50.toFixed(0)} ms, p99 ${driver.p99.toFixed(0)} ms a round of ${perRound}, ${lanes} at a time`,
      });
    } finally {
      await service.stop();
    }
    return rows;
  },
};
