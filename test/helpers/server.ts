/**
 * The real server as a child process, on a free port of 127.0.0.1, with a data folder of its own and a known root key.
 * It is built first when a source is newer than the build. `stop` ends it and removes the folder.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
export const mainFile = join(projectRoot, 'dist/src/main.js');
export const rootKey = `svc_live_${'testRootKey0'.repeat(4)}`;

export interface Exit { code: number | null; signal: NodeJS.Signals | null }

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
  readonly dir: string;
  readonly pid: number;
  /** Everything on standard error so far, of all its incarnations. */
  stderr(): string;
  /** The same of standard output. */
  stdout(): string;
  /** Sends the signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** Starts again on the same data; kills it first (SIGKILL) when it still runs. */
  restart(): Promise<void>;
  /** Ends it with SIGTERM if it still runs, and removes the data folder unless it was given. */
  stop(): Promise<Exit>;
}

const startPatienceMs = 30_000;

export async function startTestServer(options: StartOptions = {}): Promise<TestServer> {
  if (options.main === undefined) buildWhenNeeded();
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'hivekeep-'));
  const key = options.env?.['HIVEKEEP_ROOT_KEY'] ?? rootKey;
  const errors: string[] = [], output: string[] = [];
  const start = (): Promise<Running> => launch(options.main ?? mainFile, {
    HIVEKEEP_HOST: '127.0.0.1', HIVEKEEP_PORT: '0', HIVEKEEP_DATA_DIR: dir, HIVEKEEP_ROOT_KEY: key, HIVEKEEP_LOG_FORMAT: 'json', ...options.env,
  }, errors, output);
  let running = await start();
  const end = (signal: NodeJS.Signals): Promise<Exit> => {
    if (running.child.exitCode === null && running.child.signalCode === null) running.child.kill(signal);
    return running.exited;
  };
  return {
    key, dir,
    get url() { return running.url; },
    get pid() { return running.child.pid ?? -1; },
    stderr: () => errors.join(''),
    stdout: () => output.join(''),
    kill: end,
    async restart() {
      await end('SIGKILL');
      running = await start();
    },
    async stop() {
      const exit = await end('SIGTERM');
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
      return exit;
    },
  };
}

/** Does nothing when no source is newer than the build. Throws with what the compiler says. */
export function buildWhenNeeded(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(projectRoot, 'scripts/build.js')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed:\n${stderr}`);
}

/** The environment without this shell's own settings of hivekeep, so that a test means the same everywhere. */
export function cleanEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('HIVEKEEP_') && name !== 'NODE_OPTIONS');
  return { ...Object.fromEntries(kept), ...more };
}

interface Running { child: ChildProcess; url: string; exited: Promise<Exit> }

async function launch(main: string, env: Record<string, string>, errors: string[], output: string[]): Promise<Running> {
  const child = spawn(process.execPath, [main, 'serve'], { env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const exited = new Promise<Exit>((resolve) => child.once('close', (code, signal) => { resolve({ code, signal }); }));
  const ready = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const url = readyUrl(line);
      if (url !== null) resolve(url);
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<null>((resolve) => { timer = setTimeout(() => { resolve(null); }, startPatienceMs); });
  const url = await Promise.race([ready, exited, tooLong]).finally(() => { clearTimeout(timer); });
  if (typeof url === 'string') return { child, url, exited };
  child.kill('SIGKILL');
  throw new Error(url === null ? `the server was not ready after ${startPatienceMs} ms:\n${errors.join('')}` : `the server ended with ${url.code ?? url.signal} instead of starting:\n${errors.join('')}`);
}

/** The URL in the machine-readable last line of a start; null for every other line. */
function readyUrl(line: string): string | null {
  try {
    const fields = JSON.parse(line) as { event?: unknown; url?: unknown };
    return fields.event === 'ready' && typeof fields.url === 'string' ? fields.url : null;
  } catch {
    return null;
  }
}
