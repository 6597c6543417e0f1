/**
 * The service's operations on memories of agents, hives and the workspace. Who reaches which is in memory-reach.ts, and
 * lists, batches and the search are in memory-lists.ts, memory-batches.ts and memory-search.ts.
 */
import { fieldsOf } from '../../src/domain/workspace/audit.js';
import { invalid } from '../../src/domain/shared/errors.js';
import type { Memory } from '../../src/domain/model/model.js';
import { showMemory } from '../../src/domain/memory/stored-memory.js';
import { isShortTerm } from '../../src/domain/workspace/usage.js';
import type { Service } from '../../src/service.js';
import { deskRef } from '../../src/commands/entities.js';
import {
  askActor,
  auditNoteOf,
  withClaimedKey,
  withReservation,
  type QuotaOutcome,
  type ServiceContext,
  unreserved,
} from './context.js';
import { createMemories } from './memory-batches.js';
import { listMemories, memoryHistory } from './memory-lists.js';
import { checkReach, spaceOf, owned } from './memory-reach.js';
import { searchMemories } from './memory-search.js';
import { getProfile, rejectProfileEntry } from './profiles.js';
import { promptContext } from './prompt-context.js';

export function memoryService(c: ServiceContext) {
  const { clock } = c.deps;
  return {
    async createMemory(caller, { agent_id, hive_id, ...input }) {
      if (input.expires_at && Date.parse(input.expires_at) <= clock.now())
        throw invalid({ path: 'expires_at', message: 'must be in the future' });
      // for a key nothing has to be waited for, so a message that is sent next does not overtake the memory
      if (caller.agent !== undefined)
        await checkReach(c, caller, spaceOf(caller, { agent_id, hive_id }) ?? deskRef(caller), 'change');
      const entity = spaceOf(caller, { agent_id, hive_id }) ?? deskRef(caller);
      const remember = (outcome: QuotaOutcome): Promise<Memory> =>
        askActor(c, caller, entity, {
          type: 'remember',
          input,
          ...outcome,
          ...withClaimedKey(caller),
        });
      return isShortTerm(input.expires_at, clock.now()) ? remember(unreserved) : withReservation(c, caller, remember);
    },
    createMemories: (caller, { memories }) => createMemories(c, caller, memories),
    listMemories: (caller, filter, page) => listMemories(c, caller, filter, page),
    async getMemory(caller, id) {
      return showMemory((await owned(c, caller, id, 'read')).memory);
    },
    memoryHistory: (caller, id, page) => memoryHistory(c, caller, id, page),
    async patchMemory(caller, id, patch) {
      if (patch.expires_at && Date.parse(patch.expires_at) <= clock.now())
        throw invalid({ path: 'expires_at', message: 'must be in the future' });
      const { entity, memory } = await owned(c, caller, id, 'change');
      const change = (outcome: QuotaOutcome): Promise<unknown> =>
        askActor(c, caller, entity, {
          type: 'patchMemory',
          id,
          patch,
          ...outcome,
          ...auditNoteOf(caller, 'memory.updated', { target: id, fields: fieldsOf(patch) }),
        });
      // The memory may become long-term and then counts; only the actor's decision can tell.
      return (await (patch.expires_at !== undefined && !isShortTerm(patch.expires_at, Date.parse(memory.created_at))
        ? withReservation(c, caller, change)
        : change(unreserved))) as Memory;
    },
    async deleteMemory(caller, id) {
      const { entity } = await owned(c, caller, id, 'change');
      await askActor(c, caller, entity, {
        type: 'forget',
        id,
        ...auditNoteOf(caller, 'memory.deleted', { target: id }),
      });
    },
    searchMemories: (caller, input) => searchMemories(c, caller, input),
    promptContext: (caller, input) => promptContext(c, caller, input),
    getProfile: (caller, agent, of) => getProfile(c, caller, agent, of),
    rejectProfileEntry: (caller, agent, entry, of) => rejectProfileEntry(c, caller, agent, entry, of),
  } satisfies Partial<Service>;
}
