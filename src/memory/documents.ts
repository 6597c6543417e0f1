/**
 * The documents of one context in columns, by slot: what scoring reads is in typed arrays, one element a document.
 *
 *  T1 A kind and id have at most one slot; a slot that was freed is used again.
 *  T2 A document counts (`count`, `totalLength`) and can be found from `publish` on; before that, its slot is hidden.
 */
import type { RecallDocument } from './port.js';
import { grown, nextCapacity } from './columns.js';
import { Dictionary } from './dictionary.js';
import { maxSlots } from './postings.js';
import { compareAge, timeOf } from './recency.js';
import { Sessions } from './sessions.js';
import { ShardedMap } from './sharded-map.js';

export type Kind = RecallDocument['kind'];
/** Heap bytes of a document beside its columns, estimated: id string, entry of the map, header of its list of terms. */
const documentOverhead = 200;
const noTerms: readonly number[] = [];

export class Documents {
  private readonly slots: Readonly<Record<Kind, ShardedMap>> = { memory: new ShardedMap(), message: new ShardedMap() };
  private readonly ids: string[] = [];
  private readonly terms: (readonly number[])[] = [];
  private readonly free: number[] = [];
  private readonly types = new Dictionary();
  private kinds = new Uint8Array(0);
  private used = 0;
  private idBytes = 0;
  /** How many terms the document has, repetitions included. */
  lengths = new Int32Array(0);
  /** ms of the id (recency.ts). */
  times = new Float64Array(0);
  /** The document is not found at or after this time (ms): Infinity never expires, -Infinity is a hidden or free slot. */
  expiry = new Float64Array(0);
  /** As of `typeNumber`. */
  type = new Int32Array(0);
  readonly sessions = new Sessions((a, b) => compareAge(this.time(a), this.id(a), this.time(b), this.id(b)));
  count = 0;
  totalLength = 0;
  /** Slots whose expiry is not Infinity; 0 lets a search skip the question. */
  mortal = 0;

  /** Slots are below this. */
  get bound(): number { return this.used; }

  get bytes(): number {
    return this.kinds.length * 41 + this.sessions.bytes + this.types.bytes + (this.used - this.free.length) * documentOverhead + this.idBytes;
  }

  find(kind: Kind, id: string): number | undefined { return this.slots[kind].get(id); }

  id(slot: number): string { return this.ids[slot] ?? ''; }

  kind(slot: number): Kind { return this.kinds[slot] === 1 ? 'message' : 'memory'; }

  termsOf(slot: number): readonly number[] { return this.terms[slot] ?? noTerms; }

  /** Undefined when no document has the type. */
  typeNumber(name: string): number | undefined { return this.types.find(name); }

  private time(slot: number): number { return this.times[slot] ?? 0; }

  /** A hidden slot for a document that has none. */
  open(document: RecallDocument): number {
    const slot = this.free.pop() ?? this.next();
    this.slots[document.kind].add(document.id, slot);
    this.ids[slot] = document.id;
    this.terms[slot] = noTerms;
    this.kinds[slot] = document.kind === 'message' ? 1 : 0;
    this.times[slot] = timeOf(document.id);
    this.type[slot] = this.types.take(document.type);
    this.lengths[slot] = 0;
    this.idBytes += document.id.length;
    this.mortal++;
    return slot;
  }

  /** What `termsOf` gives back when the document is removed. */
  setTerms(slot: number, terms: readonly number[]): void { this.terms[slot] = terms; }

  /** Makes the document one that is found. `near`: as for Sessions.add. */
  publish(slot: number, document: RecallDocument, length: number, near: number): void {
    this.lengths[slot] = length;
    this.totalLength += length;
    this.count++;
    this.expiry[slot] = document.expiresAt ?? Infinity;
    if (document.expiresAt === null) this.mortal--;
    this.sessions.add(slot, document.sessionId, document.position, near);
  }

  /** Frees the slot of a document, hidden or not. */
  close(slot: number): void {
    const expiry = this.expiry[slot] ?? 0;
    if (expiry !== -Infinity) {
      this.count--;
      this.totalLength -= this.lengths[slot] ?? 0;
      this.sessions.remove(slot);
    }
    if (expiry !== Infinity) this.mortal--;
    this.expiry[slot] = -Infinity;
    this.terms[slot] = noTerms;
    this.types.release(this.type[slot] ?? 0);
    this.idBytes -= this.id(slot).length;
    this.slots[this.kind(slot)].delete(this.id(slot));
    this.ids[slot] = '';
    this.free.push(slot);
  }

  private next(): number {
    if (this.used === this.kinds.length) this.reserve(nextCapacity(this.kinds.length, this.used + 1));
    return this.used++;
  }

  private reserve(capacity: number): void {
    if (capacity > maxSlots) throw new RangeError(`a memory context holds at most ${maxSlots} documents`);
    this.kinds = grown(this.kinds, capacity, 0);
    this.lengths = grown(this.lengths, capacity, 0);
    this.times = grown(this.times, capacity, 0);
    this.expiry = grown(this.expiry, capacity, -Infinity);
    this.type = grown(this.type, capacity, 0);
    this.sessions.reserve(capacity);
  }
}
