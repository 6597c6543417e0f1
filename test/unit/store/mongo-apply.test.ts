/** How commits are applied where MongoDB refuses what it should do, without a server. */
import { expect } from 'chai';
import { MongoClientBulkWriteError, MongoServerError } from 'mongodb';
import { Stopwatch } from '../../../src/store/mongo/age.js';
import { Applier, refusalMs } from '../../../src/store/mongo/apply.js';
import type { MongoConnection } from '../../../src/store/mongo/connection.js';
import { plan } from '../../../src/store/mongo/plan.js';
import { fewestShards } from '../../../src/store/shards.js';
import { commit, put } from '../../contract/store/fixtures.js';
import { a, HandClock } from './mongo-helpers.js';

/** As the driver tells that a server does not know a command. */
const unknownCommand = (): Error =>
  Object.assign(new MongoClientBulkWriteError({ message: 'an error during execution' }), {
    cause: new MongoServerError({ code: 59, errmsg: 'no such command: bulkWrite' }),
  });

describe('store on MongoDB: a server that refuses ordered writes', () => {
  let clocks: HandClock;
  let warned: object[];
  let asked: number;
  let answer: () => Promise<unknown>;
  let apply: () => Promise<void>;
  beforeEach(() => {
    clocks = new HandClock();
    warned = [];
    asked = 0;
    const client = {
      bulkWrite: () => {
        asked++;
        return answer();
      },
    };
    const collection = () => ({
      find: () => ({ toArray: () => Promise.resolve([]) }),
      bulkWrite: () => Promise.resolve(),
      insertMany: () => Promise.resolve(),
    });
    const db = { client, databaseName: 'db', collection };
    const log = { warn: (fields: object) => warned.push(fields), debug: () => undefined };
    const applier = new Applier({ ordersWrites: true, clocks, db, log } as unknown as MongoConnection);
    let seq = 0;
    apply = async () => {
      const run = put('run', 'run_1', { status: 'completed', updated_at: 'y' });
      const { changes } = plan(
        commit(a, ++seq, { puts: [run, put('memory', `mem_${seq}`, { updated_at: 'y' })] }),
        0,
        fewestShards,
      );
      await Promise.all(applier.start(changes, new Stopwatch(clocks)).values());
    };
  });

  it('says so once, and does not ask it again for a while', async () => {
    answer = () => Promise.reject(unknownCommand());
    await apply();
    await apply();
    expect(asked).to.equal(1);
    expect(warned).to.have.length(1);
    expect(warned[0]).to.include({ event: 'store.ordered_writes_refused' });
    clocks.pass(refusalMs);
    await apply();
    expect(asked, 'it may have been upgraded').to.equal(2);
    expect(warned).to.have.length(1);
  });

  it('goes on with ordered writes when it takes one', async () => {
    answer = () => Promise.reject(unknownCommand());
    await apply();
    clocks.pass(refusalMs);
    answer = () => Promise.resolve();
    await apply();
    await apply();
    expect(asked).to.equal(3);
    answer = () => Promise.reject(unknownCommand());
    await apply();
    expect(warned).to.have.length(2);
  });

  for (const [what, error] of [
    ['a lost connection', Object.assign(unknownCommand(), { cause: new MongoServerError({ code: 91 }) })],
    [
      'a document that is there already',
      Object.assign(unknownCommand(), { cause: undefined, writeErrors: new Map([[0, { code: 11000 }]]) }),
    ],
  ] as const)
    it(`${what} is no refusal`, async () => {
      answer = () => Promise.reject(error);
      await apply();
      await apply();
      expect(asked).to.equal(2);
      expect(warned).to.deep.equal([]);
    });
});
