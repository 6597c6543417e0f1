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
const created = time.describe('When it was made; ISO 8601, UTC, with milliseconds.');
const changed = time.describe('When it was changed last; ISO 8601, UTC, with milliseconds.');
const count = z.int().min(0);
const share = z.number().min(0).max(1);
/** Ids are opaque except for their prefix. */
const id = (prefix: string): z.ZodString => z.string().meta({ pattern: `^${prefix}_` });
const metadata = z.record(z.string(), z.unknown());
const scope = z.enum(scopes);
const tokenScope = z.enum(tokenScopes);
const runStatus = z.enum(runStatuses);
const stopReason = z.enum(['answer', 'max_steps', 'timeout']);
const failure = z.object({
  code: z.string().describe('What kind of failure, for programs.'),
  message: z.string().describe('What went wrong, for people.'),
});

const partRest = {
  filename: z.string().optional().describe('The name of the file.'),
  mediaType: z.string().optional().describe('The media type of the content, such as `application/json`.'),
  metadata: metadata.optional().describe('Whatever the sender put with it.'),
};
const part = z.union([
  z.object({ kind: z.literal('text'), text: z.string().describe('The text.'), ...partRest }),
  z.object({ kind: z.literal('data'), data: z.unknown().describe('Any JSON.'), ...partRest }),
  z.object({
    kind: z.literal('file'),
    bytes: z
      .base64()
      .meta({ format: undefined, pattern: undefined, description: 'The content of the file in base 64.' }),
    ...partRest,
  }),
  z.object({ kind: z.literal('file'), uri: z.string().describe('Where the file is.'), ...partRest }),
]);

const agent = z.object({
  id: id('agent').describe('The id of the agent.'),
  name: z.string().describe('Its name; names need not be unique.'),
  description: z.string().describe('What it is for, in the words of whoever made it.'),
  status: z
    .enum(['active', 'inactive', 'terminated'])
    .describe('An inactive agent answers commands with 409; terminated is final.'),
  config: agentConfig,
  memory_count: count.describe(
    "Memories in the agent's own context, those with expires_at included until they expire.",
  ),
  message_count: count.describe('Messages processed: direct messages answered and mailbox messages read.'),
  hives: z.array(id('hive')).describe('Ids of the hives that it belongs to.'),
  metadata: metadata.describe('Whatever clients keep with it.'),
  wake_on_message: z.boolean().describe('An incoming mailbox message starts a run, unless one is pending or running.'),
  memory_quota: count
    .nullable()
    .describe('Cap on memories that expire after more than 30 days, or never; null is unlimited.'),
  maxRuntimeSeconds: count.nullable().describe("Runtime budget of its runs in seconds; null is the service's default."),
  created_at: created,
  updated_at: changed,
  last_active_at: time.describe('When it last did something or was given something; ISO 8601, UTC.'),
});

