/**
 * Which memories a caller reaches.
 *
 *  - A caller that works for one agent (Caller.agent) changes the memories of this agent only, and reads those and,
 *    with hive:read, those of the agent's hives. To it all others do not exist.
 */
import { notFound } from '../../src/domain/shared/errors.js';
import { isUnexpired } from '../../src/domain/memory/memories.js';
import type { StoredMemory } from '../../src/domain/memory/stored-memory.js';
import type { Caller } from '../../src/service.js';
import type { EntityRef } from '../../src/store/port.js';
import { agentRef, headOf, hiveRef, isNotFound } from '../../src/commands/entities.js';
import { type ServiceContext } from './context.js';

/** The agent or the hive that a request names; undefined for the workspace. */
export const spaceOf = (
  caller: Caller,
  { agent_id, hive_id }: { agent_id?: string | undefined; hive_id?: string | undefined },
): EntityRef | undefined =>
  agent_id !== undefined ? agentRef(caller, agent_id) : hive_id !== undefined ? hiveRef(caller, hive_id) : undefined;

type Access = 'read' | 'change';

/** Throws NOT_FOUND for a memory space that is out of the caller's reach. */
export async function checkReach(c: ServiceContext, caller: Caller, entity: EntityRef, access: Access): Promise<void> {
  const { agent } = caller;
  if (agent === undefined || (entity.kind === 'agent' && entity.id === agent)) return;
  if (access === 'read' && entity.kind === 'hive' && caller.scopes.includes('hive:read')) {
    const { snapshot } = await headOf(c.deps, agentRef(caller, agent));
    if (snapshot.hives.includes(entity.id)) return;
  }
  throw notFound(entity.kind, entity.id);
}

/** Returns a memory and the entity that owns it. The memory exists and has not expired. */
export async function owned(
  c: ServiceContext,
  caller: Caller,
  id: string,
  access: Access,
): Promise<{ memory: StoredMemory; entity: EntityRef }> {
  const found = await c.deps.store.find(caller.workspace, 'memory', id);
  const memory = found?.body;
  if (!found || !memory || !isUnexpired(memory, c.deps.clock.now())) throw notFound('memory', id);
  try {
    await checkReach(c, caller, found.entity, access);
    await headOf(c.deps, found.entity);
  } catch (error) {
    throw isNotFound(error) ? notFound('memory', id) : error;
  }
  return { memory, entity: found.entity };
}
