/** Tools for agents and hives as such, most of them at the workspace's endpoint only. */
import { getAgent, listAgents, spawnAgent } from '../../src/commands/agents.js';
import { z } from 'zod';
import { getUsage } from '../../src/commands/workspace.js';
import { createHive, joinHive, leaveHive, listHives } from '../../src/commands/hives.js';
import { hiveInput, spawnInput } from '../../src/domain/shared/inputs.js';
import { configFields } from '../../src/domain/agent/agent-config.js';
import { reference } from '../../src/domain/shared/input-fields.js';
import { results } from '../../src/domain/model/model.js';
import type { PageOf, PageRequest } from '../../src/service.js';
import { adds, changingTool, pageInput, pageSchema, reads, tool, type Tool, type McpToolCall } from './tool.js';

const hive = z.strictObject({ hive_id: reference.describe('') });

/** The settings that most agents are made with. */
const usualSettings = z.strictObject({
  name: z.string().describe('What others find it by.'),
  description: z.string().optional().describe('What it is for.'),
  config: z
    .strictObject({
      model: z.string().describe('`built-in` (the default), `openai/<name>`, `anthropic/<name>` or `<server>/<name>`.'),
      instructions: z.string().describe('Its role and task.'),
      multi_step: z.boolean().describe('Whether runs take several steps.'),
      max_steps: z.int().min(1).max(100),
      validation_gate: configFields.validation_gate.describe(
        'What waits for approval: each `action` that remembers, sends, shares or acts, or the `answer`.',
      ),
      output_schema: z.looseObject({}).describe('A JSON Schema of its answers.'),
    })
    .partial()
    .optional()
    .describe('More settings, such as `tools`: `config` of POST /v1/agents/spawn in /openapi.json.'),
  hives: z.array(z.string()).optional().describe('The ids of hives that it joins.'),
  wake_on_message: z.boolean().optional().describe('Whether a mailbox message starts a run.'),
  metadata: z.looseObject({}).optional(),
});

export const workspaceTools: readonly Tool[] = [
  tool({
    name: 'get_agent',
    title: 'Get an agent',
    description: 'Who an agent is: its name, settings, hives, and how many memories it has.',
    scopes: ['agent:read'],
    forAgent: 'required',
    annotations: reads,
    input: z.strictObject({}),
    output: results.Agent,
    call: ({ service, caller }, _input, agent) => service.execute(caller, getAgent, { id: agent }, {}),
  }),
  tool({
    name: 'list_agents',
    title: 'List agents',
    description: 'The agents of the workspace, the newest first.',
    scopes: ['agent:read'],
    forAgent: 'none',
    only: 'workspace',
    annotations: reads,
    input: z.strictObject(pageInput),
    output: pageSchema(results.Agent),
    call: (call, input) =>
      paged(call, input, 'list_agents', (page) => call.service.execute(call.caller, listAgents, {}, { page })),
  }),
  tool({
    name: 'spawn_agent',
    title: 'Spawn an agent',
    description: 'Makes an agent with a memory, a mailbox and runs of its own.',
    scopes: ['agent:spawn'],
    forAgent: 'none',
    only: 'workspace',
    annotations: adds,
    repeatable: true,
    input: spawnInput,
    told: usualSettings,
    output: results.Agent,
    call: ({ service, caller }, input) => service.execute(caller, spawnAgent, {}, input),
  }),
  tool({
    name: 'list_hives',
    title: 'List hives',
    description: 'The hives of the workspace: groups of agents that share memories.',
    scopes: ['hive:read'],
    forAgent: 'none',
    only: 'workspace',
    annotations: reads,
    input: z.strictObject(pageInput),
    output: pageSchema(results.Hive),
    call: (call, input) =>
      paged(call, input, 'list_hives', (page) => call.service.execute(call.caller, listHives, {}, { page })),
  }),
  tool({
    name: 'create_hive',
    title: 'Create a hive',
    description: 'Makes a hive, without members yet.',
    scopes: ['hive:write'],
    forAgent: 'none',
    only: 'workspace',
    annotations: adds,
    repeatable: true,
    input: hiveInput.extend({ metadata: hiveInput.shape.metadata.describe('') }),
    output: results.Hive,
    call: ({ service, caller }, input) => service.execute(caller, createHive, {}, input),
  }),
  tool({
    name: 'join_hive',
    title: 'Join a hive',
    description: 'Makes an agent a member of a hive.',
    scopes: ['hive:write'],
    forAgent: 'required',
    only: 'workspace',
    annotations: adds,
    repeatable: true,
    input: hive,
    output: results.Agent,
    call: ({ service, caller }, { hive_id }, agent) =>
      service.execute(caller, joinHive, { id: hive_id }, { agent_id: agent }),
  }),
  tool({
    name: 'leave_hive',
    title: 'Leave a hive',
    description: 'Ends the membership of an agent in a hive. What it shared stays there.',
    scopes: ['hive:write'],
    forAgent: 'required',
    only: 'workspace',
    annotations: changingTool,
    input: hive,
    output: results.Deleted,
    async call({ service, caller }, { hive_id }, agent) {
      await service.execute(caller, leaveHive, { id: hive_id, agentId: agent });
      return { id: agent, deleted: true as const };
    },
  }),
  tool({
    name: 'get_usage',
    title: 'Get usage',
    description: 'What the workspace stores, and what is left of its quotas.',
    scopes: ['usage:read'],
    forAgent: 'none',
    only: 'workspace',
    annotations: reads,
    input: z.strictObject({}),
    output: results.Usage,
    call: ({ service, caller }) => service.execute(caller, getUsage, {}, {}),
  }),
];

type PageInput = { limit?: number | undefined; cursor?: string | undefined };

/** A page of a list, newest first; its cursor is good for this list only. */
export async function paged<T>(
  { cursors, caller }: McpToolCall,
  { limit, cursor }: PageInput,
  list: string,
  read: (page: PageRequest) => Promise<PageOf<T>>,
): Promise<{ items: T[]; next_cursor: string | null }> {
  const binding = JSON.stringify(['mcp', caller.workspace, list]);
  const { items, next } = await read({
    sort: 'created_at',
    order: 'desc',
    limit: limit ?? 20,
    ...(cursor !== undefined && { after: cursors.read(cursor, binding) }),
  });
  return { items, next_cursor: next === null ? null : cursors.sign(next, binding) };
}
