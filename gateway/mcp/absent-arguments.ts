/**
 * Some clients send null for each argument that their model left out. So null is no value of an optional argument here,
 * at any depth that the schema knows; a required one still refuses it, and inside of free objects (metadata, a JSON
 * Schema) it stays what it is.
 */
import { z } from 'zod';

export function withoutNulls(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const known = unwrapped(schema);
  if (Array.isArray(value))
    return known instanceof z.ZodArray ? value.map((each) => withoutNulls(known.element, each)) : value;
  if (!(known instanceof z.ZodObject)) return value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = known.shape;
  const isAbsent = (name: string, of: unknown): boolean => of === null && shape[name]?._zod.optin !== undefined;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, of]) => !isAbsent(name, of))
      .map(([name, of]) => [name, withoutNulls(shape[name], of)]),
  );
}

/** The schema of what is there, without what may stand for its absence or is done before it is checked. */
function unwrapped(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap());
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}
