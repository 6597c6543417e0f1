/**
 * The store port: what the service needs of a database. Adapters: `lmdb/` (embedded), `mongo/` (many processes). Both
 * pass test/contract/store.
 *
 * The unit of writing is a commit of one entity (an agent with its runs, a hive, a workspace desk): its head and its
 * documents change together or not at all.
 *
 * Every adapter guarantees:
 *  Store.P1 Compare-and-set: a commit with `seq` n takes effect only if the head's seq is n-1 (no head: 0); otherwise
 *     the result is 'conflict', and nothing changes.
 *  Store.P2 All or nothing: after a crash a commit is present wholly or not at all for anyone who `load`s its entity.
 *     An adapter may show readers parts of a commit that is not acknowledged yet (lmdb shows none), the head first and
 *     the documents of runs after all others: a reader that sees a run's progress also sees everything it is based on.
 *     An acknowledged commit is visible wholly.
 *  Store.P3 Durable: when `commit` resolves 'committed', the commit survives kill -9 and loss of power.
 *  Store.P4 A read sees everything that was acknowledged to any process before it began, also in lists. In a process
 *     that has not heard that the primary of a MongoDB replica set was replaced, reads see what was committed before
 *     that, and no commit succeeds (docs/decisions/0020). No process goes back to an earlier state.
 *  - Isolation: no read or list ever leaves the workspace that it names.
 *  Store.P5 Paging never repeats or skips a document that did not change meanwhile.
 */
import type {
  Bodies,
  DocumentKind,
  Documents,
  EntityKind,
  RecalledKind,
  Snapshots,
} from '../domain/shared/documents.js';
import type { MaybePromise } from '../maybe-promise.js';
import type { CollectionName, ListNames } from './collections.js';

export type { EntityKind, RecalledKind } from '../domain/shared/documents.js';

export interface EntityRef<K extends EntityKind = EntityKind> {
  readonly workspace: string;
  readonly kind: K;
  readonly id: string;
}

/** The shards into which the entities of a store are divided (shards.ts). */
export interface Shards {
  readonly count: number;
  /** 0 to count - 1. */
  readonly all: readonly number[];
  /** A run belongs to its agent's shard; hives and workspace desks are entities like any other. */
  of(entity: EntityRef): number;
}

/**
 * The collections whose documents belong to an entity. Agents, hives and workspaces are heads and are listed as such.
 */
export type DocKind = DocumentKind;

export interface Head<K extends EntityKind = EntityKind> {
  entity: EntityRef<K>;
  seq: number;
  /** The entity's own state, JSON. Contains no list that grows. */
  snapshot: Snapshots[K];
  /**
   * The entity has work that must resume after a restart: a run pending or running, a non-empty outbox, an unfinished
   * delete.
   */
  active: boolean;
  /** When this entity's next timer is due (ms), or null. */
  due: number | null;
  /** Absolute numbers of this entity; the store sums them by workspace. A number may decrease. */
  counts: Readonly<Record<string, number>>;
  /**
   * A deleted entity: the head stays as a tombstone, is in no list, and its id is never reused. An adapter may remove a
   * tombstone that is not active once nothing that is still on its way could bring the entity back.
   */
  deleted: boolean;
}

/** The result of a load. */
export interface LoadedHead<K extends EntityKind = EntityKind> extends Head<K> {
  /**
   * The documents of the entity's last commit, if its writer has not released them: a reader may have looked before
   * they were visible. Absent in adapters that never show parts of a commit.
   */
  lastChanges?: {
    readonly puts: readonly { [K in DocKind]: Pick<PutOf<K>, 'kind' | 'id' | 'body'> }[DocKind][];
    readonly deletes: readonly { kind: DocKind; id: string }[];
  };
}

/** A head as returned by scans. */
export type OpenHead = Pick<Head, 'entity' | 'seq' | 'active'>;
export type DueHead = OpenHead & { due: number };

export interface PutOf<K extends DocKind> {
  kind: K;
  id: string;
  /** JSON. Must contain the values that the collection's lists use (see collections.ts). */
  body: Documents[K];
  /** True if no document of this kind and id exists, so that an adapter need not look for the old one. */
  isNew: boolean;
  /** It replaces a text, which counts as a deletion of that (KeptImages.I3). */
  rewrites?: true;
}
export type Put = { [K in DocKind]: PutOf<K> }[DocKind];

