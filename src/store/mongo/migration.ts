/**
 * Keeps others away from a database that a migration reads or fills. The cluster document says so:
 *
 *  - No process starts on the target until the migration into it is complete.
 *  - No process starts on the source while it is read. The mark is renewed, and ends by itself when a migration was
 *    killed.
 *  - A migration does not begin while a process works on the database.
 */
import type { Db } from 'mongodb';
import { StoreError } from '../port.js';
import type { ClusterDocument } from './cluster-document.js';
import { serverFacts } from './connect.js';
import { metaCollection } from './documents.js';
import { serversOfUrl } from './failures.js';
import { processNotes } from './processes.js';

export type MigrationRole = 'source' | 'target';

const renewMs = 10_000;
const heldMs = 60_000;

export interface MigrationMark {
  /** The migration is over; `complete` if all is there. */
  end(complete: boolean): Promise<void>;
}

export async function refuseMigrating(db: Db, { migration }: ClusterDocument, url: string): Promise<void> {
  if (!migration) return;
  if (migration.as === 'target')
    throw new StoreError(
      'in-use',
      `A migration into the database at ${serversOfUrl(url)} is not complete. Run the same hivekeep migrate again, or drop the database to start empty.`,
    );
  const { localTime } = await serverFacts(db);
  if (localTime - migration.at.getTime() < heldMs)
    throw new StoreError(
      'in-use',
      `The database at ${serversOfUrl(url)} is being migrated. Wait until that is done; after an interruption, for a minute.`,
    );
}

export async function markMigration(db: Db, as: MigrationRole, url: string): Promise<MigrationMark> {
  const [process] = await processNotes(db).liveProcesses();
  if (process)
    throw new StoreError(
      'in-use',
      `A hivekeep process on ${process.host} works on the database at ${serversOfUrl(url)}. Stop all of them first.`,
    );
  const cluster = db.collection<ClusterDocument>(metaCollection);
  const renew = (): Promise<unknown> =>
    cluster.updateOne({ _id: 'cluster' }, { $set: { 'migration.as': as }, $currentDate: { 'migration.at': true } });
  await renew();
  const timer = setInterval(() => {
    renew().catch(() => undefined); // the migration itself reports a server that is away
  }, renewMs).unref();
  return {
    async end(complete) {
      clearInterval(timer);
      if (complete || as === 'source') await cluster.updateOne({ _id: 'cluster' }, { $unset: { migration: '' } });
    },
  };
}
