/** What can be asked of agents themselves: their settings (docs/api.md 2.1, 4.1; domain/agent/agent-settings.ts). */
import { newAgent } from '../domain/agent/agent.js';
import { changeSettings, patched, replaced } from '../domain/agent/agent-settings.js';
import { showAgent } from '../domain/agent/agent-state.js';
import type { WithTools } from '../domain/agent/agent-tools.js';
import type { Caller } from '../domain/shared/caller.js';
import { insufficientScope, invalid } from '../domain/shared/errors.js';
import { agentFilter } from '../domain/shared/filters.js';
import { patchAgentInput, replaceAgentInput, spawnInput } from '../domain/shared/inputs.js';
import type { Agent } from '../domain/model/model.js';
import { agentFor } from '../domain/task/run-as-task.js';
import { isLarge } from '../domain/workspace/usage.js';
import type { AgentStatus } from '../domain/shared/vocabulary.js';
import { foldedName } from '../store/collections.js';
import type { Listed } from '../store/port.js';
import { reserve } from './claims.js';
import { change, query, type Services } from './command.js';
import { agentRef, headOf, hiveRef, isNotFound } from './entities.js';
import { listFor, pageOf, type PageRequest } from './lists.js';
import { type DocumentPart, pageOfParts } from './parts.js';
import { checkSettings, sealedFor } from './settings.js';

export const spawnAgent = change({
  name: 'spawnAgent',
  summary: 'Create an agent.',
  scope: 'agent:spawn',
  result: 'Agent',
  audit: 'agent.created',
  of: 'agent',
  target: [],
  input: spawnInput,
  adds: true,
  async prepare(services, { caller, input }) {
    if (input.hives?.length && !mayJoin(caller)) throw insufficientScope('hive:write', 'spawning an agent into hives');
    await checkGiven(services, caller, input);
    const id = await reserve(services, caller, services.ids('agent', services.clock.now()));
    return { id, settings: sealed(services, id, input) };
  },
  at: ({ caller, input }) => agentRef(caller, input.id),
  create: (id, { input }, env) => newAgent(id, input.settings, env),
});

/**
 * With `name`, in the order of names, unless the caller names an order: those that begin so, whatever their case. If
 * there are none, those whose names contain it.
 */
export const listAgents = query({
  name: 'listAgents',
  summary: 'List agents, optionally by the start of their names.',
  scope: 'agent:read',
  result: 'Agent',
  target: [],
  filter: agentFilter,
  async run(
    services,
    { caller, input: { name, status, page: asked } }: Paged<{ name?: string; status?: AgentStatus }>,
  ) {
    const { workspace } = caller;
    const page: PageRequest = name !== undefined && !asked.ordered ? { ...asked, order: 'asc' } : asked;
    const found = await pageOf(
      services,
      { workspace, collection: 'agent', ...agentsWanted(name, status, page) },
      page,
      name === undefined && status === undefined ? await services.store.sum(workspace, 'agents') : null,
      (item) => shown(services, item),
    );
    if (name === undefined || found.total > 0) return found;
    const containing = await agentsContaining(services, caller, name, status, page.limit);
    const items = await Promise.all(containing.map((item) => shown(services, item)));
    return { items, next: null, total: items.length };
  },
});

/** The active agents whose card everybody may read. */
export const listPublicAgents = query({
  name: 'listPublicAgents',
  summary: '',
  scope: 'agent:read',
  result: 'Agent',
  target: [],
  run: (services, { caller: { workspace }, input: { page } }: Paged) =>
    pageOf(services, { workspace, collection: 'agent', list: 'public', by: 'yes' }, page, null, (item) =>
      shown(services, item),
    ),
});

export const getAgent = query({
  name: 'getAgent',
  summary: 'Get an agent.',
  scope: 'agent:read',
  result: 'Agent',
  target: ['id'],
  async run(services, { caller, target }) {
    const { snapshot, counts } = await headOf(services, agentRef(caller, target.id));
    return showAgent(snapshot, counts);
  },
});

