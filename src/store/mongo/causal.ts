/**
 * What keeps reads from showing less than what was acknowledged when the primary of a replica set is replaced. A new
 * primary has everything that was acknowledged, but until it has committed an entry of its own it answers reads of read
 * concern `majority` from an earlier time, while it judges writes by the newest data (SERVER-53813). A compare-and-set
 * could then succeed that was decided on documents from before.
 *
 *  MongoCausal.C1 The reads of a process are one causally consistent session: each waits until the server shows all that the
 *    process was acknowledged or has read before. Writes have sessions of their own, and only an acknowledged one
 *    moves the session's time: a read never waits for what no majority has.
 *  - No read is answered by a primary that has not shown yet that it is up to date: from each election that the driver
 *    hears of, the first read waits for a `barrier`, and a read during which the primary changed is repeated. So reads
 *    also show what was acknowledged to other processes. (A mongos hides elections; there MongoCausal.C1 and the barrier at
 *    takeovers remain.)
 *  - `barrier` resolves when all that was acknowledged to anybody before the call is shown to reads of this process. A
 *    primary that was replaced cannot answer it.
 *  - A command settles within `longestMs`: the driver's own time limits do not end one whose connection breaks while
 *    the command is still being sent, for then it waits for the socket to take more, for ever. A read or barrier that
 *    an earlier primary was asked for has `patienceMs` from when the new one is known.
 */
import type {
  AbstractCursor,
  ClientSession,
  Collection,
  Db,
  Document,
  MongoClient,
  TopologyDescription,
} from 'mongodb';
import { Deadline } from './deadline.js';
import { docKinds } from '../list-query.js';
import { recordCollection, headCollection, metaCollection } from './documents.js';
import { writeErrors } from './failures.js';

/** The methods of a collection that the adapter uses, by the place of their options. */
const reads = { findOne: 1, countDocuments: 1 } as const;
const cursors = { find: 1, aggregate: 1 } as const;
const writes = {
  insertOne: 1,
  insertMany: 1,
  bulkWrite: 1,
  deleteOne: 1,
  deleteMany: 1,
  updateOne: 2,
  updateMany: 2,
  findOneAndUpdate: 2,
} as const;

type Call = (...args: unknown[]) => Promise<unknown>;
type Options = Record<string, unknown> | undefined;

export class Causal {
  private readonly session: ClientSession;
  /** The database, whose reads and writes keep MongoCausal.C1. A write that names a write concern is left as it is. */
  readonly db: Db;
  private election: string | null = null;
  private proven: string | null = null;
  private proof: Promise<void> | null = null;
  private sharded = false;
  private readonly longestMs: number;
  private readonly patienceMs: number;
  private readonly repeatables = new Set<Deadline>();

