/** The JSON Schemas that the settings of an agent or a run have, each with its path. */
import type { OutputSchema } from '../domain/output-schema.js';

export interface WithSchemas {
  output_schema?: unknown;
  tools?: readonly { input_schema?: unknown }[] | null | undefined;
}

export const schemasIn = (settings: WithSchemas | null | undefined, path: string): [string, OutputSchema][] =>
  [
    [`${path}.output_schema`, settings?.output_schema] as const,
    ...(settings?.tools ?? []).map((tool, i) => [`${path}.tools.${i}.input_schema`, tool.input_schema] as const),
  ].flatMap(([at, schema]) => (typeof schema === 'object' && schema !== null ? [[at, schema as OutputSchema]] : []));
