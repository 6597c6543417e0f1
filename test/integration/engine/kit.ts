/**
 * An engine over either store, which can be stopped, killed and started again on what it left; and steps that wait for
 * the test.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StepContext, StepProposal } from '../../../src/reasoner/port.js';
import type { Run, RunEvent } from '../../../src/domain/model/model.js';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import { openLmdbStore } from '../../../src/store/lmdb/open.js';
import type { EntityRef, Store } from '../../../src/store/port.js';
import {
  caller,
  eventually,
  testEngine,
  type Script,
  type TestEngine,
  type TestEngineOptions,
} from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { getRun } from '../../../src/commands/runs.js';

export interface Bed {
  /** What the engines stand on; it stays when one of them is killed. */
  readonly store: Store;
  start(script?: Script, options?: TestEngineOptions): Promise<Running>;
}

export interface Running extends TestEngine {
  readonly service: TestEngine['engine']['service'];
  /** As kill -9: what was handed to the store happens, nobody hears of it, and nothing else happens any more. */
  kill: () => void;
}

/** The tests run over a store in memory and over lmdb. */
export function overStores(name: string, tests: (bed: Bed) => void): void {
  for (const kind of ['memory', 'lmdb'] as const) {
    describe(`${name} (${kind})`, () => {
      let store: Store;
      let dir: string | null = null;
      let engines: { engine: TestEngine['engine']; killed: () => boolean; landed: () => Promise<unknown> }[] = [];
      beforeEach(async () => {
        dir = kind === 'lmdb' ? mkdtempSync(join(tmpdir(), 'hivekeep-engine-')) : null;
        store = dir === null ? new MemoryStore() : await openLmdbStore({ dir });
      });
      afterEach(async () => {
        for (const { engine, killed } of engines) if (!killed()) await engine.stop(0);
        engines = [];
        await store.close();
        if (dir !== null) rmSync(dir, { recursive: true, force: true });
      });
      tests({
        get store() {
          return store;
        },
        async start(script, options) {
          // what a dead process had handed over is in the store, or is not, before the next one starts
          await Promise.all(engines.filter((e) => e.killed()).map((e) => e.landed()));
          const life = mortal(store);
          const started = await testEngine(life.store, script, options);
          engines.push({ engine: started.engine, killed: life.killed, landed: life.landed });
          return { ...started, service: started.engine.service, kill: life.kill };
        },
      });
    });
  }
}

interface Mortal {
  store: Store;
  kill: () => void;
  killed: () => boolean;
  landed: () => Promise<unknown>;
}

/** A store whose calls are never answered once it has been killed. */
export function mortal(store: Store): Mortal {
  let dead = false;
  const never = new Promise<never>(() => undefined);
  const underWay = new Set<Promise<unknown>>();
  const watched = (work: Promise<unknown>): Promise<unknown> => {
    underWay.add(work);
    const over = (): void => {
      underWay.delete(work);
    };
    work.then(over, over);
    return work.then(
      (v: unknown) => (dead ? never : v),
      (e: Error) => {
        if (dead) return never;
        throw e;
      },
    );
  };
  const proxy = new Proxy(store, {
    get(target, name) {
      const property = Reflect.get(target, name) as unknown;
      if (typeof property !== 'function') return property;
      return (...args: unknown[]) => {
        if (dead) return never;
        const out = (property as (...a: unknown[]) => unknown).apply(target, args);
        return out instanceof Promise ? watched(out) : out;
      };
    },
  });
  return {
    store: proxy,
    kill: () => {
      dead = true;
    },
    killed: () => dead,
    landed: () => Promise.allSettled(underWay),
  };
}

export interface HeldStep {
  context: StepContext;
  signal: AbortSignal;
  answer(proposal: StepProposal): void;
}

/** A reasoner whose steps wait until the test answers them, as an aborted one rejects. */
export class HeldSteps {
  private readonly waiting: HeldStep[] = [];
  /** Steps begun so far. */
  begun = 0;

  readonly script: Script = (context, signal) => {
    this.begun++;
    return new Promise((resolve, reject) => {
      this.waiting.push({ context, signal, answer: resolve });
      signal.addEventListener(
        'abort',
        () => {
          reject(signal.reason as Error);
        },
        { once: true },
      );
    });
  };

  /** The next step that has begun and was not handed out yet. */
  next(): Promise<HeldStep> {
    return eventually(async () => this.waiting.shift(), 'a step');
  }

  get left(): number {
    return this.waiting.length;
  }
}

export const agentRef = (id: string): EntityRef<'agent'> => ({ workspace: 'default', kind: 'agent', id });
export const hiveRef = (id: string): EntityRef => ({ workspace: 'default', kind: 'hive', id });
export const newestFirst = { sort: 'created_at', order: 'desc', limit: 100 } as const;
export const oldestFirst = { sort: 'created_at', order: 'asc', limit: 100 } as const;

/** The code of the error that it rejects with; `none` when it does not. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as HivekeepError).code,
  );

/** What came of the calls of the run's steps, each as its tool, whether it went well, and its result. */
export const told = ({ transcript }: StepContext): string =>
  transcript.flatMap((step) => step.map(({ tool, ok, result }) => `${tool} ${ok} ${result}`)).join('; ');

/** The run once it is in one of these states. */
export const runIn = (e: Running, agent: string, run: string, ...statuses: string[]): Promise<Run> =>
  eventually(
    async () => {
      const found = await e.service.execute(caller, getRun, { id: agent, runId: run });
      return statuses.includes(found.status) && found;
    },
    `a run in ${statuses.join(' or ')}`,
  );

/** All events of a run after `lastSeq`, until its stream ends by itself. */
export async function follow(
  e: Running,
  agent: string,
  run: string,
  lastSeq = 0,
  signal = new AbortController().signal,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of await e.service.runEvents(caller, agent, run, lastSeq, signal)) events.push(event);
  return events;
}
