/**
 * The log: structured lines on standard error, so that standard output carries only the results of commands. A line is
 * written before `log.info(...)` returns, so nothing is lost when the process ends. pino's own writer is not used: its
 * flushSync (sonic-boom 4) retries for ever when the reader of the pipe is gone, and the server would never exit.
 */
import { pino, type Logger } from 'pino';
import { maskCredentials, redactedPaths } from './redact.js';
import { prettyLine } from './pretty.js';

export type { Logger } from 'pino';

export interface LogOptions {
  level: string;
  format: 'json' | 'pretty';
  /** Receives each line; default: standard error. */
  write?: (line: string) => void;
  /** Colours in the pretty format. */
  colour?: boolean;
  /** Adds to each line what it belongs to. */
  fields?: () => object;
}

/** Credentials are redacted (telemetry/redact.ts). Times are ISO 8601, levels are words. */
export function createLog(options: LogOptions): Logger {
  const write = options.write ?? toStandardError();
  const finish =
    options.format === 'pretty' ? (line: string) => prettyLine(line, options.colour ?? false) : (line: string) => line;
  return pino(
    {
      level: options.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      ...(options.fields && { mixin: options.fields }),
      redact: { paths: redactedPaths, censor: '[redacted]' },
    },
    {
      write: (line: string) => {
        write(finish(maskCredentials(line)));
      },
    },
  );
}

/** Drops lines when the reader of the pipe is gone; without a listener the error would end the process. */
function toStandardError(): (line: string) => void {
  process.stderr.on('error', () => undefined);
  return (line) => {
    process.stderr.write(line);
  };
}
