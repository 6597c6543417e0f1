/**
 * Writes the documents of commits whose heads have already been written.
 *
 *  - Writes are guarded: a write takes effect only if the document is absent or has an older seq, so a late or
 *    repeated write changes nothing. The same holds for a delete, which leaves a tombstone.
 *  - New documents are inserted, which is cheaper. If one turns out to exist, the guarded write follows.
 *  - A guarded write that meets a duplicate key ran before somebody else's insert. The stored document is then read,
 *    and the write is repeated as long as that document is older.
 *  - Nothing is sent once the age has passed `applyAgeMs`.
 *  - A document that reports something as done is written after everything it depends on: the documents of runs come
 *    after all other documents of their commit, so that a reader who sees a run's state also sees its journal, its
 *    memories and its messages. Only idempotency records, which no reader sees, are written beside them.
 *  - Where the server keeps the order of writes to several collections, all changes of commits that have such an order
 *    are one write. Unless the answer says that all of it took effect, its changes are then finished as those of a
 *    commit that a load has found. A server that refuses such writes, and takes their changes one by one, is told
 *    about in the log, and is asked for one again after `refusalMs`.
 *
 * While the server cannot be reached, writes are retried until that age. They then reject with StoreError 'unknown':
 * the commit has taken effect, and the next load finishes it.
 */
import type { ClientBulkWriteModel } from 'mongodb';
import { backoffMs } from '../../domain/shared/clock.js';
import { applyAgeMs, Stopwatch } from './age.js';
import { byIds, documentsOf, reconnect, type MongoConnection } from './connection.js';
import { docKinds } from '../list-query.js';
import { recordCollection, type DocumentKey, type StoredDocument } from './documents.js';
import { duplicateKey, isRefusal, isTransient, unfinished, writeErrors } from './failures.js';
import { BatchedReads } from './gather.js';
import type { GuardedWrite } from './plan.js';
import type { DocKind } from '../port.js';

/** How long a server is not asked again for an ordered write that it has refused, ms. */
export const refusalMs = 10 * 60_000;

const tellsWhatIsDone: DocKind = 'run';

/** The collections of documents, by their names with that of the database. */
type Collections = Record<string, StoredDocument>;
type Seq = Pick<StoredDocument, '_id' | 's'>;

export class Applier {
  /** Batched, because a takeover loads thousands of entities at a time, and each checks its documents. */
  private readonly seqs: ReadonlyMap<string, BatchedReads<DocumentKey, Seq>>;
  /** The server's last refusal of an ordered write. */
  private refusal: Stopwatch | null = null;

  constructor(private readonly connection: MongoConnection) {
    this.seqs = new Map(
      [...docKinds, recordCollection].map((name) => [
        name,
        new BatchedReads<DocumentKey, Seq>(connection, (places) =>
          documentsOf(connection, name)
            .find<Seq>(byIds(connection, places), { projection: { s: 1 } })
            .toArray(),
        ),
      ]),
    );
  }

  /**
   * Writes the changes of many commits at once. Returns the promise of the write that each change is part of, so that
   * no commit waits for a collection that it did not change.
   */
  start(changes: readonly GuardedWrite[], age: Stopwatch): ReadonlyMap<GuardedWrite, Promise<void>> {
    const { ordered, others } = this.ordersWrites ? byOrder(changes) : { ordered: [], others: changes };
    const sent = inOrder(others, (name, group) => this.write(name, group, age));
    const done = ordered.length > 0 ? this.writeOrdered(ordered, age) : null;
    if (done) for (const change of ordered) sent.set(change, done);
    return sent;
  }

  private get ordersWrites(): boolean {
    return this.connection.ordersWrites && (this.refusal === null || this.refusal.ms >= refusalMs);
  }

  /**
   * The driver splits what is too much for one command, and sends the parts in order. An error says
   * little about the single changes; if its cause lasts, it shows again when they are finished.
   */
  private async writeOrdered(changes: readonly GuardedWrite[], age: Stopwatch): Promise<void> {
    const { client, databaseName } = this.connection.db;
    const operations = changes.map((change) => operation(databaseName, change));
    try {
      await client.bulkWrite<Collections>(operations, { ordered: true });
      this.refusal = null;
    } catch (error) {
      await this.finish(changes, age);
      if (isRefusal(error)) this.refused(error);
    }
  }

  private refused(error: unknown): void {
    const { log } = this.connection;
    const minutes = refusalMs / 60_000;
    if (this.refusal === null)
      log?.warn(
        { event: 'store.ordered_writes_refused', err: error },
        `MongoDB refuses writes to several collections in one command: commits take two round trips, and one command is tried again every ${minutes} minutes.`,
      );
    this.refusal = new Stopwatch(this.connection.clocks);
  }

  /** Finishes the commit that a load found. Its changes are usually all present, so it reads first. */
  async finish(changes: readonly GuardedWrite[], age: Stopwatch): Promise<void> {
    await Promise.all(new Set(inOrder(changes, (name, group) => this.repeat(name, group, age)).values()));
  }

  private async write(name: string, changes: readonly GuardedWrite[], age: Stopwatch): Promise<void> {
    const fresh = changes.filter((c) => c.isNew);
    const known = changes.filter((c) => !c.isNew);
    const left = await Promise.all([
      fresh.length > 0 ? this.trying(age, () => this.insert(name, fresh)) : [],
      known.length > 0 ? this.trying(age, () => this.replace(name, known)) : [],
    ]);
    await this.repeat(name, left.flat(), age);
  }

