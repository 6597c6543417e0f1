/**
 * One index in memory: how it is built, how far it has come, and the snapshots that are written of it. Which indexes are
 * in memory is decided elsewhere (space-cache.ts).
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
} from './port.js';
import type { RecallSnapshots, TakenSnapshot } from './snapshots.js';

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
