/**
 * The embedded store: an adapter of store/port.ts over lmdb, in one directory.
 *
 *  - A directory has one server; the command line opens it with `shared` beside the server and may commit too.
 *  - A store of another version of the layout is refused before anything else in it is read (schema.ts).
 *  - Every failure is a StoreError with a sentence that says what to do; none ends the process.
 *  - `close` waits for the commits in flight; afterwards every call fails with 'closed'.
 *
 * Visibility of other processes' commits: reads share a read transaction for about a millisecond of the event loop
 * (lmdb renews it by a timer). Our own commits are visible at once.
 */
import type { CollectionName } from '../collections.js';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RootDatabase } from 'lmdb';
import {
  refusedCommit,
  StoreError,
  type IdempotencyRecord,
  type Commit,
  type CountQuery,
  type DocKind,
  type EntityPart,
  type EntityRef,
  type DueHead,
  type EntityKind,
  type Head,
  type HeadScope,
  type KeptImages,
  type ListQuery,
  type OpenHead,
  type Page,
  type Store,
  type StoredDoc,
  type OutlivingKind,
} from '../port.js';
import { pagedImage, pagesBy } from '../list-query.js';
import { fewestShards } from '../shards.js';
import type { Logger } from '../../telemetry/logger-port.js';
import {
  checkData,
  flushDirectory,
  markServing,
  markStopped,
  migratingName,
  prepareDirectory,
  restrictFiles,
  writeDurably,
} from './data-directory.js';
import { defaultMapSize, openEnvironment, openTrees, type Trees } from './environment.js';
import { DiskRoom } from './disk-room.js';
import { Claims } from './claims.js';
import { closed, freeBytes as freeBytesOf, toStoreError } from './failures.js';
import { HeadScans } from './head-scans.js';
import { LmdbImages } from './kept-images.js';
import { Lists } from './lists.js';
import { plan } from './plan.js';
import { purge, removeOutliving } from './purge.js';
import { Reader } from './entries.js';
import { lockForServer, refuseFenced, type ServerLock } from './server-lock.js';
import { ReadSnapshots } from './snapshots.js';
import { Sums, type PendingCount } from './sums.js';
import { sweepRecords, sweepEveryMs } from './sweep.js';
import { sweepTombstones } from './tombstones.js';
import { checkSchema } from './schema.js';
import { WholeEntities } from './whole-entities.js';
import type { Write } from './write.js';
import { BatchWriter, causeOf, SharedWriter } from './writer.js';

export interface LmdbStoreOptions {
  dir: string;
  /** Opens the store beside a running server (the command line), without taking the lock. */
  shared?: boolean;
  /**
   * Opens the store for a migration, which nobody may work beside. Its target must be empty, or left by a migration.
   */
  migration?: 'source' | 'target';
  /** In ms since the epoch; only to remove expired idempotency records and what is left of deleted entities. */
  now?: () => number;
  /** Address space for the data file; it grows beyond that by itself. */
  mapSize?: number;
  /** How much room there is on the disk of a folder. */
  freeBytes?: (dir: string) => number;
  log?: Pick<Logger, 'warn'>;
}

/** No entity has this key, so the condition of a trial write always holds. */
const trialKey = 'trial';

/** Rejects with a StoreError: 'in-use', 'corrupt', 'foreign', 'other-schema', 'full' or 'io'. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<Store> {
  const dir = resolve(options.dir);
  const shared = options.shared ?? false;
  const { fresh, unclean } = prepareDirectory(dir, options.migration === 'target');
  let root: RootDatabase<string, string> | null = null;
  try {
    root = openEnvironment(dir, options.mapSize ?? defaultMapSize);
    restrictFiles(dir);
    if (unclean && !shared) {
      const pin = root.useReadTransaction(); // keeps commands beside us from using pages again while they are checked
      try {
        checkData(dir);
      } finally {
        pin.done();
      }
    }
    const trees = openTrees(root);
    checkSchema(trees, dir);
    if (shared) await refuseFenced(trees, dir);
    const lock = shared ? null : await lockForServer(trees, dir, options.migration !== undefined);
    if (options.migration === 'target') await beginTarget(trees, dir, lock);
    if (!shared) markServing(dir);
    else if (fresh) markStopped(dir);
    return new LmdbStore(trees, dir, lock, options);
  } catch (error) {
    await root?.close();
    throw toStoreError(error, dir);
  }
}

/** A directory that a migration fills is no one's until it is complete. */
async function beginTarget({ heads }: Trees, dir: string, lock: ServerLock | null): Promise<void> {
  const part = join(dir, migratingName);
  if (!existsSync(part) && [...heads.getKeys({ start: '\x01', limit: 1 })].length > 0) {
    await lock?.release();
    throw new StoreError(
      'foreign',
      `${dir} holds data already. Name an empty or a new folder: nothing is ever replaced.`,
    );
  }
  writeDurably(part, '');
}