/** The result of a request that may be repeated: the same id gets the same result. `expiresAt` in ms. */
export interface IdempotencyRecord {
  id: string;
  bodyHash: string;
  result: unknown;
  expiresAt: number;
}

export interface Commit extends Head {
  puts: readonly Put[];
  deletes: readonly { kind: DocKind; id: string }[];
  records: readonly IdempotencyRecord[];
  /** The counts of the head that this commit replaces ({} for a first commit). */
  previousCounts: Readonly<Record<string, number>>;
}

/** The kinds of documents that outlive their entity and are removed when they are old. */
export type OutlivingKind = 'audit' | 'subjectUse';

export interface StoredDoc<K extends DocKind = DocKind> {
  entity: EntityRef;
  kind: K;
  id: string;
  body: Documents[K];
}
/** A document whose kind says what it holds. */
export type AnyDoc = { [K in DocKind]: StoredDoc<K> }[DocKind];

/** The end of a page: sort values and id of its last item. The gateway signs it into a cursor. */
export type Position = readonly (string | number)[];

export interface ListQuery<C extends CollectionName = CollectionName> {
  workspace: string;
  collection: C;
  /** A list of the collection, see collections.ts; 'created' always exists. */
  list: ListNames[C];
  /** Required for lists of scope 'entity' and for collections that are only listed within their entity. */
  entity?: EntityRef;
  /** The partition, for lists that have them (for example the run whose journal is read). */
  by?: string;
  order: 'asc' | 'desc';
  limit: number;
  /** Ends the page once its documents, as stored, take this many bytes; it has at least one. */
  maxBytes?: number;
  after?: Position;
  offset?: number;
  /** Only what stands in the list at or after `from` and before `until`; each may be the beginning of a position. */
  from?: Position;
  until?: Position;
  /** Only documents whose top-level fields equal these. */
  where?: Readonly<Record<string, string>>;
  /** Only documents that pass. The adapter reads each to ask, so it is for what no list answers. */
  matches?(this: void, body: Bodies[C]): boolean;
  /** Omits documents whose `expires_at` (ISO) is at or before this time (ms). */
  aliveAt?: number;
}

/** The list to count: a query without paging. */
export type CountQuery<C extends CollectionName = CollectionName> = Omit<
  ListQuery<C>,
  'limit' | 'maxBytes' | 'after' | 'offset' | 'order'
>;

export interface Listed<C extends CollectionName = CollectionName> {
  id: string;
  entity: EntityRef;
  body: Bodies[C];
  position: Position;
}

export interface Page<C extends CollectionName = CollectionName> {
  items: Listed<C>[];
  /**
   * If not null, more may follow after it. With `where` or `matches`, an adapter examines a bounded number of documents
   * for a page, so a page may be short, even empty, and still have a next one.
   */
  next: Position | null;
}

/** Documents and idempotency records. */
export interface Content {
  documents: AnyDoc[];
  records: (IdempotencyRecord & { entity: EntityRef })[];
}

/**
 * A piece of all that is stored of an entity. A head comes first; where another follows, the entity was changed while
 * it was read, and what came before is void. `end` says that everything between the last head and it is of one state.
 */
export type EntityPart = { type: 'head'; head: Head } | ({ type: 'content' } & Content) | { type: 'end' };

/** The kinds of documents that recall finds something of. */
export const recalledKinds = ['memory', 'message', 'run'] as const satisfies readonly RecalledKind[];

/** A document that was written, with its body, or deleted since some commit. */
export type ChangedDoc = {
  [K in RecalledKind]: {
    kind: K;
    id: string;
    /** As it is now; null if it was deleted. */
    body: Documents[K] | null;
  };
}[RecalledKind];

/**
 * Keeps what was made of the recalled documents of an entity (the image of its index, src/memory/snapshots.ts), so that
 * it need not be made again from all of them. Whoever reads an image adds what has changed since.
 *
 *  KeptImages.I1 An image is of one commit, and `changes` has every recalled document that a later commit wrote or
 *     deleted, or says that it does not know.
 *  KeptImages.I2 An image never takes the place of one of a later commit, whoever writes it.
 *  KeptImages.I3 Once a commit that deletes or rewrites a recalled document is acknowledged, no image from before it
 *     can be read, by this process or another, however late it was written; and its bytes are removed.
 *  KeptImages.I4 `purge` removes the images of an entity.
 */
