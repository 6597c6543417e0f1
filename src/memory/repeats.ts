/**
 * Documents that repeat one another share one entry in the postings, so that a search costs the same however often a
 * text was told.
 *
 * Documents repeat one another if nothing that a score depends on differs but when they were said: the words and how
 * often, the length, traits, speaker, importance, type and kind, and whether they open a session. Only documents are
 * compared that are alone in their session, never expire, are so now, and were said when they were stored. What has
 * neighbours is also found by their words.
 *
 *  RecallRepeats.E1 Of documents that repeat one another, one has postings: it stands for the others. Each of them still
 *     counts in the frequency of its terms, and has postings again before it is removed or gets a neighbour.
 *  RecallRepeats.E2 Adding and removing a document costs the same however many documents there are, but for moving the
 *     rest of an array of slots. A document that would be compared with more than `mostCompared` others has postings of
 *     its own, which costs time but changes no result.
 *
 * What may be repeated is found in a hash table that grows by splitting one bucket for each document (linear hashing),
 * so that no write pays for all of the table.
 */
import { noIntegers, withRoom } from './columns.js';
import type { Documents } from './documents.js';
import { Group } from './group.js';
import { maxFrequency, type Postings } from './postings.js';

/** A document was said when it was stored if both times differ by at most this, in milliseconds. */
const storedWithin = 60_000;
const mostCompared = 16;
/** Estimated heap bytes of a group in addition to its members. */
const groupOverhead = 300;

export class Repeats {
  /** By bucket, the document that was added to it last, and by slot the one that was added before; -1 if there is none. */
  private heads = noIntegers;
  private following = noIntegers;
  private buckets = 1;
  /** The largest power of two that is at most `buckets`. */
  private power = 1;
  private entries = 0;
  private groupBytes = 0;

  constructor(
    private readonly documents: Documents,
    private readonly postings: Postings,
  ) {}

  get bytes(): number {
    return this.heads.byteLength + this.following.byteLength + this.groupBytes;
  }

  /**
   * Adds a document that has been published, but has no postings yet, to the group of those that it repeats. `counts`
   * says how often it has each of the terms. Returns false if it needs postings of its own.
   */
  join(slot: number, terms: readonly number[], counts: ReadonlyMap<string, number>): boolean {
    if (!this.mayRepeat(slot)) return false;
    const { documents } = this;
    let other = this.heads[this.bucketOf(slot, terms)] ?? -1;
    for (; other >= 0; other = this.following[other] as number) {
      if (!this.isSame(slot, other) || !this.hasTerms(other, terms, counts)) continue;
      let group = documents.groupOf(other);
      if (group === null) {
        group = new Group(documents.termsOf(other), other);
        this.groupBytes += groupOverhead + group.members.byteLength;
        this.enter(group, other);
      }
      this.enter(group, slot);
      return true;
    }
    return false;
  }

  /** Call this for a document with postings, which later ones may repeat. */
  note(slot: number): void {
    if (!this.mayRepeat(slot)) return;
    if (this.entries >= this.buckets) this.split();
    let compared = 0;
    let other = this.heads[this.bucketOf(slot)] ?? -1;
    for (; other >= 0; other = this.following[other] as number) if (++compared === mostCompared) return;
    this.entries++;
    this.link(slot);
  }

  /** Call this before a document is removed or gets a neighbour. If it was in a group, it has postings of its own then. */
  leave(slot: number): void {
    const { documents } = this;
    const group = documents.groupOf(slot);
    if (group === null) {
      if (this.unlink(slot)) this.entries--;
      return;
    }
    const { standsFor, terms } = group;
    this.remove(group, slot);
    documents.setTerms(slot, terms);
    const withPostings = slot === standsFor ? group.newest : slot;
    for (const term of terms) this.postings.insert(term, withPostings, this.postings.occurrences(term, standsFor));
    if (slot === standsFor) {
      group.standsFor = withPostings;
      this.unlink(slot);
      this.link(withPostings);
    }
    if (group.size > 1) return;
    documents.setTerms(group.standsFor, terms);
    this.groupBytes -= groupOverhead + group.members.byteLength;
  }

