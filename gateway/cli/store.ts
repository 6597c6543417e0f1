/** Opens the store, for the server and for commands that run beside it. */
import { existsSync } from 'node:fs';
import { createAdmin, type Admin, type AdminDeps } from '../admin/admin.js';
import type { Config } from '../../src/config/config.js';
import { openLmdbStore } from '../../src/store/lmdb/open.js';
import type { Store } from '../../src/store/port.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import { Failure } from './failure.js';
import { createSystem } from '../../src/base/system.js';

/** Throws StoreError. `shared` opens the embedded store beside a running server; MongoDB is always shared. */
export async function openStore(
  { mongodbUrl, dataDir, shards }: Config,
  shared: boolean,
  log?: Pick<Logger, 'warn'>,
): Promise<Store> {
  if (mongodbUrl === null) return openLmdbStore({ dir: dataDir, shared, ...(log && { log }) });
  const { openMongoStore } = await import('../../src/store/mongo/open.js');
  return openMongoStore({ url: mongodbUrl, shards });
}

/**
 * Runs a command on the store, then closes it. `create` allows it to create the data folder. Without it, a command that
 * runs in another folder than the service says so, instead of changing an empty store that nobody serves.
 */
export async function withAdmin<T>(
  config: Config,
  create: boolean,
  command: (admin: Admin, deps: AdminDeps) => Promise<T>,
): Promise<T> {
  if (!create && config.mongodbUrl === null && !existsSync(config.dataDir)) {
    throw new Failure(
      `There is no data folder ${config.dataDir}: start the service once, or set HIVEKEEP_DATA_DIR to the folder that it uses`,
    );
  }
  const store = await openStore(config, true);
  try {
    const deps = { store, ...createSystem() };
    const admin = createAdmin(deps);
    await admin.ensureDefaultWorkspace();
    return await command(admin, deps);
  } finally {
    await store.close();
  }
}
