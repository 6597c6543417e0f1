/**
 * The JSON Schema that a final answer has to fit. What is checked here bounds it; whether it is a schema, and what fits
 * it, says src/output-schema.
 */
import { z } from 'zod';
import { objectOf, refuseInfinite } from './bounded.js';

const mostBytes = 32 * 1024;
const deepest = 32;

export type OutputSchema = Readonly<Record<string, unknown>>;

/** The first thing in the schema that is not taken, with its place. */
function problemIn(value: unknown, path: readonly string[]): { path: readonly string[]; message: string } | null {
  if (typeof value !== 'object' || value === null) return null;
  if (path.length >= deepest) return { path, message: `must not be nested deeper than ${deepest} levels` };
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, key];
    if (key === '$ref' && typeof inner === 'string' && !inner.startsWith('#'))
      return { path: at, message: 'must point into this schema (#/...): nothing is fetched' };
    const problem = problemIn(inner, at);
    if (problem) return problem;
  }
  return null;
}

/** A schema of JSON objects, bounded. */
export const jsonObjectSchema = objectOf(
  z
    .looseObject({ type: z.literal('object', 'must be "object": it describes a JSON object') })
    .superRefine(refuseInfinite)
    .superRefine((schema, context) => {
      const problem = problemIn(schema, []);
      if (problem) context.addIssue({ code: 'custom', path: [...problem.path], message: problem.message });
    }),
  mostBytes,
);

export const outputSchema = jsonObjectSchema.describe(
  `The JSON Schema (2020-12) of the final answer, which is then a JSON object, in \`output_data\`. It needs a model. Its \`type\` is \`object\`; at most ${mostBytes} bytes, ${deepest} levels, and references within itself only. \`format\` is told to the model and not checked.`,
);
