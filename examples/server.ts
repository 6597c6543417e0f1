/**
 * The server that an example talks to: the one that HIVEKEEP_URL and HIVEKEEP_KEY name, otherwise one of its own, on a
 * free port and in a folder that is removed at the end.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Server {
  url: string;
  /** An API key of it, with all scopes. */
  key: string;
  stop(): Promise<void>;
}

/** `settings` are variables of the environment (docs/configuration.md). Builds the server first where that is needed. */
export async function startServer(settings: Record<string, string> = {}): Promise<Server> {
  const { HIVEKEEP_URL: url, HIVEKEEP_KEY: key, ...environment } = process.env;
  if (url !== undefined && key !== undefined) return { url, key, stop: () => Promise.resolve() };

  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-example-'));
  const rootKey = `svc_live_${randomBytes(24).toString('hex')}`;
  const child = spawn(process.execPath, ['scripts/start.js'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      ...environment,
      HIVEKEEP_PORT: '0',
      HIVEKEEP_DATA_DIR: dir,
      HIVEKEEP_ROOT_KEY: rootKey,
      HIVEKEEP_LOG_FORMAT: 'json',
      HIVEKEEP_LOG_LEVEL: 'warn',
      NODE_OPTIONS: '',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  process.once('exit', () => child.kill('SIGKILL'));
  const ready = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const started = JSON.parse(line) as { event?: string; url?: string };
      if (started.event === 'ready' && started.url !== undefined) resolve(started.url);
    });
  });
  const served = await Promise.race([ready, ended]);
  if (served === undefined) throw new Error('hivekeep did not start; what it said is above');
  return {
    url: served,
    key: rootKey,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Writes a line of the story that an example tells. */
export const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Asks again, a few times a second, until there is an answer. */
export async function until<T>(ask: () => Promise<T | null | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
