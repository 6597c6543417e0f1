/**
 * The indexes held in memory, by memory space. One is built when first needed and dropped when memory
 * runs short.
 *
 *  - Searches that need a space while it is being built share one build.
 *  SpaceCache.K1 A write to a space that is not in memory costs one look-up: a later build reads it from the store.
 *  SpaceCache.K2 After every change at most `maxBytes` (estimated) are held; the least recently used spaces are
 *     evicted first. A space that a search is waiting for is never evicted, and neither is one that is being built (a
 *     search may have gone without waiting to its end) nor the one used last. A space larger than the bound is
 *     therefore held alone, which is logged once.
 *  - Spaces that do not fit together are not built in turn, over and over: for `memoryMs` after one was needed again
 *    so soon after its eviction, the bound is twice as high.
 *  - A failed build leaves nothing behind: the searches that wait for it reject, and the next search builds again.
 *  SpaceCache.K3 A search does not answer from a space that was dropped while it waited, nor take it for empty: it
 *     uses the space anew. What is dropped is outdated, and may have been dropped because of a document that the
 *     search is not about.
 *  SpaceCache.K4 Most entities have nothing of any subject. Then what is nobody's is all that they have, and one index
 *     serves for both; where there is something of a subject, what is nobody's has an index of its own.
 */
import type { TextTable } from '../domain/memory/identities.js';
import { type EntityRef, entityKey } from '../store/port.js';
import type { MonotonicClock } from '../domain/shared/clock.js';
import type { Logger } from '../telemetry/logger-port.js';
import { type EventTurn } from './space-index.js';
import { type MemorySpace, type RecallDocument, type RecallSource, spaceKey } from './port.js';
import type { RecallSnapshots } from './snapshots.js';

import { CachedSpace, type CachedSpaceDeps, SnapshotWriter } from './cached-space.js';

export interface CacheStats {
  spaces: number;
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

export class SpaceCache {
  /** In order of use, the least recently used first. */
  private readonly entries = new Map<string, CachedSpace>();
  /** The same by the key of their entity: the space of all that it has, and those of its subjects and of nobody. */
  private readonly ofEntity = new Map<string, Set<CachedSpace>>();
  private last: CachedSpace | null = null;
  private bytes = 0;
  private builds = 0;
  private failedBuilds = 0;
  private evictions = 0;
  private readonly writer: SnapshotWriter | null;
  private readonly deps: CachedSpaceDeps;
  private readonly oversized = new Set<string>();
  /** When spaces were evicted lately, the latest at the end. */
  private readonly evictedAt = new Map<string, number>();
  /** Until when the bound is twice as high. */
  private crowdedUntil = -Infinity;

  constructor(
    source: RecallSource,
    private readonly clock: MonotonicClock,
    private readonly maxBytes: number,
    turn: EventTurn,
    private readonly log: Pick<Logger, 'debug' | 'warn'> | undefined,
    private readonly snapshots?: RecallSnapshots,
  ) {
    this.writer = snapshots ? new SnapshotWriter(snapshots, clock, turn) : null;
    const resized = (entry: CachedSpace): void => this.account(entry);
    const useless = (entry: CachedSpace, failed: boolean): void => {
      if (failed) this.failedBuilds++;
      this.forget(entry);
    };
    this.deps = { source, snapshots, clock, turn, log, resized, useless };
  }

  /** Returns the space and marks it as just used. Starts a build if it is not in memory. */
  use(asked: MemorySpace): CachedSpace {
    const space = this.holding(asked);
    const key = spaceKey(space);
    let entry = this.last?.key === key ? this.last : this.entries.get(key);
    if (!entry) entry = this.open(key, space);
    else if (entry !== this.last) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    return (this.last = entry);
  }

  /** The space that has what is asked for, and nothing else as far as is known (SpaceCache.K4). */
  private holding(asked: MemorySpace): MemorySpace {
    if (asked.subject !== null) return asked;
    const { workspace, kind, id } = asked;
    const whole = this.entries.get(entityKey(asked));
    if (whole ? whole.index.documents.hasSubjects : this.entries.has(spaceKey(asked))) return asked;
    return { workspace, kind, id };
  }

  /** Whether the space has nothing beside what is asked for; one that is built may turn out to have (SpaceCache.K4). */
  serves(entry: CachedSpace, asked: MemorySpace): boolean {
    return asked.subject !== null || entry.space.subject === null || !entry.index.documents.hasSubjects;
  }

  /** To the entity's space, and to that of whoever's it is, if they are in memory. */
  put(space: EntityRef, document: RecallDocument): void {
    for (const entry of this.all(space)) {
      const { subject } = entry.space;
      if (subject === undefined || subject === (document.subject ?? null)) entry.put(document);
    }
  }

