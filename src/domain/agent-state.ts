/** An agent with its runs: one entity, one history. What is stored, and what is in memory while its actor is active. */
import type {
  Agent,
  Checkpoint,
  ConsultedMemory,
  MailboxMessage,
  Run,
  RunEvent,
  ToolCall,
  ToolOutcome,
} from './model.js';
import type { ThoughtType } from './vocabulary.js';
import type { Counts } from './change.js';
import type { ContextSnapshot } from './draft.js';
import type { Powers } from './powers.js';
import type { Part, PushConfig, TaskMessage } from './task.js';

export const bounds = {
  /** Pending runs of one agent; more are refused as AGENT_BUSY. */
  queue: 100,
  /** Unread messages held in memory and taken in by one step. */
  unreadInMemory: 64,
  unreadPerStep: 20,
  unreadBytes: 512 * 1024,
  /** Messages and shares not yet delivered; when full the tool call fails. */
  outbox: 1000,
  /** Pushes not yet delivered; past it they are given up at once. Of those given up, the first so many are kept. */
  pushes: 10_000,
  deadLetters: 1000,
  /** Push configs of one task. */
  pushConfigs: 20,
  /** What is kept of a task's messages beside the first: the last so many, and so many characters. */
  dialog: 50,
  dialogBytes: 256 * 1024,
  tokens: 100,
  /** What one step may say in thoughts and calls, and what a recall may tell it, bytes. */
  stepBytes: 2 * 1024 * 1024,
  recallBytes: 64 * 1024,
  /** So many processes may end in the middle of one step before its run is given up. */
  restartsPerStep: 10,
  maxHops: 16,
  maxWakes: 3,
} as const;

/** The head's snapshot: the agent as the API shows it, and what its actor must know before anything else. No list here grows without bound. */
export interface AgentSnapshot extends Omit<Agent, 'memory_count' | 'message_count'>, ContextSnapshot {
  deleting: boolean;
  /** The one run in progress, and those that wait for it, oldest first. */
  running: string | null;
  pending: string[];
  /** Unread messages. */
  unread: number;
  /** Undelivered outbox documents: messages and shares; and pushes. */
  outbox: number;
  pushes: number;
  /** Hives that hold memories of this agent, also those it has left. */
  sharedWith: string[];
}

export interface RunRecord extends Run {
  /** The seq of its next event. */
  nextSeq: number;
  /** Reasoning time used, ms; and at which step and time the current budgets began (a resume gives fresh ones). */
  runtimeMs: number;
  budgetFromStep: number;
  budgetFromMs: number;
  /** Calls of the step in progress that wait for approval, the gated one first; what was done before them; whether the first is approved. */
  held: ResolvedCall[];
  done: ToolOutcome[];
  approved: boolean;
  /** Output so far: what a run that ends without an answer shows. */
  partial: string | null;
  /** Id of the message that began it (direct or mailbox). */
  messageId: string | null;
  /** The highest hop count of the messages that it read; what it sends has one more. */
  hops: number;
  /** How many messages it may still cause (causal-budget.ts). */
  budget?: number;
  /** What it may make the agent do (powers.ts). Left out: whatever the agent may. */
  powers?: Powers;
  /** What recall gave its first step. */
  consulted: { id: string; type: string; relevance: number }[];
  /** How many processes have begun the present step again after another, and the last of them. Left out where none has. */
  restarts?: { count: number; process: string };
  /** The journal document that its next events go to; null when the next event opens a new one. */
  entryId: string | null;
  /** When the status became what it is, and the event that says so. */
  statusAt: string;
  statusSeq: number;
  /** The answer, where it is more than the text of `output`. */
  parts?: readonly Part[];
  /** What was said in it, oldest first: the message that began it, then questions and replies. Left out where there is no more than `input`. */
  messages?: readonly ConversationMessage[];
  /** The A2A context that the client named, which is also the run's session; left out where it is the agent's own. */
  contextId?: string;
  /** Where changes of its status are told (docs/api.md 2.10). */
  push?: readonly PushConfig[];
}

/** The parts of a first message that is one plain text are the run's input, and not kept twice. */
export type ConversationMessage = Omit<TaskMessage, 'parts'> & { parts?: readonly Part[] };

/** A document of a run's journal: one step, with the status changes around it. */
export interface JournalEntry {
  id: string;
  runId: string;
  agent_id: string;
  sessionId: string;
  step: number;
  firstSeq: number;
  events: RunEvent[];
  /** Set when the step is done. */
  checkpoint: Checkpoint | null;
  human: HumanInput | null;
  created_at: string;
}

export interface HumanInput {
  step: number;
  decision: 'reject' | null;
  input: string;
}

/** A mailbox message as stored. */
export interface StoredMessage extends MailboxMessage {
  /** How many messages whoever reads it may cause (causal-budget.ts). */
  budget?: number;
  /** What whoever reads it may do because of it (powers.ts). */
  powers?: Powers;
  /** A client that may manage the agents has named the agent that it is from. */
  verified?: true;
}

