/**
 * The documents of one memory space, stored by slot in columns. Everything that scoring reads is in typed arrays, with
 * one element for each document.
 *
 *  - A kind and id have at most one slot; a freed slot is reused.
 *  - A document counts (`count`, `totalLength`) and can be found from `publish` on. Before that, its
 *     slot is hidden.
 */
import type { RecallDocument } from './port.js';
import { withRoom, noBytes, noFloats, noIntegers } from './columns.js';
import { maxSlots } from './postings.js';
import { compareAge, timeOfId } from '../domain/ids.js';
import { Sessions, type SessionsImage } from './sessions.js';
import { StringTable, type TableImage } from './string-table.js';
import { PROFILED, type Traits } from './traits.js';

export type Kind = RecallDocument['kind'];
/** Heap bytes of a typed array with its buffer, beside its elements. */
const vectorOverhead = 200;
export const normOf = (vector: Int8Array): number => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)) || 1;
const kindNames: readonly Kind[] = ['memory', 'message', 'turn'];
/** The number of a document's name in the table of ids is its slot. */
const keyOf = (kind: Kind, id: string): string => kindNames.indexOf(kind) + id;

const numberColumns = ['times', 'expiry', 'ends', 'said'] as const;
const integerColumns = ['lengths', 'type', 'speaker'] as const;
const byteColumns = ['kinds', 'traits', 'importance', 'owned'] as const;

export interface DocumentsImage {
  ids: TableImage;
  types: TableImage;
  speakers: TableImage;
  sessions: SessionsImage;
  numbers: Float64Array[];
  integers: Int32Array[];
  bytes: Uint8Array[];
  counters: [bound: number, count: number, totalLength: number, mortal: number, owned: number];
}

export class Documents {
  private readonly ids = new StringTable();
  private readonly types = new StringTable();
  private readonly speakers = new StringTable();
  /** An index of `kindNames`. */
  private kinds = noBytes;
  private used = 0;
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
  /** By slot; null while no document has a vector. */
  vectors: (Int8Array | undefined)[] | null = null;
  /** By slot: the length of its vector. */
  norms = noFloats;
  private vectorBytes = 0;
  readonly sessions = new Sessions({
    age: (a, b) => this.compare(a, b),
    length: (slot) => this.lengths[slot] ?? 0,
  });
  /** The slots of what a profile keeps; null while there is nothing. */
  profiled: Set<number> | null = null;
  /** By slot: 1 for what is of a subject; as long as nothing is, there are no elements. */
  private owned = noBytes;
  private ownedCount = 0;
  count = 0;
  totalLength = 0;
  /** The number of slots whose expiry is not Infinity; if it is 0, a search can skip the check. */
  mortal = 0;

  /** All slots are below this. */
  get bound(): number {
    return this.used;
  }

  get bytes(): number {
    let bytes = this.vectorBytes + this.norms.byteLength + this.sessions.bytes;
    for (const table of [this.ids, this.types, this.speakers]) bytes += table.bytes;
    for (const name of [...numberColumns, ...integerColumns, ...byteColumns]) bytes += this[name].byteLength;
    return bytes;
  }

  find(kind: Kind, id: string): number | undefined {
    return this.ids.find(keyOf(kind, id));
  }

  id(slot: number): string {
    return this.ids.name(slot).slice(1);
  }

  kind(slot: number): Kind {
    return kindNames[this.kinds[slot] ?? 0] ?? 'memory';
  }

