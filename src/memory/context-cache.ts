/**
 * The indexes held in memory, by context. An index is built when first needed and dropped when memory runs short.
 *
 *  - Searches that need a context while it is being built share one build.
 *  ContextCache.K2 A write to a context that is not in memory costs one look-up: a later build reads it from the store.
 *     A write to a context that is being built goes to the index at once, and the build then skips that document
 *     (Recall.R2).
 *  ContextCache.K3 After every change at most `maxBytes` (estimated) are held; the least recently used contexts are
 *     evicted first. A context that a search is waiting for is never evicted, and neither is
 *     the one used last. A context larger than the bound is therefore held alone, which is logged once.
 *  - Contexts that do not fit together are not built in turn, over and over: one that is needed again within
 *    `memoryMs` of its eviction stays until it has not been used for as long, up to twice `maxBytes` in all.
 *  - A failed build leaves nothing behind: the searches that wait for it reject, and the next search builds again.
 *  - `renew` reads one entity's documents again into an index that has those of many. A search waits for it as for a
 *    build. What the entity no longer has stays in the index, for whoever reads the hits to find it gone.
 *  ContextCache.K5 A search does not answer from a context that was dropped while it waited, nor take it for empty: it
 *     uses the context anew. What is dropped is outdated, and may have been dropped because of a document that the
 *     search is not about.
 */
import { entityKey, type EntityRef } from '../store/port.js';
import type { MonotonicClock } from '../domain/clock.js';
import { buildIndex, documentKey } from './build.js';
import { ContextIndex, type Turn } from './context-index.js';
import type { RecallDocument, RecallSource } from './port.js';
import type { KeptIndex, Snapshots } from './snapshots.js';
import type { Logger } from '../telemetry/logger-port.js';

export interface CacheStats {
  contexts: number;
  building: number;
  documents: number;
  terms: number;
  /** Estimated size of all indexes, which `maxBytes` bounds. */
  bytes: number;
  /** This and the following are counted since the start of the process. */
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
  /** Keys of documents written while the context, or a part of it, is being read. */
  readonly written: Set<string>;
  /** The entities whose documents are to be read again, by key. */
  readonly outdated: Map<string, EntityRef>;
  /** The number of searches that wait for it. */
  waiting: number;
  dropped: boolean;
  /** The size of the index, as included in the total. */
  bytes: number;
  /** When it was last used, ms, if it was needed again soon after its eviction; otherwise null. */
  returnedAt: number | null;
}

const memoryMs = 60_000;

export class ContextCache {
  /** In order of use, the least recently used first. */
  private readonly entries = new Map<string, CachedContext>();
  private last: CachedContext | null = null;
  private bytes = 0;
  private builds = 0;
  private failedBuilds = 0;
  private evictions = 0;
  private readonly oversized = new Set<string>();
  /** When contexts were evicted lately, the latest at the end. */
  private readonly evictedAt = new Map<string, number>();

  constructor(
    private readonly source: RecallSource,
    private readonly clock: MonotonicClock,
    private readonly maxBytes: number,
    private readonly turn: Turn,
    private readonly log: Pick<Logger, 'debug' | 'warn'> | undefined,
    private readonly snapshots?: Snapshots,
  ) {}

  /** Returns the context and marks it as just used. Starts a build if it is not in memory. */
  use(context: EntityRef): CachedContext {
    const key = entityKey(context);
    let entry = this.last?.key === key ? this.last : this.entries.get(key);
    if (!entry) entry = this.open(key, context);
    else if (entry !== this.last) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    if (entry.returnedAt !== null) entry.returnedAt = this.clock.elapsed();
    return (this.last = entry);
  }

