/**
 * The real server, with data of its own and a known root key: a child process on a free port of 127.0.0.1, or a cluster
 * (helpers/cluster-mode.ts). It is built first when a source is newer than the build. `stop` ends it and removes its
 * data.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore } from '../../src/store/lmdb/open.js';
import { openMongoStore } from '../../src/store/mongo/open.js';
import type { Store } from '../../src/store/port.js';
import { clusterMode } from './cluster-mode.js';
import { startCluster } from './cluster-processes.js';
import { buildWhenNeeded, end, type Exit, launch, mainFile, rootKey } from './server-process.js';

export { buildWhenNeeded, cleanEnvironment, type Exit, mainFile, projectRoot, rootKey } from './server-process.js';

export interface StartOptions {
  /** More settings, or others than the helper's own. */
  env?: Record<string, string>;
  /** An existing data folder, which `stop` then keeps. */
  dir?: string;
  /** The file to run instead of this project's build. */
  main?: string;
}

export interface TestServer {
  /** Where it listens now; another port after `restart`. */
  readonly url: string;
  readonly key: string;
  /** Its data folder; empty for a cluster. */
  readonly dir: string;
  /** The settings with which a command works on the same data. */
  readonly beside: Readonly<Record<string, string>>;
  /** Of the one process; -1 for a cluster. */
  readonly pid: number;
  /** Everything on standard error so far, of all its incarnations. */
  stderr(): string;
  /** The same of standard output. */
  stdout(): string;
  /** The store beside it, as the command line opens it. */
  openStore(): Promise<Store>;
  /** Sends the signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** Starts again on the same data; kills it first (SIGKILL) when it still runs. */
  restart(): Promise<void>;
  /** Ends it with SIGTERM if it still runs, and removes its data unless it was given. */
  stop(): Promise<Exit>;
}

/** A server of its own folder or program is a process also where the others are clusters. */
export function startTestServer(options: StartOptions = {}): Promise<TestServer> {
  return clusterMode && options.dir === undefined && options.main === undefined
    ? startTestCluster(options.env ?? {})
    : startProcess(options);
}

async function startProcess(options: StartOptions): Promise<TestServer> {
  if (options.main === undefined) buildWhenNeeded();
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'hivekeep-'));
  const key = options.env?.['HIVEKEEP_ROOT_KEY'] ?? rootKey;
  const errors: string[] = [];
  const output: string[] = [];
  const start = (): ReturnType<typeof launch> =>
    launch(
      options.main ?? mainFile,
      {
        HIVEKEEP_HOST: '127.0.0.1',
        HIVEKEEP_PORT: '0',
        HIVEKEEP_DATA_DIR: dir,
        HIVEKEEP_ROOT_KEY: key,
        HIVEKEEP_LOG_FORMAT: 'json',
        ...options.env,
      },
      errors,
      output,
    );
  let running = await start();
  return {
    key,
    dir,
    beside: { HIVEKEEP_DATA_DIR: dir },
    get url() {
      return running.url;
    },
    get pid() {
      return running.child.pid ?? -1;
    },
    stderr: () => errors.join(''),
    stdout: () => output.join(''),
    openStore: () => openLmdbStore({ dir, shared: true }),
    kill: (signal) => end(running, signal),
    async restart() {
      await end(running, 'SIGKILL');
      running = await start();
    },
    async stop() {
      const exit = await end(running, 'SIGTERM');
      if (options.dir === undefined)
        for (const path of [dir, `${dir}.key`]) rmSync(path, { recursive: true, force: true });
      return exit;
    },
  };
}

/** Signals go to all of its processes at once. */
async function startTestCluster(env: Record<string, string>): Promise<TestServer> {
  const cluster = await startCluster({ gateways: 2, workers: 2, env });
  if (cluster === null)
    throw new Error(
      'HIVEKEEP_TEST_CLUSTER needs a MongoDB and a Redis: MONGODB_URL and REDIS_URL, or mongod and redis-server on PATH',
    );
  const { processes, settings, key } = cluster;
  const all = (text: (p: (typeof processes)[number]) => string): string => processes.map(text).join('');
  const first = (exits: readonly (Exit | null)[]): Exit =>
    exits.find((e) => e !== null && e.code !== 0) ?? exits.find((e) => e !== null) ?? { code: 0, signal: null };
  const kill = async (signal: NodeJS.Signals): Promise<Exit> =>
    first(await Promise.all(processes.map((p) => p.end(signal))));
  return {
    key,
    dir: '',
    pid: -1,
    beside: settings,
    kill,
    get url() {
      return cluster.url;
    },
    stderr: () => all((p) => p.stderr()),
    stdout: () => all((p) => p.stdout()),
    openStore: () => openMongoStore({ url: settings['HIVEKEEP_MONGODB_URL'] ?? '' }),
    async restart() {
      await kill('SIGKILL');
      await Promise.all(processes.map((p) => p.start()));
    },
    stop: async () => first(await cluster.stop()),
  };
}
