/**
 * The service's operations on memories of agents, hives and the workspace, and the search over them.
 *
 *  Reach.H1 A caller that works for one agent (Caller.agent) changes the memories of this agent only, and reads those
 *     and, with hive:read, those of the agent's hives. To it all others do not exist.
 */
import { jsonBytes } from '../../src/domain/bounded.js';
import type { AgentSnapshot } from '../../src/domain/agent-state.js';
import { recalledSince, runOfTurn, turnsOf, turnType } from '../../src/domain/conversation.js';
import { HivekeepError, invalid, notFound } from '../../src/domain/errors.js';
import { type StoredMemory, showMemory } from '../../src/domain/stored-memory.js';
import { isUnexpired, type RememberInput } from '../../src/domain/memories.js';
import { isPresent, wasSo } from '../../src/domain/superseding.js';
import { isShortTerm, monthlyLimit, type QuotaExceeded } from '../../src/domain/usage.js';
import { failedItem } from '../../src/domain/memory-batch.js';
import type { BatchItem, BatchResult, FoundMemory, Memory } from '../../src/domain/model.js';
import type { MemoryInput, SearchInput } from '../../src/domain/inputs.js';
import { unpackRun } from '../../src/domain/stored-run.js';
import type { RecallHit } from '../../src/memory/port.js';
import type { Caller, MemoryFilter, Service } from '../../src/service.js';
import { entityKey, type EntityRef, type Listed, type StoredDoc } from '../../src/store/port.js';
import { allSync } from '../../src/maybe-promise.js';
import { allMemoriesOf } from '../entities/recall-indexes.js';
import {
  agentRef,
  ask,
  claimAtDesk,
  createdRange,
  deskRef,
  fitting,
  headOf,
  hiveRef,
  isNotFound,
  listFor,
  withCommandKey,
  pageOf,
  reserve,
  withReservation,
  type QuotaOutcome,
  type ServiceContext,
  unreserved,
} from './context.js';

type Part = Pick<
  Service,
  | 'createMemory'
  | 'createMemories'
  | 'listMemories'
  | 'getMemory'
  | 'memoryHistory'
  | 'patchMemory'
  | 'deleteMemory'
  | 'searchMemories'
>;

const shown = ({ body }: Listed): Memory => showMemory(body as unknown as StoredMemory);

export function memoryService(c: ServiceContext): Part {
  const { store, clock } = c.deps;
  return {
    async createMemory(caller, { agent_id, hive_id, ...input }) {
      if (input.expires_at && Date.parse(input.expires_at) <= clock.now())
        throw invalid({ path: 'expires_at', message: 'must be in the future' });
      // for a key nothing has to be waited for, so a message that is sent next does not overtake the memory
      if (caller.agent !== undefined)
        await checkReach(c, caller, contextOf(caller, { agent_id, hive_id }) ?? deskRef(caller), 'change');
      if (caller.command && agent_id !== undefined) await claimAtDesk(c, caller, agentRef(caller, agent_id));
      else if (caller.command && hive_id !== undefined) await claimAtDesk(c, caller, hiveRef(caller, hive_id));
      const entity = contextOf(caller, { agent_id, hive_id }) ?? deskRef(caller);
      const remember = (place: QuotaOutcome): Promise<Memory> =>
        ask(c, caller, entity, { type: 'remember', input, ...place, ...withCommandKey(caller) });
      return isShortTerm(input.expires_at, clock.now()) ? remember(unreserved) : withReservation(c, caller, remember);
    },
    createMemories: (caller, { memories }) => createAll(c, caller, memories),
    async listMemories(caller, { agent_id, hive_id, type, sessionId, source, ...rest }, page) {
      const { workspace } = caller;
      const entity = contextOf(caller, { agent_id, hive_id });
      await checkReach(c, caller, entity ?? deskRef(caller), 'read');
      if (agent_id !== undefined && hive_id !== undefined)
        throw invalid({ path: 'hive_id', message: 'must not be given together with agent_id' });
      const head = entity ? await headOf(c, entity) : null;
      const byCreation = page.sort !== 'updated_at';
      const matches = memoryMatcher(rest, byCreation);
      const range = byCreation ? createdRange('memory', rest) : {};
      const total =
        sessionId !== undefined || source !== undefined || matches || range.from || range.until
          ? null
          : type !== undefined
            ? await typeTotal(c, workspace, head?.counts, type)
            : head
              ? (head.counts['memories'] ?? 0)
              : await store.sum(workspace, 'memories');
      const where = {
        ...(type !== undefined && { type }),
        ...(sessionId !== undefined && (!byCreation || source !== undefined) && { sessionId }),
        ...(source !== undefined && !byCreation && { source }),
      };
      const list =
        source !== undefined && byCreation
          ? { list: 'source' as const, by: source }
          : sessionId !== undefined && byCreation
            ? { list: 'session' as const, by: sessionId }
            : { list: listFor(page, 'updated') };
      return pageOf(
        c,
        {
          workspace,
          collection: 'memory',
          ...list,
          ...(entity && { entity }),
          ...range,
          where,
          ...(matches && { matches }),
          aliveAt: clock.now(),
        },
        page,
        total,
        shown,
      );
    },
    async getMemory(caller, id) {
      return showMemory((await owned(c, caller, id, 'read')).memory);
    },
    async memoryHistory(caller, id, page) {
      const { memory, entity } = await owned(c, caller, id, 'read');
      if (memory.chain === undefined) return { items: [showMemory(memory)], next: null, total: 1 };
      return pageOf(
        c,
        {
          workspace: caller.workspace,
          collection: 'memory',
          entity,
          list: 'chain',
          by: memory.chain,
          aliveAt: clock.now(),
        },
        page,
        null,
        shown,
      );
    },
    async patchMemory(caller, id, patch) {
      if (patch.expires_at && Date.parse(patch.expires_at) <= clock.now())
        throw invalid({ path: 'expires_at', message: 'must be in the future' });
      const { entity, memory } = await owned(c, caller, id, 'change');
      const change = (place: QuotaOutcome): Promise<unknown> =>
        ask(c, caller, entity, { type: 'patchMemory', id, patch, ...place });
      // The memory may become long-term and then counts; only the actor's decision can tell.
      return (await (patch.expires_at !== undefined && !isShortTerm(patch.expires_at, Date.parse(memory.created_at))
        ? withReservation(c, caller, change)
        : change(unreserved))) as Memory;
    },
    async deleteMemory(caller, id) {
      const { entity } = await owned(c, caller, id, 'change');
      await ask(c, caller, entity, { type: 'forget', id });
    },
    searchMemories: (caller, input) => search(c, caller, input),
  };
}

