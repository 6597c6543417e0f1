/** An engine over a store in memory, with a reasoner that does what the test says; time is the test's too. */
import { randomBytes } from 'node:crypto';
import { startEmbeddedEngine, type EmbeddedEngine } from '../../actors/embedded-engine.js';
import type { LearningBounds } from '../../actors/entities/agent/learning-places.js';
import { recallSource, vectorSource } from '../../actors/entities/recall-indexes.js';
import type { Embedder } from '../../src/embeddings/port.js';
import { Vectors } from '../../src/embeddings/vectors.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { tierLimits } from '../../src/limits/tiers.js';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { TenantBounds } from '../../actors/quota/tenant-bounds.js';
import { createInMemoryLimits } from '../../src/limits/in-memory.js';
import { createInProcessBus } from '../../src/bus/in-process.js';
import { idSource } from '../../src/domain/shared/ids.js';
import { type ToolCall } from '../../src/domain/model/model.js';
import { scopes } from '../../src/domain/shared/vocabulary.js';
import { sandboxOf } from '../../src/domain/workspace/workspace.js';
import type { McpSettings } from '../../src/mcp/servers.js';
import { createRecall } from '../../src/memory/recall.js';
import type { Push } from '../../src/push/port.js';
import { createPush } from '../../src/push/push.js';
import type { Reasoner, ReasonerFor, StepContext, StepProposal } from '../../src/reasoner/port.js';
import type { Caller } from '../../src/service.js';
import type { Store } from '../../src/store/port.js';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.js';
import { MemoryStore } from './memory-store.js';
import { patient } from './patience.js';
import { workspaceCommit } from './stored.js';

export const caller: Caller = {
  workspace: 'default',
  credentialId: 'key_test',
  tier: 'enterprise',
  scopes,
};

/** The caller that a test key of workspace `default` is; every test engine has its sandbox. */
export const sandboxCaller: Caller = {
  ...caller,
  workspace: sandboxOf('default'),
  credentialId: 'key_box',
  tier: 'sandbox',
};

export type Script = (context: StepContext, signal: AbortSignal) => StepProposal | Promise<StepProposal>;

export const call = (tool: ToolCall['tool'], args: Record<string, string>): ToolCall => ({ tool, arguments: args });
export const does = (...calls: ToolCall[]): StepProposal => ({ thoughts: [], calls });
export const answers = (content: string): StepProposal => does(call('answer', { content }));

/** Answers with what it was told and what it recalled. */
export const echo: Script = (c) =>
  answers(
    `${c.run.input}${c.messages.map((m) => `[${m.content}]`).join('')}${c.memories.map((m) => `{${m.content}}`).join('')}`,
  );

export interface TestEngine {
  engine: EmbeddedEngine;
  store: Store;
  log: string[];
  /** The fields of each line of the log. */
  lines: object[];
  script(next: Script): void;
}

/** Timers of the engine are real but unreferenced, so that nothing here waits for them. */
export const realClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms: number, fn: () => void) => {
    const t = setTimeout(fn, ms).unref();
    return () => {
      clearTimeout(t);
    };
  },
};

/**
 * Time that runs `times` faster, so that what the engine does after a second happens soon; timers are unreferenced too.
 */
export function fastClock(times: number): MonotonicClock {
  const start = Date.now();
  return {
    now: () => start + Math.floor((Date.now() - start) * times),
    elapsed: () => performance.now() * times,
    after: (ms, fn) => realClock.after(Math.ceil(ms / times), fn),
  };
}

/** A clock of which the test says how far it goes: `skip` moves it on, and calls at once what has come due by then. */
export interface SkippingClock extends MonotonicClock {
  skip(ms: number): void;
}

/** Real time, and `skip`: for what must not depend on how fast a test gets on. */
export const skippingClock = (): SkippingClock => clockThatSkips(Date.now, realClock.after);

/** Time that stands still but for `skip`: for what must need no more time than the test gives it. */
export function stillClock(): SkippingClock {
  const start = Date.now();
  return clockThatSkips(
    () => start,
    () => () => undefined,
  );
}

function clockThatSkips(base: () => number, wait: MonotonicClock['after']): SkippingClock {
  const timers = new Map<object, { at: number; fn: () => void; cancel: () => void }>();
  let skipped = 0;
  const now = (): number => base() + skipped;
  return {
    now,
    elapsed: now,
    after(ms, fn) {
      const key = {};
      const stop = wait(ms, () => {
        timers.delete(key);
        fn();
      });
      const cancel = (): void => {
        timers.delete(key);
        stop();
      };
      timers.set(key, { at: now() + ms, fn, cancel });
      return cancel;
    },
    skip(ms) {
      skipped += ms;
      for (const timer of [...timers.values()].filter((t) => t.at <= now()).sort((a, b) => a.at - b.at)) {
        timer.cancel();
        timer.fn();
      }
    },
  };
}

