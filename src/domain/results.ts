/**
 * The API's answers as zod schemas: the interfaces of model.ts again, in a form from which documentation and checks are
 * generated. `Differences` at the end fails to compile if a schema does not exactly match its interface. The service
 * does not parse its own answers with these schemas; a test does.
 */
import { z } from 'zod';
import { errorCodes } from './errors.js';
import { agentConfig } from './inputs.js';
import {
  type Agent,
  type AgentToken,
  type ApiKey,
  type BatchResult,
  type AuditRecord,
  type Checkpoint,
  type ConsultedMemory,
  type FoundMemory,
  type Hive,
  type MailboxMessage,
  type Me,
  type Memory,
  type MessageReply,
  type Run,
  type RunEvent,
  type Session,
  type Thought,
  type ToolCall,
  type Traffic,
  type ToolOutcome,
  type Turn,
  type Usage,
  type WorkspaceEvent,
} from './model.js';
import { runStatuses, scopes, thoughtTypes, tiers, tokenScopes } from './vocabulary.js';
import type { DeadLetter, Part } from './task.js';

const time = z.iso.datetime({ precision: 3 }).meta({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'ISO 8601, UTC, with milliseconds.',
});
const count = z.int().min(0);
const share = z.number().min(0).max(1);
/** Ids are opaque except for their prefix. */
const id = (prefix: string): z.ZodString => z.string().meta({ pattern: `^${prefix}_` });
const metadata = z.record(z.string(), z.unknown());
const scope = z.enum(scopes);
const tokenScope = z.enum(tokenScopes);
const runStatus = z.enum(runStatuses);
const stopReason = z.enum(['answer', 'max_steps', 'timeout']);
const failure = z.object({ code: z.string(), message: z.string() });

const partRest = { filename: z.string().optional(), mediaType: z.string().optional(), metadata: metadata.optional() };
const part = z.union([
  z.object({ kind: z.literal('text'), text: z.string(), ...partRest }),
  z.object({ kind: z.literal('data'), data: z.unknown(), ...partRest }),
  z.object({ kind: z.literal('file'), bytes: z.base64().meta({ format: undefined, pattern: undefined }), ...partRest }),
  z.object({ kind: z.literal('file'), uri: z.string(), ...partRest }),
]);

const agent = z.object({
  id: id('agent'),
  name: z.string(),
  description: z.string(),
  status: z
    .enum(['active', 'inactive', 'terminated'])
    .describe('An inactive agent answers commands with 409; terminated is final.'),
  config: agentConfig,
  memory_count: count.describe(
    "Memories in the agent's own context, those with expires_at included until they expire.",
  ),
  message_count: count.describe('Messages processed: direct messages answered and mailbox messages read.'),
  hives: z.array(id('hive')),
  metadata,
  wake_on_message: z.boolean().describe('An incoming mailbox message starts a run, unless one is pending or running.'),
  memory_quota: count
    .nullable()
    .describe('Cap on memories that expire after more than 30 days, or never; null is unlimited.'),
  maxRuntimeSeconds: count.nullable().describe("Runtime budget of its runs in seconds; null is the service's default."),
  created_at: time,
  updated_at: time,
  last_active_at: time,
});

const memory = z.object({
  id: id('mem'),
  type: z.string().describe('Such as episodic, semantic, procedural.'),
  content: z.string(),
  agent_id: id('agent').nullable(),
  hive_id: id('hive').nullable().describe("With agent_id null too, the memory is the workspace's."),
  shared_by: id('agent').nullable().describe('In a hive: the agent that shared it.'),
  sessionId: z.string().nullable(),
  position: count.nullable().describe('Place in its session, from 0; null without a session.'),
  importance: share.nullable(),
  occurred_at: time.describe('When what it tells was said or happened.'),
  speaker: z.string().nullable().describe('Who said it.'),
  source: id('run').nullable().describe('The run from whose input it was learnt.'),
  supersedes: z.string().nullable().describe('The memory that it replaced.'),
  superseded_by: z.string().nullable().describe('The memory that replaced it.'),
  valid_until: time.nullable().describe('Until when it was so; null: it is so now, as far as is known.'),
  times_seen: z.int().min(1).describe('How often it was stated: a repetition makes no second memory.'),
  last_seen_at: time.describe('When it was stated last.'),
  metadata,
  expires_at: z.iso.datetime({ offset: true }).meta({ pattern: undefined, description: 'ISO 8601.' }).nullable(),
  created_at: time,
  updated_at: time,
});
const batchResult = z.object({
  created: count.describe('How many memories were added.'),
  failed: count.describe('How many were not.'),
  results: z
    .array(
      z.object({
        memory: memory.nullable().describe('The memory as it was added; null if it was not.'),
        error: z
          .object({
            code: z.enum(errorCodes).describe('As for POST /v1/memories.'),
            message: z.string().describe('What was wrong, for people.'),
            details: z.record(z.string(), z.unknown()).describe('As for POST /v1/memories.'),
          })
          .nullable()
          .describe('Why it was not added; null if it was.'),
      }),
    )
    .describe('What became of each memory, in the order of the request.'),
});
const relevance = share.describe('From 0 to 1, higher is better.');
const explanation = z
  .object({
    score: z.number().describe('What the memories found are ordered by.'),
    shares: z
      .record(z.string(), z.number())
      .describe('What each feature added to the score; features that added nothing are left out.'),
  })
  .describe('Where the search asked for it.');
