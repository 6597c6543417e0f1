/** Simplifies the JSON Schema that zod generates, without changing what it accepts. */
import type { JsonSchema } from './types.js';

/** zod's name for definitions shared between schemas; here only the recursive type of a JSON value. */
const shared = '__shared';

export function tidy(schema: JsonSchema): JsonSchema {
  if (schema.$ref?.includes(shared)) return {};
  const { $schema: _s, $id: _i, ...rest } = schema;
  const out = Object.fromEntries(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([keyword, value]) => [keyword, tidied(keyword, value)]),
  ) as JsonSchema;
  if (out['minLength'] === 0) delete out['minLength'];
  if (isAnyText(out['propertyNames'])) delete out['propertyNames'];
  return nullable(out);
}

function tidied(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([name, schema]) => [name, tidy(schema)]),
      );
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return (value as JsonSchema[]).map(tidy);
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
      return typeof value === 'object' ? tidy(value as JsonSchema) : value;
    default:
      return value;
  }
}

const isAnyText = (names: unknown): boolean => JSON.stringify(names) === '{"type":"string"}';

/** Turns `anyOf` of a typed schema and null into one schema with two types. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...beside } = schema;
  const [first, second, ...more] = anyOf ?? [];
  if (typeof first?.type !== 'string' || second?.type !== 'null' || more.length > 0) return schema;
  const { type, enum: values, ...rest } = first;
  return { type: [type, 'null'], ...(values && { enum: [...values, null] }), ...rest, ...beside };
}
