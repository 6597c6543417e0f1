/**
 * A decision of an agent while it is being made: a copy of the state it changes, and what is to be written and done.
 * The functions of run.ts, mailbox.ts and agent.ts modify it, and `finish` turns it into the decision. Nothing outside
 * sees the draft, so deciding stays pure: the input state is never changed.
 */
import type { AgentSnapshot } from '../shared/snapshots.js';
import {
  type ChangedBlocks,
  emptyRuns,
  type AgentState,
  type JournalEntry,
  type LiveRun,
  type StepReservation,
  type RunRecord,
  type StoredMessage,
  staysInMemory,
  type SessionTurns,
  type SubjectUses,
} from './agent-state.js';
import type { Env } from '../shared/draft.js';
import { packEntry } from '../run/stored-run.js';
import type { EntityTime } from '../shared/clock.js';
import { type Decision, Draft } from '../shared/draft.js';
import type { RunEvent } from '../model/model.js';
import { firstEntryId, isIdOf } from '../shared/ids.js';
import { sizeOf } from '../workspace/usage.js';
import { packRun, runSize } from '../run/stored-run.js';

export interface AgentDecision extends Decision<AgentState> {
  /** The runs that this decision changed, including those that it ended. */
  changedRuns: readonly RunRecord[];
}

/** An event without its number and time. The conditional type distributes over the union. */
type Unnumbered<E> = E extends unknown ? Omit<E, 'seq' | 'at'> : never;

type StatusEvent = Extract<RunEvent, { type: 'status' }>;
function withMore(event: StatusEvent, { decision, waitsFor }: Pick<StatusEvent, 'decision' | 'waitsFor'>): StatusEvent {
  if (decision) event.decision = decision;
  if (waitsFor) event.waitsFor = waitsFor;
  return event;
}

/** Every case is spelled out because spreading one object into another is slow and this runs for every event. */
function number(event: Unnumbered<RunEvent>, seq: number, at: string): RunEvent {
  switch (event.type) {
    case 'status':
      return withMore(
        { seq, at, type: 'status', status: event.status, stopReason: event.stopReason, message: event.message },
        event,
      );
    case 'thought':
      return { seq, at, type: 'thought', thought: event.thought };
    case 'answer':
      return event.parts
        ? { seq, at, type: 'answer', content: event.content, parts: event.parts }
        : { seq, at, type: 'answer', content: event.content };
    default:
      return event satisfies never;
  }
}

/** It names every field, because V8 takes 1 us to copy an object of so many fields otherwise (docs/benchmarks.md). */
export function copyOf(agent: AgentSnapshot, { lastMs, idMs }: EntityTime): AgentSnapshot {
  const copy: AgentSnapshot = {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    status: agent.status,
    config: agent.config,
    hives: agent.hives,
    metadata: agent.metadata,
    wake_on_message: agent.wake_on_message,
    memory_quota: agent.memory_quota,
    maxRuntimeSeconds: agent.maxRuntimeSeconds,
    created_at: agent.created_at,
    updated_at: agent.updated_at,
    last_active_at: agent.last_active_at,
    lastMs,
    nextExpiry: agent.nextExpiry,
    deleting: agent.deleting,
    running: agent.running,
    pending: agent.pending,
    unread: agent.unread,
    outbox: agent.outbox,
    pushes: agent.pushes,
    sharedWith: agent.sharedWith,
  };
  if (idMs !== undefined) copy.idMs = idMs;
  if (agent.mailDeletedAt !== undefined) copy.mailDeletedAt = agent.mailDeletedAt;
  if (agent.ending !== undefined) copy.ending = agent.ending;
  if (agent.endsPaused !== undefined) copy.endsPaused = agent.endsPaused;
  if (agent.toLearn !== undefined) copy.toLearn = agent.toLearn;
  if (agent.usageDay !== undefined) copy.usageDay = agent.usageDay;
  if (agent.learnLater !== undefined) copy.learnLater = agent.learnLater;
  if (agent.journals !== undefined) copy.journals = agent.journals;
  if (agent.schedules !== undefined) copy.schedules = agent.schedules;
  if (agent.scheduleNames !== undefined) copy.scheduleNames = agent.scheduleNames;
  if (agent.blocks !== undefined) copy.blocks = agent.blocks;
  if (agent.children !== undefined) copy.children = agent.children;
  if (agent.spawned !== undefined) copy.spawned = agent.spawned;
  if (agent.webhookEvents !== undefined) copy.webhookEvents = agent.webhookEvents;
  return copy;
}