  constructor(
    private readonly client: MongoClient,
    database: string,
  ) {
    this.session = client.startSession({ causalConsistency: true });
    const { serverSelectionTimeoutMS, waitQueueTimeoutMS, socketTimeoutMS } = client.options;
    this.longestMs = serverSelectionTimeoutMS + waitQueueTimeoutMS + socketTimeoutMS;
    this.patienceMs = serverSelectionTimeoutMS;
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      const election = electionOf(newDescription);
      if (election !== null && election !== this.election)
        for (const deadline of this.repeatables) deadline.shorten(this.patienceMs);
      this.election = election;
      this.sharded = newDescription.type === 'Sharded';
    });
    const db = client.db(database);
    this.db = Object.create(db, {
      collection: { value: (name: string) => this.collection(db.collection(name)) },
      command: { value: (command: Document) => this.within((signal) => db.command(command, { signal })) },
      client: {
        value: Object.create(client, { bulkWrite: { value: this.write(client, 'bulkWrite', 1) } }) as MongoClient,
      },
    }) as Db;
  }

  /** `work` may be done more than once: again where it failed while the primary changed, but not twice. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    for (let failed = false; ;) {
      const before = this.election;
      try {
        const election = await this.upToDate();
        const result = await work();
        if (this.election === election) return result;
      } catch (error) {
        if (failed || this.election === before) throw error;
        failed = true;
      }
    }
  }

  /** Resolves with the election of a primary that is up to date. */
  async upToDate(): Promise<string> {
    for (;;) {
      const { election } = this;
      if (election !== null && election === this.proven) return election;
      this.proof ??= this.barrier()
        .then(() => {
          if (this.election === election) this.proven = election;
        })
        .finally(() => {
          this.proof = null;
        });
      await this.proof;
    }
  }

  /**
   * A write that matches nothing is acknowledged when a majority has everything that the primary had
   * then. Those of a sharded cluster go to every shard that holds documents.
   */
  async barrier(): Promise<void> {
    const names = this.sharded ? [headCollection, recordCollection, ...docKinds] : [metaCollection];
    await this.repeatable(() =>
      Promise.all(names.map((name) => this.db.collection<{ _id: string }>(name).deleteMany({ _id: '' }))),
    );
  }

  close(): Promise<void> {
    return this.session.endSession();
  }

  private collection(collection: Collection): Collection {
    const made = Object.create(collection) as Record<string, unknown>;
    const { session } = this;
    for (const [name, at] of Object.entries(reads)) {
      const call = collection[name as keyof typeof reads].bind(collection) as Call;
      made[name] = (...args: unknown[]) =>
        this.repeatable((signal) => call(...withOptions(args, at, { session, signal })));
    }
    for (const [name, at] of Object.entries(cursors)) {
      const call = collection[name as keyof typeof cursors].bind(collection) as (...args: unknown[]) => AbstractCursor;
      made[name] = (...args: unknown[]) => {
        const late = new AbortController();
        return this.patient(call(...withOptions(args, at, { session, signal: late.signal })), late);
      };
    }
    for (const [name, at] of Object.entries(writes)) made[name] = this.write(collection, name, at);
    return made as unknown as Collection;
  }

  private write(on: object, name: string, at: number): Call {
    const call = (on as Record<string, Call>)[name]?.bind(on) as Call;
    return async (...args) => {
      const isOwn = (args[at] as Options)?.['writeConcern'] === undefined;
      const session = isOwn ? this.client.startSession({ causalConsistency: true }) : undefined;
      try {
        const result = await this.within((signal) => call(...withOptions(args, at, { session, signal })));
        this.acknowledged(session?.operationTime);
        return result;
      } catch (error) {
        // the other writes of a bulk took effect
        if (writeErrors(error)) this.acknowledged(session?.operationTime);
        throw error;
      } finally {
        await session?.endSession();
      }
    };
  }

  /** Each batch may take as long as a command: a cursor may take longer in all. */
  private patient(cursor: AbstractCursor, late: AbortController): AbstractCursor {
    const next = cursor.next.bind(cursor);
    cursor.next = () => (cursor.bufferedCount() > 0 ? next() : this.repeatable(next, late));
    return cursor;
  }

  private async repeatable<T>(work: (signal: AbortSignal) => Promise<T>, late = new AbortController()): Promise<T> {
    const deadline = new Deadline(this.longestMs, late);
    if (this.election !== null) this.repeatables.add(deadline);
    try {
      return await deadline.race(work(late.signal));
    } finally {
      this.repeatables.delete(deadline);
    }
  }

  private within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    return new Deadline(this.longestMs, late).race(work(late.signal));
  }

  /** A standalone server knows no such times. */
  private acknowledged(time: ClientSession['operationTime'] | undefined): void {
    if (time) this.session.advanceOperationTime(time);
  }
}

function withOptions(args: unknown[], at: number, more: object): unknown[] {
  const all = [...args];
  all[at] = { ...(args[at] as Options), ...more };
  return all;
}

/** Says which primary answers, and since which election. Null: nobody known. */
function electionOf({ type, servers }: TopologyDescription): string | null {
  if (type === 'Sharded' || type === 'LoadBalanced') return type;
  for (const server of servers.values()) {
    if (server.type === 'Standalone') return server.type;
    if (server.type === 'RSPrimary')
      return `${server.address} ${String(server.setVersion)} ${String(server.electionId)}`;
  }
  return null;
}
