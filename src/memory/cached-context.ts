import type { TextTable } from '../domain/text-table.js';
import type { EntityRef } from '../store/port.js';
import type { ContextIndex } from './context-index.js';
import type { RecallContext } from './port.js';

/** An index in memory: how far it has come (context-cache.ts), and what is kept of it (snapshot-writer.ts). */
export interface CachedContext {
  readonly key: string;
  readonly context: RecallContext;
  readonly index: ContextIndex;
  /** Null once built. */
  building: Promise<void> | null;
  /** Keys of documents written while the context, or a part of it, is being read. */
  readonly written: Set<string>;
  /** The entities whose documents are to be read again, by key. */
  readonly outdated: Map<string, EntityRef>;
  /** The number of searches that wait for it. */
  waiting: number;
  dropped: boolean;
  /** The size of the index, as included in the total. */
  bytes: number;
  /** The commit up to which it has everything, and the one with which its entity was loaded while it was built. */
  seq: number;
  loadedAt: number;
  /** Changes that wait until the index has been copied or restored. */
  deferred: (() => void)[] | null;
  /** Resolves when the copy that is being made is complete. */
  copied: Promise<unknown> | null;
  /** The texts of its memories, if it knows them. */
  texts: TextTable | null;
  /** Whether there is a snapshot of it, and how many documents have changed since. */
  kept: boolean;
  changed: number;
  /** Whether the store notes what changes. */
  prepared: boolean;
  /** When it may be kept again, ms. */
  keepAt: number;
  /** When it was last used, ms, if it was needed again soon after its eviction; otherwise null. */
  returnedAt: number | null;
}
