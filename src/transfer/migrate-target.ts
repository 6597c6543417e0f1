/** How a migration writes: documents in batches, then the heads that complete their entities (Migrate.G1). */
import {
  entityKey,
  StoreError,
  type Bulk,
  type BulkPart,
  type IdempotencyRecord,
  type Commit,
  type Head,
  type Store,
} from '../store/port.js';

/** Stands in the snapshot of a head until its entity is complete. */
const marker = 'migrating';
const batchRecords = 500;
const batchBytes = 2 * 1024 * 1024;
const batchesInFlight = 3;

export const isComplete = (head: Head | null | undefined): boolean => head != null && !(marker in head.snapshot);

export interface DocumentWriter {
  /** Writes what belongs to one of its entities, and leaves out the rest. */
  write(part: BulkPart): Promise<void>;
  flush(): Promise<void>;
}

export const documentWriter = (to: Store, heads: readonly Head[]): DocumentWriter =>
  to.bulk ? new BulkWriter(to.bulk, heads) : new CommitWriter(to, heads);

/** Settles when none is in progress any more, so that all of them can be repeated. */
async function settled(commits: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(commits)) if (end.status === 'rejected') throw end.reason;
}

/** In the end nothing but the head is missing. */
export const commitHeads = (to: Store, heads: readonly Head[]): Promise<void> =>
  settled(heads.map((head) => commitHead(to, head)));

/** A commit whose answer an outage has lost may take effect between a later load and its commit. */
async function commitHead(to: Store, { entity, snapshot, active, due, counts, deleted }: Head): Promise<void> {
  for (let last = false; ; last = true) {
    const there = await to.load(entity);
    if (isComplete(there)) return; // what it says is compared later (Migrate.G2)
    const seq = (there?.seq ?? 0) + 1;
    const state = { snapshot, active, due, counts, deleted };
    const changes = { puts: [], deletes: [], records: [], previousCounts: there?.counts ?? {} };
    if ((await to.commit({ entity, seq, ...state, ...changes })) === 'committed') {
      to.release(entity, seq);
      return;
    }
    if (last) throw inUse();
  }
}

const inUse = (): StoreError =>
  new StoreError('in-use', 'Somebody else writes to the target of the migration. Stop that, and run it again.');

async function commit(to: Store, one: Commit): Promise<void> {
  if ((await to.commit(one)) === 'conflict') throw inUse();
  to.release(one.entity, one.seq);
}

class BulkWriter implements DocumentWriter {
  private readonly mine: ReadonlySet<string>;
  private readonly out = new Set<Promise<void>>();
  private waiting: BulkPart = { documents: [], records: [] };
  private bytes = 0;

  constructor(
    private readonly bulk: Bulk,
    heads: readonly Head[],
  ) {
    this.mine = new Set(heads.map((head) => entityKey(head.entity)));
  }

  async write({ documents, records }: BulkPart): Promise<void> {
    for (const document of documents) {
      if (!this.mine.has(entityKey(document.entity))) continue;
      this.waiting.documents.push(document);
      this.bytes += JSON.stringify(document.body).length;
      if (this.isFull) await this.send();
    }
    for (const record of records) {
      if (!this.mine.has(entityKey(record.entity))) continue;
      this.waiting.records.push(record);
      this.bytes += JSON.stringify(record.result ?? null).length;
      if (this.isFull) await this.send();
    }
  }

  async flush(): Promise<void> {
    await this.send();
    await Promise.all(this.out);
  }

  private get isFull(): boolean {
    return this.waiting.documents.length + this.waiting.records.length >= batchRecords || this.bytes >= batchBytes;
  }

  private async send(): Promise<void> {
    if (this.waiting.documents.length + this.waiting.records.length === 0) return;
    while (this.out.size >= batchesInFlight) await Promise.race(this.out);
    const sent = this.bulk.insert(this.waiting);
    this.out.add(sent);
    // A failed one stays, so that whoever waits next is told.
    sent.then(
      () => this.out.delete(sent),
      () => undefined,
    );
    this.waiting = { documents: [], records: [] };
    this.bytes = 0;
  }
}

interface Unfinished {
  head: Head;
  seq: number;
  counts: Head['counts'];
  /** Nothing of it was there before. */
  isNew: boolean;
  puts: Commit['puts'][number][];
  records: IdempotencyRecord[];
}

/** Writes documents by commits of marked heads. */
class CommitWriter implements DocumentWriter {
  private readonly mine: ReadonlyMap<string, Head>;
  private readonly unfinished = new Map<string, Unfinished>();
  private waiting = 0;
  private bytes = 0;

  constructor(
    private readonly to: Store,
    heads: readonly Head[],
  ) {
    this.mine = new Map(heads.map((head) => [entityKey(head.entity), head]));
  }

  async write({ documents, records }: BulkPart): Promise<void> {
    for (const { entity, kind, id, body } of documents) {
      const of = await this.of(entityKey(entity));
      if (!of) continue;
      of.puts.push({ kind, id, body, isNew: of.isNew });
      await this.added(body);
    }
    for (const { entity, ...record } of records) {
      const of = await this.of(entityKey(entity));
      if (!of) continue;
      of.records.push(record);
      await this.added(record.result);
    }
  }

  async flush(): Promise<void> {
    this.waiting = 0;
    this.bytes = 0;
    const changed = [...this.unfinished.values()].filter((u) => u.puts.length + u.records.length > 0);
    await settled(
      changed.map(async (one) => {
        const { head, puts, records, counts: previousCounts } = one;
        const snapshot = { ...head.snapshot, [marker]: true };
        const state = { snapshot, active: false, due: null, counts: {}, deleted: false };
        Object.assign(one, { puts: [], records: [], counts: {}, seq: one.seq + 1 });
        await commit(this.to, {
          entity: head.entity,
          seq: one.seq,
          ...state,
          puts,
          deletes: [],
          records,
          previousCounts,
        });
      }),
    );
  }

  private async of(key: string): Promise<Unfinished | null> {
    const head = this.mine.get(key);
    if (!head) return null;
    const known = this.unfinished.get(key);
    if (known) return known;
    const there = await this.to.load(head.entity);
    const { seq, counts } = there ?? { seq: 0, counts: {} };
    const made = { head, seq, counts, isNew: there === null, puts: [], records: [] };
    this.unfinished.set(key, made);
    return made;
  }

  private async added(value: unknown): Promise<void> {
    this.bytes += JSON.stringify(value ?? null).length;
    if (++this.waiting >= batchRecords || this.bytes >= batchBytes) await this.flush();
  }
}
