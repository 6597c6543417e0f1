/** What the journals of runs hold, as lists: the thoughts of an agent, and the checkpoints of its runs. */
import { jsonBytes } from '../../src/domain/bounded.js';
import type { Checkpoint, Thought } from '../../src/domain/model.js';
import { checkpointFor, sightOf } from '../../src/domain/sight.js';
import type { Caller, PageOf, PageRequest, Service } from '../../src/service.js';
import type { EntityRef, Listed, Page, Position } from '../../src/store/port.js';
import { pagesOf, sumOver } from '../../src/store/pages.js';
import { afterRun, beforeRun, entryOf, journalOf } from '../entities/agent/run-reads.js';
import { agentRef, fitting, headOf, pageBytes, type ServiceContext } from './context.js';
import { runById } from './following.js';
import { reachesSession, sessionNamed } from './reach.js';

export const journalService = (c: ServiceContext): Pick<Service, 'listThoughts' | 'listCheckpoints'> => ({
  listThoughts: (caller, agent, filter, page) => thoughts(c, caller, agent, inSession(caller, filter), page),
  listCheckpoints: (caller, agent, filter, page) => checkpoints(c, caller, agent, inSession(caller, filter), page),
});

const inSession = <F extends { sessionId?: string }>(caller: Caller, filter: F): F =>
  filter.sessionId === undefined ? filter : { ...filter, sessionId: sessionNamed(caller, filter.sessionId) };

/**
 * A journal entry contains several thoughts, so the position after a page of thoughts consists of the position of an
 * entry and the `seq` of the last thought returned from it: [...position of the entry, seq of the thought].
 */
async function thoughts(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  filter: { sessionId?: string; thoughtType?: string },
  page: PageRequest,
): Promise<PageOf<Thought>> {
  const head = await headOf(c, agentRef(caller, agent));
  const entity = agentRef(caller, agent);
  const told = (item: Listed): ReturnType<typeof thoughtsOf> =>
    reachesSession(caller, entryOf(item).sessionId) ? thoughtsOf(item, filter.thoughtType) : [];
  const out: { thought: Thought; at: Position }[] = [];
  const wanted = page.limit + 1;
  let after: Position | undefined = page.after?.slice(0, -1);
  const lastSeq = page.after ? Number(page.after.at(-1)) : null;
  let seen = 0;
  let bytes = 0;
  let stopped: Position | null = null;
  for (
    let entry = lastSeq === null ? null : await entryAt(c, entity, after), more = true;
    more && out.length < wanted && bytes <= pageBytes;
  ) {
    // With a selective filter, a page must not cost a read of the whole history: it may be short, with more to follow.
    if (seen >= entriesAPage && after) {
      stopped = [...after, page.order === 'asc' ? Number.MAX_SAFE_INTEGER : 0];
      break;
    }
    const found: Page = entry
      ? { items: [entry], next: after ?? null }
      : await c.deps.store.list({
          ...journalsOf(entity, filter.sessionId),
          order: page.order,
          limit: Math.min(100, wanted),
          maxBytes: pageBytes,
          ...(after && { after }),
        });
    seen += found.items.length;
    for (const item of found.items) {
      const all = told(item);
      if (page.order === 'desc') all.reverse();
      for (const { seq, thought } of all) {
        if (entry && lastSeq !== null && (page.order === 'desc' ? seq >= lastSeq : seq <= lastSeq)) continue;
        bytes += jsonBytes(thought);
        out.push({ thought, at: [...item.position, seq] });
      }
    }
    more = entry !== null || found.next !== null;
    if (!entry) after = found.next ?? undefined;
    entry = null;
  }
  const items = fitting(out.slice(0, page.limit), ({ thought }) => jsonBytes(thought));
  const rest = out.length > items.length || (bytes > pageBytes && after !== undefined);
  const total =
    filter.sessionId === undefined && filter.thoughtType === undefined && !caller.ownTasks
      ? (head.counts['thoughts'] ?? 0)
      : await countInJournal(c, entity, filter.sessionId, (item) => told(item).length);
  return {
    items: items.map((o) => o.thought),
    next: rest ? (items.at(-1)?.at ?? null) : stopped,
    total,
  };
}

