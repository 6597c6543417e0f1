/** The service: one object out of its parts. */
import { followWorkspace } from '../../src/bus/workspace-events.js';
import type { Service } from '../../src/service.js';
import { agentService } from './agents.js';
import type { ServiceContext } from './context.js';
import { hiveService } from './hives.js';
import { memoryService } from './memories.js';
import { createPrincipals } from './principals.js';
import { runService } from './runs.js';
import { workspaceService } from './workspace.js';

/** Live events that may wait for a reader before its stream is ended. */
const buffer = 1024;

export function createService(c: ServiceContext, ready: Service['ready']): Service {
  const principals = createPrincipals(c.world);
  return {
    authenticate: (hash) => principals.authenticate(hash),
    ...agentService(c, principals), ...runService(c), ...memoryService(c), ...hiveService(c), ...workspaceService(c, principals),
    workspaceEvents: (caller, signal) => followWorkspace({ bus: c.world.bus, workspace: caller.workspace, signal, buffer }),
    ready,
  };
}
