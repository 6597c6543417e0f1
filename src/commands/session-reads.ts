/** Reads sessions from the store: the runs that make up a conversation. */
import type { AgentState, RunRecord, SessionState } from '../domain/agent/agent-state.js';
import {
  earlierSaidTurns,
  isConversation,
  lastTurns,
  saidTurns,
  turnBudget,
  waitingRun,
} from '../domain/run/conversation.js';
import type { AgentConfig } from '../domain/agent/agent-config.js';
import { isTerminal } from '../domain/model/model.js';
import type { SessionPart } from '../domain/run/session-deletion.js';
import { lastHanded } from '../domain/run/hand-off.js';
import { unpackRun } from '../domain/run/stored-run.js';
import type { EntityRef, Page, Store } from '../store/port.js';
import { freedFiles, loadRun, oldEntries } from './run-reads.js';

/** The runs that are read for the last turns may be large; no more than this is read of them. */
const mostBytes = 1024 * 1024;

const isBusy = ({ status }: RunRecord): boolean => status === 'pending' || status === 'running';

/**
 * A session as of now, or as it was before a run of it, with as many of its last turns as the budgets allow. Null if
 * there is no such session.
 */
export async function sessionTurns(
  store: Store,
  agent: EntityRef,
  { id, sessionId }: Pick<RunRecord, 'sessionId'> & { id?: string },
  config: AgentConfig,
): Promise<SessionState | null> {
  const page = await store.list({
    workspace: agent.workspace,
    entity: agent,
    collection: 'run',
    list: 'session',
    by: sessionId,
    order: 'desc',
    limit: 1 + turnBudget(config).runs,
    maxBytes: mostBytes,
  });
  const runs = page.items.map(unpackRun).filter(isConversation);
  if (runs.length === 0) return null;
  const ended = runs.filter((run) => (id === undefined || run.id < id) && !isBusy(run));
  const { subject = null, id: newest } = runs[0] as RunRecord;
  const own = runs.find((run) => run.id === id);
  const turns = [...ended.reverse().flatMap(saidTurns), ...(own ? earlierSaidTurns(own) : [])];
  const waiting = runs.flatMap((run) => waitingRun(run) ?? []).reverse();
  const handed = lastHanded(runs.filter((run) => id === undefined || run.id < id));
  return { subject, newest, turns: lastTurns(turns, config), waiting, ...(handed && { handed }) };
}

/** How many runs, memories and messages there are of a session or a subject, up to 10,000 of each. */
export async function countPartsOf(
  store: Store,
  agent: EntityRef,
  what: { list: 'session' | 'subject'; by: string },
): Promise<number> {
  const of = { workspace: agent.workspace, entity: agent, ...what };
  const counts = await Promise.all([
    store.count({ ...of, collection: 'run' }, 10_000),
    store.count({ ...of, collection: 'memory' }, 10_000),
    ...(what.list === 'subject' ? [store.count({ ...of, list: 'subject', collection: 'message' }, 10_000)] : []),
  ]);
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** One part of a deletion has at most this many runs and memories, and this many entries of journals. */
const partItems = 50;
const partEntries = 200;
const partBytes = 2 * 1024 * 1024;
/** Sessions have no messages of the mailbox. */
const nothing: Page<'message'> = { items: [], next: null };

/**
 * Reads what the next decision of the deletion of a session or of a subject deletes. `state` knows the runs that are
 * pending or running.
 */
export async function sessionPart(
  store: Store,
  agent: EntityRef,
  what: { list: 'session' | 'subject'; by: string },
  state: AgentState,
): Promise<SessionPart> {
  const of = { workspace: agent.workspace, entity: agent, ...what, order: 'asc' } as const;
  const page = { limit: partItems, maxBytes: partBytes };
  const found = await store.list({ ...of, ...page, collection: 'run' });
  const records = found.items.map(unpackRun);
  const open = records.filter(({ status }) => !isTerminal(status));
  if (open.length > 0) {
    const live = open.map(async ({ id }) => state.runs.get(id) ?? (await loadRun(store, agent, id)));
    return { live: await Promise.all(live), runs: [], files: [], memories: [], messages: [], more: true };
  }
  const memories = await store.list({ ...of, ...page, collection: 'memory' });
  const messages =
    what.list === 'subject' ? await store.list({ ...of, ...page, list: 'subject', collection: 'message' }) : nothing;
  const runs: SessionPart['runs'][number][] = [];
  let left = partEntries;
  for (const run of records) {
    const { entries, whole } = await oldEntries(store, agent, run, left, partBytes);
    runs.push({ run, entries, whole });
    left -= entries.length;
    if (!whole || left <= 0) break;
  }
  return {
    live: [],
    runs,
    files: await freedFiles(
      store,
      agent,
      runs.flatMap(({ run, whole }) => (whole ? [run] : [])),
    ),
    memories: memories.items.map(({ body }) => body),
    messages: messages.items.map(({ body }) => body),
    more:
      found.next !== null ||
      memories.next !== null ||
      messages.next !== null ||
      runs.length < records.length ||
      !(runs.at(-1)?.whole ?? true),
  };
}