/** Adds the memories of each agent, each hive and the workspace with one request to its actor. */
async function createAll(c: ServiceContext, caller: Caller, memories: readonly MemoryInput[]): Promise<BatchResult> {
  await reserve(c, caller, null); // so that a repeat with another body is refused wherever its memories belong
  const results = new Array<BatchItem>(memories.length);
  const groups = new Map<string, { entity: EntityRef; places: number[] }>();
  for (const [place, { agent_id, hive_id, expires_at }] of memories.entries()) {
    if (expires_at && Date.parse(expires_at) <= c.deps.clock.now()) {
      results[place] = failedItem(invalid({ path: `memories.${place}.expires_at`, message: 'must be in the future' }));
      continue;
    }
    const entity =
      agent_id !== undefined
        ? agentRef(caller, agent_id)
        : hive_id !== undefined
          ? hiveRef(caller, hive_id)
          : deskRef(caller);
    const group = groups.get(entityKey(entity)) ?? { entity, places: [] };
    group.places.push(place);
    groups.set(entityKey(entity), group);
  }
  const create = async ({ entity, places }: { entity: EntityRef; places: number[] }): Promise<void> => {
    const inputs = places.map((place) => {
      const { agent_id: _a, hive_id: _h, ...input } = memories[place] as MemoryInput;
      return input;
    });
    const items = await checkReach(c, caller, entity, 'change')
      .then(() => createIn(c, caller, entity, inputs))
      .catch(allFailed(inputs.length));
    for (const [i, place] of places.entries()) results[place] = items[i] as BatchItem;
  };
  // One after the other where places are scarce: a refused memory must not hold one that another could have.
  if (monthlyLimit(caller.tier) === null) await Promise.all([...groups.values()].map(create));
  else for (const group of groups.values()) await create(group);
  const added = results.filter(({ memory }) => memory !== null).length;
  const repeated = results.filter(({ memory }) => memory !== null && memory.times_seen > 1).length;
  return { created: added - repeated, repeated, failed: results.length - added, results };
}

/** The outcome of each of so many memories that one error prevented. */
const allFailed =
  (count: number) =>
  (error: unknown): BatchItem[] => {
    if (!(error instanceof HivekeepError) || error.code === 'IDEMPOTENCY_MISMATCH') throw error;
    return Array.from({ length: count }, () => failedItem(error));
  };

/**
 * Adds the memories of one entity by one commit, or by several where one reservation is for less than all of them
 * although the month is not full (`maxReserved`, quota-desk.ts).
 */
async function createIn(
  c: ServiceContext,
  caller: Caller,
  entity: EntityRef,
  inputs: readonly RememberInput[],
): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  while (items.length < inputs.length) {
    const rest = inputs.slice(items.length);
    items.push(...(await createPart(c, caller, entity, rest, items.length).catch(allFailed(rest.length))));
  }
  return items;
}

