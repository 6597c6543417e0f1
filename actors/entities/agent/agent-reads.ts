import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import {
  type AgentState,
  type LiveRun,
  type RunRecord,
  type SessionState,
  type StoredMessage,
  bounds,
} from '../../../src/domain/agent/agent-state.js';
import type { GivenFile, GivenFiles } from '../../../src/domain/run/conversation.js';
import { type BusyRun, activeIn, isGoingOn } from '../../../src/domain/run/steering.js';
import type { Part } from '../../../src/domain/task/task.js';
import type { PeerFile } from '../../../src/peers/port.js';
import { takenOut } from '../../../src/commands/given-files.js';
import { unpackRun } from '../../../src/domain/run/stored-run.js';
import type { OnBusy } from '../../../src/domain/shared/vocabulary.js';
import type { PresentMemories } from '../present-memories.js';
import { Reads } from '../memory-operations.js';
import { loadRun } from '../../../src/commands/run-reads.js';
import { sessionTurns } from '../../../src/commands/session-reads.js';
import { mayWake } from '../../../src/domain/mailbox/mailbox.js';
import { type HivekeepError } from '../../../src/domain/shared/errors.js';
import type { EntityRef, Store } from '../../../src/store/port.js';
import { pagesOf } from '../../../src/store/list-query.js';
import type { StoredSchedule } from '../../../src/domain/shared/documents.js';
import { type DueSchedule, missedAfterMs, nextScheduled } from '../../../src/domain/agent/schedules.js';
import { sizeOf, storageError } from '../../../src/domain/workspace/usage.js';
import { timeAfter } from '../../../src/schedules/times.js';
import { isPaused } from '../../../src/commands/schedules.js';

/** Whether what is said goes into what is going on. */
export const goesIn = (onBusy: OnBusy | undefined): boolean => onBusy === 'interrupt' || onBusy === 'steer';

/** What requests of an agent read before they are decided on. */
export class AgentReads extends Reads<AgentState> {
  /** `writtenBy`: what the model has written of the step in progress of a run, as far as it is told. */
  constructor(
    shell: ConstructorParameters<typeof Reads<AgentState>>[0],
    present: PresentMemories,
    private readonly writtenBy: (run: string) => string,
  ) {
    super(shell, present);
  }

  async run(id: string): Promise<LiveRun> {
    return this.state.runs.get(id) ?? loadRun(this.deps.store, this.entity, id);
  }

  /** Null for a run that was deleted. */
  async runIfKept(id: string): Promise<LiveRun | null> {
    const { deps, entity, state } = this;
    const known = state.runs.get(id);
    if (known) return known;
    return (await deps.store.get(entity, 'run', id)) ? loadRun(deps.store, entity, id) : null;
  }

  /** The session as a new run of it needs to know it; null if there is none yet. */
  async session(named: string): Promise<SessionState | null> {
    const { deps, entity, state } = this;
    const known = state.sessions.get(named);
    return known ?? sessionTurns(deps.store, entity, { sessionId: named }, state.agent.config);
  }

  /** Adds which of the files the agent has already. */
  withFiles<C extends AgentCommand<'run' | 'task' | 'resume'>>(
    given: readonly GivenFile[] | undefined,
    command: C | Promise<C>,
  ): C | Promise<C> {
    if (!given || given.length === 0) return command;
    const { deps, entity } = this;
    const ids = given.map(({ sha256 }) => sha256);
    return this.settled(async () => {
      const docs = await deps.store.getMany(entity, 'file', ids);
      return { ...(await command), files: { given, held: ids.filter((_, i) => docs[i]) } };
    });
  }

  /** Files that come with an answer, and which of them the agent has already. */
  async filesOf(files: readonly PeerFile[]): Promise<GivenFiles> {
    const parts = files.map((file): Part => ({ kind: 'file', ...file }));
    const { given } = await takenOut(parts, bounds.filesBytes, (i) => `file ${i + 1}`);
    const ids = given.map(({ sha256 }) => sha256);
    const docs = await this.deps.store.getMany(this.entity, 'file', ids);
    return { given, held: ids.filter((_, i) => docs[i]) };
  }

  /**
   * Adds what was said last in the session that a new run names, unless that is known, and the run of the session that
   * `answered` chooses, which may go on instead.
   */
  inSession<C extends AgentCommand<'run' | 'task'>>(
    named: string | undefined,
    command: C,
    answered?: (session: SessionState) => string | undefined,
  ): C | Promise<C> {
    const { deps, entity, state } = this;
    if (named === undefined || named === entity.id) return command;
    const known = state.sessions.get(named);
    const goes = goesIn(command.onBusy);
    if (known && answered?.(known) === undefined && !goes) return command;
    return this.settled(async () => {
      const session = known ?? (await sessionTurns(deps.store, entity, { sessionId: named }, state.agent.config));
      const id = session && answered?.(session);
      const busy = goes ? await this.busyIn(named, session) : undefined;
      return { ...command, session, waiting: id ? await this.run(id) : undefined, busy };
    });
  }