  /** Negative if the first is older. */
  compare(a: number, b: number): number {
    const times = this.time(a) - this.time(b);
    return times || compareAge(this.id(a), this.id(b));
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

  /** Whether any document is of a subject, hidden ones included. */
  get hasSubjects(): boolean {
    return this.ownedCount > 0;
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

  /** Allocates a hidden slot for a document that has no slot yet. */
  open(document: RecallDocument): number {
    const slot = this.ids.take(keyOf(document.kind, document.id));
    if (slot >= this.used) this.reserve(slot);
    this.kinds[slot] = kindNames.indexOf(document.kind);
    this.times[slot] = timeOfId(document.id);
    this.said[slot] = document.occurredAt ?? this.time(slot);
    const end = (document.superseded ? -1 : 1) * (document.validUntil ?? Infinity);
    if (end !== Infinity) this.ends = withRoom(this.ends, slot, 28, Infinity);
    if (slot < this.ends.length) this.ends[slot] = end;
    if ((document.subject ?? null) !== null) {
      this.owned = withRoom(this.owned, slot, 29, 0);
      this.owned[slot] = 1;
      this.ownedCount++;
    }
    this.importance[slot] = Math.round((document.importance ?? 0.5) * 100);
    this.type[slot] = this.types.take(document.type);
    this.speaker[slot] = -1;
    this.lengths[slot] = 0;
    this.expiry[slot] = -Infinity;
    if (document.vector) {
      (this.vectors ??= [])[slot] = document.vector;
      this.norms = withRoom(this.norms, slot, 16, 0);
      this.norms[slot] = normOf(document.vector);
      this.vectorBytes += document.vector.length + vectorOverhead;
    }
    this.mortal++;
    return slot;
  }

  /** Makes the document findable. For `near` see Sessions.add. */
  publish(slot: number, document: RecallDocument, length: number, traits: Traits, near: number): void {
    this.lengths[slot] = length;
    this.traits[slot] = traits.bits;
    if (traits.bits & PROFILED) (this.profiled ??= new Set()).add(slot);
    if (traits.speaker !== null) this.speaker[slot] = this.speakers.take(traits.speaker);
    this.totalLength += length;
    this.count++;
    this.expiry[slot] = document.expiresAt ?? Infinity;
    if (document.expiresAt === null) this.mortal--;
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
    this.profiled?.delete(slot);
    if (this.owned[slot] === 1) {
      this.owned[slot] = 0;
      this.ownedCount--;
    }
    const vector = this.vectors?.[slot];
    if (this.vectors && vector) {
      this.vectors[slot] = undefined;
      this.vectorBytes -= vector.length + vectorOverhead;
    }
    this.types.release(this.type[slot] ?? 0);
    const speaker = this.speaker[slot] ?? -1;
    if (speaker >= 0) this.speakers.release(speaker);
    this.ids.release(slot);
  }

  image(): DocumentsImage {
    const { used, count, totalLength, mortal, ownedCount } = this;
    return {
      ids: this.ids.image(),
      types: this.types.image(),
      speakers: this.speakers.image(),
      sessions: this.sessions.image(),
      numbers: numberColumns.map((name) => this[name]),
      integers: integerColumns.map((name) => this[name]),
      bytes: byteColumns.map((name) => this[name]),
      counters: [used, count, totalLength, mortal, ownedCount],
    };
  }

  restore({ ids, types, speakers, sessions, numbers, integers, bytes, counters }: DocumentsImage): void {
    this.ids.restore(ids);
    this.types.restore(types);
    this.speakers.restore(speakers);
    this.sessions.restore(sessions);
    [this.used, this.count, this.totalLength, this.mortal, this.ownedCount] = counters;
    const set = (names: readonly string[], columns: readonly unknown[]): void => {
      for (const [i, name] of names.entries()) (this as unknown as Record<string, unknown>)[name] = columns[i];
    };
    set(numberColumns, numbers);
    set(integerColumns, integers);
    set(byteColumns, bytes);
    for (let slot = 0; slot < this.used; slot++)
      if ((this.traits[slot] as number) & PROFILED && this.expiry[slot] !== -Infinity)
        (this.profiled ??= new Set()).add(slot);
  }

  private reserve(slot: number): void {
    if (slot >= maxSlots) throw new RangeError(`a memory space holds at most ${maxSlots} documents`);
    this.used = slot + 1;
    this.kinds = withRoom(this.kinds, slot, 16, 0);
    this.lengths = withRoom(this.lengths, slot, 17, 0);
    this.times = withRoom(this.times, slot, 18, 0);
    this.expiry = withRoom(this.expiry, slot, 20, -Infinity);
    this.type = withRoom(this.type, slot, 22, 0);
    this.said = withRoom(this.said, slot, 19, 0);
    this.speaker = withRoom(this.speaker, slot, 21, -1);
    this.traits = withRoom(this.traits, slot, 23, 0);
    this.importance = withRoom(this.importance, slot, 25, 50);
    this.sessions.reserve(slot);
  }
}
