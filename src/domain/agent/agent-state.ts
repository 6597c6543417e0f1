/**
 * An agent with its runs, which form one entity with one history: what is stored, and what is kept in memory while its
 * actor is active.
 */
import type { AgentSnapshot } from '../shared/snapshots.js';
import { withoutSecrets } from './agent-tools.js';
import type {
  Agent,
  ConsultedMemory,
  MailboxMessage,
  ModelUsage,
  Question,
  ToolOutcome,
  Turn,
} from '../model/model.js';
import type { ThoughtType, ToolName } from '../shared/vocabulary.js';
import type { Counts } from '../shared/draft.js';
import type { Surroundings } from '../memory/memories.js';
import type { StoredBlock } from '../shared/documents.js';
import type { StoredSubjectUse } from '../shared/snapshots.js';
import type { StoredMemory } from '../memory/stored-memory.js';
import type { HeldCall, HumanInput, JournalEntry, RunRecord, StoredMessage } from '../run/records.js';
import { invalid } from '../shared/errors.js';
import { type AgentConfig, asksModel, schemaNeedsModel } from './agent-config.js';
import type { RunOverrides } from '../shared/inputs.js';

export type {
  ConversationMessage,
  HumanInput,
  JournalEntry,
  RecalledTurns,
  RetoldTurn,
  RunFile,
  RunRecord,
  StoredMessage,
} from '../run/records.js';

export const bounds = {
  /** Pending runs of one agent; further ones are refused with AGENT_BUSY. */
  queue: 100,
  /** Runs in the line of those that a model learns from; further ones are put in line later. */
  toLearn: 100,
  /** Unread messages that are held in memory, and those that one step takes in. */
  unreadInMemory: 64,
  unreadPerStep: 20,
  unreadBytes: 512 * 1024,
  /** Messages and shares that are not yet delivered. When the outbox is full, the tool call fails. */
  outbox: 1000,
  /**
   * Pushes that are not yet delivered; beyond this number they are given up at once. Of those given up, the first
   * `deadLetters` are kept.
   */
  pushes: 10_000,
  deadLetters: 1000,
  /** Push configs of one task. */
  pushConfigs: 20,
  /**
   * How much of a task's conversation is kept besides its first message: at most this many of the latest messages, and
   * about this many characters of JSON.
   */
  dialog: 50,
  dialogBytes: 256 * 1024,
  tokens: 100,
  /** Files of one run, and their bytes, because each of its steps gives them to its model. */
  files: 20,
  filesBytes: 16 * 1024 * 1024,
  schedules: 64,
  /** Blocks for one subject, or for nobody in particular. */
  blocks: 12,
  /** What may be said to a run that its step in progress has not seen. */
  steered: 16,
  /** Bytes that one step may produce in thoughts and calls, and bytes of memories that one recall may return to it. */
  stepBytes: 2 * 1024 * 1024,
  recallBytes: 64 * 1024,
  /** How many processes may end in the middle of one step before its run is given up. */
  restartsPerStep: 10,
  maxHops: 16,
  maxWakes: 3,
} as const;

/** What a reasoner is given of a turn. */
export interface SaidTurn extends Pick<Turn, 'id' | 'role' | 'content'> {
  at: string;
  /** What tools had returned when the agent said it. */
  results?: readonly ToolOutcome[] | undefined;
  /** What became of the run that it is the last turn of, if that has not answered. */
  became?: 'cancelled' | 'interrupted' | 'waiting' | 'failed';
}
/** A session in use. */
export interface SessionState {
  /** Whom it was begun for. */
  subject: string | null;
  /** Its last turns, oldest first. */
  turns: readonly SaidTurn[];
  /** The newest of its runs. */
  newest: string;
  /** Its paused runs. What is said next answers the one that waits for a human (Conversation.V5). */
  waiting: readonly WaitingRun[];
  /** To whom it is handed over (HandOff.H1); omitted if it is with the agent itself. */
  handed?: HandedOver;
}
export type HandedOver = NonNullable<RunRecord['handed']>;
export interface WaitingRun {
  id: string;
  kind: Question['kind'];
}
/** By session id. */
export type SessionTurns = ReadonlyMap<string, SessionState>;

/**
 * A run that is pending, running, or being resumed, with what its next step needs. Pending runs are in memory only if
 * they are small (`staysInMemory`): a hundred of them may wait, and each may be several MiB.
 */