export interface TestEngineOptions {
  messageWaitMs?: number;
  filesMaxBytes?: number;
  idleMs?: number;
  clock?: MonotonicClock;
  push?: Push;
  mcp?: McpSettings;
  /** Where peers are told to push to. */
  publicUrl?: string;
  /** Makes the vectors of memories and queries. */
  embedder?: Embedder;
  /** Finds the reasoner, instead of the script. */
  reasonerFor?: ReasonerFor;
  /** What its reasoner points out as worth remembering, if it can. */
  extract?: NonNullable<Reasoner['extract']>;
  contextOfTask?: 'session';
  /** How many requests learn at a time, and what servers take. */
  learning?: LearningBounds;
  metrics?: Metrics;
  /** How long the journals of ended runs are kept; for ever if omitted. */
  journalMs?: number;
}

/** Calls these hosts for real, and no others. */
export const pushTo = (allow: readonly string[]): Push =>
  createPush({
    allow,
    resolve: () => Promise.resolve([]),
    bodyOf: () => ({ contentType: '', body: '' }),
    timeoutMs: 5000,
    maxResponseBytes: 1000,
    userAgent: 'test',
    log: { error: () => undefined } as never,
    clock: realClock,
  });

/** Lets every URL pass, and delivers to nobody. */
export const noPush: Push = {
  check: () => Promise.resolve(),
  deliver: () => Promise.resolve(),
  turn: () => Promise.resolve(() => undefined),
  open: () => Promise.reject(new Error('nothing is called here')),
  close: () => Promise.resolve(),
};

export async function testEngine(
  store: Store = new MemoryStore(),
  script: Script = echo,
  options: TestEngineOptions = {},
): Promise<TestEngine> {
  let current = script;
  const clock = options.clock ?? realClock;
  const log: string[] = [];
  const lines: object[] = [];
  const line = (fields: object, message: string): void => {
    lines.push(fields);
    log.push(`${message} ${'err' in fields ? String(fields.err) : ''}`);
  };
  for (const { workspace: id, tier } of [caller, sandboxCaller]) {
    if (await store.head({ workspace: id, kind: 'workspace', id })) continue;
    await store.commit(workspaceCommit(id, tier));
  }
  const reasoner: Reasoner = { name: 'scripted', next: (context, signal) => current(context, signal) };
  if (options.extract) reasoner.extract = options.extract;
  const logger = { info: () => undefined, warn: line, error: line };
  const vectors = options.embedder && new Vectors({ embedder: options.embedder, clock, log: logger });
  const engine = startEmbeddedEngine({
    deps: {
      ...(vectors && { vectors }),
      ...(options.learning && { learning: options.learning }),
      store,
      clock,
      ids: idSource(randomBytes),
      log: logger,
      metrics: options.metrics ?? createMetrics(),
      bus: createInProcessBus(logger),
      bounds: new TenantBounds({ store, clock, limits: createInMemoryLimits({ holdMs: 30_000 }) }),
      recall: createRecall({
        source: recallSource(store, undefined, vectorSource(vectors)),
        clock,
        maxBytes: 64 * 1024 * 1024,
      }),
      reasonerFor: options.reasonerFor ?? (() => reasoner),
      push: options.push ?? noPush,
      pushRetry: { tries: 3, firstPauseMs: 1 },
      defaults: {
        maxSteps: 10,
        maxRuntimeSeconds: 300,
        messageBudget: 1000,
        journalMs: options.journalMs ?? 0,
        ...(options.contextOfTask && { contextOfTask: options.contextOfTask }),
      },
    },
    ...(options.mcp && { mcp: options.mcp }),
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
    idleMs: options.idleMs ?? 60_000,
    tiers: tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 }),
    messageWaitMs: options.messageWaitMs ?? 5000,
    filesMaxBytes: options.filesMaxBytes ?? 1024 * 1024,
    modelServers: [],
    heartbeatMs: 50,
    randomBytes,
    keyring: createKeyring([new Uint8Array(32)]),
  });
  await engine.recovered;
  return {
    engine,
    store,
    log,
    lines,
    script: (next) => {
      current = next;
    },
  };
}

/**
 * Resolves when `look` answers something; it is asked once more when the time is up, so that a test that was held up
 * itself fails nothing.
 */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false>,
  what = 'it',
  patienceMs = 15_000,
): Promise<T> {
  for (const end = Date.now() + patient(patienceMs); ;) {
    const last = Date.now() > end;
    const found = await look();
    if (found) return found;
    if (last) throw new Error(`${what} did not happen within ${patienceMs} ms`);
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
