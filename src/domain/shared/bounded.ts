/**
 * The sizes of values, and schemas that check how large a value is before they check its contents. zod validates every
 * item of a list and every key of a record first and their number last, and creates an issue object for each invalid
 * one, so that a body of the permitted size could block the event loop for seconds.
 */
import { z } from 'zod';

/** A list of at most `max` items. A longer one yields a single issue, and none of its items is validated. */
export function listOf<T extends z.ZodType>(
  item: T,
  { min = 0, max, tooFew, tooMany }: { min?: number; max: number; tooFew?: string; tooMany?: string },
  wanted?: Parameters<typeof z.array>[1],
) {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.addIssue({ code: 'custom', message: tooMany ?? `must have at most ${max} items` });
    return z.NEVER;
  }, z.array(item, wanted).min(min, tooFew).max(max));
}

/**
 * The schema of what may be a list of objects. Of a long list each is first checked by `item`, up to the first few that
 * are wrong: these are named, and nothing more is validated.
 */
export const mostObjects = <T extends z.ZodType>(most: number, item: z.ZodType, schema: T) =>
  z.preprocess((value, context) => {
    if (!Array.isArray(value)) return value;
    if (value.length > most) {
      context.addIssue({ code: 'custom', message: `must have at most ${most} items` });
      return z.NEVER;
    }
    const isLong = value.length > fewItems;
    let wrong = 0;
    for (const [i, each] of value.entries()) {
      const { path = [], message } = problemOf(each, isLong ? item : null) ?? {};
      if (message === undefined) continue;
      context.addIssue({ code: 'custom', path: [i, ...path], message });
      if (++wrong === mostNamed) break;
    }
    return wrong === 0 ? (value as unknown[]) : z.NEVER;
  }, schema);
/** So few are validated whole at once. */
const fewItems = 100;

/** The first thing that is wrong with an item of a list of objects, as far as it is looked at. */
const problemOf = (each: unknown, item: z.ZodType | null): Pick<z.core.$ZodIssue, 'path' | 'message'> | undefined =>
  typeof each === 'object' && each !== null && !Array.isArray(each)
    ? item?.safeParse(each).error?.issues[0]
    : { path: [], message: 'must be an object' };
const mostNamed = 20;

/** The size of the value as JSON, in bytes of UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** The longest prefix of a text that takes at most this many bytes of UTF-8. */
export function firstBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text.slice(0, Math.max(0, bytes))).subarray(0, Math.max(0, bytes));
  // as part of a stream, because then the beginning of a character is left out
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(cut, { stream: true });
}

/**
 * An object that takes at most `bytes` as JSON. A larger one yields a single issue, and none of its fields is
 * validated.
 */
export function objectOf<T extends z.ZodType>(schema: T, bytes: number) {
  return z.preprocess((value, context) => {
    if (value === null || typeof value !== 'object' || jsonBytes(value) <= bytes) return value;
    context.addIssue({ code: 'custom', message: `must be at most ${bytes} bytes as JSON` });
    return z.NEVER;
  }, schema);
}

/**
 * Adds an issue for a number that JSON.parse turned into infinity (1e999), because JSON could not represent it again.
 */
export function refuseInfinite(value: unknown, context: z.RefinementCtx): void {
  const look = (inner: unknown, path: readonly (string | number)[]): boolean => {
    if (typeof inner === 'number' && !Number.isFinite(inner)) {
      context.addIssue({ code: 'custom', path: [...path], message: 'must be a number of at most 1.8e308' });
      return false;
    }
    if (inner === null || typeof inner !== 'object') return true;
    if (Array.isArray(inner)) return inner.every((item, i) => look(item, [...path, i]));
    return Object.entries(inner).every(([name, item]) => look(item, [...path, name]));
  };
  look(value, []);
}
