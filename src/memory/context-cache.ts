/**
 * The indexes held in memory, by context (cached-context.ts). One is built when first needed and dropped when memory
 * runs short.
 *
 *  - Searches that need a context while it is being built share one build.
 *  ContextCache.K2 A write to a context that is not in memory costs one look-up: a later build reads it from the store.
 *  ContextCache.K3 After every change at most `maxBytes` (estimated) are held; the least recently used contexts are
 *     evicted first. A context that a search is waiting for is never evicted, and neither is
 *     the one used last. A context larger than the bound is therefore held alone, which is logged once.
 *  - Contexts that do not fit together are not built in turn, over and over: for `memoryMs` after one was needed again
 *    so soon after its eviction, the bound is twice as high.
 *  - A failed build leaves nothing behind: the searches that wait for it reject, and the next search builds again.
 *  ContextCache.K5 A search does not answer from a context that was dropped while it waited, nor take it for empty: it
 *     uses the context anew. What is dropped is outdated, and may have been dropped because of a document that the
 *     search is not about.
 *  ContextCache.K6 Most entities have nothing of any subject. Then what is nobody's is all that they have, and one index
 *     serves for both; where there is something of a subject, what is nobody's has an index of its own.
 */
import type { TextTable } from '../domain/text-table.js';
import { entityKey, type EntityRef } from '../store/port.js';
import type { MonotonicClock } from '../domain/clock.js';
import { CachedContext, type CachedSpaceDeps } from './cached-context.js';
import type { Turn } from './context-index.js';
import { contextKey, type RecallContext, type RecallDocument, type RecallSource } from './port.js';
import { SnapshotWriter } from './snapshot-writer.js';
import type { Snapshots } from './snapshots.js';
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

const memoryMs = 60_000;

export class ContextCache {
  /** In order of use, the least recently used first. */
  private readonly entries = new Map<string, CachedContext>();
  /** The same by the key of their entity: the context of all that it has, and those of its subjects and of nobody. */
  private readonly ofEntity = new Map<string, Set<CachedContext>>();
  private last: CachedContext | null = null;
  private bytes = 0;
  private builds = 0;
  private failedBuilds = 0;
  private evictions = 0;
  private readonly writer: SnapshotWriter | null;
  private readonly deps: CachedSpaceDeps;
  private readonly oversized = new Set<string>();
  /** When contexts were evicted lately, the latest at the end. */
  private readonly evictedAt = new Map<string, number>();
  /** Until when the bound is twice as high. */
  private crowdedUntil = -Infinity;

  constructor(
    source: RecallSource,
    private readonly clock: MonotonicClock,
    private readonly maxBytes: number,
    turn: Turn,
    private readonly log: Pick<Logger, 'debug' | 'warn'> | undefined,
    private readonly snapshots?: Snapshots,
  ) {
    this.writer = snapshots ? new SnapshotWriter(snapshots, clock, turn) : null;
    const resized = (entry: CachedContext): void => this.account(entry);
    const useless = (entry: CachedContext, failed: boolean): void => {
      if (failed) this.failedBuilds++;
      this.forget(entry);
    };
    this.deps = { source, snapshots, clock, turn, log, resized, useless };
  }

  /** Returns the context and marks it as just used. Starts a build if it is not in memory. */
  use(asked: RecallContext): CachedContext {
    const context = this.holding(asked);
    const key = contextKey(context);
    let entry = this.last?.key === key ? this.last : this.entries.get(key);
    if (!entry) entry = this.open(key, context);
    else if (entry !== this.last) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    return (this.last = entry);
  }

  /** The context that has what is asked for, and nothing else as far as is known (ContextCache.K6). */
  private holding(asked: RecallContext): RecallContext {
    if (asked.subject !== null) return asked;
    const { workspace, kind, id } = asked;
    const whole = this.entries.get(entityKey(asked));
    if (whole ? whole.index.documents.hasSubjects : this.entries.has(contextKey(asked))) return asked;
    return { workspace, kind, id };
  }

  /** Whether the context has nothing beside what is asked for; one that is built may turn out to have (ContextCache.K6). */
  serves(entry: CachedContext, asked: RecallContext): boolean {
    return asked.subject !== null || entry.context.subject === null || !entry.index.documents.hasSubjects;
  }

  /** To the entity's context, and to that of whoever's it is, if they are in memory. */
  put(context: EntityRef, document: RecallDocument): void {
    for (const entry of this.all(context)) {
      const { subject } = entry.context;
      if (subject === undefined || subject === (document.subject ?? null)) entry.put(document);
    }
  }