const memory = z.object({
  id: id('mem').describe('The id of the memory.'),
  type: z.string().describe('Such as episodic, semantic, procedural.'),
  content: z.string().describe('What is remembered, as text.'),
  agent_id: id('agent')
    .nullable()
    .describe('The agent that it belongs to; null if it belongs to a hive or to the workspace.'),
  hive_id: id('hive').nullable().describe("With agent_id null too, the memory is the workspace's."),
  shared_by: id('agent').nullable().describe('In a hive: the agent that shared it.'),
  sessionId: z.string().nullable().describe('The conversation that it is part of; null if none.'),
  position: count.nullable().describe('Place in its session, from 0; null without a session.'),
  importance: share
    .nullable()
    .describe('What the client gave: it decides between memories that match a search alike; null if none.'),
  occurred_at: time.describe('When what it tells was said or happened.'),
  speaker: z.string().nullable().describe('Who said it.'),
  source: id('run').nullable().describe('The run from whose input it was learnt.'),
  supersedes: z.string().nullable().describe('The memory that it replaced.'),
  superseded_by: z.string().nullable().describe('The memory that replaced it.'),
  valid_until: time.nullable().describe('Until when it was so; null: it is so now, as far as is known.'),
  times_seen: z.int().min(1).describe('How often it was stated: a repetition makes no second memory.'),
  last_seen_at: time.describe('When it was stated last.'),
  metadata: metadata.describe('Whatever clients keep with it; lists can be filtered by it.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .meta({ pattern: undefined, description: 'When it is to be forgotten, ISO 8601; null: never.' })
    .nullable(),
  created_at: created,
  updated_at: changed,
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
const consultedMemory = z.object({
  id: z.string().describe('The id of the memory or the message.'),
  type: z.string().describe('Its type; `message` for a mailbox message.'),
  content: z.string().describe('What it says.'),
  relevance,
});

const session = z.object({
  id: z.string().describe('The `sessionId` of its runs and memories.'),
  agent_id: id('agent').describe('The agent that it is with.'),
  opening: z.string().describe('How it began: its first message, at most 200 characters of it.'),
  created_at: created,
  updated_at: time.describe('When its last turn was said.'),
});
const turn = z.object({
  id: z.string().describe('The id of the turn: its run and which turn of it.'),
  agent_id: id('agent').describe('The agent that it was said to or by.'),
  runId: id('run').describe('The run that has it.'),
  sessionId: z.string().describe('The conversation that it is part of.'),
  role: z.enum(['user', 'agent']).describe('`user` is whoever wrote to the agent.'),
  content: z.string().describe('What was said.'),
  created_at: created,
});

const tool = z.enum([
  'recall',
  'remember',
  'update_memory',
  'forget',
  'send_message',
  'share_with_hive',
  'ask_human',
  'answer',
]);
const toolCall = z.object({
  tool: tool.describe('What the reasoner asks for.'),
  arguments: z.record(z.string(), z.string()).describe('By name; which there are depends on the tool.'),
  parts: z.array(part).optional().describe('What an answer says beside its text.'),
});
const toolOutcome = z.object({
  tool: tool.describe('What the reasoner asked for.'),
  arguments: z.record(z.string(), z.string()).describe('By name; which there are depends on the tool.'),
  ok: z.boolean().describe('Whether it could be done.'),
  result: z.string().describe('What came of it, or why it could not be done, as the reasoner is told.'),
});

const waitingFor = z
  .object({
    kind: z.enum(['approval', 'human']).describe('`approval` of an action, or the answer of a `human`.'),
    question: z.string().describe('What is asked, for people.'),
    action: toolCall.nullable().describe('What is to be approved; null for a question.'),
  })
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
  id: id('run').describe('The id of the run, and of the A2A task that it is.'),
  agent_id: id('agent').describe('The agent that it is a run of.'),
  status: runStatus.describe('Where it stands.'),
  stopReason: stopReason
    .nullable()
    .describe('Why a completed run stopped: it answered, or a budget was used up; null otherwise.'),
  triggeredBy: z
    .enum(['api', 'message', 'a2a', 'fork'])
    .describe('What began it: a request, a mailbox message, an A2A message, or a fork of another run.'),
  sessionId: z.string().describe('The conversation that it is part of: the one that was named, or one of its own.'),
  input: z.string().describe('What the agent was asked or told.'),
  output: z
    .string()
    .nullable()
    .describe('What it answered, or what it had when a budget was used up; null if nothing.'),
  error: failure.nullable().describe('Why a failed run failed; null otherwise.'),
  waitingFor,
  maxSteps: count.describe('Calls of the reasoner that it may make.'),
  maxRuntimeSeconds: count.describe('Seconds of reasoning that it may use; time spent waiting is not counted.'),
  steps: count.describe('Steps done.'),
  forkedFrom: z
    .object({
      runId: id('run').describe('That run.'),
      checkpointId: z.string().describe('Its checkpoint.'),
      step: count.describe('The step of the checkpoint: those up to it are not done again.'),
    })
    .nullable()
    .describe('The checkpoint of another run that it goes on from; null if it is no fork.'),
  usage: modelUsage,
  created_at: created,
  updated_at: changed,
  started_at: time.nullable().describe('When its first step began, ISO 8601; null: not yet.'),
  ended_at: time.nullable().describe('When it ended, ISO 8601; null: not yet.'),
});

const thought = z.object({
  id: z.string().describe('The id of the thought.'),
  thoughtType: z.enum(thoughtTypes).describe('What kind of thought it is.'),
  content: z.string().describe('The thought, as text.'),
  runId: id('run').describe('The run that had it.'),
  sessionId: z.string().describe('The conversation of that run.'),
  agent_id: id('agent').describe('The agent of that run.'),
  step: count.describe('The step that it belongs to, from 1.'),
  created_at: created,
});

const checkpoint = z.object({
  id: z.string().describe('The id of the checkpoint; runs are forked from it.'),
  runId: id('run').describe('The run that it is a checkpoint of.'),
  agent_id: id('agent').describe('The agent of that run.'),
  sessionId: z.string().describe('The conversation of that run.'),
  step: z.int().min(1).describe('The step that was done, from 1.'),
  calls: z.array(toolOutcome).describe('What the step asked for and what came of it.'),
  output: z.string().nullable().describe('Partial output so far, if any.'),
  runtimeMs: z
    .number()
    .min(0)
    .describe('Reasoning time used by the run up to here; downtime and pauses are not counted.'),
  created_at: created,
});

const mailboxMessage = z.object({
  id: id('msg').describe('The id of the message.'),
  agent_id: id('agent').describe('The agent whose mailbox it is in.'),
  from: z
    .string()
    .nullable()
    .describe('The agent that sent it, as the service knows; `external`: a client; null: the service itself.'),
  content: z.string().describe('The text of the message.'),
  reply_to: z.string().nullable().describe('The id of the message that it answers; null if none.'),
  metadata: metadata.describe('Whatever the sender put with it.'),
  hops: count.describe('How many agents passed it on; past 16 it wakes nobody.'),
  wakes: count.describe('How often it has woken its agent without being read; at most 3.'),
  read_at: time.nullable().describe('When a step of the agent read it, ISO 8601; null: not yet.'),
  created_at: created,
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
  message_id: id('msg').describe('The id of the message that was sent.'),
  run_id: id('run').describe('The run that answers it.'),
  status: runStatus.describe('Of the run when this was answered: completed, or why there is no response.'),
  response: z.string().nullable().describe('The answer; null where `status` says why there is none.'),
  error: failure.nullable().describe('Why the run failed; null otherwise.'),
  waitingFor,
  memories_consulted: z.array(consultedMemory).describe('The memories that the answer rests on, with their relevance.'),
  sessionId: z.string().describe('The conversation: send it with the next message to go on.'),
});

const expiry = z.iso
  .datetime({ offset: true })
  .meta({ pattern: undefined, description: 'When it ends by itself, ISO 8601; null: never.' })
  .nullable();
const hint = z.string().describe('The first characters of the secret, to tell credentials apart.');
const lastUsed = time.nullable().describe('To the minute; null: never.');
const agentToken = z.object({
  id: id('tok').describe('The id of the token.'),
  agent_id: id('agent').describe('The agent whose A2A endpoint it opens.'),
  name: z.string().describe('What whoever made it called it.'),
  scopes: z.array(tokenScope).describe('What it may do there.'),
  hint,
  expires_at: expiry,
  last_used_at: lastUsed,
  created_at: created,
});
const apiKey = z.object({
  id: id('key').describe('The id of the key.'),
  name: z.string().describe('What whoever made it called it.'),
  mode: z.enum(['live', 'test']).describe('`live` works in the workspace, `test` in its sandbox.'),
  scopes: z.array(scope).describe('What it may do.'),
  hint,
  expires_at: expiry,
  last_used_at: lastUsed,
  created_at: created,
});
const auditRecord = z.object({
  id: id('aud').describe('The id of the record.'),
  action: z.enum(['key.created', 'key.revoked', 'token.created', 'token.revoked']).describe('What was done.'),
  actor: z.string().describe('The id of the API key that did it, or `command line`, or `server start`.'),
  from: z.string().nullable().describe("The client's address; null for what was done on the machine itself."),
  credential_id: z.string().describe('The key or token that it was done to.'),
  name: z.string().describe('Of that key or token.'),
  agent_id: id('agent').nullable().describe('Whose token it is; null for keys.'),
  scopes: z.array(tokenScope).describe('What that key or token may do.'),
  created_at: created,
});

const hive = z.object({
  id: id('hive').describe('The id of the hive.'),
  name: z.string().describe('Its name; names need not be unique.'),
  description: z.string().describe('What it is for.'),
  metadata: metadata.describe('Whatever clients keep with it.'),
  memory_count: count.describe('Memories that are shared in it.'),
  created_at: created,
  updated_at: changed,
});

const unlimited = count.nullable();
const me = z.object({
  workspace: z
    .object({
      id: z.string().describe('The id of the workspace.'),
      name: z.string().describe('Its name.'),
      created_at: created,
    })
    .describe('The workspace that the key belongs to.'),
  mode: z
    .enum(['live', 'test'])
    .describe("`test`: the key works in the workspace's sandbox and sees nothing of the workspace itself."),
  tier: z.enum([...tiers, 'sandbox']).describe('Decides about the limits; `sandbox` for every test key.'),
  key: z
    .object({
      id: id('key').describe('The id of the key.'),
      name: z.string().describe('What whoever made it called it.'),
      hint,
      expires_at: expiry,
      created_at: created,
    })
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
  cycle: z
    .object({ start: time.describe('Its first moment.'), end: time.describe('The first moment after it.') })
    .describe('The month that the quota is for; it ends when the next begins.'),
  mode: z.enum(['live', 'test']).describe('`test` for the sandbox.'),
  used: count.describe(
    'Memories of the cycle that count against the quota: created minus deleted, without those that expire.',
  ),
  limit: count.nullable().describe('Null is unlimited.'),
  remaining: count.nullable().describe('What is left of the limit; null is unlimited.'),
  agents: count.describe('What is stored now in the whole workspace, as are hives, memories and by_type.'),
  hives: count.describe('Hives in the workspace now.'),
  memories: count.describe('Memories stored in the workspace now, also those that expire.'),
  by_type: z.record(z.string(), count).describe('These memories by their type.'),
  storage: z
    .object({ used: count.describe('Bytes in use.'), limit: count.nullable().describe('Null is unlimited.') })
    .describe('Bytes that everything in the workspace takes, about. At the limit nothing can be added.'),
  models: modelUsage,
  by_agent: z
    .array(
      z.object({
        agent_id: id('agent').describe('The agent.'),
        name: z.string().describe('Its name.'),
        used: count.describe('Of the cycle.'),
        memories: count.describe('What is stored now.'),
        memory_quota: count.nullable().describe('Its cap on long-term memories; null is no cap.'),
        models: modelUsage,
      }),
    )
    .describe('The agents whose settings changed last, 100 at most; or the one asked for by `agent_id`.'),
});

const deadLetter = z.object({
  id: id('out').describe('The id of the dead letter.'),
  agent_id: id('agent').describe('The agent whose task it tells of.'),
  task_id: id('run').describe('The task, which is a run.'),
  config_id: z.string().describe('The push config that it was sent by.'),
  url: z.string().describe('Where it was sent to; its query is masked.'),
  status: runStatus.describe('The status that it tells.'),
  reason: z.string().describe('Why it was given up.'),
  tries: count.describe('How often it was tried.'),
  created_at: created,
  updated_at: time.describe('When it was given up.'),
});

const event = {
  seq: z.int().min(1).describe("Numbered 1, 2, 3... within the run, without holes; also the event's id."),
  at: time.describe('When it happened; ISO 8601, UTC, with milliseconds.'),
};
const runEvent = z.union([
  z.object({
    ...event,
    type: z.literal('status'),
    status: runStatus.describe('Where the run stands now.'),
    stopReason: stopReason.nullable().describe('Why a completed run stopped; null otherwise.'),
    message: z.string().nullable().describe('More about it, for people; null if there is nothing to say.'),
  }),
  z.object({ ...event, type: z.literal('thought'), thought }),
  z.object({
    ...event,
    type: z.literal('answer'),
    content: z.string().describe('The answer of the run, which is its output.'),
    parts: z.array(part).optional().describe('All of it, where that is more than its text.'),
  }),
]);
const workspaceEvent = z.object({
  type: z
    .enum([
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
    ])
    .describe('What happened.'),
  at: time.describe('When it happened; ISO 8601, UTC, with milliseconds.'),
  data: z.record(z.string(), z.unknown()).describe('What it was: ids of what it is about, and details by type.'),
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
  Deleted: z.object({ id: z.string().describe('The id of what was deleted.'), deleted: z.literal(true) }),
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
