/** Agents and their mailboxes (docs/api.md 2.1). */
import { z } from 'zod';
import { agentConfig } from '../agent/agent-config.js';
import { agentStatuses } from '../shared/vocabulary.js';
import { changed, count, created, failure, fixedList, id, metadataObject, time } from './fields.js';
import { runOverrides } from '../shared/inputs.js';

export const agent = z.object({
  id: id('agent').describe('The id of the agent.'),
  name: z.string().describe('The display name. Names need not be unique.'),
  description: z.string().describe('A free-text description of its purpose.'),
  status: z
    .enum(agentStatuses)
    .describe('An inactive agent rejects commands with 409. A terminated agent can only be set inactive.'),
  config: agentConfig,
  memory_count: count.describe(
    "The number of memories in the agent's own context, including those with `expires_at` until they expire.",
  ),
  message_count: count.describe(
    'The number of messages processed: direct messages, A2A messages, and mailbox messages that were read.',
  ),
  hives: z.array(id('hive')).describe('The ids of the hives it belongs to.'),
  metadata: metadataObject.describe('Arbitrary metadata set by clients.'),
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
  spawned_by: z.string().optional().describe('Only of an agent that another has spawned: that one.'),
  ends_at: time.optional().describe('Only of an agent that was spawned for a time: when it is deleted.'),
  created_at: created,
  updated_at: changed,
  last_active_at: time.describe('The time of its last activity or input, ISO 8601 in UTC.'),
});
export type Agent = z.infer<typeof agent>;

export const mailboxMessage = z.object({
  id: id('msg').describe('The id of the message.'),
  agent_id: id('agent').describe('The agent whose mailbox holds the message.'),
  from: z
    .string()
    .nullable()
    .describe(
      'The sender as verified by the service: an agent id, `external` for a client, or null for the service itself.',
    ),
  content: z.string().describe('The text of the message.'),
  subject: z
    .string()
    .nullable()
    .describe('Whom it is about or from; a run that it starts is for them. Null for nobody in particular.'),
  reply_to: z.string().nullable().describe('The id of the message it answers, if any.'),
  metadata: metadataObject.describe('Arbitrary metadata set by the sender.'),
  hops: count.describe('The number of agents that forwarded it. After 16 hops a message no longer wakes agents.'),
  wakes: count.describe('How often it has woken the agent without being read, at most 3.'),
  read_at: time.nullable().describe('When a step of the agent read it, ISO 8601. Null if unread.'),
  created_at: created,
});
export type MailboxMessage = z.infer<typeof mailboxMessage>;
export const traffic = z.object({
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
export type Traffic = z.infer<typeof traffic>;

export const hive = z.object({
  id: id('hive').describe('The id of the hive.'),
  name: z.string().describe('The display name. Names need not be unique.'),
  description: z.string().describe('A free-text description.'),
  metadata: metadataObject.describe('Arbitrary metadata set by clients.'),
  memory_count: count.describe('The number of memories shared in it.'),
  created_at: created,
  updated_at: changed,
});
export type Hive = z.infer<typeof hive>;

/* Schedules of an agent (docs/api.md 2.16). */

export const schedule = z.object({
  id: id('sched').describe('The id of the schedule.'),
  agent_id: id('agent').describe('The agent whose runs it starts.'),
  name: z.string().nullable().describe('Its name, which no other schedule of the agent has, or null.'),
  cron: z.string().nullable().describe('The cron expression, if it has one.'),
  every: z.int().min(60).nullable().describe('The seconds from one time to the next, if it has an interval.'),
  at: time.nullable().describe('The one time, if it has one.'),
  timezone: z.string().nullable().describe('The time zone of the cron expression. Null without one.'),
  input: z.string().describe('The input of its runs.'),
  sessionId: z.string().nullable().describe('The conversation that its runs are part of. Null: each has its own.'),
  subject: z.string().nullable().describe('Whom its runs are for, or null.'),
  overrides: runOverrides
    .nullable()
    .describe("What its runs do differently from their agent's configuration. Null to callers without `agent:read`."),
  catch_up: z.enum(['one', 'none']).describe('What becomes of times that are missed: `one` run for all, or `none`.'),
  if_running: z
    .enum(['queue', 'skip'])
    .describe(
      'What a time does while the run before has not ended: begin one all the same (`queue`), or none (`skip`).',
    ),
  paused: z.boolean().describe('Whether it is paused: no time is due.'),
  next_times: fixedList(time).describe('The next times, at most five. Empty while it is paused.'),
  last: z
    .object({
      due: time.describe('The time that was due.'),
      run_id: id('run').nullable().describe('The run that it started, or null.'),
      error: failure.nullable().describe('Why it started none, or null.'),
    })
    .nullable()
    .describe('What became of the last time that was due, or null if there was none.'),
  created_at: created,
  updated_at: changed,
});
export type Schedule = z.infer<typeof schedule>;

/** What its times follow from. */
export type ScheduleTiming = Pick<Schedule, 'cron' | 'every' | 'at' | 'timezone' | 'created_at'>;