/** The migration into the directory is complete and its store closed: servers may open it. */
export function completeTarget(dir: string): void {
  rmSync(join(dir, migratingName));
  flushDirectory(dir);
}

const conflict = Promise.resolve('conflict' as const);

class LmdbStore implements Store {
  /** One process serves all of them, so none is stored. */
  readonly shards = fewestShards;
  private state: 'open' | 'closing' | 'closed' = 'open';
  private readonly snapshots: ReadSnapshots;
  private readonly reader: Reader;
  private readonly lists: Lists;
  private readonly headScans: HeadScans;
  private readonly whole: WholeEntities;
  private readonly totals: Sums;
  private readonly writer: DiskRoom;
  private readonly now: () => number;
  private readonly log: Pick<Logger, 'warn'> | undefined;
  private readonly claims: Claims;
  private readonly keptImages: LmdbImages;
  readonly images: KeptImages;
  private writes = 0;
  private written: (() => void) | null = null;
  private nextSweep: number;
  private sweeping = false;

  constructor(
    private readonly trees: Trees,
    private readonly dir: string,
    private readonly lock: ServerLock | null,
    { now = Date.now, freeBytes = freeBytesOf, log }: LmdbStoreOptions,
  ) {
    this.now = now;
    this.log = log;
    this.snapshots = new ReadSnapshots(trees);
    this.reader = new Reader(trees);
    this.lists = new Lists(trees, this.snapshots);
    this.headScans = new HeadScans(trees, this.snapshots);
    this.whole = new WholeEntities(trees, this.snapshots);
    this.totals = new Sums(trees, this.snapshots, lock === null);
    const writer = lock ? new BatchWriter(trees, dir) : new SharedWriter(trees, dir);
    this.writer = new DiskRoom(writer, dir, freeBytes);
    this.claims = new Claims(this.reader, this.writer);
    const images = (this.keptImages = new LmdbImages(trees, this.reader, this.writer, dir));
    if (lock) images.removeStrays();
    this.images = {
      prepare: (entity) => this.later(() => this.tracked(() => images.prepare(entity))),
      keep: (entity, seq, chunks) => this.later(() => this.tracked(() => images.keep(entity, seq, chunks))),
      kept: (entity) => this.later(async () => pagedImage(images.kept(entity), (pages) => this.paged(pages))),
      discard: (entity, { seq }) => this.later(() => this.tracked(() => images.discard(entity, seq))),
    };
    this.nextSweep = now() + sweepEveryMs;
  }

  head<K extends EntityKind>(entity: EntityRef<K>): Head<K> | null {
    return this.read(() => this.reader.head(entity));
  }
  /** A commit is one transaction, so none is ever unfinished. */
  load<K extends EntityKind>(entity: EntityRef<K>): Head<K> | null {
    return this.head(entity);
  }
  release(): void {
    /* loading leaves nothing to release */
  }
  record(entity: EntityRef, id: string, now: number): IdempotencyRecord | null {
    return this.read(() => this.reader.record(entity, id, now));
  }
  claim(entity: EntityRef, record: IdempotencyRecord, now: number): IdempotencyRecord | null {
    return this.read(() =>
      this.claims.claim(entity, record, now, (write) => {
        // what fails is told by the commit that follows
        this.tracked(() => write).catch(() => undefined);
      }),
    );
  }
  get<K extends DocKind>(entity: EntityRef, kind: K, id: string): StoredDoc<K> | null {
    return this.read(() => this.reader.get(entity, kind, id));
  }
  getMany<K extends DocKind>(entity: EntityRef, kind: K, ids: readonly string[]): (StoredDoc<K> | null)[] {
    return this.read(() => this.reader.getMany(entity, kind, ids));
  }
  find<K extends DocKind>(workspace: string, kind: K, id: string): StoredDoc<K> | null {
    return this.read(() => this.reader.find(workspace, kind, id));
  }
  lookup<K extends DocKind>(kind: K, value: string): StoredDoc<K> | null {
    return this.read(() => this.reader.lookup(kind, value));
  }

