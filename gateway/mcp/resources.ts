/**
 * Resources of MCP: memories, runs and agents by their URIs, and a paged list of them. A prompt puts what is known
 * about a topic before a model. Where an agent is to be named, the beginning of its name or id is completed.
 */
import { getAgent, listAgents } from '../../src/commands/agents.js';
import {
  completable,
  type ListResourcesResult,
  type McpServer,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { notFound } from '../../src/domain/shared/errors.js';
import { reference } from '../../src/domain/shared/input-fields.js';
import { searchInput } from '../../src/domain/shared/inputs.js';
import type { Agent, Memory, Run } from '../../src/domain/model/model.js';
import type { Scope } from '../../src/domain/shared/vocabulary.js';
import type { PageOf, PageRequest } from '../../src/service.js';
import { foldedName } from '../../src/store/collections.js';
import type { Position } from '../../src/store/port.js';
import { toHivekeepError } from '../http/error-envelope.js';
import { fencedJson, inProtocol, reads, type McpSession, type Tool } from './tool.js';
import { getRun, listRuns } from '../../src/commands/runs.js';

const mimeType = 'application/json';
const pageSize = 50;

/** A kind of resource. Those with `list` are in the list of resources. */
interface Kind {
  name: string;
  title: string;
  template: string;
  scope: Scope;
  description: string;
  read(session: McpSession, variables: Readonly<Record<string, string>>): Promise<object>;
  list?: (session: McpSession, page: PageRequest) => Promise<PageOf<Resource>>;
}

const kinds: readonly Kind[] = [
  {
    name: 'memory',
    title: 'Memory',
    template: 'memory://{memory_id}',
    scope: 'memory:read',
    description: 'A memory: what it says, of whom, since when and until when.',
    read: ({ service, caller }, { memory_id = '' }) => service.getMemory(caller, memory_id),
    list: async ({ service, caller, agent }, page) =>
      shown(await service.listMemories(caller, agent === null ? {} : { agent_id: agent }, page), memoryResource),
  },
  {
    name: 'profile',
    title: 'Profile',
    template: 'profile://{agent_id}',
    scope: 'memory:read',
    description:
      'What an agent keeps in mind whatever is asked: blocks, how things are always to be done, preferences.',
    read: ({ service, caller }, { agent_id = '' }) => service.getProfile(caller, agent_id, {}),
  },
  {
    name: 'profile-of-subject',
    title: 'Profile of a subject',
    template: 'profile://{agent_id}/{subject}',
    scope: 'memory:read',
    description: 'The same of one subject, such as an end user.',
    read: ({ service, caller }, { agent_id = '', subject = '' }) =>
      service.getProfile(caller, agent_id, { subject: subjectIn(subject) }),
  },
  {
    name: 'run',
    title: 'Run',
    template: 'run://{agent_id}/{run_id}',
    scope: 'agent:read',
    description: 'A run of an agent: its input, how it is doing, and its output.',
    read: ({ service, caller }, { agent_id = '', run_id = '' }) =>
      service.execute(caller, getRun, { id: agent_id, runId: run_id }),
    list: async ({ service, caller, agent }, page) =>
      agent === null
        ? { items: [], next: null, total: 0 }
        : shown(await service.execute(caller, listRuns, { id: agent }, { page }), runResource),
  },
  {
    name: 'agent',
    title: 'Agent',
    template: 'agent://{agent_id}',
    scope: 'agent:read',
    description: 'An agent and its settings.',
    read: ({ service, caller }, { agent_id = '' }) => service.execute(caller, getAgent, { id: agent_id }, {}),
    list: async ({ service, caller, agent }, page) =>
      agent === null
        ? shown(await service.execute(caller, listAgents, {}, { page }), agentResource)
        : { items: [agentResource(await service.execute(caller, getAgent, { id: agent }, {}))], next: null, total: 1 },
  },
];

/** The subject that a URI names; NOT_FOUND for what none can be called. */
function subjectIn(text: string): string {
  try {
    const named = reference.safeParse(decodeURIComponent(text));
    if (named.success) return named.data;
  } catch {
    // it is percent-encoded badly
  }
  throw notFound('subject', text.slice(0, 128));
}

const shown = <T>({ items, ...rest }: PageOf<T>, show: (item: T) => Resource): PageOf<Resource> => ({
  ...rest,
  items: items.map(show),
});
const start = (text: string): string => (text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text);
const memoryResource = ({ id, type, content, updated_at: lastModified }: Memory): Resource => ({
  uri: `memory://${id}`,
  name: id,
  title: start(content),
  description: type,
  mimeType,
  annotations: { lastModified },
});
const runResource = ({ id, agent_id, status, input, updated_at: lastModified }: Run): Resource => ({
  uri: `run://${agent_id}/${id}`,
  name: id,
  title: start(input),
  description: status,
  mimeType,
  annotations: { lastModified },
});
const agentResource = ({ id, name, description, updated_at: lastModified }: Agent): Resource => ({
  uri: `agent://${id}`,
  name: id,
  title: name,
  description: start(description),
  mimeType,
  annotations: { lastModified },
});

export function addResources(server: McpServer, session: McpSession): void {
  const allowed = kinds.filter(({ scope }) => session.caller.scopes.includes(scope));
  for (const kind of allowed)
    server.registerResource(
      kind.name,
      new ResourceTemplate(kind.template, {
        list: undefined,
        ...(kind.template.includes('{agent_id}') && { complete: { agent_id: (begun) => agentsLike(session, begun) } }),
      }),
      { title: kind.title, description: kind.description, mimeType },
      (uri, variables) => read(session, kind, uri.href, variables as Record<string, string>),
    );
  if (allowed.length > 0)
    server.server.setRequestHandler('resources/list', ({ params }) =>
      inProtocol(session, 'resources/list', () => list(session, allowed, params?.cursor)),
    );
}

/** At an agent's endpoint everything but its own resources does not exist. */
async function read(
  session: McpSession,
  kind: Kind,
  uri: string,
  variables: Readonly<Record<string, string>>,
): Promise<ReadResourceResult> {
  if (session.agent !== null && variables['agent_id'] !== undefined && variables['agent_id'] !== session.agent)
    throw new ResourceNotFoundError(uri);
  const found = await inProtocol(session, 'resources/read', () =>
    kind.read(session, variables).catch((thrown: unknown) => {
      throw toHivekeepError(thrown).code === 'NOT_FOUND' ? new ResourceNotFoundError(uri) : thrown;
    }),
  );
  return { contents: [{ uri, mimeType, text: JSON.stringify(found) }] };
}

/** One kind after the other. A cursor holds the number of the kind, and the position in its list. */
async function list(session: McpSession, allowed: readonly Kind[], cursor?: string): Promise<ListResourcesResult> {
  const { cursors, caller, agent } = session;
  const listed = allowed.filter((kind) => kind.list !== undefined);
  const binding = JSON.stringify(['mcp resources', caller.workspace, agent, listed.map(({ name }) => name)]);
  let position: Position = cursor === undefined ? [0] : cursors.read(cursor, binding);
  const resources: Resource[] = [];
  while (resources.length < pageSize) {
    const [index, ...after] = position;
    const kind = listed[Number(index)];
    if (kind?.list === undefined) return { resources };
    const page = await kind.list(session, {
      sort: 'created_at',
      order: 'desc',
      limit: pageSize - resources.length,
      ...(after.length > 0 && { after }),
    });
    resources.push(...page.items);
    position = page.next === null ? [Number(index) + 1] : [Number(index), ...page.next];
  }
  return { resources, nextCursor: cursors.sign(position, binding) };
}

/** Ids of agents whose name or id begins so. At an agent's endpoint there is this agent alone. */
async function agentsLike(session: McpSession, begun: string): Promise<string[]> {
  const { service, caller, agent } = session;
  if (agent !== null) {
    const { name } = await inProtocol(session, 'completion/complete', () =>
      service.execute(caller, getAgent, { id: agent }, {}),
    );
    return agent.startsWith(begun) || foldedName(name).startsWith(foldedName(begun)) ? [agent] : [];
  }
  if (!caller.scopes.includes('agent:read')) return [];
  const page: PageRequest = { sort: 'created_at', order: 'desc', limit: 100 };
  const [newest, named] = await inProtocol(session, 'completion/complete', () =>
    Promise.all([
      service.execute(caller, listAgents, {}, { page }),
      begun === '' ? null : service.execute(caller, listAgents, {}, { name: begun, page }),
    ]),
  );
  const found = [...(named?.items ?? []), ...newest.items.filter(({ id }) => id.startsWith(begun))];
  return [...new Set(found.map(({ id }) => id))];
}

const known = 'what_is_known';

/** What is known of a prompt before it is made, as of a tool. */
export const prompts: ReadonlyMap<string, Pick<Tool, 'scopes' | 'annotations' | 'search'>> = new Map([
  [known, { scopes: ['memory:read'], annotations: reads, search: true }],
]);

export function addPrompts(server: McpServer, session: McpSession): void {
  const { service, caller, agent } = session;
  if (!caller.scopes.includes('memory:read')) return;
  server.registerPrompt(
    known,
    {
      title: 'What is known about a topic',
      description: 'Puts the memories about a topic before the model, for its next answer.',
      argsSchema: agent === null ? topic.extend({ agent_id: whoseMemories(session) }) : topic,
    },
    async (given: { topic: string; agent_id?: string | undefined }) => {
      const { topic, agent_id = agent ?? undefined } = given;
      const memories = await inProtocol(session, 'prompts/get', () =>
        service.searchMemories(caller, { query: topic, ...(agent_id !== undefined && { agent_id }) }),
      );
      const text = `Take into account what is known about this topic: ${JSON.stringify(topic)}\n\n${fencedJson({ memories, ...(memories.partial && { partial: true }) })}`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}

const topic = z.object({ topic: searchInput.shape.query.describe('What it should be about.') });
const whoseMemories = (session: McpSession): z.ZodOptional<z.ZodString> =>
  completable(z.string().min(1).max(128), (begun) => agentsLike(session, begun))
    .optional()
    .describe("The agent whose memories are meant. Without it, the workspace's own.");