export class AgentDraft extends Draft {
  agent: AgentSnapshot;
  unread: readonly StoredMessage[];
  moreMayWake: boolean;
  mailDue: boolean;
  sessions: SessionTurns;
  blocks: ChangedBlocks | undefined;
  subjectUse: SubjectUses | undefined;
  /** The quota reservations of the step that is being applied. */
  reserved: StepReservation = { room: 0, problem: 'there is no place for it' };
  /** The causal budget that each message sent by the present step carries (causal-budget.ts). */
  childBudget = 0;
  /** This is the state's own map until a run changes, because most decisions change none. */
  private runs: ReadonlyMap<string, LiveRun>;
  private edited: Map<string, { live: LiveRun; events: RunEvent[] }> | null = null;

  constructor(state: AgentState, env: Env) {
    super(state.agent, state.counts, state.positions, env, { agent_id: state.agent.id });
    this.agent = copyOf(state.agent, this.clock);
    this.unread = state.unread;
    this.moreMayWake = state.moreMayWake;
    this.mailDue = state.mailDue;
    this.sessions = state.sessions;
    this.blocks = state.blocks;
    this.subjectUse = state.subjectUse;
    this.runs = state.runs;
  }

  override get memoryQuota(): number | null {
    return this.agent.memory_quota;
  }

  override get ownerId(): string {
    return this.agent.id;
  }

  override get ownerName(): string {
    return this.agent.name;
  }

  override noteUse(): void {
    this.agent.last_active_at = this.time;
  }

  /** The runs in memory that have not ended, including the changes of this decision. */
  liveRuns(): readonly LiveRun[] {
    return [...this.runs.values()];
  }

  hasRun(id: string): boolean {
    return this.runs.has(id);
  }

  /**
   * Whether this attempt at a step is the one in progress. The check edits nothing, so an ignored report writes
   * nothing.
   */
  isStepping(id: string, attempt: number): boolean {
    const run = this.runs.get(id);
    return run?.stepping === true && run.attempt === attempt && run.record.status === 'running';
  }

  /** Whether this activation has begun a step of the run that is not yet finished. */
  hasStep(id: string): boolean {
    return this.runs.get(id)?.stepping === true;
  }

  addRun(live: LiveRun): LiveRun {
    live.recordBytes ??= live.recordIsNew ? 0 : runSize(live.record);
    live.entryBytes ??= live.entry && !live.entryIsNew ? sizeOf(live.entry) : 0;
    this.runs = new Map(this.runs).set(live.record.id, live);
    this.edited ??= new Map();
    this.edited.set(live.record.id, { live, events: [] });
    return live;
  }

  /**
   * Returns a copy of the run that this decision may change. `finish` writes its documents. Throws if the run is not
   * live.
   */
  editRun(id: string): LiveRun {
    const before = this.edited?.get(id);
    if (before) return before.live;
    const run = this.runs.get(id);
    if (!run) throw new Error(`run ${id} is not live`);
    const live: LiveRun = {
      ...run,
      record: { ...run.record },
      entry: run.entry && { ...run.entry, events: [...run.entry.events] },
    };
    return this.addRun(live);
  }

  /** Removes a run from memory. */
  dropRun(id: string): void {
    const left = new Map(this.runs);
    left.delete(id);
    this.runs = left.size === 0 ? emptyRuns : left;
  }

