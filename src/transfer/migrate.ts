/**
 * Copies everything from one store into another, entity by entity: heads, documents, command records, tombstones. The
 * caller sees to it that nobody writes to either store meanwhile.
 *
 *  Migrate.G1 An entity is complete in the target when its head equals that of the source; until then its head is
 *     marked, active for nobody and due never. A repeated migration goes on with what is not complete.
 *  Migrate.G2 After an entity was copied it is read from the target and compared with the source by a digest over its
 *     head, documents and unexpired command records. A difference is a failure.
 *  Migrate.G3 The source is only read. The target holds nothing but what came from the source.
 *
 * The sequence numbers of heads start over: they only order the commits of one store.
 */
import { createHash } from 'node:crypto';
import {
  entityKey,
  StoreError,
  type CommandRecord,
  type Commit,
  type EntityRef,
  type Head,
  type Store,
  type StoredDoc,
} from '../store/port.js';

export interface MigrationResult {
  entities: number;
  documents: number;
  commands: number;
  /** Over all entities, in hex; independent of their order. */
  digest: string;
  /** How many entities were complete already. */
  skipped: number;
}

export interface MigrationOptions {
  now: number;
  progress?: (done: { entities: number; documents: number }) => void;
}

const marker = 'migrating';
const atOnce = 16;
const batchDocuments = 500;
const batchBytes = 2 * 1024 * 1024;
/** Command records that expire sooner may be removed by either store before they are compared. */
const comparedMs = 3_600_000;

type Numbers = Readonly<Record<string, number>>;

export async function migrate(from: Store, to: Store, options: MigrationOptions): Promise<MigrationResult> {
  const run = new Migration(from, to, options);
  for await (const heads of from.allHeads()) await inParallel(heads, (head) => run.entity(head));
  await run.refuseStrangers();
  return run.result();
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** What is compared of an entity. Digests of single records are combined by exclusive or, so that order is no matter. */
class EntityDigest {
  documents = 0;
  commands = 0;
  private readonly bytes = Buffer.alloc(32);

  constructor(private readonly aliveAt: number) {}

  head({ snapshot, active, due, counts, deleted }: Head): void {
    const sorted = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
    this.add(['head', snapshot, active, due, sorted, deleted]);
  }
  document({ kind, id, body }: StoredDoc): void {
    this.documents++;
    this.add([kind, id, body]);
  }
  command({ id, bodyHash, expiresAt, result }: CommandRecord): void {
    this.commands++;
    if (expiresAt > this.aliveAt) this.add(['command', id, bodyHash, expiresAt, result]);
  }
  value(): Buffer {
    return createHash('sha256').update(this.bytes).update(String(this.documents)).digest();
  }

  private add(record: unknown): void {
    mix(this.bytes, createHash('sha256').update(JSON.stringify(record)).digest());
  }
}

function mix(into: Buffer, other: Buffer): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) ^ (other[i] ?? 0);
}

class Migration {
  private readonly all = Buffer.alloc(32);
  private readonly done = { entities: 0, documents: 0, commands: 0, skipped: 0 };

  constructor(
    private readonly from: Store,
    private readonly to: Store,
    private readonly options: MigrationOptions,
  ) {}

  result(): MigrationResult {
    return { ...this.done, digest: this.all.toString('hex') };
  }

  async entity({ entity }: Head): Promise<void> {
    const there = await this.to.load(entity);
    const complete = there !== null && !(marker in there.snapshot);
    const source = await this.read(this.from, entity, !complete);
    const target = await this.read(this.to, entity, false);
    if (!source.value().equals(target.value()))
      throw new StoreError(
        'corrupt',
        `The ${entity.kind} ${entity.id} of workspace ${entity.workspace} is not the same in the target. Migrate into an empty target.`,
      );
    this.done.entities++;
    this.done.documents += source.documents;
    this.done.commands += source.commands;
    if (complete) this.done.skipped++;
    mix(this.all, createHash('sha256').update(entityKey(entity)).update(source.value()).digest());
    this.options.progress?.(this.done);
  }

  /** Migrate.G3. */
  async refuseStrangers(): Promise<void> {
    for await (const heads of this.to.allHeads())
      for (const { entity } of heads)
        if (!(await this.from.head(entity)))
          throw new StoreError(
            'corrupt',
            `The target has the ${entity.kind} ${entity.id}, which the source has not. Migrate into an empty target.`,
          );
  }

  /** Reads an entity, and copies it on the way if that is asked for. */
  private async read(store: Store, entity: EntityRef, copying: boolean): Promise<EntityDigest> {
    const { now } = this.options;
    let digest = new EntityDigest(now + comparedMs);
    let writer: EntityCopy | null = null;
    for await (const part of store.contents(entity)) {
      if (part.type === 'head') {
        digest = new EntityDigest(now + comparedMs);
        digest.head(part.head);
        if (copying) writer = new EntityCopy(this.to, part.head, await this.to.load(entity));
      } else if (part.type === 'documents')
        for (const document of part.documents) {
          digest.document(document);
          await writer?.document(document);
        }
      else if (part.type === 'commands')
        for (const command of part.commands) {
          if (command.expiresAt <= now) continue;
          digest.command(command);
          await writer?.command(command);
        }
      else await writer?.finish();
    }
    return digest;
  }
}

/** Writes one entity in a few commits (Migrate.G1). */
class EntityCopy {
  private seq: number;
  private counts: Numbers;
  private readonly isNew: boolean;
  private puts: Commit['puts'][number][] = [];
  private commands: CommandRecord[] = [];
  private bytes = 0;

  constructor(
    private readonly to: Store,
    private readonly head: Head,
    there: Head | null,
  ) {
    this.seq = there?.seq ?? 0;
    this.counts = there?.counts ?? {};
    this.isNew = there === null;
  }

  async document({ kind, id, body }: StoredDoc): Promise<void> {
    this.puts.push({ kind, id, body, isNew: this.isNew });
    this.bytes += JSON.stringify(body).length;
    await this.flushIfLarge();
  }

  async command(record: CommandRecord): Promise<void> {
    this.commands.push(record);
    this.bytes += JSON.stringify(record.result ?? null).length;
    await this.flushIfLarge();
  }

  async finish(): Promise<void> {
    const { snapshot, active, due, counts, deleted } = this.head;
    await this.commit({ snapshot, active, due, counts, deleted });
    this.to.release(this.head.entity, this.seq);
  }

  private async flushIfLarge(): Promise<void> {
    if (this.puts.length + this.commands.length < batchDocuments && this.bytes < batchBytes) return;
    const snapshot = { ...this.head.snapshot, [marker]: true };
    await this.commit({ snapshot, active: false, due: null, counts: {}, deleted: false });
  }

  private async commit(state: Pick<Head, 'snapshot' | 'active' | 'due' | 'counts' | 'deleted'>): Promise<void> {
    const { entity } = this.head;
    const outcome = await this.to.commit({
      entity,
      seq: ++this.seq,
      ...state,
      puts: this.puts,
      deletes: [],
      commands: this.commands,
      previousCounts: this.counts,
    });
    if (outcome === 'conflict')
      throw new StoreError(
        'in-use',
        'Somebody else writes to the target of the migration. Stop that, and run it again.',
      );
    this.counts = state.counts;
    this.puts = [];
    this.commands = [];
    this.bytes = 0;
  }
}
