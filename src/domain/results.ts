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
  type RunUpdate,
  type Session,
  type Thought,
  type ToolCall,
  type ExportLine,
  type ImportReport,
  type Traffic,
  type ToolOutcome,
  type Turn,
  type Usage,
  type UsageAlerts,
  type WorkspaceEvent,
} from './model.js';
import { runStatuses, scopes, thoughtTypes, tiers, tokenScopes, tools } from './vocabulary.js';
import type { DeadLetter, Part } from './task.js';

const time = z.iso.datetime({ precision: 3 }).meta({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'ISO 8601, UTC, with milliseconds.',
});
const created = time.describe('Creation time, ISO 8601 in UTC with milliseconds.');
const changed = time.describe('Time of the last change, ISO 8601 in UTC with milliseconds.');
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
  code: z.string().describe('A machine-readable failure code.'),
  message: z.string().describe('A human-readable explanation of the failure.'),
});

const partRest = {
  filename: z.string().optional().describe('The file name.'),
  mediaType: z.string().optional().describe('The media type of the content, for example `application/json`.'),
  metadata: metadata.optional().describe('Arbitrary metadata set by the sender.'),
};
const part = z.union([
  z.object({ kind: z.literal('text'), text: z.string().describe('The text.'), ...partRest }),
  z.object({ kind: z.literal('data'), data: z.unknown().describe('Any JSON value.'), ...partRest }),
  z.object({
    kind: z.literal('file'),
    bytes: z.base64().meta({ format: undefined, pattern: undefined, description: 'The file content, base64-encoded.' }),
    ...partRest,
  }),
  z.object({ kind: z.literal('file'), uri: z.string().describe('The URL of the file.'), ...partRest }),
]);

const agent = z.object({
  id: id('agent').describe('The id of the agent.'),
  name: z.string().describe('The display name. Names need not be unique.'),
  description: z.string().describe('A free-text description of its purpose.'),
  status: z
    .enum(['active', 'inactive', 'terminated'])
    .describe('An inactive agent rejects commands with 409. A terminated agent can only be set inactive.'),
  config: agentConfig,
  memory_count: count.describe(
    "The number of memories in the agent's own context, including those with `expires_at` until they expire.",
  ),
  message_count: count.describe(
    'The number of messages processed: direct messages, A2A messages, and mailbox messages that were read.',
  ),
  hives: z.array(id('hive')).describe('The ids of the hives it belongs to.'),
  metadata: metadata.describe('Arbitrary metadata set by clients.'),
  wake_on_message: z
    .boolean()
    .describe('Whether an incoming mailbox message starts a run when none is pending or running.'),
  memory_quota: count
    .nullable()
    .describe(
      'The maximum number of long-term memories: those that never expire, or expire after more than 30 days. Null means unlimited.',
    ),
  maxRuntimeSeconds: count
    .nullable()
    .describe('The runtime budget of each run in seconds. Null means the service default.'),
  created_at: created,
  updated_at: changed,
  last_active_at: time.describe('The time of its last activity or input, ISO 8601 in UTC.'),
});

