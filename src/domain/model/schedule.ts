/** Schedules of an agent (docs/api.md 2.16). */
import { z } from 'zod';
import { runOverrides } from '../inputs.js';
import { changed, created, failure, fixedList, id, time } from './fields.js';

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
