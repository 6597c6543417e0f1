/** The known name nearest to a mistyped one. */

/** The name that takes the fewest single-character edits, if that is at most a third of what was typed; else undefined. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  let best: string | undefined, least = Math.floor(typed.length / 3) + 1;
  for (const name of known) {
    const edits = editDistance(typed, name);
    if (edits < least) { least = edits; best = name; }
  }
  return best;
}

/** Levenshtein distance: insertions, deletions and substitutions that make `b` of `a`. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
