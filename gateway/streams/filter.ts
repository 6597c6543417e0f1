/**
 * Filters of /v1/events: `?types=agent,run.status` (types, or their prefixes up to a dot) and `?agent_id=`. An event
 * must pass every filter that is given.
 */
import { z } from 'zod';
import { invalid } from '../../src/domain/errors.js';
import { unknownName } from '../http/query.js';
import type { WorkspaceEvent } from '../../src/domain/model.js';

const typesForm = /^[a-z]+(\.[a-z]+)?(,[a-z]+(\.[a-z]+)?)*$/;

/** The query parameters. */
export const eventQuery = {
  types: z
    .string()
    .regex(typesForm)
    .describe(
      'Event types separated by commas, or what they begin with up to a dot: `agent,run.status`. Without it: all.',
    ),
  agent_id: z.string().min(1).describe('Only events of this agent.'),
};

const names: ReadonlySet<string> = new Set(Object.keys(eventQuery));

/** Parses the filter of a request target; a malformed one is a VALIDATION_ERROR. */
export function eventFilter(target: string): (event: WorkspaceEvent) => boolean {
  const query = new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '');
  for (const name of query.keys()) if (!names.has(name)) throw unknownName(name, names);
  const named = one(query, 'types');
  const types = named?.split(',');
  const agent = one(query, 'agent_id');
  if (named !== undefined && !typesForm.test(named))
    throw invalid({ path: 'types', message: 'must be event types separated by commas, such as agent,run.status' });
  return (event) =>
    (types === undefined || types.some((type) => event.type === type || event.type.startsWith(`${type}.`))) &&
    (agent === undefined || event.data['agent_id'] === agent);
}

function one(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1 || values[0] === '')
    throw invalid({ path: name, message: values.length > 1 ? 'must be given once' : 'must not be empty' });
  return values[0];
}
