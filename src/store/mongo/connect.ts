/**
 * Connecting: the database that a URL names, a client with the settings that the adapter decides (concerns, retries,
 * timeouts), and the facts that the server reports about itself.
 */
import { MongoClient, type Db } from 'mongodb';
import { StoreError } from '../port.js';
import { serversOfUrl } from './failures.js';

export const defaultDatabase = 'hivekeep';
export const oldestMajor = 5;
/** The version from which on one command writes to several collections, in the order of its operations. */
const orderingMajor = 8;

/** The database named in the URL's path, or `defaultDatabase` if none is named. */
export function databaseOf(url: string): string {
  const [, name = ''] = /^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]*)/.exec(url) ?? [];
  return name === '' ? defaultDatabase : decodeURIComponent(name);
}

/** How long a command may take, ms; `socketTimeoutMS` in the URL raises it. A write gives up before that. */
const socketMs = 30_000;
/** How long a command may wait for one of the pool's connections, ms, unless the URL says otherwise. */
const queueMs = 10_000;

/**
 * How often a server is asked whether it is well, ms, unless the URL says otherwise. One that has hung is given up this
 * long and `connectTimeoutMS` after its last answer, with the commands that it has not answered: before its replica set
 * has elected another, which takes 10 s.
 */
const heartbeatMs = 3_000;

/**
 * Returns a client that is not connected yet, whose commands may take `longestMs`. Throws MongoParseError if the URL is
 * malformed. URLs that would weaken the concerns are refused where settings are read (config/service-urls.ts).
 *
 * The driver does not retry writes. The fence and the apply do that instead, because they know when a retry is safe,
 * and it works on any kind of server.
 */
export function clientFor(url: string, patienceMs = 5000, longestMs = socketMs): MongoClient {
  return new MongoClient(url, {
    appName: 'hivekeep',
    retryWrites: false,
    ignoreUndefined: true,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 15_000 },
    serverSelectionTimeoutMS: patienceMs,
    connectTimeoutMS: patienceMs,
    ...(/[?&]heartbeatFrequencyMS=/i.test(url) ? {} : { heartbeatFrequencyMS: heartbeatMs }),
    socketTimeoutMS: Math.max(longestMs, Number(/[?&]socketTimeoutMS=(\d+)/i.exec(url)?.[1] ?? 0)),
    ...(/[?&]waitQueueTimeoutMS=/i.test(url) ? {} : { waitQueueTimeoutMS: queueMs }),
  });
}

export const versionSentence = (version: string, url: string): string =>
  `MongoDB at ${serversOfUrl(url)} is version ${version}, and hivekeep needs ${oldestMajor}.0 or newer: upgrade it.`;

export interface ServerFacts {
  version: string;
  isNewEnough: boolean;
  /** One command may write to several collections in order. */
  ordersWrites: boolean;
  /** True if the server is a mongos, that is, for a sharded cluster. */
  sharded: boolean;
  /** The server's clock, in milliseconds since the epoch. */
  localTime: number;
}

export async function serverFacts(db: Db): Promise<ServerFacts> {
  const { version } = (await db.command({ buildInfo: 1 })) as { version: string };
  const { msg, localTime } = (await db.command({ hello: 1 })) as { msg?: string; localTime?: Date };
  return {
    version,
    isNewEnough: parseInt(version, 10) >= oldestMajor,
    ordersWrites: parseInt(version, 10) >= orderingMajor,
    sharded: msg === 'isdbgrid',
    localTime: localTime?.getTime() ?? NaN,
  };
}

/** Rejects with StoreError 'io' if the server is too old. */
export async function requireVersion(db: Db, url: string): Promise<ServerFacts> {
  const facts = await serverFacts(db);
  if (!facts.isNewEnough) throw new StoreError('io', versionSentence(facts.version, url));
  return facts;
}
