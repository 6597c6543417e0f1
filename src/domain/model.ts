/**
 * The objects that the API returns. Field names follow the contract (docs/api.md 2.1-2.5): snake_case on agents and
 * memories, camelCase on runs and thoughts. All times are ISO 8601 in UTC with milliseconds, and the time of creation
 * is called `created_at` everywhere.
 */
import type { ErrorCode } from './errors.js';
import type { AgentConfig } from './inputs.js';
import type { Part } from './task.js';
import type {
  AgentStatus,
  RunStatus,
  StopReason,
  TriggeredBy,
  ThoughtType,
  Scope,
  Tier,
  TokenScope,
  Metadata,
  Mode,
  ToolName,
} from './vocabulary.js';

/** docs/api.md 2.1. */
export interface Agent {
  id: string;
  name: string;
  description: string;
  status: AgentStatus;
  config: AgentConfig;
  /** Memories in the agent's own context, including those with expires_at until they expire. */
  memory_count: number;
  /** Messages processed: direct messages, A2A messages, and mailbox messages that were read. */
  message_count: number;
  hives: string[];
  metadata: Metadata;
  wake_on_message: boolean;
  /** Limit on memories without expires_at; null is unlimited (docs/api.md 8.4). */
  memory_quota: number | null;
  maxRuntimeSeconds: number | null;
  created_at: string;
  updated_at: string;
  last_active_at: string;
}

/** docs/api.md 2.2. A memory belongs to an agent, to a hive, or (if neither is set) to the workspace. */
export interface Memory {
  id: string;
  type: string;
  content: string;
  agent_id: string | null;
  hive_id: string | null;
  /** In a hive: the agent that shared it. */
  shared_by: string | null;
  sessionId: string | null;
  /**
   * Position in its session, from 0; recall uses it to score neighbours. Null without a session, and for what was
   * learnt, whose neighbours follow from its time.
   */
  position: number | null;
  importance: number | null;
  /** When what it reports was said or happened; equal to created_at unless the client gave a time. */
  occurred_at: string;
  /** Who said it; null if unknown. */
  speaker: string | null;
  /** The run from whose input the service learnt it; null if it was stored as such. */
  source: string | null;
  /** The id of the memory that this one replaced, and of the one that replaced this. */
  supersedes: string | null;
  superseded_by: string | null;
  /** Until when it was so; null if it is so now, as far as anybody has said. */
  valid_until: string | null;
  /** How often it was stated, and when last: a repetition makes no second memory. */
  times_seen: number;
  last_seen_at: string;
  metadata: Metadata;
  expires_at: string | null;
  created_at: string;
  updated_at: string;
}

/** What became of one memory of a batch: the memory, or why it was not added. */
export interface BatchItem {
  memory: Memory | null;
  error: { code: ErrorCode; message: string; details: Record<string, unknown> } | null;
}
export interface BatchResult {
  created: number;
  failed: number;
  /** In the order of the request. */
  results: BatchItem[];
}

/** A memory or message that recall found; `relevance` is from 0 to 1. */
export interface ConsultedMemory {
  id: string;
  type: string;
  content: string;
  relevance: number;
}
export interface FoundMemory extends Memory {
  relevance: number;
  /**
   * Present if the search asked for it: the score that determined the memory's rank, and the contribution of each
   * feature to that score.
   */
  explanation?: { score: number; shares: Record<string, number> } | undefined;
}

/** What a paused run asks a human. */
export interface Question {
  /** Also the id of the message with the question in the conversation of the task. */
  id: string;
  kind: 'approval' | 'human';
  question: string;
  action: ToolCall | null;
}

/** docs/api.md 2.3. */
export interface Run {
  id: string;
  agent_id: string;
  status: RunStatus;
  stopReason: StopReason | null;
  triggeredBy: TriggeredBy;
  sessionId: string;
  input: string;
  output: string | null;
  error: { code: string; message: string } | null;
  /** What a paused run waits for. */
  waitingFor: Question | null;
  maxSteps: number;
  maxRuntimeSeconds: number;
  /** Number of steps done. */
  steps: number;
  forkedFrom: { runId: string; checkpointId: string; step: number } | null;
  usage: ModelUsage;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  ended_at: string | null;
}

/** What was used of model servers: zeros where the built-in reasoner thinks. */
export interface ModelUsage {
  /** Requests that were answered. */
  requests: number;
  inputTokens: number;
  outputTokens: number;
}

/** docs/api.md 2.5. */
export interface Thought {
  id: string;
  thoughtType: ThoughtType;
  content: string;
  runId: string;
  sessionId: string;
  agent_id: string;
  step: number;
  created_at: string;
}

