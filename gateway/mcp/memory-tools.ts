/** Tools that find, add, change and share memories (docs/api.md 2.2). */
import { z } from 'zod';
import { memoryType, reference } from '../../src/domain/shared/input-fields.js';
import { memoryInput, searchInput } from '../../src/domain/shared/inputs.js';
import { results } from '../../src/domain/model/model.js';
import { foundView, memoryPage, writtenView } from './views.js';
import { adds, changingTool, pageInput, reads, tool, type Tool } from './tool.js';
import { paged } from './workspace-tools.js';

const query = searchInput.shape;
const memory = memoryInput.shape;
const id = reference.describe('');
const when = (meaning: string): z.ZodType<string | undefined> => query.occurred_after.describe(meaning);
const type = memory.type.default('semantic').describe('episodic, semantic, procedural or another kind.');
const replaced = memory.supersedes.describe('The id of the memory that it replaces.');

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
      query: query.query.describe('What to look for, in any words.'),
      hive_id: query.hive_id.describe('Search what is shared in this hive instead.'),
      types: query.types.describe('Only these types.'),
      occurred_after: when('ISO 8601 with a time zone.'),
      occurred_before: when('ISO 8601 with a time zone.'),
      limit: query.limit.describe('10 by default.'),
    }),
    ...foundView,
    call: async ({ service, caller }, input, agent) => {
      const memories = await service.searchMemories(
        caller,
        input.hive_id === undefined && agent !== undefined ? { ...input, agent_id: agent } : input,
      );
      const { partial, words_only } = memories;
      return { memories, ...(partial && { partial }), ...(words_only && { words_only }) };
    },
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
    input: z.strictObject({
      content: memory.content.describe('What is to be remembered.'),
      type,
      importance: memory.importance.describe('0 to 1.'),
      speaker: memory.speaker.describe('Who said it.'),
      occurred_at: memory.occurred_at.describe('When it happened, ISO 8601 with a time zone.'),
      expires_at: memory.expires_at.describe('When it may be forgotten, ISO 8601 with a time zone.'),
      supersedes: replaced,
      metadata: memory.metadata.describe(''),
    }),
    ...writtenView,
    call: ({ service, caller }, input, agent) => service.createMemory(caller, { ...input, agent_id: agent }),
  }),
  tool({
    name: 'list_memories',
    title: 'List memories',
    description: 'Memories in pages, the newest first: to look through them all. To find some, recall.',
    scopes: ['memory:read'],
    forAgent: 'optional',
    annotations: reads,
    input: z.strictObject({
      hive_id: query.hive_id.describe('Those shared in this hive instead.'),
      type: memoryType.optional().describe('Only this type.'),
      session_id: query.sessionId.describe('Only of this conversation.'),
      subject: query.subject.describe('Only of this subject.'),
      run_id: query.run_id.describe('Only what this run wrote.'),
      ...pageInput,
    }),
    ...memoryPage,
    call(call, { limit, cursor, ...wanted }, agent) {
      const owner = wanted.hive_id === undefined ? { agent_id: agent } : { hive_id: wanted.hive_id };
      const given = {
        ...owner,
        type: wanted.type,
        sessionId: wanted.session_id,
        subject: wanted.subject,
        run_id: wanted.run_id,
      };
      const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      return paged(call, { limit, cursor }, `memories ${JSON.stringify(filter)}`, (page) =>
        call.service.listMemories(call.caller, filter, page),
      );
    },
  }),
  tool({
    name: 'memory_history',
    title: 'History of a memory',
    description: 'A memory with those that it replaced, and those that replaced it, the newest first.',
    scopes: ['memory:read'],
    forAgent: 'none',
    annotations: reads,
    input: z.strictObject({ memory_id: id, ...pageInput }),
    ...memoryPage,
    call: (call, { memory_id, ...input }) =>
      paged(call, input, `history of ${memory_id}`, (page) => call.service.memoryHistory(call.caller, memory_id, page)),
  }),
  tool({
    name: 'update_memory',
    title: 'Update a memory',
    description: 'Says what is so now in place of a memory. That one stays as history, and is recalled no more.',
    scopes: ['memory:write'],
    forAgent: 'none',
    annotations: adds,
    repeatable: true,
    input: z.strictObject({ memory_id: id, content: memory.content.describe('What is so now.') }),
    ...writtenView,
    async call({ service, caller, agent }, { memory_id, content }) {
      const { type, importance, metadata, agent_id, hive_id, shared_by } = await service.getMemory(caller, memory_id);
      const next = { type, content, importance: importance ?? undefined, metadata, supersedes: memory_id };
      const sharer = agent ?? shared_by;
      if (hive_id !== null && sharer !== null && sharer === shared_by && caller.scopes.includes('hive:write'))
        return service.shareMemory(caller, hive_id, { ...next, agent_id: sharer });
      return service.createMemory(caller, {
        ...next,
        agent_id: agent_id ?? undefined,
        hive_id: hive_id ?? undefined,
      });
    },
  }),
  tool({
    name: 'forget',
    title: 'Forget a memory',
    description: 'Deletes one memory for good.',
    scopes: ['memory:write'],
    forAgent: 'none',
    annotations: changingTool,
    input: z.strictObject({ memory_id: id }),
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
    input: z.strictObject({
      hive_id: id,
      content: memory.content.describe('What the others should know.'),
      type,
      supersedes: replaced,
    }),
    ...writtenView,
    call: ({ service, caller }, { hive_id, ...input }, agent) =>
      service.shareMemory(caller, hive_id, { ...input, agent_id: agent }),
  }),
];