  /** Adds the run's next event to its journal, opening a new entry if none is open. */
  event(live: LiveRun, event: Unnumbered<RunEvent>): void {
    const { record } = live;
    const entry = this.openEntry(live);
    const numbered = number(event, record.nextSeq++, this.time);
    entry.events.push(numbered);
    this.edited?.get(record.id)?.events.push(numbered);
    if (event.type === 'thought') this.count({ thoughts: 1 });
  }

  /** The first event that this decision has added to a run that it changed. Throws if there is none. */
  firstEvent(id: string): RunEvent {
    const first = this.edited?.get(id)?.events[0];
    if (!first) throw new Error(`nothing has happened in run ${id}`);
    return first;
  }

  /**
   * Returns the open journal entry, or opens a new one. A step without events of its own still gets an entry, which
   * holds its checkpoint.
   */
  openEntry(live: LiveRun): JournalEntry {
    if (live.entry) return live.entry;
    const { record } = live;
    const isFirst = record.nextSeq === 1 && record.steps === 0 && isIdOf('run', record.id);
    const id = isFirst ? firstEntryId(record.id) : this.env.ids('checkpoint', this.at);
    live.entry = {
      id,
      runId: record.id,
      agent_id: record.agent_id,
      sessionId: record.sessionId,
      step: record.steps + 1,
      firstSeq: record.nextSeq,
      events: [],
      checkpoint: null,
      human: live.nextHuman,
      created_at: this.time,
    };
    live.entryIsNew = true;
    live.entryBytes = 0;
    live.nextHuman = null;
    record.entryId = id;
    return live.entry;
  }

  /** Closes the open journal entry: it is written now, and the next event opens another. */
  closeEntry(live: LiveRun): void {
    this.writeEntry(live);
    live.entryBytes = 0;
    live.entry = null;
    live.record.entryId = null;
  }

  private writeEntry(live: LiveRun): void {
    if (!live.entry) return;
    const bytes = sizeOf(live.entry);
    this.grown += bytes - (live.entryBytes ?? 0);
    live.entryBytes = bytes;
    const body = packEntry(live.entry);
    this.write({ kind: 'journal', id: live.entry.id, body, isNew: live.entryIsNew, size: bytes });
  }

  /** Changes a run that is not in memory. */
  putRun(run: RunRecord, before: RunRecord): void {
    this.writeRun(run, runSize(before), false);
  }

  /** Returns the bytes that the run takes. */
  private writeRun(run: RunRecord, bytesBefore: number, isNew: boolean): number {
    const body = packRun(run);
    const size = sizeOf(body);
    this.grown += size - bytesBefore;
    this.write({ kind: 'run', id: run.id, body, isNew, size });
    return size;
  }

  finish(result: unknown): AgentDecision {
    const changedRuns: RunRecord[] = [];
    for (const { live, events } of this.edited?.values() ?? []) {
      live.record.updated_at = this.time;
      live.recordBytes = this.writeRun(live.record, live.recordBytes ?? 0, live.recordIsNew);
      this.writeEntry(live);
      live.recordIsNew = live.entryIsNew = false;
      if (events.length > 0) this.effects.push({ type: 'publish', runId: live.record.id, events });
      changedRuns.push(live.record);
      if (this.runs.has(live.record.id) && !staysInMemory(live)) this.dropRun(live.record.id);
    }
    this.agent.nextExpiry = this.nextExpiry;
    if (this.webhookEvents !== 0 || this.agent.webhookEvents !== undefined)
      this.agent.webhookEvents = this.webhookEvents;
    const state: AgentState = {
      agent: this.agent,
      counts: this.finalCounts(),
      runs: this.runs,
      unread: this.unread,
      moreMayWake: this.moreMayWake,
      mailDue: this.mailDue,
      positions: this.positions,
      sessions: this.sessions,
    };
    if (this.blocks) state.blocks = this.blocks;
    if (this.subjectUse) state.subjectUse = this.subjectUse;
    return { state, puts: this.puts, deletes: this.deletes, effects: this.effects, result, changedRuns };
  }
}