  newest<K extends DocKind>(entity: EntityRef, kind: K, list: string, by: string): StoredDoc<K> | null {
    return this.read(() => this.reader.newest(entity, kind, list, by));
  }
  list<C extends CollectionName>(query: ListQuery<C>): Promise<Page<C>> {
    return this.later(() => this.lists.list(query)) as Promise<Page<C>>;
  }
  count<C extends CollectionName>(query: CountQuery<C>, limit: number): Promise<{ count: number; exact: boolean }> {
    return this.later(() => this.lists.count(query, limit));
  }
  sum(workspace: string, name: string): Promise<number> {
    return this.later(() => this.totals.sum(workspace, name));
  }
  exactSum(workspace: string, name: string): Promise<number> {
    return this.sum(workspace, name);
  }
  /** Kept in memory with the other sums, see sums.ts. */
  storage(workspace: string): Promise<number> {
    return this.sum(workspace, 'bytes');
  }
  sums(workspace: string): Promise<Readonly<Record<string, number>>> {
    return this.later(() => this.totals.all(workspace));
  }
  dueHeads(now: number, limit: number, shards?: readonly number[], from?: number): Promise<DueHead[]> {
    return this.later(() => this.headScans.due(now, limit, shards, from));
  }
  /** A commit is one transaction, so none is ever unfinished. */
  activeHeads(shards?: readonly number[]): AsyncIterable<OpenHead[]> {
    return this.paged(() => this.headScans.active(shards));
  }
  workspaces(): AsyncIterable<Head<'workspace'>[]> {
    return this.paged(() => this.headScans.workspaces()) as AsyncIterable<Head<'workspace'>[]>;
  }

  allHeads(of?: HeadScope): AsyncIterable<Head[]> {
    return this.paged(() => this.headScans.all(of));
  }
  contents(entity: EntityRef): AsyncIterable<EntityPart> {
    return this.paged(() => this.whole.contents(entity));
  }

  /**
   * Neither an async function nor a closure over the commit: with a thousand in flight, every object that waits here
   * has to be copied by the garbage collector.
   */
  commit(commit: Commit): Promise<'committed' | 'conflict'> {
    let ticket: PendingCount | null | undefined;
    let done: Promise<boolean>;
    let outdated: EntityRef | null;
    try {
      if (this.state !== 'open') throw closed();
      const write = plan(commit, this.trees, this.now());
      if (!write) return conflict;
      ticket = this.totals.begin(write);
      this.writes++;
      outdated = write.outdatesImage ? commit.entity : null;
      done = this.writer.write(write);
    } catch (error) {
      if (ticket !== undefined) this.settled(ticket, false);
      return Promise.reject(
        error instanceof RangeError || error instanceof TypeError ? refusedCommit(error) : this.failure(error),
      );
    }
    return done.then(
      (committed) => {
        const removed = outdated && committed ? this.removeImage(outdated) : null;
        this.settled(ticket, committed);
        return removed ?? (committed ? 'committed' : 'conflict');
      },
      (error: unknown) => {
        this.settled(ticket, false);
        throw this.failure(error);
      },
    );
  }

  /** The next start removes it if it cannot be removed now. */
  private async removeImage(entity: EntityRef): Promise<'committed'> {
    try {
      await this.tracked(() => this.keptImages.outdated(entity));
    } catch (cause) {
      const err = toStoreError(await causeOf(cause), this.dir);
      this.log?.warn({ event: 'store.sweep_failed', err }, 'The store could not remove an image; the next start does.');
    }
    return 'committed';
  }

