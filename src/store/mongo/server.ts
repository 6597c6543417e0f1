/** Facts that the server reports about itself. */
import type { Db } from 'mongodb';
import { StoreError } from '../port.js';
import { oldestMajor } from './connect.js';
import { serverOf } from './failures.js';

export const versionSentence = (version: string, url: string): string =>
  `MongoDB at ${serverOf(url)} is version ${version}, and hivekeep needs ${oldestMajor}.0 or newer: upgrade it.`;

export interface ServerFacts {
  version: string;
  isNewEnough: boolean;
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
