/** The official Python SDK (test/helpers/python.ts). Each call is a process of test/e2e/a2a/python/client.py. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../python/client.py', import.meta.url));

/** What client.py tells of one frame. */
export interface PythonEvent {
  /** `whole`: what the SDK itself makes of the chunks of a task's artifacts, where it does. */
  kind: 'task' | 'status' | 'artifact' | 'whole';
  id?: string;
  context: string;
  state?: string;
  text: string | null;
  final?: boolean;
  append?: boolean;
  last?: boolean;
  /** How many artifacts the task has. */
  artifacts?: number;
}

export interface PythonCall {
  events: PythonEvent[];
  /** Null where the SDK came to the end of the stream, else what it raised. */
  end: Promise<string | null>;
  kill(): void;
}

export function pythonCall(python: string, binding: string, ...args: string[]): PythonCall {
  const env = { ...process.env, A2A_BINDING: binding };
  const child = spawn(python, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
