/**
 * The documents of one context, stored by slot in columns. Everything that scoring reads is in typed arrays, with one
 * element for each document.
 *
 *  RecallDocuments.T1 A kind and id have at most one slot; a freed slot is reused.
 *  RecallDocuments.T2 A document counts (`count`, `totalLength`) and can be found from `publish` on. Before that, its
 *     slot is hidden.
 */
import type { RecallDocument } from './port.js';
import { withRoom, noBytes, noFloats, noIntegers } from './columns.js';
import { Dictionary } from './dictionary.js';
import { priorOf } from './features.js';
import { maxSlots } from './postings.js';
import { compareAge, timeOf } from './recency.js';
import type { Group } from './group.js';
import { Sessions } from './sessions.js';
import { ShardedMap } from './sharded-map.js';
import { type Traits } from './traits.js';

export type Kind = RecallDocument['kind'];
/** Estimated heap bytes of a document outside the columns: id string, map entry, header of its list of terms. */
const documentOverhead = 200;
/** Of a typed array with its buffer. */
const vectorOverhead = 200;
export const normOf = (vector: Int8Array): number => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)) || 1;
const noTerms: readonly number[] = [];
const kindNames: readonly Kind[] = ['memory', 'message', 'turn'];
const grouped = 4;
const blockBits = 10;

export class Documents {
  private readonly slots: Readonly<Record<Kind, ShardedMap>> = {
    memory: new ShardedMap(),
    message: new ShardedMap(),
    turn: new ShardedMap(),
  };
  private readonly ids: string[] = [];
  /** Of a document that is in a group, the group, which has the terms of its members. */
  private readonly terms: (readonly number[] | Group)[] = [];
  private readonly free: number[] = [];
  private readonly types = new Dictionary();
  private readonly speakers = new Dictionary();
  /** An index of `kindNames`, and `grouped` for a document that is in a group. */
  private kinds = noBytes;
  private used = 0;
  private idBytes = 0;
  /** The number of terms of the document, repetitions included. */
  lengths = noIntegers;
  /** The time in the document's id, in milliseconds (recency.ts). */
  times = noFloats;
  /** The document is not found from this time (ms) on. Infinity never expires; -Infinity is a hidden or free slot. */
  expiry = noFloats;
  /** What `endOf` returns; as long as no document has an end, there are no elements. */
  private ends = noFloats;
  /** When it was said, in milliseconds: the memory's own statement of that, or else the time in its id. */
  said = noFloats;
  /** The type, as a number that `typeNumber` returns. */
  type = noIntegers;
  /** The speaker, as a number that `speakerNumber` returns; -1 if nobody is named. */
  speaker = noIntegers;
  /** A combination of the bits defined in traits.ts. */
  traits = noBytes;
  /** In percent; 50 if the memory has none. */
  importance = noBytes;
  /** The part of the document's score that does not depend on the query (features.ts). */
  prior = noFloats;
  /** By slot; null while no document has a vector. */
  vectors: (Int8Array | undefined)[] | null = null;
  /** By slot: the length of its vector in space. */
  norms = noFloats;
  private vectorBytes = 0;
  /** By block of slots: no document in it has a later time than this. A removal may leave it too late. */
  private latest = noFloats;
  readonly sessions = new Sessions({
    age: (a, b) => this.compare(a, b),
    length: (slot) => this.lengths[slot] ?? 0,
    prior: (slot) => this.prior[slot] ?? 0,
    said: (slot) => this.said[slot] ?? 0,
  });
  count = 0;
  totalLength = 0;
  /** The number of slots whose expiry is not Infinity; if it is 0, a search can skip the check. */
  mortal = 0;

  /** All slots are below this. */
  get bound(): number {
    return this.used;
  }

  get bytes(): number {
    const { kinds, lengths, times, expiry, ends, said, type, speaker, traits, importance, prior, norms } = this;
    const columns = [kinds, lengths, times, expiry, ends, said, type, speaker, traits, importance, prior, norms];
    return (
      columns.reduce((sum, column) => sum + column.byteLength, 0) +
      this.used * 16 +
      this.sessions.bytes +
      this.types.bytes +
      this.speakers.bytes +
      (this.used - this.free.length) * documentOverhead +
      this.idBytes +
      this.vectorBytes
    );
  }

  find(kind: Kind, id: string): number | undefined {
    return this.slots[kind].get(id);
  }

  id(slot: number): string {
    return this.ids[slot] ?? '';
  }

  kind(slot: number): Kind {
    return kindNames[(this.kinds[slot] ?? 0) & ~grouped] ?? 'memory';
  }

  termsOf(slot: number): readonly number[] {
    return this.groupOf(slot)?.terms ?? (this.terms[slot] as readonly number[] | undefined) ?? noTerms;
  }

  /** The group of documents that repeat one another to which it belongs (repeats.ts). */
  groupOf(slot: number): Group | null {
    return ((this.kinds[slot] as number) & grouped) === 0 ? null : (this.terms[slot] as Group);
  }

  setGroup(slot: number, group: Group): void {
    this.kinds[slot] = (this.kinds[slot] as number) | grouped;
    this.terms[slot] = group;
  }

