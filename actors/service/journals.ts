/** What the journals of runs hold, as lists: the thoughts of an agent, and the checkpoints of its runs. */
import { reachesSession, sessionNamed } from '../../src/domain/shared/caller.js';
import type { Checkpoint, Thought } from '../../src/domain/model/model.js';
import { checkpointFor, sightOf } from '../../src/domain/task/run-as-task.js';
import type { Caller, PageOf, PageRequest, Service } from '../../src/service.js';
import type { EntityRef, Listed } from '../../src/store/port.js';
import { sumOver } from '../../src/store/list-query.js';
import { endOfRun, beforeRun, journalEntryOf, journalOf } from '../../src/commands/run-reads.js';
import { agentRef, headOf } from '../../src/commands/entities.js';
import { pageBytes } from '../../src/commands/lists.js';
import { type ServiceContext, runById } from './context.js';
import { pageOfParts, type DocumentPart } from '../../src/commands/parts.js';

export const journalService = (c: ServiceContext): Pick<Service, 'listThoughts' | 'listCheckpoints'> => ({
  listThoughts: (caller, agent, filter, page) => thoughts(c, caller, agent, inSession(caller, filter), page),
  listCheckpoints: (caller, agent, filter, page) => checkpoints(c, caller, agent, inSession(caller, filter), page),
});

const inSession = <F extends { sessionId?: string }>(caller: Caller, filter: F): F =>
  filter.sessionId === undefined ? filter : { ...filter, sessionId: sessionNamed(caller, filter.sessionId) };

/** A thought is found by its number among the events of its run. */
async function thoughts(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  { sessionId, thoughtType }: { sessionId?: string; thoughtType?: string },
  page: PageRequest,
): Promise<PageOf<Thought>> {
  const head = await headOf(c.deps, agentRef(caller, agent));
  const entity = agentRef(caller, agent);
  const partsOf = (item: Listed<'journal'>): DocumentPart<Thought>[] => {
    const entry = journalEntryOf(item);
    if (!reachesSession(caller, entry.sessionId)) return [];
    return entry.events.flatMap((e) =>
      e.type === 'thought' && (thoughtType === undefined || e.thought.thoughtType === thoughtType)
        ? [{ part: e.thought, at: [...item.position, e.seq] }]
        : [],
    );
  };
  const where = journalsOf(entity, sessionId);
  const inside = { kind: 'journal', entity } as const;
  const found = await pageOfParts(c.deps, { where, partsOf, inside, mostRead: entriesAPage }, page);
  const total =
    sessionId === undefined && thoughtType === undefined && !caller.ownTasks
      ? (head.counts['thoughts'] ?? 0)
      : await countInJournal(c, entity, sessionId, (item) => partsOf(item).length);
  return { ...found, total };
}

/** The maximum number of journal entries that are read for one page. */
const entriesAPage = 10_000;

/** The maximum number of journal entries that are read to count the matches of a filter. */
const countEntries = 1000;

/** The sum of `count` over all journal entries of the agent, or over those of one session. */
function countInJournal(
  { deps: { store } }: ServiceContext,
  entity: EntityRef,
  sessionId: string | undefined,
  count: (item: Listed<'journal'>) => number,
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
  const head = await headOf(c.deps, agentRef(caller, agent));
  const entity = agentRef(caller, agent);
  const run = filter.runId === undefined ? null : await runById(c, caller, agent, filter.runId);
  if (run && filter.sessionId !== undefined && filter.sessionId !== run.sessionId)
    return { items: [], next: null, total: 0 };
  const where = journalsOf(entity, run ? run.sessionId : filter.sessionId);
  const partsOf = (item: Listed<'journal'>): DocumentPart<Checkpoint>[] | null => {
    if (run && item.body.runId !== run.id) return null;
    const { sessionId, checkpoint } = journalEntryOf(item);
    if (!checkpoint || !reachesSession(caller, sessionId)) return [];
    return [{ part: checkpointFor(checkpoint, sightOf(caller)), at: item.position }];
  };
  const after = page.after ?? (run ? (page.order === 'asc' ? beforeRun : endOfRun)(run.id) : undefined);
  const found = await pageOfParts(
    c.deps,
    { where, partsOf, mostRead: entriesAPage },
    { ...page, ...(after && { after }) },
  );
  const total = run
    ? run.steps - (run.forkedFrom?.step ?? 0)
    : filter.sessionId === undefined && !caller.ownTasks
      ? (head.counts['checkpoints'] ?? 0)
      : await countInJournal(c, entity, filter.sessionId, (item) => partsOf(item)?.length ?? 0);
  return { ...found, total };
}