/** Adds as many of the memories as a reservation can be had for, and the others too if there is no room for them. */
async function createPart(
  c: ServiceContext,
  caller: Caller,
  entity: EntityRef,
  inputs: readonly RememberInput[],
  from: number,
): Promise<BatchItem[]> {
  const now = c.deps.clock.now();
  const command = withCommandKey(caller)?.command;
  const send = (
    part: readonly RememberInput[],
    places: number | null,
    full: QuotaExceeded | null,
    deadline?: number,
  ): Promise<BatchItem[]> => {
    return ask(c, caller, entity, {
      type: 'rememberAll',
      inputs: part,
      places,
      full,
      ...(deadline !== undefined && { deadline }),
      // The desk has a record of the command itself. A repeat gets the outcome that is recorded of each part, which may
      // have been longer or shorter than this one.
      ...(command && { command: { ...command, id: `${command.id}/memories${from === 0 ? '' : `/${from}`}` } }),
    });
  };
  const isLasting = ({ expires_at }: RememberInput): boolean => !isShortTerm(expires_at, now);
  const lasting = inputs.filter(isLasting);
  const place = lasting.length === 0 ? null : await c.deps.quota.take(caller, lasting.length);
  if (!place) return send(inputs, null, null);
  const beyond = place.full ? undefined : lasting[place.granted];
  const part = beyond ? inputs.slice(0, inputs.indexOf(beyond)) : inputs;
  return place.during((full, deadline) => send(part, place.granted, full, deadline));
}

/**
 * The number of memories of a type; null if it has to be counted in the list, because there are more types than a
 * context keeps separate counts for.
 */
async function typeTotal(
  { deps: { store } }: ServiceContext,
  workspace: string,
  counts: Readonly<Record<string, number>> | undefined,
  type: string,
): Promise<number | null> {
  const other = counts ? (counts['type:(other)'] ?? 0) : await store.sum(workspace, 'type:(other)');
  if (other > 0) return null;
  return counts ? (counts[`type:${type}`] ?? 0) : await store.sum(workspace, `type:${type}`);
}

/** What of a filter no list answers, as a test of each memory; null if it asks for nothing more. */
function memoryMatcher(filter: MemoryFilter, byCreation: boolean): ((body: Record<string, unknown>) => boolean) | null {
  const { metadata, ...times } = filter;
  const wanted = Object.entries(metadata ?? {});
  const within = [
    timeTest('occurred_at', times.occurred_after, times.occurred_before),
    byCreation ? null : timeTest('created_at', times.created_after, times.created_before),
  ].filter((test) => test !== null);
  if (wanted.length === 0 && within.length === 0) return null;
  return (body) => {
    const memory = showMemory(body as unknown as StoredMemory);
    return (
      within.every((test) => test(memory)) &&
      wanted.every(([key, value]) => Object.hasOwn(memory.metadata, key) && memory.metadata[key] === value)
    );
  };
}

function timeTest(
  field: 'occurred_at' | 'created_at',
  after: string | undefined,
  before: string | undefined,
): ((memory: Memory) => boolean) | null {
  if (after === undefined && before === undefined) return null;
  const from = after === undefined ? -Infinity : Date.parse(after);
  const until = before === undefined ? Infinity : Date.parse(before);
  return (memory) => {
    const at = Date.parse(memory[field]);
    return at >= from && at < until;
  };
}

const contextOf = (
  caller: Caller,
  { agent_id, hive_id }: { agent_id?: string | undefined; hive_id?: string | undefined },
): EntityRef | undefined =>
  agent_id !== undefined ? agentRef(caller, agent_id) : hive_id !== undefined ? hiveRef(caller, hive_id) : undefined;

type Access = 'read' | 'change';

/** Reach.H1. Throws NOT_FOUND for a context that is out of the caller's reach. */
async function checkReach(c: ServiceContext, caller: Caller, entity: EntityRef, access: Access): Promise<void> {
  const { agent } = caller;
  if (agent === undefined || (entity.kind === 'agent' && entity.id === agent)) return;
  if (access === 'read' && entity.kind === 'hive' && caller.scopes.has('hive:read')) {
    const { snapshot } = await headOf(c, agentRef(caller, agent));
    if ((snapshot as unknown as AgentSnapshot).hives.includes(entity.id)) return;
  }
  throw notFound(entity.kind, entity.id);
}

/** Returns a memory and the entity that owns it. The memory exists and has not expired. */
async function owned(
  c: ServiceContext,
  caller: Caller,
  id: string,
  access: Access,
): Promise<{ memory: StoredMemory; entity: EntityRef }> {
  const found = await c.deps.store.find(caller.workspace, 'memory', id);
  const memory = found?.body as StoredMemory | undefined;
  if (!found || !memory || !isUnexpired(memory, c.deps.clock.now())) throw notFound('memory', id);
  try {
    await checkReach(c, caller, found.entity, access);
    await headOf(c, found.entity);
  } catch (error) {
    throw isNotFound(error) ? notFound('memory', id) : error;
  }
  return { memory, entity: found.entity };
}

