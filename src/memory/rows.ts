/**
 * Scratch of a search: a row for each document that it has to do with, found by the document's slot. A search that
 * touches few documents of a large space costs only those, because clearing goes by row.
 */
import { noFloats, noIntegers, withRoom } from './columns.js';

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
