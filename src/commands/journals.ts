/** What the journals of runs hold, as lists: the thoughts of an agent, and the checkpoints of its runs. */
import { type Caller, reachesSession, sessionNamed } from '../domain/shared/caller.js';
import { thoughtFilter } from '../domain/shared/filters.js';
import type { ThoughtType } from '../domain/shared/vocabulary.js';
import type { Checkpoint, Thought } from '../domain/model/model.js';
import { checkpointFor, sightOf } from '../domain/task/run-as-task.js';
import type { EntityRef, Listed } from '../store/port.js';
import { sumOver } from '../store/list-query.js';
import { type Call, query, type Services } from './command.js';
import { agentRef, headOf } from './entities.js';
import { pageBytes, type PageRequest } from './lists.js';
import { type DocumentPart, pageOfParts } from './parts.js';
import { beforeRun, endOfRun, journalEntryOf, journalOf, runById } from './run-reads.js';

const { sessionId: reference, thoughtType } = thoughtFilter;

interface Wanted {
  sessionId?: string;
  page: PageRequest;
}

const sessionOf = (caller: Caller, { sessionId }: Wanted): string | undefined =>
  sessionId === undefined ? undefined : sessionNamed(caller, sessionId);

/** A thought is found by its number among the events of its run. */
export const listThoughts = query({
  name: 'listThoughts',
  summary: 'List the thoughts of a run.',
  scope: 'agent:read',
  result: 'Thought',
  target: ['id'],
  filter: { sessionId: reference, thoughtType },
  async run(services, { caller, target: { id }, input }: Call<'id', Wanted & { thoughtType?: ThoughtType }>) {
    const { thoughtType: type, page } = input;
    const sessionId = sessionOf(caller, input);
    const entity = agentRef(caller, id);
    const head = await headOf(services, entity);
    const partsOf = (item: Listed<'journal'>): DocumentPart<Thought>[] => {
      const entry = journalEntryOf(item);
      if (!reachesSession(caller, entry.sessionId)) return [];
      return entry.events.flatMap((e) =>
        e.type === 'thought' && (type === undefined || e.thought.thoughtType === type)
          ? [{ part: e.thought, at: [...item.position, e.seq] }]
          : [],
      );
    };
    const where = journalsOf(entity, sessionId);
    const inside = { kind: 'journal', entity } as const;
    const found = await pageOfParts(services, { where, partsOf, inside, mostRead: entriesAPage }, page);
    const total =
      sessionId === undefined && type === undefined && !caller.ownTasks
        ? (head.counts['thoughts'] ?? 0)
        : await countInJournal(services, entity, sessionId, (item) => partsOf(item).length);
    return { ...found, total };
  },
});

export const listCheckpoints = query({
  name: 'listCheckpoints',
  summary: 'List the checkpoints of a run, one for each step.',
  scope: 'agent:read',
  result: 'Checkpoint',
  target: ['id'],
  filter: { runId: reference, sessionId: reference },
  async run(services, { caller, target: { id }, input }: Call<'id', Wanted & { runId?: string }>) {
    const { runId, page } = input;
    const named = sessionOf(caller, input);
    const entity = agentRef(caller, id);
    const head = await headOf(services, entity);
    const run = runId === undefined ? null : await runById(services, caller, id, runId);
    if (run && named !== undefined && named !== run.sessionId) return { items: [], next: null, total: 0 };
    const where = journalsOf(entity, run ? run.sessionId : named);
    const partsOf = (item: Listed<'journal'>): DocumentPart<Checkpoint>[] | null => {
      if (run && item.body.runId !== run.id) return null;
      const { sessionId, checkpoint } = journalEntryOf(item);
      if (!checkpoint || !reachesSession(caller, sessionId)) return [];
      return [{ part: checkpointFor(checkpoint, sightOf(caller)), at: item.position }];
    };
    const after = page.after ?? (run ? (page.order === 'asc' ? beforeRun : endOfRun)(run.id) : undefined);
    const found = await pageOfParts(
      services,
      { where, partsOf, mostRead: entriesAPage },
      { ...page, ...(after && { after }) },
    );
    const total = run
      ? run.steps - (run.forkedFrom?.step ?? 0)
      : named === undefined && !caller.ownTasks
        ? (head.counts['checkpoints'] ?? 0)
        : await countInJournal(services, entity, named, (item) => partsOf(item)?.length ?? 0);
    return { ...found, total };
  },
});

/** The maximum number of journal entries that are read for one page. */
const entriesAPage = 10_000;

/** The maximum number of journal entries that are read to count the matches of a filter. */
const countEntries = 1000;

/** The sum of `count` over all journal entries of the agent, or over those of one session. */
function countInJournal(
  { store }: Services,
  entity: EntityRef,
  sessionId: string | undefined,
  count: (item: Listed<'journal'>) => number,
): Promise<number> {
  const all = { ...journalsOf(entity, sessionId), order: 'desc', limit: 100, maxBytes: pageBytes } as const;
  return sumOver(store, all, countEntries, count);
}

/** The journals of an agent, or of one of its sessions. */
const journalsOf = (entity: EntityRef, sessionId: string | undefined) =>
  sessionId === undefined
    ? ({ workspace: entity.workspace, entity, collection: 'journal', list: 'created' } as const)
    : journalOf(entity, { sessionId });