/** Of two changes that name the same version (`caller.onlyIf`), only one is made; so it is with `patchAgent`. */
export const replaceAgent = change({
  name: 'replaceAgent',
  summary: 'Replace the given fields of an agent and keep the others.',
  scope: 'agent:manage',
  result: 'Agent',
  audit: 'agent.updated',
  of: 'agent',
  target: ['id'],
  input: replaceAgentInput,
  adds: ({ input }) => isLarge(input),
  async prepare(services, { caller, target, input }) {
    await checkGiven(services, caller, input);
    return sealed(services, target.id, input);
  },
  decide: (d, { caller, input }) =>
    changeSettings(d, replaced(d, input), { onlyIf: caller.onlyIf, mayJoin: mayJoin(caller) }),
  show: (agent, { caller }) => agentFor(agent, caller.scopes),
});

export const patchAgent = change({
  name: 'patchAgent',
  summary: 'Merge changes into an agent. Null removes a field.',
  scope: 'agent:manage',
  result: 'Agent',
  audit: 'agent.updated',
  of: 'agent',
  target: ['id'],
  input: patchAgentInput,
  adds: ({ input }) => isLarge(input),
  async prepare(services, { caller, target, input }) {
    await checkGiven(services, caller, input);
    return sealed(services, target.id, input);
  },
  decide: (d, { caller, input }) =>
    changeSettings(d, patched(d, input), { onlyIf: caller.onlyIf, mayJoin: mayJoin(caller) }),
  show: (agent, { caller }) => agentFor(agent, caller.scopes),
});

/** Answered when nothing of the agent is left (Agent.G4). */
export const deleteAgent = change({
  name: 'deleteAgent',
  summary: 'Delete an agent and all its data permanently.',
  scope: 'agent:manage',
  result: 'Deleted',
  audit: 'agent.deleted',
  of: 'agent',
  target: ['id'],
  removes: true,
});

interface Paged<F = unknown> {
  caller: Caller;
  input: { page: PageRequest } & F;
}

const shown = async ({ store }: Services, { entity, body }: Listed<'agent'>): Promise<Agent> =>
  showAgent(body, (await store.head(entity))?.counts ?? {});

function agentsWanted(name: string | undefined, status: AgentStatus | undefined, page: PageRequest) {
  if (name !== undefined) {
    const begins = foldedName(name);
    return {
      list: 'names' as const,
      from: [begins],
      until: [`${begins}\uffff`],
      ...(status !== undefined && { where: { status } }),
    };
  }
  if (status === undefined) return { list: listFor(page, 'updated') };
  return page.sort === 'updated_at'
    ? { list: 'updated' as const, where: { status } }
    : { list: 'status' as const, by: status };
}

/** Agents whose names contain a text: of the first 1,000 names of the workspace, and at most one page of them. */
async function agentsContaining(
  services: Services,
  { workspace }: Caller,
  text: string,
  status: AgentStatus | undefined,
  limit: number,
): Promise<readonly Listed<'agent'>[]> {
  const wanted = foldedName(text);
  const where = {
    workspace,
    collection: 'agent',
    list: 'names',
    ...(status !== undefined && { where: { status } }),
  } as const;
  const partsOf = (item: Listed<'agent'>): DocumentPart<Listed<'agent'>>[] =>
    foldedName(item.body.name).includes(wanted) ? [{ part: item, at: item.position }] : [];
  return (await pageOfParts(services, { where, partsOf }, { sort: 'created_at', order: 'asc', limit })).items;
}

const mayJoin = ({ scopes }: Caller): boolean => scopes.includes('hive:write');

interface GivenSettings {
  hives?: readonly string[] | null | undefined;
  config?: WithTools | null | undefined;
}

/**
 * Checks that all hives exist, and what the settings name. If a hive is deleted just afterwards, the agent is removed
 * from it again (hives.ts).
 */
async function checkGiven(services: Services, caller: Caller, { hives, config }: GivenSettings): Promise<void> {
  for (const [i, id] of (hives ?? []).entries())
    await headOf(services, hiveRef(caller, id)).catch((error: unknown) => {
      throw isNotFound(error)
        ? invalid({ path: `hives.${i}`, message: `must be a hive of this workspace; there is no ${id}` })
        : error;
    });
  await checkSettings(services, caller, config, 'config');
}

const sealed = <T extends GivenSettings>(services: Services, agent: string, input: T): T =>
  input.config ? { ...input, config: sealedFor(services, agent, input.config) } : input;
