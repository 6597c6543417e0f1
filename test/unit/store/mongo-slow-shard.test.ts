/**
 * A shard of MongoDB that does not answer (src/store/mongo/committer.ts, gather.ts), with a database that answers as
 * the test says.
 */
import { expect } from 'chai';
import type { Applier } from '../../../src/store/mongo/apply.js';
import { Committer } from '../../../src/store/mongo/committer.js';
import type { MongoConnection } from '../../../src/store/mongo/connection.js';
import type { StoredHead } from '../../../src/store/mongo/documents.js';
import { BatchedReads } from '../../../src/store/mongo/gather.js';
import { plan } from '../../../src/store/mongo/plan.js';
import { fewestShards } from '../../../src/store/shards.js';
import { commit, entity } from '../../contract/store/fixtures.js';
import { turn } from '../../helpers/turn.js';

type Insert = { insertOne: { document: StoredHead } };

describe('store on MongoDB: a slow shard', () => {
  it('entities of other shards go on, each on its own, while one shard does not answer', async () => {
    const never = new Promise(() => undefined);
    const afterPause: (() => void)[] = [];
    const isSlow = ({ _id }: StoredHead): boolean => _id.includes('slow');
    const connection = {
      sharded: true,
      clocks: { now: () => 0, monotonic: () => 0 },
      pause: () => new Promise<void>((resolve) => afterPause.push(resolve)),
      db: {
        collection: () => ({
          bulkWrite: (writes: Insert[]) =>
            writes.some((w) => isSlow(w.insertOne.document)) ? never : Promise.resolve({ matchedCount: 0 }),
        }),
      },
    } as unknown as MongoConnection;
    const committer = new Committer(connection, { start: () => new Map() } as unknown as Applier);
    const send = (id: string): Promise<unknown> => committer.commit(plan(commit(entity(id), 1), 0, fewestShards));
    for (let n = 0; n < 4; n++) {
      void send(`slow_${n}`);
      await turn();
      await turn();
    }
    // every place for a batch is taken by the slow shard
    void send('slow_more');
    const outcomes = Promise.all(Array.from({ length: 50 }, (_, n) => send(`quick_${n}`)));
    await turn();
    for (const tooSlow of afterPause) tooSlow();
    expect(new Set(await outcomes)).to.deep.equal(new Set(['committed']));
  });

  it('documents of other shards are read, each on its own, while one shard does not answer', async () => {
    let now = 0;
    const reads = new BatchedReads<{ _id: string }, { _id: string }>(
      { sharded: true, clocks: { now: () => now, monotonic: () => now } },
      (keys) => (keys.some(({ _id }) => _id.includes('slow')) ? new Promise(() => undefined) : Promise.resolve(keys)),
    );
    void reads.get({ _id: 'slow_1' });
    await turn();
    now += 500;
    void reads.get({ _id: 'slow_2' });
    const found = await Promise.all(Array.from({ length: 50 }, (_, n) => reads.get({ _id: `quick_${n}` })));
    expect(found.map((document) => document?._id)).to.include.members(['quick_0', 'quick_49']);
  });
});
