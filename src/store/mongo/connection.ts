/** What all parts of the adapter share: the collections, the clocks, a way to wait, and the URL used in errors. */
import type { Collection, Db } from 'mongodb';
import type { Backoff } from '../../domain/shared/clock.js';
import type { Logger } from '../../telemetry/pino-log.js';
import type { Clocks } from './age.js';
import {
  recordCollection,
  headCollection,
  type DocumentKey,
  type StoredDocument,
  type StoredHead,
} from './documents.js';

export interface MongoConnection {
  db: Db;
  url: string;
  /** True on a sharded cluster: reads by `_id` then include the shard key too, so that they go to one shard. */
  sharded: boolean;
  /**
   * One command writes to several collections in the order of its operations (MongoDB 8.0). On a sharded cluster it
   * would make every commit of a batch wait for the slowest shard.
   */
  ordersWrites: boolean;
  clocks: Clocks;
  /** Resolves after the given number of milliseconds; its timer never keeps the process alive. */
  pause: (ms: number) => Promise<void>;
  log: Pick<Logger, 'debug' | 'warn'> | null;
}

export const headsOf = ({ db }: MongoConnection): Collection<StoredHead> => db.collection<StoredHead>(headCollection);
/** The collection of a kind of document, or of idempotency records. */
export const documentsOf = ({ db }: MongoConnection, name: string): Collection<StoredDocument> =>
  db.collection<StoredDocument>(name);
export const recordsOf = (connection: MongoConnection): Collection<StoredDocument> =>
  documentsOf(connection, recordCollection);

/**
 * A filter that selects documents by `_id` and, on a sharded cluster, also by shard key. (On a single server the longer
 * filter costs up to six times as much as the short one.)
 */
export function byIds(
  { sharded }: MongoConnection,
  places: readonly DocumentKey[],
): { _id: { $in: string[] }; w?: { $in: string[] }; e?: { $in: string[] } } {
  const _id = { $in: places.map((p) => p._id) };
  return sharded
    ? { _id, w: { $in: [...new Set(places.map((p) => p.w))] }, e: { $in: [...new Set(places.map((p) => p.e))] } }
    : { _id };
}

/** The pauses before a server that cannot be reached is asked again. */
export const reconnect: Backoff = { firstMs: 50, longestMs: 1000 };
