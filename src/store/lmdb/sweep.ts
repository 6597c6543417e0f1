/**
 * Removes command records that have expired, a bounded number at a time, beside the commits.
 *
 * It reads and writes in one transaction, so a record that was written again meanwhile (with a later expiry) stays.
 */
import type { Trees } from './environment.js';
import { numberPart, keysUnder } from './keys.js';
import { expiryPrefix } from './plan.js';

const mostAtOnce = 200;
export const sweepEveryMs = 30_000;

/** How many entries were looked at and removed. */
export async function sweepCommands({ root, docs, system }: Trees, now: number): Promise<number> {
  return root.childTransaction(() => {
    const expired = [
      ...system.getKeys({
        start: keysUnder(expiryPrefix).start,
        end: keysUnder(`${expiryPrefix}\0${numberPart(now)}`).end,
        limit: mostAtOnce,
      }),
    ];
    for (const key of expired) {
      const rest = key.slice(key.indexOf('\0', expiryPrefix.length + 1) + 1);
      const cut = rest.lastIndexOf('\0');
      const record = `${rest.slice(0, cut)}\0!${rest.slice(cut)}`;
      const text = docs.get(record);
      if (text !== undefined && (JSON.parse(text) as [string, number])[1] <= now) void docs.remove(record);
      void system.remove(key);
    }
    return expired.length;
  });
}
