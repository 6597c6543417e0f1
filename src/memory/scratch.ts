/**
 * Scratch of a search: what the terms of a query earn the documents, and the parts of sessions, that it has to do with.
 * A search that touches few documents of a large space costs only those, because clearing goes by row.
 */
import { noFloats, noIntegers, withRoom } from './columns.js';
import type { Documents } from './documents.js';
import { lengthNorm, saturation, sessionB, sessionK1, sessionShare } from './scoring.js';

/** A row for each document, found by the document's slot. */
export class Rows {
  /** By slot: the row of the document; 0 if it has none. */
  of = noIntegers;
  /** By row, from 1: the document. */
  slots = noIntegers;
  /** By row: the sums of what the terms earn the document itself, and its window. */
  own = noFloats;
  near = noFloats;
  /** By row: what the window has of the present term. */
  said = noFloats;
  count = 0;

  /** `bound`: all slots are below it. */
  reserve(bound: number): void {
    this.of = withRoom(this.of, bound, 64, 0);
  }

  /** A new row of zeros for a document that has none. */
  add(slot: number): number {
    const row = ++this.count;
    if (row >= this.slots.length)
      for (const name of ['slots', 'own', 'near', 'said'] as const)
        (this[name] as Int32Array | Float64Array) = withRoom(this[name], row, 256, 0);
    this.slots[row] = slot;
    this.own[row] = this.near[row] = 0;
    return (this.of[slot] = row);
  }

  clear(): void {
    for (let row = 1; row <= this.count; row++) this.of[this.slots[row] as number] = 0;
    this.count = 0;
  }
}

/** What the terms of a query earn the parts of sessions, each as one document (sessions.ts). */
export class Parts {
  private documents: Documents | null = null;
  private average = 1;
  /** By part: its score, and how often it has the present term. */
  private scores = noFloats;
  private said = noIntegers;
  /** Parts that have the present term, and those that have a score. */
  private saying = noIntegers;
  private count = 0;
  private scored = noIntegers;
  private scoredCount = 0;

  reserve(documents: Documents): void {
    const { sessions, totalLength } = documents;
    this.documents = documents;
    this.average = Math.max(1, totalLength / Math.max(1, sessions.count));
    this.scores = withRoom(this.scores, sessions.partBound, 16, 0);
    this.said = withRoom(this.said, sessions.partBound, 16, 0);
  }

  /** A document of the part, which is -1 for none, has the present term so often. */
  say(part: number, times: number): void {
    if (part < 0) return;
    const before = this.said[part] as number;
    if (before === 0) {
      this.saying = withRoom(this.saying, this.count, 256, 0);
      this.saying[this.count++] = part;
    }
    this.said[part] = before + times;
  }

  /** The present term has been read. */
  next(weight: number): void {
    const { documents, scores, said } = this;
    for (let i = 0; i < this.count; i++) {
      const part = this.saying[i] as number;
      const length = documents?.sessions.partLength[part] as number;
      const norm = lengthNorm(length, this.average, sessionK1, sessionB);
      if (scores[part] === 0) {
        this.scored = withRoom(this.scored, this.scoredCount, 256, 0);
        this.scored[this.scoredCount++] = part;
      }
      scores[part] = (scores[part] as number) + weight * saturation(said[part] as number, norm, sessionK1);
      said[part] = 0;
    }
    this.count = 0;
  }

  /**
   * What its session earns a document, and as far as it is long, what it earns itself. A document without a session is
   * one by itself.
   */
  score(slot: number, own: number): number {
    const part = this.documents?.sessions.part[slot] as number;
    if (part < 0) return own;
    const share = sessionShare(this.documents?.lengths[slot] as number);
    return share * (this.scores[part] as number) + (1 - share) * own;
  }

  clear(): void {
    for (let i = 0; i < this.scoredCount; i++) this.scores[this.scored[i] as number] = 0;
    this.scoredCount = 0;
    this.documents = null;
  }
}
