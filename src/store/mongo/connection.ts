/** What all parts of the adapter share: the collections, the clocks, how to wait, and what failures are told as. */
import type { Collection, Db } from 'mongodb';
import type { Logger } from '../../telemetry/log.js';
import type { Clocks } from './age.js';
import {
  commandCollection,
  headCollection,
  type DocumentKey,
  type StoredDocument,
  type StoredHead,
} from './documents.js';

export interface Connection {
  db: Db;
  url: string;
  /** A sharded cluster: reads by `_id` name the shard key too, so that they go to one shard. */
  sharded: boolean;
  clocks: Clocks;
  /** Resolves after so many ms; a timer never keeps the process alive. */
  pause: (ms: number) => Promise<void>;
  log: Pick<Logger, 'debug' | 'warn'> | null;
}

export const headsOf = ({ db }: Connection): Collection<StoredHead> => db.collection<StoredHead>(headCollection);
/** Documents of a kind, or command records. */
export const documentsOf = ({ db }: Connection, name: string): Collection<StoredDocument> =>
  db.collection<StoredDocument>(name);
export const commandsOf = (connection: Connection): Collection<StoredDocument> =>
  documentsOf(connection, commandCollection);

/** Names documents by `_id`, and on a sharded cluster their shard. (On one server the longer filter costs up to six times the short one.) */
export function byIds(
  { sharded }: Connection,
  places: readonly DocumentKey[],
): { _id: { $in: string[] }; w?: { $in: string[] }; e?: { $in: string[] } } {
  const _id = { $in: places.map((p) => p._id) };
  return sharded
    ? { _id, w: { $in: [...new Set(places.map((p) => p.w))] }, e: { $in: [...new Set(places.map((p) => p.e))] } }
    : { _id };
}

/** 50, 100, 200 ms... up to a second. */
export const backoffMs = (attempt: number): number => Math.min(1000, 50 * 2 ** attempt);
