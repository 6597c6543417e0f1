/**
 * Opens the lmdb environment and its four trees (keys.ts documents their contents).
 *
 * Settings, and why:
 *  - overlappingSync off: the promise of a write then resolves after its transaction is on disk (Store.P3), a failure
 *    rejects it, and the file format is plain LMDB. Measured with commits of a head, a message and an inbox entry (1 /
 *    50 / 1,000 in flight): off 2.2k / 18.6k / 38k per second, on with `flushed` 1.7-2.4k / 18-20k / 37-40k. The
 *    difference does not justify a second promise that never settles when a flush fails.
 *  - eventTurnBatching off: with it on, lmdb creates a promise for each turn that nobody handles, so a full disk
 *    becomes an unhandled rejection, which ends the process. Commits still share transactions: those that arrive while
 *    one is being flushed form the next one together.
 *  - mapSize is address space, not memory or disk: 64 GiB from the start, so that the map is not moved while it grows
 *    and two processes agree on it. A larger store still grows (lmdb-js doubles the map by itself).
 *  - maxReaders: one slot for each read transaction that outlives its turn; snapshots.ts stays below it.
 */
import { open, type Database, type RootDatabase } from 'lmdb';
import { keyEncoder } from './keys.js';
import { textCodec } from './values.js';

export type Tree = Database<string, string>;
export interface Trees {
  root: RootDatabase<string, string>;
  heads: Tree;
  docs: Tree;
  lists: Tree;
  system: Tree;
}

export const defaultMapSize = 64 * 2 ** 30;
export const maxReaders = 1024;

/** Reads the meta pages alone, so it may be opened before the others have been checked. */
export function openEnvironment(dir: string, mapSize: number): RootDatabase<string, string> {
  return open<string, string>({
    path: dir,
    noSubdir: false,
    overlappingSync: false,
    eventTurnBatching: false,
    mapSize,
    maxReaders,
    maxDbs: 8,
    encoding: 'string',
  });
}

export function openTrees(root: RootDatabase<string, string>): Trees {
  const encoder = textCodec();
  const tree = (name: string, useVersions: boolean): Tree => {
    const options = { name, useVersions, keyEncoder, encoder };
    return root.openDB<string, string>(options);
  };
  return {
    root,
    heads: tree('heads', true),
    docs: tree('docs', false),
    lists: tree('lists', false),
    system: tree('system', false),
  };
}
