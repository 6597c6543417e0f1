/** Tools for agents and hives as such, most of them at the workspace's endpoint only. */
import { z } from 'zod';
import { hiveInput, joinInput, spawnInput } from '../../src/domain/inputs.js';
import { results } from '../../src/domain/model.js';
import type { PageOf, PageRequest } from '../../src/service.js';
import { adds, changes, pageInput, pageOf, reads, tool, type Tool, type ToolCall } from './tool.js';

const hive = z.strictObject({ hive_id: joinInput.shape.agent_id });

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
    call: ({ service, caller }, _input, agent) => service.getAgent(caller, agent),
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
    output: pageOf(results.Agent),
    call: (call, input) => paged(call, input, 'list_agents', (page) => call.service.listAgents(call.caller, {}, page)),
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
    output: results.Agent,
    call: ({ service, caller }, input) => service.spawnAgent(caller, input),
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
    output: pageOf(results.Hive),
    call: (call, input) => paged(call, input, 'list_hives', (page) => call.service.listHives(call.caller, page)),
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
    input: hiveInput,
    output: results.Hive,
    call: ({ service, caller }, input) => service.createHive(caller, input),
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
    call: ({ service, caller }, { hive_id }, agent) => service.joinHive(caller, hive_id, agent),
  }),
  tool({
    name: 'leave_hive',
    title: 'Leave a hive',
    description: 'Ends the membership of an agent in a hive. What it shared stays there.',
    scopes: ['hive:write'],
    forAgent: 'required',
    only: 'workspace',
    annotations: changes,
    input: hive,
    output: results.Deleted,
    async call({ service, caller }, { hive_id }, agent) {
      await service.leaveHive(caller, hive_id, agent);
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
    call: ({ service, caller }) => service.usage(caller),
  }),
];

type PageInput = { limit?: number | undefined; cursor?: string | undefined };

/** A page of a list, newest first; its cursor is good for this list only. */
export async function paged<T>(
  { cursors, caller }: ToolCall,
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
