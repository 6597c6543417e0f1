/**
 * Copies everything from one store into another: heads, documents, idempotency records, tombstones. The caller sees to
 * it that nobody writes to either store meanwhile.
 *
 *  Migrate.G1 An entity is complete in the target when it has a head there that is not marked. That head is committed
 *     after the documents were read back and found to be the same; a marked one is active for nobody and due never. A
 *     repeated migration goes on with what is not complete.
 *  Migrate.G2 Every entity, also one that was complete, is read from the target and compared with the source by a
 *     digest over its head, documents and unexpired idempotency records. A difference is a failure.
 *  - The source is only read. The target holds nothing but what came from the source.
 *  - After an outage the page of heads that was being moved is moved again, from what is complete of it.
 *
 * Entities are moved by pages of heads. The sequence numbers of heads start over: they only order the commits of one
 * store.
 */
import { createHash } from 'node:crypto';
import {
  entityKey,
  StoreError,
  type AnyDoc,
  type Content,
  type IdempotencyRecord,
  type EntityRef,
  type Head,
  type Store,
} from '../store/port.js';
import { isComplete, TargetWriter } from './migrate-target.js';
import { impatient, outlastingItems, type Outlast } from './outages.js';

export interface MigrationResult {
  entities: number;
  documents: number;
  records: number;
  /** Over all entities, in hex; independent of their order. */
  digest: string;
  /** How many entities were complete already. */
  skipped: number;
}

export interface MigrationOptions {
  now: number;
  progress?: (done: { entities: number; documents: number }) => void;
  /** Absent: an outage ends the migration. */
  outlast?: Outlast;
}

/** Idempotency records that expire sooner may be removed by either store before they are compared. */
const comparedMs = 3_600_000;

export async function migrate(from: Store, to: Store, options: MigrationOptions): Promise<MigrationResult> {
  const run = new Migration(from, to, options);
  for await (const heads of run.headsOf(from)) await run.page(heads);
  await run.refuseStrangers();
  return run.result();
}

/**
 * What is compared of an entity. Digests of single records are combined by exclusive or, so that order is no matter.
 */
class EntityDigest {
  documents = 0;
  records = 0;
  private readonly bytes = Buffer.alloc(32);

  constructor(private readonly aliveAt: number) {}

  document({ kind, id, body }: AnyDoc): void {
    this.documents++;
    this.add([kind, id, sortedFields(body)]);
  }
  record({ id, bodyHash, expiresAt, result }: IdempotencyRecord): void {
    this.records++;
    if (expiresAt > this.aliveAt) this.add(['command', id, bodyHash, expiresAt, result]);
  }
  /** Without a head, of the documents alone. */
  value(head: Head | null = null): string {
    const all = createHash('sha256').update(this.bytes).update(String(this.documents));
    if (head) {
      const { snapshot, active, due, counts, deleted } = head;
      all.update(JSON.stringify([snapshot, active, due, sortedFields(counts), deleted]));
    }
    return all.digest('hex');
  }

  private add(record: unknown): void {
    mix(this.bytes, createHash('sha256').update(JSON.stringify(record)).digest());
  }
}

/** A store may put a document together from another (store/lmdb/entries.ts), with its fields in another order. */
const sortedFields = (fields: object): [string, unknown][] =>
  Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));

function mix(into: Buffer, other: Buffer): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) ^ (other[i] ?? 0);
}

/** Digests of the entities of a page, by their keys. */
class Digests extends Map<string, EntityDigest> {
  constructor(entities: readonly EntityRef[], aliveAt: number) {
    super(entities.map((entity) => [entityKey(entity), new EntityDigest(aliveAt)]));
  }
  add({ documents, records }: Content): void {
    for (const document of documents) this.get(entityKey(document.entity))?.document(document);
    for (const record of records) this.get(entityKey(record.entity))?.record(record);
  }
}

class Migration {
  private readonly all = Buffer.alloc(32);
  private readonly done = { entities: 0, documents: 0, records: 0, skipped: 0 };
  private readonly outlast: Outlast;

  constructor(
    private readonly from: Store,
    private readonly to: Store,
    private readonly options: MigrationOptions,
  ) {
    this.outlast = options.outlast ?? impatient;
  }

  result(): MigrationResult {
    return { ...this.done, digest: this.all.toString('hex') };
  }

