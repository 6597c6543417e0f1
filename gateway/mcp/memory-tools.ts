/** Tools that find, add, change and share memories (docs/api.md 2.2). */
import { z } from 'zod';
import { memoryInput, memoryPatch, searchInput, shareInput } from '../../src/domain/inputs.js';
import { results } from '../../src/domain/model.js';
import { adds, changes, pageInput, pageOf, reads, tool, type Tool } from './tool.js';
import { paged } from './workspace-tools.js';

const { agent_id: _agent, hive_id: _hive, ...memory } = memoryInput.shape;
const { agent_id: _searched, ...query } = searchInput.shape;
const { agent_id: _sharer, ...shared } = shareInput.shape;
const reference = shareInput.shape.agent_id;
/** Mailbox messages and turns of conversations are found too, under ids of their own. */
const found = results.FoundMemory.extend({ id: z.string() });
const memoryId = reference.describe('The `id` of the memory.');

export const memoryTools: readonly Tool[] = [
  tool({
    name: 'recall',
    title: 'Recall',
    description:
      'Finds memories by what they say, best first, each with its relevance from 0 to 1. Use it before you answer anything that may have come up before.',
    scopes: ['memory:read'],
    forAgent: 'optional',
    annotations: reads,
    search: true,
    input: z.strictObject({
      ...query,
      hive_id: query.hive_id.describe("Search what is shared in this hive, instead of the agent's own memories."),
    }),
    output: z.object({ memories: z.array(found) }),
    call: async ({ service, caller }, input, agent) => ({
      memories: await service.searchMemories(
        caller,
        input.hive_id === undefined && agent !== undefined ? { ...input, agent_id: agent } : input,
      ),
    }),
  }),
  tool({
    name: 'remember',
    title: 'Remember',
    description:
      'Keeps a memory for good: one fact, decision or event that will matter later, in words that make sense on their own. Where it replaces what is no longer so, name that memory in `supersedes`.',
    scopes: ['memory:write'],
    forAgent: 'optional',
    annotations: adds,
    repeatable: true,
    input: z.strictObject({ ...memory, type: memory.type.default('semantic') }),
    output: results.Memory,
    call: ({ service, caller }, input, agent) => service.createMemory(caller, { ...input, agent_id: agent }),
  }),
  tool({
    name: 'memory_history',
    title: 'History of a memory',
    description: 'A memory with those that it replaced, and those that replaced it, the newest first.',
    scopes: ['memory:read'],
    forAgent: 'none',
    annotations: reads,
    input: z.strictObject({ memory_id: memoryId, ...pageInput }),
    output: pageOf(results.Memory),
    call: (call, { memory_id, ...input }) =>
      paged(call, input, `history of ${memory_id}`, (page) => call.service.memoryHistory(call.caller, memory_id, page)),
  }),
  tool({
    name: 'update_memory',
    title: 'Update a memory',
    description: 'Corrects a memory, or says until when it is so. What is left out stays as it is.',
    scopes: ['memory:write'],
    forAgent: 'none',
    annotations: changes,
    input: z.strictObject({ memory_id: memoryId, ...memoryPatch.shape }),
    output: results.Memory,
    call: ({ service, caller }, { memory_id, ...patch }) => service.patchMemory(caller, memory_id, patch),
  }),
  tool({
    name: 'forget',
    title: 'Forget a memory',
    description: 'Deletes one memory for good.',
    scopes: ['memory:write'],
    forAgent: 'none',
    annotations: changes,
    input: z.strictObject({ memory_id: memoryId }),
    output: results.Deleted,
    async call({ service, caller }, { memory_id }) {
      await service.deleteMemory(caller, memory_id);
      return { id: memory_id, deleted: true as const };
    },
  }),
  tool({
    name: 'share_with_hive',
    title: 'Share with a hive',
    description: "Shares a memory with the agents of a hive, in this agent's name. The agent has to be a member.",
    scopes: ['hive:write'],
    forAgent: 'required',
    annotations: adds,
    repeatable: true,
    input: z.strictObject({ hive_id: reference, ...shared, type: shared.type.default('semantic') }),
    output: results.Memory,
    call: ({ service, caller }, { hive_id, ...input }, agent) =>
      service.shareMemory(caller, hive_id, { ...input, agent_id: agent }),
  }),
];
