/**
 * Indexes that outlast the process that has built them, so that the first message to a large agent after a start or a
 * takeover need not wait until its index is built from all of its documents. A snapshot is an image of the index as of
 * a commit. It is completed with the documents that were changed since.
 *
 *  RecallSnapshots.D1 A snapshot that is completed is the index that all documents give, or it is not used: it is never
 *     the truth. One that is damaged, or of another version, is removed and said once in the log, and the index is
 *     built.
 *  RecallSnapshots.D2 It is made of what was committed and nothing else, and holds no word that was deleted before:
 *     words that are no longer in use are overwritten in the index, and with a later deletion it goes as a whole
 *     (KeptImages.I3).
 *  RecallSnapshots.D3 Only indexes of `least` documents or more are kept, and without vectors. One is kept again when a
 *     hundredth of its documents has changed, and never takes more than a thirtieth of the time.
 */
import { entityKey, type EntityRef } from '../store/port.js';
import type { Logger } from '../telemetry/logger-port.js';
import type { TextTable, TextTableImage } from '../domain/text-table.js';
import type { IndexImage, Turn } from './space-index.js';
import { chunksOf, imageIn } from './image-format.js';
import type { ImageSource, RecallChange } from './port.js';

/** Change it with whatever changes which terms a text has, or what an image holds. */
const version = 10;

interface Image extends IndexImage {
  texts: TextTableImage | null;
}

export interface Taken {
  image: IndexImage;
  /** The texts of all memories when it was kept; null if too many of them had been deleted. */
  texts: TextTableImage | null;
  /** The commit that it was made of. */
  seq: number;
  changes: AsyncIterable<RecallChange[]>;
}

export interface SnapshotOptions {
  source: ImageSource;
  log?: Pick<Logger, 'warn' | 'debug'> | undefined;
  /** How many documents an index has at least that is kept. A smaller one is built in some ten milliseconds. */
  least?: number;
  /** How many documents have changed at least before it is kept again. */
  leastChanged?: number;
  /** How long a snapshot is not replaced by another, ms. */
  pauseMs?: number;
}

export class Snapshots {
  private readonly failed = new Set<string>();
  readonly source: ImageSource;
  readonly least: number;
  readonly leastChanged: number;
  readonly pauseMs: number;
  private readonly log: SnapshotOptions['log'];

  constructor({ source, log, least = 2000, leastChanged = 200, pauseMs = 30_000 }: SnapshotOptions) {
    this.source = source;
    this.log = log;
    this.least = least;
    this.leastChanged = leastChanged;
    this.pauseMs = pauseMs;
  }

  /** Whether there is a snapshot that may be of use. */
  async has(space: EntityRef, seq: number): Promise<boolean> {
    return (await this.source.kept(space, seq)) !== null;
  }

  /** Null if there is none that is of use. `seq` is of the last commit of the space's entity. */
  async take(space: EntityRef, seq: number, turn: Turn): Promise<Taken | null> {
    try {
      const kept = await this.source.kept(space, seq);
      const changes = kept?.changes() ?? null;
      if (kept === null || changes === null) return null;
      try {
        const isWanted = (about: unknown): boolean => JSON.stringify(about) === JSON.stringify(aboutOf(space));
        const { texts, ...image } = await imageIn<Image>(kept.chunks, isWanted, turn);
        return { image, texts, seq: kept.seq, changes };
      } catch (cause) {
        this.warn('recall.snapshot_unreadable', space, cause, 'could not be read; the index is built');
        await kept.discard();
        return null;
      }
    } catch (cause) {
      this.warn('recall.snapshot_unreadable', space, cause, 'could not be looked for; the index is built');
      return null;
    }
  }

  /** Copies an image, which must not change before this resolves, in steps of less than a millisecond. */
  async copy(space: EntityRef, image: IndexImage, texts: TextTable | null, turn: Turn): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    const whole: Image = { ...image, texts: texts?.image() ?? null };
    for (const chunk of chunksOf(aboutOf(space), whole)) {
      chunks.push(chunk);
      await turn();
    }
    return chunks;
  }

  /** Once for each space. */
  warn(event: string, space: EntityRef, cause: unknown, what: string): void {
    const key = entityKey(space);
    const level = this.failed.has(event + key) ? 'debug' : 'warn';
    this.failed.add(event + key);
    this.log?.[level]({ event, context: key, err: cause }, `the snapshot of a memory index ${what}`);
  }
}

const aboutOf = (space: EntityRef): unknown => ({ version, of: entityKey(space) });
