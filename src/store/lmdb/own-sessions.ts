/**
 * Most runs that open a session name it after themselves (domain/shared/ids.ts). Such a run is in the lists 'session' and
 * 'opening' without having entries there: its document, and its entry in the list of all runs, say as much.
 *
 *  - Readers cannot tell: the run is listed and counted like one with entries, and in the same place.
 *  - Whether a run has these entries follows from its id and body alone, and which run may have opened a session
 *    without them from the name of the session.
 */
import type { PackedRun } from '../../domain/run/stored-run.js';
import type { DocKind } from '../port.js';
import type { Beside } from './scan.js';

const runPrefix = 'run_';
const sessionPrefix = 'sess_';

/** Whether a document is such a run. */
export const opensOwnSession = (kind: DocKind, id: string, body: PackedRun): boolean =>
  kind === 'run' &&
  body.opens === true &&
  id.startsWith(runPrefix) &&
  body.sessionId === sessionPrefix + id.slice(runPrefix.length);

/** The lists in which such a run has no entries. */
export const ownLists: ReadonlySet<string> = new Set(['session', 'opening']);

/** The run that may have opened this session without entries. */
export const ownRun = (session: string): string | null =>
  session.startsWith(sessionPrefix) ? runPrefix + session.slice(sessionPrefix.length) : null;

/** How all runs are walked beside those that open a session, in a workspace or an entity; told by their prefixes. */
export function besideOpenings(opening: string, created: string): Beside {
  const openings = `${opening}\0`;
  const start = `${created}\0`;
  const end = `${created}\x01`;
  const bound = (key: string): string => (key.startsWith(openings) ? start + key.slice(openings.length) : end);
  return {
    within: (range) => ({ ...range, start: bound(range.start), end: bound(range.end) }),
    place: (key) => openings + key.slice(start.length),
  };
}

/** How one document is looked at beside a list: it stands at `place` if it is there. */
export const besideOne = (key: string, place: string): Beside => ({
  within: (range) => ({ ...range, start: key, end: `${key}\0` }),
  place: () => place,
});
