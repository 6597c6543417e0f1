/**
 * The objects that the API returns, as zod schemas under the names that the route table uses (`result`), and the types
 * that they infer. Field names follow the contract (docs/api.md 2.1-2.5): snake_case on agents and memories, camelCase
 * on runs and thoughts. All times are ISO 8601 in UTC with milliseconds, and the time of creation is called `created_at`
 * everywhere. The service does not parse its own answers with these schemas; a test does.
 */
import { z } from 'zod';
import { clientCall } from './agent-tools.js';
import { agent, hive, mailboxMessage, traffic } from './model/agent.js';
import { batchResult, consultedMemory, foundMemory, memory, promptContext } from './model/memory.js';
import { part } from './model/message.js';
import {
  checkpoint,
  file,
  messageReply,
  run,
  runUpdate,
  session,
  thought,
  toolCall,
  toolOutcome,
  toolTry,
  turn,
} from './model/run.js';
import { schedule } from './model/schedule.js';
import {
  agentToken,
  apiKey,
  auditRecord,
  deadLetter,
  exportLine,
  importReport,
  me,
  usage,
  usageAlerts,
  workspaceEvent,
} from './model/workspace.js';
import { webhook, webhookTest } from './model/webhook.js';

export type * from './model/agent.js';
export type * from './model/memory.js';
export type * from './model/run.js';
export type * from './model/schedule.js';
export type * from './model/workspace.js';
export type * from './model/webhook.js';
export { isSettled, isTerminal, tellsText } from './model/run.js';

export const results = {
  Agent: agent,
  Memory: memory,
  BatchResult: batchResult,
  FoundMemory: foundMemory,
  ConsultedMemory: consultedMemory,
  PromptContext: promptContext,
  Run: run,
  File: file,
  Thought: thought,
  Session: session,
  Turn: turn,
  ClientCall: clientCall,
  ToolCall: toolCall,
  ToolOutcome: toolOutcome,
  ToolTry: toolTry,
  Checkpoint: checkpoint,
  Schedule: schedule,
  MailboxMessage: mailboxMessage,
  ExportLine: exportLine,
  ImportReport: importReport,
  Traffic: traffic,
  MessageReply: messageReply,
  AgentToken: agentToken,
  ApiKey: apiKey,
  AuditRecord: auditRecord,
  Hive: hive,
  Me: me,
  Usage: usage,
  UsageAlerts: usageAlerts,
  RunEvent: runUpdate,
  WorkspaceEvent: workspaceEvent,
  Webhook: webhook,
  WebhookTest: webhookTest,
  DeadLetter: deadLetter,
  Part: part,
  MintedToken: agentToken.extend({
    token: z.string().describe('The secret token. It is shown only once and never stored.'),
  }),
  MintedKey: apiKey.extend({ key: z.string().describe('The secret key. It is shown only once and never stored.') }),
  MintedWebhook: webhook.extend({
    secret: z.string().describe('The secret that signs what it is sent. It is shown only once.'),
  }),
  Deleted: z.object({ id: z.string().describe('The id of the deleted resource.'), deleted: z.literal(true) }),
} as const;
