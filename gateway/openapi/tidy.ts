/** Simplifies the JSON Schema that zod generates, without changing what it accepts. */
import type { JsonSchema } from './types.js';

/** zod's name for definitions shared between schemas; here only the recursive type of a JSON value. */
const shared = '__shared';

/** From the inside out. */
export const tidy = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? simplified(value as JsonSchema) : value,
  ) as JsonSchema;

/** Also given what has schemas by the names of properties, none of which has the value of a keyword. */
function simplified(schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref === 'string' && schema.$ref.includes(shared)) return {};
  const { $schema: _s, $id: _i, ...out } = schema;
  if (out['minLength'] === 0) delete out['minLength'];
  if (isAnyText(out['propertyNames'])) delete out['propertyNames'];
  return nullable(out);
}

const isAnyText = (names: unknown): boolean => JSON.stringify(names) === '{"type":"string"}';

/** Turns `anyOf` of a typed schema and null into one schema with two types. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...beside } = schema;
  const [first, second, ...more] = Array.isArray(anyOf) ? (anyOf as readonly JsonSchema[]) : [];
  if (typeof first?.type !== 'string' || second?.type !== 'null' || more.length > 0) return schema;
  const { type, enum: values, ...rest } = first;
  return { type: [type, 'null'], ...(values && { enum: [...values, null] }), ...rest, ...beside };
}
