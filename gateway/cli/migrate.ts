/** `hivekeep migrate`: everything of one store into another, with both of them closed to others meanwhile. */
import { resolve } from 'node:path';
import { completeTarget, openLmdbStore } from '../../src/store/lmdb/open.js';
import { isDataDirectory } from '../../src/store/lmdb/data-directory.js';
import { openMongoStore } from '../../src/store/mongo/open.js';
import type { ShardCount } from '../../src/store/shards.js';
import type { Store } from '../../src/store/port.js';
import { migrate } from '../../src/transfer/migrate.js';
import { Failure, stoppedByStore } from './failure.js';
import type { Io } from './io.js';
import { outlastingFor, progress } from './progress.js';
import { createSystem } from '../../src/base/system.js';

interface StoreAddress {
  kind: 'lmdb' | 'mongodb';
  at: string;
}

/** `shards`: how many a new database is divided into. */
export async function migrateStore(io: Io, o: { from: string; to: string; shards: ShardCount | null }): Promise<void> {
  const from = addressOf(o.from, '--from');
  const to = addressOf(o.to, '--to');
  if (from.at === to.at) throw new Failure('--from and --to are the same');
  if (from.kind === 'lmdb' && !isDataDirectory(resolve(from.at)))
    throw new Failure(`There is no data of hivekeep in ${resolve(from.at)}`);
  const { clock } = createSystem();
  const outlast = outlastingFor(io, 'the migration', clock);
  const source = await open(from, 'source', null);
  let complete = false;
  try {
    const target = await open(to, 'target', o.shards);
    try {
      const tell = progress(io);
      const done = await migrate(source.store, target.store, {
        now: clock.now(),
        outlast,
        progress: ({ entities, documents }) => {
          tell(() => `${entities.toLocaleString('en-US')} entities, ${documents.toLocaleString('en-US')} documents`);
        },
      });
      complete = true;
      const skipped = done.skipped > 0 ? ` (${done.skipped.toLocaleString('en-US')} entities were there already)` : '';
      io.note(
        `All is in ${to.kind}, and the same by its digests: ${done.entities.toLocaleString('en-US')} entities with ${done.documents.toLocaleString('en-US')} documents and ${done.records.toLocaleString('en-US')} answers to repeated requests${skipped}.`,
      );
      io.note(keyAdvice(from));
      io.out(done.digest);
    } catch (error) {
      throw stoppedByStore('The migration', error);
    } finally {
      await outlast(() => target.close(complete));
    }
  } finally {
    await outlast(() => source.close(complete));
  }
}

function addressOf(text: string, option: string): StoreAddress {
  if (/^mongodb(\+srv)?:\/\//.test(text)) return { kind: 'mongodb', at: text };
  const [, kind, at = ''] = /^(lmdb|mongodb):(.+)$/s.exec(text) ?? [];
  if (kind === 'lmdb') return { kind, at: resolve(at) };
  if (kind === 'mongodb' && /^mongodb(\+srv)?:\/\//.test(at)) return { kind, at };
  throw new Failure(`${option} must be lmdb:FOLDER or mongodb://HOST/DATABASE`);
}

interface OpenStore {
  store: Store;
  close(complete: boolean): Promise<void>;
}

async function open(
  { kind, at }: StoreAddress,
  role: 'source' | 'target',
  shards: ShardCount | null,
): Promise<OpenStore> {
  if (kind === 'mongodb') {
    const store = await openMongoStore({ url: at, migration: role, shards });
    return {
      store,
      async close(complete) {
        await store.endMigration(complete);
        await store.close();
      },
    };
  }
  const store = await openLmdbStore({ dir: at, migration: role });
  return {
    store,
    async close(complete) {
      await store.close();
      if (complete && role === 'target') completeTarget(at);
    },
  };
}

/** What was sealed with the key of the source can be read only with the same key. */
const keyAdvice = (from: StoreAddress): string =>
  from.kind === 'lmdb'
    ? `Start the new service with the same secret key: HIVEKEEP_SECRET_KEY_FILE=${from.at}.key, or the key that you have set.`
    : 'Start the new service with the HIVEKEEP_SECRET_KEY of the cluster.';
