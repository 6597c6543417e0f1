/**
 * The whole server on fresh data, for benchmarks that load it from another process. Settings come from the environment,
 * as ever.
 */
import { createAdmin } from '../gateway/admin/admin.js';
import { startServer } from '../gateway/main/start-server.js';
import { createKeyring } from '../src/secrets/keyring.js';
import { openStore } from '../gateway/cli/store.js';
import { createSystem } from '../src/base/system.js';
import { loadConfig } from '../src/config/config.js';
import { createLog } from '../src/telemetry/pino-log.js';
import { createMetrics } from '../src/telemetry/metrics.js';
import { noLimits } from '../test/helpers/no-limits.js';

export async function startBenchServer(limits: boolean): Promise<{ port: number; stop(): Promise<void> }> {
  const config = loadConfig(process.env, false);
  const system = createSystem();
  const store = await openStore(config, false);
  const admin = createAdmin({ store, ...system });
  await admin.ensureDefaultWorkspace();
  await admin.ensureRootKey(config.rootKey);
  const server = await startServer({
    config,
    tls: null,
    store,
    keyring: createKeyring([await admin.ensureStoredSecret()]),
    ...system,
    log: createLog({ level: 'warn', format: 'json', colour: false }),
    metrics: createMetrics(),
    ...(!limits && { limiter: noLimits }),
  });
  return {
    port: Number(new URL(server.url).port),
    stop: () => server.stop().then(() => store.close()),
  };
}
