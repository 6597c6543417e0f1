/**
 * Benchmarks print, they never assert. Each row is a figure with its baseline measured in the same run, because only
 * the ratio means anything on another machine.
 */
export interface Row {
  what: string;
  figure: number;
  unit: string;
  baseline?: { what: string; figure: number };
  /** As the issue or DESIGN.md states it. */
  target?: string;
  /** Whether the target was reached in this run. */
  met?: boolean;
  /** What the figure leaves out, or where the time goes. */
  note?: string;
}

export interface Bench {
  name: string;
  run(): Promise<Row[]>;
}

const number = (n: number): string => (Math.abs(n) >= 100 ? Math.round(n).toLocaleString('en-US') : n.toPrecision(3));

export function print(rows: readonly Row[]): void {
  for (const r of rows) {
    const parts = [`  ${r.what}: ${number(r.figure)} ${r.unit}`];
    if (r.baseline)
      parts.push(
        `${r.baseline.what} ${number(r.baseline.figure)} (ratio ${(r.figure / r.baseline.figure).toFixed(2)})`,
      );
    if (r.target) parts.push(`target ${r.target}${r.met === undefined ? '' : r.met ? ': met' : ': MISSED'}`);
    process.stdout.write(`${parts.join('; ')}\n`);
    if (r.note) process.stdout.write(`      ${r.note}\n`);
  }
}

/** The value below which the share `p` (0 to 1) of the samples lies. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN;
}
