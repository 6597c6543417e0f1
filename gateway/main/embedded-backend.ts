/** The backend of a single process: actors, events and limits in memory, over the embedded store. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedEngine } from '../../actors/embedded-engine.js';
import { TenantBounds } from '../../actors/quota/tenant-bounds.js';
import { recallSource, vectorSource } from '../../actors/entities/recall-indexes.js';
import { createInProcessBus } from '../../src/bus/in-process.js';
import { modelServers } from '../../src/config/model-servers.js';
import { createInMemoryLimits } from '../../src/limits/in-memory.js';
import { createRecall } from '../../src/memory/recall.js';
import { type Backend, type BackendOptions, holdMs, keptIndexes, storeBytesHelp, tiersOf } from './backend.js';

export function embeddedBackend({
  config,
  store,
  log,
  metrics,
  clock,
  ids,
  randomBytes,
  deps,
  mcp,
  keyring,
}: BackendOptions): Backend {
  const limits = createInMemoryLimits({ holdMs });
  const recall = createRecall({
    source: recallSource(store, undefined, vectorSource(deps.vectors)),
    clock,
    maxBytes: config.recallMaxMb * 1024 * 1024,
    log,
    ...keptIndexes({ store, log, deps }),
  });
  const engine = startEmbeddedEngine({
    deps: {
      ...deps,
      store,
      clock,
      ids,
      log,
      metrics,
      bounds: new TenantBounds({ store, clock, limits }),
      bus: createInProcessBus(log),
      recall,
    },
    mcp,
    publicUrl: config.publicUrl,
    idleMs: config.idleSeconds * 1000,
    tiers: tiersOf(config),
    messageWaitMs: config.messageWaitSeconds * 1000,
    filesMaxBytes: config.filesMaxBytes,
    modelServers: [...modelServers(config).keys()],
    heartbeatMs: config.heartbeatSeconds * 1000,
    randomBytes,
    keyring,
  });
  metrics.observeGauge(
    'hivekeep_store_bytes',
    storeBytesHelp,
    () => statSync(join(config.dataDir, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0,
  );
  metrics.observeActors(() => engine.stats());
  engine.recovered.then(
    (count) => {
      if (count > 0)
        log.info({ event: 'recovery.completed', entities: count }, 'resumed the work that was in progress');
    },
    () => undefined,
  );
  return {
    service: engine.service,
    limits: { keys: limits, addresses: createInMemoryLimits({ holdMs }) },
    start: () => Promise.resolve(),
    handOver: () => Promise.resolve(),
    stop: async (graceMs) => {
      await engine.stop(graceMs);
      await recall.keep(() => true);
    },
  };
}
