/**
 * Processes of a cluster over one store in memory, whose messages the test can hold back, and whose desk it can move:
 * what the quota needs of a cluster, and nothing else.
 */
import type { Ask, UntypedAsk } from '../../../actors/entities/ask.js';
import { randomBytes } from 'node:crypto';
import { ReplayedAnswer } from '../../../actors/entities/idempotency.js';
import { KeptTexts } from '../../../actors/entities/kept-texts.js';
import { mostLearning } from '../../../actors/entities/agent/learner.js';
import { Semaphore } from '../../../src/base/semaphore.js';
import { KnownWebhooks } from '../../../actors/entities/webhooks.js';
import { type LocalActors, type HostDeps, startActors } from '../../../actors/entities/local-actors.js';
import type { Address } from '../../../actors/runtime/port.js';
import { ClusterQuota } from '../../../actors/quota/cluster-quota.js';
import { recallSource } from '../../../actors/entities/recall-documents.js';
import { createKeyring } from '../../../src/secrets/keyring.js';
import { tierLimits } from '../../../src/limits/tiers.js';
import { createService } from '../../../actors/service/index.js';
import { TenantBounds } from '../../../actors/quota/tenant-bounds.js';
import { createInMemoryLimits } from '../../../src/limits/in-memory.js';
import { createInProcessBus } from '../../../src/bus/in-process.js';
import { unavailable } from '../../../src/domain/errors.js';
import { idSource } from '../../../src/domain/ids.js';
import type { Tier } from '../../../src/domain/vocabulary.js';
import { monthAt, usageCountName } from '../../../src/domain/usage.js';
import { usedMonthCommit, workspaceCommit } from '../../helpers/stored.js';
import { createMcpServers } from '../../../src/mcp/servers.js';
import { createRecall } from '../../../src/memory/recall.js';
import type { Caller, Service } from '../../../src/service.js';
import { createMetrics } from '../../../src/telemetry/metrics.js';
import { caller, echo, noPush, type Script, skippingClock } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { mortal } from './kit.js';

export const free: Caller = { ...caller, tier: 'free' };
export const enterprise = caller;
export const fact = (more: object = {}) => ({ type: 'semantic', content: 'a fact', ...more });
export const settle = (turns = 1): Promise<void> =>
  new Promise((resolve) => {
    const turn = (left: number): void => {
      if (left === 0) resolve();
      else setImmediate(turn, left - 1);
    };
    turn(turns);
  });

/** As the transport does, which keeps what marks the answer to a repeat. */
const transferred = (value: unknown): unknown =>
  value instanceof ReplayedAnswer ? new ReplayedAnswer(structuredClone(value.result)) : structuredClone(value);

export interface Process {
  name: string;
  service: Service;
  quota: ClusterQuota;
  actors: LocalActors;
  kill(): void;
  readonly dead: boolean;
}
export type Message = { type: string; [field: string]: unknown };

/** Stops a message, or its answer, for as long as the promise takes. */
export type Hold = (message: Message, from: Process, to: Process) => Promise<unknown> | undefined;

export class QuotaCluster {
  readonly clock = skippingClock();
  readonly store = new MemoryStore();
  readonly processes: Process[] = [];
  /** Who holds the desk. */
  desk!: Process;
  /** Who a process believes to hold it, where it has not heard. */
  readonly believes = new Map<Process, Process>();
  holdRequest: Hold = () => undefined;
  holdAnswer: Hold = () => undefined;
  asked = 0;

  async prepare(
    tier: Tier,
    used: number,
    names: readonly string[] = ['a', 'b', 'c'],
    script: Script = echo,
  ): Promise<this> {
    const now = this.clock.now();
    await this.store.commit(workspaceCommit('default', tier, now - 1000));
    await this.store.commit(usedMonthCommit('default', used, now));
    for (const name of names) this.start(name, script);
    this.desk = this.processes[0] as Process;
    return this;
  }

