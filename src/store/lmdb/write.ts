/** One conditional write, which the store passes to lmdb as one transaction. */
import type { TreeName } from './entries.js';

/** A null `value` removes the key. */
export interface KeyWrite {
  tree: TreeName;
  key: string;
  value: string | null;
}

export interface Write {
  /** The head that the write is conditional on. */
  key: string;
  /** The seq that the head must have; 0: it must not exist. */
  expected: number;
  /** The new head; null removes it; if absent, the head is unchanged. */
  head?: { text: string; seq: number } | null;
  operations: readonly KeyWrite[];
  /** The change of the head's counts, if any. */
  counts?: { workspace: string; delta: Readonly<Record<string, number>> };
  /** The image of the entity's index is of no use any more (kept-images.ts). */
  outdatesImage?: true;
}
