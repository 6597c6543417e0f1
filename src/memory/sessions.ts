/**
 * The sessions of a memory space: the order of the documents in each, and the parts in which a session counts as a
 * whole.
 *
 *  - `previous` and `next` of a document are its nearest existing neighbours in its session. They are -1 at the ends,
 *    and always for a document without a session. Documents of a session that have no position come after those that
 *    have one.
 *  - Documents with equal positions are ordered by age, so the list depends on its contents and not on how it came
 *    about.
 *  - A part has at most `mostInPart` documents of one session, in the order in which they were added;
 *     its length is the sum of theirs. A document without a session is in none.
 *
 * Removing and appending cost the same whatever the length of the session. Inserting elsewhere walks from the end, or
 * from `near`.
 */
import { StringTable, type TableImage, noFloats, noIntegers, withRoom } from './columns.js';

/** What the lists need to know about the documents in them. */
export interface SessionDocuments {
  /** Negative if the first is older. */
  age(a: number, b: number): number;
  /** Its number of terms. */
  length(slot: number): number;
}

/** A session of more documents counts in several parts, because a long one is about many things. */
const mostInPart = 100;

const integerColumns = [
  'previous',
  'next',
  'session',
  'part',
  'heads',
  'tails',
  'openParts',
  'partLength',
  'partSize',
] as const;

export interface SessionsImage {
  table: TableImage;
  integers: Int32Array[];
  position: Float64Array;
  freeParts: number[];
  counters: [lone: number, parts: number, partBound: number];
}

export class Sessions {
  private readonly table = new StringTable();
  /** By document slot; -1 means none. */
  previous = noIntegers;
  next = noIntegers;
  session = noIntegers;
  part = noIntegers;
  private position = noFloats;
  /** By session: its first and its last document, and the part to which documents are added. */
  private heads = noIntegers;
  private tails = noIntegers;
  private openParts = noIntegers;
  /** By part: the number of terms of its documents, and the number of documents. */
  partLength = noIntegers;
  partSize = noIntegers;
  private freeParts: number[] = [];
  /** The number of documents without a session. */
  private lone = 0;
  private parts = 0;
  /** All numbers of parts are below this. */
  partBound = 0;

  constructor(private readonly documents: SessionDocuments) {}

  /** Undefined if no document is in the session. */
  find(sessionId: string): number | undefined {
    return this.table.find(sessionId);
  }

  /** How many documents are in the session. */
  size(session: number): number {
    return this.table.uses(session);
  }

  /** The documents of a session, the first first. */
  slotsOf(session: number): number[] {
    const slots: number[] = [];
    for (let slot = this.heads[session] ?? -1; slot >= 0; slot = this.next[slot] ?? -1) slots.push(slot);
    return slots;
  }

  /** The number of parts, where each document without a session counts as one. */
  get count(): number {
    return this.parts + this.lone;
  }

  get bytes(): number {
    let bytes = this.table.bytes + this.position.byteLength + 8 * this.freeParts.length;
    for (const name of integerColumns) bytes += this[name].byteLength;
    return bytes;
  }

  /** Whether the document is the first of a session. */
  opens(slot: number): boolean {
    return (this.previous[slot] as number) < 0 && (this.session[slot] as number) >= 0;
  }

  /** Makes room for the slot. */
  reserve(slot: number): void {
    this.previous = withRoom(this.previous, slot, 24, -1);
    this.next = withRoom(this.next, slot, 26, -1);
    this.session = withRoom(this.session, slot, 28, -1);
    this.part = withRoom(this.part, slot, 27, -1);
    this.position = withRoom(this.position, slot, 30, 0);
  }

  /** `near` is a slot that is likely to be its neighbour, or -1. */
  add(slot: number, sessionId: string | null, position: number | null, near: number): void {
    if (sessionId === null) {
      this.lone++;
      return;
    }
    const session = this.table.take(sessionId);
    if (this.table.uses(session) === 1) this.open(session);
    this.session[slot] = session;
    this.position[slot] = position ?? Infinity;
    const part = (this.part[slot] = this.partFor(session));
    this.partLength[part] = (this.partLength[part] as number) + this.documents.length(slot);
    this.partSize[part] = (this.partSize[part] as number) + 1;
    const start = near >= 0 && near !== slot && this.session[near] === session ? near : (this.tails[session] ?? -1);
    this.insertAfter(slot, this.predecessor(slot, start), session);
  }

  remove(slot: number): void {
    const session = this.session[slot] ?? -1;
    if (session < 0) {
      this.lone--;
      return;
    }
    const before = this.previous[slot] ?? -1;
    const after = this.next[slot] ?? -1;
    if (before >= 0) this.next[before] = after;
    else this.heads[session] = after;
    if (after >= 0) this.previous[after] = before;
    else this.tails[session] = before;
    const part = this.part[slot] as number;
    this.partLength[part] = (this.partLength[part] as number) - this.documents.length(slot);
    const left = (this.partSize[part] = (this.partSize[part] as number) - 1);
    if (left === 0) {
      this.parts--;
      this.freeParts.push(part);
      if (this.openParts[session] === part) this.openParts[session] = -1;
    }
    this.previous[slot] = this.next[slot] = this.session[slot] = this.part[slot] = -1;
    this.table.release(session);
  }

  image(): SessionsImage {
    const { table, position, freeParts, lone, parts, partBound } = this;
    const integers = integerColumns.map((name) => this[name]);
    return { table: table.image(), integers, position, freeParts, counters: [lone, parts, partBound] };
  }

  restore({ table, integers, position, freeParts, counters }: SessionsImage): void {
    this.table.restore(table);
    for (const [i, name] of integerColumns.entries()) (this as unknown as Record<string, unknown>)[name] = integers[i];
    [this.lone, this.parts, this.partBound] = counters;
    Object.assign(this, { position, freeParts });
  }

  private open(session: number): void {
    this.heads = withRoom(this.heads, session, 4, -1);
    this.tails = withRoom(this.tails, session, 5, -1);
    this.openParts = withRoom(this.openParts, session, 6, -1);
    this.heads[session] = this.tails[session] = this.openParts[session] = -1;
  }

  private partFor(session: number): number {
    const open = this.openParts[session] as number;
    if (open >= 0 && (this.partSize[open] as number) < mostInPart) return open;
    const part = this.freeParts.pop() ?? this.partBound++;
    this.partLength = withRoom(this.partLength, part, 7, 0);
    this.partSize = withRoom(this.partSize, part, 8, 0);
    this.partLength[part] = this.partSize[part] = 0;
    this.parts++;
    return (this.openParts[session] = part);
  }

  private order(a: number, b: number): number {
    const at = this.position[a] as number;
    const other = this.position[b] as number;
    return at === other ? this.documents.age(a, b) : at - other;
  }

  /** The last document that comes before `slot`, searching from `start`; -1 if `slot` comes first. */
  private predecessor(slot: number, start: number): number {
    let at = start;
    while (at >= 0 && this.order(at, slot) > 0) at = this.previous[at] ?? -1;
    if (at < 0) return -1;
    for (let after = this.next[at] ?? -1; after >= 0 && this.order(after, slot) < 0; after = this.next[at] ?? -1)
      at = after;
    return at;
  }

  private insertAfter(slot: number, before: number, session: number): void {
    const after = before >= 0 ? (this.next[before] ?? -1) : (this.heads[session] ?? -1);
    this.previous[slot] = before;
    this.next[slot] = after;
    if (before >= 0) this.next[before] = slot;
    else this.heads[session] = slot;
    if (after >= 0) this.previous[after] = slot;
    else this.tails[session] = slot;
  }
}