  /** From all spaces of the entity that are in memory. */
  remove(space: EntityRef, kind: RecallDocument['kind'], id: string): void {
    for (const entry of this.all(space)) entry.remove(kind, id);
  }

  hasAny(space: EntityRef): boolean {
    return this.ofEntity.has(entityKey(space));
  }

  /** What an entity has in memory. */
  private all(space: EntityRef): Iterable<CachedSpace> {
    return this.ofEntity.get(entityKey(space)) ?? [];
  }

  /** The space of all that an entity has. */
  private whole(space: EntityRef): CachedSpace | undefined {
    return this.entries.get(entityKey(space));
  }

  loaded(space: EntityRef, seq: number, completes: boolean): void {
    if (this.snapshots) for (const entry of this.all(space)) entry.loaded(seq, completes);
  }

  committed(space: EntityRef, seq: number, lost: boolean): void {
    for (const entry of this.all(space)) {
      entry.committed(seq, lost);
      this.writer?.committed(entry);
    }
  }

  ended(space: EntityRef): void {
    const entry = this.whole(space);
    if (entry) this.writer?.ended(entry);
  }

  /** Null if the index is in memory, or would have to be built of all documents. */
  restoring(space: EntityRef, seq: number): Promise<void> | null {
    const entry = this.whole(space);
    if (entry) return entry.building?.catch(() => undefined) ?? null;
    const { snapshots } = this;
    if (!snapshots) return null;
    return snapshots.has(space, seq).then(
      (has) => (has ? this.use(space).building?.catch(() => undefined) : undefined),
      () => undefined, // whoever reads the documents instead has the error
    );
  }

  texts(space: EntityRef): TextTable | null {
    const entry = this.whole(space);
    return entry && !entry.building ? entry.texts : null;
  }

  giveTexts(space: EntityRef, table: TextTable): void {
    const entry = this.snapshots && this.whole(space);
    if (entry && !entry.building) entry.texts ??= table;
  }

  /** Keeps snapshots of these indexes, those used last first, unless they are kept nearly as they are. */
  async keep(which: (space: EntityRef) => boolean): Promise<void> {
    await this.writer?.keep([...this.entries.values()].reverse().filter(({ space }) => which(space)));
  }

  drop(space: EntityRef): void {
    for (const entry of this.all(space)) this.forget(entry);
  }

  renew(space: EntityRef, part: EntityRef): void {
    this.whole(space)?.renew(part);
  }

  dropWhere(which: (space: EntityRef) => boolean): void {
    for (const entry of this.entries.values()) if (which(entry.space)) this.forget(entry);
  }

  /** Keeps the space in memory while a search waits for it, until the returned function is called. */
  hold(entry: CachedSpace): () => void {
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
    return { spaces: this.entries.size, building, documents, terms, bytes, builds, failedBuilds, evictions };
  }

  private open(key: string, space: MemorySpace): CachedSpace {
    this.noteReturn(key);
    this.builds++;
    const entry = new CachedSpace(key, space, this.deps);
    this.entries.set(key, entry);
    const entity = entityKey(space);
    this.ofEntity.set(entity, (this.ofEntity.get(entity) ?? new Set()).add(entry));
    return entry;
  }

  private account(entry: CachedSpace): void {
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
      if (entry.waiting > 0 || entry.building || entry === this.last) continue;
      this.evictions++;
      this.noteEviction(entry.key, now);
      this.forget(entry);
    }
    const { last } = this;
    if (last === null || last.bytes <= this.maxBytes || this.oversized.has(last.key)) return;
    this.oversized.add(last.key);
    this.log?.warn(
      { event: 'recall.context_too_large', context: last.key, bytes: last.bytes, maxBytes: this.maxBytes },
      'one memory space is larger than the bound of all indexes; it is held alone',
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

  /** A space is built that may have been evicted lately. */
  private noteReturn(key: string): void {
    const now = this.clock.elapsed();
    if (now - (this.evictedAt.get(key) ?? -Infinity) >= memoryMs) return;
    this.crowdedUntil = now + memoryMs;
    this.log?.debug(
      { event: 'recall.built_again', context: key, maxBytes: this.maxBytes },
      'the memory index of a space is built again soon after it was dropped; HIVEKEEP_RECALL_MAX_MB may be too small',
    );
  }

  private forget(entry: CachedSpace): void {
    if (entry.dropped) return;
    entry.dropped = true;
    this.bytes -= entry.bytes;
    this.entries.delete(entry.key);
    const entity = entityKey(entry.space);
    const others = this.ofEntity.get(entity);
    others?.delete(entry);
    if (others?.size === 0) this.ofEntity.delete(entity);
    if (this.last === entry) this.last = null;
    entry.index.discard();
  }
}
