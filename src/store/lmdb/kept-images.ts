/**
 * Keeps images of indexes as files in `recall/` of the data directory (KeptImages). The store says which file is an
 * entity's image, and notes what its commits have changed since.
 *
 *  - From `prepare` on, every commit of the entity leaves a note of the recalled documents that it changes. An image
 *    is used only if each later commit has left one: who writes without notes makes it useless, never wrong.
 *  - A commit that deletes or rewrites a recalled document names no image any more, in the same transaction; its file
 *    is removed afterwards, or by the next start.
 *  - A file is named only if every commit since its own has left a note, and none of them has deleted or rewritten.
 *  - A file need not be flushed: one that a loss of power has cut is found out by whoever reads it.
 *
 * Keys in `system`, where an entity is its key, or a digest of a long one:
 *   image  · entity                 -> seq of the image, or that from which notes are of use; its file if any
 *   change · entity · seq of commit -> kind and id of each document, with 1 behind those that lost a text
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { recalledKinds, type ChangedDoc, type Commit, type EntityRef, type KeptImage } from '../port.js';
import { entityPrefix, numberPart } from '../keys.js';
import type { Trees } from './environment.js';
import { keysUnder } from './keys.js';
import type { Reader } from './entries.js';
import type { KeyWrite, Write } from './write.js';

const folderName = 'recall';
const imagePrefix = 'image';
const changePrefix = 'change';
/** Longer keys are digested, because there is a longest. */
const longestKey = 300;
/** Smaller entities have no image. */
const few = 200;
/** Without a newer image, nothing more is noted: reading the documents anew costs less. */
const mostNotes = 50_000;
const notesAtOnce = 1000;
const changesInPage = 200;

type Note = [kind: number, id: string, gone?: 1];

interface Mark {
  seq: number;
  /** Empty if there is no image. */
  file: string;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);
const entityPart = (prefix: string): string => (prefix.length > longestKey ? digest(prefix) : prefix);
const markKey = (prefix: string): string => `${imagePrefix}\0${entityPart(prefix)}`;
const noteKey = (prefix: string, seq: number): string => `${changePrefix}\0${entityPart(prefix)}\0${numberPart(seq)}`;
const markText = ({ seq, file }: Mark): string => `${seq} ${file}`;
function readMark(text: string | undefined): Mark | null {
  if (text === undefined) return null;
  const [seq, file = ''] = text.split(' ');
  return { seq: Number(seq), file };
}

const kindNumber = (kind: string): number => (recalledKinds as readonly string[]).indexOf(kind);

/** What a commit notes. `outdated` says that files and notes are to be removed. */
export function imageNote(
  { seq, counts, puts, deletes }: Commit,
  prefix: string,
  system: Trees['system'],
): { operations: readonly KeyWrite[]; outdated: boolean } {
  const gone = [...deletes, ...puts.filter(({ rewrites }) => rewrites)].filter(({ kind }) => kindNumber(kind) >= 0);
  const { memories = 0, messages = 0, runs = 0 } = counts;
  const mark = gone.length === 0 && memories + messages + runs < few ? null : readMark(system.get(markKey(prefix)));
  if (mark === null) return { operations: [], outdated: false };
  const notes: Note[] = gone.map(({ kind, id }) => [kindNumber(kind), id, 1]);
  for (const { kind, id, rewrites } of puts) if (kindNumber(kind) >= 0 && !rewrites) notes.push([kindNumber(kind), id]);
  const operations: KeyWrite[] = [{ tree: 'system', key: noteKey(prefix, seq), value: JSON.stringify(notes) }];
  const isLate = seq - mark.seq > mostNotes;
  if (gone.length > 0 || isLate)
    operations.push({ tree: 'system', key: markKey(prefix), value: isLate ? null : markText({ seq, file: '' }) });
  return { operations, outdated: isLate || gone.length > 0 };
}

export class LmdbImages {
  private readonly folder: string;
  /** The entities whose images are being written. */
  private readonly writing = new Map<string, { file: string; purged: boolean }>();

  constructor(
    private readonly trees: Trees,
    private readonly reader: Reader,
    private readonly writer: { write(write: Write): Promise<boolean>; requireRoom(bytes: number): void },
    dir: string,
  ) {
    this.folder = join(dir, folderName);
  }

  /** For the server of the directory: removes the files that are no one's image. */
  removeStrays(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const files = new Set<string>();
    for (const { value } of this.trees.system.getRange(keysUnder(imagePrefix))) files.add(readMark(value)?.file ?? '');
    for (const name of readdirSync(this.folder))
      if (!files.has(name)) rmSync(join(this.folder, name), { recursive: true, force: true });
  }

  async prepare(entity: EntityRef): Promise<void> {
    const prefix = entityPrefix(entity);
    const { system, heads } = this.trees;
    if (system.get(markKey(prefix)) !== undefined) return;
    const value = markText({ seq: heads.getEntry(prefix)?.version ?? 0, file: '' });
    await this.unconditionally([{ tree: 'system', key: markKey(prefix), value }]);
  }

  async keep(entity: EntityRef, seq: number, chunks: readonly Uint8Array[]): Promise<boolean> {
    const prefix = entityPrefix(entity);
    const file = `${digest(prefix)}.${randomUUID()}`;
    const state = { file, purged: false };
    this.writing.set(prefix, state);
    let isNamed = false;
    try {
      this.writer.requireRoom(chunks.reduce((bytes, chunk) => bytes + chunk.length, 0));
      await this.write(file, chunks);
      isNamed = await this.trees.root.childTransaction(() => !state.purged && this.name(prefix, { seq, file }));
    } finally {
      if (this.writing.get(prefix) === state) this.writing.delete(prefix);
      if (!isNamed) await this.remove(file);
    }
    if (isNamed) await this.tidy(prefix, file, seq);
    return isNamed;
  }

