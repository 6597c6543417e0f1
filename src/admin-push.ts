/**
 * Pushes that were given up, for whoever operates the service: on the store directly, so that it works with and
 * without a running server.
 *
 *  PushAdmin.B1 A replay is the decision that the agent itself makes of it (domain/pushes.ts), committed by
 *     compare-and-set on the agent's head and decided again after a conflict: in the outbox or a dead letter, never
 *     both or neither.
 *  PushAdmin.B2 It leaves the agent active and due now: a running server that looks for what is due finds that somebody
 *     else wrote the agent, loads it and sends; without one, the next start does.
 *  PushAdmin.B3 Of two that replay the same letter at once, one does and the other finds none.
 *
 * What cannot be done throws HivekeepError and has changed nothing. StoreError passes through.
 */
import type { AdminParts } from './admin.js';
import { AgentDraft } from './domain/agent-draft.js';
import { type AgentSnapshot, emptyPositions, emptyRuns } from './domain/agent-state.js';
import { notFound, unavailable } from './domain/errors.js';
import { showDeadLetter, type StoredDeadLetter } from './domain/push.js';
import { replayPush } from './domain/pushes.js';
import type { DeadLetter } from './domain/task.js';
import type { Head, Listed, Position, StoredDoc } from './store/port.js';

export interface PushAdmin {
  /** Of one workspace (by its id), newest first, in pages. */
  deadLetters(workspace: string): AsyncIterable<readonly DeadLetter[]>;
  /** NOT_FOUND where there is none in these workspaces; CONFLICT where too many pushes of its agent wait already. */
  replay(id: string, workspaces: readonly string[]): Promise<DeadLetter>;
  /** All of one workspace, oldest first; how many. Stops at the first CONFLICT. */
  replayAll(workspace: string): Promise<number>;
}

type Parts = Pick<AdminParts, 'store' | 'clock' | 'ids'>;
/** A stored letter, however it was found. */
type Found = Pick<StoredDoc, 'entity' | 'id' | 'body'>;

const pageSize = 100;
/** As in admin.ts: more conflicts in a row than any number of writers makes likely. */
const maxTries = 20;

export const createPushAdmin = (parts: Parts): PushAdmin => ({
  async *deadLetters(workspace) {
    for await (const page of pages(parts, workspace, 'desc')) yield page.map(shown);
  },
  async replay(id, workspaces) {
    for (const workspace of workspaces) {
      const found = await parts.store.find(workspace, 'deadLetter', id);
      if (found && (await replay(parts, found))) return shown(found);
    }
    throw notFound('dead letter', id);
  },
  async replayAll(workspace) {
    let count = 0;
    for await (const page of pages(parts, workspace, 'asc'))
      for (const letter of page) if (await replay(parts, letter)) count++;
    return count;
  },
});

const letterOf = ({ body }: Found): StoredDeadLetter => body as unknown as StoredDeadLetter;
const shown = (found: Found): DeadLetter => showDeadLetter(found.entity.id, letterOf(found));

async function* pages({ store }: Parts, workspace: string, order: 'asc' | 'desc'): AsyncIterable<readonly Listed[]> {
  let after: Position | undefined;
  do {
    const page = await store.list({
      workspace,
      collection: 'deadLetter',
      list: 'created',
      order,
      limit: pageSize,
      after,
    });
    yield page.items;
    after = page.next ?? undefined;
  } while (after);
}

/** False where the letter is not there any more. */
async function replay(parts: Parts, { entity, id }: Found): Promise<boolean> {
  for (let i = 0; i < maxTries; i++) {
    // the head first: a letter that goes after this was read shows as a conflict
    const head = await parts.store.load(entity);
    const letter = await parts.store.get(entity, 'deadLetter', id);
    if (!head || head.deleted || agentOf(head).deleting || !letter) return false;
    const { agent, counts, puts, deletes } = replayed(parts, head, letterOf(letter));
    const outcome = await parts.store.commit({
      entity,
      seq: head.seq + 1,
      snapshot: { ...agent },
      active: true,
      due: parts.clock.now(),
      deleted: false,
      counts,
      previousCounts: head.counts,
      puts,
      deletes,
      commands: [],
    });
    if (outcome === 'committed') return true;
  }
  throw unavailable(`agent ${entity.id} is being changed by others all the time; try again`);
}

const agentOf = (head: Head): AgentSnapshot => head.snapshot as unknown as AgentSnapshot;

/** No run takes part in it, so none is loaded and their defaults are of no concern. */
function replayed({ clock, ids }: Parts, head: Head, letter: StoredDeadLetter): AgentDraft {
  const draft = new AgentDraft(
    {
      agent: agentOf(head),
      counts: head.counts,
      runs: emptyRuns,
      unread: [],
      moreMayWake: false,
      positions: emptyPositions,
    },
    { now: clock.now(), ids, defaults: { maxSteps: 1, maxRuntimeSeconds: 1, messageBudget: 0 } },
  );
  replayPush(draft, letter);
  return draft;
}