const searchLimit = 10;

async function search(c: ServiceContext, caller: Caller, input: SearchInput): Promise<FoundMemory[]> {
  const { store, recall, clock } = c.deps;
  const { workspace } = caller;
  const now = clock.now();
  const limit = input.limit ?? searchLimit;
  const entity = contextOf(caller, input);
  await checkReach(c, caller, entity ?? deskRef(caller), 'read');
  const head = entity && (await headOf(c, entity));
  const config = (head?.snapshot as Partial<AgentSnapshot> | undefined)?.config;
  const hits = await recall.search({
    query: input.query,
    contexts: [entity ?? allMemoriesOf(workspace)],
    limit,
    minRelevance: input.min_relevance ?? 0,
    ...(input.types && { types: input.types }),
    ...(input.speaker !== undefined && { speaker: input.speaker }),
    ...(input.occurred_after !== undefined && { from: Date.parse(input.occurred_after) }),
    ...(input.occurred_before !== undefined && { until: Date.parse(input.occurred_before) }),
    ...(input.as_of !== undefined && { asOf: Date.parse(input.as_of) }),
    ...(input.include_superseded && { superseded: true }),
    ...(input.explain && { explain: true }),
    turnsSince: recalledSince(config?.memory, now),
    now,
  });
  const found = await allSync(
    hits.map((h) =>
      h.kind === 'message'
        ? store.get(h.context, 'message', h.id)
        : h.kind === 'turn'
          ? store.get(h.context, 'run', runOfTurn(h.id))
          : entity
            ? store.get(entity, 'memory', h.id)
            : store.find(workspace, 'memory', h.id),
    ),
  );
  const all = hits.flatMap((hit, i) => {
    const doc = found[i];
    if (!doc) return [];
    if (doc.kind === 'run') return turnAsMemory(doc, hit);
    if (doc.kind === 'message') return [{ ...messageAsMemory(doc.entity.id, doc.body), ...foundAs(hit) }];
    const memory = doc.body as unknown as StoredMemory;
    // the index of a stale owner may be behind the store
    const wanted =
      input.as_of === undefined
        ? input.include_superseded || isPresent(memory, now)
        : wasSo(memory, Date.parse(input.as_of));
    return wanted && isUnexpired(memory, now) ? [{ ...showMemory(memory), ...foundAs(hit) }] : [];
  });
  return fitting(all, jsonBytes);
}

const foundAs = ({ relevance, score, shares }: RecallHit): Pick<FoundMemory, 'relevance' | 'explanation'> => ({
  relevance,
  ...(shares && { explanation: { score, shares } }),
});

/** Shows a turn of a conversation as a memory. It has the type `conversation` and is read-only. */
function turnAsMemory(run: StoredDoc, hit: RecallHit): FoundMemory[] {
  const turn = turnsOf(unpackRun(run)).find(({ id }) => id === hit.id);
  if (!turn) return [];
  const { id, agent_id, sessionId, content, role, created_at } = turn;
  const shown: Memory = {
    id,
    type: turnType,
    content,
    agent_id,
    hive_id: null,
    shared_by: null,
    sessionId,
    position: null,
    importance: null,
    occurred_at: created_at,
    speaker: role,
    ...neverChanged(created_at),
    metadata: {},
    expires_at: null,
    created_at,
    updated_at: created_at,
  };
  return [{ ...shown, ...foundAs(hit) }];
}

/** What a message and a turn show as a memory: no later statement changes what was said. */
const neverChanged = (
  at: string,
): Pick<Memory, 'source' | 'supersedes' | 'superseded_by' | 'valid_until' | 'times_seen' | 'last_seen_at'> => ({
  source: null,
  supersedes: null,
  superseded_by: null,
  valid_until: null,
  times_seen: 1,
  last_seen_at: at,
});

/** Shows a mailbox message as a memory: recall finds messages too. They have the type `message` and are read-only. */
function messageAsMemory(agent: string, body: Record<string, unknown>): Memory {
  const at = String(body['created_at']);
  return {
    id: String(body['id']),
    type: 'message',
    content: String(body['content']),
    agent_id: agent,
    hive_id: null,
    shared_by: null,
    sessionId: null,
    position: null,
    importance: null,
    occurred_at: at,
    speaker: null,
    ...neverChanged(at),
    metadata: body['metadata'] as Record<string, unknown>,
    expires_at: null,
    created_at: at,
    updated_at: at,
  };
}
