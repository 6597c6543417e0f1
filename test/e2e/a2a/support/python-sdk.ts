/**
 * The official Python SDK in virtual environments of its own, one for each release, kept in node_modules/.cache between
 * runs. Each call is a process of test/e2e/a2a/python/client.py.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/a2a-python/', import.meta.url));
const script = fileURLToPath(new URL('../python/client.py', import.meta.url));

/** The path of a Python that has this release, or the reason why there is none. */
export async function pythonWith(release: string): Promise<{ python: string } | { missing: string }> {
  const venv = join(cache, release);
  const python = join(venv, 'bin', 'python');
  if (existsSync(python)) return { python };
  try {
    await run('python3', ['--version']);
  } catch {
    return { missing: 'there is no python3' };
  }
  mkdirSync(cache, { recursive: true });
  const making = `${venv}.${process.pid}`;
  try {
    await run('python3', ['-m', 'venv', making]);
    await run(join(making, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `a2a-sdk==${release}`]);
    renameSync(making, venv);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(python)) return { missing: `a2a-sdk ${release} cannot be installed: ${(error as Error).message}` };
  }
  return { python };
}

/** What client.py tells of one frame. */
export interface PythonEvent {
  kind: 'task' | 'status' | 'artifact';
  id?: string;
  context: string;
  state?: string;
  text: string | null;
  final?: boolean;
}

export interface PythonCall {
  events: PythonEvent[];
  /** Null where the SDK came to the end of the stream, else what it raised. */
  end: Promise<string | null>;
  kill(): void;
}

export function pythonCall(python: string, ...args: string[]): PythonCall {
  const child = spawn(python, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const events: PythonEvent[] = [];
  let raised = '';
  createInterface(child.stdout).on('line', (line) => events.push(JSON.parse(line) as PythonEvent));
  child.stderr.on('data', (chunk: Buffer) => (raised += chunk.toString()));
  const end = new Promise<string | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code === 0 ? null : raised);
    });
  });
  return { events, end, kill: () => child.kill('SIGKILL') };
}
