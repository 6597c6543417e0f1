/** The names by which models call tools: servers of models take letters, digits, _ and -, and at most 64 of them. */

const longest = 64;
const fits = /^[a-zA-Z0-9_-]{1,64}$/;

/** A name that models take, for one that may be anything; two may come to the same. */
export const wireName = (name: string): string =>
  fits.test(name) ? name : name.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').slice(0, longest) || '_';

/**
 * A name for each of `names` that models take and that neither another of them nor one of `taken` has. A name that fits
 * stays as it is.
 */
export function wireNames(names: readonly string[], taken: Iterable<string> = []): ReadonlyMap<string, string> {
  const used = new Set(taken);
  const wire = new Map<string, string>();
  for (const name of names)
    if (fits.test(name) && !used.has(name)) {
      used.add(name);
      wire.set(name, name);
    }
  for (const name of names) {
    if (wire.has(name)) continue;
    const base = wireName(name);
    let made = base;
    for (let n = 2; used.has(made); n++) made = `${base.slice(0, longest - 1 - String(n).length)}_${n}`;
    used.add(made);
    wire.set(name, made);
  }
  return wire;
}
