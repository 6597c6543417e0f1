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
import { TextTable } from '../domain/memory/identities.js';
import { type EntityRef, entityKey } from '../store/port.js';
import type { MonotonicClock } from '../domain/shared/clock.js';
import type { Logger } from '../telemetry/logger-port.js';
import { SpaceIndex, type EventTurn, documentKey, changesOfDocuments, indexPages } from './space-index.js';
import {
  type MemorySpace,
  type RecallChange,
  type RecallDocument,
  type RecallKind,
  type RecallSource,
  spaceKey,
} from './port.js';
import type { RecallSnapshots, TakenSnapshot } from './snapshots.js';

/*
 * One index in memory: how it is built, and how far it has come. Which indexes are in memory is decided by the
 * cache below.
 *
 *  CachedSpace.K1 A write to a space that is being built goes to the index at once, and the build then skips that
 *     document (Recall.R2).
 *  CachedSpace.K2 Where snapshots are kept, an index knows up to which commit it has everything: those of its entity
 *     that the store had when its build began, and those that were put since. One that lacks a commit with which its
 *     entity is loaded is of no use. Between two commits it is exactly what the last one left, and that is what a
 *     snapshot is made of.
 *  - `renew` reads one entity's documents again into an index that has those of many. A search waits for it as for a
 *    build. What the entity no longer has stays in the index, for whoever reads the hits to find it gone.
 */

export interface CachedSpaceDeps {
  readonly source: RecallSource;
  readonly snapshots: RecallSnapshots | undefined;
  readonly clock: MonotonicClock;
  readonly turn: EventTurn;
  readonly log: Pick<Logger, 'debug' | 'warn'> | undefined;
  /** The size of the index has changed. */
  readonly resized: (entry: CachedSpace) => void;
  /** It must not be used any more: it lacks a commit, or could not be built. */
  readonly useless: (entry: CachedSpace, failed: boolean) => void;
}

const leastTexts = 1000;

export class CachedSpace {
  readonly index: SpaceIndex;
  /** Null once built. */
  building: Promise<void> | null = null;
  /** The number of searches that wait for it. */
  waiting = 0;
  dropped = false;
  /** The size of the index, as included in the total of all. */
  bytes = 0;
  /** The texts of its memories, if it knows them. */
  texts: TextTable | null = null;
  /** The commit up to which it has everything. */
  seq = -1;
  /** Whether there is a snapshot of it, and how many documents have changed since. */
  kept = false;
  changed = 0;
  /** Whether the store notes what changes. */
  prepared = false;
  /** When it may be kept again, ms. */
  keepAt = 0;
  /** The commit with which its entity was loaded while it was built. */
  private loadedAt = -1;
  /** Keys of documents written while the space, or a part of it, is being read. */
  private readonly written = new Set<string>();
  /** The entities whose documents are to be read again, by key. */
  private readonly outdated = new Map<string, EntityRef>();

  constructor(
    readonly key: string,
    readonly space: MemorySpace,
    private readonly deps: CachedSpaceDeps,
  ) {
    this.index = new SpaceIndex(deps.turn, () => deps.resized(this));
    this.fill(() => this.begin());
  }

  /** Whether snapshots are made of it. */
  get isKept(): boolean {
    return this.space.id !== '*' && this.space.subject === undefined;
  }

  put(document: RecallDocument): void {
    if (this.building) this.written.add(documentKey(document.kind, document.id));
    this.take({ put: document });
    this.deps.resized(this);
  }

  remove(kind: RecallKind, id: string): void {
    if (this.building) this.written.add(documentKey(kind, id));
    this.take({ removed: { kind, id } });
    this.deps.resized(this);
  }

  renew(part: EntityRef): void {
    this.outdated.set(entityKey(part), part);
    if (!this.building) this.fill(() => Promise.resolve());
  }

  /** CachedSpace.K2. `completes`: what this commit has changed was put just now. */
  loaded(seq: number, completes: boolean): void {
    if (this.building) this.loadedAt = Math.max(this.loadedAt, seq);
    else if (completes && this.seq === seq - 1) this.seq = seq;
    else if (this.seq !== seq) this.deps.useless(this, false);
  }

  /** Everything up to this commit was put. `lost`: it has deleted texts, so that there is no snapshot any more. */
  committed(seq: number, lost: boolean): void {
    this.seq = Math.max(this.seq, seq);
    if (lost) this.kept = false;
  }

  /** Null if everything written can be found; otherwise a promise of that, which rejects if the build fails. */
  ready(): Promise<void> | null {
    const settled = this.index.settled();
    if (!this.building) return settled;
    return settled ? Promise.all([this.building, settled]).then(() => undefined) : this.building;
  }

  private take(change: RecallChange): void {
    this.changed++;
    if ('put' in change) {
      this.noteText(change.put);
      this.index.put(change.put);
    } else this.index.remove(change.removed.kind, change.removed.id);
  }

  private noteText({ text, id }: RecallDocument): void {
    if (text === undefined || !this.texts) return;
    this.texts.add(text, id);
    // most of them have been deleted since
    if (!this.building && this.texts.size > 2 * this.index.documents.count + leastTexts) this.texts = null;
  }

  private fill(first: () => Promise<void>): void {
    this.building = this.filled(first);
    // Searches that wait for the build see its failure; if none waits any more, the log still has it.
    this.building.catch(() => undefined);
  }

