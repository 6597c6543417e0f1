/** Lists of memories: which list of the store answers a filter, and what is compared besides. */
import { isListedByKey, nameKey, pairOf } from '../../src/domain/memory/facets.js';
import { invalid } from '../../src/domain/shared/errors.js';
import type { Memory } from '../../src/domain/model/model.js';
import { type StoredMemory, showMemory } from '../../src/domain/memory/stored-memory.js';
import type { Caller, MemoryFilter, PageOf, PageRequest } from '../../src/service.js';
import type { Listed } from '../../src/store/port.js';
import { deskRef, headOf } from '../../src/commands/entities.js';
import { createdRange, listFor, pageOf } from '../../src/commands/lists.js';
import { type ServiceContext } from './context.js';
import { checkReach, spaceOf, owned } from './memory-reach.js';

const shown = ({ body }: Listed<'memory'>): Memory => showMemory(body);

export async function listMemories(
  c: ServiceContext,
  caller: Caller,
  { agent_id, hive_id, type, sessionId, source, run_id, ...others }: MemoryFilter,
  page: PageRequest,
): Promise<PageOf<Memory>> {
  const { store, clock } = c.deps;
  const { workspace } = caller;
  const entity = spaceOf(caller, { agent_id, hive_id });
  await checkReach(c, caller, entity ?? deskRef(caller), 'read');
  if (agent_id !== undefined && hive_id !== undefined)
    throw invalid({ path: 'hive_id', message: 'must not be given together with agent_id' });
  const head = entity ? await headOf(c.deps, entity) : null;
  const byCreation = page.sort !== 'updated_at';
  const indexed = byCreation ? indexedBy({ sessionId, source, run_id, ...others }, entity !== undefined) : null;
  const rest = indexed?.whole === true ? { ...others, [indexed.list]: undefined } : others;
  const matches = memoryMatcher(rest, byCreation);
  const range = byCreation ? createdRange('memory', others) : {};
  const total =
    indexed || [sessionId, source, run_id].some((of) => of !== undefined) || matches || range.from || range.until
      ? null
      : type !== undefined
        ? await typeTotal(c, workspace, head?.counts, type)
        : head
          ? (head.counts['memories'] ?? 0)
          : await store.sum(workspace, 'memories');
  const where = {
    ...(type !== undefined && { type }),
    ...(sessionId !== undefined && indexed?.list !== 'session' && { sessionId }),
    ...(source !== undefined && indexed?.list !== 'source' && { source }),
    ...(run_id !== undefined && indexed?.list !== 'run' && { run_id }),
  };
  return pageOf(
    c.deps,
    {
      workspace,
      collection: 'memory',
      ...(indexed ? { list: indexed.list, by: indexed.by } : { list: listFor(page, 'updated') }),
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
}

/** All versions of a memory, the newest first. */
export async function memoryHistory(
  c: ServiceContext,
  caller: Caller,
  id: string,
  page: PageRequest,
): Promise<PageOf<Memory>> {
  const { memory, entity } = await owned(c, caller, id, 'read');
  if (memory.chain === undefined) return { items: [showMemory(memory)], next: null, total: 1 };
  return pageOf(
    c.deps,
    {
      workspace: caller.workspace,
      collection: 'memory',
      entity,
      list: 'chain',
      by: memory.chain,
      aliveAt: c.deps.clock.now(),
    },
    page,
    null,
    shown,
  );
}

/**
 * The number of memories of a type; null if it has to be counted in the list, because there are more types than a
 * memory space keeps separate counts for.
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

/**
 * The list that answers one of the filters; null if none does. `whole`: there is nothing left of that filter to test.
 */
function indexedBy(
  { sessionId, source, run_id, metadata = {}, subject, speaker }: MemoryFilter,
  ofEntity: boolean,
): { list: 'source' | 'run' | 'session' | 'subject' | 'metadata' | 'speaker'; by: string; whole: boolean } | null {
  if (source !== undefined) return { list: 'source', by: source, whole: true };
  if (run_id !== undefined) return { list: 'run', by: run_id, whole: true };
  if (sessionId !== undefined) return { list: 'session', by: sessionId, whole: true };
  if (subject !== undefined && ofEntity) return { list: 'subject', by: subject, whole: true };
  const pairs = Object.entries(metadata);
  for (const [key, value] of pairs) {
    const by = pairOf(key, value);
    if (by !== null) return { list: 'metadata', by, whole: pairs.length === 1 };
  }
  if (speaker === undefined || !isListedByKey(speaker)) return null;
  return { list: 'speaker', by: nameKey(speaker), whole: true };
}

/** What of a filter no list answers, as a test of each memory; null if it asks for nothing more. */
function memoryMatcher(filter: MemoryFilter, byCreation: boolean): ((body: StoredMemory) => boolean) | null {
  const { metadata, subject, speaker, ...times } = filter;
  const wanted = Object.entries(metadata ?? {});
  const said = speaker === undefined ? null : nameKey(speaker);
  const within = [
    timeTest('occurred_at', times.occurred_after, times.occurred_before),
    byCreation ? null : timeTest('created_at', times.created_after, times.created_before),
  ].filter((test) => test !== null);
  if (wanted.length === 0 && within.length === 0 && said === null && subject === undefined) return null;
  return (body) => {
    const memory = showMemory(body);
    return (
      (subject === undefined || memory.subject === subject) &&
      (said === null || (memory.speaker !== null && nameKey(memory.speaker) === said)) &&
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
