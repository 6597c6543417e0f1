/**
 * One process of the built service, from its start to its end: what the embedded server and each process of a cluster
 * are in tests.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { patient } from './patience.js';

/** Also where this file was compiled for the benchmarks, into `.bench`. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\.bench[\\/]$/, '');
export const mainFile = join(projectRoot, 'dist/gateway/main/main.js');
export const rootKey = `svc_live_${'testRootKey0'.repeat(4)}`;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}
export interface Running {
  child: ChildProcess;
  url: string;
  exited: Promise<Exit>;
}

/** A run of tests that is ended leaves no process behind. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

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

/**
 * `hivekeep serve` with these settings; what it prints is added to `errors` and `output`. Resolves when it serves, and
 * throws with its last words where it does not within `patienceMs`.
 */
export async function launch(
  main: string,
  env: Record<string, string>,
  errors: string[],
  output: string[],
  patienceMs = patient(30_000),
): Promise<Running> {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('close', () => {
    children.delete(child);
  });
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const exited = new Promise<Exit>((resolve) =>
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    }),
  );
  const ready = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const url = readyUrl(line);
      if (url !== null) resolve(url);
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolve(null);
    }, patienceMs);
  });
  const url = await Promise.race([ready, exited, tooLong]).finally(() => {
    clearTimeout(timer);
  });
  if (typeof url === 'string') return { child, url, exited };
  child.kill('SIGKILL');
  throw new Error(
    url === null
      ? `the server was not ready after ${patienceMs} ms:\n${errors.join('')}`
      : `the server ended with ${url.code ?? url.signal} instead of starting:\n${errors.join('')}`,
  );
}

/** Sends the signal to what still runs, and waits for the end. */
export function end({ child, exited }: Running, signal: NodeJS.Signals): Promise<Exit> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  return exited;
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
