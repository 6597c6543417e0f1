/** How a migration writes: documents in batches, then the heads that complete their entities (Migrate.G1). */
import {
  entityKey,
  StoreError,
  type Commit,
  type Content,
  type Head,
  type IdempotencyRecord,
  type Put,
  type Store,
} from '../store/port.js';

/** Stands in the snapshot of a head until its entity is complete. */
const marker = 'migrating';
const batchRecords = 500;
const batchBytes = 1024 * 1024;

export const isComplete = (head: Head | null | undefined): boolean => head != null && !(marker in head.snapshot);

interface Incomplete {
  head: Head;
  /** Its head in the target. */
  there: Pick<Head, 'seq' | 'counts'> | null;
  /** Nothing of it was there before. */
  isNew: boolean;
  puts: Commit['puts'][number][];
  records: IdempotencyRecord[];
}

type Changes = Omit<Head, 'entity' | 'seq'> & Partial<Pick<Commit, 'puts' | 'deletes' | 'records'>>;

/** Writes entities that are not complete in the target, by commits of marked heads. */
export class TargetWriter {
  private readonly entities: ReadonlyMap<string, Incomplete>;
  private waiting = 0;
  private bytes = 0;

  /** `missing`: heads of the source, and of the target where there are any. */
  constructor(
    private readonly to: Store,
    missing: readonly { head: Head; there: Head | null }[],
  ) {
    this.entities = new Map(
      missing.map(({ head, there }) => [
        entityKey(head.entity),
        { head, there, isNew: there === null, puts: [], records: [] },
      ]),
    );
  }

  /** Leaves out what belongs to other entities. */
  async write({ documents, records }: Content): Promise<void> {
    for (const { entity, kind, id, body } of documents) {
      const of = this.entities.get(entityKey(entity));
      if (!of) continue;
      await this.makeRoom(body);
      of.puts.push({ kind, id, body, isNew: of.isNew } as Put);
    }
    for (const { entity, ...record } of records) {
      const of = this.entities.get(entityKey(entity));
      if (!of) continue;
      await this.makeRoom(record.result);
      of.records.push(record);
    }
  }

  async flush(): Promise<void> {
    this.waiting = 0;
    this.bytes = 0;
    const changed = [...this.entities.values()].filter(({ puts, records }) => puts.length + records.length > 0);
    await settled(
      changed.map(async (one) => {
        const { puts, records } = one;
        Object.assign(one, { puts: [], records: [] });
        await this.commit(one, { ...marked(one.head), puts, records });
      }),
    );
  }

  /** Removes all documents of an entity that are there. */
  async clear({ entity }: Head): Promise<void> {
    const of = this.entities.get(entityKey(entity));
    if (!of) return;
    for await (const part of this.to.contents(entity))
      if (part.type === 'content') await this.commit(of, { ...marked(of.head), deletes: part.documents });
  }

  /** In the end nothing but the heads is missing. What they say is compared later (Migrate.G2). */
  complete(): Promise<void> {
    return settled(
      [...this.entities.values()].map(async (one) => {
        const { snapshot, active, due, counts, deleted, entity } = one.head;
        await this.commit(one, { snapshot, active, due, counts, deleted });
        if (one.there) this.to.release(entity, one.there.seq);
      }),
    );
  }

  /** No batch is larger than this, unless it is a single document. */
  private async makeRoom(value: unknown): Promise<void> {
    const bytes = JSON.stringify(value ?? null).length;
    if (this.waiting === batchRecords || (this.waiting > 0 && this.bytes + bytes > batchBytes)) await this.flush();
    this.waiting++;
    this.bytes += bytes;
  }

  /** A commit whose answer an outage has lost may take effect after the head was loaded, and before the next commit. */
  private async commit(one: Incomplete, changes: Changes): Promise<void> {
    const { entity } = one.head;
    for (let last = false; ; last = true) {
      const seq = (one.there?.seq ?? 0) + 1;
      const previousCounts = one.there?.counts ?? {};
      const commit = { entity, seq, previousCounts, puts: [], deletes: [], records: [], ...changes };
      if ((await this.to.commit(commit)) === 'committed') {
        one.there = { seq, counts: changes.counts };
        return;
      }
      if (last) throw inUse();
      one.there = await this.to.load(entity);
    }
  }
}

function marked(head: Head): Omit<Head, 'entity' | 'seq'> {
  const snapshot = { ...head.snapshot, [marker]: true };
  return { snapshot, active: false, due: null, counts: {}, deleted: false };
}

const inUse = (): StoreError =>
  new StoreError('in-use', 'Somebody else writes to the target of the migration. Stop that, and run it again.');

/** Settles when none is in progress any more, so that all of them can be repeated. */
async function settled(commits: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(commits)) if (end.status === 'rejected') throw end.reason;
}
