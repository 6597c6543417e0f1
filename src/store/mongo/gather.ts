/**
 * Reads by id that are asked for in one turn of the event loop become one find. (Test server: 50 documents in one find
 * take 6 ms, in 50 finds 75 ms.)
 */
export class BatchedReads<K extends { _id: string }, V extends { _id: string }> {
  private waiting: { key: K; resolve: (value: V | null) => void; reject: (error: unknown) => void }[] = [];

  /** `read` answers the documents that exist, in any order. */
  constructor(private readonly read: (keys: readonly K[]) => Promise<readonly V[]>) {}

  get(key: K): Promise<V | null> {
    return new Promise((resolve, reject) => {
      if (this.waiting.push({ key, resolve, reject }) === 1)
        setImmediate(() => {
          void this.flush();
        });
    });
  }

  private async flush(): Promise<void> {
    const asked = this.waiting;
    this.waiting = [];
    try {
      const found = new Map(
        (await this.read([...new Map(asked.map(({ key }) => [key._id, key])).values()])).map((v) => [v._id, v]),
      );
      for (const { key, resolve } of asked) resolve(found.get(key._id) ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