  /** From all contexts of the entity that are in memory. */
  remove(context: EntityRef, kind: RecallDocument['kind'], id: string): void {
    for (const entry of this.all(context)) entry.remove(kind, id);
  }

  hasAny(context: EntityRef): boolean {
    return this.ofEntity.has(entityKey(context));
  }

  /** What an entity has in memory. */
  private all(context: EntityRef): Iterable<CachedContext> {
    return this.ofEntity.get(entityKey(context)) ?? [];
  }

  /** The context of all that an entity has. */
  private whole(context: EntityRef): CachedContext | undefined {
    return this.entries.get(entityKey(context));
  }

  loaded(context: EntityRef, seq: number, completes: boolean): void {
    if (this.snapshots) for (const entry of this.all(context)) entry.loaded(seq, completes);
  }

  committed(context: EntityRef, seq: number, lost: boolean): void {
    for (const entry of this.all(context)) {
      entry.committed(seq, lost);
      this.writer?.committed(entry);
    }
  }

  ended(context: EntityRef): void {
    const entry = this.whole(context);
    if (entry) this.writer?.ended(entry);
  }

  /** Null if the index is in memory, or would have to be built of all documents. */
  restoring(context: EntityRef, seq: number): Promise<void> | null {
    const entry = this.whole(context);
    if (entry) return entry.building?.catch(() => undefined) ?? null;
    const { snapshots } = this;
    if (!snapshots) return null;
    return snapshots.has(context, seq).then(
      (has) => (has ? this.use(context).building?.catch(() => undefined) : undefined),
      () => undefined, // whoever reads the documents instead has the error
    );
  }

  texts(context: EntityRef): TextTable | null {
    const entry = this.whole(context);
    return entry && !entry.building ? entry.texts : null;
  }

  giveTexts(context: EntityRef, table: TextTable): void {
    const entry = this.snapshots && this.whole(context);
    if (entry && !entry.building) entry.texts ??= table;
  }

  /** Keeps snapshots of these indexes, those used last first, unless they are kept nearly as they are. */
  async keep(which: (context: EntityRef) => boolean): Promise<void> {
    await this.writer?.keep([...this.entries.values()].reverse().filter(({ context }) => which(context)));
  }

  drop(context: EntityRef): void {
    for (const entry of this.all(context)) this.forget(entry);
  }

  renew(context: EntityRef, part: EntityRef): void {
    this.whole(context)?.renew(part);
  }

  dropWhere(which: (context: EntityRef) => boolean): void {
    for (const entry of this.entries.values()) if (which(entry.context)) this.forget(entry);
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

  private open(key: string, context: RecallContext): CachedContext {
    this.noteReturn(key);
    this.builds++;
    const entry = new CachedContext(key, context, this.deps);
    this.entries.set(key, entry);
    const entity = entityKey(context);
    this.ofEntity.set(entity, (this.ofEntity.get(entity) ?? new Set()).add(entry));
    return entry;
  }

  private account(entry: CachedContext): void {
    if (entry.dropped) return;
    const bytes = entry.index.bytes + (entry.texts?.bytes ?? 0);
    this.bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    this.evict();
  }

  private evict(): void {
    if (this.bytes <= this.maxBytes) return;
    const now = this.clock.elapsed();
    const most = now < this.crowdedUntil ? 2 * this.maxBytes : this.maxBytes;
    for (const entry of this.entries.values()) {
      if (this.bytes <= most) return;
      if (entry.waiting > 0 || entry === this.last) continue;
      this.evictions++;
      this.noteEviction(entry.key, now);
      this.forget(entry);
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
      if (now - at < memoryMs) return;
      this.evictedAt.delete(oldest);
    }
  }

  /** A context is built that may have been evicted lately. */
  private noteReturn(key: string): void {
    const now = this.clock.elapsed();
    if (now - (this.evictedAt.get(key) ?? -Infinity) >= memoryMs) return;
    this.crowdedUntil = now + memoryMs;
    this.log?.debug(
      { event: 'recall.built_again', context: key, maxBytes: this.maxBytes },
      'the memory index of a context is built again soon after it was dropped; HIVEKEEP_RECALL_MAX_MB may be too small',
    );
  }

  private forget(entry: CachedContext): void {
    if (entry.dropped) return;
    entry.dropped = true;
    this.bytes -= entry.bytes;
    this.entries.delete(entry.key);
    const entity = entityKey(entry.context);
    const others = this.ofEntity.get(entity);
    others?.delete(entry);
    if (others?.size === 0) this.ofEntity.delete(entity);
    if (this.last === entry) this.last = null;
    entry.index.discard();
  }
}
