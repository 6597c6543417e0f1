/** The service's operations on sessions, which are the conversations with agents. */
import { jsonBytes } from '../../src/domain/bounded.js';
import { showSession, turnsOf } from '../../src/domain/conversation.js';
import { notFound } from '../../src/domain/errors.js';
import type { Session, Turn } from '../../src/domain/model.js';
import { unpackRun } from '../../src/domain/stored-run.js';
import type { Caller, PageOf, PageRequest, Service } from '../../src/service.js';
import type { EntityRef, Listed, Page, Position, Store } from '../../src/store/port.js';
import { sumOver } from '../../src/store/pages.js';
import { agentRef, ask, fitting, headOf, pageBytes, pageOf, type ServiceContext } from './context.js';
import { filteredPage, reachesSession, sessionNamed } from './reach.js';

type Part = Pick<Service, 'listSessions' | 'listTurns' | 'deleteSession'>;

export function sessionService(c: ServiceContext): Part {
  const { store } = c.deps;
  return {
    async listSessions(caller, agent, page) {
      const entity = agent === null ? undefined : agentRef(caller, agent);
      if (entity) await headOf(c, entity);
      const { workspace } = caller;
      const where = { workspace, collection: 'run', list: 'opening', by: 'yes', ...(entity && { entity }) } as const;
      const show = (item: Listed): Promise<Session> => sessionOf(store, item);
      const found = caller.ownTasks
        ? await filteredPage(c, where, page, (item) => reachesSession(caller, unpackRun(item).sessionId), show)
        : await pageOf(c, where, page, null, show);
      return { ...found, items: await Promise.all(found.items) };
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
  };
}

const runsOf = (agent: EntityRef, sessionId: string) =>
  ({ workspace: agent.workspace, entity: agent, collection: 'run', list: 'session', by: sessionId }) as const;

async function sessionOf(store: Store, opening: Listed): Promise<Session> {
  const first = unpackRun(opening);
  const newest = await store.list({ ...runsOf(opening.entity, first.sessionId), order: 'desc', limit: 1 });
  return showSession(first, unpackRun(newest.items[0] ?? opening));
}

/** A page of turns ends within a run: its position is that of the run, and the number of the turn in it. */
interface PlacedTurn {
  turn: Turn;
  at: Position;
}

const turnsIn = (run: Listed): PlacedTurn[] =>
  turnsOf(unpackRun(run)).map((turn, i) => ({ turn, at: [...run.position, i] }));

async function turns(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  sessionId: string,
  page: PageRequest,
): Promise<PageOf<Turn>> {
  const entity = agentRef(caller, agent);
  await headOf(c, entity);
  const { store } = c.deps;
  const { order } = page;
  const out: PlacedTurn[] = [];
  const take = (item: Listed, from = order === 'asc' ? -1 : Infinity): void => {
    const said = turnsIn(item).filter(({ at }) =>
      order === 'asc' ? Number(at.at(-1)) > from : Number(at.at(-1)) < from,
    );
    out.push(...(order === 'asc' ? said : said.reverse()));
  };
  let after: Position | undefined = page.after?.slice(0, -1);
  if (page.after && after) {
    const id = String(after.at(-1));
    const doc = await store.get(entity, 'run', id);
    if (doc) take({ id, entity, body: doc.body, position: after }, Number(page.after.at(-1)));
  }
  let next: Position | null = after ?? [];
  for (let bytes = 0; next !== null && out.length <= page.limit && bytes <= pageBytes;) {
    const found: Page = await store.list({
      ...runsOf(entity, sessionId),
      order,
      limit: Math.min(50, page.limit + 1),
      maxBytes: pageBytes,
      ...(after && { after }),
    });
    for (const item of found.items) take(item);
    bytes += jsonBytes(found.items.map(({ body }) => body));
    next = found.next;
    after = found.next ?? undefined;
  }
  if (out.length === 0 && !page.after) throw notFound('session', sessionId);
  const items = fitting(out.slice(0, page.limit), ({ turn }) => jsonBytes(turn));
  const more = next !== null || items.length < out.length;
  const total = more || page.after ? await countTurns(store, entity, sessionId) : items.length;
  return { items: items.map(({ turn }) => turn), next: more ? (items.at(-1)?.at ?? null) : null, total };
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
