/**
 * What the API shows. Field names that the spec gives keep its spelling (2.1-2.5): snake_case on agents and memories,
 * camelCase on runs and thoughts. All times are ISO 8601 in UTC with milliseconds, and `created_at` is called so everywhere.
 */
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
  Metadata,
  Mode,
} from './vocabulary.js';

/** Spec 2.1. */
export interface Agent {
  id: string;
  name: string;
  description: string;
  status: AgentStatus;
  config: AgentConfig;
  /** Memories in the agent's own context; those with expires_at included until they expire. */
  memory_count: number;
  /** Messages processed: direct messages answered and mailbox messages read. */
  message_count: number;
  hives: string[];
  metadata: Metadata;
  wake_on_message: boolean;
  /** Cap on memories without expires_at; null is unlimited (docs/api.md 8.4). */
  memory_quota: number | null;
  maxRuntimeSeconds: number | null;
  created_at: string;
  updated_at: string;
  last_active_at: string;
}

/** Spec 2.2. Belongs to an agent, to a hive, or (neither) to the workspace. */
export interface Memory {
  id: string;
  type: string;
  content: string;
  agent_id: string | null;
  hive_id: string | null;
  /** In a hive: the agent that shared it. */
  shared_by: string | null;
  sessionId: string | null;
  /** Place in its session, from 0; recall scores neighbours by it. Null without a session. */
  position: number | null;
  importance: number | null;
  /** When what it tells was said or happened; created_at where nobody said otherwise. */
  occurred_at: string;
  /** Who said it; null where that is not known. */
  speaker: string | null;
  metadata: Metadata;
  expires_at: string | null;
  created_at: string;
  updated_at: string;
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
  /** Where the search asked for it: what the memory was ordered by, and what each feature added to that. */
  explanation?: { score: number; shares: Record<string, number> } | undefined;
}

/** Spec 2.3. */
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
  waitingFor: { kind: 'approval' | 'human'; question: string; action: ToolCall | null } | null;
  maxSteps: number;
  maxRuntimeSeconds: number;
  /** Steps done. */
  steps: number;
  forkedFrom: { runId: string; checkpointId: string; step: number } | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  ended_at: string | null;
}

/** Spec 2.5. */
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

/** `parts`: what an answer says beside its text content, for A2A clients that read more than text. */
export interface ToolCall {
  tool: ToolName;
  arguments: Record<string, string>;
  parts?: readonly Part[];
}
export type ToolName = 'recall' | 'remember' | 'send_message' | 'share_with_hive' | 'ask_human' | 'answer';

/** A tool call and what came of it, as a checkpoint keeps it and the next step's reasoner sees it. */
export interface ToolOutcome {
  tool: ToolName;
  arguments: Record<string, string>;
  ok: boolean;
  result: string;
}

export interface Checkpoint {
  id: string;
  runId: string;
  agent_id: string;
  sessionId: string;
  /** From 1. */
  step: number;
  calls: ToolOutcome[];
  /** Partial output so far, if any. */
  output: string | null;
  /** Reasoning time used by the run up to here; downtime and pauses are not counted. */
  runtimeMs: number;
  created_at: string;
}

export interface MailboxMessage {
  id: string;
  agent_id: string;
  /** The agent that sent it, as the service knows; `external`: a client; null: the service itself. */
  from: string | null;
  content: string;
  reply_to: string | null;
  metadata: Metadata;
  /** How many agents passed it on: past 16 it wakes nobody. */
  hops: number;
  /** How often it has woken its agent without being read; at most 3. */
  wakes: number;
  read_at: string | null;
  created_at: string;
}

/** Spec 2.4: metadata only; the secret is shown once, when minted. */
export interface AgentToken {
  id: string;
  agent_id: string;
  name: string;
  scopes: Scope[];
  /** The first characters of the secret, to tell tokens apart. */
  hint: string;
  expires_at: string | null;
  /** To the minute; null: never. */
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
  /** To the minute; null: never. */
  last_used_at: string | null;
  created_at: string;
}

/** Something that was done to a key or a token. Kept for good. */
export interface AuditRecord {
  id: string;
  action: 'key.created' | 'key.revoked' | 'token.created' | 'token.revoked';
  /** The id of the API key that did it, or `command line`, or `server start`. */
  actor: string;
  /** The client's address; null for what was done on the machine itself. */
  from: string | null;
  /** The key or token that it was done to, and its name. */
  credential_id: string;
  name: string;
  /** Whose token it is; null for keys. */
  agent_id: string | null;
  scopes: Scope[];
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

/** Answer to POST /v1/agents/:id/message. */
export interface MessageReply {
  message_id: string;
  run_id: string;
  /** The status of the run when this was answered: completed, or why there is no response. */
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
  /** Memories of the cycle that count against the quota: created minus deleted, without those that expire. */
  used: number;
  /** Null is unlimited. */
  limit: number | null;
  remaining: number | null;
  /** What is stored now in the whole workspace. */
  agents: number;
  hives: number;
  memories: number;
  by_type: Record<string, number>;
  /** Bytes of everything that the workspace stores, about; `limit` null is unlimited. */
  storage: { used: number; limit: number | null };
  /** The agents whose settings changed last, 100 at most; or the one that was asked for. */
  by_agent: AgentUsage[];
}

/** `used` is of the cycle, as in Usage; `memories` is what is stored now. */
export interface AgentUsage {
  agent_id: string;
  name: string;
  used: number;
  memories: number;
  memory_quota: number | null;
}

/** One event of a run: stored with it, numbered 1, 2, 3... without holes. */
export type RunEvent = { seq: number; at: string } & (
  | { type: 'status'; status: RunStatus; stopReason: StopReason | null; message: string | null }
  | { type: 'thought'; thought: Thought }
  /** What the run leaves as its output; `parts` is all of it, where that is more than its text. */
  | { type: 'answer'; content: string; parts?: readonly Part[] }
);

/** What GET /v1/events tells, live and not stored. */
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
    | 'run.status'
    /** {percent, used, limit, mode, cycle}: the month's quota is used up to this percentage (docs/api.md 6.3). */
    | 'usage.alert';
  at: string;
  data: Record<string, unknown>;
}

export const isTerminal = (status: RunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'timeout' || status === 'cancelled';
