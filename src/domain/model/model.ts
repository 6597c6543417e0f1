/**
 * The objects that the API returns, as zod schemas under the names that the route table uses (`result`), and the types
 * that they infer. Field names follow the contract (docs/api.md 2.1-2.5): snake_case on agents and memories, camelCase
 * on runs and thoughts. All times are ISO 8601 in UTC with milliseconds, and the time of creation is called
 * `created_at` everywhere. The service does not parse its own answers with these schemas; a test does.
 */
import { z } from 'zod';
import { clientCall } from '../agent/agent-tools.js';
import * as agents from './agent.js';
import * as memories from './memory.js';
import { part } from './fields.js';
import * as runs from './run.js';
import { schedule } from './agent.js';
import { webhook, webhookTest } from './workspace.js';
import * as workspaces from './workspace.js';

export type * from './agent.js';
export type * from './memory.js';
export type * from './run.js';
export type * from './agent.js';
export type * from './workspace.js';
export type * from './workspace.js';
export { isSettled, isTerminal, tellsText, waitsForAgents } from './run.js';

export const results = {
  Agent: agents.agent,
  Memory: memories.memory,
  BatchResult: memories.batchResult,
  FoundMemory: memories.foundMemory,
  ConsultedMemory: memories.consultedMemory,
  PromptContext: memories.promptContextResult,
  Run: runs.run,
  RunTree: runs.runTree,
  File: runs.file,
  Thought: runs.thought,
  Session: runs.session,
  Turn: runs.turn,
  ClientCall: clientCall,
  ToolCall: runs.toolCall,
  ToolOutcome: runs.toolOutcome,
  ToolTry: runs.toolTry,
  Checkpoint: runs.checkpoint,
  Schedule: schedule,
  Block: memories.block,
  Profile: memories.profile,
  MailboxMessage: agents.mailboxMessage,
  ExportLine: workspaces.exportLine,
  ImportReport: workspaces.importReport,
  Traffic: agents.traffic,
  MessageReply: runs.messageReply,
  AgentToken: workspaces.agentToken,
  ApiKey: workspaces.apiKey,
  AuditRecord: workspaces.auditRecord,
  Hive: agents.hive,
  Me: workspaces.me,
  Usage: workspaces.usage,
  UsageDays: workspaces.usageDays,
  ModelBudget: workspaces.modelBudget,
  UsageAlerts: workspaces.usageAlerts,
  RunEvent: runs.runUpdate,
  WorkspaceEvent: workspaces.workspaceEvent,
  Webhook: webhook,
  WebhookTest: webhookTest,
  DeadLetter: workspaces.deadLetter,
  Part: part,
  MintedToken: workspaces.agentToken.extend({
    token: z.string().describe('The secret token. It is shown only once and never stored.'),
  }),
  MintedKey: workspaces.apiKey.extend({
    key: z.string().describe('The secret key. It is shown only once and never stored.'),
  }),
  MintedWebhook: webhook.extend({
    secret: z.string().describe('The secret that signs what it is sent. It is shown only once.'),
  }),
  Deleted: z.object({ id: z.string().describe('The id of the deleted resource.'), deleted: z.literal(true) }),
} as const;
