/**
 * The store port: what the service needs of a database. Adapters: `lmdb/` (embedded), `mongo/` (many processes). All
 * pass test/contract/store.
 *
 * The unit of writing is a commit of one entity (an agent with its runs, a hive, a workspace desk): its head and its
 * documents change together or not at all.
 *
 * What every adapter promises
 *  Store.P1 Compare-and-set: a commit with `seq` n takes effect only where the head's seq is n-1 (no head: 0); else
 *     'conflict', and nothing changes.
 *  Store.P2 All or nothing: after a crash a commit is there wholly or not at all for whoever `load`s its entity. An
 *     adapter may show a reader parts of a commit that was not acknowledged yet (lmdb shows none), the head first and the
 *     documents of runs last: who sees how far a run has come sees all that it rests on. An acknowledged commit is seen
 *     wholly.
 *  Store.P3 Durable: when `commit` resolves 'committed', the commit survives kill -9 and loss of power.
 *  Store.P4 Read your writes: what was committed before a read began is seen by it, in lists too.
 *  Store.P5 Isolation: no read or list ever crosses the workspace that it names.
 *  Store.P6 A page never repeats or skips a document that did not change while it was paged.
 */
import type { MaybePromise } from '../maybe-promise.js';
import type { CollectionName, ListName } from './collections.js';

export type EntityKind = 'agent' | 'hive' | 'workspace';

export interface EntityRef {
  readonly workspace: string;
  readonly kind: EntityKind;
  readonly id: string;
}

/** The collections whose documents belong to an entity. Agents, hives and workspaces are heads and are listed as such. */
export type DocKind = Exclude<CollectionName, EntityKind>;

export interface Head {
  entity: EntityRef;
  seq: number;
  /** The entity's own state, JSON. Holds no list that grows. */
  snapshot: Record<string, unknown>;
  /** Work is left that must go on after a restart: a run pending or running, an outbox not empty, a delete not finished. */
  active: boolean;
  /** When a timer of this entity is next due (ms), or null. */
  due: number | null;
  /** Absolute numbers of this entity; the store sums them by workspace. A number may go down. */
  counts: Readonly<Record<string, number>>;
  /** A deleted entity: the head stays as a tombstone, is listed nowhere, and its id is never used again. */
  deleted: boolean;
}

/** What a load answers. */
export interface LoadedHead extends Head {
  /**
   * The documents of the entity's last commit, where its writer has not released them: a reader may have looked before
   * they were there. Absent in adapters whose commits are never seen in part.
   */
  lastChanges?: {
    readonly puts: readonly Pick<Put, 'kind' | 'id' | 'body'>[];
    readonly deletes: readonly { kind: DocKind; id: string }[];
  };
}

/** A head as scans of many tell it. */
export type OpenHead = Pick<Head, 'entity' | 'seq' | 'active'>;

export interface Put {
  kind: DocKind;
  id: string;
  /** JSON. Must carry what the collection's lists are made of (see collections.ts). */
  body: Record<string, unknown>;
  /** True when no document of this kind and id exists; lets an adapter skip looking for the old one. */
  isNew: boolean;
}

/** What a command that may be sent again has done: the same id answers the same result. `expiresAt` in ms. */
export interface CommandRecord {
  id: string;
  bodyHash: string;
  result: unknown;
  expiresAt: number;
}

export interface Commit extends Head {
  puts: readonly Put[];
  deletes: readonly { kind: DocKind; id: string }[];
  commands: readonly CommandRecord[];
  /** The counts of the head that this commit replaces ({} for a first commit). */
  previousCounts: Readonly<Record<string, number>>;
}

export interface StoredDoc {
  entity: EntityRef;
  kind: DocKind;
  id: string;
  body: Record<string, unknown>;
}

/** Where a page ended: sort values and id of its last item. The gateway signs it into a cursor. */
export type Position = readonly (string | number)[];

export interface ListQueryOf<C extends CollectionName> {
  workspace: string;
  collection: C;
  /** A list of the collection, see collections.ts: 'created' always exists. */
  list: ListName<C>;
  /** Required for lists of scope 'entity' and for collections that are only listed within their entity. */
  entity?: EntityRef;
  /** The partition, for lists that have one (for example the run whose journal is read). */
  by?: string;
  order: 'asc' | 'desc';
  limit: number;
  /** Ends the page once its documents, as they are stored, take so many bytes; it has at least one. */
  maxBytes?: number;
  after?: Position;
  offset?: number;
  /** Only documents whose top-level fields equal these. */
  where?: Readonly<Record<string, string>>;
  /** Leaves out documents whose `expires_at` (ISO) is at or before this time (ms). */
  aliveAt?: number;
}

export type ListQuery = { [C in CollectionName]: ListQueryOf<C> }[CollectionName];
/** What is counted: a list without a page. */
export type CountQuery = Omit<ListQuery, 'limit' | 'maxBytes' | 'after' | 'offset' | 'order'>;

export interface Listed {
  id: string;
  entity: EntityRef;
  body: Record<string, unknown>;
  position: Position;
}

export interface Page {
  items: Listed[];
  /**
   * More may follow after `next`. With `where`, an adapter looks at a bounded number of documents a page, so a page
   * may be short, even empty, and still have a next.
   */
  next: Position | null;
}