  /** Negative if the first is older. */
  compare(a: number, b: number): number {
    return compareAge(this.time(a), this.id(a), this.time(b), this.id(b));
  }

  /**
   * What it says is no longer so from this time (ms) on; Infinity if it is so now, and negative if it is superseded.
   */
  endOf(slot: number): number {
    return this.ends[slot] ?? Infinity;
  }

  /** Undefined if no document has the type. */
  typeNumber(name: string): number | undefined {
    return this.types.find(name);
  }

  /** Whether any document names who said it. */
  get hasSpeakers(): boolean {
    return this.speakers.size > 0;
  }

  /** Undefined if nobody of that name has spoken. `name` is in the form that `nameKey` returns. */
  speakerNumber(name: string): number | undefined {
    return this.speakers.find(name);
  }

  private time(slot: number): number {
    return this.times[slot] ?? 0;
  }

  /** Calls `take` with each slot, hidden ones included, but for blocks of which `mayTake` refuses the latest time. */
  newestFirst(mayTake: (latest: number) => boolean, take: (slot: number) => void): void {
    for (let end = this.used; end > 0;) {
      const block = (end - 1) >>> blockBits;
      const start = block << blockBits;
      if (mayTake(this.latest[block] as number)) for (let slot = end - 1; slot >= start; slot--) take(slot);
      end = start;
    }
  }

  /** Allocates a hidden slot for a document that has no slot yet. */
  open(document: RecallDocument): number {
    const slot = this.free.pop() ?? this.next();
    this.slots[document.kind].add(document.id, slot);
    this.ids[slot] = document.id;
    this.terms[slot] = noTerms;
    this.kinds[slot] = kindNames.indexOf(document.kind);
    this.times[slot] = timeOf(document.id);
    const block = slot >>> blockBits;
    this.latest = withRoom(this.latest, block, 4, -Infinity);
    this.latest[block] = Math.max(this.latest[block] as number, this.time(slot));
    this.said[slot] = document.occurredAt ?? this.time(slot);
    const end = (document.superseded ? -1 : 1) * (document.validUntil ?? Infinity);
    if (end !== Infinity) this.ends = withRoom(this.ends, slot, 28, Infinity);
    if (slot < this.ends.length) this.ends[slot] = end;
    this.importance[slot] = Math.round((document.importance ?? 0.5) * 100);
    this.type[slot] = this.types.take(document.type);
    this.speaker[slot] = -1;
    this.lengths[slot] = 0;
    this.idBytes += document.id.length;
    if (document.vector) {
      (this.vectors ??= [])[slot] = document.vector;
      this.norms = withRoom(this.norms, slot, 16, 0);
      this.norms[slot] = normOf(document.vector);
      this.vectorBytes += document.vector.length + vectorOverhead;
    }
    this.mortal++;
    return slot;
  }

  /** Sets the terms that `termsOf` returns when the document is removed. */
  setTerms(slot: number, terms: readonly number[]): void {
    this.kinds[slot] = (this.kinds[slot] as number) & ~grouped;
    this.terms[slot] = terms;
  }

  /** Makes the document findable. For `near` see Sessions.add. */
  publish(slot: number, document: RecallDocument, length: number, traits: Traits, near: number): void {
    this.lengths[slot] = length;
    this.traits[slot] = traits.bits;
    if (traits.speaker !== null) this.speaker[slot] = this.speakers.take(traits.speaker);
    this.totalLength += length;
    this.count++;
    this.expiry[slot] = document.expiresAt ?? Infinity;
    if (document.expiresAt === null) this.mortal--;
    this.prior[slot] = priorOf(traits.bits, length, this.importance[slot] ?? 50);
    this.sessions.add(slot, document.sessionId, document.position, near);
  }

  /** Frees the slot of a document, whether hidden or not. */
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
    const vector = this.vectors?.[slot];
    if (this.vectors && vector) {
      this.vectors[slot] = undefined;
      this.vectorBytes -= vector.length + vectorOverhead;
    }
    this.types.release(this.type[slot] ?? 0);
    const speaker = this.speaker[slot] ?? -1;
    if (speaker >= 0) this.speakers.release(speaker);
    this.idBytes -= this.id(slot).length;
    this.slots[this.kind(slot)].delete(this.id(slot));
    this.ids[slot] = '';
    this.free.push(slot);
  }

  private next(): number {
    const slot = this.used++;
    if (slot >= maxSlots) throw new RangeError(`a memory context holds at most ${maxSlots} documents`);
    this.kinds = withRoom(this.kinds, slot, 16, 0);
    this.lengths = withRoom(this.lengths, slot, 17, 0);
    this.times = withRoom(this.times, slot, 18, 0);
    this.expiry = withRoom(this.expiry, slot, 20, -Infinity);
    this.type = withRoom(this.type, slot, 22, 0);
    this.said = withRoom(this.said, slot, 19, 0);
    this.speaker = withRoom(this.speaker, slot, 21, -1);
    this.traits = withRoom(this.traits, slot, 23, 0);
    this.prior = withRoom(this.prior, slot, 27, 0);
    this.importance = withRoom(this.importance, slot, 25, 50);
    this.sessions.reserve(slot);
    return slot;
  }
}