const memory = z.object({
  id: id('mem').describe('The id of the memory.'),
  type: z.string().describe('The kind of memory, for example episodic, semantic or procedural.'),
  content: z.string().describe('The remembered text.'),
  agent_id: id('agent')
    .nullable()
    .describe('The agent it belongs to, or null for memories of a hive or of the workspace.'),
  hive_id: id('hive')
    .nullable()
    .describe('The hive it belongs to. If `agent_id` is null as well, it is a memory of the workspace.'),
  shared_by: id('agent').nullable().describe('For hive memories, the agent that shared it.'),
  sessionId: z.string().nullable().describe('The conversation it is part of, if any.'),
  position: count
    .nullable()
    .describe('Its position in the session, starting at 0. Null without a session, and for what was learnt.'),
  importance: share
    .nullable()
    .describe('The importance set by the client. It breaks ties between memories that match a search equally well.'),
  occurred_at: time.describe('When the content was said or happened.'),
  speaker: z.string().nullable().describe('Who said it.'),
  source: id('run').nullable().describe('The run whose input it was learnt from.'),
  supersedes: z.string().nullable().describe('The id of the memory it replaced.'),
  superseded_by: z.string().nullable().describe('The id of the memory that replaced it.'),
  valid_until: time
    .nullable()
    .describe('When the fact stopped being true. Null means that it still holds, as far as is known.'),
  times_seen: z
    .int()
    .min(1)
    .describe('How often it was stated. A repetition raises this count and adds no second memory.'),
  last_seen_at: time.describe('When it was last stated.'),
  metadata: metadata.describe('Arbitrary metadata set by clients. Lists can be filtered by it.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .meta({ pattern: undefined, description: 'When it expires, ISO 8601. Null means never.' })
    .nullable(),
  created_at: created,
  updated_at: changed,
});
const batchResult = z.object({
  created: count.describe('The number of memories added.'),
  failed: count.describe('The number of memories rejected.'),
  results: z
    .array(
      z.object({
        memory: memory.nullable().describe('The memory as stored, or null if it was rejected.'),
        error: z
          .object({
            code: z.enum(errorCodes).describe('As in errors of POST /v1/memories.'),
            message: z.string().describe('A human-readable explanation.'),
            details: z.record(z.string(), z.unknown()).describe('As in errors of POST /v1/memories.'),
          })
          .nullable()
          .describe('Why it was rejected, or null if it was added.'),
      }),
    )
    .describe('The outcome for each memory, in the order of the request.'),
});
const relevance = share.describe('A score from 0 to 1; higher is better.');
const explanation = z
  .object({
    score: z.number().describe('The score by which results are ordered.'),
    shares: z
      .record(z.string(), z.number())
      .describe('The contribution of each feature to the score. Features that contributed nothing are left out.'),
  })
  .describe('Present if the search set `explain`.');
const foundMemory = memory.extend({
  id: z
    .string()
    .meta({ pattern: '^(mem|msg|run)_' })
    .describe('The id of a memory, a mailbox message or a conversation turn, depending on `type`.'),
  relevance,
  explanation: explanation.optional(),
});
const consultedMemory = z.object({
  id: z.string().describe('The id of the memory or the message.'),
  type: z.string().describe('The type of the memory, or `message` for a mailbox message.'),
  content: z.string().describe('Its text.'),
  relevance,
});

const session = z.object({
  id: z.string().describe('The id of the session: the `sessionId` of its runs and memories.'),
  agent_id: id('agent').describe('The agent the conversation is with.'),
  opening: z.string().describe('The first message of the conversation, cut to 200 characters.'),
  created_at: created,
  updated_at: time.describe('The time of its last turn.'),
});
const turn = z.object({
  id: z.string().describe('The id of the turn: the id of its run and the number of the turn in it.'),
  agent_id: id('agent').describe('The agent that said it or was told it.'),
  runId: id('run').describe('The run it belongs to.'),
  sessionId: z.string().describe('The conversation it is part of.'),
  role: z.enum(['user', 'agent']).describe('Who said it: `user` stands for anyone writing to the agent.'),
  content: z.string().describe('The text of the turn.'),
  created_at: created,
});

const tool = z.enum(tools);
const toolCall = z.object({
  tool: tool.describe('The tool the reasoner calls.'),
  arguments: z.record(z.string(), z.string()).describe('The arguments by name; they depend on the tool.'),
  parts: z.array(part).optional().describe('The parts of an answer beyond its text.'),
});
const toolOutcome = z.object({
  tool: tool.describe('The tool the reasoner called.'),
  arguments: z.record(z.string(), z.string()).describe('The arguments by name; they depend on the tool.'),
  ok: z.boolean().describe('Whether the call succeeded.'),
  result: z.string().describe('The result or the reason of the failure, as told to the reasoner.'),
});

const waitingFor = z
  .object({
    id: z
      .string()
      .describe(
        'The id of the question, which an answer may name. It is also the `messageId` of the question in the A2A task.',
      ),
    kind: z
      .enum(['approval', 'human'])
      .describe('What kind of input is needed: `approval` of an action, or an answer from a `human`.'),
    question: z.string().describe('The question to show to a human.'),
    action: toolCall.nullable().describe('The action to approve, or null for a plain question.'),
  })
  .nullable()
  .describe('What a paused run is waiting for.');

const modelUsage = z
  .object({
    requests: count.describe('The number of requests that model servers answered.'),
    inputTokens: count.describe('Input tokens as reported by the servers, including tokens read from a prompt cache.'),
    outputTokens: count.describe('As the servers reported them.'),
  })
  .describe('Usage of model servers. All zeros with the built-in reasoner.');

const run = z.object({
  id: id('run').describe('The id of the run, which is also the id of its A2A task.'),
  agent_id: id('agent').describe('The agent the run belongs to.'),
  status: runStatus.describe('The current status of the run.'),
  stopReason: stopReason.nullable().describe('Why a run stopped: it answered, or it used up a budget. Null otherwise.'),
  triggeredBy: z
    .enum(['api', 'message', 'a2a', 'fork'])
    .describe('What started the run: an API request, a mailbox message, an A2A message, or a fork of another run.'),
  sessionId: z.string().describe('The conversation it is part of: the one named in the request, or a new one.'),
  input: z.string().describe('The input given to the agent.'),
  output: z
    .string()
    .nullable()
    .describe('The answer, or the partial output if a budget was used up. Null if there is none.'),
  error: failure.nullable().describe('Why the run failed, or null if it did not fail.'),
  waitingFor,
  maxSteps: count.describe('The maximum number of reasoner calls.'),
  maxRuntimeSeconds: count.describe('The maximum reasoning time in seconds. Time spent waiting is not counted.'),
  steps: count.describe('The number of steps completed.'),
  forkedFrom: z
    .object({
      runId: id('run').describe('The id of the original run.'),
      checkpointId: z.string().describe('The checkpoint the fork started from.'),
      step: count.describe('The step of that checkpoint. Steps up to it are not repeated.'),
    })
    .nullable()
    .describe('The checkpoint of the run it was forked from, or null if it is not a fork.'),
  usage: modelUsage,
  created_at: created,
  updated_at: changed,
  started_at: time.nullable().describe('When the first step started, ISO 8601. Null if it has not started.'),
  ended_at: time.nullable().describe('When the run ended, ISO 8601. Null if it has not ended.'),
});

const thought = z.object({
  id: z.string().describe('The id of the thought.'),
  thoughtType: z.enum(thoughtTypes).describe('The kind of thought.'),
  content: z.string().describe('The text of the thought.'),
  runId: id('run').describe('The run that produced it.'),
  sessionId: z.string().describe('The conversation the run is part of.'),
  agent_id: id('agent').describe('The agent the run belongs to.'),
  step: count.describe('The number of its step, starting at 1.'),
  created_at: created,
});

const checkpoint = z.object({
  id: z.string().describe('The id of the checkpoint. Runs can be forked from it.'),
  runId: id('run').describe('The run it belongs to.'),
  agent_id: id('agent').describe('The agent the run belongs to.'),
  sessionId: z.string().describe('The conversation the run is part of.'),
  step: z.int().min(1).describe('The number of the completed step, starting at 1.'),
  calls: z.array(toolOutcome).describe('The tool calls of the step with their outcomes.'),
  output: z.string().nullable().describe('The partial output so far, if any.'),
  runtimeMs: z
    .number()
    .min(0)
    .describe('Reasoning time used so far, in milliseconds. Downtime and pauses are not counted.'),
  created_at: created,
});

const mailboxMessage = z.object({
  id: id('msg').describe('The id of the message.'),
  agent_id: id('agent').describe('The agent whose mailbox holds the message.'),
  from: z
    .string()
    .nullable()
    .describe(
      'The sender as verified by the service: an agent id, `external` for a client, or null for the service itself.',
    ),
  content: z.string().describe('The text of the message.'),
  reply_to: z.string().nullable().describe('The id of the message it answers, if any.'),
  metadata: metadata.describe('Arbitrary metadata set by the sender.'),
  hops: count.describe('The number of agents that forwarded it. After 16 hops a message no longer wakes agents.'),
  wakes: count.describe('How often it has woken the agent without being read, at most 3.'),
  read_at: time.nullable().describe('When a step of the agent read it, ISO 8601. Null if unread.'),
  created_at: created,
});
const traffic = z.object({
  since: time.describe('The start of the period counted: one hour ago, or later if not `complete`.'),
  until: time.describe('The end of the period counted.'),
  complete: z
    .boolean()
    .describe(
      'False if the hour has more messages than are counted. The newest 10,000 are counted, or fewer if they are long.',
    ),
  messages: count.describe('The number of messages counted, including pairs that are not listed.'),
  pairs: z
    .array(
      z.object({
        from: z.string().describe('The sending agent, or `external` for clients.'),
        to: id('agent').describe('The receiving agent.'),
        count: z.int().min(1).describe('The number of messages.'),
      }),
    )
    .describe('Message counts by sender and receiver, highest first, at most 500 pairs.'),
});
const exportLine = z.object({
  record: z
    .string()
    .describe('What the line is: `export`, `workspace`, `hive`, `agent`, `memory`, ... (docs/export.md).'),
  id: z.string().optional().describe('The id of what the line holds.'),
  data: z.record(z.string(), z.unknown()).optional().describe('Its fields, which mean what they do elsewhere.'),
});
const recordCounts = z.record(z.string(), count.describe('The number of records of this kind.'));
const importReport = z.object({
  added: recordCounts.describe('How many records were added, by kind.'),
  present: recordCounts.describe('How many were there already and stayed as they are, by kind.'),
  refused: count.describe('How many were left out.'),
  reasons: z.array(z.string()).describe('Why records were left out; the first 10 reasons.'),
  sha256: z.string().describe('The SHA-256 of the lines, as the last line of the export has it.'),
});
const messageReply = z.object({
  message_id: id('msg').describe('The id of the message sent.'),
  run_id: id('run').describe('The run that answers it.'),
  status: runStatus.describe(
    'The status of the run at the time of this reply. If it is not `completed`, it says why there is no response.',
  ),
  response: z.string().nullable().describe('The answer, or null if there is none yet; see `status`.'),
  error: failure.nullable().describe('Why the run failed, or null if it did not fail.'),
  waitingFor,
  memories_consulted: z.array(consultedMemory).describe('The memories the answer is based on, with their relevance.'),
  sessionId: z.string().describe('The id of the conversation. Send it with the next message to continue.'),
});

const expiry = z.iso
  .datetime({ offset: true })
  .meta({ pattern: undefined, description: 'When it expires, ISO 8601. Null means never.' })
  .nullable();
const hint = z.string().describe('The first characters of the secret, for telling credentials apart.');
const lastUsed = time.nullable().describe('When it was last used, accurate to the minute. Null means never.');
const agentToken = z.object({
  id: id('tok').describe('The id of the token.'),
  agent_id: id('agent').describe('The agent whose A2A endpoint it gives access to.'),
  name: z.string().describe('The name given by its creator.'),
  scopes: z.array(tokenScope).describe('The scopes granted at that endpoint.'),
  hint,
  expires_at: expiry,
  last_used_at: lastUsed,
  created_at: created,
});
const apiKey = z.object({
  id: id('key').describe('The id of the key.'),
  name: z.string().describe('The name given by its creator.'),
  mode: z.enum(['live', 'test']).describe('`live` keys work in the workspace, `test` keys in its sandbox.'),
  scopes: z.array(scope).describe('The scopes granted.'),
  hint,
  expires_at: expiry,
  last_used_at: lastUsed,
  created_at: created,
});
const auditRecord = z.object({
  id: id('aud').describe('The id of the record.'),
  action: z.enum(['key.created', 'key.revoked', 'token.created', 'token.revoked']).describe('The action performed.'),
  actor: z.string().describe('Who did it: the id of an API key, `command line` or `server start`.'),
  from: z.string().nullable().describe('The address of the client. Null for actions on the machine itself.'),
  credential_id: z.string().describe('The id of the key or token concerned.'),
  name: z.string().describe('The name of the key or token.'),
  agent_id: id('agent').nullable().describe('The agent of the token, or null for keys.'),
  scopes: z.array(tokenScope).describe('The scopes of the key or token.'),
  created_at: created,
});

const hive = z.object({
  id: id('hive').describe('The id of the hive.'),
  name: z.string().describe('The display name. Names need not be unique.'),
  description: z.string().describe('A free-text description.'),
  metadata: metadata.describe('Arbitrary metadata set by clients.'),
  memory_count: count.describe('The number of memories shared in it.'),
  created_at: created,
  updated_at: changed,
});

const unlimited = count.nullable();
const me = z.object({
  workspace: z
    .object({
      id: z.string().describe('The id of the workspace.'),
      name: z.string().describe('The name.'),
      created_at: created,
    })
    .describe('The workspace the key belongs to.'),
  mode: z
    .enum(['live', 'test'])
    .describe('Whether the key works in the workspace itself (`live`) or in its separate sandbox (`test`).'),
  tier: z.enum([...tiers, 'sandbox']).describe('The tier, which sets the limits. It is `sandbox` for every test key.'),
  key: z
    .object({
      id: id('key').describe('The id of the key.'),
      name: z.string().describe('The name given by its creator.'),
      hint,
      expires_at: expiry,
      created_at: created,
    })
    .describe('The API key of this request.'),
  scopes: z.array(scope).describe('The scopes granted to the key.'),
  limits: z
    .object({
      requests_per_minute: count.describe('Sustained requests per minute for the key.'),
      request_burst: count.describe('The largest burst of requests after a pause.'),
      searches_per_minute: count.describe('Memory searches per minute; they also count as requests.'),
      concurrent_requests: count.describe(
        'Requests of the key that may be in progress at once, including open streams.',
      ),
      memories_per_month: unlimited.describe('Long-term memories that the workspace may add each month.'),
      storage_bytes: unlimited.describe('The storage of the workspace in bytes.'),
      api_keys: count.describe('The maximum number of API keys of the workspace.'),
      mailbox_messages_per_minute: unlimited.describe(
        'Messages per minute between agents of the workspace. Further messages are delivered later.',
      ),
    })
    .describe('The limits of the tier. Null means unlimited.'),
});

const usage = z.object({
  cycle: z
    .object({
      start: time.describe('The first moment of the cycle.'),
      end: time.describe('The first moment after the cycle.'),
    })
    .describe('The calendar month the quota applies to.'),
  mode: z.enum(['live', 'test']).describe('`live` for the workspace, `test` for its sandbox.'),
  used: count.describe(
    'Memories counted against the quota in this cycle: created minus deleted, excluding short-term memories.',
  ),
  limit: count.nullable().describe('The limit. Null means unlimited.'),
  remaining: count.nullable().describe('What remains of the limit. Null means unlimited.'),
  agents: count.describe('The number of agents in the workspace now.'),
  hives: count.describe('The number of hives in the workspace now.'),
  memories: count.describe('The number of memories in the workspace now, including those that expire.'),
  by_type: z.record(z.string(), count).describe('The same number by memory type.'),
  storage: z
    .object({
      used: count.describe('Bytes in use.'),
      limit: count.nullable().describe('The limit. Null means unlimited.'),
    })
    .describe('The approximate storage of the workspace. At the limit nothing can be added.'),
  models: modelUsage,
  by_agent: z
    .array(
      z.object({
        agent_id: id('agent').describe('The agent.'),
        name: z.string().describe('The name.'),
        used: count.describe('Its memories counted against the quota in this cycle.'),
        memories: count.describe('The number of its memories now.'),
        memory_quota: count.nullable().describe('Its maximum number of long-term memories. Null means unlimited.'),
        models: modelUsage,
      }),
    )
    .describe('Up to 100 agents, most recently changed first, or the one selected by `agent_id`.'),
});

const usageAlerts = z.object({
  thresholds: z
    .array(z.int().min(1).max(100))
    .describe(
      'The percentages of the monthly quota at which an alert is sent, ascending. Empty means that alerts are off.',
    ),
  webhook: z
    .object({
      url: z.string().describe('The URL alerts are sent to. Its query is masked for keys without workspace:admin.'),
      has_token: z.boolean().describe('Whether a token is sent along. The token itself is never shown.'),
    })
    .nullable()
    .describe('The webhook that receives alerts in addition to the event stream, or null.'),
  sent: z
    .array(
      z.object({
        percent: z.int().min(1).max(100).describe('The threshold that was reached.'),
        used: count.describe('The memories counted in the cycle at that time.'),
        at: time.describe('When the alert was sent.'),
        webhook: z
          .enum(['none', 'waiting', 'delivered', 'failed'])
          .describe(
            'The delivery to the webhook: `none` without a webhook, `waiting` while it is attempted, `delivered` or `failed`.',
          ),
        reason: z.string().nullable().describe('Why delivery failed. Null otherwise.'),
      }),
    )
    .describe('The alerts of this cycle, in the order in which they were sent.'),
  updated_at: time.nullable().describe('When these settings were changed. Null for the defaults.'),
});

const deadLetter = z.object({
  id: id('out').describe('The id of the dead letter.'),
  agent_id: id('agent').describe('The agent the task belongs to.'),
  task_id: id('run').describe('The id of the task, which is also the id of its run.'),
  config_id: z.string().describe('The push configuration it was sent for.'),
  url: z.string().describe('The destination URL, with its query masked.'),
  status: runStatus.describe('The task status it reports.'),
  reason: z.string().describe('Why delivery was given up.'),
  tries: count.describe('The number of delivery attempts.'),
  created_at: created,
  updated_at: time.describe('When delivery was given up.'),
});

const event = {
  seq: z
    .int()
    .min(1)
    .describe('The sequence number within the run, starting at 1 without gaps. It is also the id of the event.'),
  at: time.describe('When it happened, ISO 8601 in UTC with milliseconds.'),
};
const runEvent = z.union([
  z.object({
    ...event,
    type: z.literal('status'),
    status: runStatus.describe('The new status of the run.'),
    stopReason: stopReason.nullable().describe('Why the run stopped, as in the run. Null otherwise.'),
    message: z.string().nullable().describe('A human-readable detail, if any.'),
  }),
  z.object({ ...event, type: z.literal('thought'), thought }),
  z.object({
    ...event,
    type: z.literal('answer'),
    content: z.string().describe('The answer, which is the output of the run.'),
    parts: z.array(part).optional().describe('All parts of the answer, if it is more than text.'),
  }),
]);
const runDelta = z.object({
  type: z.literal('delta'),
  at: event.at,
  step: z.int().min(1).describe('The step that the model is at.'),
  append: z
    .boolean()
    .describe('Whether the text goes on; false where it takes the place of all text of the run before it.'),
  text: z.string().describe('What the model has written, which may turn out to be no answer: `answer` has all of it.'),
});
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
    .describe('The type of the event.'),
  at: time.describe('When it happened, ISO 8601 in UTC with milliseconds.'),
  data: z.record(z.string(), z.unknown()).describe('The ids concerned, and details that depend on the type.'),
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
  RunEvent: z.union([...runEvent.options, runDelta]),
  WorkspaceEvent: workspaceEvent,
  DeadLetter: deadLetter,
  Part: part,
  MintedToken: agentToken.extend({
    token: z.string().describe('The secret token. It is shown only once and never stored.'),
  }),
  MintedKey: apiKey.extend({ key: z.string().describe('The secret key. It is shown only once and never stored.') }),
  Deleted: z.object({ id: z.string().describe('The id of the deleted resource.'), deleted: z.literal(true) }),
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
  ExportLine: ExportLine;
  ImportReport: ImportReport;
  Traffic: Traffic;
  MessageReply: MessageReply;
  AgentToken: AgentToken;
  ApiKey: ApiKey;
  AuditRecord: AuditRecord;
  Hive: Hive;
  Me: Me;
  Usage: Usage;
  UsageAlerts: UsageAlerts;
  RunEvent: RunUpdate;
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
