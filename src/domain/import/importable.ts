/**
 * The schema of what the service stores, for data of anybody's making: strict, each text, list and number bounded,
 * texts without NUL and lone surrogates, and times in UTC. Schemas that check clients' input stay as they are.
 */
import { z } from 'zod';
import { listOf } from '../shared/bounded.js';
import { metadata, text, when } from '../shared/input-fields.js';
import { normalizeTime } from '../memory/memories.js';

/** In bytes of UTF-8; the longest text of the service itself is what one step may produce. */
const longestText = 4 * 1024 * 1024;
const longestList = 10_000;
/** A call of a tool has few arguments; more are not looked at one by one. */
const mostKeys = 20;
const largest = 2 ** 48;

const time = when.transform((t) => normalizeTime(t) ?? t);
const anyText = text(longestText, 0);

/** `byName` has the schemas of texts that are shorter, by the names of their fields at any depth. */
export function importable<T extends z.ZodType>(schema: T, byName: Texts): z.ZodType<z.output<T>> {
  return strict(schema, byName, anyText) as z.ZodType<z.output<T>>;
}

type Texts = Readonly<Record<string, z.ZodType>>;

function strict(schema: z.ZodType, byName: Texts, words: z.ZodType): z.ZodType {
  const within = (part: unknown): z.ZodType => strict(part as z.ZodType, byName, words);
  if (schema instanceof z.ZodISODateTime) return time;
  if (schema instanceof z.ZodString || schema instanceof z.ZodBase64) return schema.def.checks?.length ? schema : words;
  if (schema instanceof z.ZodNumber) return schema.max(largest);
  if (schema instanceof z.ZodNullable) return within(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return within(schema.unwrap()).optional();
  if (schema instanceof z.ZodDefault) return within(schema.unwrap()).default(schema.def.defaultValue);
  if (schema instanceof z.ZodArray) return listOf(within(schema.element), { max: longestList });
  if (schema instanceof z.ZodDiscriminatedUnion)
    return z.discriminatedUnion(
      schema.def.discriminator,
      schema.options.map(within) as [z.ZodObject, ...z.ZodObject[]],
    );
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(within));
  if (schema instanceof z.ZodRecord)
    return schema.valueType instanceof z.ZodUnknown ? metadata : few(z.record(text(100), within(schema.valueType)));
  if (!(schema instanceof z.ZodObject)) return schema;
  const fields = Object.entries<z.ZodType>(schema.shape);
  return z.strictObject(
    Object.fromEntries(fields.map(([name, field]) => [name, strict(field, byName, byName[name] ?? anyText)])),
  );
}

const few = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= mostKeys) return value;
    context.addIssue({ code: 'custom', message: `must have at most ${mostKeys} keys` });
    return z.NEVER;
  }, schema);