export interface LiveRun {
  record: RunRecord;
  entry: JournalEntry | null;
  /**
   * Whether the documents of the record and the entry have yet to be created. A document that is part of a commit in
   * flight counts as created.
   */
  recordIsNew: boolean;
  entryIsNew: boolean;
  /** How many bytes they count as stored (usage.ts); omitted if they were just read. */
  recordBytes?: number;
  entryBytes?: number;
  transcript: readonly (readonly ToolOutcome[])[];
  humanInputs: readonly HumanInput[];
  /** What its model said beside the calls of each step, by the step's number less one; omitted if nothing. */
  asides?: readonly (string | undefined)[];
  /** What its model handed out with each step (records.ts), by the step's number less one; omitted if nothing. */
  kept?: readonly (string | undefined)[];
  /**
   * Part of the history was removed (retention.ts): of its own journal, or of that of a run that it was forked from.
   */
  historyRemoved?: true;
  /** What a human has just said; it goes into the next journal entry. */
  nextHuman: HumanInput | null;
  /**
   * Identifies the step that was begun last; only that one may report (Model.W3). It is 0 if none was begun in this
   * activation.
   */
  attempt: number;
  /** Whether a step is in progress. */
  stepping: boolean;
  /** The messages that this step reads, of which its report marks those as read that are still there. */
  reads: readonly string[];
}

export interface AgentState {
  agent: AgentSnapshot;
  counts: Counts;
  /** The runs in progress, and the pending runs that are small (`staysInMemory`). */
  runs: ReadonlyMap<string, LiveRun>;
  /**
   * The oldest unread messages, oldest first. These are all of them unless `agent.unread` is larger. The last may be a
   * newer one (mailbox.ts).
   */
  unread: readonly StoredMessage[];
  /**
   * Whether unread messages that are only in the store may wake the agent. It is irrelevant while one in memory may.
   */
  moreMayWake: boolean;
  /** Whether a run has ended since the mailbox was last looked at for messages that may wake (Mailbox.B5). */
  mailDue: boolean;
  /** The next position in each session that was written to lately. */
  positions: ReadonlyMap<string, number>;
  /** The last turns of the sessions in use, as far as they have been read. */
  sessions: SessionTurns;
  /** The blocks that were changed last, in this activation; omitted if none was. */
  blocks?: ChangedBlocks;
  /** What was used for some subjects lately, in this activation; omitted if nothing was counted. */
  subjectUse?: SubjectUses;
}
/** By id, the one that was changed last at the end; null for one that was deleted. */
export type SubjectUses = ReadonlyMap<string, StoredSubjectUse | null>;
/** By id; null for one that was deleted. */
export type ChangedBlocks = ReadonlyMap<string, StoredBlock | null>;

const smallRunBytes = 16 * 1024;

/** Whether a pending run is kept in memory until its turn. A resumed one has a history, and is read again then. */
export const staysInMemory = ({ record, recordBytes = 0, entryBytes = 0 }: LiveRun): boolean =>
  record.status !== 'pending' || (record.steps === 0 && recordBytes + entryBytes <= smallRunBytes);

/** Shared by all agents that have no entries, because there are many idle agents. */
export const emptyRuns: ReadonlyMap<string, LiveRun> = new Map();
export const emptyPositions: ReadonlyMap<string, number> = new Map();

/** A call together with all that had to be looked up for it, because decisions do not read anything. */
export type ResolvedCall =
  | Exclude<HeldCall, { tool: 'remember' | 'update_memory' | 'forget' | 'block_replace' | 'block_append' }>
  /** The block that it names, as it is when the call is carried out; null if there is none. */
  | (Extract<HeldCall, { tool: 'block_replace' | 'block_append' }> & { block?: StoredBlock | null })
  | (Extract<HeldCall, { tool: 'remember' }> & { around?: Surroundings })
  /** The memory that it names, or the run in which it was said; looked up again when the call is carried out. */
  | (Omit<Extract<HeldCall, { tool: 'update_memory' }>, 'also'> & Found)
  | (Omit<Extract<HeldCall, { tool: 'forget' }>, 'also'> & Found);

/** What a call names. */
interface FoundMemory {
  named?: StoredMemory | null;
  said?: RunRecord | null;
}
interface Found extends FoundMemory {
  also?: readonly (FoundMemory & { id: string; seen?: string | undefined })[] | undefined;
}

/**
 * Whether the memory that this call makes needs a reservation in the workspace's monthly quota, because that quota is
 * limited.
 */
export const needsReservation = (call: ResolvedCall): boolean =>
  (call.tool === 'remember' || call.tool === 'update_memory' || call.tool === 'share_with_hive') &&
  call.limited === true;

/** Whether the call names a memory, which is looked up at the moment at which the call is decided on. */
export const namesMemory = (call: ResolvedCall): call is Extract<ResolvedCall, { tool: 'update_memory' | 'forget' }> =>
  call.tool === 'update_memory' || call.tool === 'forget';

export const namesBlock = (
  call: ResolvedCall,
): call is Extract<ResolvedCall, { tool: 'block_replace' | 'block_append' }> =>
  call.tool === 'block_replace' || call.tool === 'block_append';

/**
 * Reservations in the workspace's monthly quota for the calls of one step that need one. `problem` is the result of
 * calls that get none.
 */
export interface StepReservation {
  room: number;
  problem: string;
}

/** Towards which sum usage counts, and that sum as it was read: null if there is none yet. */
export interface SubjectCount {
  subject: string;
  /** As the sums name it (src/commands/subject-use.ts). */
  of: string;
  month: string;
  before: StoredSubjectUse | null;
}

