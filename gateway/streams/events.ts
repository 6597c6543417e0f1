/**
 * Events of runs and of the workspace in streams. Those of the workspace are filtered: `?types=agent,run.status`
 * (types, or their prefixes up to a dot) and `?agent_id=`. An event must pass every filter that is given.
 */
import { z } from 'zod';
import type { RunUpdate, WorkspaceEvent } from '../../src/domain/model/model.js';
import type { FilterOf } from '../../src/commands/command.js';
import type { SseFrame } from './port.js';

/** `id` is the event's sequence number, from which a reader resumes; text that is being written has none. */
export const runFrame = (event: RunUpdate): SseFrame =>
  event.type === 'delta'
    ? { event: event.type, data: event }
    : { id: String(event.seq), event: event.type, data: event };

/** The query parameters. */
export const eventQuery = {
  types: z
    .string()
    .regex(
      /^[a-z]+(\.[a-z]+)?(,[a-z]+(\.[a-z]+)?)*$/,
      'must be event types separated by commas, such as agent,run.status',
    )
    .describe(
      'Event types separated by commas, or what they begin with up to a dot: `agent,run.status`. Without it: all.',
    ),
  agent_id: z.string().min(1, 'must not be empty').describe('Only events of this agent.'),
};

/** They have no ids, because they are not stored and a reader cannot resume. */
export function workspaceFrame({
  types,
  agent_id,
}: FilterOf<typeof eventQuery>): (event: WorkspaceEvent) => SseFrame | null {
  const named = types?.split(',');
  const isWanted = (event: WorkspaceEvent): boolean =>
    (named === undefined || named.some((type) => event.type === type || event.type.startsWith(`${type}.`))) &&
    (agent_id === undefined || event.data['agent_id'] === agent_id);
  return (event) => (isWanted(event) ? { event: event.type, data: event } : null);
}
