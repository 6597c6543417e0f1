/**
 * Numbers for names (terms, types, sessions), counted by their uses: a name without uses is forgotten and its number
 * given to the next, so that a dictionary is as large as what is stored now, whatever came and went.
 *
 *  RecallDictionary.D1 A name has one number as long as it is in use; no two names in use share one.
 *  RecallDictionary.D2 `uses` is the number of `take` less the number of `release`.
 */
import { ShardedMap } from './sharded-map.js';

const averageEntry = 120;

export class Dictionary {
  private readonly numbers = new ShardedMap();
  private readonly names: string[] = [];
  private readonly counts: number[] = [];
  private readonly free: number[] = [];
  private characters = 0;

  /** The number of a name in use; undefined where there is none. */
  find(name: string): number | undefined {
    return this.numbers.get(name);
  }

  uses(number: number): number {
    return this.counts[number] ?? 0;
  }

  /** Uses the name once more. */
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

  /** Ends one use; true when it was the last. */
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

  /** Heap bytes, estimated: an entry of the map, its string's header and the two columns. */
  get bytes(): number {
    return this.numbers.size * averageEntry + this.characters;
  }
}

/** V8 makes a substring of 13 characters or more a view of the whole text, which a dictionary would keep alive for it. */
const detached = (name: string): string => (name.length < 13 ? name : Buffer.from(name, 'utf16le').toString('utf16le'));
