/**
 * The sessions of a context: the order of the documents in each session, and what scoring needs to know of each session
 * as a whole.
 *
 *  RecallSessions.S1 `previous` and `next` of a document are its nearest existing neighbours in its session. They are
 *     -1 at the ends, and always for a document without a session. Documents of a session that have no position come
 *     after those that have one.
 *  RecallSessions.S2 Documents with equal positions are ordered by age, so the list depends on its contents and not on
 *     how it came about.
 *  RecallSessions.S3 `length` is the sum of the lengths of a session's documents, and `windows` that of all documents'
 *     windows (features.ts); both are exact. `prior`, `earliest` and `latest` are bounds, which a removal may leave too
 *     wide.
 *
 * Removing and appending cost the same whatever the length of the session. Inserting elsewhere walks from the end, or
 * from `near`. Each of these updates the windows of six neighbours.
 */
import { Dictionary } from './dictionary.js';
import { noFloats, noIntegers, withRoom } from './columns.js';
import { turnsAfter, turnsBefore, windowTenths } from './features.js';

/** What the list needs to know about a document in it. */
export interface Placed {
  /** Negative if the first is older. */
  age(a: number, b: number): number;
  /** Its number of terms. */
  length(slot: number): number;
  /** The part of its score that does not depend on the query. */
  prior(slot: number): number;
  /** When it was said, in milliseconds. */
  said(slot: number): number;
}

const own = windowTenths[turnsBefore];

export class Sessions {
  private readonly dictionary = new Dictionary();
  /** By document slot; -1 means none. */
  previous = noIntegers;
  next = noIntegers;
  session = noIntegers;
  private position = noFloats;
  /** By document slot: the length of its window (features.ts), in tenths. */
  window = noIntegers;
  /** By session: its first and its last document. */
  heads = noIntegers;
  private tails = noIntegers;
  /** By session: the number of terms of all its documents. */
  length = noIntegers;
  /** By session: the highest prior of its documents. */
  prior = noFloats;
  /** By session: bounds of when its documents were said, in milliseconds. */
  earliest = noFloats;
  latest = noFloats;
  /** The number of documents without a session. */
  lone = 0;
  /** The sum of the window lengths of all documents, in tenths. */
  windows = 0;

  constructor(private readonly placed: Placed) {}

  /** All session numbers are below this. */
  get bound(): number {
    return this.heads.length;
  }

  /** The number of sessions, where each document without a session counts as one. */
  get count(): number {
    return this.dictionary.size + this.lone;
  }

  get bytes(): number {
    const { previous, next, session, position, window, heads, tails, length, prior, earliest, latest } = this;
    const columns = [previous, next, session, position, window, heads, tails, length, prior, earliest, latest];
    return columns.reduce((sum, column) => sum + column.byteLength, this.dictionary.bytes);
  }

  /** The number of documents of a session. */
  size(session: number): number {
    return this.dictionary.uses(session);
  }

  /** The session of a document that has others; -1 for a document that is alone. */
  shared(slot: number): number {
    return (this.previous[slot] as number) < 0 && (this.next[slot] as number) < 0 ? -1 : (this.session[slot] as number);
  }

  /** The document of a session that has only one; otherwise -1. */
  only(sessionId: string | null): number {
    const session = sessionId === null ? undefined : this.dictionary.find(sessionId);
    return session !== undefined && this.size(session) === 1 ? (this.heads[session] as number) : -1;
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
    this.position = withRoom(this.position, slot, 30, 0);
    this.window = withRoom(this.window, slot, 27, 0);
  }

  /** `near` is a slot that is likely to be its neighbour, or -1. */
  add(slot: number, sessionId: string | null, position: number | null, near: number): void {
    if (sessionId === null) {
      this.lone++;
      this.measureWindow(slot);
      return;
    }
    const session = this.dictionary.take(sessionId);
    if (this.dictionary.uses(session) === 1) this.open(session);
    this.session[slot] = session;
    this.position[slot] = position ?? Infinity;
    const said = this.placed.said(slot);
    this.length[session] = (this.length[session] ?? 0) + this.placed.length(slot);
    this.prior[session] = Math.max(this.prior[session] ?? -Infinity, this.placed.prior(slot));
    this.earliest[session] = Math.min(this.earliest[session] ?? 0, said);
    this.latest[session] = Math.max(this.latest[session] ?? 0, said);
    const start = near >= 0 && near !== slot && this.session[near] === session ? near : (this.tails[session] ?? -1);
    this.insertAfter(slot, this.predecessor(slot, start), session);
  }

  remove(slot: number): void {
    const session = this.session[slot] ?? -1;
    this.windows -= this.window[slot] ?? 0;
    this.window[slot] = 0;
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
    this.measureAround(before, after);
    this.length[session] = (this.length[session] ?? 0) - this.placed.length(slot);
    this.previous[slot] = this.next[slot] = this.session[slot] = -1;
    this.dictionary.release(session);
  }

  private open(session: number): void {
    this.heads = withRoom(this.heads, session, 4, -1);
    this.tails = withRoom(this.tails, session, 5, -1);
    this.length = withRoom(this.length, session, 6, 0);
    this.prior = withRoom(this.prior, session, 7, 0);
    this.earliest = withRoom(this.earliest, session, 4, 0);
    this.latest = withRoom(this.latest, session, 5, 0);
    this.heads[session] = this.tails[session] = -1;
    this.length[session] = 0;
    this.prior[session] = -Infinity;
    this.earliest[session] = Infinity;
    this.latest[session] = -Infinity;
  }

  /** Computes the window length of a document and corrects the sum of all. */
  private measureWindow(slot: number): void {
    let sum = own * this.placed.length(slot);
    for (let at = this.previous[slot] ?? -1, i = turnsBefore - 1; at >= 0 && i >= 0; at = this.previous[at] ?? -1, i--)
      sum += (windowTenths[i] ?? 0) * this.placed.length(at);
    const end = turnsBefore + turnsAfter;
    for (let at = this.next[slot] ?? -1, i = turnsBefore + 1; at >= 0 && i <= end; at = this.next[at] ?? -1, i++)
      sum += (windowTenths[i] ?? 0) * this.placed.length(at);
    this.windows += sum - (this.window[slot] ?? 0);
    this.window[slot] = sum;
  }

  /** Updates the windows of the documents around a place between two documents where one was added or removed. */
  private measureAround(before: number, after: number): void {
    for (let at = before, i = 0; at >= 0 && i < turnsAfter; at = this.previous[at] ?? -1, i++) this.measureWindow(at);
    for (let at = after, i = 0; at >= 0 && i < turnsBefore; at = this.next[at] ?? -1, i++) this.measureWindow(at);
  }

  private order(a: number, b: number): number {
    return (this.position[a] ?? 0) - (this.position[b] ?? 0) || this.placed.age(a, b);
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
    this.measureWindow(slot);
    this.measureAround(before, after);
  }
}