  /** The index of the first member whose time is not before this one, in milliseconds. */
  firstFrom(group: Group, time: number): number {
    return lowerBound(group.size, (i) => (this.documents.times[group.members[i] as number] as number) < time);
  }

  private mayRepeat(slot: number): boolean {
    const { expiry, said, times, sessions } = this.documents;
    return (
      expiry[slot] === Infinity &&
      this.documents.endOf(slot) === Infinity &&
      Math.abs((said[slot] as number) - (times[slot] as number)) <= storedWithin &&
      sessions.shared(slot) < 0
    );
  }

  private isSame(a: number, b: number): boolean {
    const { lengths, traits, speaker, importance, type, sessions } = this.documents;
    return (
      lengths[a] === lengths[b] &&
      traits[a] === traits[b] &&
      speaker[a] === speaker[b] &&
      importance[a] === importance[b] &&
      type[a] === type[b] &&
      this.documents.kind(a) === this.documents.kind(b) &&
      sessions.opens(a) === sessions.opens(b)
    );
  }

  private hasTerms(slot: number, terms: readonly number[], counts: ReadonlyMap<string, number>): boolean {
    if (this.documents.termsOf(slot).length !== terms.length) return false;
    let i = 0;
    for (const count of counts.values())
      if (this.postings.occurrences(terms[i++] as number, slot) !== Math.min(count, maxFrequency)) return false;
    return true;
  }

  private enter(group: Group, slot: number): void {
    const { documents } = this;
    const bytes = group.members.byteLength;
    group.members = withRoom(group.members, group.size, 4, 0);
    this.groupBytes += group.members.byteLength - bytes;
    const at = this.placeOf(group, slot);
    group.members.copyWithin(at + 1, at, group.size++);
    group.members[at] = slot;
    const delay = (documents.said[slot] as number) - (documents.times[slot] as number);
    group.delay = Math.max(group.delay, delay);
    group.lead = Math.max(group.lead, -delay);
    documents.setGroup(slot, group);
  }

  private remove(group: Group, slot: number): void {
    const at = this.placeOf(group, slot);
    group.members.copyWithin(at, at + 1, group.size--);
    if (group.size >= group.members.length >> 2) return;
    const bytes = group.members.byteLength;
    group.members = group.members.slice(0, group.size * 2);
    this.groupBytes += group.members.byteLength - bytes;
  }

  private placeOf({ members, size }: Group, slot: number): number {
    return lowerBound(size, (i) => this.documents.compare(members[i] as number, slot) < 0);
  }

  /* The hash table. */

  private split(): void {
    const from = this.buckets - this.power;
    this.heads = withRoom(this.heads, this.buckets, 8, -1);
    if (++this.buckets === 2 * this.power) this.power *= 2;
    let slot = this.heads[from] as number;
    this.heads[from] = -1;
    while (slot >= 0) {
      const next = this.following[slot] as number;
      this.link(slot);
      slot = next;
    }
  }

  private link(slot: number): void {
    this.heads = withRoom(this.heads, this.buckets - 1, 8, -1);
    this.following = withRoom(this.following, slot, 29, -1);
    const bucket = this.bucketOf(slot);
    this.following[slot] = this.heads[bucket] as number;
    this.heads[bucket] = slot;
  }

  /** Returns false if the document was not in the table. */
  private unlink(slot: number): boolean {
    const bucket = this.bucketOf(slot);
    let before = -1;
    for (let at = this.heads[bucket] ?? -1; at >= 0; before = at, at = this.following[at] as number) {
      if (at !== slot) continue;
      const next = this.following[slot] as number;
      if (before >= 0) this.following[before] = next;
      else this.heads[bucket] = next;
      return true;
    }
    return false;
  }

  private bucketOf(slot: number, terms = this.documents.termsOf(slot)): number {
    const { lengths, type, importance } = this.documents;
    // the order of the terms does not count
    let hash = mixed(mixed(mixed(lengths[slot] as number) + (type[slot] as number)) + (importance[slot] as number));
    for (const term of terms) hash = (hash + mixed(term)) | 0;
    const bucket = hash & (2 * this.power - 1);
    return bucket < this.buckets ? bucket : bucket & (this.power - 1);
  }
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
  return twice ^ (twice >>> 16);
}

/** The first index, of those below `length`, that does not come before what is looked for. */
function lowerBound(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