/** `parts`: what an answer contains besides its text content, for A2A clients that read more than text. */
export interface ToolCall {
  tool: ToolName;
  arguments: Record<string, string>;
  parts?: readonly Part[];
}

/** A tool call and its outcome, as a checkpoint keeps it and the reasoner of the next step sees it. */
export interface ToolOutcome {
  tool: ToolName;
  arguments: Record<string, string>;
  ok: boolean;
  result: string;
}

/** A conversation with an agent: its turns, and the memories that carry its id. */
export interface Session {
  /** The `sessionId` of its runs and memories. */
  id: string;
  agent_id: string;
  /** How it began: the first message, cut to 200 characters. */
  opening: string;
  created_at: string;
  /** When its last turn was said. */
  updated_at: string;
}

/** One message of a conversation with an agent, or its answer (conversation.ts). */
export interface Turn {
  id: string;
  agent_id: string;
  /** The run that has it. */
  runId: string;
  sessionId: string;
  role: 'user' | 'agent';
  content: string;
  created_at: string;
}

export interface Checkpoint {
  id: string;
  runId: string;
  agent_id: string;
  sessionId: string;
  /** Counted from 1. */
  step: number;
  calls: ToolOutcome[];
  /** Partial output so far, if any. */
  output: string | null;
  /** Reasoning time used by the run up to this checkpoint, in ms; downtime and pauses are not counted. */
  runtimeMs: number;
  created_at: string;
}

export interface MailboxMessage {
  id: string;
  agent_id: string;
  /** The agent that sent it, as verified by the service; `external` for a client; null for the service itself. */
  from: string | null;
  content: string;
  reply_to: string | null;
  metadata: Metadata;
  /** How many agents have passed it on; beyond 16 it wakes nobody. */
  hops: number;
  /** How often it has woken its agent without being read; at most 3. */
  wakes: number;
  read_at: string | null;
  created_at: string;
}

/** The mailbox messages of a workspace in the last hour, by sender and receiver. */
/** A line of an export (docs/export.md). */
export interface ExportLine {
  record: string;
  id?: string;
  data?: Record<string, unknown>;
}

/** What became of an import. */
export interface ImportReport {
  added: Record<string, number>;
  present: Record<string, number>;
  refused: number;
  reasons: string[];
  sha256: string;
}

export interface Traffic {
  since: string;
  until: string;
  /** False if there were more messages than are counted: the newest ones are, from `since` on. */
  complete: boolean;
  messages: number;
  /** At most 500, those with the most messages first. */
  pairs: { from: string; to: string; count: number }[];
}

/** Metadata of a token (docs/api.md 2.4). The secret is shown only once, when the token is created. */
export interface AgentToken {
  id: string;
  agent_id: string;
  name: string;
  scopes: TokenScope[];
  /** The first characters of the secret, to tell tokens apart. */
  hint: string;
  expires_at: string | null;
  /** Accurate to the minute; null if it was never used. */
  last_used_at: string | null;
  created_at: string;
}

export interface ApiKey {
  id: string;
  name: string;
  mode: Mode;
  scopes: Scope[];
  hint: string;
  expires_at: string | null;
  /** Accurate to the minute; null if it was never used. */
  last_used_at: string | null;
  created_at: string;
}

/** A record of something that was done to a key or a token. It is kept for good. */
export interface AuditRecord {
  id: string;
  action: 'key.created' | 'key.revoked' | 'token.created' | 'token.revoked';
  /** The id of the API key that was used, or `command line`, or `server start`. */
  actor: string;
  /** The client's address; null for what was done on the machine itself. */
  from: string | null;
  /** The id of the key or token that was affected; `name` is its name. */
  credential_id: string;
  name: string;
  /** The agent that the token belongs to; null for keys. */
  agent_id: string | null;
  scopes: TokenScope[];
  created_at: string;
}

export interface Hive {
  id: string;
  name: string;
  description: string;
  metadata: Metadata;
  memory_count: number;
  created_at: string;
  updated_at: string;
}

export interface Workspace {
  id: string;
  name: string;
  tier: Tier;
  created_at: string;
}

/** The API key that asks, the workspace in which it works, and the limits that apply to it. */
export interface Me {
  workspace: { id: string; name: string; created_at: string };
  /** `test`: the key works in the workspace's sandbox. */
  mode: Mode;
  tier: Tier;
  key: { id: string; name: string; hint: string; expires_at: string | null; created_at: string };
  scopes: Scope[];
  /** Null is unlimited. */
  limits: {
    requests_per_minute: number;
    /** How many requests may come at once. */
    request_burst: number;
    searches_per_minute: number;
    concurrent_requests: number;
    memories_per_month: number | null;
    storage_bytes: number | null;
    api_keys: number;
    mailbox_messages_per_minute: number | null;
  };
}

