/**
 * A real MongoDB for tests: MONGODB_URL where it is set (a database of its own for each test), else `mongod` from PATH on
 * a free port with a folder of its own, else null and the suite is skipped. Ours is a replica set of one member, as in
 * production, or a standalone server where a test asks for it; mongo-set.ts has three members. `.ci/run` installs mongod.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, MongoServerError } from 'mongodb';
import { OwnServer, type ServerCommand } from './own-server.js';
import { freePort } from './redis-service.js';

export interface MongoService {
  /** The server, without a database. */
  readonly url: string;
  /** What a test of our own server may do to it; null for one that was given. */
  readonly own: OwnMongo | null;
  /** The URL of a database that nobody has used. */
  freshUrl(): string;
  /** Removes the database of such a URL, where the server was given; our own goes with its folder. */
  drop(url: string): Promise<void>;
  stop(): Promise<void>;
}

export interface OwnMongo {
  readonly port: number;
  /** kill -9. */
  kill(): Promise<void>;
  /** Starts it again on its data after `kill`, and waits until it takes writes. */
  start(): Promise<void>;
  /** SIGSTOP: it listens, and answers nothing. */
  pause(): void;
  resume(): void;
}

export type MongoShape = 'standalone' | 'set of one';

const patienceMs = 30_000;

export async function mongoService(shape: MongoShape = 'set of one'): Promise<MongoService | null> {
  const given = process.env['MONGODB_URL'];
  if (given) return service(given, null, async () => undefined);
  const port = await freePort();
  const server = new OwnServer(port, shape === 'standalone' ? mongod([], ping) : mongod(['--replSet', 'one'], primary));
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return service(`mongodb://127.0.0.1:${port}`, server, () => server.stop());
}

function service(url: string, own: OwnMongo | null, stop: () => Promise<void>): MongoService {
  const [, base = url, options = ''] =
    /^([^?]*?)\/?(\?.*)?$/.exec(url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]*)\/[^?]*/, '$1')) ?? [];
  return {
    url,
    own,
    stop,
    freshUrl: () => `${base}/${freshName()}${options}`,
    drop: (one) =>
      own
        ? Promise.resolve()
        : withClient(one, async (client) => {
            await client.db(/\/([^/?]+)(?:\?|$)/.exec(one.slice(base.length))?.[1]).dropDatabase();
          }),
  };
}

/** The name of a database that nobody has used. */
export const freshName = (): string => `hivekeep_test_${randomUUID().slice(0, 18).replaceAll('-', '')}`;

export async function withClient<T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 30_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Empties a database, which takes a hundredth of the time that it takes to make one with its indexes. */
export const emptyDatabase = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    for (const { name } of await client.db().listCollections({}, { nameOnly: true }).toArray())
      await client.db().collection(name).deleteMany({});
  });

/** A mongod that takes little memory, and does what a test orders it to fail at (`configureFailPoint`). */
export const mongod = (more: readonly string[], answers: ServerCommand['answers']): ServerCommand => ({
  name: 'mongod',
  args: (port, folder) => [
    ...['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', folder, '--quiet'],
    ...['--wiredTigerCacheSizeGB', '0.25', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...['--setParameter', 'enableTestCommands=1', ...more],
  ],
  answers,
});

const direct = (port: number): string => `mongodb://127.0.0.1:${port}/?directConnection=true`;

/** Resolves when the server answers at all. */
export const ping = (port: number): Promise<unknown> =>
  withClient(direct(port), (client) => client.db('admin').command({ ping: 1 }));

/** Makes a replica set of one where there is none, and resolves when its member takes writes. */
const primary = (port: number): Promise<void> =>
  withClient(direct(port), async (client) => {
    const admin = client.db('admin');
    const alreadyThere = 23;
    await admin
      .command({ replSetInitiate: { _id: 'one', members: [{ _id: 0, host: `127.0.0.1:${port}` }] } })
      .catch((error: unknown) => {
        if (!(error instanceof MongoServerError && error.code === alreadyThere)) throw error;
      });
    for (const until = Date.now() + patienceMs; !(await admin.command({ hello: 1 }))['isWritablePrimary'];) {
      if (Date.now() > until) throw new Error('mongod takes no writes 30 s after it was started');
      await pause(20);
    }
  });
