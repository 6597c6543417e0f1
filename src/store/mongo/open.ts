/**
 * The store for clusters: an adapter of store/port.ts over MongoDB 5.0 or newer, which may be a standalone server, a
 * replica set or a sharded cluster. It needs neither transactions nor change streams.
 *
 *  - A database of another version of the layout, or that holds somebody else's collections, is refused
 *     before anything is written.
 *  - Every failure is a StoreError whose message says what to do and contains no password. No failure ends
 *     the process.
 *  - `close` waits for the commits in flight; afterwards every call fails with 'closed'.
 *
 * Collections: `heads`, one for each kind of document, `commands`, `images`, `meta`. Every document has the fields
 *   _id  workspace, kind and id of its entity and its own id, as one text (keys.ts)
 *   w, e  workspace and entity                s  the seq that wrote it
 * and those that documents.ts describes. The shard key of every collection but `meta` is { w: 1, e: 1 }. Every write of
 * a single document names both fields, and the documents of an entity are on one shard. To shard a collection, run
 *   sh.shardCollection('hivekeep.heads', { w: 1, e: 1 })   and so on, before or after the first start
 * The following reads go to every shard: a key or token by its hash, heads by shard or time, and lists of a workspace
 * that is spread over several shards.
 *
 * Lifetimes: an apply ends `applyAgeMs` after its head was sent or read. Tombstones are kept for a day, idempotency
 * records until they expire, and the head of a deleted entity for 30 days (TTL indexes, see indexes.ts).
 */
import type { CollectionName } from '../collections.js';
import type { Db, MongoClient } from 'mongodb';
import {
  refusedCommit,
  StoreError,
  type KeptImages,
  type ProcessNotes,
  type IdempotencyRecord,
  type Commit,
  type Content,
  type CountQuery,
  type DocKind,
  type EntityPart,
  type EntityRef,
  type DueHead,
  type EntityKind,
  type Head,
  type HeadScope,
  type LoadedHead,
  type ListQuery,
  type OpenHead,
  type Page,
  type Store,
  type StoredDoc,
  type Shards,
  type OutlivingKind,
} from '../port.js';
import { pagedImage, pagesBy } from '../list-query.js';
import type { ShardCount } from '../shards.js';
import type { Logger } from '../../telemetry/pino-log.js';
import { Stopwatch } from './age.js';
import { Applier } from './apply.js';
import { Causal } from './causal.js';
import { Claims } from './claims.js';
import { claimCluster, countEpoch, shardsIn, type ClusterDocument } from './cluster-document.js';
import { Committer } from './committer.js';
import { clientFor, databaseOf, requireVersion, serverFacts } from './connect.js';
import type { MongoConnection } from './connection.js';
import { headCollection } from './documents.js';
import { closed, serversOfUrl, toStoreError } from './failures.js';
import { markMigration, refuseMigrating, type MigrationMark, type MigrationRole } from './migration.js';
import { HeadScans } from './head-scans.js';
import { createIndexes, missingIndexes } from './indexes.js';
import { MongoImages } from './kept-images.js';
import { Lists } from './lists.js';
import { plan, type Planned } from './plan.js';
import { purge, removeOutliving } from './purge.js';
import { processNotes } from './processes.js';
import { Reader } from './reader.js';
import { Releases } from './releases.js';
import { storageName } from '../../domain/workspace/usage.js';
import { StorageTotals } from './storage-totals.js';
import { Sums } from './sums.js';
import { WholeEntities } from './whole-entities.js';

export interface MongoStoreOptions {
  /** mongodb://user:password@host:port/database; the database is `hivekeep` if none is named. */
  url: string;
  log?: Pick<Logger, 'debug' | 'warn'>;
  /** The number of shards that a new database gets, and that this one must have; whatever it has if omitted. */
  shards?: ShardCount | null;
  /**
   * Opens the database for a migration, which nobody may work beside. Its target must be empty, or left by a migration.
   */
  migration?: MigrationRole;
  /** Treats the server as one before MongoDB 8.0, which cannot write to several collections in order. */
  oneCollectionAtATime?: boolean;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds from an arbitrary starting point; never goes back. */
  monotonic?: () => number;
}