export interface KeptImages {
  /** Starts recording which documents change, so that an image of any later commit can be kept. */
  prepare(entity: EntityRef): Promise<void>;
  /** Keeps the image of what the entity was after commit `seq`, durably. False: there is something newer. */
  keep(entity: EntityRef, seq: number, chunks: readonly Uint8Array[]): Promise<boolean>;
  /** The image that was kept last, if it is still of use; `seq` is the entity's present one. */
  kept(entity: EntityRef, seq: number): Promise<KeptImage | null>;
  /** Removes an image that turned out to be of no use. */
  discard(entity: EntityRef, image: KeptImage): Promise<void>;
}

export interface KeptImage {
  seq: number;
  chunks: AsyncIterable<Uint8Array>;
  /** In any order, each document once; null: it is not known any more what has changed. */
  changes(): AsyncIterable<ChangedDoc[]> | null;
}

/**
 * All heads, or those of a workspace, or of one kind of entity or of some shards in it; `after` goes on behind a head
 * of an earlier page.
 */
export interface HeadScope {
  workspace?: string | undefined;
  kind?: EntityKind | undefined;
  after?: EntityRef | undefined;
  shards?: readonly number[] | undefined;
}

export interface Store {
  readonly images?: KeptImages;
  /** Fixed when the store was made. */
  readonly shards: Shards;
  /** For readers: the newest head, even of a deleted entity; null if it never existed. */
  head<K extends EntityKind>(entity: EntityRef<K>): MaybePromise<Head<K> | null>;
  /**
   * For writers: as `head`, but first completes the entity's last commit if a crash left it unfinished. Every commit is
   * based on a loaded head, or on the writer's own last commit.
   */
  load<K extends EntityKind>(entity: EntityRef<K>): MaybePromise<LoadedHead<K> | null>;
  /**
   * The writer of commit `seq` is done for now, so data for completing that commit need not be kept. A hint, without
   * effect if there was a later commit.
   */
  release(entity: EntityRef, seq: number): void;
  /**
   * Rejects with StoreError `unknown` if it cannot be determined whether the commit took effect: neither may be
   * assumed.
   */
  commit(commit: Commit): Promise<'committed' | 'conflict'>;
  /** Writes a meaningless value, as durably as a commit. Rejects if commits would fail. */
  trialWrite(): Promise<void>;
  /** A record of `Commit.records` that has not expired at `now`. */
  record(entity: EntityRef, id: string, now: number): MaybePromise<IdempotencyRecord | null>;
  /**
   * Adds a record without a commit, so that nothing waits for the entity's writer: of all that are claimed under one
   * id, the first is kept until it has expired at `now`. Resolves with it, or with null if that is this one, as durably
   * as a commit; an adapter that answers at once writes it before what is committed afterwards.
   */
  claim(entity: EntityRef, record: IdempotencyRecord, now: number): MaybePromise<IdempotencyRecord | null>;

  get<K extends DocKind>(entity: EntityRef, kind: K, id: string): MaybePromise<StoredDoc<K> | null>;
  getMany<K extends DocKind>(entity: EntityRef, kind: K, ids: readonly string[]): MaybePromise<(StoredDoc<K> | null)[]>;
  /** Finds a document of a `global` collection (memories) by id alone, anywhere in the workspace. */
  find<K extends DocKind>(workspace: string, kind: K, id: string): MaybePromise<StoredDoc<K> | null>;
  /**
   * Finds a document by the collection's `lookup` value (the hash of a key or token): the only read without a
   * workspace.
   */
  lookup<K extends DocKind>(kind: K, value: string): MaybePromise<StoredDoc<K> | null>;

  /** The newest document of a partition of a list of an entity; one read, synchronous in the embedded store. */
  newest<K extends DocKind>(entity: EntityRef, kind: K, list: string, by: string): MaybePromise<StoredDoc<K> | null>;
  list<C extends CollectionName>(query: ListQuery<C>): Promise<Page<C>>;
  /**
   * Counts the documents of a list, up to `limit`. `exact` is false if there are more, or with `where` or `matches` may
   * be (the number of examined documents is bounded).
   */
  count<C extends CollectionName>(query: CountQuery<C>, limit: number): Promise<{ count: number; exact: boolean }>;
  /**
   * The sum of `counts[name]` over the workspace's heads. In a cluster, that of a large workspace may lack commits of
   * the last seconds.
   */
  sum(workspace: string, name: string): Promise<number>;
  /** As `sum`, but exact, however large the workspace is: its cost grows with the number of heads. */
  exactSum(workspace: string, name: string): Promise<number>;
  /** All sums of the workspace, as `sum` returns them; a missing name is 0. */
  sums(workspace: string): Promise<Readonly<Record<string, number>>>;

