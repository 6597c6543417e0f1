/**
 * The backend of the gateway in one process: the service, its limits, and its life cycle. It is either embedded
 * (embedded-backend.ts) or part of a cluster (clustered-backend.ts).
 */
import type { LearningBounds } from '../../actors/entities/agent/learning-places.js';
import type { HostDeps } from '../../actors/entities/local-actors.js';
import { imageSource } from '../../actors/entities/recall-indexes.js';
import type { Config } from '../../src/config/config.js';
import type { Keyring } from '../../src/secrets/keyring.js';
import type { McpSettings } from '../../src/mcp/servers.js';
import type { Limits } from '../../src/limits/port.js';
import { tierLimits, type TierLimits } from '../../src/limits/tiers.js';
import type { RecallOptions } from '../../src/memory/recall.js';
import { RecallSnapshots } from '../../src/memory/snapshots.js';
import type { Service } from '../../src/service.js';
import type { Store } from '../../src/store/port.js';
import type { Logger } from '../../src/telemetry/pino-log.js';
import type { Metrics } from '../../src/telemetry/metrics.js';
import type { System } from '../../src/base/system.js';

export interface Backend {
  readonly service: Service;
  /**
   * A concurrency slot of a key expires `holdMs` after it was last renewed, for example when its process has crashed.
   */
  readonly limits: { keys: Limits; addresses: Limits };
  /** Resolves when commands can be served. */
  start(): Promise<void>;
  /**
   * Hands over to other processes what they can take over, while requests are still served. Steps in progress have this
   * long to end, in total.
   */
  handOver(graceMs: number): Promise<void>;
  /** Commits pending decisions and stops. Does not close the store. */
  stop(graceMs: number): Promise<void>;
}

export interface BackendOptions extends System {
  config: Config;
  store: Store;
  log: Logger;
  metrics: Metrics;
  /** The dependencies common to both backends: reasoners, pushes, defaults. */
  deps: Pick<HostDeps, 'reasonerFor' | 'vectors' | 'push' | 'pushRetry' | 'defaults'> & { learning: LearningBounds };
  mcp: McpSettings;
  keyring: Keyring;
}

/** The rate limits of each tier, with the configured numbers of tier enterprise. */
export const tiersOf = (config: Config): TierLimits =>
  tierLimits({
    requestsPerMinute: config.enterpriseRequestsPerMinute,
    searchesPerMinute: config.enterpriseSearchesPerMinute,
    concurrent: config.enterpriseConcurrent,
  });

export const holdMs = 30_000;

/** The metric hivekeep_store_bytes. */
export const storeBytesHelp =
  'Size of the store on disk: the data file, or the database of the cluster with its indexes.';

/** How recall keeps indexes for later processes. Those with vectors are not kept. */
export const keptIndexes = ({
  store,
  log,
  deps,
}: Pick<BackendOptions, 'store' | 'log' | 'deps'>): Pick<RecallOptions, 'snapshots'> =>
  store.images && !deps.vectors
    ? { snapshots: new RecallSnapshots({ source: imageSource(store, store.images), log }) }
    : {};