export interface MongoStore extends Store {
  /** Created with the database and never changed. The cluster's data in other systems is kept under it. */
  readonly clusterId: string;
  /** Rejects with StoreError 'io' if the server does not answer. */
  ping(): Promise<void>;
  /** Returns more than every number that it has returned before, to any process, and more than `above`. */
  nextEpoch(above?: number): Promise<number>;
  /** Resolves when reads of this process show all that was acknowledged to anybody before the call. */
  upToDate(): Promise<void>;
  /** The processes that work on this database. */
  readonly processes: ProcessNotes;
  /** The server's clock, in milliseconds since the epoch. */
  time(): Promise<number>;
  /** What the database takes on disk with its indexes, in bytes. Read from the server at most once a minute. */
  bytesOnDisk(): Promise<number>;
  /** Whether the workspace has entities in any of these shards, or had some in the last 30 days. */
  hasEntities(workspace: string, shards: readonly number[]): Promise<boolean>;
  /** Resolves when every `release` so far has had its effect, for all who read. */
  released(): Promise<void>;
  /**
   * For a store that was opened for a migration: others may open the database again, a target only if it is complete.
   */
  endMigration(complete: boolean): Promise<void>;
}

/** Rejects with a StoreError: 'io', 'foreign' or 'other-schema'. */
export async function openMongoStore({
  url,
  log,
  shards = null,
  migration,
  oneCollectionAtATime = false,
  now = Date.now,
  monotonic = () => performance.now(),
}: MongoStoreOptions): Promise<MongoStore> {
  let client: MongoClient | null = null;
  try {
    client = clientFor(url);
    const causal = new Causal(client, databaseOf(url));
    const { db } = causal;
    await causal.upToDate();
    const { sharded, ordersWrites } = await requireVersion(db, url);
    const cluster = await claimCluster(db, url, shards);
    if (migration === undefined) await refuseMigrating(db, cluster, url);
    if (migration === 'target' && cluster.migration?.as !== 'target') await refuseFilled(db, url);
    const mark = migration ? await markMigration(db, migration, url) : null;
    await buildIndexes(db, url);
    const connection: MongoConnection = {
      db,
      url,
      sharded,
      ordersWrites: ordersWrites && !sharded && !oneCollectionAtATime,
      clocks: { now, monotonic },
      pause,
      log: log ?? null,
    };
    return new MongoStoreAdapter(client, causal, connection, cluster, mark);
  } catch (error) {
    await client?.close();
    throw toStoreError(error, url);
  }
}

/** An index over many documents takes longer to build than any other command may take. */
const buildMs = 24 * 3600 * 1000;

async function buildIndexes(db: Db, url: string): Promise<void> {
  if ((await missingIndexes(db)).length === 0) return;
  const builder = clientFor(url, undefined, buildMs);
  try {
    await createIndexes(builder.db(db.databaseName));
  } finally {
    await builder.close();
  }
}