  /** Returns the context if it is in memory, without marking it as used. Meant for writes. */
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
    else this.snapshots?.forget(context);
  }

  renew(context: EntityRef, part: EntityRef): void {
    const entry = this.peek(context);
    if (!entry) return;
    entry.outdated.set(entityKey(part), part);
    if (!entry.building) this.fill(entry, () => Promise.resolve());
  }

  dropWhere(which: (context: EntityRef) => boolean): void {
    for (const entry of this.entries.values()) if (which(entry.context)) this.forget(entry);
  }

  /** Null if everything written can be found; otherwise a promise of that, which rejects if the build fails. */
  ready(entry: CachedContext): Promise<void> | null {
    const settled = entry.index.settled();
    if (!entry.building) return settled;
    return settled ? Promise.all([entry.building, settled]).then(() => undefined) : entry.building;
  }

  /** Keeps the context in memory while a search waits for it, until the returned function is called. */
  hold(entry: CachedContext): () => void {
    entry.waiting++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
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
      outdated: new Map(),
      waiting: 0,
      dropped: false,
      bytes: 0,
      returnedAt: this.wasEvicted(key) ? this.clock.elapsed() : null,
      index: new ContextIndex(this.turn, () => this.account(entry)),
    };
    this.entries.set(key, entry);
    this.builds++;
    this.fill(entry, async () => {
      if (!(await this.restored(entry))) await this.read(entry);
    });
    return entry;
  }

  private fill(entry: CachedContext, first: () => Promise<void>): void {
    entry.building = this.filled(entry, first);
    // Searches that wait for the build see its failure; if none waits any more, the log still has it.
    entry.building.catch(() => undefined);
  }

  private read(entry: CachedContext, part?: EntityRef): Promise<void> {
    return buildIndex(entry.context, (context) => this.source(context, part), entry.index, this.turn, {
      written: entry.written,
      wanted: () => !entry.dropped,
      grown: () => this.account(entry),
    });
  }

  private async filled(entry: CachedContext, first: () => Promise<void>): Promise<void> {
    const began = this.clock.elapsed();
    try {
      await first();
      for (const [key, part] of entry.outdated) {
        entry.outdated.delete(key);
        entry.written.clear(); // the store has what was written before this is read
        await this.read(entry, part);
      }
    } catch (cause) {
      this.failedBuilds++;
      this.log?.warn(
        { event: 'recall.build_failed', context: entry.key, err: cause },
        'the memory index of a context could not be built; the next search tries again',
      );
      this.forget(entry);
      throw cause;
    }
    entry.building = null;
    entry.written.clear();
    this.log?.debug(
      {
        event: 'recall.built',
        context: entry.key,
        documents: entry.index.documents.count,
        ms: this.clock.elapsed() - began,
      },
      'memory index built',
    );
    this.account(entry);
  }

  /** A write that came meanwhile may be one that the snapshot does not have. */
  private async restored(entry: CachedContext): Promise<boolean> {
    if (!this.snapshots?.has(entry.context)) return false;
    const image = await this.snapshots.take(entry.context);
    if (image === null || entry.written.size > 0 || entry.dropped) return false;
    entry.index.restore(image);
    return true;
  }

  /** What may be kept for the next start, the last used first. */
  *images(): Generator<KeptIndex> {
    for (const { context, index, building } of [...this.entries.values()].reverse()) {
      const image = building ? null : index.image();
      if (image) yield { context, documents: index.documents.count, image };
    }
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
    const now = this.clock.elapsed();
    for (const entry of this.entries.values()) {
      if (entry.waiting > 0 || entry === this.last) continue;
      if (this.bytes <= 2 * this.maxBytes && entry.returnedAt !== null && isRecent(entry.returnedAt, now)) continue;
      this.evictions++;
      this.noteEviction(entry.key, now);
      this.forget(entry);
      if (this.bytes <= this.maxBytes) return;
    }
    const { last } = this;
    if (last === null || last.bytes <= this.maxBytes || this.oversized.has(last.key)) return;
    this.oversized.add(last.key);
    this.log?.warn(
      { event: 'recall.context_too_large', context: last.key, bytes: last.bytes, maxBytes: this.maxBytes },
      'one memory context is larger than the bound of all indexes; it is held alone',
    );
  }

  private noteEviction(key: string, now: number): void {
    this.evictedAt.delete(key);
    this.evictedAt.set(key, now);
    for (const [oldest, at] of this.evictedAt) {
      if (isRecent(at, now)) return;
      this.evictedAt.delete(oldest);
    }
  }

  private wasEvicted(key: string): boolean {
    const at = this.evictedAt.get(key);
    if (at === undefined || !isRecent(at, this.clock.elapsed())) return false;
    this.log?.debug(
      { event: 'recall.built_again', context: key, maxBytes: this.maxBytes },
      'the memory index of a context is built again soon after it was dropped; HIVEKEEP_RECALL_MAX_MB may be too small',
    );
    return true;
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

const isRecent = (at: number, now: number): boolean => Math.abs(now - at) < memoryMs;
