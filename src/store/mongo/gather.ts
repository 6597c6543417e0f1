/**
 * Combines reads by id that are requested in one turn of the event loop into one find. (Against a test server, reading
 * 50 documents took 6 ms in one find and 75 ms in 50 finds.)
 *
 *  - On a sharded cluster a find is answered when its slowest shard has answered. While a find has been in progress
 *    for longer than `slowMs`, documents are therefore read one by one, so that a slow shard delays its own documents
 *    only.
 */
import { Stopwatch } from './age.js';
import type { MongoConnection } from './connection.js';

const slowMs = 500;

interface Asked<K, V> {
  key: K;
  resolve: (value: V | null) => void;
  reject: (error: unknown) => void;
}

export class BatchedReads<K extends { _id: string }, V extends { _id: string }> {
  private waiting: Asked<K, V>[] = [];
  /** One running stopwatch for each find in progress. */
  private readonly out = new Set<Stopwatch>();

  /** `read` returns the documents that exist, in any order. */
  constructor(
    private readonly connection: Pick<MongoConnection, 'sharded' | 'clocks'>,
    private readonly read: (keys: readonly K[]) => Promise<readonly V[]>,
  ) {}

  get(key: K): Promise<V | null> {
    return new Promise((resolve, reject) => {
      if (this.waiting.push({ key, resolve, reject }) === 1)
        setImmediate(() => {
          this.flush();
        });
    });
  }

  private flush(): void {
    const asked = this.waiting;
    this.waiting = [];
    for (const group of this.isSlow ? asked.map((one) => [one]) : [asked]) void this.answer(group);
  }

  private get isSlow(): boolean {
    if (!this.connection.sharded) return false;
    for (const age of this.out) if (age.ms >= slowMs) return true;
    return false;
  }

  /** Never rejects. */
  private async answer(asked: readonly Asked<K, V>[]): Promise<void> {
    const age = new Stopwatch(this.connection.clocks);
    this.out.add(age);
    try {
      const found = new Map(
        (await this.read([...new Map(asked.map(({ key }) => [key._id, key])).values()])).map((v) => [v._id, v]),
      );
      for (const { key, resolve } of asked) resolve(found.get(key._id) ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    } finally {
      this.out.delete(age);
    }
  }
}
