/** The service's operations on runs, their journals and events. A direct message is a run whose caller waits for it. */
import { questionOf, type RunRecord, showRun } from '../../src/domain/agent-state.js';
import {
  type Checkpoint,
  type ConsultedMemory,
  isSettled,
  isTerminal,
  type Run,
  type RunEvent,
  type RunUpdate,
  tellsText,
  type Thought,
  type Turn,
} from '../../src/domain/model.js';
import { runOfTurn, turnsOf, turnType } from '../../src/domain/conversation.js';
import type { Dismissal, RunTopic } from '../../src/bus/port.js';
import { followRun } from '../../src/bus/run-events.js';
import { withText } from '../../src/bus/run-updates.js';
import type { AgentConfig } from '../../src/domain/inputs.js';
import type { Caller, PageOf, PageRequest, Service } from '../../src/service.js';
import type { Listed, Position, StoredDoc } from '../../src/store/port.js';
import type { DirectAnswer } from '../entities/agent/run-answers.js';
import { allSync } from '../../src/maybe-promise.js';
import { afterRun, beforeRun, entryOf, eventsAfter, journalOf, recordOf } from '../entities/agent/run-reads.js';
import { rethrowStoreFailure } from './store-failures.js';
import {
  agentRef,
  ask,
  createdRange,
  fitting,
  headOf,
  listFor,
  pageBytes,
  withCommandKey,
  withPowers,
  pageOf,
  type ServiceContext,
} from './context.js';
import { jsonBytes } from '../../src/domain/bounded.js';
import { unpackRun } from '../../src/domain/stored-run.js';

type Part = Pick<
  Service,
  | 'messageAgent'
  | 'startRun'
  | 'listRuns'
  | 'listAllRuns'
  | 'getRun'
  | 'resumeRun'
  | 'forkRun'
  | 'cancelRun'
  | 'deleteRun'
  | 'runEvents'
  | 'runUpdates'
  | 'dismissQuestion'
  | 'dismissals'
  | 'listThoughts'
  | 'listCheckpoints'
>;

/** The number of events that may wait for a reader of a run's stream before it falls back to reading the store. */
const buffer = 256;

