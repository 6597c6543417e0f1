/** Where a command writes: what it is asked for goes to standard output, everything else to standard error. */
export interface Io {
  out(line: string): void;
  note(line: string): void;
  /** Whether people watch standard error. */
  readonly terminal: boolean;
  /** Whether people watch standard output. */
  readonly screen: boolean;
}

/** A pipe whose reader has left is no reason to stop a server or to print a stack. */
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
