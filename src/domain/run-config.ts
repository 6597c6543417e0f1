/** The configuration that a run goes by: that of its agent, with what the run overrides. */
import type { RunRecord } from './agent-state.js';
import { invalid } from './errors.js';
import { type AgentConfig, asksModel, schemaNeedsModel } from './agent-config.js';
import { type RunOverrides } from './inputs.js';

export function configOf(config: AgentConfig, { overrides }: { overrides?: RunOverrides | undefined }): AgentConfig {
  if (!overrides) return config;
  const { output_schema: schema, ...rest } = overrides;
  const { output_schema: usual, ...kept } = config;
  const wanted = schema === undefined ? usual : schema;
  return { ...kept, ...rest, ...(wanted && { output_schema: wanted }) };
}

/** What a run may ask of its model beside what agents are configured with. */
export type RunControls = Pick<RunOverrides, 'tool_choice' | 'parallel_tool_calls' | 'sampling'>;

/** Those in the configuration that a run goes by. */
export const controlsIn = (config: AgentConfig): RunControls => config as RunControls;

/** Of the run, or of the A2A message that began it. */
export const metadataOf = ({
  metadata,
  messages,
}: Pick<RunRecord, 'metadata' | 'messages'>): Record<string, unknown> | undefined =>
  metadata ?? messages?.[0]?.metadata;

/** Throws where the agent cannot do as the overrides ask. */
export function checkOverrides(config: AgentConfig, overrides: RunOverrides | undefined): void {
  if (!overrides) return;
  const together = configOf(config, { overrides });
  if (together.output_schema === undefined || asksModel(together)) return;
  throw invalid({
    path: overrides.output_schema ? 'overrides.output_schema' : 'overrides.model',
    message: overrides.output_schema ? schemaNeedsModel : 'must be a model: the agent answers by an output_schema',
  });
}
