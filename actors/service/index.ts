/** Assembles the service from its parts. */
import { followWorkspace } from '../../src/bus/workspace-events.js';
import type { Service } from '../../src/service.js';
import { createEngine } from '../engine/execute.js';
import { type ServiceContext, withStoreFailures } from './context.js';
import { hiveService } from './hives.js';
import { memoryService } from './memories.js';
import { peerPushService } from './peer-pushes.js';
import { principalService } from './principals.js';
import { runService } from './runs.js';
import { taskService } from './tasks.js';
import { toolService } from './tools.js';
import { transferService } from './transfer.js';

/** The number of live events that may wait for a reader before its stream is ended. */
const buffer = 1024;

export function createService(given: Omit<ServiceContext, 'services'>, ready: Service['ready']): Service {
  const { deps, keyring, randomBytes, tiers, modelServers } = given;
  const { store, clock, ids, push, mcp } = deps;
  const services = createEngine(deps, {
    store,
    clock,
    ids,
    push,
    mcp,
    keyring,
    randomBytes,
    tiers,
    modelServers,
  });
  const c: ServiceContext = { ...given, services };
  return withStoreFailures({
    ...principalService(c.deps),
    ...runService(c),
    ...taskService(c),
    ...memoryService(c),
    ...hiveService(c),
    ...toolService(c),
    ...peerPushService(c),
    execute: services.execute,
    ...transferService(c),
    workspaceEvents: (caller, signal) =>
      followWorkspace({ bus: c.deps.bus, workspace: caller.workspace, signal, buffer }),
    ready,
  });
}