/** What a finished step reports. `countFor`: omitted where no budget of subjects holds. */
export type StepReport =
  | {
      ok: true;
      thoughts: readonly { thoughtType: ThoughtType; content: string; tool?: ToolName; found?: number }[];
      calls: readonly ResolvedCall[];
      consulted: readonly ConsultedMemory[];
      /** What the model handed out for the steps that follow (records.ts). */
      kept?: string;
      reserved?: StepReservation;
      /** What the call that has gone out came to. */
      came?: { ok: boolean; result: string };
      usage?: ModelUsage;
      countFor?: SubjectCount;
    }
  | {
      ok: false;
      error: { code: string; message: string };
      usage?: ModelUsage;
      countFor?: SubjectCount;
      /** All models of the run are away; `askedMs` is the delay that they ask for. */
      away?: { askedMs: number | null };
    };

export function showAgent(a: AgentSnapshot, counts: Counts): Agent {
  return {
    id: a.id,
    name: a.name,
    description: a.description,
    status: a.status,
    config: withoutSecrets(a.config),
    memory_count: counts['memories'] ?? 0,
    message_count: counts['handled'] ?? 0,
    hives: a.hives,
    metadata: a.metadata,
    wake_on_message: a.wake_on_message,
    memory_quota: a.memory_quota,
    maxRuntimeSeconds: a.maxRuntimeSeconds,
    ...(a.spawned && { spawned_by: a.spawned.by }),
    ...(a.spawned?.until !== undefined && { ends_at: a.spawned.until }),
    created_at: a.created_at,
    updated_at: a.updated_at,
    last_active_at: a.last_active_at,
  };
}

/**
 * The question of a paused run, with what it is about to do; what callers see of it, `questionFor` says (run-as-task.ts). Its
 * number is that of the event that told it, so each has another.
 */
export function questionOf(r: Pick<RunRecord, 'id' | 'statusSeq' | 'waitingFor' | 'asked'>): Question | null {
  if (!r.waitingFor) return null;
  const shown: Question = { id: `${r.id}-${r.statusSeq}`, ...r.waitingFor };
  if (r.asked)
    shown.asked = r.asked.map(({ id, agent_id, name, peer, run_id = null, waitsFor = null, came }) => ({
      id,
      agent_id,
      ...(peer && { peer: name }),
      run_id,
      answered: came !== undefined,
      waitsFor,
    }));
  return shown;
}
/** The event of the run that asks the question of this id. */
export const eventOfQuestion = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

/** The sender shown for a message whose origin the service cannot vouch for: a client, whatever it claims to be. */
export const external = 'external';

/**
 * The sender of a message: an agent's id, `external` for a client, or null for the service itself. Only agents pass
 * messages on, so a hop count above 0 identifies their messages.
 */
export const senderOf = (m: Pick<StoredMessage, 'from' | 'hops' | 'verified'>): string | null =>
  m.hops > 0 || m.verified ? m.from : external;

export const showMessage = (m: StoredMessage): MailboxMessage => ({
  id: m.id,
  agent_id: m.agent_id,
  from: senderOf(m),
  content: m.content,
  subject: m.subject ?? null,
  reply_to: m.reply_to,
  metadata: m.metadata,
  hops: m.hops,
  wakes: m.wakes,
  read_at: m.read_at,
  created_at: m.created_at,
});

/* The configuration that a run goes by: that of its agent, with what the run overrides. */

export function configOf(config: AgentConfig, { overrides }: { overrides?: RunOverrides | undefined }): AgentConfig {
  if (!overrides) return config;
  const { output_schema: schema, ...rest } = overrides;
  const { output_schema: usual, ...kept } = config;
  const wanted = schema === undefined ? usual : schema;
  return { ...kept, ...rest, ...(wanted && { output_schema: wanted }) };
}

/** What a run may ask of its model beside what agents are configured with. */
export type RunControls = Pick<RunOverrides, 'tool_choice' | 'parallel_tool_calls' | 'sampling'>;

/** Those in the configuration that a run goes by. */
export const controlsIn = (config: AgentConfig): RunControls => config as RunControls;

/** Of the run, or of the A2A message that began it. */
export const metadataOf = ({
  metadata,
  messages,
}: Pick<RunRecord, 'metadata' | 'messages'>): Record<string, unknown> | undefined =>
  metadata ?? messages?.[0]?.metadata;

/** Throws where the agent cannot do as the overrides ask. */
export function checkOverrides(config: AgentConfig, overrides: RunOverrides | undefined): void {
  if (!overrides) return;
  const together = configOf(config, { overrides });
  if (together.output_schema === undefined || asksModel(together)) return;
  throw invalid({
    path: overrides.output_schema ? 'overrides.output_schema' : 'overrides.model',
    message: overrides.output_schema ? schemaNeedsModel : 'must be a model: the agent answers by an output_schema',
  });
}
