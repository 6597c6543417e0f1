/** The service's operations on sessions, which are the conversations with agents. */
import { showSession, turnsOf } from '../../src/domain/conversation.js';
import { notFound } from '../../src/domain/errors.js';
import type { Session, Turn } from '../../src/domain/model.js';
import { unpackRun } from '../../src/domain/stored-run.js';
import type { Caller, PageOf, PageRequest, Service } from '../../src/service.js';
import type { EntityRef, Listed, Store } from '../../src/store/port.js';
import { sumOver } from '../../src/store/pages.js';
import { agentRef, headOf } from '../../src/commands/entities.js';
import { pageBytes, pageOf } from '../../src/commands/lists.js';
import { ask, type ServiceContext } from './context.js';
import { filteredPage, pageOfParts, type DocumentPart } from './parts.js';
import { reachesSession, sessionNamed } from './reach.js';

export function sessionService(c: ServiceContext) {
  const { store } = c.deps;
  return {
    async listSessions(caller, agent, page) {
      const entity = agent === null ? undefined : agentRef(caller, agent);
      if (entity) await headOf(c.deps, entity);
      const { workspace } = caller;
      const where = { workspace, collection: 'run', list: 'opening', by: 'yes', ...(entity && { entity }) } as const;
      const show = (item: Listed<'run'>): Promise<Session> => sessionOf(store, item);
      return caller.ownTasks
        ? filteredPage(c, where, page, (item) => reachesSession(caller, unpackRun(item).sessionId), show)
        : pageOf(c.deps, where, page, null, show);
    },
    listTurns: (caller, agent, session, page) => turns(c, caller, agent, sessionNamed(caller, session), page),
    async deleteSession(caller, agent, named) {
      const sessionId = sessionNamed(caller, named);
      for (let any = false; ; any = true) {
        const { found, more } = await ask(c, caller, agent, { type: 'deleteSession', sessionId });
        if (!found && !any) throw notFound('session', sessionId);
        if (!more) return;
      }
    },
  } satisfies Partial<Service>;
}

const runsOf = (agent: EntityRef, sessionId: string) =>
  ({ workspace: agent.workspace, entity: agent, collection: 'run', list: 'session', by: sessionId }) as const;

async function sessionOf(store: Store, opening: Listed<'run'>): Promise<Session> {
  const first = unpackRun(opening);
  const newest = await store.list({ ...runsOf(opening.entity, first.sessionId), order: 'desc', limit: 1 });
  return showSession(first, unpackRun(newest.items[0] ?? opening));
}

/** The turns of a run, each by its number in it. */
const turnsIn = (run: Listed<'run'>): DocumentPart<Turn>[] =>
  turnsOf(unpackRun(run)).map((part, i) => ({ part, at: [...run.position, i] }));

async function turns(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  sessionId: string,
  page: PageRequest,
): Promise<PageOf<Turn>> {
  const entity = agentRef(caller, agent);
  await headOf(c.deps, entity);
  const inside = { kind: 'run', entity } as const;
  const { items, next } = await pageOfParts(c, { where: runsOf(entity, sessionId), partsOf: turnsIn, inside }, page);
  if (items.length === 0 && !page.after) throw notFound('session', sessionId);
  const total = next || page.after ? await countTurns(c.deps.store, entity, sessionId) : items.length;
  return { items, next, total };
}

/** How many runs are read at most to count the turns of a session. */
const countedRuns = 1000;

const countTurns = (store: Store, entity: EntityRef, sessionId: string): Promise<number> =>
  sumOver(
    store,
    { ...runsOf(entity, sessionId), order: 'desc', limit: 100, maxBytes: pageBytes },
    countedRuns,
    (item) => turnsIn(item).length,
  );
