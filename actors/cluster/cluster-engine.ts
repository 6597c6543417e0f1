/**
 * The actor side of one process of a cluster: a gateway (the service over actors in other processes), a worker (the
 * actors of the shards that it holds), or both. The embedded form is embedded-engine.ts.
 */
import { randomUUID } from 'node:crypto';
import type { Transport } from '../../src/bus/transport.js';
import type { Placement, ShardHost } from '../../src/cluster/placement.js';
import type { Shards } from '../../src/store/port.js';
import { searchingByMeaning } from '../../src/embeddings/vectors.js';
import { createPeers } from '../../src/peers/peers.js';
import { createMcpServers, type McpSettings } from '../../src/mcp/servers.js';
import { resealing, sendingSealed } from '../../src/push/credentials.js';
import type { Service } from '../../src/service.js';
import { type Ask, type UntypedAsk, withTrace } from '../entities/ask.js';
import { tracedRecall } from '../entities/traced-recall.js';
import { UnsentCalls } from '../entities/agent/unsent-calls.js';
import { KeptTexts } from '../entities/kept-texts.js';
import { waited } from '../../src/domain/shared/clock.js';
import { type LearningBounds, LearningPlaces } from '../entities/agent/learning-places.js';
import { KnownWebhooks } from '../entities/webhooks.js';
import type { HostDeps } from '../entities/local-actors.js';
import { watchTimers } from '../entities/recovery.js';
import { type ConnectionStats, createConnection } from './connection.js';
import { vectorKeeper } from '../entities/vector-keeper.js';
import { createRoutedRecall } from './routed-recall.js';
import { createRemoteSearch } from './remote-search.js';
import { Router, type RouterStats } from './router.js';
import { createService } from '../service/index.js';
import type { ServiceContext } from '../service/context.js';
import { ShardActors, type ShardActorsOptions } from './shard-actors.js';
import type { ActorStats } from '../runtime/system.js';
import { subjectAlertOf } from '../../src/commands/subject-use.js';
import { ModelBudgets } from '../quota/model-budgets.js';
import { MonthlyQuota } from '../quota/monthly-quota.js';
import { deskOf } from '../quota/tenant-bounds.js';
import { eventLoop, type EventLoop, Scheduler } from '../runtime/scheduler.js';

/** A placement that can be started and stopped, as its adapters provide it. */
export interface PlacementControl extends Placement {
  /** Resolves when the owners of the shards are known. */
  start(): Promise<void>;
  /** Acquires no more shards and hands over all that are held. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterEngineOptions extends Omit<ServiceContext, 'deps' | 'services'> {
  role: 'all' | 'gateway' | 'worker';
  /** `recall` is this process's own index. */
  deps: Omit<
    HostDeps,
    | 'ask'
    | 'quota'
    | 'modelBudgets'
    | 'webhooks'
    | 'learning'
    | 'keptTexts'
    | 'unsentCalls'
    | 'mcp'
    | 'peers'
    | 'reseal'
  > & { learning?: LearningBounds };
  mcp?: McpSettings;
  /** Where peers reach the service to push; null: they are told nothing. */
  publicUrl?: string | null;
  transport: Transport;
  /** `stats` returns the statistics that this process reports to the others. */
  placementFor: (host: ShardHost | null, stats: () => Readonly<Record<string, number>>) => PlacementControl;
  leaseMs: number;
  idleMs: number;
  /** Pings the database; rejects if it does not answer. */
  pingStore: () => Promise<unknown>;
  hasEntities: ShardActorsOptions['hasEntities'];
  /** Sources of nondeterminism; a simulation replaces them with seeded ones. */
  chance?: Chance;
}

/** The sources of nondeterminism that no port covers. */
export interface Chance {
  /** Returns a string that is unique across all processes and all time. */
  uniqueId: () => string;
  /** A monotonic clock in ms, with fractions. */
  loop: EventLoop;
}

const realChance: Chance = { uniqueId: randomUUID, loop: eventLoop };