async function entryAt(
  { deps: { store } }: ServiceContext,
  entity: EntityRef,
  position: Position | undefined,
): Promise<Listed | null> {
  const id = String(position?.at(-1));
  const doc = await store.get(entity, 'journal', id);
  return doc && position ? { id, entity, body: doc.body, position } : null;
}

const thoughtsOf = (item: Listed, type: string | undefined): { seq: number; thought: Thought }[] =>
  entryOf(item).events.flatMap((e) =>
    e.type === 'thought' && (type === undefined || e.thought.thoughtType === type)
      ? [{ seq: e.seq, thought: e.thought }]
      : [],
  );

/** The maximum number of journal entries that are read for one page of thoughts. */
const entriesAPage = 10_000;

/** The maximum number of journal entries that are read to count the matches of a filter. */
const countEntries = 1000;

/** The sum of `count` over all journal entries of the agent, or over those of one session. */
function countInJournal(
  { deps: { store } }: ServiceContext,
  entity: EntityRef,
  sessionId: string | undefined,
  count: (item: Listed) => number,
): Promise<number> {
  const query = { ...journalsOf(entity, sessionId), order: 'desc', limit: 100, maxBytes: pageBytes } as const;
  return sumOver(store, query, countEntries, count);
}

/** The journals of an agent, or of one of its sessions. */
const journalsOf = (entity: EntityRef, sessionId: string | undefined) =>
  sessionId === undefined
    ? ({ workspace: entity.workspace, entity, collection: 'journal', list: 'created' } as const)
    : journalOf(entity, { sessionId });

async function checkpoints(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  filter: { runId?: string; sessionId?: string },
  page: PageRequest,
): Promise<PageOf<Checkpoint>> {
  const head = await headOf(c, agentRef(caller, agent));
  const entity = agentRef(caller, agent);
  const { store } = c.deps;
  const run = filter.runId === undefined ? null : await runById(c, caller, agent, filter.runId);
  if (run && filter.sessionId !== undefined && filter.sessionId !== run.sessionId)
    return { items: [], next: null, total: 0 };
  const where = journalsOf(entity, run ? run.sessionId : filter.sessionId);
  const within = (item: Listed): Checkpoint | null => {
    const { sessionId, checkpoint } = entryOf(item);
    return reachesSession(caller, sessionId) ? checkpoint : null;
  };
  const out: { checkpoint: Checkpoint; at: Position }[] = [];
  let bytes = 0;
  let more = true;
  const after = page.after ?? (run ? (page.order === 'asc' ? beforeRun : afterRun)(run.id) : undefined);
  for await (const found of pagesOf(store, {
    ...where,
    order: page.order,
    limit: page.limit + 1,
    maxBytes: pageBytes,
    ...(after && { after }),
  })) {
    for (const item of found.items) {
      if (run && item.body['runId'] !== run.id) {
        found.next = null;
        break;
      }
      const whole = within(item);
      if (!whole) continue;
      const checkpoint = checkpointFor(whole, sightOf(caller));
      bytes += jsonBytes(checkpoint);
      out.push({ checkpoint, at: item.position });
    }
    more = found.next !== null;
    if (!more || out.length > page.limit || bytes > pageBytes) break;
  }
  const items = fitting(out.slice(0, page.limit), ({ checkpoint }) => jsonBytes(checkpoint));
  const total = run
    ? run.steps - (run.forkedFrom?.step ?? 0)
    : filter.sessionId === undefined && !caller.ownTasks
      ? (head.counts['checkpoints'] ?? 0)
      : await countInJournal(c, entity, filter.sessionId, (item) => (within(item) ? 1 : 0));
  return {
    items: items.map((o) => o.checkpoint),
    next: out.length > items.length || more ? (items.at(-1)?.at ?? null) : null,
    total,
  };
}
