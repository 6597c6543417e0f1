/** Which fields of a request have no effect on an agent: the answer names them (docs/api.md 4.5). */
import { asksModel } from '../../src/domain/agent/agent-config.js';
import type { ModelApi } from '../../src/config/model-servers.js';
import type { Agent } from '../../src/domain/model/model.js';
import { chatRequest } from './request.js';
import { responseRequest } from './responses.js';

/** The fields that are read, and those that say nothing beyond what happens anyway. */
const known = (fields: object, ...harmless: string[]): ReadonlySet<string> =>
  new Set([...Object.keys(fields), ...harmless]);
export const chatFields = known(chatRequest.shape, 'stream_options', 'functions');
export const responseFields = known(responseRequest.shape, 'truncation', 'include');

/** What the APIs of model servers do not know. */
const unknown: Readonly<Record<ModelApi, readonly string[]>> = {
  openai: [],
  responses: ['stop', 'seed', 'presence_penalty', 'frequency_penalty'],
  anthropic: ['seed', 'presence_penalty', 'frequency_penalty'],
};
/** The API of the model that is asked first. */
function apiOf({ model }: Agent['config'], apis: ReadonlyMap<string, ModelApi>): ModelApi {
  const [first = ''] = typeof model === 'string' ? [model] : (model ?? []);
  return apis.get(first.split('/', 1)[0] ?? '') ?? 'openai';
}

/** Only a model can do these. */
const ofModels: ReadonlySet<string> = new Set([
  ...['top_p', 'stop', 'seed', 'presence_penalty', 'frequency_penalty', 'temperature'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'],
]);

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);

export function ignoredOf(
  request: object,
  { config }: Pick<Agent, 'config'>,
  fields: ReadonlySet<string>,
  apis: ReadonlyMap<string, ModelApi>,
): string[] {
  const byModel = asksModel(config);
  const passedOver = unknown[apiOf(config, apis)];
  const hasEffect = (name: string): boolean =>
    fields.has(name) && !passedOver.includes(name) && (byModel || !ofModels.has(name));
  return Object.entries(request)
    .filter(([name, value]) => isSaid(value) && !hasEffect(name))
    .map(([name]) => name.slice(0, 100))
    .slice(0, 32)
    .sort();
}
