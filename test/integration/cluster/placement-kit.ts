/** Placements over a real Redis, all in one process, and a host that notes what it is told. */
import type { ShardHost } from '../../../src/cluster/placement.js';
import { redisLeases } from '../../../src/cluster/redis/leases.js';
import {
  createLeasedPlacement,
  type PlacementEvent,
  type PlacementOptions,
  type RunningPlacement,
} from '../../../src/cluster/leased-placement.js';
import { fewestShards } from '../../../src/store/shards.js';
import type { Clock } from '../../../src/domain/shared/clock.js';
import { connectRedis, type RedisClient } from '../../../src/redis/connect.js';
import { patient } from '../../helpers/patience.js';

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** A clock whose timers do not run while it is paused, as in a process that is stopped (SIGSTOP): then they run all. */
export class PausableClock implements Clock {
  private held: (() => void)[] | null = null;
  now(): number {
    return Date.now();
  }
  after(ms: number, fn: () => void): () => void {
    let cancelled = false;
    const timer = setTimeout(() => {
      if (this.held)
        this.held.push(() => {
          if (!cancelled) fn();
        });
      else fn();
    }, ms);
    timer.unref();
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }
  pause(): void {
    this.held = [];
  }
  resume(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const fn of held) fn();
  }
}

export class NotingHost implements ShardHost {
  readonly has = new Set<number>();
  readonly heard: string[] = [];
  lostEvents = 0;
  handOverMs = 0;
  acquired(shards: readonly number[]): void {
    for (const shard of shards) {
      if (this.has.has(shard)) this.heard.push(`acquired ${shard} twice`);
      this.has.add(shard);
    }
  }
  async handOver(shards: readonly number[]): Promise<void> {
    if (this.handOverMs > 0) await sleep(this.handOverMs);
    for (const shard of shards) this.has.delete(shard);
  }
  busy(): boolean {
    return false;
  }
  lost(shards: readonly number[]): void {
    this.lostEvents++;
    for (const shard of shards) this.has.delete(shard);
  }
}

export interface Node {
  name: string;
  placement: RunningPlacement;
  host: NotingHost;
  clock: PausableClock;
  counts: Record<PlacementEvent, number>;
  end(): Promise<void>;
}

let prefixes = 0;
let epochs = 0;
export const freshPrefix = (): string => `hk:test-${process.pid}-${++prefixes}:`;

/** Starts a process of the cluster and waits until it knows the table. `end` is kill -9 as far as others can see. */
export async function startNode(
  url: string,
  prefix: string,
  name: string,
  options: Partial<PlacementOptions> = {},
): Promise<Node> {
  const clients: RedisClient[] = [connectRedis(url, name), connectRedis(url, `${name}-notices`)];
  const host = new NotingHost();
  const clock = new PausableClock();
  const counts = { acquired: 0, handedOver: 0, lost: 0, beat: 0, beatFailed: 0 };
  const placement = createLeasedPlacement(redisLeases(clients[0]!, clients[1]!, prefix), {
    self: name,
    role: 'worker',
    shards: fewestShards.count,
    about: { at: 'test' },
    host,
    leaseMs: 3000,
    clock,
    nextEpoch: async (above) => (epochs = Math.max(epochs, above) + 1),
    upToDate: async () => undefined,
    monotonic: () => performance.now(),
    log: { info: () => undefined, warn: () => undefined },
    count: (event, n) => {
      counts[event] += n;
    },
    mayBeHeld: async () => false,
    ...options,
  });
  await placement.start();
  return {
    name,
    placement,
    host,
    clock,
    counts,
    end: async () => {
      await placement.stop();
      for (const client of clients) client.disconnect();
    },
  };
}

export const until = async (what: string, test: () => boolean, ms = 8000): Promise<number> => {
  const begun = performance.now();
  while (!test()) {
    if (performance.now() - begun > patient(ms)) throw new Error(`waited ${ms} ms until ${what}`);
    await sleep(2);
  }
  return performance.now() - begun;
};

export const heldBy = (nodes: readonly Node[]): number[] => nodes.map(({ placement }) => placement.held().length);
/** Every shard is held by exactly one of the nodes, as many by each, and everybody knows by which. */
export const isSettled = (workers: readonly Node[], all: readonly Node[] = workers): boolean => {
  const held = heldBy(workers);
  return (
    held.reduce((sum, n) => sum + n, 0) === fewestShards.count &&
    Math.max(...held) <= Math.ceil(fewestShards.count / workers.length) &&
    workers.every(({ host, placement }) => host.has.size === placement.held().length) &&
    workers.every(({ name, placement }) =>
      placement.held().every((shard) => all.every((node) => node.placement.ownerOf(shard)?.instance === name)),
    )
  );
};
