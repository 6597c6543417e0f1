/** A push service with everything in the test's hand: DNS, time, and what was connected to. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createPush, type PushDeps } from '../../../src/push/push.js';
import { PushError, type Push } from '../../../src/push/port.js';
import type { PushConfig, TaskPush, Task } from '../../../src/domain/task/task.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';
import { createLog } from '../../../src/telemetry/pino-log.js';

export const task: Task = {
  id: 'run_1',
  agent_id: 'agent_1',
  status: 'completed',
  statusAt: '2026-11-21T10:00:00.000Z',
  statusSeq: 4,
  statusMessage: null,
  output: [{ kind: 'text', text: 'done' }],
  history: null,
  lastSeq: 4,
};

export const pushTo = (url: string, config: Partial<PushConfig> = {}): TaskPush => ({
  id: 'outbox_1',
  config: { id: 'config_1', url, version: '0.3', ...config },
  task,
});

export interface World {
  push: Push;
  asked: string[];
  logged: string[];
  dns: Map<string, readonly string[] | Error>;
  timers: { ms: number; fire: () => void }[];
}

/** Names that `dns` does not know do not resolve. Time stands still until a timer is fired. */
export function world(parts: Partial<PushDeps> = {}): World {
  const dns: World['dns'] = new Map();
  const asked: string[] = [];
  const logged: string[] = [];
  const timers: World['timers'] = [];
  const push = createPush({
    allow: [],
    timeoutMs: 10_000,
    maxResponseBytes: 1024,
    userAgent: 'hivekeep/test',
    bodyOf: (item) => ({
      contentType: 'application/json',
      body: JSON.stringify('task' in item ? item.task : item.event),
    }),
    resolve: async (host) => {
      asked.push(host);
      const found = dns.get(host) ?? new Error('ENOTFOUND');
      if (found instanceof Error) throw found;
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    log: createLog({
      level: 'debug',
      format: 'json',
      write: (line) => {
        logged.push(line);
      },
    }),
    clock: {
      now: () => 0,
      after: (ms, fire) => {
        const timer = { ms, fire };
        timers.push(timer);
        return () => {
          timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
        };
      },
    },
    ...parts,
  });
  return { push, asked, logged, dns, timers };
}

/** How a promise was refused, in one line. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof HivekeepError) return `${error.code} ${error.message}`;
    if (error instanceof PushError) return `${error.final ? 'final' : 'retry'}: ${error.message}`;
    throw error;
  }
  return 'let through';
}

/** Runs `work` and answers the hosts that undici began to connect to meanwhile. */
export async function connectionsDuring(work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const note = (message: unknown): void => {
    seen.push((message as { connectParams: { host: string } }).connectParams.host);
  };
  subscribe('undici:client:beforeConnect', note);
  try {
    await work();
  } finally {
    unsubscribe('undici:client:beforeConnect', note);
  }
  return seen;
}
