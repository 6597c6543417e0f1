/** Reads sessions from the store: the runs that make up a conversation. */
import type { RunRecord } from '../../../src/domain/agent-state.js';
import { defaultTurns, isConversation, lastTurns, type SaidTurn, saidTurns } from '../../../src/domain/conversation.js';
import type { AgentConfig } from '../../../src/domain/inputs.js';
import type { EntityRef, Store } from '../../../src/store/port.js';

/** The runs that are read for the last turns may be large; no more than this is read of them. */
const mostBytes = 1024 * 1024;

const isBusy = ({ status }: RunRecord): boolean => status === 'pending' || status === 'running';

/**
 * The last turns of a session as of now, or of those before a run of it, as many as the budgets allow. Null if there is
 * no such session.
 */
export async function sessionTurns(
  store: Store,
  agent: EntityRef,
  { id, sessionId }: Pick<RunRecord, 'sessionId'> & { id?: string },
  config: AgentConfig['memory'],
): Promise<readonly SaidTurn[] | null> {
  const page = await store.list({
    workspace: agent.workspace,
    entity: agent,
    collection: 'run',
    list: 'session',
    by: sessionId,
    order: 'desc',
    limit: 1 + (config?.turns ?? defaultTurns),
    maxBytes: mostBytes,
  });
  const runs = page.items.map(({ body }) => body as unknown as RunRecord).filter(isConversation);
  if (runs.length === 0) return null;
  const ended = runs.filter((run) => (id === undefined || run.id < id) && !isBusy(run));
  return lastTurns(ended.reverse().flatMap(saidTurns), config);
}
