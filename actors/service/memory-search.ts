/** The search over memories, messages and turns; the last two are shown as memories that cannot be changed. */
import type { AgentSnapshot } from '../../src/domain/shared/snapshots.js';
import { jsonBytes } from '../../src/domain/shared/bounded.js';
import { recalledSince, turnType } from '../../src/domain/run/conversation.js';
import { invalid } from '../../src/domain/shared/errors.js';
import type { SearchInput } from '../../src/domain/shared/inputs.js';
import { pairOf, runPair } from '../../src/domain/memory/facets.js';
import { isPresent, isUnexpired, wasSo } from '../../src/domain/memory/memories.js';
import type { FoundMemory, Memory } from '../../src/domain/model/model.js';
import { showMemory } from '../../src/domain/memory/stored-memory.js';
import { maySee, type Owned, seenBy } from '../../src/domain/shared/caller.js';
import { allOf } from '../../src/maybe-promise.js';
import type { RecallHit } from '../../src/memory/port.js';
import type { Caller, FoundItems } from '../../src/service.js';
import type { StoredDoc } from '../../src/store/port.js';
import { allMemoriesOf, documentOf, turnIn } from '../entities/recall-indexes.js';
import { deskRef, headOf } from '../../src/commands/entities.js';
import { fittingItems } from '../../src/commands/lists.js';
import { type ServiceContext } from './context.js';
import { checkReach, spaceOf } from './memory-reach.js';

const searchLimit = 10;

export async function searchMemories(
  c: ServiceContext,
  caller: Caller,
  input: SearchInput,
): Promise<FoundItems<FoundMemory>> {
  const { store, recall, clock } = c.deps;
  const { workspace } = caller;
  const now = clock.now();
  const limit = input.limit ?? searchLimit;
  const entity = spaceOf(caller, input);
  await checkReach(c, caller, entity ?? deskRef(caller), 'read');
  for (const path of ['sessionId', 'subject'] as const)
    if (input[path] !== undefined && !entity)
      throw invalid({ path, message: 'must be given together with agent_id or hive_id' });
  const head = entity && (await headOf(c.deps, entity));
  const config = (head?.snapshot as Partial<AgentSnapshot> | undefined)?.config;
  const hits = await recall.search({
    query: input.query,
    spaces: entity && input.subject !== undefined ? seenBy(entity, input) : [entity ?? allMemoriesOf(workspace)],
    limit,
    minRelevance: input.min_relevance ?? 0,
    ...(input.types && { types: input.types }),
    ...(input.speaker !== undefined && { speaker: input.speaker }),
    ...(input.sessionId !== undefined && { sessionId: input.sessionId }),
    ...((input.metadata ?? input.run_id) !== undefined && { pairs: pairsAsked(input) }),
    ...(input.occurred_after !== undefined && { from: Date.parse(input.occurred_after) }),
    ...(input.occurred_before !== undefined && { until: Date.parse(input.occurred_before) }),
    ...(input.as_of !== undefined && { asOf: Date.parse(input.as_of) }),
    ...(input.include_superseded && { superseded: true }),
    ...(input.explain && { explain: true }),
    turnsSince: recalledSince(config?.memory, now),
    now,
  });
  const found = await allOf(hits.map((hit) => documentOf(store, hit)));
  const all = hits.flatMap((hit, i) => {
    const doc = found[i];
    if (!doc || (input.subject !== undefined && !maySee(input, doc.body))) return [];
    if (doc.kind === 'run') return turnAsMemory(doc, hit);
    if (doc.kind === 'message') return [{ ...messageAsMemory(doc.entity.id, doc.body), ...foundAs(hit) }];
    const memory = doc.body;
    // the index of a stale owner may be behind the store
    const wanted =
      input.as_of === undefined
        ? input.include_superseded || isPresent(memory, now)
        : wasSo(memory, Date.parse(input.as_of));
    return wanted && isUnexpired(memory, now) ? [{ ...showMemory(memory), ...foundAs(hit) }] : [];
  });
  const shown: FoundItems<FoundMemory> = fittingItems(all, jsonBytes);
  if (hits.partial) shown.partial = true;
  if (hits.wordsOnly) shown.words_only = true;
  return shown;
}

const pairsAsked = ({ metadata = {}, run_id }: SearchInput): string[] => [
  ...Object.entries(metadata).flatMap(([key, value]) => pairOf(key, value) ?? []),
  ...(run_id === undefined ? [] : [runPair(run_id)]),
];

const foundAs = ({ relevance, score, shares }: RecallHit): Pick<FoundMemory, 'relevance' | 'explanation'> => ({
  relevance,
  ...(shares && { explanation: { score, shares } }),
});

/** Shows a turn of a conversation as a memory. It has the type `conversation` and is read-only. */
function turnAsMemory(run: StoredDoc<'run'>, hit: RecallHit): FoundMemory[] {
  const turn = turnIn(run, hit.id);
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
    subject: (run.body as Owned).subject ?? null,
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
): Pick<
  Memory,
  'source' | 'run_id' | 'supersedes' | 'superseded_by' | 'valid_until' | 'times_seen' | 'last_seen_at'
> => ({
  source: null,
  run_id: null,
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
    subject: (body as Owned).subject ?? null,
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
