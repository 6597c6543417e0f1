/** From a URL to a client: what is the adapter's to decide (concerns, retries, times), and which database it is. */
import { MongoClient } from 'mongodb';

export const defaultDatabase = 'hivekeep';
export const oldestMajor = 5;

/** The database in the URL's path. */
export function databaseOf(url: string): string {
  const [, name = ''] = /^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]*)/.exec(url) ?? [];
  return name === '' ? defaultDatabase : decodeURIComponent(name);
}

/**
 * A client that is not connected yet. Throws MongoParseError for a URL that is none.
 *
 * The driver does not send writes again: the fence and the apply do, who know when that is safe, and on any server.
 */
export function clientFor(url: string, patienceMs = 5000): MongoClient {
  return new MongoClient(url, {
    appName: 'hivekeep',
    retryWrites: false,
    ignoreUndefined: true,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 15_000 },
    serverSelectionTimeoutMS: patienceMs,
    connectTimeoutMS: patienceMs,
    socketTimeoutMS: 30_000,
  });
}