export function runService(c: ServiceContext): Part {
  return {
    async messageAgent(caller, id, { content, sessionId }) {
      const until = waitUntil(c);
      const answer = (await ask(c, caller, id, {
        type: 'run',
        input: content,
        sessionId,
        triggeredBy: 'api',
        direct: true,
        wait: { ms: atOwnerMs(c) },
        ...withPowers(caller),
        ...withCommandKey(caller),
      })) as DirectAnswer;
      const run = isSettled(answer.run) ? answer.run : await awaitOutcome(c, caller, id, answer.run, until);
      return {
        message_id: run.messageId ?? '',
        run_id: run.id,
        status: run.status,
        response: run.output,
        error: run.error,
        waitingFor: questionOf(run),
        memories_consulted: answer.consulted?.map(shownConsulted) ?? (await consultedNow(c, caller, run)),
        sessionId: run.sessionId,
      };
    },
    async startRun(
      caller,
      agent,
      { input, sessionId, maxSteps, maxRuntimeSeconds, on_busy: onBusy },
      triggeredBy = 'api',
    ) {
      return showRun(
        (await ask(c, caller, agent, {
          type: 'run',
          input,
          sessionId,
          maxSteps,
          maxRuntimeSeconds,
          onBusy,
          triggeredBy,
          direct: false,
          ...withPowers(caller),
          ...withCommandKey(caller),
        })) as RunRecord,
      );
    },
    async listRuns(caller, agent, page) {
      const head = await headOf(c, agentRef(caller, agent));
      return pageOf(
        c,
        {
          workspace: caller.workspace,
          entity: agentRef(caller, agent),
          collection: 'run',
          list: listFor(page, 'updated'),
        },
        page,
        head.counts['runs'] ?? 0,
        (item) => showRun(unpackRun(item)),
      );
    },
    listAllRuns: (caller, filter, page) => allRuns(c, caller, filter, page),
    getRun: async (caller, agent, id) => showRun(await runById(c, caller, agent, id)),
    resumeRun: async (caller, agent, runId, input) =>
      showRun(
        (await ask(c, caller, agent, {
          type: 'resume',
          runId,
          input,
          mayDecide: caller.scopes.has('agent:manage'),
          ...withPowers(caller),
          ...withCommandKey(caller),
        })) as RunRecord,
      ),
    forkRun: async (caller, agent, runId, input) =>
      showRun(
        (await ask(c, caller, agent, {
          type: 'fork',
          runId,
          input,
          ...withCommandKey(caller),
        })) as RunRecord,
      ),
    cancelRun: async (caller, agent, runId): Promise<Run> =>
      showRun((await ask(c, caller, agent, { type: 'cancel', runId, ...withCommandKey(caller) })) as RunRecord),
    async deleteRun(caller, agent, runId) {
      await runById(c, caller, agent, runId);
      while (!(await ask(c, caller, agent, { type: 'deleteRun', runId })));
    },
    async runEvents(caller, agent, id, lastSeq, signal) {
      await runById(c, caller, agent, id);
      return runEvents(c, caller, agent, id, lastSeq, signal);
    },
    async runUpdates(caller, agent, id, lastSeq) {
      const run = await runById(c, caller, agent, id);
      return withTextOf(c, caller, agent, run, runEvents(c, caller, agent, id, lastSeq));
    },
    async dismissQuestion(caller, agent, id, dismissal) {
      await runById(c, caller, agent, id);
      c.deps.bus.publishDismissal({ workspace: caller.workspace, agent, run: id }, dismissal);
    },
    async dismissals(caller, agent, id, tell) {
      await runById(c, caller, agent, id);
      return dismissals(c, { workspace: caller.workspace, agent, run: id }, tell);
    },
    listThoughts: (caller, agent, filter, page) => thoughts(c, caller, agent, filter, page),
    listCheckpoints: (caller, agent, filter, page) => checkpoints(c, caller, agent, filter, page),
  };
}

async function allRuns(
  c: ServiceContext,
  caller: Caller,
  { agent_id: agent, status, ...created }: Parameters<Service['listAllRuns']>[1],
  page: PageRequest,
): Promise<PageOf<Run>> {
  if (agent !== undefined) await headOf(c, agentRef(caller, agent));
  const within =
    agent !== undefined
      ? {
          list: 'created' as const,
          entity: agentRef(caller, agent),
          ...(status !== undefined && { where: { status } }),
        }
      : status !== undefined
        ? { list: 'status' as const, by: status }
        : { list: 'created' as const };
  return pageOf(
    c,
    { workspace: caller.workspace, collection: 'run', ...within, ...createdRange('run', created) },
    page,
    null,
    (item) => showRun(unpackRun(item)),
  );
}

export async function runById(c: ServiceContext, caller: Caller, agent: string, id: string): Promise<RunRecord> {
  await headOf(c, agentRef(caller, agent));
  return recordOf(c.deps.store, agentRef(caller, agent), id);
}

export function runEvents(
  { deps: { store, bus, clock }, heartbeatMs }: ServiceContext,
  caller: Caller,
  agent: string,
  run: string,
  lastSeq: number,
  signal?: AbortSignal,
): AsyncIterableIterator<RunEvent, undefined> {
  return followRun({
    bus,
    topic: { workspace: caller.workspace, agent, run },
    read: (seq) => eventsAfter(store, agentRef(caller, agent), run, seq).catch(rethrowStoreFailure),
    lastSeq,
    signal,
    clock,
    pollMs: heartbeatMs,
    buffer,
  });
}

/** How long a subscription may take. A bus that is down tells nothing, and its listeners do without. */
const subscribingMs = 1000;

