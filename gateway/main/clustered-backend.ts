/**
 * The backend of one process of a cluster: MongoDB for durable state, Redis for communication.
 *
 *  - Conditions that would cause failures later prevent the start, each with one sentence and without changes: an
 *    unusable server, clocks that differ too much, another cluster on the same database.
 *  - Every process instance has a unique name that is never reused.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type ClusterEngine, startClusterEngine } from '../../actors/cluster/cluster-engine.js';
import { TenantBounds } from '../../actors/quota/tenant-bounds.js';
import { recallSource, vectorSource } from '../../actors/entities/recall-indexes.js';
import { createRedisBus } from '../../src/bus/redis/events.js';
import { createRedisTransport } from '../../src/bus/redis/transport.js';
import { createLeasedPlacement } from '../../src/cluster/leased-placement.js';
import { redisLeases } from '../../src/cluster/redis/leases.js';
import { compareClocks } from '../../src/base/clock-skew.js';
import { modelServers } from '../../src/config/model-servers.js';
import { waited } from '../../src/domain/shared/clock.js';
import { ClusterMistake, createIdentity, redisTable } from '../../src/cluster/identity.js';
import { createRedisLimits } from '../../src/limits/redis/limits.js';
import { createRecall } from '../../src/memory/recall.js';
import { checkRedis, redisUrlFor } from '../../src/redis/check.js';
import { connectRedis } from '../../src/redis/connect.js';
import { failureSentence, serversOf } from '../../src/redis/failure.js';
import type { MongoStore } from '../../src/store/mongo/open.js';
import { StoreError } from '../../src/store/port.js';
import { type Backend, type BackendOptions, holdMs, keptIndexes, storeBytesHelp, tiersOf } from './backend.js';
import { Failure } from '../cli/failure.js';
import { ServerAway } from './patient-start.js';
import { packageVersion } from '../../src/base/system.js';

/** How long a stop waits for the database to record it, ms: an unreachable database must not delay the stop. */
const goodbyeMs = 1000;

export type ClusterStore = Pick<
  MongoStore,
  'bytesOnDisk' | 'clusterId' | 'hasEntities' | 'nextEpoch' | 'ping' | 'processes' | 'time' | 'upToDate'
>;

/**
 * Throws Failure if Redis is unusable, and ServerAway if it may soon be usable; also compares its
 * clock. Resolves to the URL to connect with.
 */
export async function requireRedis(url: string): Promise<string> {
  const problems = (await checkRedis(url)).filter(({ level }) => level === 'fail');
  const problem = problems.find(({ away }) => !away) ?? problems[0];
  if (problem) throw problem.away ? new ServerAway(problem.text) : new Failure(problem.text);
  return redisUrlFor(url).catch((error: unknown) => {
    throw new ServerAway(failureSentence(error, serversOf(url)), { cause: error });
  });
}

/** Throws Failure if the database's clock and ours differ too much. */
export async function requireClock(
  cluster: ClusterStore,
  log: BackendOptions['log'],
  now: () => number,
): Promise<void> {
  const { level, text } = await compareClocks('MongoDB', () => cluster.time(), now);
  if (level === 'fail') throw new Failure(text);
  if (level === 'warn') log.warn({ event: 'clock.skewed' }, text);
}

