/** What can be asked of sessions, which are the conversations with agents (docs/api.md 2.15, 13.4). */
import { type Caller, reachesSession, sessionNamed } from '../domain/shared/caller.js';
import { showSession, shownTurns } from '../domain/run/conversation.js';
import { notFound } from '../domain/shared/errors.js';
import type { Session, Turn } from '../domain/model/model.js';
import { deleteSessionPart } from '../domain/run/session-deletion.js';
import { lastHanded } from '../domain/run/hand-off.js';
import type { RunRecord } from '../domain/run/records.js';
import { unpackRun } from '../domain/run/stored-run.js';
import { sumOver } from '../store/list-query.js';
import type { EntityRef, Listed, Store } from '../store/port.js';
import { partialChange, procedure, query, type Services, takes } from './command.js';
import { type AgentRef, agentRef, headOf } from './entities.js';
import { pageBytes, type PageOf, pageOf, type PageRequest } from './lists.js';
import { type DocumentPart, filteredPage, pageOfParts } from './parts.js';
import { countPartsOf, sessionPart } from './session-reads.js';

interface Paged<T = unknown> {
  caller: Caller;
  target: T;
  input: { page: PageRequest };
}

export const listAllSessions = query({
  name: 'listAllSessions',
  summary: 'List the conversations of all agents.',
  scope: 'agent:read',
  result: 'Session',
  target: [],
  run: (services, { caller, input: { page } }: Paged) => sessionsOf(services, caller, page),
});

export const listSessions = query({
  name: 'listSessions',
  summary: 'List the conversations of an agent.',
  scope: 'agent:read',
  result: 'Session',
  target: ['id'],
  async run(services, { caller, target, input: { page } }: Paged<{ id: string }>) {
    const agent = agentRef(caller, target.id);
    await headOf(services, agent);
    return sessionsOf(services, caller, page, agent);
  },
});

async function sessionsOf(
  services: Services,
  caller: Caller,
  page: PageRequest,
  entity?: AgentRef,
): Promise<PageOf<Session>> {
  const { workspace } = caller;
  const where = { workspace, collection: 'run', list: 'opening', by: 'yes', ...(entity && { entity }) } as const;
  const show = (item: Listed<'run'>): Promise<Session> => sessionOf(services.store, item);
  return caller.ownTasks
    ? filteredPage(services, where, page, (item) => reachesSession(caller, unpackRun(item).sessionId), show)
    : pageOf(services, where, page, null, show);
}

const runsOf = (agent: EntityRef, sessionId: string) =>
  ({ workspace: agent.workspace, entity: agent, collection: 'run', list: 'session', by: sessionId }) as const;

/** How many runs of a conversation that was handed over are looked at for whether it came back. */
const handedLooksAt = 20;

async function sessionOf(store: Store, opening: Listed<'run'>): Promise<Session> {
  const first = unpackRun(opening);
  const lastRuns = async (limit: number): Promise<RunRecord[]> => {
    const { items } = await store.list({ ...runsOf(opening.entity, first.sessionId), order: 'desc', limit });
    return items.map(unpackRun);
  };
  const [newest = first] = await lastRuns(1);
  // one that was said before it may have come back later
  const handed = newest.handed && lastHanded(await lastRuns(handedLooksAt));
  return showSession(first, { ...newest, handed });
}

/** NOT_FOUND if nothing was said in the session. `total` is counted within the newest 1,000 runs. */
export const listTurns = query({
  name: 'listTurns',
  summary: 'List the turns of a conversation.',
  scope: 'agent:read',
  result: 'Turn',
  target: ['id', 'sessionId'],
  async run(services, { caller, target, input: { page } }: Paged<{ id: string; sessionId: string }>) {
    const entity = agentRef(caller, target.id);
    const sessionId = sessionNamed(caller, target.sessionId);
    await headOf(services, entity);
    const wanted = { where: runsOf(entity, sessionId), partsOf: turnsIn, inside: { kind: 'run', entity } } as const;
    const { items, next } = await pageOfParts(services, wanted, page);
    if (items.length === 0 && !page.after) throw notFound('session', sessionId);
    const total = next || page.after ? await countTurns(services.store, entity, sessionId) : items.length;
    return { items, next, total };
  },
});

/** The turns of a run, each by its number in it. */
const turnsIn = (run: Listed<'run'>): DocumentPart<Turn>[] =>
  shownTurns(unpackRun(run)).map((turn, i) => ({ part: turn, at: [...run.position, i] }));

/** How many runs are read at most to count the turns of a session. */
const countedRuns = 1000;

const countTurns = (store: Store, entity: EntityRef, sessionId: string): Promise<number> =>
  sumOver(
    store,
    { ...runsOf(entity, sessionId), order: 'desc', limit: 100, maxBytes: pageBytes },
    countedRuns,
    (item) => turnsIn(item).length,
  );

/** Deletes a part of the session, and results in whether there is more. `noted`: how many things go, at the first. */
export const removeSessionPart = partialChange({
  name: 'removeSessionPart',
  of: 'agent',
  target: ['id'],
  takes: takes<{ sessionId: string; noted: number }>(),
  audit: 'session.deleted',
  noted: ({ input: { sessionId, noted: count } }) => (count > 0 ? { target: sessionId, count } : null),
  read: (reading, { input: { sessionId } }) =>
    reading.settled(() =>
      sessionPart(reading.deps.store, reading.entity, { list: 'session', by: sessionId }, reading.state),
    ),
  decide: (d, { input: { sessionId } }, found) => deleteSessionPart(d, { sessionId, part: found }),
});

/** Cancels the session's runs that have not ended, and deletes all of its runs and memories. */
export const deleteSession = procedure({
  name: 'deleteSession',
  summary: 'Delete a conversation with its runs, turns and memories.',
  scope: 'agent:manage',
  result: 'Deleted',
  audit: 'session.deleted',
  target: ['id', 'sessionId'],
  async run({ store, execute }, { caller, target: { id, sessionId: named } }) {
    const sessionId = sessionNamed(caller, named);
    const all = await countPartsOf(store, agentRef(caller, id), { list: 'session', by: sessionId });
    for (let any = false; ; any = true) {
      const { found, more } = await execute(caller, removeSessionPart, { id }, { sessionId, noted: any ? 0 : all });
      if (!found && !any) throw notFound('session', sessionId);
      if (!more) return;
    }
  },
});