function dismissals(
  { deps: { bus, clock } }: ServiceContext,
  topic: RunTopic,
  tell: (dismissal: Dismissal) => void,
): Promise<() => void> {
  return new Promise((resolve) => {
    const leave = bus.subscribeDismissals(topic, (told) => {
      if (told.length === 0) listening();
      told.forEach(tell);
    });
    const cancel = clock.after(subscribingMs, () => {
      resolve(leave);
    });
    const listening = (): void => {
      cancel();
      resolve(leave);
    };
    if (bus.confirms === undefined) listening();
  });
}

/** Adds the text that the run's model is writing, if it has one that may still write. */
export async function withTextOf(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  { id: run, status }: RunRecord,
  events: AsyncIterable<RunEvent>,
): Promise<AsyncIterable<RunUpdate>> {
  if (isTerminal(status)) return events;
  const { bus, clock } = c.deps;
  const { snapshot } = await headOf(c, agentRef(caller, agent));
  if (!tellsText(snapshot['config'] as AgentConfig)) return events;
  return withText({
    events,
    subscribe: (tell) => bus.subscribeText({ workspace: caller.workspace, agent, run }, tell),
    now: () => clock.now(),
  });
}

/**
 * The owner of an agent answers when the run has settled, if that is soon; most runs do, and need not be followed. The
 * time is shorter than that after which an unanswered request is sent again (actors/cluster/router.ts).
 */
const soonMs = 1500;
export const atOwnerMs = ({ messageWaitMs }: ServiceContext): number => Math.min(messageWaitMs, soonMs);

/** When the wait for a run that is asked for now is over, by the clock's `elapsed`. */
export const waitUntil = ({ deps: { clock }, messageWaitMs }: ServiceContext): number =>
  clock.elapsed() + messageWaitMs;

/** Resolves to the run once it has settled, or to its current state when the wait is over, at `until`. */
export async function awaitOutcome(
  c: ServiceContext,
  caller: Caller,
  agent: string,
  run: RunRecord,
  until: number,
): Promise<RunRecord> {
  const enough = new AbortController();
  const cancel = c.deps.clock.after(Math.max(0, until - c.deps.clock.elapsed()), () => {
    enough.abort();
  });
  try {
    for await (const event of runEvents(c, caller, agent, run.id, run.nextSeq - 1, enough.signal))
      if (event.type === 'status' && isSettled(event)) break;
  } finally {
    cancel();
    enough.abort();
  }
  return recordOf(c.deps.store, agentRef(caller, agent), run.id); // knows of the event (RunEvents.S4)
}

/** Resolves to the current versions of the memories that the run used, without deleted ones. */
async function consultedNow(
  { deps: { store } }: ServiceContext,
  caller: Caller,
  run: RunRecord,
): Promise<ConsultedMemory[]> {
  const agent = agentRef(caller, run.agent_id);
  const found = await allSync(
    run.consulted.map(({ id, type }) =>
      type === 'message'
        ? store.get(agent, 'message', id)
        : type === turnType
          ? store.get(agent, 'run', runOfTurn(id))
          : store.find(caller.workspace, 'memory', id),
    ),
  );
  return run.consulted.flatMap((m, i) => {
    const doc = found[i];
    const content = doc?.kind === 'run' ? turnIn(doc, m.id)?.content : doc?.body['content'];
    return typeof content === 'string' ? [{ ...m, content }] : [];
  });
}

const turnIn = (run: StoredDoc, id: string): Turn | undefined => turnsOf(unpackRun(run)).find((turn) => turn.id === id);

