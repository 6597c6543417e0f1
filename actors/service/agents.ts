/** The service's operations on agents: their settings, mailboxes and tokens. */
import { reserve } from '../../src/commands/claims.js';
import { auditActorOf } from '../../src/domain/audit.js';
import { showAgent } from '../../src/domain/agent-state.js';
import type { WithTools } from '../../src/domain/agent-tools.js';
import { insufficientScope, invalid } from '../../src/domain/errors.js';
import type { Agent } from '../../src/domain/model.js';
import type { AgentStatus } from '../../src/domain/vocabulary.js';
import { agentFor } from '../../src/domain/sight.js';
import type { Caller, PageRequest, Service } from '../../src/service.js';
import { foldedName } from '../../src/store/collections.js';
import type { Listed } from '../../src/store/port.js';
import { agentRef, headOf, hiveRef, isNotFound } from '../../src/commands/entities.js';
import { listFor, pageOf } from '../../src/commands/lists.js';
import { ask, withIdempotencyKey, type ServiceContext } from './context.js';
import { type DocumentPart, pageOfParts } from '../../src/commands/parts.js';
import { checkSettings, sealedFor } from '../../src/commands/settings.js';

export function agentService(c: ServiceContext) {
  const { store, ids, clock } = c.deps;
  const sealed = <T extends { config?: WithTools | null | undefined }>(agent: string, input: T): T =>
    input.config ? { ...input, config: sealedFor(c, agent, input.config) } : input;
  const shown = async ({ entity, body }: Listed<'agent'>): Promise<Agent> =>
    showAgent(body, (await store.head(entity))?.counts ?? {});
  return {
    async spawnAgent(caller, input) {
      if (input.hives?.length && !mayJoin(caller))
        throw insufficientScope('hive:write', 'spawning an agent into hives');
      await checkHives(c, caller, input.hives);
      await checkSettings(c.services, caller, input.config, 'config');
      const id = await reserve(c.deps, caller, ids('agent', clock.now()));
      return await ask(c, caller, id, { type: 'spawn', input: sealed(id, input), ...withIdempotencyKey(caller) });
    },
    async listAgents(caller, filter, page) {
      if ('public' in filter) {
        const wanted = { workspace: caller.workspace, collection: 'agent', list: 'public', by: 'yes' } as const;
        return pageOf(c.deps, wanted, page, null, shown);
      }
      const { name, status } = filter;
      const found = await pageOf(
        c.deps,
        { workspace: caller.workspace, collection: 'agent', ...agentsWanted(name, status, page) },
        page,
        name === undefined && status === undefined ? await store.sum(caller.workspace, 'agents') : null,
        shown,
      );
      if (name === undefined || found.total > 0) return found;
      const containing = await agentsContaining(c, caller, name, status, page.limit);
      return { items: await Promise.all(containing.map(shown)), next: null, total: containing.length };
    },
    async getAgent(caller, id) {
      const head = await headOf(c.deps, agentRef(caller, id));
      return showAgent(head.snapshot, head.counts);
    },
    async replaceAgent(caller, id, input, onlyIf) {
      await checkHives(c, caller, input.hives);
      await checkSettings(c.services, caller, input.config, 'config');
      const agent = await ask(c, caller, id, {
        type: 'replace',
        input: sealed(id, input),
        onlyIf,
        mayJoin: mayJoin(caller),
      });
      return agentFor(agent, caller.scopes);
    },
    async patchAgent(caller, id, input, onlyIf) {
      await checkHives(c, caller, input.hives ?? undefined);
      await checkSettings(c.services, caller, input.config, 'config');
      const agent = await ask(c, caller, id, {
        type: 'patch',
        input: sealed(id, input),
        onlyIf,
        mayJoin: mayJoin(caller),
      });
      return agentFor(agent, caller.scopes);
    },
    async deleteAgent(caller, id, onlyIf) {
      await ask(c, caller, id, { type: 'delete', by: auditActorOf(caller), onlyIf });
    },
  } satisfies Partial<Service>;
}

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
  c: ServiceContext,
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
  return (await pageOfParts(c.deps, { where, partsOf }, { sort: 'created_at', order: 'asc', limit })).items;
}

const mayJoin = ({ scopes }: Caller): boolean => scopes.includes('hive:write');

/** Checks that all hives exist. If one is deleted just afterwards, the agent is removed from it again (hives.ts). */
async function checkHives(c: ServiceContext, caller: Caller, hives: readonly string[] | undefined): Promise<void> {
  for (const [i, id] of (hives ?? []).entries()) {
    await headOf(c.deps, hiveRef(caller, id)).catch((error: unknown) => {
      throw isNotFound(error)
        ? invalid({ path: `hives.${i}`, message: `must be a hive of this workspace; there is no ${id}` })
        : error;
    });
  }
}