const foundMemory = memory.extend({
  id: z
    .string()
    .meta({ pattern: '^(mem|msg|run)_' })
    .describe('Of a memory; or of a mailbox message or a turn of a conversation, by their `type`.'),
  relevance,
  explanation: explanation.optional(),
});
const consultedMemory = z.object({ id: z.string(), type: z.string(), content: z.string(), relevance });

const session = z.object({
  id: z.string().describe('The `sessionId` of its runs and memories.'),
  agent_id: id('agent'),
  opening: z.string().describe('How it began: its first message, at most 200 characters of it.'),
  created_at: time,
  updated_at: time.describe('When its last turn was said.'),
});
const turn = z.object({
  id: z.string(),
  agent_id: id('agent'),
  runId: id('run').describe('The run that has it.'),
  sessionId: z.string(),
  role: z.enum(['user', 'agent']).describe('`user` is whoever wrote to the agent.'),
  content: z.string(),
  created_at: time,
});

const tool = z.enum(['recall', 'remember', 'send_message', 'share_with_hive', 'ask_human', 'answer']);
const toolCall = z.object({
  tool,
  arguments: z.record(z.string(), z.string()),
  parts: z.array(part).optional().describe('What an answer says beside its text.'),
});
const toolOutcome = z.object({
  tool,
  arguments: z.record(z.string(), z.string()),
  ok: z.boolean(),
  result: z.string(),
});

const waitingFor = z
  .object({ kind: z.enum(['approval', 'human']), question: z.string(), action: toolCall.nullable() })
  .nullable()
  .describe('What a paused run waits for.');

const modelUsage = z
  .object({
    requests: count.describe('Requests to model servers that were answered.'),
    inputTokens: count.describe('As the servers reported them, those from a prompt cache included.'),
    outputTokens: count.describe('As the servers reported them.'),
  })
  .describe('What was used of model servers; zeros where the built-in reasoner thinks.');

const run = z.object({
  id: id('run'),
  agent_id: id('agent'),
  status: runStatus,
  stopReason: stopReason.nullable(),
  triggeredBy: z.enum(['api', 'message', 'a2a', 'fork']),
  sessionId: z.string(),
  input: z.string(),
  output: z.string().nullable(),
  error: failure.nullable(),
  waitingFor,
  maxSteps: count,
  maxRuntimeSeconds: count,
  steps: count.describe('Steps done.'),
  forkedFrom: z.object({ runId: id('run'), checkpointId: z.string(), step: count }).nullable(),
  usage: modelUsage,
  created_at: time,
  updated_at: time,
  started_at: time.nullable(),
  ended_at: time.nullable(),
});

const thought = z.object({
  id: z.string(),
  thoughtType: z.enum(thoughtTypes),
  content: z.string(),
  runId: id('run'),
  sessionId: z.string(),
  agent_id: id('agent'),
  step: count,
  created_at: time,
});

const checkpoint = z.object({
  id: z.string(),
  runId: id('run'),
  agent_id: id('agent'),
  sessionId: z.string(),
  step: z.int().min(1),
  calls: z.array(toolOutcome),
  output: z.string().nullable().describe('Partial output so far, if any.'),
  runtimeMs: z
    .number()
    .min(0)
    .describe('Reasoning time used by the run up to here; downtime and pauses are not counted.'),
  created_at: time,
});

