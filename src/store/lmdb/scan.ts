/**
 * Walks a range of keys in a snapshot, yielding to the event loop about every 2 ms.
 *
 * A walk never holds a cursor across a pause: it closes it, and continues after the last key that it has seen, in the
 * same snapshot.
 */
import { boundKey } from '../keys.js';
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

/** A range of keys that is walked together with others, in the order of the places of all their keys. */
export interface ScanLane {
  tree: Tree;
  range: Range;
  place: (key: string) => string;
}

/** How keys of something else are walked beside those of a list, as if they were keys of the list. */
export interface Beside {
  /** The keys to walk for a range of the list's keys. */
  within(range: Range): Range;
  /** The key of the list that stands for a key that is walked. */
  place(key: string): string;
}

/** As `scan`, for several lanes of one order; `visit` is told which of them the entry is in. */
export async function scanTogether(
  lanes: readonly ScanLane[],
  snapshot: Snapshot,
  visit: (lane: number, key: string, value: string) => boolean,
): Promise<void> {
  for (let rest = lanes; ;) {
    const left = snapshot.slice((due) => walkTogether(rest, snapshot, visit, due));
    if (!left) return;
    rest = left;
    await snapshot.pause();
  }
}

function walkTogether(
  lanes: readonly ScanLane[],
  snapshot: Snapshot,
  visit: (lane: number, key: string, value: string) => boolean,
  due: () => boolean,
): ScanLane[] | null {
  const reverse = lanes[0]?.range.order === 'desc';
  const walks = lanes.map((lane) => {
    const entries = entriesIn(lane.tree, lane.range, snapshot)[Symbol.iterator]();
    return { lane, entries, at: entries.next() };
  });
  try {
    for (;;) {
      let next = -1;
      let nextPlace = '';
      for (const [i, { lane, at }] of walks.entries()) {
        if (at.done) continue;
        const place = lane.place(at.value.key);
        if (next !== -1 && (reverse ? place < nextPlace : place > nextPlace)) continue;
        next = i;
        nextPlace = place;
      }
      const walk = walks[next];
      if (!walk || walk.at.done) return null;
      if (!visit(next, walk.at.value.key, walk.at.value.value)) return null;
      walk.at = walk.entries.next();
      if (due())
        return walks.map(({ lane, at }) => ({ ...lane, range: rest(lane.range, at.done ? null : at.value.key) }));
    }
  } finally {
    for (const { entries } of walks) entries.return?.();
  }
}

/** What is left of a range from a key on, which is still to be visited; nothing for null. */
function rest({ start, end, order }: Range, from: string | null): Range {
  if (from === null) return { start, end: start, order };
  return order === 'desc' ? { start, end: `${from}\0`, order } : { start: from, end, order };
}

function entriesIn(tree: Tree, range: Range, { transaction }: Snapshot) {
  const { order } = range;
  const start = boundKey(range.start);
  const end = boundKey(range.end);
  // lmdb includes the first key of a walk and excludes the last, in either direction
  return order === 'desc'
    ? tree.getRange({ start: end, end: start, exclusiveStart: true, inclusiveEnd: true, reverse: true, transaction })
    : tree.getRange({ start, end, transaction });
}

/** Returns the rest of the range when it is time to pause, and null when the walk has ended. */
function walk(tree: Tree, range: Range, snapshot: Snapshot, visit: Visit, due: () => boolean): Range | null {
  const { start, end, order } = range;
  for (const { key, value } of entriesIn(tree, range, snapshot)) {
    if (!visit(key, value)) return null;
    if (due()) return order === 'desc' ? { start, end: key, order } : { start: `${key}\0`, end, order };
  }
  return null;
}