export interface ClusterEngine {
  readonly service: Service;
  readonly placement: Placement;
  /** Whether the recall indexes of this process hold what is in this shard. */
  serves(shard: number): boolean;
  actorStats(): ActorStats;
  /** Statistics of the messages between processes; `unanswered` includes searches. */
  routerStats(): RouterStats & ConnectionStats;
  /** Statistics of the shards of this process; empty for a gateway. */
  shardStats(): Readonly<Record<string, number>>;
  /** Resolves when this process can receive messages and knows the owners of the shards. */
  start(): Promise<void>;
  /**
   * Resolves when every shard has an owner, or after a lease and a margin, since a gateway may be the first process of
   * its cluster.
   */
  served(): Promise<void>;
  /** Hands over all shards, giving steps in progress `graceMs` to end. The new owners continue to serve requests. */
  handOver(graceMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** How much longer than a lease a start waits for all shards to have owners, ms. */
const patienceMs = 3_000;
/** How long a server has to be away before a process that serves the API is not ready, ms. */
const outageMs = 15_000;
/** How old what is known of a workspace's webhooks may be, ms (KnownWebhooks.K1). */
const webhooksMs = 5_000;
/** The interval and timeout of the database ping, ms. */
const pingEveryMs = 1_000;
const noAnswer = 'The database does not answer: requests wait for it, and nothing that was acknowledged is lost.';
const idleStats: ActorStats = { active: 0, children: 0, queued: 0, processed: 0, restarts: 0, faults: 0 };

export function startClusterEngine({
  role,
  deps: given,
  mcp: mcpSettings,
  publicUrl = null,
  transport,
  placementFor,
  leaseMs,
  idleMs,
  pingStore,
  hasEntities,
  chance = realChance,
  ...rest
}: ClusterEngineOptions): ClusterEngine {
  const { clock, log } = given;
  let stopping = false;
  /** The time, by the clock's `elapsed`, at which a stop aborts the steps that are still in progress. */
  let stepsEndAt: number | null = null;
  let storeProblem: string | null = null;

  const ask = ((...[address, message, ...more]: Parameters<Router['ask']>) =>
    router.ask(address, withTrace(message), ...more)) as UntypedAsk as Ask;
  // The functions below refer to placement, router and remoteSearch, which are created later and depend on this.
  const routed = createRoutedRecall(
    given.recall,
    {
      holds: (shard) => placement.holds(shard),
      ownerOf: (shard) => placement.ownerOf(shard),
      refresh: () => {
        placement.refresh();
      },
    },
    () => remoteSearch,
    given.store.shards,
    clock,
  );
  const recall = tracedRecall(given.vectors ? searchingByMeaning(routed, given.vectors) : routed);
  given.vectors?.begin(vectorKeeper({ ...given, ask }), (model) =>
    placement.members().some(({ about }) => about['embeddings'] === model),
  );
  const quota = new MonthlyQuota({
    ...given,
    alert: (workspace, usage) => ask(deskOf(workspace), { type: 'alert', usage }),
  });
  const modelBudgets = new ModelBudgets({
    ...given,
    alertModelBudget: (workspace, use) => ask(deskOf(workspace), { type: 'alertModelBudget', use }),
    alertSubjectBudget: (workspace, subject, alert) => ask(deskOf(workspace), subjectAlertOf(subject, alert)),
  });
  const push = sendingSealed(given.push, rest.keyring);
  const mcp = createMcpServers({ push, clock }, mcpSettings);
  const peers = createPeers({ push, clock, keyring: rest.keyring, publicUrl });
  const entityDeps: HostDeps = {
    ...given,
    push,
    reseal: resealing(rest.keyring),
    mcp,
    peers,
    learning: new LearningPlaces(given.learning),
    keptTexts: new KeptTexts(),
    unsentCalls: new UnsentCalls(),
    webhooks: new KnownWebhooks(given.store, clock, webhooksMs),
    recall,
    ask,
    quota,
    modelBudgets,
  };
  const shards =
    role === 'gateway'
      ? null
      : new ShardActors({
          deps: entityDeps,
          scheduler: new Scheduler({ loop: chance.loop }),
          recall: given.recall,
          idleMs,
          leaseMs,
          hasEntities,
          stopLeftMs: () => (stepsEndAt === null ? null : stepsEndAt - clock.elapsed()),
          recovered: (entities, of) => {
            if (entities > 0)
              log.info(
                { event: 'recovery.completed', entities, shards: of },
                'resumed the work that was in progress in these shards',
              );
          },
        });
  const routerStats = (): RouterStats & ConnectionStats => {
    const stats = router.stats();
    return { ...stats, ...connection.stats(), unanswered: stats.unanswered + remoteSearch.unanswered() };
  };
  const tellStats = (): Record<string, number> => {
    const { unanswered, serving, lagMs } = routerStats();
    return { ...shards?.stats(), unanswered, serving, lagMs: Math.round(lagMs) };
  };
  const placement = placementFor(shards, tellStats);
  shards?.attach(placement);
  const connection = createConnection(transport, clock, log);
  const remoteSearch = createRemoteSearch({ connection, local: shards, clock, log });
  const router = new Router({
    placement,
    connection,
    local: shards,
    shards: given.store.shards,
    clock,
    log,
    newIdempotencyKey: () => `sent_${chance.uniqueId()}`,
  });
  const stopTimers = shards === null ? () => undefined : watchTimers(entityDeps, () => placement.held());

  const found = (problem: string | null): void => {
    if (problem !== storeProblem && !stopping)
      if (problem === null) log.info({ event: 'store.reconnected' }, 'The database answers again.');
      else log.warn({ event: 'store.unreachable' }, problem);
    storeProblem = problem;
  };
  let cancelPing: () => void = () => undefined;
  const ping = (): void => {
    const cancelLate = clock.after(pingEveryMs, () => {
      found(noAnswer);
      away();
    });
    pingStore()
      .then(
        () => {
          found(null);
        },
        () => {
          found(noAnswer);
        },
      )
      .finally(() => {
        cancelLate();
        away();
        if (!stopping) cancelPing = clock.after(pingEveryMs, ping);
      });
  };

  const unowned = watchUnowned(placement, given.store.shards, clock, leaseMs);
  const outage = watchOutage(clock, role === 'worker' ? 0 : outageMs);
  const away = (): string | null => {
    const problems = [storeProblem, placement.problem()].filter((problem) => problem !== null);
    return outage.lasting(problems.length > 0 ? problems.join(' ') : null);
  };
  function ready(): ReturnType<Service['ready']> {
    if (stopping) return { ready: false, reason: 'the service is stopping' };
    const reason = away() ?? unowned.problem();
    return reason === null ? { ready: true } : { ready: false, reason };
  }

  return {
    service: createService({ deps: { ...entityDeps, stopping: () => stopping }, ...rest }, ready),
    placement,
    serves: (shard) => shards?.serves(shard) ?? false,
    actorStats: () => shards?.actorStats() ?? idleStats,
    routerStats,
    shardStats: () => shards?.stats() ?? {},
    async start() {
      await transport.start({
        received: (from, message) => {
          connection.received(from, message);
        },
        gone: (to) => {
          connection.gone(to);
        },
      });
      await placement.start();
      unowned.look();
      ping();
    },
    async served() {
      for (const until = clock.elapsed() + leaseMs + patienceMs; unowned.count() > 0 && clock.elapsed() < until;)
        await waited(clock, 50);
    },
    async handOver(graceMs: number) {
      stepsEndAt = clock.elapsed() + graceMs;
      await placement.drain();
    },
    async stop() {
      stopping = true;
      given.vectors?.stop();
      stopTimers();
      cancelPing();
      await shards?.stop();
      await placement.stop();
      router.close();
      remoteSearch.close();
      await transport.close();
      await mcp.close();
    },
  };
}

/**
 * A gateway that cannot reach a server answers 503 with Retry-After itself, and so do all others: out of the load
 * balancer they could not even do that. It is not ready only when that has lasted, so that an election passes.
 */
function watchOutage(clock: HostDeps['clock'], patienceMs: number): { lasting(problem: string | null): string | null } {
  let since: number | null = null;
  return {
    lasting(problem) {
      since = problem === null ? null : (since ?? clock.elapsed());
      return since === null || clock.elapsed() - since < patienceMs ? null : problem;
    },
  };
}

/** Counts shards without an owner. That is normal while shards move, but a problem if it lasts longer than a lease. */
function watchUnowned(
  placement: Placement,
  shards: Shards,
  clock: HostDeps['clock'],
  leaseMs: number,
): { look(): void; count(): number; problem(): string | null } {
  let since = -Infinity;
  let count = shards.count;
  const look = (): void => {
    let unowned = 0;
    for (const shard of shards.all) if (placement.ownerOf(shard) === null) unowned++;
    if (unowned > 0 && count === 0) since = clock.elapsed();
    count = unowned;
  };
  placement.onChange(look);
  return {
    look,
    count: () => count,
    problem: () =>
      count > 0 && clock.elapsed() - since > leaseMs
        ? `${count} of ${shards.count} shards are served by no worker`
        : null,
  };
}
