/**
 * Writes snapshots of large indexes beside the work that they do: after enough has changed, when an entity leaves
 * memory and when its process hands it over. One is written at a time, because each is copied.
 */
import type { MonotonicClock } from '../domain/clock.js';
import type { CachedSpace } from './cached-space.js';
import type { Turn } from './space-index.js';
import type { Snapshots } from './snapshots.js';

/** A snapshot takes no more of the time than one in this many parts. */
const timeShare = 30;

export class SnapshotWriter {
  /** The snapshot that is being written. */
  private keeping: Promise<void> | null = null;

  constructor(
    private readonly snapshots: Snapshots,
    private readonly clock: MonotonicClock,
    private readonly turn: Turn,
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
