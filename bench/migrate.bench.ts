/**
 * `hivekeep migrate` from a folder to MongoDB: an agent with 20,000 memories and 1,000 with one, read, written, read
 * back and compared. Baseline: what the bare driver needs to insert the same documents into collections with the same
 * indexes, 500 at a time and two in flight, and to read them back.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { AgentSnapshot } from '../src/domain/shared/snapshots.js';
import { openLmdbStore } from '../src/store/lmdb/open.js';
import type { StoredDocument } from '../src/store/mongo/documents.js';
import { openMongoStore } from '../src/store/mongo/open.js';
import { plan } from '../src/store/mongo/plan.js';
import { fewestShards } from '../src/store/shards.js';
import type { Commit, Put, Store } from '../src/store/port.js';
import { migrate } from '../src/transfer/migrate.js';
import { mongoService } from '../test/helpers/mongo-service.js';
import type { Bench, Row } from './harness.js';

const large = Number(process.env['HIVEKEEP_BENCH_MEMORIES'] ?? 20_000);
const small = Number(process.env['HIVEKEEP_BENCH_AGENTS'] ?? 1_000);
const inCommit = 500;

function memory(agent: string, n: number): Put {
  const id = `mem_${String(n).padStart(26, '0')}`;
  const at = new Date(1.7e12 + n * 1000).toISOString();
  return {
    kind: 'memory',
    id,
    isNew: true,
    body: {
      id,
      agent_id: agent,
      type: 'semantic',
      content: `The ${n}th note says that lot ${n * 7} is kept in hall ${n % 13} until somebody asks for it.`,
      sessionId: `s-${n % 50}`,
      importance: 0.5,
      metadata: { n },
      created_at: at,
      updated_at: at,
      expires_at: null,
    },
  } as object as Put;
}

function* commits(): Generator<Commit> {
  const of = (id: string, seq: number, puts: Put[], memories: number): Commit => ({
    entity: { workspace: 'default', kind: 'agent', id },
    seq,
    snapshot: {
      id,
      name: id,
      status: 'inactive',
      hives: [],
      updated_at: new Date(1.7e12).toISOString(),
    } as object as AgentSnapshot,
    active: false,
    due: null,
    counts: { memories },
    deleted: false,
    puts,
    deletes: [],
    records: [],
    previousCounts: { memories: memories - puts.length },
  });
  for (let n = 0, seq = 1; n < large; n += inCommit, seq++)
    yield of(
      'agent_large',
      seq,
      Array.from({ length: inCommit }, (_, i) => memory('agent_large', n + i)),
      n + inCommit,
    );
  for (let n = 0; n < small; n++) yield of(`agent_${n}`, 1, [memory(`agent_${n}`, large + n)], 1);
}

async function fill(store: Store): Promise<void> {
  for (const commit of commits()) await store.commit(commit);
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** The same documents by the driver alone, written and read. */
async function driver(url: string): Promise<{ write: number; read: number }> {
  await (await openMongoStore({ url })).close(); // makes the indexes
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  const memories = client.db().collection<StoredDocument>('memory');
  let waiting: StoredDocument[] = [];
  const out = new Set<Promise<unknown>>();
  const send = async (): Promise<void> => {
    const sent: Promise<unknown> = memories.insertMany(waiting, { ordered: false }).finally(() => out.delete(sent));
    out.add(sent);
    waiting = [];
    if (out.size >= 2) await Promise.race(out);
  };
  const write = await timed(async () => {
    for (const commit of commits())
      for (const { document } of plan(commit, 0, fewestShards).changes) {
        waiting.push(document);
        if (waiting.length >= inCommit) await send();
      }
    if (waiting.length > 0) await send();
    await Promise.all(out);
  });
  const read = await timed(() => memories.find({}, { projection: { b: 1 } }).toArray());
  await client.close();
  return { write, read };
}

export const bench: Bench = {
  name: `migrate: an agent with ${large.toLocaleString('en-US')} memories and ${small.toLocaleString('en-US')} with one`,
  async run() {
    const service = await mongoService();
    if (!service) return [{ what: 'not measured: mongod is not on PATH', figure: NaN, unit: '' }];
    const dir = mkdtempSync(join(tmpdir(), 'hivekeep-bench-'));
    const rows: Row[] = [];
    try {
      const from = await openLmdbStore({ dir: join(dir, 'from') });
      await fill(from);
      const bare = await driver(service.freshUrl());
      const to = await openMongoStore({ url: service.freshUrl(), migration: 'target' });
      const there = await timed(() => migrate(from, to, { now: 0 }));
      const back = await openLmdbStore({ dir: join(dir, 'back') });
      const returned = await timed(() => migrate(to, back, { now: 0 }));
      await Promise.all([from.close(), to.close(), back.close()]);
      const documents = large + small;
      rows.push(
        {
          what: 'to MongoDB, documents',
          figure: documents / there,
          unit: '/s',
          baseline: {
            what: 'insertMany and find by the driver alone',
            figure: documents / (bare.write + bare.read),
          },
          note: `${there.toFixed(1)} s; the driver wrote in ${bare.write.toFixed(1)} s and read in ${bare.read.toFixed(1)} s`,
        },
        { what: 'back, documents', figure: documents / returned, unit: '/s' },
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
      await service.stop();
    }
    return rows;
  },
};