export interface Store {
  /** The newest head, also of a deleted entity; null where there never was one. For who reads. */
  head(entity: EntityRef): MaybePromise<Head | null>;
  /**
   * The same for who is going to write: first finishes the entity's last commit where a crash left it half done. Every
   * commit is decided on a head that was loaded, or on the writer's own last commit.
   */
  load(entity: EntityRef): MaybePromise<LoadedHead | null>;
  /** The writer of commit `seq` has nothing more to do for now: what a load would have to finish need not be kept. A hint, without effect where somebody has written since. */
  release(entity: EntityRef, seq: number): void;
  /** Rejects with StoreError `unknown` where it cannot be found out whether the commit took effect: nothing may be decided on either. */
  commit(commit: Commit): Promise<'committed' | 'conflict'>;
  /** Writes something that means nothing, as durably as a commit. Rejects where commits would fail. */
  trialWrite(): Promise<void>;
  /** A record of `Commit.commands` that has not expired at `now`. */
  command(entity: EntityRef, id: string, now: number): MaybePromise<CommandRecord | null>;

  get(entity: EntityRef, kind: DocKind, id: string): MaybePromise<StoredDoc | null>;
  getMany(entity: EntityRef, kind: DocKind, ids: readonly string[]): MaybePromise<(StoredDoc | null)[]>;
  /** By id alone, for collections that are `global` (memories): anywhere in the workspace. */
  find(workspace: string, kind: DocKind, id: string): MaybePromise<StoredDoc | null>;
  /** By the collection's `lookup` value (hash of a key or token): the one read that knows no workspace yet. */
  lookup(kind: DocKind, value: string): MaybePromise<StoredDoc | null>;

  list(query: ListQuery): Promise<Page>;
  /** How many documents a list holds, counted up to `limit`; `exact` is false when there are more, or with `where` may be (a bounded number of documents is looked at). */
  count(query: CountQuery, limit: number): Promise<{ count: number; exact: boolean }>;
  /** The sum of `counts[name]` over the workspace's heads. */
  sum(workspace: string, name: string): Promise<number>;
  /** All sums of the workspace; a name that is missing is 0. */
  sums(workspace: string): Promise<Readonly<Record<string, number>>>;

  /**
   * About the sum of `bytes` over the workspace's heads, kept and not added up, so that asking costs the same however many
   * there are. Of one process it is exact; of several it may miss what was committed within the last seconds.
   */
  storage(workspace: string): Promise<number>;

  /**
   * Heads with `active` set, in pages of the adapter's choice: what a start or a takeover has to go on with. Of all
   * entities, or of those of some shards (src/store/shards.ts). With `unfinished` also those whose last commit may be
   * half done.
   */
  activeHeads(shards?: readonly number[], options?: { unfinished?: boolean }): AsyncIterable<OpenHead[]>;
  /** Heads that are due at or before `now`, earliest first, at most `limit`; of all shards or of some. */
  dueHeads(now: number, limit: number, shards?: readonly number[]): Promise<Head[]>;
  /** All workspaces (heads of kind workspace, not deleted). */
  workspaces(): AsyncIterable<Head[]>;

  /** Deletes up to `limit` documents of the entity, of any kind but `audit`, which stays; true when none is left. Only for an entity whose head says it is being deleted. */
  purge(entity: EntityRef, limit: number): Promise<boolean>;

  close(): Promise<void>;
}

/** The store cannot be used; the message is a sentence that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** What clients are told, where the message is for whoever runs the service: it names servers. */
  readonly forClients: string | undefined;

  constructor(
    /** `refused`: this commit can never be stored (it is too large, a key in it is too long), however often it is sent; nothing of it is. */
    readonly reason:
      'in-use' | 'corrupt' | 'foreign' | 'newer-schema' | 'full' | 'closed' | 'io' | 'unknown' | 'refused',
    message: string,
    options?: { cause?: unknown; forClients?: string },
  ) {
    super(message, options);
    this.forClients = options?.forClients;
  }
}

/** What a commit is refused with that was found wrong before anything was written (a RangeError or TypeError of its plan). */
export const refusedCommit = (error: Error): StoreError =>
  new StoreError('refused', `A commit cannot be stored: ${error.message}.`, {
    cause: error,
    forClients: `this cannot be stored: ${error.message}`,
  });

export const entityKey = (e: EntityRef): string => `${e.workspace}/${e.kind}/${e.id}`;

/** What a process says of itself in the database. */
export interface ProcessNote {
  instance: string;
  /** The name of the table in Redis that it is in. */
  redis: string;
  /** Its host, for people. */
  host: string;
  /** How long it lives after a note, ms; null where an earlier version did not say. */
  leaseMs: number | null;
}

/** Notes in the database (collection `processes`). */
export interface ProcessNotes {
  /** Puts the note, with the database's time. */
  noteProcess(note: ProcessNote): Promise<void>;
  /**
   * Notes that are not older than their process's lease by the database's clock (`withinMs` where that is not known),
   * nor from its future: a clock that went back keeps no process alive.
   */
  liveProcesses(withinMs: number): Promise<ProcessNote[]>;
  /** A process that ends says so. */
  forgetProcess(instance: string): Promise<void>;
}