const mailboxMessage = z.object({
  id: id('msg'),
  agent_id: id('agent'),
  from: z
    .string()
    .nullable()
    .describe('The agent that sent it, as the service knows; `external`: a client; null: the service itself.'),
  content: z.string(),
  reply_to: z.string().nullable(),
  metadata,
  hops: count.describe('How many agents passed it on; past 16 it wakes nobody.'),
  wakes: count.describe('How often it has woken its agent without being read; at most 3.'),
  read_at: time.nullable(),
  created_at: time,
});
const traffic = z.object({
  since: time.describe('What was sent at this time or later is counted: an hour ago, or later if not `complete`.'),
  until: time.describe('When it was counted.'),
  complete: z
    .boolean()
    .describe('False where the hour has more messages than are counted: the newest 10,000, or fewer if they are long.'),
  messages: count.describe('Messages counted, with those of pairs that are left out.'),
  pairs: z
    .array(
      z.object({
        from: z.string().describe('The agent that sent them; `external`: clients.'),
        to: id('agent').describe('The agent that got them.'),
        count: z.int().min(1).describe('How many.'),
      }),
    )
    .describe('Who wrote to whom, the most first; at most 500 pairs.'),
});
const messageReply = z.object({
  message_id: id('msg'),
  run_id: id('run'),
  status: runStatus.describe('Of the run when this was answered: completed, or why there is no response.'),
  response: z.string().nullable(),
  error: failure.nullable(),
  waitingFor,
  memories_consulted: z.array(consultedMemory),
  sessionId: z.string(),
});

const expiry = z.iso
  .datetime({ offset: true })
  .meta({ pattern: undefined, description: 'ISO 8601; null: never.' })
  .nullable();
const hint = z.string().describe('The first characters of the secret, to tell credentials apart.');
const lastUsed = time.nullable().describe('To the minute; null: never.');
const agentToken = z.object({
  id: id('tok'),
  agent_id: id('agent'),
  name: z.string(),
  scopes: z.array(tokenScope),
  hint,
  expires_at: expiry,
  last_used_at: lastUsed,
  created_at: time,
});
const apiKey = z.object({
  id: id('key'),
  name: z.string(),
  mode: z.enum(['live', 'test']),
  scopes: z.array(scope),
  hint,
  expires_at: expiry,
  last_used_at: lastUsed,
  created_at: time,
});
const auditRecord = z.object({
  id: id('aud'),
  action: z.enum(['key.created', 'key.revoked', 'token.created', 'token.revoked']),
  actor: z.string().describe('The id of the API key that did it, or `command line`, or `server start`.'),
  from: z.string().nullable().describe("The client's address; null for what was done on the machine itself."),
  credential_id: z.string().describe('The key or token that it was done to.'),
  name: z.string().describe('Of that key or token.'),
  agent_id: id('agent').nullable().describe('Whose token it is; null for keys.'),
  scopes: z.array(tokenScope),
  created_at: time,
});

const hive = z.object({
  id: id('hive'),
  name: z.string(),
  description: z.string(),
  metadata,
  memory_count: count,
  created_at: time,
  updated_at: time,
});

const unlimited = count.nullable();
const me = z.object({
  workspace: z
    .object({ id: z.string(), name: z.string(), created_at: time })
    .describe('The workspace that the key belongs to.'),
  mode: z
    .enum(['live', 'test'])
    .describe("`test`: the key works in the workspace's sandbox and sees nothing of the workspace itself."),
  tier: z.enum([...tiers, 'sandbox']).describe('Decides about the limits; `sandbox` for every test key.'),
  key: z
    .object({ id: id('key'), name: z.string(), hint, expires_at: expiry, created_at: time })
    .describe('The API key that the request carries.'),
  scopes: z.array(scope).describe('What the key may do.'),
  limits: z
    .object({
      requests_per_minute: count.describe('Requests that the key may send a minute in the long run.'),
      request_burst: count.describe('Requests that the key may send at once after a pause.'),
      searches_per_minute: count.describe('Of these, searches of memories.'),
      concurrent_requests: count.describe('Requests of the key that may be in progress, including open streams.'),
      memories_per_month: unlimited.describe('Long-term memories that the workspace may add a month.'),
      storage_bytes: unlimited.describe('Bytes that the workspace may store.'),
      api_keys: count.describe('API keys that the workspace may have.'),
      mailbox_messages_per_minute: unlimited.describe(
        'Messages that agents of the workspace may send one another a minute; more are delivered later.',
      ),
    })
    .describe('The limits of the tier; null is unlimited.'),
});

const usage = z.object({
  cycle: z.object({ start: time, end: time }),
  mode: z.enum(['live', 'test']),
  used: count.describe(
    'Memories of the cycle that count against the quota: created minus deleted, without those that expire.',
  ),
  limit: count.nullable().describe('Null is unlimited.'),
  remaining: count.nullable(),
  agents: count.describe('What is stored now in the whole workspace, as are hives, memories and by_type.'),
  hives: count,
  memories: count,
  by_type: z.record(z.string(), count),
  storage: z
    .object({ used: count, limit: count.nullable().describe('Null is unlimited.') })
    .describe('Bytes that everything in the workspace takes, about. At the limit nothing can be added.'),
  models: modelUsage,
  by_agent: z
    .array(
      z.object({
        agent_id: id('agent'),
        name: z.string(),
        used: count.describe('Of the cycle.'),
        memories: count.describe('What is stored now.'),
        memory_quota: count.nullable(),
        models: modelUsage,
      }),
    )
    .describe('The agents whose settings changed last, 100 at most; or the one asked for by `agent_id`.'),
});

