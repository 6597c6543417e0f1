/**
 * Who stands next to whom: the documents of a session as a linked list in the order of their positions.
 *
 *  S1 `previous` and `next` of a document are the nearest that exist now in its session; -1 at the ends, and always for
 *     a document without session or position.
 *  S2 Equal positions stand in the order of age, so the list depends on what is in it, not on how it came to be.
 *
 * Taking out and appending cost the same whatever the length. Putting in elsewhere walks from the end, or from `near`.
 */
import { Dictionary } from './dictionary.js';
import { noFloats, noIntegers, withRoom } from './columns.js';

export class Sessions {
  private readonly dictionary = new Dictionary();
  /** By session: its first and its last document. */
  private readonly heads: number[] = [];
  private readonly tails: number[] = [];
  /** By document slot; -1 is none. */
  previous = noIntegers;
  next = noIntegers;
  session = noIntegers;
  private position = noFloats;

  /** `age` orders two slots whose positions are equal: below 0 when the first is older. */
  constructor(private readonly age: (a: number, b: number) => number) {}

  /** Session numbers are below this. */
  get bound(): number {
    return this.tails.length;
  }

  get bytes(): number {
    return (
      this.previous.byteLength +
      this.next.byteLength +
      this.session.byteLength +
      this.position.byteLength +
      this.dictionary.bytes
    );
  }

  /** Makes room for the slot. */
  reserve(slot: number): void {
    this.previous = withRoom(this.previous, slot, 24, -1);
    this.next = withRoom(this.next, slot, 26, -1);
    this.session = withRoom(this.session, slot, 28, -1);
    this.position = withRoom(this.position, slot, 30, 0);
  }

  /** `near`: a slot that is likely to stand beside it, or -1. */
  add(slot: number, sessionId: string | null, position: number | null, near: number): void {
    if (sessionId === null) return;
    const session = this.dictionary.take(sessionId);
    if (this.dictionary.uses(session) === 1) this.heads[session] = this.tails[session] = -1;
    this.session[slot] = session;
    if (position === null) return;
    this.position[slot] = position;
    const start =
      near >= 0 && near !== slot && this.session[near] === session && this.linked(near, session)
        ? near
        : this.tail(session);
    this.insertAfter(slot, this.predecessor(slot, start), session);
  }

  remove(slot: number): void {
    const session = this.session[slot] ?? -1;
    if (session < 0) return;
    if (this.linked(slot, session)) {
      const before = this.previous[slot] ?? -1;
      const after = this.next[slot] ?? -1;
      if (before >= 0) this.next[before] = after;
      else this.heads[session] = after;
      if (after >= 0) this.previous[after] = before;
      else this.tails[session] = before;
    }
    this.previous[slot] = this.next[slot] = this.session[slot] = -1;
    this.dictionary.release(session);
  }

  private tail(session: number): number {
    return this.tails[session] ?? -1;
  }

  /** Whether a document of the session is in its list (it has a position). */
  private linked(slot: number, session: number): boolean {
    return this.previous[slot] !== -1 || this.next[slot] !== -1 || this.tail(session) === slot;
  }

  private order(a: number, b: number): number {
    return (this.position[a] ?? 0) - (this.position[b] ?? 0) || this.age(a, b);
  }

  /** The last document that stands before `slot`, looked for from `start`; -1 when it comes first. */
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
