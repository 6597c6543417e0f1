/**
 * The indexes that are in memory, by context: built when first needed, dropped when room is needed.
 *
 *  ContextCache.K1 Searches that need a context while it is being built share one build.
 *  ContextCache.K2 A write to a context that is not in memory costs one look-up: its build will read it from the store.
 *     A write to one that is being built goes to the index at once, and the build leaves that document alone
 *     (Recall.R2).
 *  ContextCache.K3 After every change at most `maxBytes` (estimated) are held: what was not used for longest goes
 *     first. Never dropped are contexts that a search is waiting for or has just used last; so a context larger than
 *     the bound is held alone, which the log says once.
 *  ContextCache.K4 A build that failed leaves nothing behind: who waits for it is told, and the next search builds
 *     again.
 *  ContextCache.K5 A context that was dropped by its owner is empty for who waits for it.
 */
import { entityKey, type EntityRef } from '../store/port.js';
import type { Clock } from '../domain/clock.js';
import { buildIndex, documentKey } from './build.js';
import { ContextIndex, type Turn } from './context-index.js';
import type { RecallDocument, RecallSource } from './port.js';
import type { Logger } from '../telemetry/logger.js';

export interface CacheStats {
  contexts: number;
  building: number;
  documents: number;
  terms: number;
  /** Estimated, of all indexes; what `maxBytes` bounds. */
  bytes: number;
  /** Since the start. */
  builds: number;
  failedBuilds: number;
  evictions: number;
}

export interface CachedContext {
  readonly key: string;
  readonly context: EntityRef;
  readonly index: ContextIndex;
  /** Null once built. */
  building: Promise<void> | null;
  /** While it is being built. */
  readonly written: Set<string>;
  /** Searches that wait for it. */
  waiting: number;
  dropped: boolean;
  /** Bytes of the index as counted in the sum. */
  bytes: number;
}

export class ContextCache {
  /** Longest unused first. */
  private readonly entries = new Map<string, CachedContext>();
  private last: CachedContext | null = null;
  private bytes = 0;
  private builds = 0;
  private failedBuilds = 0;
  private evictions = 0;
  private readonly oversized = new Set<string>();

  constructor(
    private readonly source: RecallSource,
    private readonly clock: Clock,
    private readonly maxBytes: number,
    private readonly turn: Turn,
    private readonly log: Pick<Logger, 'debug' | 'warn'> | undefined,
  ) {}

  /** The context as one that was just used; begins its build where it is not in memory. */
  use(context: EntityRef): CachedContext {
    const key = entityKey(context);
    if (this.last?.key === key) return this.last;
    let entry = this.entries.get(key);
    if (entry) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    } else entry = this.open(key, context);
    return (this.last = entry);
  }

  /** The context if it is in memory, for a write. */
  peek(context: EntityRef): CachedContext | undefined {
    return this.entries.get(entityKey(context));
  }

  put(entry: CachedContext, document: RecallDocument): void {
    if (entry.building) entry.written.add(documentKey(document.kind, document.id));
    entry.index.put(document);
    this.account(entry);
  }

  remove(entry: CachedContext, kind: RecallDocument['kind'], id: string): void {
    if (entry.building) entry.written.add(documentKey(kind, id));
    entry.index.remove(kind, id);
    this.account(entry);
  }

  drop(context: EntityRef): void {
    const entry = this.peek(context);
    if (entry) this.forget(entry);
  }

  dropWhere(which: (context: EntityRef) => boolean): void {
    for (const entry of this.entries.values()) if (which(entry.context)) this.forget(entry);
  }

  /** Null when all that was written is found; else a promise of that, which rejects when the build fails. */
  ready(entry: CachedContext): Promise<void> | null {
    const settled = entry.index.settled();
    if (!entry.building) return settled;
    return settled ? Promise.all([entry.building, settled]).then(() => undefined) : entry.building;
  }

  /** Keeps the context while a search waits for it; the returned function ends that. */
  hold(entry: CachedContext): () => void {
    entry.waiting++;
    return () => {
      entry.waiting--;
      this.evict();
    };
  }

  stats(): CacheStats {
    let building = 0;
    let documents = 0;
    let terms = 0;
    for (const entry of this.entries.values()) {
      if (entry.building) building++;
      documents += entry.index.documents.count;
      terms += entry.index.postings.terms;
    }
    const { bytes, builds, failedBuilds, evictions } = this;
    return { contexts: this.entries.size, building, documents, terms, bytes, builds, failedBuilds, evictions };
  }

  private open(key: string, context: EntityRef): CachedContext {
    const entry: CachedContext = {
      key,
      context,
      building: null,
      written: new Set(),
      waiting: 0,
      dropped: false,
      bytes: 0,
      index: new ContextIndex(this.turn, () => this.account(entry)),
    };
    this.entries.set(key, entry);
    entry.building = this.build(entry);
    // Whoever waits is told; a failure that nobody waits for any more is in the log.
    entry.building.catch(() => undefined);
    return entry;
  }

  private async build(entry: CachedContext): Promise<void> {
    const began = this.clock.now();
    this.builds++;
    try {
      await buildIndex(entry.context, this.source, entry.index, this.turn, {
        written: entry.written,
        wanted: () => !entry.dropped,
        grown: () => this.account(entry),
      });
    } catch (cause) {
      this.failedBuilds++;
      this.log?.warn(
        { context: entry.key, err: cause },
        'the memory index of a context could not be built; the next search tries again',
      );
      this.forget(entry);
      throw cause;
    }
    entry.building = null;
    entry.written.clear();
    this.log?.debug(
      { context: entry.key, documents: entry.index.documents.count, ms: this.clock.now() - began },
      'memory index built',
    );
    this.account(entry);
  }

  private account(entry: CachedContext): void {
    if (entry.dropped) return;
    const bytes = entry.index.bytes;
    this.bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    if (this.bytes > this.maxBytes) this.evict();
  }

  private evict(): void {
    if (this.bytes <= this.maxBytes) return;
    for (const entry of this.entries.values()) {
      if (entry.waiting > 0 || entry === this.last) continue;
      this.evictions++;
      this.forget(entry);
      if (this.bytes <= this.maxBytes) return;
    }
    const { last } = this;
    if (last === null || last.bytes <= this.maxBytes || this.oversized.has(last.key)) return;
    this.oversized.add(last.key);
    this.log?.warn(
      { context: last.key, bytes: last.bytes, maxBytes: this.maxBytes },
      'one memory context is larger than the bound of all indexes; it is held alone',
    );
  }

  private forget(entry: CachedContext): void {
    if (entry.dropped) return;
    entry.dropped = true;
    this.bytes -= entry.bytes;
    this.entries.delete(entry.key);
    if (this.last === entry) this.last = null;
    entry.index.discard();
  }
}
