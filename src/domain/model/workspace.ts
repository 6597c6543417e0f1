/** A workspace with its keys, its usage and its events (docs/api.md 2.4, 2.14). */
import { z } from 'zod';
import { type Tier, modes, tiers, webhookEvents, auditActions } from '../shared/vocabulary.js';
import {
  changed,
  count,
  created,
  expiryTime,
  fixedList,
  hint,
  id,
  lastUsed,
  runStatus,
  scope,
  time,
  tokenScope,
  unlimited,
} from './fields.js';
import { modelUsage } from './run.js';

export interface Workspace {
  id: string;
  name: string;
  tier: Tier;
  created_at: string;
}

const credential = {
  name: z.string().describe('The name given by its creator.'),
  hint,
  expires_at: expiryTime,
  last_used_at: lastUsed,
  created_at: created,
};
export const agentToken = z.object({
  id: id('tok').describe('The id of the token.'),
  ...credential,
  agent_id: id('agent').describe('The agent whose A2A endpoint it gives access to.'),
  scopes: z.array(tokenScope).describe('The scopes granted at that endpoint.'),
  tasks: z
    .literal('own')
    .optional()
    .describe('Set where it reaches only the A2A tasks that it began. Without it, it reaches all of the agent.'),
});
export type AgentToken = z.infer<typeof agentToken>;
export const apiKey = z.object({
  id: id('key').describe('The id of the key.'),
  ...credential,
  mode: z.enum(modes).describe('`live` keys work in the workspace, `test` keys in its sandbox.'),
  scopes: z.array(scope).describe('The scopes granted.'),
});
export type ApiKey = z.infer<typeof apiKey>;
export const auditRecord = z.object({
  id: id('aud').describe('The id of the record.'),
  action: z.enum(auditActions).describe('What was done.'),
  actor: z
    .string()
    .describe('Who did it: the id of an API key, token or access token, `command line` or `server start`.'),
  actor_name: z
    .string()
    .nullable()
    .describe('The name that the key or token had at that time, or the person of an access token.'),
  from: z
    .string()
    .nullable()
    .describe('The address of the client. Null for actions on the machine itself, and where it is not known.'),
  request_id: z.string().nullable().describe('The `X-Request-Id` of the response to the request that did it.'),
  target_id: z
    .string()
    .nullable()
    .describe('The id of what was changed: a key, an agent, a memory, a run ... Null for a tool.'),
  credential_id: z.string().nullable().describe('The id of the key or token concerned. Null for everything else.'),
  name: z.string().describe('The name of what was changed. Empty if it has none.'),
  agent_id: id('agent').nullable().describe('The agent that it belongs to. Null if it belongs to none.'),
  hive_id: id('hive').nullable().describe('The hive that it belongs to. Null if it belongs to none.'),
  scopes: z.array(tokenScope).describe('The scopes of the key or token. None for everything else.'),
  fields: z
    .array(z.string())
    .describe('The fields that the request gave, without their values; of `config` its own: `config.tools`.'),
  count: count.nullable().describe('How many things were changed, where one request changes many. Null otherwise.'),
  words: z
    .string()
    .nullable()
    .describe('What somebody said with a decision or an answer, cut after 2,000 characters. Null if nothing.'),
  created_at: created,
});
export type AuditRecord = z.infer<typeof auditRecord>;

export const me = z.object({
  workspace: z
    .object({
      id: z.string().describe('The id of the workspace.'),
      name: z.string().describe('The name.'),
      created_at: created,
    })
    .describe('The workspace the key belongs to.'),
  mode: z
    .enum(modes)
    .describe('Whether the key works in the workspace itself (`live`) or in its separate sandbox (`test`).'),
  tier: z.enum([...tiers, 'sandbox']).describe('The tier, which sets the limits. It is `sandbox` for every test key.'),
  key: apiKey
    .pick({ name: true, hint: true, expires_at: true, created_at: true })
    .extend({ id: z.string().describe('Its id, or `oauth_` and the subject of an access token.') })
    .describe('The API key or access token of this request.'),
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
  model_servers: fixedList(z.string()).describe(
    'The names of the model servers that are configured, which `config.model` of an agent may name before a slash.',
  ),
});
export type Me = z.infer<typeof me>;

const dayUsage = {
  runs: count.describe('Runs that used a model and ended.'),
  failed: count.describe('Those of them that failed or ran out of time.'),
  ...modelUsage.shape,
};
const calendarDay = z.iso.date();
export const usageDays = z.object({
  from: calendarDay.describe('The first day that is told, UTC.'),
  until: calendarDay.describe('The last day, UTC.'),
  days: z
    .array(z.object({ day: calendarDay.describe('The day, UTC.'), ...dayUsage }))
    .describe('The days on which models were used, in order.'),
  by_agent: z
    .array(
      z.object({
        agent_id: id('agent').describe('The agent.'),
        name: z.string().nullable().describe('Its name. Null once it is deleted.'),
        ...dayUsage,
      }),
    )
    .describe(
      'The agents that cost the most in these days, or used the most tokens where no price is known; at most 20.',
    ),
  complete: z
    .boolean()
    .describe('False if there is more than one request adds up. What is left out is the earliest, of `from` on.'),
});
export type UsageDays = z.infer<typeof usageDays>;

