/** Joins an answer that was cut off with what the model said when it was asked to go on. */

/** So much that is the same by chance is not likely. */
const least = 12;
const mostOverlap = 400;

const common = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a[n] === b[n]) n++;
  return n;
};

/** The whole, without what is in both; null if the model has begun anew. */
export function continued(begun: string, more: string): string | null {
  const [said, again] = [begun.trimStart(), more.trimStart()];
  const same = common(said, again);
  if (same > 0 && same >= Math.min(2 * least, said.trimEnd().length, again.trimEnd().length)) return null;
  for (let n = Math.min(begun.length, more.length, mostOverlap); n >= least; n--)
    if (begun.endsWith(more.slice(0, n))) return begun + more.slice(n);
  return begun + more;
}