/** A run that is pending, running, or being resumed, with what its next step needs. */
export interface LiveRun {
  record: RunRecord;
  entry: JournalEntry | null;
  /** Whether documents for record and entry exist, be it only in a commit on its way. */
  recordIsNew: boolean;
  entryIsNew: boolean;
  /** How many bytes they count as stored (storage.ts); left out where they were just read. */
  recordBytes?: number;
  entryBytes?: number;
  transcript: readonly (readonly ToolOutcome[])[];
  humanInputs: readonly HumanInput[];
  /** What a human just said; goes into the next journal entry. */
  nextHuman: HumanInput | null;
  /**
   * Names the step begun last; only that one may report (Model.W3). 0 where none was begun in this incarnation.
   */
  attempt: number;
  /** Whether a step is in progress. */
  stepping: boolean;
}

export interface AgentState {
  agent: AgentSnapshot;
  counts: Counts;
  runs: ReadonlyMap<string, LiveRun>;
  /** The oldest unread messages, oldest first; all of them unless `agent.unread` says more. The last may be a later one (mailbox.ts). */
  unread: readonly StoredMessage[];
  /** Unread messages that are in the store alone may wake the agent. Where one in memory may, this is of no interest. */
  moreMayWake: boolean;
  /** Next position of the sessions written to lately. */
  positions: ReadonlyMap<string, number>;
}

/** Shared by all that have none, as idle agents are many. */
export const emptyRuns: ReadonlyMap<string, LiveRun> = new Map();
export const emptyPositions: ReadonlyMap<string, number> = new Map();

/** A tool call with what had to be looked up for it: decisions read nothing. */
export type ResolvedCall = ToolCall & {
  /** Why the service does not do it, whatever else it says. */
  refused?: string;
} & (
    | { tool: 'recall'; result: string }
    | { tool: 'answer' | 'ask_human' }
    | { tool: 'remember'; limited?: true }
    | { tool: 'send_message'; to: { id: string; name: string } | null; problem: string | null }
    | { tool: 'share_with_hive'; hive: string | null; problem: string | null; limited?: true }
  );

/** Whether the memory that this call makes needs a place in the workspace's monthly quota: it has one, while it is asked for. */
export const needsReservation = (call: ResolvedCall): boolean =>
  (call.tool === 'remember' || call.tool === 'share_with_hive') && call.limited === true;

/** Places in the workspace's monthly quota for the calls of one step that need one; `problem` is said of those that get none. */
export interface StepReservation {
  places: number;
  problem: string;
}

/** What a step brings back. */
export type StepReport =
  | {
      ok: true;
      thoughts: readonly { thoughtType: ThoughtType; content: string }[];
      calls: readonly ResolvedCall[];
      consulted: readonly ConsultedMemory[];
      reserved?: StepReservation;
    }
  | { ok: false; error: { code: string; message: string } };

export interface OutboxItem {
  id: string;
  kind: 'message' | 'share';
  to: string;
  content: string;
  /** For shares. */
  type: string | null;
  from: string;
  reply_to: string | null;
  hops: number;
  /** What the message carries (causal-budget.ts, powers.ts). */
  budget?: number;
  powers?: Powers;
  created_at: string;
}

export function showAgent(a: AgentSnapshot, counts: Counts): Agent {
  return {
    id: a.id,
    name: a.name,
    description: a.description,
    status: a.status,
    config: a.config,
    memory_count: counts['memories'] ?? 0,
    message_count: counts['handled'] ?? 0,
    hives: a.hives,
    metadata: a.metadata,
    wake_on_message: a.wake_on_message,
    memory_quota: a.memory_quota,
    maxRuntimeSeconds: a.maxRuntimeSeconds,
    created_at: a.created_at,
    updated_at: a.updated_at,
    last_active_at: a.last_active_at,
  };
}

export function showRun(r: RunRecord): Run {
  return {
    id: r.id,
    agent_id: r.agent_id,
    status: r.status,
    stopReason: r.stopReason,
    triggeredBy: r.triggeredBy,
    sessionId: r.sessionId,
    input: r.input,
    output: r.output,
    error: r.error,
    waitingFor: r.waitingFor,
    maxSteps: r.maxSteps,
    maxRuntimeSeconds: r.maxRuntimeSeconds,
    steps: r.steps,
    forkedFrom: r.forkedFrom,
    created_at: r.created_at,
    updated_at: r.updated_at,
    started_at: r.started_at,
    ended_at: r.ended_at,
  };
}

/** Whom a message is from that the service cannot vouch for: a client, whatever it says of itself. */
export const external = 'external';

/**
 * The agent that sent it, `external` for clients, null for the service itself. Only agents pass messages on, so hops tell
 * theirs apart; what clients said of themselves to earlier versions stands in `from` and is not believed.
 */
export const senderOf = (m: Pick<StoredMessage, 'from' | 'hops' | 'verified'>): string | null =>
  m.hops > 0 || m.verified ? m.from : external;

export const showMessage = (m: StoredMessage): MailboxMessage => ({
  id: m.id,
  agent_id: m.agent_id,
  from: senderOf(m),
  content: m.content,
  reply_to: m.reply_to,
  metadata: m.metadata,
  hops: m.hops,
  wakes: m.wakes,
  read_at: m.read_at,
  created_at: m.created_at,
});
