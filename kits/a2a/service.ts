/**
 * The service as the kits meet it: the real composition on a folder of its own, with the scripted agent as its
 * reasoner, and with no need of DNS.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createKeyring } from '../../src/secrets/keyring.js';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdmin } from '../../gateway/admin/admin.js';
import { startServer } from '../../gateway/main/start-server.js';
import { openStore } from '../../gateway/cli/store.js';
import { createSystem } from '../../src/base/system.js';
import { loadConfig } from '../../src/config/config.js';
import { type Resolve, systemResolver } from '../../src/push/resolver.js';
import type { Extend } from '../../gateway/mcp/server.js';
import type { Reasoner } from '../../src/reasoner/port.js';
import { createLog } from '../../src/telemetry/pino-log.js';
import { createMetrics } from '../../src/telemetry/metrics.js';

const rootKey = `svc_live_${'kitRootKey00'.repeat(4)}`;

/** What the kits register pushes for: their own receiver, and a name that is nobody's. */
const pushAllow = '127.0.0.1,localhost,example.com';

export interface KitService {
  url: string;
  key: string;
  /** Path of the agent's A2A endpoint. */
  agentPath: string;
  stop(): Promise<void>;
}

export async function startService(
  reasoner: Reasoner,
  multiStep: boolean,
  logLevel: string,
  extendMcp?: Extend,
): Promise<KitService> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-kit-'));
  const config = loadConfig(
    {
      HIVEKEEP_PORT: '0',
      HIVEKEEP_DATA_DIR: dir,
      HIVEKEEP_ROOT_KEY: rootKey,
      HIVEKEEP_PUSH_ALLOW: pushAllow,
      HIVEKEEP_LOG_LEVEL: logLevel,
      // a kit leaves streams open when it ends
      HIVEKEEP_SHUTDOWN_SECONDS: '1',
    },
    false,
  );
  const store = await openStore(config, false);
  const system = createSystem();
  const admin = createAdmin({ store, ...system });
  await admin.ensureDefaultWorkspace();
  await admin.ensureRootKey(rootKey);
  const server = await startServer({
    ...system,
    config,
    tls: null,
    store,
    keyring: createKeyring([await admin.ensureStoredSecret()]),
    log: createLog({ level: config.logLevel, format: 'json' }),
    metrics: createMetrics(),
    reasonerFor: () => reasoner,
    resolve,
    ...(extendMcp && { extendMcp }),
  });
  const agent = await spawnAgent(server.url, multiStep);
  return {
    url: server.url,
    key: rootKey,
    agentPath: `/api/v1/a2a/agents/${agent}`,
    async stop() {
      await server.stop();
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const byDns = systemResolver({ timeoutMs: 2000, tries: 1 });
/** example.com is here, where nobody listens: kits run without an internet too. */
const resolve: Resolve = (host, allowed) =>
  host === 'example.com' ? Promise.resolve([{ address: '127.0.0.1', family: 4 }]) : byDns(host, allowed);

async function spawnAgent(url: string, multiStep: boolean): Promise<string> {
  const response = await fetch(`${url}/v1/agents/spawn`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Kit agent',
      description: 'Does what the conformance kits ask for.',
      config: { multi_step: multiStep, max_steps: 50 },
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the agent could not be made: ${response.status} ${text}`);
  return (JSON.parse(text) as { data: { id: string } }).data.id;
}
