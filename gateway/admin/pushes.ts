/**
 * Lets operators handle pushes that were given up. Works directly on the store, and therefore with or without a running
 * server.
 *
 *  - A replay is the same decision that the agent itself would make (domain/task/push-commands.ts), committed by
 *    compare-and-set on the agent's head and decided again after a conflict. The push is either in the outbox or a dead
 *    letter, never both or neither.
 *  - A replay leaves the agent active and due now. A running server that looks for due agents notices that somebody
 *    else wrote the agent, loads it and sends the push; if none is running, the next start does so.
 *  - If the same dead letter is replayed twice at once, one replay succeeds and the other finds none.
 *
 * A failed operation throws HivekeepError and has changed nothing. StoreError passes through.
 */
import type { AgentSnapshot } from '../../src/domain/shared/snapshots.js';
import { remarkOf } from '../../src/english/sentences.js';
import type { AdminDeps } from './admin.js';
import { AgentDraft } from '../../src/domain/agent/agent-draft.js';
import { emptyPositions, emptyRuns } from '../../src/domain/agent/agent-state.js';
import { noSessions } from '../../src/domain/run/conversation.js';
import { notFound, unavailable } from '../../src/domain/shared/errors.js';
import { showDeadLetter, type StoredDeadLetter } from '../../src/domain/task/push.js';
import { replayPush } from '../../src/domain/task/push-commands.js';
import type { DeadLetter } from '../../src/domain/model/model.js';
import type { Head, StoredDoc } from '../../src/store/port.js';
import { pagesOf } from '../../src/store/list-query.js';

export interface PushAdmin {
  /** The dead letters of one workspace (by its id), newest first, in pages. */
  deadLetters(workspace: string): AsyncIterable<readonly DeadLetter[]>;
  /** NOT_FOUND if these workspaces have no such dead letter; CONFLICT if too many pushes of its agent are waiting. */
  replay(id: string, workspaces: readonly string[]): Promise<DeadLetter>;
  /** Replays all dead letters of one workspace, oldest first, and returns their number. Stops at the first CONFLICT. */
  replayAll(workspace: string): Promise<number>;
}

type Deps = Pick<AdminDeps, 'store' | 'clock' | 'ids'>;
/** A stored dead letter, however it was found. */
type Found = Pick<StoredDoc<'deadLetter'>, 'entity' | 'id' | 'body'>;

const pageSize = 100;
/** As in admin.ts: more conflicts in a row than concurrent writers are likely to cause. */
const maxTries = 20;

export const createPushAdmin = (deps: Deps): PushAdmin => ({
  async *deadLetters(workspace) {
    for await (const { items } of pages(deps, workspace, 'desc')) yield items.map(shown);
  },
  async replay(id, workspaces) {
    for (const workspace of workspaces) {
      const found = await deps.store.find(workspace, 'deadLetter', id);
      if (found && (await replay(deps, found))) return shown(found);
    }
    throw notFound('dead letter', id);
  },
  async replayAll(workspace) {
    let count = 0;
    for await (const { items } of pages(deps, workspace, 'asc'))
      for (const letter of items) if (await replay(deps, letter)) count++;
    return count;
  },
});

const shown = ({ entity, body }: Found): DeadLetter => showDeadLetter(entity.id, body);

const pages = ({ store }: Deps, workspace: string, order: 'asc' | 'desc') =>
  pagesOf(store, { workspace, collection: 'deadLetter', list: 'created', order, limit: pageSize });

/** Returns false if the dead letter no longer exists. */
async function replay(deps: Deps, { entity, id }: Found): Promise<boolean> {
  for (let i = 0; i < maxTries; i++) {
    // The head is loaded first: a dead letter that is removed after this was read then shows as a conflict.
    const head = await deps.store.load(entity);
    const letter = await deps.store.get(entity, 'deadLetter', id);
    if (!head || head.deleted || agentOf(head).deleting || !letter) return false;
    const { agent, counts, puts, deletes } = replayed(deps, head, letter.body);
    const outcome = await deps.store.commit({
      entity,
      seq: head.seq + 1,
      snapshot: { ...agent },
      active: true,
      due: deps.clock.now(),
      deleted: false,
      counts,
      previousCounts: head.counts,
      puts,
      deletes,
      records: [],
    });
    if (outcome === 'committed') return true;
  }
  throw unavailable(`agent ${entity.id} is being changed by others at the same time; try again`);
}

const agentOf = (head: Head): AgentSnapshot => head.snapshot as AgentSnapshot;

/** A replay involves no runs, so none are loaded and the defaults for runs do not matter. */
function replayed({ clock, ids }: Deps, head: Head, letter: StoredDeadLetter): AgentDraft {
  const draft = new AgentDraft(
    {
      agent: agentOf(head),
      counts: head.counts,
      runs: emptyRuns,
      unread: [],
      moreMayWake: false,
      mailDue: false,
      positions: emptyPositions,
      sessions: noSessions,
    },
    { now: clock.now(), ids, remarkOf, defaults: { maxSteps: 1, maxRuntimeSeconds: 1, messageBudget: 0 } },
  );
  replayPush(draft, { letter });
  return draft;
}
