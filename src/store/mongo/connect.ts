/** From a URL: the database, and a client with the settings that the adapter decides (concerns, retries, timeouts). */
import { MongoClient } from 'mongodb';

export const defaultDatabase = 'hivekeep';
export const oldestMajor = 5;

/** The database named in the URL's path, or `defaultDatabase` if none is named. */
export function databaseOf(url: string): string {
  const [, name = ''] = /^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]*)/.exec(url) ?? [];
  return name === '' ? defaultDatabase : decodeURIComponent(name);
}

/**
 * Returns a client that is not connected yet. Throws MongoParseError if the URL is malformed.
 *
 * The driver does not retry writes. The fence and the apply do that instead, because they know when a retry is safe,
 * and it works on any kind of server.
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
