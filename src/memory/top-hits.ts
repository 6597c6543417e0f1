/**
 * Keeps the best `limit` of the hits that are offered, in a heap whose root is the worst of them. An offer that is not
 * among the best costs one comparison. Hits are ordered by score, then the newer document comes first (recency.ts),
 * then the context that was searched first.
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
  context: EntityRef;
  searched: number;
}

export class TopHits {
  private readonly heap: Entry[] = [];

  constructor(private readonly limit: number) {}

  /** The score of the worst hit once there are `limit` hits; -Infinity before that. */
  get floor(): number {
    return this.heap.length < this.limit ? -Infinity : (this.heap[0]?.score ?? -Infinity);
  }

  /**
   * Whether a document with this score and time could be among the best. Callers check it to avoid creating an entry.
   */
  admits(score: number, time: number): boolean {
    if (this.heap.length < this.limit) return true;
    const worst = this.heap[0];
    return worst !== undefined && (score > worst.score || (score === worst.score && time >= worst.time));
  }

  offer(entry: Entry): void {
    if (this.heap.length < this.limit) {
      this.heap.push(entry);
      this.rise(this.heap.length - 1);
    } else if (this.heap[0] && isBetter(entry, this.heap[0])) {
      this.heap[0] = entry;
      this.sink(0);
    }
  }

  /** Best first. */
  hits(): RecallHit[] {
    return [...this.heap]
      .sort((a, b) => (isBetter(a, b) ? -1 : 1))
      .map(({ context, kind, id, score, relevance, shares }) => ({
        context,
        kind,
        id,
        relevance: relevance / ranks,
        score: score / ranks,
        ...(shares && { shares }),
      }));
  }

  private rise(start: number): void {
    for (let at = start; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.swapIfBetter(parent, at)) return;
      at = parent;
    }
  }

  private sink(start: number): void {
    for (let at = start; ;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const a = this.heap[left];
      const b = this.heap[right];
      if (!a) return;
      const worse = b && isBetter(a, b) ? right : left;
      if (!this.swapIfBetter(at, worse)) return;
      at = worse;
    }
  }

  /** Moves the worse of the two up. Returns false if the order was already right. */
  private swapIfBetter(above: number, below: number): boolean {
    const a = this.heap[above];
    const b = this.heap[below];
    if (!a || !b || !isBetter(a, b)) return false;
    this.heap[above] = b;
    this.heap[below] = a;
    return true;
  }
}

function isBetter(a: Entry, b: Entry): boolean {
  if (a.score !== b.score) return a.score > b.score;
  const age = compareAge(a.time, a.id, b.time, b.id);
  return age !== 0 ? age > 0 : a.searched < b.searched;
}