const shownConsulted = ({ id, type, content, relevance }: ConsultedMemory): ConsultedMemory => ({
  id,
  type,
  content,
  relevance,
});

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
  const out: { thought: Thought; at: Position }[] = [];
  const wanted = page.limit + 1;
  const where =
    filter.sessionId === undefined ? { list: 'created' as const } : { list: 'session' as const, by: filter.sessionId };
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
    const found: { items: Listed[]; next: Position | null } = entry
      ? { items: [entry], next: after ?? null }
      : await c.deps.store.list({
          workspace: caller.workspace,
          entity,
          collection: 'journal',
          ...where,
          order: page.order,
          limit: Math.min(100, wanted),
          maxBytes: pageBytes,
          ...(after && { after }),
        });
    seen += found.items.length;
    for (const item of found.items) {
      const all = thoughtsOf(item, filter.thoughtType);
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
    filter.sessionId === undefined && filter.thoughtType === undefined
      ? (head.counts['thoughts'] ?? 0)
      : await countInJournal(c, entity, filter.sessionId, (item) => thoughtsOf(item, filter.thoughtType).length);
  return {
    items: items.map((o) => o.thought),
    next: rest ? (items.at(-1)?.at ?? null) : stopped,
    total,
  };
}

async function entryAt(
  { deps: { store } }: ServiceContext,
  entity: ReturnType<typeof agentRef>,
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
async function countInJournal(
  { deps: { store } }: ServiceContext,
  entity: ReturnType<typeof agentRef>,
  sessionId: string | undefined,
  count: (item: Listed) => number,
): Promise<number> {
  const where = sessionId === undefined ? { list: 'created' as const } : { list: 'session' as const, by: sessionId };
  let sum = 0;
  let after: Position | undefined;
  for (let seen = 0; seen < countEntries;) {
    const page: { items: Listed[]; next: Position | null } = await store.list({
      workspace: entity.workspace,
      entity,
      collection: 'journal',
      ...where,
      order: 'desc',
      limit: 100,
      maxBytes: pageBytes,
      ...(after && { after }),
    });
    for (const item of page.items) sum += count(item);
    seen += page.items.length;
    if (!page.next) break;
    after = page.next;
  }
  return sum;
}

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
  const run = filter.runId === undefined ? null : await recordOf(store, entity, filter.runId);
  if (run && filter.sessionId !== undefined && filter.sessionId !== run.sessionId)
    return { items: [], next: null, total: 0 };
  const where = run
    ? journalOf(entity, run)
    : filter.sessionId !== undefined
      ? journalOf(entity, { sessionId: filter.sessionId })
      : { workspace: caller.workspace, entity, collection: 'journal' as const, list: 'created' as const };
  const out: { checkpoint: Checkpoint; at: Position }[] = [];
  let bytes = 0;
  let more = true;
  for (
    let after = page.after ?? (run ? (page.order === 'asc' ? beforeRun : afterRun)(run.id) : undefined);
    more && out.length <= page.limit && bytes <= pageBytes;
  ) {
    const found: { items: Listed[]; next: Position | null } = await store.list({
      ...where,
      order: page.order,
      limit: page.limit + 1,
      maxBytes: pageBytes,
      ...(after && { after }),
    });
    for (const item of found.items) {
      if (run && item.body['runId'] !== run.id) {
        found.next = null;
        break;
      }
      const { checkpoint } = entryOf(item);
      if (!checkpoint) continue;
      bytes += jsonBytes(checkpoint);
      out.push({ checkpoint, at: item.position });
    }
    more = found.next !== null;
    after = found.next ?? undefined;
  }
  const items = fitting(out.slice(0, page.limit), ({ checkpoint }) => jsonBytes(checkpoint));
  const total = run
    ? run.steps - (run.forkedFrom?.step ?? 0)
    : filter.sessionId === undefined
      ? (head.counts['checkpoints'] ?? 0)
      : await countInJournal(c, entity, filter.sessionId, (item) => (entryOf(item).checkpoint ? 1 : 0));
  return {
    items: items.map((o) => o.checkpoint),
    next: out.length > items.length || more ? (items.at(-1)?.at ?? null) : null,
    total,
  };
}
