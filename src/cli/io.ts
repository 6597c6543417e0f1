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
