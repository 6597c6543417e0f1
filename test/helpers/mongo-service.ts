/**
 * A real MongoDB for tests: MONGODB_URL where it is set (a database of its own for each test), else `mongod` or
 * `secantusd-py` (SecantusDB, which speaks MongoDB's protocol) from PATH on a free port with a folder of its own, else
 * null and the suite is skipped.
 */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
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
  /** Starts it again on its data after `kill`, and waits until it answers. */
  start(): Promise<void>;
  /** SIGSTOP: it listens, and answers nothing. */
  pause(): void;
  resume(): void;
}

const patienceMs = 30_000;

export async function mongoService(): Promise<MongoService | null> {
  const given = process.env['MONGODB_URL'];
  if (given) return service(given, null, async () => undefined);
  const port = await freePort();
  for (const command of commands) {
    const server = new OwnServer(port, command);
    try {
      await server.start();
      return service(`mongodb://127.0.0.1:${port}`, server, () => server.stop());
    } catch (error) {
      await server.stop();
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return null;
}

function service(url: string, own: OwnMongo | null, stop: () => Promise<void>): MongoService {
  const [, base = url, options = ''] =
    /^([^?]*?)\/?(\?.*)?$/.exec(url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]*)\/[^?]*/, '$1')) ?? [];
  return {
    url,
    own,
    stop,
    freshUrl: () => `${base}/hivekeep_test_${randomUUID().slice(0, 18).replaceAll('-', '')}${options}`,
    drop: (one) =>
      own
        ? Promise.resolve()
        : withClient(one, async (client) => {
            await client.db(/\/([^/?]+)(?:\?|$)/.exec(one.slice(base.length))?.[1]).dropDatabase();
          }),
  };
}

export async function withClient<T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: patienceMs });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const answers = (port: number): Promise<unknown> =>
  withClient(`mongodb://127.0.0.1:${port}`, (client) => client.db('admin').command({ ping: 1 }));

const commands: readonly ServerCommand[] = [
  {
    name: 'mongod',
    args: (port, folder) => ['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', folder, '--quiet'],
    answers,
  },
  {
    name: 'secantusd-py',
    args: (port, folder) => [
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--storage-path',
      folder,
      '--sync-on-commit',
    ],
    answers,
  },
];
