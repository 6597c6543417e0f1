/**
 * The actors of an embedded service: starts them on a store, offers the service, and drains them when stopped.
 * cluster-engine.ts is the counterpart for a cluster.
 */
import { searchingByMeaning } from '../src/embeddings/vectors.js';
import { createPeers } from '../src/peers/peers.js';
import { createMcpServers, type McpSettings } from '../src/mcp/servers.js';
import { resealing, sendingSealed } from '../src/push/credentials.js';
import type { Service } from '../src/service.js';
import { type Ask, type UntypedAsk, withTrace } from './entities/ask.js';
import { tracedRecall } from './entities/traced-recall.js';
import { UnsentCalls } from './entities/agent/unsent-calls.js';
import { KeptTexts } from './entities/kept-texts.js';
import { type LearningBounds, LearningPlaces } from './entities/agent/learning-places.js';
import { KnownWebhooks } from './entities/webhooks.js';
import { type HostDeps, startActors } from './entities/local-actors.js';
import { subjectAlertOf } from '../src/commands/subject-use.js';
import { ModelBudgets } from './quota/model-budgets.js';
import { MonthlyQuota } from './quota/monthly-quota.js';
import { deskOf } from './quota/tenant-bounds.js';
import { vectorKeeper } from './entities/vector-keeper.js';
import { recover, watchTimers } from './entities/recovery.js';
import { WriteHealth } from './write-health.js';
import { createService } from './service/index.js';
import type { ServiceContext } from './service/context.js';
import type { ActorStats } from './runtime/system.js';

export interface EmbeddedEngineOptions extends Omit<ServiceContext, 'deps' | 'services'> {
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
  /** How long an idle agent stays in memory, in ms. */
  idleMs: number;
}

export interface EmbeddedEngine {
  readonly service: Service;
  stats(): ActorStats;
  /** Resolves with the number of entities with unfinished work from before this start, when all of them are loaded. */
  readonly recovered: Promise<number>;
  /**
   * Refuses new requests, commits all decisions, and aborts steps that do not end within the grace time (they run again
   * after the next start).
   */
  stop(graceMs: number): Promise<void>;
}

export function startEmbeddedEngine({
  deps: given,
  mcp: mcpSettings,
  publicUrl = null,
  idleMs,
  ...rest
}: EmbeddedEngineOptions): EmbeddedEngine {
  let stopping = false;
  const ask = ((address, message) => actors.ask(address, withTrace(message))) as UntypedAsk as Ask;
  const writes = new WriteHealth(given.store, given.clock);
  const metrics: HostDeps['metrics'] = {
    ...given.metrics,
    commit(outcome, seconds) {
      writes.committed(outcome);
      given.metrics.commit(outcome, seconds);
    },
  };
  const push = sendingSealed(given.push, rest.keyring);
  const mcp = createMcpServers({ push, clock: given.clock }, mcpSettings);
  const peers = createPeers({ push, clock: given.clock, keyring: rest.keyring, publicUrl });
  const entityDeps: HostDeps = {
    ...given,
    recall: tracedRecall(given.vectors ? searchingByMeaning(given.recall, given.vectors) : given.recall),
    metrics,
    push,
    reseal: resealing(rest.keyring),
    mcp,
    peers,
    ask,
    learning: new LearningPlaces(given.learning),
    keptTexts: new KeptTexts(),
    unsentCalls: new UnsentCalls(),
    webhooks: new KnownWebhooks(given.store, given.clock, Infinity),
    quota: new MonthlyQuota({
      ...given,
      alert: (workspace, usage) => ask(deskOf(workspace), { type: 'alert', usage }),
    }),
    modelBudgets: new ModelBudgets({
      ...given,
      alertModelBudget: (workspace, use) => ask(deskOf(workspace), { type: 'alertModelBudget', use }),
      alertSubjectBudget: (workspace, subject, alert) => ask(deskOf(workspace), subjectAlertOf(subject, alert)),
    }),
  };
  const actors = startActors(entityDeps, { idleMs });
  given.vectors?.begin(vectorKeeper(entityDeps));
  const stopTimers = watchTimers(entityDeps);
  const recovered = recover(entityDeps, () => stopping);
  recovered.catch((error: unknown) => {
    given.log.error(
      { event: 'recovery.failed', err: error },
      'not every entity with unfinished work could be loaded; the others resume at their next request or the next start',
    );
  });
  return {
    service: createService({ deps: { ...entityDeps, stopping: () => stopping }, ...rest }, () => {
      const reason = stopping ? 'the service is stopping' : writes.problem();
      return reason === null ? { ready: true } : { ready: false, reason };
    }),
    stats: () => actors.stats(),
    recovered,
    async stop(graceMs) {
      stopping = true;
      given.vectors?.stop();
      stopTimers();
      writes.stop();
      await actors.stop(graceMs);
      await mcp.close();
    },
  };
}
