/**
 * A cluster of simulated processes, each with the engine that a real one runs (actors, router, placement, recall,
 * quota), over one simulated database and network. Nothing here is a stand-in for code of the service, except for the
 * adapters of its ports.
 */
import { type ClusterEngine, startClusterEngine } from '../../actors/cluster/cluster-engine.js';
import { imageSource, recallSource } from '../../actors/entities/recall-indexes.js';
import { TenantBounds } from '../../actors/quota/tenant-bounds.js';
import { createInMemoryLimits } from '../../src/limits/in-memory.js';
import { tierLimits } from '../../src/limits/tiers.js';
import { fewestShards } from '../../src/store/shards.js';
import type { Shards } from '../../src/store/port.js';
import { createLeasedPlacement } from '../../src/cluster/leased-placement.js';
import type { Tier } from '../../src/domain/shared/vocabulary.js';
import { idSource } from '../../src/domain/shared/ids.js';
import { newWorkspace } from '../../src/domain/workspace/workspace.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { createRecall } from '../../src/memory/recall.js';
import { RecallSnapshots } from '../../src/memory/snapshots.js';
import type { Push } from '../../src/push/port.js';
import type { Reasoner } from '../../src/reasoner/port.js';
import { simulatedStep } from './agents.js';
import { Database } from './database.js';
import { type Kernel, SimulatedProcess } from './kernel.js';
import { Network } from './network.js';
import { SimulatedPeers } from './peer.js';

export const leaseMs = 3_000;
const thinkMs = [10, 120] as const;
/** What code takes between two looks at the clock of the event loop, ms: without it a busy loop would never end. */
const lookMs = 0.002;

export interface Member {
  readonly process: SimulatedProcess;
  readonly engine: ClusterEngine;
  /** It serves requests. */
  started: boolean;
}

export class Cluster {
  readonly database: Database;
  readonly network: Network;
  readonly members: Member[] = [];
  /** What the processes logged at warn and error, with virtual times in seconds. */
  readonly log: string[] = [];
  /** Log lines that no outage explains. */
  readonly alarms: string[] = [];
  /** The statuses that push receivers were told, by URL. */
  readonly pushed = new Map<string, string[]>();
  /** Agents elsewhere. */
  readonly peers: SimulatedPeers;
  private readonly started: number;
  private count = 0;

  /** `tier`: of the workspace; all but enterprise have a quota. */
  constructor(
    readonly kernel: Kernel,
    readonly tier: Tier,
    shards: Shards = fewestShards,
  ) {
    this.started = kernel.time;
    this.database = new Database(kernel, shards);
    this.network = new Network(kernel);
    this.peers = new SimulatedPeers(kernel, (url, token) => {
      this.pushToAny(url, token);
    });
    const snapshot = { ...newWorkspace('default', 'default', this.tier, Math.floor(kernel.time)) };
    void this.database.content.commit({
      entity: { workspace: 'default', kind: 'workspace', id: 'default' },
      seq: 1,
      snapshot,
      counts: {},
      previousCounts: {},
      active: false,
      due: null,
      deleted: false,
      puts: [],
      deletes: [],
      records: [],
    });
  }

  /** Seconds of virtual time since the beginning. */
  get at(): string {
    return ((this.kernel.time - this.started) / 1000).toFixed(2);
  }

  get serving(): Member[] {
    return this.members.filter(({ process, started }) => started && !process.over);
  }

