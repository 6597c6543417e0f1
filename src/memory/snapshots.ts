/**
 * Keeps indexes on disk while the process is down, so that the first message to a large agent after a start need not
 * wait until its index is built from all of its documents.
 *
 *  - A snapshot is used only if its entity has had no commit since, by the sequence number of its head; it is never
 *    the truth. Whatever is unreadable, of another version or outdated is removed, and the index is built.
 *  - A snapshot is removed as soon as it is read, and when its entity is written to or deleted, so that nothing that
 *    was forgotten stays in one.
 *  - Only indexes of `least` documents or more are kept, without vectors, of at most `maxBytes` in all.
 *
 * After a crash there are none, and indexes are built as they are needed.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { entityKey, type EntityRef } from '../store/port.js';
import type { Logger } from '../telemetry/logger-port.js';
import type { DocumentsImage } from './documents.js';
import type { PostingsImage } from './postings.js';

/** Change it with whatever changes which terms a text has, or what an image holds. */
const version = 2;
/** A smaller index is built in some ten milliseconds. */
const least = 2000;

export interface IndexImage {
  documents: DocumentsImage;
  postings: PostingsImage;
}

export interface KeptIndex {
  context: EntityRef;
  documents: number;
  image: IndexImage;
}

interface Kept {
  version: number;
  key: string;
  seq: number;
  image: IndexImage;
}

export interface SnapshotOptions {
  folder: string;
  /** The sequence number of the entity's last commit; null if it has none. */
  seqOf: (entity: EntityRef) => Promise<number | null>;
  maxBytes: number;
  log?: Pick<Logger, 'warn'> | undefined;
}

export class Snapshots {
  private readonly names: Set<string>;
  private readonly options: SnapshotOptions;

  constructor(options: SnapshotOptions) {
    this.options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    this.names = new Set(readdirSync(options.folder));
    for (const name of this.names)
      if (!name.endsWith('.index')) {
        rmSync(join(options.folder, name), { force: true });
        this.names.delete(name);
      }
  }

  has(context: EntityRef): boolean {
    return this.names.size > 0 && this.names.has(nameOf(context));
  }

  /** The index as it was kept, if that is how it still is. */
  async take(context: EntityRef): Promise<IndexImage | null> {
    const name = nameOf(context);
    if (!this.names.delete(name)) return null;
    const path = join(this.options.folder, name);
    try {
      const kept = deserialize(await readFile(path)) as Kept;
      const isSame = kept.version === version && kept.key === entityKey(context);
      return isSame && kept.seq === (await this.options.seqOf(context)) ? kept.image : null;
    } catch (cause) {
      this.options.log?.warn(
        { event: 'recall.snapshot_unreadable', context: entityKey(context), err: cause },
        'the snapshot of a memory index could not be read; the index is built',
      );
      return null;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  /** Call this for what is written to an index that is not in memory, or dropped. */
  forget(context: EntityRef): void {
    if (this.names.size === 0) return;
    const name = nameOf(context);
    if (this.names.delete(name)) rmSync(join(this.options.folder, name), { force: true });
  }

  /** Keeps indexes, those first that come first. Nothing may be committed meanwhile. */
  async keep(indexes: Iterable<KeptIndex>): Promise<void> {
    const { folder, maxBytes, seqOf, log } = this.options;
    let left = maxBytes;
    for (const { context, documents, image } of indexes) {
      if (documents < least) continue;
      try {
        const seq = await seqOf(context);
        if (seq === null) continue;
        const kept: Kept = { version, key: entityKey(context), seq, image };
        const bytes = serialize(kept);
        if (bytes.length > left) continue;
        left -= bytes.length;
        const name = nameOf(context);
        await writeFile(join(folder, `${name}.part`), bytes, { mode: 0o600 });
        await rename(join(folder, `${name}.part`), join(folder, name));
        this.names.add(name);
      } catch (cause) {
        log?.warn(
          { event: 'recall.snapshot_failed', context: entityKey(context), err: cause },
          'the snapshot of a memory index could not be written; the index is built at the next start',
        );
        return;
      }
    }
  }
}

const nameOf = (context: EntityRef): string =>
  `${createHash('sha256').update(entityKey(context)).digest('hex').slice(0, 40)}.index`;
