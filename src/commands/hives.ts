/** What can be asked of hives (docs/api.md 1). Membership is stored with the agents; a hive stores only its memories. */
import { showAgent } from '../domain/agent/agent-state.js';
import { join, leave } from '../domain/agent/agent-settings.js';
import type { Caller } from '../domain/shared/caller.js';
import { hiveInput, joinInput, patchHiveInput } from '../domain/shared/inputs.js';
import { removeMemory } from '../domain/memory/memories.js';
import { agentFor } from '../domain/task/run-as-task.js';
import { showMemory } from '../domain/memory/stored-memory.js';
import { newHive, patchHive, showHive } from '../domain/workspace/workspace-entity.js';
import { claimedKey, reserve } from './claims.js';
import { change, internalChange, partialChange, procedure, query, takes } from './command.js';
import { agentRef, headOf, hiveRef, isNotFound } from './entities.js';
import { listFor, pageOf, type PageRequest } from './lists.js';
import { sharedMemories } from './memory-reads.js';

export const createHive = change({
  name: 'createHive',
  summary: 'Create a hive.',
  scope: 'hive:write',
  result: 'Hive',
  audit: 'hive.created',
  of: 'hive',
  target: [],
  input: hiveInput,
  adds: true,
  prepare: async (services, { caller, input }) => ({
    hive: input,
    id: await reserve(services, caller, services.ids('hive', services.clock.now())),
  }),
  at: ({ caller, input }) => hiveRef(caller, input.id),
  create: (id, { input }, env) => newHive(id, input.hive, env),
});

export const listHives = query({
  name: 'listHives',
  summary: 'List hives.',
  scope: 'hive:read',
  result: 'Hive',
  target: [],
  async run(services, { caller: { workspace }, input: { page } }: Paged) {
    const { store } = services;
    return pageOf(
      services,
      { workspace, collection: 'hive', list: listFor(page, 'updated') },
      page,
      await store.sum(workspace, 'hives'),
      async (item) => showHive(item.body, (await store.head(item.entity))?.counts ?? {}),
    );
  },
});

interface Paged {
  caller: Caller;
  input: { page: PageRequest };
}
interface PagedOfHive extends Paged {
  target: { id: string };
}

export const getHive = query({
  name: 'getHive',
  summary: 'Get a hive.',
  scope: 'hive:read',
  result: 'Hive',
  target: ['id'],
  async run(services, { caller, target }) {
    const head = await headOf(services, hiveRef(caller, target.id));
    return showHive(head.snapshot, head.counts);
  },
});

export const updateHive = change({
  name: 'updateHive',
  summary: 'Update the name, description or metadata of a hive.',
  scope: 'hive:write',
  result: 'Hive',
  audit: 'hive.updated',
  of: 'hive',
  target: ['id'],
  input: patchHiveInput,
  decide: (d, { input }) => patchHive(d, input),
});

export const removeHive = partialChange({
  name: 'removeHive',
  of: 'hive',
  target: ['id'],
  takes: takes<undefined>(),
  audit: 'hive.deleted',
  removes: true,
});

export const deleteHive = procedure({
  name: 'deleteHive',
  summary: 'Delete a hive and the memories shared in it.',
  scope: 'hive:write',
  result: 'Deleted',
  audit: 'hive.deleted',
  target: ['id'],
  /**
   * Then takes all members out of it. A member missed because of a crash keeps a reference to a missing hive, which
   * recall and sharing ignore.
   */
  async run(services, { caller, target: hive }) {
    await services.execute(caller, removeHive, hive);
    const members = { workspace: caller.workspace, collection: 'agent', list: 'hive', by: hive.id } as const;
    for (;;) {
      const { items } = await services.store.list({ ...members, order: 'asc', limit: 100 });
      if (items.length === 0) return;
      for (const { id } of items)
        await services.execute(caller, leaveRemovedHive, { id }, hive).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      if (items.every(({ body }) => body.deleting)) return;
    }
  },
});

export const listHiveAgents = query({
  name: 'listHiveAgents',
  summary: 'List the agents of a hive.',
  scope: 'hive:read',
  result: 'Agent',
  target: ['id'],
  async run(services, { caller, target: { id }, input: { page } }: PagedOfHive) {
    const { workspace } = caller;
    await headOf(services, hiveRef(caller, id));
    return pageOf(services, { workspace, collection: 'agent', list: 'hive', by: id }, page, null, async (item) =>
      agentFor(showAgent(item.body, (await services.store.head(item.entity))?.counts ?? {}), caller.scopes),
    );
  },
});

export const joinHive = change({
  name: 'joinHive',
  summary: 'Add an agent to a hive.',
  scope: 'hive:write',
  result: 'Agent',
  audit: 'hive.joined',
  of: 'agent',
  target: ['id'],
  input: joinInput,
  async prepare(services, { caller, target, input }) {
    await headOf(services, hiveRef(caller, target.id));
    return input;
  },
  at: ({ caller, input }) => agentRef(caller, input.agent_id),
  key: ({ caller }) => claimedKey(caller),
  noted: ({ target }) => ({ target: target.id }),
  decide: (d, { target }) => join(d, target.id),
  show: (agent, { caller }) => agentFor(agent, caller.scopes),
});

export const leaveHive = change({
  name: 'leaveHive',
  summary: 'Remove an agent from a hive.',
  scope: 'hive:write',
  result: 'Deleted',
  audit: 'hive.left',
  of: 'agent',
  target: ['id', 'agentId'],
  async prepare(services, { caller, target }) {
    await headOf(services, hiveRef(caller, target.id));
    return undefined;
  },
  at: ({ caller, target }) => agentRef(caller, target.agentId),
  noted: ({ target }) => ({ target: target.id }),
  decide(d, { target }): void {
    leave(d, target.id);
  },
});

export const leaveRemovedHive = partialChange({
  name: 'leaveRemovedHive',
  of: 'agent',
  target: ['id'],
  takes: takes<{ id: string }>(),
  decide(d, { input: hive }): void {
    leave(d, hive.id);
  },
});

export const listSharedMemories = query({
  name: 'listSharedMemories',
  summary: 'List the memories shared in a hive.',
  scope: 'hive:read',
  result: 'Memory',
  target: ['id'],
  async run(services, { caller, target: { id }, input: { page } }: PagedOfHive) {
    const { workspace } = caller;
    const entity = hiveRef(caller, id);
    const head = await headOf(services, entity);
    const list = listFor(page, 'updated');
    return pageOf(
      services,
      { workspace, entity, collection: 'memory', list, aliveAt: services.clock.now() },
      page,
      head.counts['memories'] ?? 0,
      ({ body }) => showMemory(body),
    );
  },
});

/** Refuses what an agent that is being deleted still shares: it changes nothing, and its key is kept (`goneKey`). */
export const refuseShares = internalChange({
  name: 'refuseShares',
  of: 'hive',
  target: ['id'],
  takes: takes<null>(),
  decide: () => null,
});

const sharesInPart = 200;

/** Deletes a part of the memories that a deleted agent has shared, and results in whether that was the last. */
export const deleteShares = internalChange({
  name: 'deleteShares',
  of: 'hive',
  target: ['id'],
  takes: takes<{ agent: string }>(),
  read: (reading, { input: { agent } }) =>
    reading.settled(() => sharedMemories(reading.deps.store, reading.entity, agent, sharesInPart)),
  decide(d, _call, memories): boolean {
    for (const memory of memories) removeMemory(d, memory);
    return memories.length < sharesInPart;
  },
  repeatable: true,
});