  private async filled(first: () => Promise<void>): Promise<void> {
    const { clock, log, source } = this.deps;
    const began = clock.elapsed();
    try {
      await first();
      for (const [key, part] of this.outdated) {
        this.outdated.delete(key);
        this.written.clear(); // the store has what was written before this is read
        await this.read(changesOfDocuments(source(this.space, part)));
      }
    } catch (cause) {
      log?.warn(
        { event: 'recall.build_failed', context: this.key, err: cause },
        'the memory index of a space could not be built; the next search tries again',
      );
      this.deps.useless(this, true);
      throw cause;
    }
    this.building = null;
    this.written.clear();
    const ms = clock.elapsed() - began;
    const documents = this.index.documents.count;
    log?.debug({ event: 'recall.built', context: this.key, documents, ms }, 'memory index built');
    this.deps.resized(this);
  }

  /** Completes a snapshot, or indexes all documents. */
  private async begin(): Promise<void> {
    const { space } = this;
    const { source, snapshots, turn } = this.deps;
    if (!snapshots || space.id === '*') return this.read(changesOfDocuments(source(space)));
    this.index.pause();
    let taken: TakenSnapshot | null = null;
    let seq: number;
    let documents: () => AsyncIterable<RecallDocument[]>;
    try {
      const standing = await snapshots.source.standing(space);
      ({ seq } = standing);
      documents = () => standing.all();
      // turns are no documents of their own
      if (this.isKept && standing.documents * 4 >= snapshots.least) taken = await snapshots.take(space, seq, turn);
      if (taken) {
        this.index.restore(taken.image);
        this.texts = taken.texts && TextTable.of(taken.texts);
        this.kept = this.prepared = true;
      } else if (this.isKept) this.texts = new TextTable();
    } finally {
      this.index.resume();
    }
    await this.read(taken ? taken.changes : changesOfDocuments(documents()));
    seq = Math.max(seq, taken?.seq ?? -1);
    if (this.loadedAt > seq) this.deps.useless(this, false);
    this.seq = Math.max(this.seq, seq);
  }

  private read(pages: AsyncIterable<RecallChange[]>): Promise<void> {
    return indexPages(pages, this.index, this.deps.turn, {
      written: this.written,
      wanted: () => !this.dropped,
      take: (change) => this.take(change),
      grown: () => this.deps.resized(this),
    });
  }
}

/*
 * Writes snapshots of large indexes beside the work that they do: after enough has changed, when an entity leaves
 * memory and when its process hands it over. One is written at a time, because each is copied.
 */

/** A snapshot takes no more of the time than one in this many parts. */
const timeShare = 30;

export class SnapshotWriter {
  /** The snapshot that is being written. */
  private keeping: Promise<void> | null = null;

  constructor(
    private readonly snapshots: RecallSnapshots,
    private readonly clock: MonotonicClock,
    private readonly turn: EventTurn,
  ) {}

  /** Something of its entity was committed. */
  committed(entry: CachedSpace): void {
    if (this.clock.elapsed() >= entry.keepAt) this.ended(entry);
  }

  /** Its entity leaves memory. */
  ended(entry: CachedSpace): void {
    if (this.keeping || !this.isDue(entry)) return; // at the next commit, or when the entity leaves memory
    this.keeping = this.write(entry, false);
  }

  /** Keeps these one after the other, unless they are kept nearly as they are. */
  async keep(entries: readonly CachedSpace[]): Promise<void> {
    for (const entry of entries) {
      await this.keeping;
      if (this.isDue(entry, this.snapshots.leastChanged / 4)) await (this.keeping = this.write(entry, true));
    }
    await this.keeping;
  }

  private isDue({ building, isKept, index, kept, changed }: CachedSpace, least?: number): boolean {
    const { count } = index.documents;
    if (building || !isKept || count < this.snapshots.least) return false;
    return !kept || changed >= (least ?? Math.max(this.snapshots.leastChanged, count / 100));
  }

  /** Never rejects. */
  private async write(entry: CachedSpace, atOnce: boolean): Promise<void> {
    const { snapshots } = this;
    const { space } = entry;
    const began = this.clock.elapsed();
    /** What has changed since the snapshot before, until there is another. */
    let changed = 0;
    try {
      if (!entry.prepared) {
        await snapshots.source.prepare(space);
        entry.prepared = true;
        // a commit may have begun before, which is not noted
        if (!atOnce) return;
      }
      const image = entry.building || entry.dropped ? null : entry.index.image();
      if (!image) return;
      const { seq } = entry;
      changed = entry.changed;
      entry.changed = 0;
      entry.index.pause();
      const chunks = await snapshots.copy(space, image, entry.texts, this.turn).finally(() => {
        entry.index.resume();
      });
      if (entry.dropped) return;
      entry.kept = entry.prepared = await snapshots.source.keep(space, seq, chunks);
      if (entry.kept) changed = 0;
      this.rest(entry, began);
    } catch (cause) {
      entry.kept = entry.prepared = false;
      snapshots.warn('recall.snapshot_failed', space, cause, 'could not be written; the one before is used, or none');
      this.rest(entry, began);
    } finally {
      entry.changed += changed;
      this.keeping = null;
    }
  }

  /** It may be kept again after a time that is in proportion to what was taken since `began`. */
  private rest(entry: CachedSpace, began: number): void {
    const now = this.clock.elapsed();
    entry.keepAt = now + Math.max(this.snapshots.pauseMs, timeShare * (now - began));
  }
}

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
