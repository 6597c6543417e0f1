/** The service's operations on hives. Membership is stored with the agents; a hive stores only its memories. */
import { reserve } from '../../src/commands/claims.js';
import { showAgent } from '../../src/domain/agent-state.js';
import { showHive } from '../../src/domain/workspace-entity.js';
import { showMemory } from '../../src/domain/stored-memory.js';
import { agentFor } from '../../src/domain/sight.js';
import type { Caller, Service } from '../../src/service.js';
import { headOf, hiveRef } from '../../src/commands/entities.js';
import { listFor, pageOf } from '../../src/commands/lists.js';
import {
  ask,
  isNotFound,
  withClaimedKey,
  withIdempotencyKey,
  withReservation,
  type ServiceContext,
} from './context.js';

export function hiveService(c: ServiceContext) {
  const { store, ids, clock } = c.deps;
  return {
    async createHive(caller, input) {
      const id = await reserve(c.deps, caller, ids('hive', clock.now()));
      return ask(c, caller, hiveRef(caller, id), { type: 'create', input, ...withIdempotencyKey(caller) });
    },
    async listHives(caller, page) {
      return pageOf(
        c.deps,
        { workspace: caller.workspace, collection: 'hive', list: listFor(page, 'updated') },
        page,
        await store.sum(caller.workspace, 'hives'),
        async (item) => showHive(item.body, (await store.head(item.entity))?.counts ?? {}),
      );
    },
    async getHive(caller, id) {
      const head = await headOf(c.deps, hiveRef(caller, id));
      return showHive(head.snapshot, head.counts);
    },
    async patchHive(caller, id, input) {
      return await ask(c, caller, hiveRef(caller, id), { type: 'patchHive', input });
    },
    async deleteHive(caller, id) {
      await ask(c, caller, hiveRef(caller, id), { type: 'delete' });
      await dismiss(c, caller, id);
    },
    async listMembers(caller, hive, page) {
      await headOf(c.deps, hiveRef(caller, hive));
      return pageOf(
        c.deps,
        { workspace: caller.workspace, collection: 'agent', list: 'hive', by: hive },
        page,
        null,
        async (item) => {
          const agent = showAgent(item.body, (await store.head(item.entity))?.counts ?? {});
          return agentFor(agent, caller.scopes);
        },
      );
    },
    async joinHive(caller, hive, agent) {
      await headOf(c.deps, hiveRef(caller, hive));
      const joined = await ask(c, caller, agent, { type: 'join', hive, ...withClaimedKey(caller) });
      return agentFor(joined, caller.scopes);
    },
    async leaveHive(caller, hive, agent) {
      await headOf(c.deps, hiveRef(caller, hive));
      await ask(c, caller, agent, { type: 'leave', hive });
    },
    async shareMemory(caller, hive, { agent_id, ...input }) {
      await headOf(c.deps, hiveRef(caller, hive));
      await ask(c, caller, agent_id, { type: 'sharing', hive });
      return withReservation(c, caller, (outcome) =>
        ask(c, caller, hiveRef(caller, hive), {
          type: 'remember',
          input: { ...input, shared_by: agent_id },
          ...outcome,
          ...withIdempotencyKey(caller),
        }),
      );
    },
    async listShared(caller, hive, page) {
      const head = await headOf(c.deps, hiveRef(caller, hive));
      return pageOf(
        c.deps,
        {
          workspace: caller.workspace,
          entity: hiveRef(caller, hive),
          collection: 'memory',
          list: listFor(page, 'updated'),
          aliveAt: clock.now(),
        },
        page,
        head.counts['memories'] ?? 0,
        ({ body }) => showMemory(body),
      );
    },
  } satisfies Partial<Service>;
}

/**
 * Removes every member from a deleted hive. A member missed because of a crash keeps a reference to a missing hive,
 * which recall and sharing ignore.
 */
async function dismiss(c: ServiceContext, caller: Caller, hive: string): Promise<void> {
  for (;;) {
    const { items } = await c.deps.store.list({
      workspace: caller.workspace,
      collection: 'agent',
      list: 'hive',
      by: hive,
      order: 'asc',
      limit: 100,
    });
    if (items.length === 0) return;
    for (const { id } of items)
      await ask(c, caller, id, { type: 'leave', hive }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    if (items.every((i) => i.body['deleting'] === true)) return;
  }
}
