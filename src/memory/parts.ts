/** What the terms of a query earn the parts of sessions, each as one document (sessions.ts). */
import { lengthNorm, saturation, sessionB, sessionK1 } from './bm25.js';
import { noFloats, noIntegers, withRoom } from './columns.js';
import type { Documents } from './documents.js';
import { sessionShare } from './features.js';

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
