/**
 * Checks that the wall clock is plausible, because ids, expiry and quotas depend on it. Its offset from the clocks of
 * MongoDB and Redis is checked with those servers.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../src/config/config.js';
import { findingsAbout, type Finding } from './finding.js';

/** Before this version of hivekeep existed. */
const earliest = Date.parse('2026-01-01T00:00:00Z');
const toleratedMs = 60_000;

export async function checkClock(config: Config, now = Date.now()): Promise<Finding[]> {
  const { ok, fail } = findingsAbout('clock');
  const shown = new Date(now).toISOString();
  const advice = 'set it, and keep it right with NTP.';
  if (now < earliest) return [fail(`it says ${shown}, which cannot be: ${advice}`)];
  if (config.mongodbUrl !== null) return [ok(shown)];
  const ahead = newestFile(config.dataDir) - now;
  if (ahead <= toleratedMs) return [ok(`${shown}, not behind the data`)];
  return [fail(`it says ${shown}, but the data was written ${Math.round(ahead / 1000)} s later than that: ${advice}`)];
}

/**
 * The newest modification time in a folder (ms); 0 if there is none or the folder cannot be read, which another check
 * reports.
 */
function newestFile(folder: string): number {
  try {
    return Math.max(
      0,
      ...readdirSync(folder).map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
    );
  } catch {
    return 0;
  }
}
