/**
 * What is copied field by field keeps the fields that only a neighbouring version knows, which may work on the same data
 * (docs/operations.md, Upgrade).
 */

/** The names of all fields of a record; the type checker says which of them is missing. */
export const namesOf = <T>(fields: Record<keyof T, true>): ReadonlySet<string> => new Set(Object.keys(fields));

export function keepOthers(from: object, to: object, known: ReadonlySet<string>): void {
  for (const name in from)
    if (!known.has(name)) (to as Record<string, unknown>)[name] = (from as Record<string, unknown>)[name];
}
