/** What every entity's actor is given: the outside, as ports. */
import type { Env } from '../../src/domain/change.js';
import type { MonotonicClock } from '../../src/domain/clock.js';
import type { IdSource } from '../../src/domain/ids.js';
import type { Bus } from '../../src/bus/port.js';
import type { Recall } from '../../src/memory/port.js';
import type { Push } from '../../src/push/port.js';
import type { ReasonerFor } from '../../src/reasoner/port.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import type { Address } from '../runtime/port.js';
import type { Quota } from '../quota/local-quota.js';
import type { TenantBounds } from '../quota/tenant-bounds.js';
import type { RecallIndexes } from './recall-indexes.js';
import type { ActorMetrics } from './entity-metrics.js';
import type { Logger } from '../../src/telemetry/logger.js';

/** Why what an entity was doing cannot go on: the error of its run. */
export interface ReasonToGiveUp {
  code: string;
  message: string;
}

export interface EntityDependencies {
  store: Store;
  bus: Bus;
  recall: Recall;
  reasonerFor: ReasonerFor;
  clock: MonotonicClock;
  ids: IdSource;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  metrics: ActorMetrics;
  push: Push;
  /** Tries of one push, and the pause before the second, ms; each pause after it is twice as long, with jitter. */
  pushRetry: { tries: number; firstPauseMs: number };
  defaults: Env['defaults'];
  quota: Quota;
  bounds: TenantBounds;
  /** The recall indexes of the entities that live here. */
  indexes: RecallIndexes;
  /** The process is shutting down: no step is begun any more. */
  stopping(): boolean;
  /** Why the entity's breaker opened, once: what it was doing is to be given up when it is loaded again. */
  takeReasonToGiveUp(entity: EntityRef): ReasonToGiveUp | null;
  /** What the entity is doing is to be given up when it is loaded again. */
  giveUp(entity: EntityRef, reason: ReasonToGiveUp): void;
  /** Asks an entity's actor, wherever it lives. Past the deadline (ms since the epoch) the message has no effect any more; without one, it is waited for as long as is usual (router.ts). */
  ask(address: Address, message: unknown, options?: { deadline?: number }): Promise<unknown>;
  /** Has an entity loaded again after a pause, so that it goes on with what a failure has interrupted. */
  wakeLater(entity: EntityRef): void;
}
