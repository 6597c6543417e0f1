/**
 * The documents of one memory space, stored by slot in columns. Everything that scoring reads is in typed arrays, with
 * one element for each document.
 *
 *  - A kind and id have at most one slot; a freed slot is reused.
 *  - A document counts (`count`, `totalLength`) and can be found from `publish` on. Before that, its
 *     slot is hidden.
 */
import { nameKey } from '../domain/memory/facets.js';
import { isStanding } from '../english/sentences.js';
import type { RecallDocument } from './port.js';
import { StringTable, type TableImage, noBytes, noFloats, noIntegers, withRoom } from './columns.js';
import { type Postings, maxSlots } from './postings.js';
import { compareAge, timeOfId } from '../domain/shared/ids.js';
import { Sessions, type SessionsImage } from './sessions.js';

/*
 * What the text of a memory says about itself, independently of any query: who speaks, whether it asks a question,
 * whether it refers to the speaker, whether it mentions a time or a number, and whether it says how
 * something is always to be done, as a profile keeps it. Determined once, when the memory is indexed. Only English words are recognised.
 *
 * Only the first `readCharacters` of a text are examined, and all regular expressions run in linear time.
 */

const readCharacters = 4096;

/** The bits of a memory's traits. */
export const ASKS = 1;
export const SAYS_I = 2;
/** A profile keeps some of it (english/sentences.ts). */
export const PROFILED = 4;
export const TELLS_TIME = 8;
export const TELLS_NUMBER = 16;
export const ENDS_ASKING = 32;
/** Says how something is always to be done, or what somebody prefers. */
export const STANDS = 64;
/** What an assistant said to a person. */
export const BY_ASSISTANT = 128;

const firstPerson = /\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b/;
const time =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|recently|this (?:morning|summer|winter|spring|fall)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|day|night|week|weekend|month|year|\d{4})s?\b/i;
const number =
  /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple|few|several|many|every)\b/i;

const standing =
  /\b(?:always|never|from now on|every time)\b[^.?!]{0,200}\b(?:when|if|whenever)\b|\bI(?:'d| would)? (?:prefer|like|love|hate|rather)\b/i;
/** Names under which assistants are kept. */
const assistants: ReadonlySet<string> = new Set([
  'assistant',
  'ai',
  'ai assistant',
  'agent',
  'bot',
  'chatbot',
  'model',
]);

/** `Name: ` at the start, of at most three words, the first of which is capitalised or in a script without capitals. */
const leadingName =
  /^[\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}.'_-]{0,39}(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'_-]{0,39}){0,2}(?=: )/u;

export interface Traits {
  /** In the form of `nameKey`; null if nobody is named. */
  speaker: string | null;
  bits: number;
}

/**
 * `speaker` is the memory's own field for who said it; if it is null, a leading `Name: ` determines the speaker.
 * `byAssistant`: it is known that an assistant said it.
 */
export function traitsOf(content: string, speaker: string | null, byAssistant = false): Traits {
  const read = content.slice(0, readCharacters);
  const leading = leadingName.exec(read)?.[0];
  const said = leading === undefined ? read : read.slice(leading.length + 1);
  let bits = 0;
  if (said.includes('?')) bits |= ASKS;
  if (firstPerson.test(said)) bits |= SAYS_I;
  if (time.test(said)) bits |= TELLS_TIME;
  if (number.test(said)) bits |= TELLS_NUMBER;
  if (standing.test(said)) bits |= STANDS;
  if (content.trimEnd().endsWith('?')) bits |= ENDS_ASKING;
  const name = speaker ?? leading;
  const key = name === undefined ? null : nameKey(name);
  if (byAssistant || (key !== null && assistants.has(key))) bits |= BY_ASSISTANT;
  else if (isStanding(said)) bits |= PROFILED;
  return { speaker: key, bits };
}

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

export class IndexedDocuments {
  private readonly ids = new StringTable();
  private readonly types = new StringTable();
  private readonly speakers = new StringTable();
  /** An index of `kindNames`. */
  private kinds = noBytes;
  private used = 0;
  /** The number of terms of the document, repetitions included. */
  lengths = noIntegers;
  /** The time in the document's id, in milliseconds (scoring.ts). */
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
  /** A combination of the bits above. */
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

/*
 * The filters of a search that the index has lists for: who said it, its session, pairs of its metadata. Pairs and
 * speakers are terms of the index beside the words, with names that no word has, and a session knows its documents.
 *
 *  - A document passes if it has all that is asked for.
 *  - Where one of the filters names at most `few` documents, these are all that a search looks at, however many
 *     the space has.
 */

/** A longer list is searched like a space without a filter. */
const few = 4000;

const pairTerm = (pair: string): string => `\0m${pair}`;
const speakerTerm = (name: string): string => `\0s${name}`;

/** The terms of a document beside its words; `speaker` is in the form of `nameKey`. */
export function facetTerms({ pairs = [] }: Pick<RecallDocument, 'pairs'>, speaker: string | null): string[] {
  const terms = pairs.map(pairTerm);
  if (speaker !== null) terms.push(speakerTerm(speaker));
  return terms;
}

export interface AskedFacets {
  speaker: string | undefined;
  sessionId: string | undefined;
  pairs: readonly string[];
}

export class Facets {
  private readonly terms: readonly number[];
  private readonly session: number | undefined;
  /** No document of the space has all that is asked for. */
  readonly hopeless: boolean;
  readonly filtered: boolean;

  constructor(
    private readonly index: { readonly documents: IndexedDocuments; readonly postings: Postings },
    { speaker, sessionId, pairs }: AskedFacets,
  ) {
    const names = pairs.map(pairTerm);
    if (speaker !== undefined) names.push(speakerTerm(nameKey(speaker)));
    const terms = names.map((name) => index.postings.find(name));
    this.terms = terms.filter((term) => term !== undefined);
    this.session = sessionId === undefined ? undefined : index.documents.sessions.find(sessionId);
    this.hopeless = this.terms.length < names.length || (sessionId !== undefined && this.session === undefined);
    this.filtered = names.length > 0 || sessionId !== undefined;
  }

  hold(slot: number): boolean {
    if (this.session !== undefined && this.index.documents.sessions.session[slot] !== this.session) return false;
    return this.terms.every((term) => this.index.postings.times(slot, term) > 0);
  }

  /** The documents of the filter that names the fewest, hidden ones included; null if these are many. */
  slots(): number[] | null {
    const { postings, documents } = this.index;
    const [rarest] = [...this.terms].sort((a, b) => postings.frequency(a) - postings.frequency(b));
    const ofTerm = rarest === undefined ? Infinity : postings.frequency(rarest);
    const ofSession = this.session === undefined ? Infinity : documents.sessions.size(this.session);
    if (Math.min(ofTerm, ofSession) > few) return null;
    if (ofSession < ofTerm) return documents.sessions.slotsOf(this.session as number);
    const { list, from, length } = postings.of(rarest as number);
    return Array.from(list.subarray(from, from + length), (posting) => posting >>> 8);
  }
}
