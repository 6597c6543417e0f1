/**
 * One index in memory: how it is built, and how far it has come. Which indexes are in memory is not decided here
 * (space-cache.ts).
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
import { TextTable } from '../domain/text-table.js';
import { entityKey, type EntityRef } from '../store/port.js';
import type { MonotonicClock } from '../domain/clock.js';
import type { Logger } from '../telemetry/logger-port.js';
import { documentKey, documentsOf, indexPages } from './build.js';
import { SpaceIndex, type Turn } from './space-index.js';
import type { RecallChange, MemorySpace, RecallDocument, RecallKind, RecallSource } from './port.js';
import type { Snapshots, Taken } from './snapshots.js';

export interface CachedSpaceDeps {
  readonly source: RecallSource;
  readonly snapshots: Snapshots | undefined;
  readonly clock: MonotonicClock;
  readonly turn: Turn;
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
        await this.read(documentsOf(source(this.space, part)));
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
    if (!snapshots || space.id === '*') return this.read(documentsOf(source(space)));
    this.index.pause();
    let taken: Taken | null = null;
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
    await this.read(taken ? taken.changes : documentsOf(documents()));
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