  /** `aheadMs`: of the wall clocks of the others. */
  start(name: string, script: Script = echo, aheadMs = 0): Process {
    const clock = { ...this.clock, now: () => this.clock.now() + aheadMs };
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const life = mortal(this.store);
    const alert = (): Promise<unknown> => Promise.resolve();
    const ask = ((address, message, options) =>
      this.ask(process, address, message as Message, options?.deadline)) as UntypedAsk as Ask;
    const quota = new ClusterQuota({
      store: life.store,
      clock,
      log: logger,
      alert,
      ask,
      self: `${name}-${this.processes.length}`,
    });
    const outside: HostDeps = {
      store: life.store,
      clock,
      ids: idSource(randomBytes),
      log: logger,
      metrics: createMetrics(),
      bus: createInProcessBus(logger),
      bounds: new TenantBounds({ store: life.store, clock, limits: createInMemoryLimits({ holdMs: 30_000 }) }),
      ask,
      quota,
      learning: new Semaphore(mostLearning),
      keptTexts: new KeptTexts(),
      webhooks: new KnownWebhooks(life.store, clock, Infinity),
      recall: createRecall({ source: recallSource(life.store), clock, maxBytes: 1024 * 1024 }),
      reasonerFor: () => ({ name: 'scripted', next: (context, signal) => script(context, signal) }),
      push: noPush,
      mcp: createMcpServers({ push: noPush, clock }),
      pushRetry: { tries: 1, firstPauseMs: 1 },
      defaults: { maxSteps: 10, maxRuntimeSeconds: 3000, messageBudget: 1000 },
    };
    const service = createService(
      {
        deps: { ...outside, stopping: () => false },
        tiers: tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 }),
        messageWaitMs: 1000,
        filesMaxBytes: 0,
        heartbeatMs: 50,
        randomBytes,
        keyring: createKeyring([new Uint8Array(32)]),
      },
      () => ({ ready: true }),
    );
    const process: Process = {
      name,
      service,
      quota,
      actors: startActors(outside, { idleMs: 600_000 }),
      kill: life.kill,
      get dead() {
        return life.killed();
      },
    };
    this.processes.push(process);
    return process;
  }

  get alive(): Process[] {
    return this.processes.filter((p) => !p.dead);
  }

  /** The desk has another owner. `unheard`: who goes on believing that it is the old one. */
  moveDesk(to: Process, unheard: readonly Process[] = []): void {
    for (const process of this.processes) this.believes.delete(process);
    for (const process of unheard) this.believes.set(process, this.desk);
    this.desk = to;
  }

  private ownerOf(from: Process, { kind, id }: Address): Process {
    if (kind === 'workspace') return this.believes.get(from) ?? this.desk;
    return this.alive[id.charCodeAt(id.length - 1) % this.alive.length] as Process;
  }

  /** As a router: late messages have no effect, and the dead say nothing. */
  private async ask(from: Process, address: Address, message: Message, deadline = Infinity): Promise<unknown> {
    this.asked++;
    const to = this.ownerOf(from, address);
    const never = new Promise<never>(() => undefined);
    const late = new Promise<never>((_, reject) => {
      if (deadline < Infinity)
        this.clock.after(deadline - this.clock.elapsed(), () => {
          reject(unavailable('no answer in time'));
        });
    });
    const answer = (async () => {
      await this.holdRequest(message, from, to);
      if (to.dead || from.dead) return never;
      if (this.clock.elapsed() >= deadline) throw unavailable('too late');
      const value: unknown = await to.actors.ask(address, structuredClone(message));
      await this.holdAnswer(message, from, to);
      return to.dead || from.dead ? never : transferred(value);
    })();
    return Promise.race([answer, late]);
  }

  async used(): Promise<number> {
    return this.store.sum('default', usageCountName(monthAt(this.clock.now())));
  }

  /** Lets things happen; where nothing does, time passes. */
  async until(done: () => boolean, stepMs = 500, most = 400): Promise<void> {
    for (let i = 0; !done(); i++) {
      if (i === most) throw new Error('it did not come to an end');
      await settle(20);
      if (!done()) this.clock.skip(stepMs);
    }
  }

  async stop(): Promise<void> {
    for (const process of this.processes) if (!process.dead) await process.actors.stop(0);
  }
}

export interface Told {
  code: string;
  retryAfter: number | undefined;
  usedThen: number;
}

/** What became of each, and how much was used when it was told. */
export const outcome = (cluster: QuotaCluster, work: Promise<unknown>): Promise<Told> =>
  work.then(
    async () => ({ code: 'none', retryAfter: undefined, usedThen: await cluster.used() }),
    async (error: unknown) => ({
      code: (error as { code?: string }).code ?? String(error),
      retryAfter: (error as { retryAfter?: number }).retryAfter,
      usedThen: await cluster.used(),
    }),
  );

/** All that have ended by the time that `until` says so. */
export async function all(cluster: QuotaCluster, works: readonly Promise<unknown>[]): Promise<Told[]> {
  const told: Told[] = [];
  for (const work of works) void outcome(cluster, work).then((one) => told.push(one));
  await cluster.until(() => told.length === works.length);
  return told;
}

export const tally = (told: readonly Told[]): Record<string, number> => {
  const out: Record<string, number> = {};
  for (const { code } of told) out[code] = (out[code] ?? 0) + 1;
  return out;
};
