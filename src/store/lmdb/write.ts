/** One conditional write: what the store hands to lmdb, as one transaction behind one condition. */
import type { TreeName } from './entries.js';

/** `value` null removes. */
export interface Operation {
  tree: TreeName;
  key: string;
  value: string | null;
}

export interface Write {
  /** The head that the write depends on. */
  key: string;
  /** The seq that the head must have; 0: there must be none. */
  expected: number;
  /** The head that replaces it; none leaves it as it is. */
  head?: { text: string; seq: number };
  operations: readonly Operation[];
  /** How the counts of the head change; none: not at all. */
  counts?: { workspace: string; delta: Readonly<Record<string, number>> };
}
