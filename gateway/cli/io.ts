import { printable } from '../../src/base/json-size.js';

/** The output of a command: its result goes to standard output, everything else to standard error. */
export interface Io {
  out(line: string): void;
  note(line: string): void;
  /** Whether standard error is a terminal. */
  readonly terminal: boolean;
  /** Whether standard output is a terminal. */
  readonly screen: boolean;
}

/** Ignores write errors of a pipe whose reader has left: they must not stop a server or print a stack trace. */
export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    out: (line) => {
      process.stdout.write(`${line}\n`);
    },
    note: (line) => {
      process.stderr.write(`${line}\n`);
    },
    terminal: Boolean(process.stderr.isTTY),
    screen: Boolean(process.stdout.isTTY),
  };
}

/**
 * Formats rows of text as aligned columns; the last column is not padded. What a terminal would act on is escaped,
 * because clients choose many of these texts.
 */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(printable));
  const widths = (shown[0] ?? []).map((_, i) => shown.reduce((most, row) => Math.max(most, row[i]?.length ?? 0), 0));
  return shown.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  '),
  );
}

/** Prints rows under their heading, or as JSON where that is asked for. */
export function printTable<T>(
  io: Io,
  heading: readonly string[],
  items: readonly T[],
  row: (item: T) => readonly string[],
  json?: true,
): void {
  if (json) io.out(JSON.stringify(items, null, 2));
  else for (const line of columns([heading, ...items.map(row)])) io.out(line);
}
