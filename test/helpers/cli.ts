/** One command of the built command line, run to its end in a process of its own. */
import { spawn } from 'node:child_process';
import { patient } from './patience.js';
import { cleanEnvironment, mainFile } from './server.js';

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

const usualMs = patient(15_000);

/** `code` is null when it did not end by itself within `patienceMs`. */
export function cli(
  args: readonly string[],
  env: Record<string, string>,
  main = mainFile,
  patienceMs = usualMs,
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    // The timeout ends a `serve` that started though it should have refused.
    const child = spawn(process.execPath, [main, ...args], {
      env: cleanEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}
