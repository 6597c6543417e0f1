/** The fixed vocabulary of the API: statuses, scopes, tiers and the like, as values and as the types of them. */
export const agentStatuses = ['active', 'inactive', 'terminated'] as const;
export type AgentStatus = (typeof agentStatuses)[number];
export const runStatuses = ['pending', 'running', 'paused', 'completed', 'failed', 'timeout', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];
export const stopReasons = ['answer', 'length', 'max_steps', 'timeout', 'budget', 'interrupted'] as const;
export type StopReason = (typeof stopReasons)[number];
/** What becomes of what is said to an agent or in a session that is busy (steering.ts). */
export const onBusy = ['enqueue', 'reject', 'interrupt', 'steer'] as const;
export type OnBusy = (typeof onBusy)[number];
export const triggers = ['api', 'message', 'a2a', 'fork', 'schedule', 'agent'] as const;
export type TriggeredBy = (typeof triggers)[number];
export const thoughtTypes = ['goal', 'recall', 'insight', 'action', 'result', 'reflection'] as const;
export type ThoughtType = (typeof thoughtTypes)[number];

/** `use_tool` stands for the tools of the agent (agent-tools.ts). */
export const tools = [
  'recall',
  'remember',
  'update_memory',
  'forget',
  'block_replace',
  'block_append',
  'send_message',
  'share_with_hive',
  'ask_agent',
  'hand_off',
  'spawn_agent',
  'ask_human',
  'answer',
  'use_tool',
] as const;
export type ToolName = (typeof tools)[number];
/** Those that an agent may have or not (config.builtin_tools). */
export const namedTools = [
  'recall',
  'remember',
  'update_memory',
  'forget',
  'block_replace',
  'block_append',
  'send_message',
  'share_with_hive',
  'ask_agent',
  'hand_off',
  'ask_human',
] as const satisfies readonly ToolName[];

export const scopes = [
  'agent:spawn',
  'agent:read',
  'agent:manage',
  'memory:read',
  'memory:write',
  'hive:read',
  'hive:write',
  'usage:read',
  'workspace:admin',
] as const;
export type Scope = (typeof scopes)[number];
/** What A2A streams tell of what an agent does (docs/a2a.md). */
export const progressLevels = ['off', 'short', 'text', 'thoughts'] as const;
export type ProgressLevel = (typeof progressLevels)[number];
/** `agent:mcp` opens an agent's MCP endpoint to its tokens. A key needs no scope for that, and has none. */
export const tokenScopes = [...scopes, 'agent:mcp'] as const;
export type TokenScope = (typeof tokenScopes)[number];

export const tiers = ['free', 'pro', 'team', 'enterprise'] as const;
/** `sandbox` is the tier of sandboxes only; it cannot be set. */
export type Tier = (typeof tiers)[number] | 'sandbox';

/** Whether a key works in its workspace, or in the sandbox beside it (`svc_test_...`, workspace/workspace.ts). */
export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

/** Data that clients keep on their objects for their own use; the service only stores it. */
export type Metadata = Record<string, unknown>;

/**
 * What a text that somebody said is to those who look for what was said: it `tells` something, it is an `aside`, which
 * asks or is not to be kept, or it says `nothing` that a later conversation could need.
 */
export type Remark = 'tells' | 'aside' | 'nothing';
export type RemarkOf = (text: string) => Remark;

/** What the audit log tells that somebody has done (audit.ts). */
export const auditActions = [
  'agent.created',
  'agent.updated',
  'agent.deleted',
  'alerts.updated',
  'block.deleted',
  'block.updated',
  'profile.updated',
  'budget.updated',
  'hive.created',
  'hive.updated',
  'hive.deleted',
  'hive.joined',
  'hive.left',
  'key.created',
  'key.revoked',
  'memory.updated',
  'memory.deleted',
  'memory.shared',
  'message.deleted',
  'push.registered',
  'push.removed',
  'push.replayed',
  'run.answered',
  'run.approved',
  'run.cancelled',
  'run.deleted',
  'run.forked',
  'run.rejected',
  'run.resumed',
  'schedule.created',
  'schedule.updated',
  'schedule.deleted',
  'schedule.started',
  'session.deleted',
  'subject.deleted',
  'token.created',
  'token.revoked',
  'tool.called',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'workspace.exported',
  'workspace.imported',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** What webhooks of a workspace may be told (webhooks.ts). */
export const webhookEvents = [
  'run.completed',
  'run.failed',
  'run.timed_out',
  'run.cancelled',
  'run.input_required',
  'message.received',
  'memory.created',
  'memory.updated',
  'memory.deleted',
  'agent.created',
  'agent.updated',
  'usage.alert',
  'audit.recorded',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What models take beside text, if their agent says so (config.accepts). */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export const fileTypes = [...imageTypes, 'application/pdf'] as const;
export type FileType = (typeof fileTypes)[number];
