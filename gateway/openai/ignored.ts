/** Which fields of a request have no effect on an agent: the answer names them (docs/api.md 4.5). */
import { asksModel } from '../../src/domain/agent-config.js';
import type { Agent } from '../../src/domain/model.js';
import { chatRequest } from './request.js';
import { responseRequest } from './responses.js';

/** The fields that are read, and those that say nothing beyond what happens anyway. */
const known = (fields: object, ...harmless: string[]): ReadonlySet<string> =>
  new Set([...Object.keys(fields), ...harmless]);
export const chatFields = known(chatRequest.shape, 'stream_options', 'functions');
export const responseFields = known(responseRequest.shape, 'truncation', 'include');

/** Only a model can do these. */
const ofModels: ReadonlySet<string> = new Set([
  ...['top_p', 'stop', 'seed', 'presence_penalty', 'frequency_penalty', 'temperature'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'],
]);

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);

export function ignoredOf(request: object, { config }: Pick<Agent, 'config'>, fields: ReadonlySet<string>): string[] {
  const byModel = asksModel(config);
  return Object.entries(request)
    .filter(([name, value]) => isSaid(value) && (!fields.has(name) || (!byModel && ofModels.has(name))))
    .map(([name]) => name.slice(0, 100))
    .slice(0, 32)
    .sort();
}
