/**
 * Walks a range of keys in a snapshot, yielding to the event loop about every 2 ms.
 *
 * A walk never holds a cursor across a pause: it closes it, and continues after the last key that it has seen, in the
 * same snapshot.
 */
import type { Tree } from './environment.js';
import type { Snapshot } from './snapshots.js';

export interface Range {
  start: string;
  end: string;
  order: 'asc' | 'desc';
}
type Visit = (key: string, value: string) => boolean;

/** Calls `visit` for each entry with start <= key < end, in order, until it returns false. */
export async function scan(tree: Tree, range: Range, snapshot: Snapshot, visit: Visit): Promise<void> {
  for (let rest: Range = range; ;) {
    const left = snapshot.slice((due) => walk(tree, rest, snapshot, visit, due));
    if (!left) return;
    rest = left;
    await snapshot.pause();
  }
}

/** Returns the rest of the range when it is time to pause, and null when the walk has ended. */
function walk(
  tree: Tree,
  { start, end, order }: Range,
  snapshot: Snapshot,
  visit: Visit,
  due: () => boolean,
): Range | null {
  const reverse = order === 'desc';
  // lmdb includes the first key of a walk and excludes the last, in either direction
  const bounds = reverse ? { start: end, end: start, exclusiveStart: true, inclusiveEnd: true } : { start, end };
  for (const { key, value } of tree.getRange({ ...bounds, reverse, transaction: snapshot.transaction })) {
    if (!visit(key, value)) return null;
    if (due()) return reverse ? { start, end: key, order } : { start: `${key}\0`, end, order };
  }
  return null;
}
