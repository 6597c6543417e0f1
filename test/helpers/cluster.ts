/**
 * A cluster in one process: engines over one store and a network in memory, and a table that the test moves shards in.
 * What is lost, late or cut is up to the test (in-process-network.ts).
 */
import { randomBytes } from 'node:crypto';
import { type ClusterEngine, type PlacementControl, startClusterEngine } from '../../actors/cluster/cluster-engine.js';
import { recallSource, vectorSource } from '../../actors/entities/recall-indexes.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { tierLimits } from '../../src/limits/tiers.js';
import { TenantBounds } from '../../actors/quota/tenant-bounds.js';
import { createInMemoryLimits } from '../../src/limits/in-memory.js';
import { createInProcessBus } from '../../src/bus/in-process.js';
import { createNetwork, type InProcessNetwork } from './in-process-network.js';
import type { Bus } from '../../src/bus/port.js';
import type { ShardOwner, ShardHost } from '../../src/cluster/placement.js';
import { fewestShards } from '../../src/store/shards.js';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { idSource } from '../../src/domain/shared/ids.js';
import type { Embedder } from '../../src/embeddings/port.js';
import { Vectors } from '../../src/embeddings/vectors.js';
import { createRecall } from '../../src/memory/recall.js';
import type { Push } from '../../src/push/port.js';
import type { Store } from '../../src/store/port.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { echo, noPush, realClock, type Script } from './engine.js';
import { MemoryStore } from './memory-store.js';
import { workspaceCommit } from './stored.js';

/** Who holds which shard, as all processes see it. */
export class Table {
  readonly owners: (ShardOwner | null)[] = Array.from({ length: fewestShards.count }, () => null);
  readonly hosts = new Map<string, ShardHost>();
  readonly listeners = new Set<() => void>();
  private epoch = 0;

  /**
   * Gives shards to a process, or to nobody. Their holder is asked to hand them over (or, `rudely`, is told nothing and
   * believes on).
   */
  async give(shards: readonly number[], to: string | null, rudely = false): Promise<void> {
    if (!rudely)
      for (const [instance, host] of this.hosts) {
        const theirs = shards.filter((s) => this.owners[s]?.instance === instance && instance !== to);
        if (theirs.length > 0) await host.handOver(theirs);
      }
    const fresh = shards.filter((s) => this.owners[s]?.instance !== to);
    const epoch = ++this.epoch;
    for (const shard of fresh) this.owners[shard] = to === null ? null : { instance: to, epoch };
    if (to !== null) this.hosts.get(to)?.acquired(fresh);
    this.tell();
  }

  tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export interface Member {
  /** How many recall indexes this process has built. */
  indexesBuilt(): number;
  engine: ClusterEngine;
  script(next: Script): void;
  readonly name: string;
}
export interface TestCluster {
  table: Table;
  network: InProcessNetwork;
  store: Store;
  log: string[];
  /** The clock is that of its actors; real time if omitted. */
  add(name: string, role: 'all' | 'gateway' | 'worker', clock?: MonotonicClock, embedder?: Embedder): Promise<Member>;
  shardOfAgent(id: string): number;
  /** Believes to hold the shard whatever the table says, as a process does that was paused. */
  believes: Set<string>;
  /** Whether the store answers no ping. */
  outage: { store: boolean };
  stop(): Promise<void>;
}

export const everyShard = fewestShards.all;

export async function testCluster(
  store: Store = new MemoryStore(),
  script: Script = echo,
  usesMemories?: (input: string) => boolean,
  outbound: { push: Push; publicUrl: string | null } = { push: noPush, publicUrl: null },
): Promise<TestCluster> {
  const table = new Table();
  const network = createNetwork();
  const log: string[] = [];
  const members: Member[] = [];
  const believes = new Set<string>();
  const outage = { store: false };
  const line = (fields: object, message: string): void => {
    log.push(`${message} ${'err' in fields ? String(fields.err) : ''}`);
  };
  const logger = { info: () => undefined, warn: line, error: line };
  const bus: Bus = createInProcessBus(logger);
  if (!(await store.head({ workspace: 'default', kind: 'workspace', id: 'default' })))
    await store.commit(workspaceCommit('default', 'enterprise'));

  function placementFor(name: string, host: ShardHost | null): PlacementControl {
    const holds = (shard: number): boolean =>
      table.owners[shard]?.instance === name || believes.has(`${name}/${shard}`);
    return {
      ownerOf: (shard) =>
        believes.has(`${name}/${shard}`) ? { instance: name, epoch: 0 } : (table.owners[shard] ?? null),
      holds,
      held: () => everyShard.filter(holds),
      refresh: () => undefined,
      members: () => [],
      problem: () => null,
      onChange: (listener) => {
        table.listeners.add(listener);
        return () => {
          table.listeners.delete(listener);
        };
      },
      start: () => {
        if (host) table.hosts.set(name, host);
        return Promise.resolve();
      },
      drain: async () => {
        // in batches, as a real placement does
        for (let left = everyShard.filter(holds); left.length > 0; left = everyShard.filter(holds))
          await table.give(left.slice(0, 32), null);
      },
      stop: () => {
        table.hosts.delete(name);
        return Promise.resolve();
      },
    };
  }

  return {
    table,
    network,
    store,
    log,
    believes,
    outage,
    shardOfAgent: (id) => fewestShards.of({ workspace: 'default', kind: 'agent', id }),
    async add(name, role, clock = realClock, embedder) {
      let current = script;
      const vectors = embedder && new Vectors({ embedder, clock, log: logger });
      const recall = createRecall({
        source: recallSource(store, (shard) => table.owners[shard]?.instance === name, vectorSource(vectors)),
        clock,
        maxBytes: 64 * 1024 * 1024,
      });
      const engine = startClusterEngine({
        role,
        transport: network.transport(name),
        placementFor: (host) => placementFor(name, host),
        publicUrl: outbound.publicUrl,
        leaseMs: 200,
        idleMs: 60_000,
        pingStore: () => (outage.store ? Promise.reject(new Error('the store is away')) : Promise.resolve()),
        hasEntities: (workspace, shards) =>
          Promise.resolve(store instanceof MemoryStore ? store.hasEntities(workspace, shards) : true),
        deps: {
          ...(vectors && { vectors }),
          store,
          clock,
          ids: idSource(randomBytes),
          log: logger,
          metrics: createMetrics(),
          bus,
          bounds: new TenantBounds({ store, clock, limits: createInMemoryLimits({ holdMs: 30_000 }) }),
          recall,
          reasonerFor: () => ({
            name: 'scripted',
            ...(usesMemories && { usesMemories }),
            next: (context, signal) => current(context, signal),
          }),
          push: outbound.push,
          pushRetry: { tries: 3, firstPauseMs: 1 },
          defaults: { maxSteps: 10, maxRuntimeSeconds: 300, messageBudget: 1000 },
        },
        tiers: tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 }),
        messageWaitMs: 5000,
        filesMaxBytes: 1024 * 1024,
        modelServers: [],
        heartbeatMs: 50,
        randomBytes,
        keyring: createKeyring([new Uint8Array(32)]),
      });
      await engine.start();
      const member: Member = {
        engine,
        name,
        indexesBuilt: () => recall.stats().builds,
        script: (next) => {
          current = next;
        },
      };
      members.push(member);
      return member;
    },
    async stop() {
      for (const { engine } of members) await engine.stop();
    },
  };
}