  private async repeat(name: string, changes: readonly GuardedWrite[], age: Stopwatch): Promise<void> {
    for (let left = changes; left.length > 0;) {
      const look = left;
      const older = await this.trying(age, () => this.older(name, look));
      left = older.length > 0 ? await this.trying(age, () => this.replace(name, older)) : [];
    }
  }

  /** Returns the changes whose documents already exist. */
  private insert(name: string, changes: readonly GuardedWrite[]): Promise<GuardedWrite[]> {
    return duplicates(changes, () =>
      documentsOf(this.connection, name).insertMany(
        changes.map((c) => c.document),
        { ordered: false },
      ),
    );
  }

  /** Returns the changes that met a duplicate key. */
  private replace(name: string, changes: readonly GuardedWrite[]): Promise<GuardedWrite[]> {
    return duplicates(changes, () =>
      documentsOf(this.connection, name).bulkWrite(
        changes.map((change) => ({ replaceOne: guarded(change) })),
        { ordered: false },
      ),
    );
  }

  /** Returns the changes whose stored document is absent or has an older seq. */
  private async older(name: string, changes: readonly GuardedWrite[]): Promise<GuardedWrite[]> {
    const there = await Promise.all(changes.map(async (c) => this.seqs.get(name)?.get(c.document)));
    return changes.filter(({ document }, i) => (there[i]?.s ?? 0) < document.s);
  }

  private async trying<T>(age: Stopwatch, send: () => Promise<T>): Promise<T> {
    for (let attempt = 1, last: unknown; ; attempt++) {
      if (age.ms > applyAgeMs) throw unfinished(this.connection.url, last);
      try {
        return await send();
      } catch (error) {
        if (!isTransient(error)) throw unfinished(this.connection.url, error);
        last = error;
        await this.connection.pause(backoffMs(reconnect, attempt));
      }
    }
  }
}

function inOrder(
  changes: readonly GuardedWrite[],
  send: (name: string, group: readonly GuardedWrite[]) => Promise<void>,
): Map<GuardedWrite, Promise<void>> {
  const sent = new Map<GuardedWrite, Promise<void>>();
  const sendAll = (part: readonly GuardedWrite[], after?: Promise<unknown>): void => {
    for (const [name, group] of byCollection(part)) {
      const done = after ? after.then(() => send(name, group)) : send(name, group);
      for (const change of group) sent.set(change, done);
    }
  };
  const waiting = resting(changes);
  sendAll(changes.filter((change) => !waiting.has(change)));
  const grounds = changes.filter(isGround);
  if (waiting.size > 0)
    sendAll([...waiting], Promise.all(new Set(grounds.flatMap((change) => sent.get(change) ?? []))));
  return sent;
}

const isGround = ({ to }: GuardedWrite): boolean => to !== tellsWhatIsDone && to !== recordCollection;

/** The changes that rest on others of their commit. */
function resting(changes: readonly GuardedWrite[]): ReadonlySet<GuardedWrite> {
  const withGrounds = new Set(changes.filter(isGround).map(commitOf));
  return new Set(changes.filter((change) => change.to === tellsWhatIsDone && withGrounds.has(commitOf(change))));
}

/**
 * The changes of all commits in which one rests on others, those last, and the changes of the other commits. The
 * ordered ones are grouped by collection, because a server inserts documents that follow one another in one go.
 */
function byOrder(changes: readonly GuardedWrite[]): {
  ordered: readonly GuardedWrite[];
  others: readonly GuardedWrite[];
} {
  const last = resting(changes);
  const commits = new Set([...last].map(commitOf));
  const first = changes.filter((change) => commits.has(commitOf(change)) && !last.has(change));
  return {
    ordered: [...byCollection(first).values(), ...last].flat(),
    others: changes.filter((change) => !commits.has(commitOf(change))),
  };
}

const commitOf = ({ document: { w, e, s } }: GuardedWrite): string => `${w} ${e} ${s}`;

function byCollection(changes: readonly GuardedWrite[]): Map<string, GuardedWrite[]> {
  const groups = new Map<string, GuardedWrite[]>();
  for (const change of changes) {
    const group = groups.get(change.to);
    if (group) group.push(change);
    else groups.set(change.to, [change]);
  }
  return groups;
}

function guarded({ document }: GuardedWrite) {
  const { _id, w, e, s } = document;
  return { filter: { _id, w, e, s: { $lt: s } }, replacement: document, upsert: true };
}

function operation(database: string, change: GuardedWrite): ClientBulkWriteModel<Collections> {
  const namespace = `${database}.${change.to}`;
  return change.isNew
    ? { name: 'insertOne', namespace, document: change.document }
    : { name: 'replaceOne', namespace, ...guarded(change) };
}

async function duplicates(changes: readonly GuardedWrite[], send: () => Promise<unknown>): Promise<GuardedWrite[]> {
  try {
    await send();
    return [];
  } catch (error) {
    const failed = writeErrors(error);
    if (!failed || failed.some((f) => f.code !== duplicateKey)) throw error;
    const at = new Set(failed.map((f) => f.index));
    return changes.filter((_, i) => at.has(i));
  }
}