  /** Starts a process under a new name; it serves once it has heard of the others. */
  start(): Member {
    const { kernel, database, network } = this;
    const process = new SimulatedProcess(kernel, `p${++this.count}`);
    const store = database.storeFor(process);
    const log = this.loggerOf(process);
    const immediate = (fn: () => void): void => {
      kernel.immediate(fn, process);
    };
    const randomBytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, () => kernel.random.between(0, 256));
    let looks = 0;
    let engine: ClusterEngine | null = null;
    engine = startClusterEngine({
      role: 'all',
      transport: network.transportFor(process),
      placementFor: (host, stats) =>
        createLeasedPlacement(network.leaseTableFor(process), {
          self: process.name,
          role: 'all',
          shards: store.shards.count,
          about: {},
          stats,
          host,
          leaseMs,
          clock: process,
          monotonic: () => process.elapsed(),
          random: () => 0,
          nextEpoch: (above) => this.nextEpoch(process, above),
          upToDate: () => this.upToDate(process),
          mayBeHeld: async () => true,
          log,
        }),
      publicUrl: 'https://hive.example',
      leaseMs,
      idleMs: 2_000,
      pingStore: () => Promise.resolve(store.head({ workspace: 'default', kind: 'workspace', id: 'default' })),
      hasEntities: async (workspace, shards) => {
        await store.head({ workspace, kind: 'workspace', id: workspace }); // takes its time, and fails in an outage
        return database.view(process).content.hasEntities(workspace, shards);
      },
      deps: {
        store,
        clock: process,
        ids: idSource(randomBytes),
        log,
        metrics: {
          commit: () => undefined,
          run: () => undefined,
          message: () => undefined,
          outbox: () => undefined,
          waitsForModel: () => undefined,
          learning: () => undefined,
          waitsToLearn: () => undefined,
        },
        bus: network.busFor(process),
        bounds: new TenantBounds({ store, clock: process, limits: createInMemoryLimits({ holdMs: 30_000 }) }),
        recall: createRecall({
          source: recallSource(store, (shard) => engine?.serves(shard) ?? false),
          clock: process,
          maxBytes: 64 * 1024 * 1024,
          // in production of large agents, and rarely
          snapshots: new RecallSnapshots({
            source: imageSource(store, store.images),
            least: 3,
            leastChanged: 3,
            pauseMs: 300,
          }),
        }),
        reasonerFor: () => this.reasonerOf(process),
        push: this.pushOf(process),
        pushRetry: { tries: 30, firstPauseMs: 50 },
        defaults: { maxSteps: 10, maxRuntimeSeconds: 300, messageBudget: 1000 },
      },
      tiers: tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 }),
      messageWaitMs: 10_000,
      filesMaxBytes: 0,
      modelServers: [],
      heartbeatMs: 500,
      randomBytes,
      keyring: createKeyring([new Uint8Array(32)]),
      chance: {
        uniqueId: () => Buffer.from(randomBytes(16)).toString('hex'),
        loop: {
          elapsed: () => process.elapsed() + ++looks * lookMs,
          microtask: (fn) => {
            queueMicrotask(fn);
          },
          immediate,
        },
      },
    });
    const member: Member = { process, engine, started: false };
    this.members.push(member);
    engine.start().then(
      () => {
        member.started = true;
      },
      (error: unknown) => {
        this.log.push(`${this.at} ${process.name} could not start: ${String(error)}`);
      },
    );
    return member;
  }

  kill(member: Member): void {
    member.process.kill();
    this.network.killed(member.process);
  }

  /** As SIGTERM does: hands over, then ends. */
  async stop(member: Member, graceMs: number): Promise<void> {
    member.started = false;
    await member.engine.handOver(graceMs);
    await member.engine.stop();
    this.kill(member);
  }

  private async nextEpoch(process: SimulatedProcess, above: number): Promise<number> {
    await process.kernel.sleep(1);
    for (let waited = 0; this.database.isBehind(process) && waited < 5_000; waited += 100)
      await process.kernel.sleep(100); // a primary without a majority counts nothing
    if (this.database.down || !process.reaches.store || this.database.isBehind(process))
      throw new Error('the database does not answer');
    return (this.database.epoch = Math.max(this.database.epoch, above) + 1);
  }

  private async upToDate(process: SimulatedProcess): Promise<void> {
    await process.kernel.sleep(1);
    const { database } = this;
    for (let waited = 0; (database.isBehind(process) || database.lagging) && waited < 5_000; waited += 20)
      await process.kernel.sleep(20);
    if (database.down || !process.reaches.store || database.isBehind(process))
      throw new Error('the database does not answer');
  }

  private reasonerOf(process: SimulatedProcess): Reasoner {
    return {
      name: 'simulated',
      next: (context, signal) =>
        new Promise((resolve, reject) => {
          const cancel = process.after(this.kernel.random.between(...thinkMs), () => {
            resolve(simulatedStep(context));
          });
          signal.addEventListener('abort', () => {
            cancel();
            reject(signal.reason as Error);
          });
        }),
    };
  }

  /** Receivers are slow now and then and refuse now and then; what they take is noted. */
  private pushOf(process: SimulatedProcess): Push {
    const { kernel } = this;
    return {
      check: () => Promise.resolve(),
      turn: () => Promise.resolve(() => undefined),
      close: () => Promise.resolve(),
      open: (_agent, request, signal) => this.peers.open(process, request, signal),
      deliver: (item) =>
        new Promise((resolve, reject) => {
          process.after(kernel.random.between(1, 40), () => {
            if (kernel.random.next() < 0.1) {
              reject(new Error('the receiver answered 503'));
              return;
            }
            const { url } = item.config;
            if ('task' in item) this.pushed.set(url, [...(this.pushed.get(url) ?? []), item.task.status]);
            process.after(kernel.random.between(1, 20), resolve);
          });
        }),
    };
  }

  /** What a peer pushes reaches any process that serves, or none. */
  private pushToAny(url: string, token: string): void {
    if (this.serving.length === 0) return;
    const { process, engine } = this.kernel.random.pick(this.serving);
    process.arrives(() => {
      engine.service.takePeerPush(url.split('/').at(-1) ?? '', token).catch((error: unknown) => {
        this.log.push(`${this.at} ${process.name} took no push: ${String(error)}`);
      });
    });
  }

  private loggerOf(process: SimulatedProcess): Record<'info' | 'warn' | 'error', (f: object, m: string) => void> {
    const line =
      (level: string) =>
      (fields: object, message: string): void => {
        const error = 'err' in fields ? ` ${String(fields.err)}` : '';
        this.log.push(`${this.at} ${process.name} ${level}: ${message}${error}`);
        if (level === 'error' && /TypeError|RangeError|ReferenceError/.test(error))
          this.alarms.push(`${process.name}: ${message}${error}`);
      };
    return { info: () => undefined, warn: line('warn'), error: line('error') };
  }
}
