/** What every entity actor has to work with in its process, as ports; it asks others by what deps.ts adds. */
import type { Env } from '../../src/domain/shared/draft.js';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import type { IdSource } from '../../src/domain/shared/ids.js';
import type { Bus } from '../../src/bus/port.js';
import type { Vectors } from '../../src/embeddings/vectors.js';
import type { Recall } from '../../src/memory/port.js';
import type { McpServers } from '../../src/mcp/port.js';
import type { Peers } from '../../src/peers/port.js';
import type { Push } from '../../src/push/port.js';
import type { ReasonerFor } from '../../src/reasoner/port.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import type { ModelBudgets } from '../quota/model-budgets.js';
import type { MonthlyQuota } from '../quota/monthly-quota.js';
import type { TenantBounds } from '../quota/tenant-bounds.js';
import type { KnownWebhooks } from './webhooks.js';
import type { RecallIndexes } from './recall-indexes.js';
import type { LearningPlaces } from './agent/learning-places.js';
import type { UnsentCalls } from './agent/unsent-calls.js';
import type { KeptTexts } from './kept-texts.js';
import type { ActorMetrics } from './entity-writer.js';
import type { Logger } from '../../src/telemetry/logger-port.js';

/** Work of an entity that cannot continue: of these runs, or of all, whose error is the reason. */
export interface GivenUp {
  reason: { code: string; message: string };
  runs?: readonly string[];
}

export interface LocalDeps {
  store: Store;
  bus: Bus;
  recall: Recall;
  /** Makes vectors of memories; omitted where recall goes by words only. */
  vectors?: Vectors;
  reasonerFor: ReasonerFor;
  /** Shared by all agents of the process. */
  learning: LearningPlaces;
  /** Shared by all entities of the process. */
  keptTexts: KeptTexts;
  /** Shared by all agents of the process. */
  unsentCalls: UnsentCalls;
  clock: MonotonicClock;
  ids: IdSource;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  metrics: ActorMetrics;
  push: Push;
  /** The servers of the Model Context Protocol that agents use. */
  mcp: McpServers;
  /** A secret that was sealed for one agent, sealed for another; undefined if it cannot be opened. */
  reseal: (secret: string, from: string, to: string) => string | undefined;
  /** Agents elsewhere that agents ask. */
  peers: Peers;
  /**
   * The number of tries of one push, and the pause before the second in ms. Each later pause is twice as long, with
   * jitter.
   */
  pushRetry: { tries: number; firstPauseMs: number };
  defaults: Env['defaults'];
  quota: MonthlyQuota;
  modelBudgets: Pick<ModelBudgets, 'usedUp' | 'sumOf' | 'counted'>;
  /** The webhooks of the workspaces, shared by all entities of the process. */
  webhooks: KnownWebhooks;
  bounds: TenantBounds;
  /** The recall indexes of the entities of this process. */
  indexes: RecallIndexes;
  /** Whether the process is shutting down, in which case no more steps begin. */
  stopping(): boolean;
  /**
   * Returns and clears what the entity must give up, recorded by `giveUp` or when its breaker opened; null if there is
   * nothing.
   */
  takeGivenUp(entity: EntityRef): GivenUp | null;
  /** Records that the entity must give up this work when it is loaded again. */
  giveUp(entity: EntityRef, work: GivenUp): void;
  /** Has an entity loaded again after a pause, so that it continues the work that a failure interrupted (waker.ts). */
  wakeLater(entity: EntityRef, progressed?: boolean): void;
}