const deadLetter = z.object({
  id: id('out'),
  agent_id: id('agent'),
  task_id: id('run'),
  config_id: z.string(),
  url: z.string(),
  status: runStatus.describe('The status that it tells.'),
  reason: z.string().describe('Why it was given up.'),
  tries: count,
  created_at: time,
  updated_at: time.describe('When it was given up.'),
});

const event = {
  seq: z.int().min(1).describe("Numbered 1, 2, 3... within the run, without holes; also the event's id."),
  at: time,
};
const runEvent = z.union([
  z.object({
    ...event,
    type: z.literal('status'),
    status: runStatus,
    stopReason: stopReason.nullable(),
    message: z.string().nullable(),
  }),
  z.object({ ...event, type: z.literal('thought'), thought }),
  z.object({
    ...event,
    type: z.literal('answer'),
    content: z.string(),
    parts: z.array(part).optional().describe('All of it, where that is more than its text.'),
  }),
]);
const workspaceEvent = z.object({
  type: z.enum([
    'agent.created',
    'agent.updated',
    'agent.deleted',
    'memory.created',
    'memory.updated',
    'memory.deleted',
    'hive.created',
    'hive.updated',
    'hive.deleted',
    'message.received',
    'message.deleted',
    'run.status',
    'run.deleted',
    'usage.alert',
  ]),
  at: time,
  data: z.record(z.string(), z.unknown()),
});

/** The schemas under the names that the route table uses (`result`), and the schemas that they are composed of. */
export const results = {
  Agent: agent,
  Memory: memory,
  BatchResult: batchResult,
  FoundMemory: foundMemory,
  ConsultedMemory: consultedMemory,
  Run: run,
  Thought: thought,
  Session: session,
  Turn: turn,
  ToolCall: toolCall,
  ToolOutcome: toolOutcome,
  Checkpoint: checkpoint,
  MailboxMessage: mailboxMessage,
  Traffic: traffic,
  MessageReply: messageReply,
  AgentToken: agentToken,
  ApiKey: apiKey,
  AuditRecord: auditRecord,
  Hive: hive,
  Me: me,
  Usage: usage,
  RunEvent: runEvent,
  WorkspaceEvent: workspaceEvent,
  DeadLetter: deadLetter,
  Part: part,
  MintedToken: agentToken.extend({ token: z.string().describe('The raw token: shown this once, kept nowhere.') }),
  MintedKey: apiKey.extend({ key: z.string().describe('The raw key: shown this once, kept nowhere.') }),
  Deleted: z.object({ id: z.string(), deleted: z.literal(true) }),
} as const;

interface Interfaces {
  Agent: Agent;
  Memory: Memory;
  BatchResult: BatchResult;
  FoundMemory: FoundMemory;
  ConsultedMemory: ConsultedMemory;
  Run: Run;
  Thought: Thought;
  Session: Session;
  Turn: Turn;
  ToolCall: ToolCall;
  ToolOutcome: ToolOutcome;
  Checkpoint: Checkpoint;
  MailboxMessage: MailboxMessage;
  Traffic: Traffic;
  MessageReply: MessageReply;
  AgentToken: AgentToken;
  ApiKey: ApiKey;
  AuditRecord: AuditRecord;
  Hive: Hive;
  Me: Me;
  Usage: Usage;
  RunEvent: RunEvent;
  WorkspaceEvent: WorkspaceEvent;
  DeadLetter: DeadLetter;
  Part: Part;
  MintedToken: AgentToken & { token: string };
  MintedKey: ApiKey & { key: string };
  Deleted: { id: string; deleted: true };
}

/**
 * Flattens intersections and treats readonly and mutable arrays alike, so that only the form on the wire is compared.
 */
type Plain<T> = T extends readonly (infer E)[] ? Plain<E>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
type Names = keyof Interfaces | keyof typeof results;
type NoneOf<T extends never> = T;
/** Fails to compile if a schema does not match its interface, and names the schema. */
export type Differences = NoneOf<
  {
    [K in Names]: K extends keyof Interfaces & keyof typeof results
      ? Same<z.output<(typeof results)[K]>, Interfaces[K]> extends true
        ? never
        : K
      : K;
  }[Names]
>;