  kept(entity: EntityRef): KeptImage | null {
    const prefix = entityPrefix(entity);
    const mark = readMark(this.trees.system.get(markKey(prefix)));
    if (!mark?.file) return null;
    return {
      seq: mark.seq,
      chunks: this.read(mark.file),
      changes: () => {
        const notes = this.notesSince(prefix, mark.seq);
        return notes && this.changes(entity, notes);
      },
    };
  }

  async discard(entity: EntityRef, seq: number): Promise<void> {
    const prefix = entityPrefix(entity);
    const value = markText({ seq, file: '' });
    await this.trees.root.childTransaction(() => {
      if (readMark(this.trees.system.get(markKey(prefix)))?.seq === seq)
        void this.trees.system.put(markKey(prefix), value);
      return true;
    });
    await this.tidy(prefix, '', seq);
  }

  /** Removes what a commit has outdated. */
  async outdated(entity: EntityRef): Promise<void> {
    const prefix = entityPrefix(entity);
    const mark = readMark(this.trees.system.get(markKey(prefix)));
    await this.tidy(prefix, mark?.file ?? '', mark?.seq ?? Infinity);
  }

  async purge(entity: EntityRef): Promise<void> {
    const prefix = entityPrefix(entity);
    const writing = this.writing.get(prefix);
    if (writing) writing.purged = true;
    if (this.trees.system.get(markKey(prefix)) === undefined) return;
    await this.unconditionally([{ tree: 'system', key: markKey(prefix), value: null }]);
    await this.tidy(prefix, '', Infinity);
  }

  /** In a transaction. */
  private name(prefix: string, { seq, file }: Mark): boolean {
    const { system, heads } = this.trees;
    const mark = readMark(system.get(markKey(prefix)));
    if (mark === null || (mark.file !== '' ? mark.seq >= seq : mark.seq > seq)) return false;
    const notes = this.notesSince(prefix, seq);
    if (!notes || notes.some(([, , gone]) => gone) || !heads.doesExist(prefix)) return false;
    void system.put(markKey(prefix), markText({ seq, file }));
    return true;
  }

  /** What the commits after this one have changed; null if one of them has left no note. */
  private notesSince(prefix: string, seq: number): Note[] | null {
    const { heads, system } = this.trees;
    const last = heads.getEntry(prefix)?.version ?? 0;
    if (last - seq > mostNotes) return null;
    const { end } = keysUnder(`${changePrefix}\0${entityPart(prefix)}`);
    const notes: Note[] = [];
    let commits = 0;
    for (const { value } of system.getRange({ start: noteKey(prefix, seq + 1), end })) {
      commits++;
      notes.push(...(JSON.parse(value) as Note[]));
    }
    return commits >= last - seq ? notes : null;
  }

  private async *changes(entity: EntityRef, notes: readonly Note[]): AsyncGenerator<ChangedDoc[]> {
    const changed = [...new Map(notes.map(([kind, id]) => [`${kind}${id}`, [kind, id] as const])).values()];
    for (let at = 0; at < changed.length; at += changesInPage) {
      if (at > 0)
        await new Promise<void>((resolve) => {
          setImmediate(resolve);
        });
      yield changed.slice(at, at + changesInPage).flatMap(([number, id]): ChangedDoc[] => {
        const kind = recalledKinds[number];
        if (!kind) return [];
        return [{ kind, id, body: this.reader.get(entity, kind, id)?.body ?? null } as ChangedDoc];
      });
    }
  }

  /** Every chunk with its length before it. */
  private async write(file: string, chunks: readonly Uint8Array[]): Promise<void> {
    const to = await open(join(this.folder, file), 'wx', 0o600);
    try {
      for (const chunk of chunks) {
        const length = Buffer.alloc(4);
        length.writeUInt32LE(chunk.length);
        await to.writev([length, chunk]);
      }
    } finally {
      await to.close();
    }
  }

  private async *read(file: string): AsyncGenerator<Uint8Array> {
    const from = await open(join(this.folder, file), 'r');
    try {
      const { size } = await from.stat();
      const length = Buffer.alloc(4);
      for (let at = 0; at < size;) {
        await from.read(length, 0, 4, at);
        const bytes = length.readUInt32LE();
        if (bytes > size - at - 4) throw new Error('the file of an image is cut');
        const chunk = Buffer.allocUnsafeSlow(bytes);
        await from.read(chunk, 0, bytes, at + 4);
        at += 4 + bytes;
        yield chunk;
      }
    } finally {
      await from.close();
    }
  }

  /** Removes the files of the entity but for this one, and the notes up to this commit. */
  private async tidy(prefix: string, file: string, seq: number): Promise<void> {
    const files = `${digest(prefix)}.`;
    const written = this.writing.get(prefix)?.file;
    for (const name of existsSync(this.folder) ? readdirSync(this.folder) : [])
      if (name.startsWith(files) && name !== file && name !== written) await this.remove(name);
    const { start, end } = keysUnder(`${changePrefix}\0${entityPart(prefix)}`);
    const range = { start, end: seq === Infinity ? end : noteKey(prefix, seq + 1), limit: notesAtOnce };
    for (;;) {
      const keys = [...this.trees.system.getKeys(range)];
      if (keys.length > 0) await this.unconditionally(keys.map((key) => ({ tree: 'system', key, value: null })));
      if (keys.length < notesAtOnce) return;
    }
  }

  private remove(file: string): Promise<void> {
    return rm(join(this.folder, file), { force: true });
  }

  /** No entity has this key, so the condition always holds. */
  private async unconditionally(operations: readonly KeyWrite[]): Promise<void> {
    await this.writer.write({ key: imagePrefix, expected: 0, operations });
  }
}
