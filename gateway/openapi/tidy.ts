/** Makes the JSON Schema that zod writes into what a reader of the document should see; it says the same. */
import type { JsonSchema } from './types.js';

/** zod's name for what it shares between schemas: here only the recursive type of any JSON value. */
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

/** `anyOf` a typed schema and null: one schema of two types. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...beside } = schema;
  const [first, second, ...more] = anyOf ?? [];
  if (typeof first?.type !== 'string' || second?.type !== 'null' || more.length > 0) return schema;
  const { type, enum: values, ...rest } = first;
  return { type: [type, 'null'], ...(values && { enum: [...values, null] }), ...rest, ...beside };
}