  /** What is going on in the session: a run that is running, waits for its turn, or waits for other agents. */
  private async busyIn(named: string, session: SessionState | null): Promise<BusyRun | undefined> {
    const active = activeIn(this.state.agent, named);
    if (active) return { run: await this.run(active.id), written: this.writtenBy(active.id) };
    const run = session && (await this.runIfKept(session.newest));
    return run && isGoingOn(run.record) ? { run, written: '' } : undefined;
  }

  /** Null for a run that was deleted. */
  async record(id: string): Promise<RunRecord | null> {
    const doc = await this.deps.store.get(this.entity, 'run', id);
    return doc && unpackRun(doc);
  }
}

/* Reads the mailbox, and what could not be delivered, from the store. */

/** The unread messages that an agent's actor keeps in memory (AgentState.unread, AgentState.moreMayWake). */
export interface UnreadMessages {
  messages: StoredMessage[];
  moreMayWake: boolean;
}

/**
 * Reads the oldest unread messages, oldest first. If none of them may wake the agent, the oldest one that may wake it
 * follows. The messages that woke the runs in progress are added as well.
 */
export async function unreadMessages(
  store: Store,
  agent: EntityRef,
  { limit, wokeRuns }: { limit: number; wokeRuns: readonly string[] },
): Promise<UnreadMessages> {
  const messages: StoredMessage[] = [];
  let moreMayWake = false;
  for await (const page of unreadPages(store, agent, limit)) {
    const waking = page.items.filter(mayWake);
    moreMayWake = page.more || (messages.length > 0 && waking.length > 1);
    if (messages.length === 0) messages.push(...page.items);
    else messages.push(...waking.slice(0, 1));
    if (messages.some(mayWake)) break;
  }
  const missing = wokeRuns.filter((id) => !messages.some((m) => m.id === id));
  for (const doc of await store.getMany(agent, 'message', missing)) {
    const message = doc?.body;
    if (message?.read_at === null) messages.push(message);
  }
  return { messages, moreMayWake };
}

/**
 * Yields pages of unread messages, oldest first. The inbox list is ordered by [0 unread | 1 read, -time], so the unread
 * messages are those before 0.5, in reverse order.
 */
async function* unreadPages(
  store: Store,
  agent: EntityRef,
  limit: number,
): AsyncIterable<{ items: StoredMessage[]; more: boolean }> {
  for await (const { items, next } of pagesOf(store, {
    workspace: agent.workspace,
    entity: agent,
    collection: 'message',
    list: 'inbox',
    order: 'desc',
    limit,
    after: [0.5, 0, ''],
  }))
    yield { items: items.map((i) => i.body), more: next !== null };
}

/* Reads for schedules, which belong to their agent: those whose time has come, and when they come next. */

/** The most runs that one decision starts, and the most bytes of their inputs; the rest stay due and follow. */
const atOnce = 16;
const bytesAtOnce = 1024 * 1024;

/** The schedules that are due, and the reason if none of them may start a run; null if none is due. */
export async function dueSchedules(
  e: AgentReads,
): Promise<{ due: readonly DueSchedule[]; refusal: HivekeepError | null } | null> {
  const { deps, entity, state } = e;
  const now = deps.clock.now();
  if ((nextScheduled(state.agent) ?? Infinity) > now) return null;
  const first = Object.entries(state.agent.schedules ?? {})
    .filter((entry): entry is [string, number] => entry[1] !== null && entry[1] <= now)
    .sort((a, b) => a[1] - b[1])
    .slice(0, atOnce);
  const docs = await deps.store.getMany(
    entity,
    'schedule',
    first.map(([id]) => id),
  );
  const due: DueSchedule[] = [];
  let bytes = 0;
  for (const [i, [, time]] of first.entries()) {
    const schedule = docs[i]?.body;
    if (!schedule) continue;
    bytes += sizeOf(schedule);
    if (due.length > 0 && bytes > bytesAtOnce) break;
    due.push({ schedule, ...timesOf(schedule, time, now), ...(await runOf(e, schedule)) });
  }
  const full = await deps.bounds.storageExceeded(entity.workspace);
  return { due, refusal: full && storageError(full) };
}

/** Schedules.E2. Of times that were missed, the first stands for all. */
function timesOf(schedule: StoredSchedule, first: number, now: number): Pick<DueSchedule, 'due' | 'next'> {
  const next = timeAfter(schedule, Math.max(first, now));
  if (schedule.catch_up === 'one' || first >= now - missedAfterMs) return { due: first, next };
  const late = timeAfter(schedule, now - missedAfterMs);
  return { due: late !== null && late <= now ? late : null, next };
}

/** What the decision to begin a run of it has to know. */
async function runOf(e: AgentReads, schedule: StoredSchedule): Promise<Pick<DueSchedule, 'session' | 'waits'>> {
  const { deps, entity, state } = e;
  const { sessionId } = schedule;
  const waits = await isPaused(deps.store, entity, schedule);
  if (sessionId === null || state.sessions.has(sessionId)) return { waits };
  return { waits, session: await sessionTurns(deps.store, entity, { sessionId }, state.agent.config) };
}