export function clusteredBackend(redisUrl: string, cluster: ClusterStore): (options: BackendOptions) => Backend {
  return ({ config, store, log, metrics, clock, ids, randomBytes: random, deps, mcp, keyring }) => {
    const self = instanceName();
    const prefix = `hk:${cluster.clusterId}:`;
    const leaseMs = config.leaseSeconds * 1000;
    const client = connectRedis(redisUrl, `hivekeep-${self}`, log);
    const notices = connectRedis(redisUrl, `hivekeep-notices-${self}`, log);
    const bus = createRedisBus({ url: redisUrl, client, prefix, log });
    const transport = createRedisTransport({ url: redisUrl, self, prefix, log });
    const limits = createRedisLimits({ client, prefix, holdMs });
    const addresses = createRedisLimits({ client, prefix: `${prefix}address:`, holdMs });
    const identity = createIdentity({
      self,
      host: hostname(),
      leaseMs,
      notes: cluster.processes,
      table: () => redisTable(client, prefix),
      clock,
      failed: (error) => {
        log.warn(
          { event: 'process.note_failed', err: error },
          'this process could not renew its entry in the database',
        );
      },
    });
    const engine: ClusterEngine = startClusterEngine({
      role: config.role,
      mcp,
      publicUrl: config.publicUrl,
      transport,
      leaseMs,
      idleMs: config.idleSeconds * 1000,
      pingStore: () => cluster.ping(),
      hasEntities: (workspace, shards) => cluster.hasEntities(workspace, shards),
      tiers: tiersOf(config),
      messageWaitMs: config.messageWaitSeconds * 1000,
      filesMaxBytes: config.filesMaxBytes,
      modelServers: [...modelServers(config).keys()],
      heartbeatMs: config.heartbeatSeconds * 1000,
      randomBytes: random,
      keyring,
      placementFor: (host, stats) =>
        createLeasedPlacement(redisLeases(client, notices, prefix), {
          stats,
          mayBeHeld: () => identity.mayBeHeld(),
          onBeat: (born) => {
            identity.noted(born);
          },
          self,
          role: config.role,
          shards: store.shards.count,
          host,
          nextEpoch: (above) => cluster.nextEpoch(above),
          upToDate: () => cluster.upToDate(),
          leaseMs,
          clock,
          monotonic: () => performance.now(),
          log,
          about: {
            host: hostname(),
            pid: process.pid,
            version: packageVersion(),
            started: new Date(clock.now()).toISOString(),
            ...(deps.vectors && { embeddings: deps.vectors.model }),
          },
        }),
      deps: {
        ...deps,
        store,
        clock,
        ids,
        log,
        metrics,
        bus,
        bounds: new TenantBounds({ store, clock, limits }),
        recall: createRecall({
          source: recallSource(store, (shard) => engine.serves(shard), vectorSource(deps.vectors)),
          clock,
          maxBytes: config.recallMaxMb * 1024 * 1024,
          log,
          ...keptIndexes({ store, log, deps }),
        }),
      },
    });
    metrics.observeGauge('hivekeep_store_bytes', storeBytesHelp, () => cluster.bytesOnDisk());
    metrics.observeActors(() => engine.actorStats());
    metrics.observeCluster(() => {
      const {
        unanswered,
        sent,
        resent: again,
        notOwner: elsewhere,
        repeatsDropped,
        late,
        malformed,
      } = engine.routerStats();
      const { shards = 0, takeovers = 0, handovers = 0, lost = 0 } = engine.shardStats();
      return {
        shards,
        members: engine.placement.members().length,
        unanswered,
        takeoversTotal: takeovers,
        handoversTotal: handovers,
        lostTotal: lost,
        sentTotal: sent,
        againTotal: again,
        elsewhereTotal: elsewhere,
        repeatsDroppedTotal: repeatsDropped,
        lateTotal: late,
        unreadableTotal: malformed + transport.stats().unreadable + bus.unreadable(),
      };
    });
    return {
      service: engine.service,
      limits: { keys: limits, addresses },
      async start() {
        try {
          await identity.check();
          await engine.start();
          await engine.served();
        } catch (error) {
          throw refusal(error, redisUrl);
        }
      },
      handOver: (graceMs) => engine.handOver(graceMs),
      async stop() {
        await engine.stop();
        const told = identity.forget().catch((error: unknown) => {
          log.warn(
            { event: 'process.note_failed', err: error },
            'this process could not remove its entry from the database',
          );
        });
        await Promise.race([told, waited(clock, goodbyeMs)]);
        await bus.close();
        client.disconnect();
        notices.disconnect();
      },
    };
  };
}

/**
 * Turns the error that prevents a start into a sentence: a faulty cluster setup, a failure of the database, or
 * otherwise of Redis, which had answered a moment before.
 */
function refusal(error: unknown, redisUrl: string): unknown {
  if (error instanceof ClusterMistake) return new Failure(error.message, { cause: error });
  return error instanceof StoreError || error instanceof Failure
    ? error
    : new Failure(failureSentence(error, serversOf(redisUrl)), { cause: error });
}

/**
 * The host name and process id tell people where it runs; the random end makes it unique. It has no braces, which Redis
 * Cluster would read as tags.
 */
const instanceName = (): string =>
  `${hostname()
    .replace(/[^\w.-]/g, '')
    .slice(0, 40)}-${process.pid}-${randomBytes(6).toString('hex')}`;