  /**
   * The approximate sum of `bytes` over the workspace's heads, maintained rather than computed, so that reading it
   * costs the same for any number of heads. Exact for a single process; in a cluster it may lack commits of the last
   * few seconds.
   */
  storage(workspace: string): Promise<number>;

  /**
   * Heads with `active` set, in pages of the adapter's choice: the work that a start or a takeover has to resume.
   * Covers all entities, or those of some shards (src/store/shards.ts). With `unfinished` also those whose last commit
   * may be incomplete.
   */
  activeHeads(shards?: readonly number[], options?: { unfinished?: boolean }): AsyncIterable<OpenHead[]>;
  /** Heads that are due from `from` to `now`, earliest first, at most `limit`; of all shards or of some. */
  dueHeads(now: number, limit: number, shards?: readonly number[], from?: number): Promise<DueHead[]>;
  /** All workspaces (heads of kind workspace, not deleted). */
  workspaces(): AsyncIterable<Head<'workspace'>[]>;

  /** All heads, also of deleted entities, in pages by key. */
  allHeads(of?: HeadScope): AsyncIterable<Head[]>;
  /**
   * All that is stored of an entity, in pages: its documents by kind and id, and its idempotency records. Yields
   * nothing if there is no such entity. Rejects if the entity was changed again and again while it was read.
   */
  contents(entity: EntityRef): AsyncIterable<EntityPart>;
  /**
   * The documents and idempotency records of entities that follow one another in `allHeads`, in any order, each once;
   * for adapters that read many entities more quickly together. Nobody may write meanwhile.
   */
  manyContents?(entities: readonly EntityRef[]): AsyncIterable<Content>;

  /**
   * Deletes up to `limit` documents of the entity, of any kind but those that outlive it; resolves to true when none is left. Only
   * for an entity whose head says that it is being deleted.
   */
  purge(entity: EntityRef, limit: number): Promise<boolean>;

  /**
   * Deletes documents that outlive their entity, whether or not that was deleted. Resolves to false, with nothing
   * deleted, if the entity was changed meanwhile.
   */
  removeOutliving(entity: EntityRef, kind: OutlivingKind, ids: readonly string[]): Promise<boolean>;

  close(): Promise<void>;
}

/** The store cannot be used; the message is a sentence that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The message for clients, if `message` is only for operators because it names servers. */
  readonly forClients: string | undefined;
  /** A server could not be reached, and may soon be. */
  readonly away: boolean;

  constructor(
    /**
     * `refused`: this commit can never be stored (it is too large, or one of its keys too long), and no part of it was.
     */
    readonly reason:
      'in-use' | 'corrupt' | 'foreign' | 'other-schema' | 'full' | 'closed' | 'io' | 'unknown' | 'refused',
    message: string,
    options?: { cause?: unknown; forClients?: string; away?: boolean },
  ) {
    super(message, options);
    this.forClients = options?.forClients;
    this.away = options?.away ?? false;
  }
}

export const isAway = (error: unknown): error is StoreError => error instanceof StoreError && error.away;

/**
 * The error for a commit that was found invalid before anything was written (a RangeError or TypeError while planning
 * it).
 */
export const refusedCommit = (error: Error): StoreError =>
  new StoreError('refused', `A commit cannot be stored: ${error.message}.`, {
    cause: error,
    forClients: `this cannot be stored: ${error.message}`,
  });

export const entityKey = (e: EntityRef): string => `${e.workspace}/${e.kind}/${e.id}`;

/** A process's entry in the database. */
export interface ProcessNote {
  instance: string;
  /** The name of the Redis table that the process uses. */
  redis: string;
  /** Its host, for people. */
  host: string;
  /** How long the process counts as alive after a note, ms. */
  leaseMs: number;
  /** Which protocol it speaks with other processes (cluster/identity.ts). */
  protocol: number;
}

/** Process entries in the database (collection `processes`). */
export interface ProcessNotes {
  /** Stores the entry with the database's time. */
  noteProcess(note: ProcessNote): Promise<void>;
  /**
   * Entries not older than their process's lease by the database's clock, and not from its future: a clock that went
   * back keeps no process alive.
   */
  liveProcesses(): Promise<ProcessNote[]>;
  /** Removes the entry of a process that ends. */
  forgetProcess(instance: string): Promise<void>;
}