  headsOf(store: Store): AsyncIterable<Head[]> {
    return outlastingItems<Head[]>(this.outlast, (last) => store.allHeads({ after: last?.at(-1)?.entity }));
  }

  async page(heads: readonly Head[]): Promise<void> {
    const { documents } = this.done;
    let skipped: number | null = null;
    const { source, values } = await this.outlast(() => {
      this.done.documents = documents;
      return this.move(heads, (complete) => (skipped ??= complete));
    });
    heads.forEach(({ entity }, i) => {
      this.done.entities++;
      this.done.records += source.get(entityKey(entity))?.records ?? 0;
      mix(
        this.all,
        createHash('sha256')
          .update(entityKey(entity))
          .update(values[i] ?? '')
          .digest(),
      );
    });
    this.done.skipped += skipped ?? 0;
    this.options.progress?.(this.done);
  }

  /** Migrate.G1, Migrate.G2. `begins` is told how many of the entities were complete. */
  private async move(
    heads: readonly Head[],
    begins: (complete: number) => void,
  ): Promise<{ source: Digests; values: readonly string[] }> {
    const there = await headsIn(this.to, heads);
    const missing = heads.flatMap((head, i) => (isComplete(there[i]) ? [] : [{ head, there: there[i] ?? null }]));
    begins(heads.length - missing.length);
    const writer = new TargetWriter(this.to, missing);
    const source = await this.copy(heads, writer);
    const target = await this.read(this.to, heads);
    const isSame = ({ entity }: Head): boolean =>
      source.get(entityKey(entity))?.value() === target.get(entityKey(entity))?.value();
    for (const { head, there: before } of missing) {
      if (!before || isSame(head)) continue;
      // It holds what an interrupted migration of another state of the source has left.
      await writer.clear(head);
      await this.copy([head], writer);
      for (const [key, digest] of await this.read(this.to, [head])) target.set(key, digest);
    }
    this.refuseDifferent(
      missing.map(({ head }) => head),
      isSame,
    );
    await writer.complete();
    const written = await headsIn(this.to, heads);
    const values = heads.map((head) => source.get(entityKey(head.entity))?.value(head) ?? '');
    this.refuseDifferent(heads, ({ entity }, i) => values[i] === target.get(entityKey(entity))?.value(written[i]));
    return { source, values };
  }

  async refuseStrangers(): Promise<void> {
    for await (const heads of this.headsOf(this.to)) {
      const known = await this.outlast(() => headsIn(this.from, heads));
      heads.forEach(({ entity }, i) => {
        if (known[i]) return;
        throw new StoreError(
          'corrupt',
          `The target has the ${entity.kind} ${entity.id}, which the source has not. Migrate into an empty target.`,
        );
      });
    }
  }

  private refuseDifferent(heads: readonly Head[], isSame: (head: Head, i: number) => boolean): void {
    heads.forEach((head, i) => {
      if (isSame(head, i)) return;
      const { kind, id, workspace } = head.entity;
      throw new StoreError(
        'corrupt',
        `The ${kind} ${id} of workspace ${workspace} is not the same in the target. Migrate into an empty target.`,
      );
    });
  }

  /** Reads entities from the source, and writes those that are missing on the way. */
  private async copy(heads: readonly Head[], writer: TargetWriter): Promise<Digests> {
    const digests = await this.read(this.from, heads, async (part) => {
      this.done.documents += part.documents.length;
      this.options.progress?.(this.done);
      await writer.write(part);
    });
    await writer.flush();
    return digests;
  }

  private async read(store: Store, heads: readonly Head[], each?: (part: Content) => Promise<void>): Promise<Digests> {
    const { now } = this.options;
    const entities = heads.map((head) => head.entity);
    const digests = new Digests(entities, now + comparedMs);
    for await (const { documents, records } of store.manyContents?.(entities) ?? oneByOne(store, entities)) {
      const part = { documents, records: records.filter((record) => record.expiresAt > now) };
      digests.add(part);
      await each?.(part);
    }
    return digests;
  }
}

const headsIn = (store: Store, heads: readonly Head[]): Promise<(Head | null)[]> =>
  Promise.all(heads.map(async ({ entity }) => store.load(entity)));

async function* oneByOne(store: Store, entities: readonly EntityRef[]): AsyncGenerator<Content> {
  for (const entity of entities)
    for await (const part of store.contents(entity)) if (part.type === 'content') yield part;
}