  trialWrite(): Promise<void> {
    const operations = [{ tree: 'system' as const, key: trialKey, value: String(this.now()) }];
    return this.later(async () => {
      await this.tracked(() => this.writer.write({ key: trialKey, expected: 0, operations }));
    });
  }

  purge(entity: EntityRef, limit: number): Promise<boolean> {
    return this.later(() =>
      this.tracked(async () => {
        await this.keptImages.purge(entity);
        return purge(this.trees, this.writer, entity, limit);
      }),
    );
  }

  removeOutliving(entity: EntityRef, kind: OutlivingKind, ids: readonly string[]): Promise<boolean> {
    const of = { entity, kind };
    return this.later(() => this.tracked(() => removeOutliving(this.trees, this.writer, of, ids, this.now())));
  }

  async close(): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'closing';
    if (this.writes > 0)
      await new Promise<void>((done) => {
        this.written = done;
      });
    await this.snapshots.close();
    this.state = 'closed';
    await this.lock?.release();
    await this.trees.root.close();
    if (this.lock) this.markStopped();
  }

  private markStopped(): void {
    try {
      markStopped(this.dir);
    } catch {
      /* a full disk, or the directory is gone: the next start looks at every page */
    }
  }

  /** Runs a synchronous lmdb operation and converts its errors. */
  private read<T>(work: () => T): T {
    if (this.state !== 'open') throw closed();
    try {
      return work();
    } catch (error) {
      throw this.failure(error);
    }
  }

  private async later<T>(work: () => Promise<T>): Promise<T> {
    if (this.state !== 'open') throw closed();
    try {
      return await work();
    } catch (error) {
      throw this.failure(error);
    }
  }

  private paged<P>(pages: () => AsyncIterable<P>): AsyncGenerator<P> {
    return pagesBy(pages, (page) => this.later(page));
  }

  /** A caller's mistake (an unknown list, a body that is not JSON) is passed on unchanged. */
  private failure(error: unknown): Error {
    return error instanceof RangeError || error instanceof TypeError ? error : toStoreError(error, this.dir);
  }

  private settled(ticket: PendingCount | null, committed: boolean): void {
    this.totals.settle(ticket, committed);
    this.finished();
    if (committed && !this.sweeping && this.isSweepDue()) this.sweep();
  }

  /** A write that is no commit, but may change counts. */
  private async counted(write: Write): Promise<boolean> {
    const ticket = this.totals.begin(write);
    let committed = false;
    try {
      return (committed = await this.writer.write(write));
    } finally {
      this.totals.settle(ticket, committed);
    }
  }

  private async tracked<T>(write: () => Promise<T>): Promise<T> {
    this.writes++;
    try {
      return await write();
    } finally {
      this.finished();
    }
  }

  private finished(): void {
    if (--this.writes === 0) this.written?.();
  }

  /** Also where the clock was set back. */
  private isSweepDue(): boolean {
    const now = this.now();
    return now >= this.nextSweep || now < this.nextSweep - sweepEveryMs;
  }

  private sweep(): void {
    this.sweeping = true;
    this.nextSweep = this.now() + sweepEveryMs;
    // a command that was killed while it read would keep pages from being used again
    this.trees.root.readerCheck();
    const stopped = (): boolean => this.state !== 'open';
    const swept = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        // what could not be removed is found again next time
        const err = toStoreError(await causeOf(error), this.dir);
        this.log?.warn({ event: 'store.sweep_failed', err }, `The store could not remove ${what}; it tries again.`);
      }
    };
    void this.tracked(async () => {
      await swept('records of requests that have expired', () =>
        sweepRecords(this.trees, this.now(), stopped, (bytes) => {
          this.writer.requireRoom(bytes);
        }),
      );
      await swept('what is left of deleted entities', () =>
        sweepTombstones(this.trees, this.now(), (write) => this.counted(write), stopped),
      );
      this.sweeping = false;
    });
  }
}
