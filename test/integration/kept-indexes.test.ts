/**
 * An index that is restored from its image and completed finds what one finds that is built of all documents, after any
 * history of writes, changes and deletions through the decisions of an agent, over either store.
 */
import type { StoredMemory } from '../../src/domain/memory/stored-memory.js';
import { fieldsOf } from '../helpers/fields.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { RecallIndexes, imageSource, recallSource } from '../../actors/entities/recall-indexes.js';
import { createRecall } from '../../src/memory/recall.js';
import { RecallSnapshots } from '../../src/memory/snapshots.js';
import { openLmdbStore } from '../../src/store/lmdb/open.js';
import { openMongoStore } from '../../src/store/mongo/open.js';
import type { Put, Store } from '../../src/store/port.js';
import { commit, committed, entity, memory } from '../contract/store/fixtures.js';
import { realClock } from '../helpers/engine.js';
import { mongoService } from '../helpers/mongo-service.js';

const agent = entity('agent_1');
const words = ['harbour', 'parade', 'ferry', 'pilot', 'lantern', 'orchard', 'violin'];

function indexesOver(store: Store) {
  const { images } = store;
  if (!images) throw new Error('the store keeps no images');
  const snapshots = new RecallSnapshots({ source: imageSource(store, images), least: 1, leastChanged: 4, pauseMs: 0 });
  const recall = createRecall({ source: recallSource(store), clock: realClock, maxBytes: 1e9, snapshots });
  return { recall, indexes: new RecallIndexes(recall) };
}

const found = async (recall: Pick<ReturnType<typeof createRecall>, 'search'>) =>
  Promise.all(
    words.map(async (query) =>
      recall.search({ query, spaces: [agent], limit: 50, minRelevance: 0, superseded: true, now: 0 }),
    ),
  );

async function follows(store: Store, random: () => number): Promise<void> {
  const there = new Map<string, Put>();
  let seq = 0;
  let process = indexesOver(store);
  await found(process.recall);
  for (let n = 0; n < 40; n++) {
    const puts: Put[] = [];
    const deletes: { kind: 'memory'; id: string }[] = [];
    for (const id of new Set(Array.from({ length: 3 }, () => `mem_${Math.floor(random() * 25)}`))) {
      const before = there.get(id);
      if (before && random() < 0.15) {
        deletes.push({ kind: 'memory', id });
        there.delete(id);
        continue;
      }
      const content = Array.from({ length: 4 }, () => words[Math.floor(random() * words.length)]).join(' ');
      const isEnded = random() < 0.2;
      const more = before && isEnded ? { ...before.body, superseded_by: 'mem_x' } : { content, sessionId: 's' };
      const put = memory(id, more, !before);
      const rewrites = before !== undefined && fieldsOf(before.body)['content'] !== fieldsOf(put.body)['content'];
      puts.push(rewrites ? { ...put, rewrites } : put);
      there.set(id, put);
    }
    // the store looks after entities with many documents
    const counts = { memories: 5000 };
    await committed(store, commit(agent, ++seq, { puts, deletes, counts, previousCounts: seq === 1 ? {} : counts }));
    for (const { body } of puts) process.indexes.put(agent, { kind: 'memory', body: body as StoredMemory });
    for (const { id } of deletes) process.indexes.remove(agent, 'memory', id);
    process.recall.committed(agent, seq, deletes.length > 0 || puts.some(({ rewrites }) => rewrites));
    if (random() < 0.3) await process.recall.keep(() => true);
    if (random() > 0.2) continue;
    const built = createRecall({ source: recallSource(store), clock: realClock, maxBytes: 1e9 });
    process = indexesOver(store);
    expect(await found(process.recall), `after ${seq} commits`).to.deep.equal(await found(built));
    expect(process.recall.stats()).to.include({ documents: there.size, terms: built.stats().terms });
  }
}

function randomSource(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

describe('indexes that are kept', () => {
  it('RecallSnapshots.D1: in the embedded store', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const dir = mkdtempSync(join(tmpdir(), 'hivekeep-images-'));
      const store = await openLmdbStore({ dir });
      await follows(store, randomSource(seed));
      await store.close();
      rmSync(dir, { recursive: true });
    }
  });

  it('RecallSnapshots.D1: in MongoDB', async function () {
    this.timeout(60_000);
    const mongo = await mongoService();
    if (!mongo) this.skip();
    try {
      for (const seed of [1, 2]) {
        const url = mongo.freshUrl();
        const store = await openMongoStore({ url });
        await follows(store, randomSource(seed));
        await store.close();
        await mongo.drop(url);
      }
    } finally {
      await mongo.stop();
    }
  });
});
