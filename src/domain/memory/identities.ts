/**
 * What makes two memories of one space the same: equal texts, or one `metadata.key`. A key has a short hash, by which
 * the store finds the present memory that has it; a text has a hash of its own, for which no index is kept. A hash only
 * finds candidates: the memories themselves are compared.
 *
 *  Identities.D1 A memory that has ended (superseded, or `valid_until` reached) is never the present one.
 *  Identities.D2 A memory supersedes only memories of whoever made it: in a hive, what another agent shared stays.
 *  - A repetition adds nothing: whatever a client stated beyond the text is equal too, so merging it loses nothing.
 */
import { foldCase } from '../shared/text-forms.js';
import type { Metadata } from '../shared/vocabulary.js';
import { idStart, startOfId } from '../shared/ids.js';

/** What is compared; memories and the input of new ones both have it. */
export interface Statement {
  type: string;
  content: string;
  speaker?: string | null | undefined;
  shared_by?: string | null | undefined;
  sessionId?: string | null | undefined;
  occurred_at?: string | null | undefined;
  expires_at?: string | null | undefined;
  importance?: number | null | undefined;
  metadata?: Metadata | undefined;
  source?: string | null | undefined;
  subject?: string | null | undefined;
}

/** Texts of fewer than three words ("Yes.", "Thank you!") report events, and the same text again reports another. */
const threeWords = /^\S+ \S+ \S/;
const longestText = 4096;

/** The text without regard to case, spaces and final punctuation; null if it is too short or long to be the same. */
export function normalizedText(content: string): string | null {
  if (content.length > longestText) return null;
  const text = foldCase(content.normalize('NFKC'))
    .replace(/\s\s+|[^\S ]/g, ' ')
    .trim();
  const said = withoutEnd(text, ' .!');
  return threeWords.test(said) ? said : null;
}

/** 53 bits of a text, in base 36. */
export const shortHash = (text: string): string => hashOf(text).toString(36);

/** 53 bits of a text (the hash cyrb53). */
function hashOf(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

const keyOf = ({ metadata }: Statement): string | null => {
  const key = metadata?.['key'];
  return typeof key === 'string' && key !== '' ? key : null;
};
/**
 * A turn of a conversation has its place in the session, so it is never merged into an earlier one; what was learnt is.
 */
const mayRepeat = (s: Statement): boolean =>
  ((s.sessionId ?? null) === null || (s.source ?? null) !== null) && (s.expires_at ?? null) === null;

/** A hash of the text as `normalizedText` has it, together with who shared it; null for what repeats nothing. */
export function textHash(statement: Statement): number | null {
  const text = mayRepeat(statement) ? normalizedText(statement.content) : null;
  if (text === null) return null;
  const found = hashOf(text);
  const { shared_by: by = null, subject = null } = statement;
  if (by === null && subject === null) return found;
  return hashOf(subject === null ? `${by} ${found}` : `${by ?? ''} ${found} ${subject}`);
}

/** By which a memory with a `metadata.key` is found; null for any other. */
export function identityOf(statement: Statement): string | null {
  const key = keyOf(statement);
  if (key === null) return null;
  const of = `key ${statement.shared_by ?? ''} ${key}`;
  return shortHash((statement.subject ?? null) === null ? of : `${of}\0${statement.subject}`);
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

export function repeats(memory: Statement, statement: Statement): boolean {
  const text = mayRepeat(memory) && mayRepeat(statement) ? normalizedText(statement.content) : null;
  return (
    text !== null &&
    text === normalizedText(memory.content) &&
    memory.type === statement.type &&
    same(memory.shared_by, statement.shared_by) &&
    same(memory.speaker, statement.speaker) &&
    same(memory.importance, statement.importance) &&
    (statement.occurred_at ?? null) === null &&
    same(memory.metadata ?? {}, statement.metadata ?? {})
  );
}

/** Whether both have one key, so that the later of the two ends the other. */
export function concerns(memory: Statement, statement: Statement): boolean {
  const key = keyOf(statement);
  return key !== null && key === keyOf(memory) && same(memory.shared_by, statement.shared_by); // Identities.D2
}

/** A text without these characters at its end, in linear time, which a pattern for a run at the end does not take. */
function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A text without the spaces and marks at its end. */
export const withoutClosing = (text: string): string => withoutEnd(text, ' \t\n\r.!?');

/** A text without what makes no difference to what it says: case, spaces, and the marks at its end. */
export const wordingOf = (text: string): string => withoutClosing(foldCase(text).replace(/\s+/g, ' ')).trim();

/*
 * Which memories of a space may have a text: a hash of each text, with the beginning of its memory's id
 * (ids.ts), from which the store finds the memory. An entry takes 12 bytes, so that 15 to 23 are taken for each memory.
 *
 *  - Every text that was added is found, unless `mostFound` later ones have its hash. What is found may be wrong:
 *    hashes are equal for a few others, and a memory may have been deleted or changed since. Whoever asks compares the
 *    memories themselves.
 */

const smallest = 16;
const fullest = 0.8;
const growth = 1.5;
/** Of more memories with one hash, those that were made last are found. */
const mostFound = 4;
const none: readonly string[] = [];

export interface TextTableImage {
  hashes: Uint32Array;
  starts: Float64Array;
  size: number;
}

export class TextTable {
  private hashes = new Uint32Array(smallest);
  /** What `startOfId` says of the memory; 0 in a free place. */
  private starts = new Float64Array(smallest);
  size = 0;

  get bytes(): number {
    return this.hashes.byteLength + this.starts.byteLength;
  }

  /** A copy of its contents. */
  image(): TextTableImage {
    return { hashes: this.hashes.slice(), starts: this.starts.slice(), size: this.size };
  }

  static of({ hashes, starts, size }: TextTableImage): TextTable {
    return Object.assign(new TextTable(), { hashes, starts, size });
  }

  /** An id that has not the form of ids is left out. */
  add(text: number, id: string): void {
    const start = startOfId(id);
    if (start === 0) return;
    if (this.size >= fullest * this.starts.length) this.grow();
    this.put(text >>> 0, start);
  }

  /** The beginnings of the ids, the newest first. */
  find(text: number): readonly string[] {
    const { hashes, starts } = this;
    let found: number[] | null = null;
    const hash = text >>> 0;
    for (let at = hash % starts.length; starts[at] !== 0; at = at + 1 === starts.length ? 0 : at + 1)
      if (hashes[at] === hash) (found ??= []).push(starts[at] as number);
    if (!found) return none;
    return found
      .sort((a, b) => b - a)
      .slice(0, mostFound)
      .map((start) => idStart('memory', start));
  }

  private put(hash: number, start: number): void {
    const { hashes, starts } = this;
    let at = hash % starts.length;
    for (; starts[at] !== 0; at = at + 1 === starts.length ? 0 : at + 1)
      if (hashes[at] === hash && starts[at] === start) return;
    hashes[at] = hash;
    starts[at] = start;
    this.size++;
  }

  private grow(): void {
    const { hashes, starts } = this;
    this.hashes = new Uint32Array(Math.ceil(hashes.length * growth));
    this.starts = new Float64Array(this.hashes.length);
    this.size = 0;
    for (let at = 0; at < starts.length; at++)
      if (starts[at] !== 0) this.put(hashes[at] as number, starts[at] as number);
  }
}
