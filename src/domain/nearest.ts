/** Suggests the known name nearest to a mistyped one. */

/**
 * Returns the known name with the smallest edit distance, if that is at most a third of the typed length; otherwise
 * undefined.
 */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(typed.length / 3) + 1;
  for (const name of known) {
    const edits = editDistance(typed, name);
    if (edits < least) {
      least = edits;
      best = name;
    }
  }
  return best;
}

/**
 * The number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string
 * alignment).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j - 1] ?? 0) + same, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
