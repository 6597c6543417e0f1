/**
 * The fixed vocabulary of the API: statuses, scopes, tiers and the like, each as a type and, if code enumerates them,
 * as values.
 */
export type AgentStatus = 'active' | 'inactive' | 'terminated';
export const runStatuses = ['pending', 'running', 'paused', 'completed', 'failed', 'timeout', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];
export type StopReason = 'answer' | 'max_steps' | 'timeout';
export type TriggeredBy = 'api' | 'message' | 'a2a' | 'fork';
export const thoughtTypes = ['goal', 'recall', 'insight', 'action', 'result', 'reflection'] as const;
export type ThoughtType = (typeof thoughtTypes)[number];

export const tools = [
  'recall',
  'remember',
  'update_memory',
  'forget',
  'send_message',
  'share_with_hive',
  'ask_human',
  'answer',
] as const;
export type ToolName = (typeof tools)[number];

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
/** `agent:mcp` opens an agent's MCP endpoint to its tokens. A key needs no scope for that, and has none. */
export const tokenScopes = [...scopes, 'agent:mcp'] as const;
export type TokenScope = (typeof tokenScopes)[number];

export const tiers = ['free', 'pro', 'team', 'enterprise'] as const;
/** `sandbox` is the tier of sandboxes only; it cannot be set. */
export type Tier = (typeof tiers)[number] | 'sandbox';

/** Whether a key works in its workspace, or in the sandbox beside it (`svc_test_...`, domain/sandbox.ts). */
export type Mode = 'live' | 'test';

/** Data that clients keep on their objects for their own use; the service only stores it. */
export type Metadata = Record<string, unknown>;
