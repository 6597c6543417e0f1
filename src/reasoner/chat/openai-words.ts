/** What both APIs of OpenAI call by the same words. */
import type { Chat, Effort } from './chat.js';

/** An effort for a number of tokens, where an API knows efforts only. */
export function effortOf({ effort, max_tokens: most }: NonNullable<Chat['reasoning']>): Effort {
  if (effort !== undefined || most === undefined) return effort ?? 'medium';
  return most === 0 ? 'none' : most <= 2048 ? 'low' : most <= 8192 ? 'medium' : 'high';
}

type Schema = Readonly<Record<string, unknown>>;

/** The schema as OpenAI's servers take it: strictly where it says of each object which fields it has. */
export const strictly = (schema: Schema): { schema: Schema; strict?: true } =>
  isStrict(schema) ? { schema, strict: true } : { schema };

function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties: more } = schema as Schema;
  if (typeof properties === 'object' && properties !== null) {
    const names = Object.keys(properties);
    if (more !== false || !Array.isArray(required) || names.some((name) => !required.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}