async function refuseFilled(db: Db, url: string): Promise<void> {
  if ((await db.collection(headCollection).findOne({}, { projection: { _id: 1 } })) === null) return;
  throw new StoreError(
    'foreign',
    `The database at ${serversOfUrl(url)} holds data already. Name an empty one: nothing is ever replaced.`,
  );
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** How long a known size is reported, ms: the server may have to look at every collection for it. */
const sizeMs = 60_000;

class MongoStoreAdapter implements MongoStore {
  private state: 'open' | 'closing' | 'closed' = 'open';
  private readonly applier: Applier;
  private readonly reader: Reader;
  private readonly lists: Lists;
  private readonly headScans: HeadScans;
  private readonly whole: WholeEntities;
  private readonly totals: Sums;
  private readonly storageTotals: StorageTotals;
  private readonly committer: Committer;
  private readonly releases: Releases;
  private readonly claims: Claims;
  private readonly writes = new Set<Promise<unknown>>();
  private size: { bytes: Promise<number>; age: Stopwatch } | null = null;
  readonly processes: ProcessNotes;
  readonly images: KeptImages;
  private readonly keptImages: MongoImages;
  readonly clusterId: string;
  readonly shards: Shards;

  constructor(
    private readonly client: MongoClient,
    private readonly causal: Causal,
    private readonly connection: MongoConnection,
    cluster: ClusterDocument,
    private readonly mark: MigrationMark | null,
  ) {
    this.clusterId = cluster.id;
    this.shards = shardsIn(cluster);
    this.processes = processNotes(connection.db);
    this.applier = new Applier(connection);
    this.reader = new Reader(connection, this.applier);
    this.lists = new Lists(connection);
    this.headScans = new HeadScans(connection);
    this.whole = new WholeEntities(connection, this.reader);
    const images = (this.keptImages = new MongoImages(connection));
    this.images = {
      prepare: () => Promise.resolve(),
      keep: (entity, seq, chunks) => this.write(() => images.keep(entity, seq, chunks)),
      kept: async (entity, seq) =>
        pagedImage(await this.read(() => images.kept(entity, seq)), (pages) => this.paged(pages)),
      discard: (entity, image) => this.write(() => images.discard(entity, image)),
    };
    this.totals = new Sums(connection);
    this.storageTotals = new StorageTotals(
      connection,
      async (workspace) => (await this.totals.exact(workspace))[storageName] ?? 0,
    );
    this.committer = new Committer(connection, this.applier);
    this.releases = new Releases(connection);
    this.claims = new Claims(connection);
  }

  head<K extends EntityKind>(entity: EntityRef<K>): Promise<Head<K> | null> {
    return this.read(() => this.reader.head(entity));
  }
  load<K extends EntityKind>(entity: EntityRef<K>): Promise<LoadedHead<K> | null> {
    return this.read(() => this.reader.load(entity));
  }
  record(entity: EntityRef, id: string, now: number): Promise<IdempotencyRecord | null> {
    return this.read(() => this.reader.record(entity, id, now));
  }
  claim(entity: EntityRef, record: IdempotencyRecord, now: number): Promise<IdempotencyRecord | null> {
    return this.write(() => this.causal.read(() => this.claims.claim(entity, record, now)));
  }
  get<K extends DocKind>(entity: EntityRef, kind: K, id: string): Promise<StoredDoc<K> | null> {
    return this.read(() => this.reader.get(entity, kind, id));
  }
  getMany<K extends DocKind>(entity: EntityRef, kind: K, ids: readonly string[]): Promise<(StoredDoc<K> | null)[]> {
    return this.read(() => this.reader.getMany(entity, kind, ids));
  }
  find<K extends DocKind>(workspace: string, kind: K, id: string): Promise<StoredDoc<K> | null> {
    return this.read(() => this.reader.find(workspace, kind, id));
  }
  lookup<K extends DocKind>(kind: K, value: string): Promise<StoredDoc<K> | null> {
    return this.read(() => this.reader.lookup(kind, value));
  }
  async newest<K extends DocKind>(entity: EntityRef, kind: K, list: string, by: string): Promise<StoredDoc<K> | null> {
    const query = { workspace: entity.workspace, entity, collection: kind, list, by, order: 'desc', limit: 1 };
    const { items } = await this.list(query as ListQuery<K>);
    return items[0] ? { entity, kind, id: items[0].id, body: items[0].body } : null;
  }
  list<C extends CollectionName>(query: ListQuery<C>): Promise<Page<C>> {
    return this.read(() => this.lists.list(query)) as Promise<Page<C>>;
  }
  count<C extends CollectionName>(query: CountQuery<C>, limit: number): Promise<{ count: number; exact: boolean }> {
    return this.read(() => this.lists.count(query, limit));
  }
  sum(workspace: string, name: string): Promise<number> {
    return this.read(async () => (await this.totals.recent(workspace))[name] ?? 0);
  }
  exactSum(workspace: string, name: string): Promise<number> {
    return this.read(async () => (await this.totals.exact(workspace))[name] ?? 0);
  }
  sums(workspace: string): Promise<Readonly<Record<string, number>>> {
    return this.read(() => this.totals.recent(workspace));
  }
  storage(workspace: string): Promise<number> {
    return this.read(() => this.storageTotals.read(workspace));
  }
  dueHeads(now: number, limit: number, shards?: readonly number[], from?: number): Promise<DueHead[]> {
    return this.read(() => this.headScans.due(now, limit, shards, from));
  }
  activeHeads(
    shards?: readonly number[],
    { unfinished = false }: { unfinished?: boolean } = {},
  ): AsyncIterable<OpenHead[]> {
    return this.paged(() => this.headScans.active(shards, unfinished));
  }
  workspaces(): AsyncIterable<Head<'workspace'>[]> {
    return this.paged(() => this.headScans.workspaces()) as AsyncIterable<Head<'workspace'>[]>;
  }

  allHeads(of?: HeadScope): AsyncIterable<Head[]> {
    return this.paged(() =>
      of?.shards ? this.headScans.ofShards({ ...of, shards: of.shards }) : this.whole.heads(of),
    );
  }
  contents(entity: EntityRef): AsyncIterable<EntityPart> {
    return this.paged(() => this.whole.contents(entity));
  }

  manyContents(entities: readonly EntityRef[]): AsyncIterable<Content> {
    return this.paged(() => this.whole.manyContents(entities));
  }

  commit(commit: Commit): Promise<'committed' | 'conflict'> {
    return this.write(async () => {
      const planned = this.planned(commit);
      await this.keptImages.deleting(commit);
      const outcome = await this.committer.commit(planned);
      if (outcome === 'committed') {
        this.storageTotals.add(commit);
        this.totals.add(commit);
      }
      return outcome;
    });
  }
  private planned(commit: Commit): Planned {
    try {
      return plan(commit, this.connection.clocks.now(), this.shards);
    } catch (error) {
      throw error instanceof RangeError || error instanceof TypeError ? refusedCommit(error) : error;
    }
  }
  purge(entity: EntityRef, limit: number): Promise<boolean> {
    return this.write(async () => {
      await this.keptImages.purge(entity);
      return purge(this.connection, entity, limit);
    });
  }
  removeOutliving(entity: EntityRef, kind: OutlivingKind, ids: readonly string[]): Promise<boolean> {
    return this.write(() => removeOutliving(this.connection, { entity, kind }, ids));
  }
  release(entity: EntityRef, seq: number): void {
    if (this.state === 'open') this.releases.add(entity, seq);
  }
  released(): Promise<void> {
    return this.write(async () => {
      await this.releases.flush();
      await this.causal.barrier();
    });
  }
  async endMigration(complete: boolean): Promise<void> {
    await this.mark?.end(complete);
  }

  bytesOnDisk(): Promise<number> {
    const known = this.size;
    if (known && known.age.ms < sizeMs) return known.bytes;
    const bytes = this.run(() => sizeOnDisk(this.connection.db));
    this.size = { bytes, age: new Stopwatch(this.connection.clocks) };
    bytes.catch(() => {
      this.size = null; // whoever asked has the error, and the next to ask looks again
    });
    return bytes;
  }

  hasEntities(workspace: string, shards: readonly number[]): Promise<boolean> {
    return this.read(() => this.headScans.any(workspace, shards));
  }

  async trialWrite(): Promise<void> {
    await this.nextEpoch(); // epochs may have gaps
  }

  ping(): Promise<void> {
    return this.run(() => ping(this.connection.db));
  }
  async time(): Promise<number> {
    return (await this.run(() => serverFacts(this.connection.db))).localTime;
  }
  upToDate(): Promise<void> {
    return this.run(() => this.causal.barrier());
  }
  nextEpoch(above?: number): Promise<number> {
    return this.run(() => countEpoch(this.connection.db, above));
  }

  async close(): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'closing';
    await Promise.allSettled(this.writes);
    await this.releases.flush();
    await this.storageTotals.close();
    this.state = 'closed';
    await this.causal.close();
    await this.client.close();
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.state !== 'open') throw closed();
    try {
      return await work();
    } catch (error) {
      // A caller's mistake (a list that does not exist, a body that is not JSON) is passed on unchanged.
      throw error instanceof RangeError || error instanceof TypeError
        ? error
        : toStoreError(error, this.connection.url);
    }
  }

  private read<T>(work: () => Promise<T>): Promise<T> {
    return this.run(() => this.causal.read(work));
  }

  /** Runs work that `close` must wait for. */
  private write<T>(work: () => Promise<T>): Promise<T> {
    const done = this.run(work);
    this.writes.add(done);
    done
      .catch(() => undefined) // the caller has it
      .finally(() => {
        this.writes.delete(done);
      });
    return done;
  }

  private paged<P>(pages: () => AsyncIterable<P>): AsyncGenerator<P> {
    return pagesBy(pages, (page) =>
      this.run(async () => {
        await this.causal.upToDate();
        return page();
      }),
    );
  }
}

async function ping(db: Db): Promise<void> {
  await db.command({ ping: 1 });
}

async function sizeOnDisk(db: Db): Promise<number> {
  const { storageSize = 0, indexSize = 0 } = (await db.command({ dbStats: 1 })) as Record<string, number>;
  return storageSize + indexSize;
}