export const usage = z.object({
  cycle: z
    .object({
      start: time.describe('The first moment of the cycle.'),
      end: time.describe('The first moment after the cycle.'),
    })
    .describe('The calendar month the quota applies to.'),
  mode: z.enum(modes).describe('`live` for the workspace, `test` for its sandbox.'),
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
export type Usage = z.infer<typeof usage>;
export type AgentUsage = Usage['by_agent'][number];

export const usageAlerts = z.object({
  thresholds: z
    .array(z.int().min(1).max(100))
    .describe(
      'The percentages of the monthly quota at which an alert is sent, ascending. Empty means that alerts are off.',
    ),
  sent: z
    .array(
      z.object({
        percent: z.int().min(1).max(100).describe('The threshold that was reached.'),
        used: count.describe('The memories counted in the cycle at that time.'),
        at: time.describe('When the alert was sent.'),
      }),
    )
    .describe('The alerts of this cycle, in the order in which they were sent.'),
  updated_at: time.nullable().describe('When these settings were changed. Null for the defaults.'),
});
export type UsageAlerts = z.infer<typeof usageAlerts>;

export const modelBudget = z.object({
  tokens_per_month: count.nullable().describe('Tokens of a month, input and output. Null means no bound.'),
  cost_per_month: z.number().nullable().describe('US dollars of a month. Null means no bound.'),
  used: modelUsage.describe('What all agents have used in this cycle.'),
  per_subject: z
    .object({
      tokens_per_month: count.nullable().describe('Tokens of a month, input and output. Null means no bound.'),
      cost_per_month: z.number().nullable().describe('US dollars of a month. Null means no bound.'),
    })
    .nullable()
    .describe('What the runs of each subject may use in a month, of all agents together. Null means no bound.'),
  subject: z
    .object({
      subject: z.string().describe('The subject.'),
      used: modelUsage.describe('What its runs have used in this cycle, since there is a budget for each subject.'),
    })
    .nullable()
    .describe('The subject that was asked for by `subject`. Null if none was.'),
  updated_at: time.nullable().describe('When it was set. Null if it never was.'),
});
export type ModelBudget = z.infer<typeof modelBudget>;

export const deadLetter = z.object({
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
export type DeadLetter = z.infer<typeof deadLetter>;

export const workspaceEvent = z.object({
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
export type WorkspaceEvent = z.infer<typeof workspaceEvent>;

export const exportLine = z.object({
  record: z
    .string()
    .describe('What the line is: `export`, `workspace`, `hive`, `agent`, `memory`, ... (docs/export.md).'),
  id: z.string().optional().describe('The id of what the line holds.'),
  data: z.record(z.string(), z.unknown()).optional().describe('Its fields, which mean what they do elsewhere.'),
});
export type ExportLine = z.infer<typeof exportLine>;
const recordCounts = z.record(z.string(), count.describe('The number of records of this kind.'));
export const importReport = z.object({
  added: recordCounts.describe('How many records were added, by kind.'),
  present: recordCounts.describe('How many were there already and stayed as they are, by kind.'),
  refused: count.describe('How many were left out.'),
  reasons: z.array(z.string()).describe('Why records were left out; the first 10 reasons.'),
  sha256: z.string().describe('The SHA-256 of the lines, as the last line of the export has it.'),
});
export type ImportReport = z.infer<typeof importReport>;

/* Webhooks of a workspace (docs/webhooks.md). */

export const webhook = z.object({
  id: id('wh').describe('The id of the webhook.'),
  url: z.string().describe('Where events are POSTed.'),
  events: z.array(z.enum(webhookEvents)).describe('The events that it is told.'),
  agent_id: id('agent').nullable().describe('The agent whose events alone it is told. Null means all.'),
  description: z.string().describe('What it is for.'),
  enabled: z.boolean().describe('Whether it is told anything.'),
  failing: z
    .object({
      since: time.describe('Since when every try has failed.'),
      reason: z.string().describe('Why the first of these tries failed.'),
    })
    .nullable()
    .describe('Set while deliveries fail. Null once one has succeeded.'),
  disabled_reason: z
    .string()
    .nullable()
    .describe('Why the service has disabled it: it took nothing for three days, or was imported. Null otherwise.'),
  created_at: created,
  updated_at: changed,
});
export type Webhook = z.infer<typeof webhook>;

export const webhookTest = z.object({
  id: z.string().describe('The id of the event that was sent, its `webhook-id`.'),
  delivered: z.boolean().describe('Whether the receiver answered with 2xx.'),
  reason: z.string().nullable().describe('Why not. Null if it was delivered.'),
});
export type WebhookTest = z.infer<typeof webhookTest>;
