/**
 * Removes expired idempotency records in slices, concurrently with commits.
 *
 *  Sweep.1 A slice takes at most `sliceMs` of a turn of the event loop (and at least one record); commits and reads get
 *  their turns between slices.
 *  Sweep.2 A slice reads and writes in one transaction, so a record that was rewritten meanwhile with a later expiry is
 *  kept.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trees } from './environment.js';
import { numberPart } from '../keys.js';
import { keysUnder, expiryPrefix } from './keys.js';

export const sweepEveryMs = 30_000;
const sliceMs = 4;
/** A transaction keeps its writes in memory until it is committed. */
const mostInSlice = 1_000;

/** What a slice may take on the disk. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Resolves when nothing that has expired by `now` is left, or when `stopped` returns true. Resolves to the number of
 * records examined. `requireRoom` throws if the disk has no room for so many bytes.
 */
export async function sweepRecords(
  trees: Trees,
  now: number,
  stopped: () => boolean,
  requireRoom: (bytes: number) => void,
): Promise<number> {
  let looked = 0;
  for (let more = true; more && !stopped();) {
    requireRoom(mostBytes);
    const slice = await sweepSlice(trees, now);
    looked += slice.looked;
    more = slice.more;
    if (more) await nextTurn();
  }
  return looked;
}

function sweepSlice({ root, docs, system }: Trees, now: number): Promise<{ looked: number; more: boolean }> {
  return root.childTransaction(() => {
    const until = performance.now() + sliceMs;
    const expired = system.getKeys({
      start: keysUnder(expiryPrefix).start,
      end: keysUnder(`${expiryPrefix}\0${numberPart(now)}`).end,
      limit: mostInSlice,
    });
    const keys: string[] = [];
    for (const key of expired) {
      keys.push(key);
      removeExpired(docs, key, now);
      if (performance.now() >= until) break;
    }
    for (const key of keys) void system.remove(key);
    return { looked: keys.length, more: keys.length === mostInSlice || performance.now() >= until };
  });
}

function removeExpired(docs: Trees['docs'], expiryKey: string, now: number): void {
  const rest = expiryKey.slice(expiryKey.indexOf('\0', expiryPrefix.length + 1) + 1);
  const cut = rest.lastIndexOf('\0');
  const record = `${rest.slice(0, cut)}\0!${rest.slice(cut)}`;
  const text = docs.get(record);
  if (text !== undefined && (JSON.parse(text) as [string, number])[1] <= now) void docs.remove(record);
}
