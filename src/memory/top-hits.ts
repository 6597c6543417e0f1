/**
 * Keeps the best `limit` of the hits that are offered, in order: by score, then the newer document comes first
 * (recency.ts), then the space that was searched first. An offer that is not among the best costs one comparison.
 */
import type { EntityRef } from '../store/port.js';
import type { RecallHit, RecallKind } from './port.js';
import type { Shares } from './features.js';
import { compareAge } from './recency.js';
import { ranks } from './relevance.js';

interface Entry {
  /** In ten-thousandths (relevance.ts), like `relevance`. */
  score: number;
  relevance: number;
  shares: Shares | undefined;
  time: number;
  id: string;
  kind: RecallKind;
  space: EntityRef;
  searched: number;
}

export class TopHits {
  /** The best first. */
  private readonly best: Entry[] = [];

  constructor(private readonly limit: number) {}

  /**
   * Whether a document with this score and time could be among the best. Callers check it to avoid creating an entry.
   */
  admits(score: number, time: number): boolean {
    const worst = this.best[this.limit - 1];
    return worst === undefined || score > worst.score || (score === worst.score && time >= worst.time);
  }

  offer(entry: Entry): void {
    const { best } = this;
    let low = 0;
    for (let high = best.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (isBetter(entry, best[middle] as Entry)) high = middle;
      else low = middle + 1;
    }
    if (low === this.limit) return;
    best.splice(low, 0, entry);
    if (best.length > this.limit) best.pop();
  }

  hits(): RecallHit[] {
    return this.best.map(({ space, kind, id, score, relevance, shares }) => ({
      space,
      kind,
      id,
      relevance: relevance / ranks,
      score: score / ranks,
      ...(shares && { shares }),
    }));
  }
}

function isBetter(a: Entry, b: Entry): boolean {
  if (a.score !== b.score) return a.score > b.score;
  const age = compareAge(a.id, b.id);
  return age !== 0 ? age > 0 : a.searched < b.searched;
}
