/** The JSON Schemas that the settings of an agent or a run have, each with its path. */
import type { OutputSchema } from '../domain/shared/output-schema.js';

export interface WithSchemas {
  output_schema?: unknown;
  tools?: readonly object[] | null | undefined;
}

export const schemasIn = (settings: WithSchemas | null | undefined, path: string): [string, OutputSchema][] =>
  [
    [`${path}.output_schema`, settings?.output_schema] as const,
    ...(settings?.tools ?? []).map(
      (tool, i) => [`${path}.tools.${i}.input_schema`, 'input_schema' in tool ? tool.input_schema : undefined] as const,
    ),
  ].flatMap(([at, schema]) => (typeof schema === 'object' && schema !== null ? [[at, schema as OutputSchema]] : []));