/** Answer to POST /v1/agents/:id/message. */
export interface MessageReply {
  message_id: string;
  run_id: string;
  /**
   * The status of the run at the time of the answer: `completed`, or the status that explains why there is no response.
   */
  status: RunStatus;
  response: string | null;
  error: { code: string; message: string } | null;
  /** What a paused run waits for. */
  waitingFor: Run['waitingFor'];
  memories_consulted: ConsultedMemory[];
  sessionId: string;
}

export interface Usage {
  cycle: { start: string; end: string };
  mode: Mode;
  /** Memories of the cycle that count towards the quota: created minus deleted, excluding short-term ones. */
  used: number;
  /** Null is unlimited. */
  limit: number | null;
  remaining: number | null;
  /** Numbers of what is stored now in the whole workspace. */
  agents: number;
  hives: number;
  memories: number;
  by_type: Record<string, number>;
  /** Approximate number of bytes that the workspace stores; a `limit` of null is unlimited. */
  storage: { used: number; limit: number | null };
  /** Used of model servers in the cycle. */
  models: ModelUsage;
  /** At most 100 agents, those whose settings changed last; or only the agent that was asked for. */
  by_agent: AgentUsage[];
}

/** At which percentages of the month's quota the workspace is told of its usage, and where its webhook is. */
export interface UsageAlerts {
  /** In percent, ascending; none turns alerts off. */
  thresholds: number[];
  webhook: { url: string; has_token: boolean } | null;
  /** The alerts of this cycle, as they were told. `reason` says why the webhook was given up. */
  sent: {
    percent: number;
    used: number;
    at: string;
    webhook: 'none' | 'waiting' | 'delivered' | 'failed';
    reason: string | null;
  }[];
  /** Null while the usual thresholds are in force. */
  updated_at: string | null;
}

/** `used` refers to the cycle, as in Usage; `memories` is what is stored now. */
export interface AgentUsage {
  agent_id: string;
  name: string;
  used: number;
  memories: number;
  memory_quota: number | null;
  models: ModelUsage;
}

/** One event of a run. It is stored with the run, and events are numbered 1, 2, 3... without gaps. */
export type RunEvent = { seq: number; at: string } & (
  | { type: 'status'; status: RunStatus; stopReason: StopReason | null; message: string | null }
  | { type: 'thought'; thought: Thought }
  /** The answer that the run leaves as its output. `parts` holds all of it, if it is more than its text. */
  | { type: 'answer'; content: string; parts?: readonly Part[] }
);

/**
 * Text that a run's model is writing, as it writes it. It is told to those who follow the run then, and is neither
 * numbered nor stored: what counts is the run's `answer`, which has all of the text.
 */
export interface RunDelta {
  type: 'delta';
  at: string;
  step: number;
  /** False if the text takes the place of all that was told before; it may then be empty. */
  append: boolean;
  text: string;
}

/** What a follower of a run is told. */
export type RunUpdate = RunEvent | RunDelta;

/**
 * Whether the text of an agent's answers is told while it is written: if a model writes it, and no human has to let it
 * out first.
 */
export const tellsText = ({
  model,
  validation_gate: gate,
}: {
  model?: string | undefined;
  validation_gate?: string | undefined;
}): boolean => model !== undefined && model !== 'built-in' && gate !== 'answer';

/** An event that GET /v1/events streams live; these events are not stored. */
export interface WorkspaceEvent {
  type:
    | 'agent.created'
    | 'agent.updated'
    | 'agent.deleted'
    | 'memory.created'
    | 'memory.updated'
    | 'memory.deleted'
    | 'hive.created'
    | 'hive.updated'
    | 'hive.deleted'
    | 'message.received'
    | 'message.deleted'
    | 'run.status'
    | 'run.deleted'
    /**
     * {percent, used, limit, mode, cycle}: usage has reached this percentage of the month's quota (docs/api.md 6.5).
     */
    | 'usage.alert';
  at: string;
  data: Record<string, unknown>;
}

export const isTerminal = (status: RunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'timeout' || status === 'cancelled';

/** Whether the run has ended or is waiting for a human, so that waiting longer would not yield an answer. */
export const isSettled = ({ status }: { status: RunStatus }): boolean => isTerminal(status) || status === 'paused';
