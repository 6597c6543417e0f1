/**
 * Assigns numbers to names (terms, types, sessions) and counts their uses. A name without uses is forgotten and its
 * number reassigned, so that the size of a dictionary depends only on what is stored now and not on what came and went.
 *
 *  RecallDictionary.D1 A name keeps one number as long as it is in use; no two names in use share a number.
 *  RecallDictionary.D2 `uses` is the number of calls of `take` minus the number of calls of `release`.
 */
import { ShardedMap } from './sharded-map.js';

const averageEntry = 120;

export class Dictionary {
  private readonly numbers = new ShardedMap();
  private readonly names: string[] = [];
  private readonly counts: number[] = [];
  private readonly free: number[] = [];
  private characters = 0;

  /** The number of a name that is in use, or undefined. */
  find(name: string): number | undefined {
    return this.numbers.get(name);
  }

  uses(number: number): number {
    return this.counts[number] ?? 0;
  }

  /** Adds a use of the name and returns its number. */
  take(name: string): number {
    const number = this.numbers.get(name);
    if (number === undefined) return this.add(name);
    this.counts[number] = this.uses(number) + 1;
    return number;
  }

  private add(name: string): number {
    const number = this.free.pop() ?? this.names.length;
    const own = detached(name);
    this.numbers.add(own, number);
    this.names[number] = own;
    this.counts[number] = 1;
    this.characters += own.length;
    return number;
  }

  /** Ends one use of the name; returns true if it was the last. */
  release(number: number): boolean {
    const left = this.uses(number) - 1;
    this.counts[number] = left;
    if (left > 0) return false;
    const name = this.names[number] ?? '';
    this.numbers.delete(name);
    this.names[number] = '';
    this.characters -= name.length;
    this.free.push(number);
    return true;
  }

  get size(): number {
    return this.numbers.size;
  }

  /** Estimated heap bytes: for each name an entry of the map, the header of its string, and the two columns. */
  get bytes(): number {
    return this.numbers.size * averageEntry + this.characters;
  }
}

/**
 * Copies a name, because V8 represents a substring of 13 or more characters as a view of the whole text, which the
 * dictionary would then keep alive.
 */
const detached = (name: string): string => (name.length < 13 ? name : Buffer.from(name, 'utf16le').toString('utf16le'));
