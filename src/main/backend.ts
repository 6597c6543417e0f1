/** What the gateway stands on in one process: the service, its limits, and how it begins and ends. Embedded (embedded.ts) or a part of a cluster (clustered.ts). */
import type { HostDependencies } from '../../actors/entities/local-actors.js';
import type { Config } from '../config.js';
import type { Keyring } from '../keyring.js';
import type { Limits } from '../limits/port.js';
import type { Service } from '../service.js';
import type { Store } from '../store/port.js';
import type { Logger } from '../telemetry/log.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { System } from '../cli/system.js';

export interface Backend {
  readonly service: Service;
  /** A place among the concurrent requests of a key ends `holdMs` after the process that held it. */
  readonly limits: { keys: Limits; addresses: Limits };
  /** Resolves when commands can be served. */
  start(): Promise<void>;
  /** Others take over what can be taken over; requests are served on meanwhile. Steps in progress have so long to end, in all. */
  handOver(graceMs: number): Promise<void>;
  /** Commits what is decided and ends. Does not close the store. */
  stop(graceMs: number): Promise<void>;
}

export interface BackendParts extends System {
  config: Config;
  store: Store;
  log: Logger;
  metrics: Metrics;
  /** Whatever is the same for both forms: reasoners, pushes, defaults. */
  deps: Pick<HostDependencies, 'reasonerFor' | 'push' | 'pushRetry' | 'defaults'>;
  keyring: Keyring;
}

export const holdMs = 30_000;
