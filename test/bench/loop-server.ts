/**
 * The whole server on fresh data and without limits, as a forked child. It sends its port; on every message it sends the
 * longest time, in ms, that its event loop was held since the message before.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createAdmin } from '../../src/admin.js';
import { startServer } from '../../src/main/start-server.js';
import { createKeyring } from '../../src/keyring.js';
import { openStore } from '../../src/cli/store.js';
import { createSystem } from '../../src/cli/system.js';
import { loadConfig } from '../../src/config.js';
import { createLog } from '../../src/telemetry/log.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import type { Limiter } from '../../gateway/limits/port.js';

const nothing = { headers: {} };
const limiter: Limiter = {
  admit: () => nothing,
  admitAddress: () => nothing,
  admitProbe: () => nothing,
  uncounted: () => nothing.headers,
};

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
  log: createLog({ level: 'error', format: 'json', colour: false }),
  metrics: createMetrics(),
  limiter,
});
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  // the sample that tells of a hold is taken by a timer, after it
  setTimeout(() => {
    process.send?.(delay.max / 1e6);
    delay.reset();
  }, 5);
});
process.send?.(Number(new URL(server.url).port));
process.once('disconnect', () => {
  process.exit(0);
});
