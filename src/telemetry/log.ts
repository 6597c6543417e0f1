/**
 * The log: structured lines on standard error, so that standard output stays for what a command prints. Lines are
 * written without blocking; `flush` writes what is left, and is called before the process ends on purpose or by a
 * fatal error.
 */
import { pino, type Logger } from 'pino';
import { maskCredentials, redactedPaths } from './redact.js';
import { prettyLine } from './pretty.js';

export type { Logger } from 'pino';

export interface LogOptions {
  level: string;
  format: 'json' | 'pretty';
  /** Where lines go; default: standard error. */
  write?: (line: string) => void;
  /** Colours in the pretty format. */
  colour?: boolean;
}

export interface Log { log: Logger; flush: () => void }

/** Credentials never reach the output (telemetry/redact.ts). Times are ISO 8601, levels are words. */
export function createLog(options: LogOptions): Log {
  const standardError = options.write ? undefined : pino.destination({ dest: 2, sync: false });
  // Without a listener, a standard error whose reader has left would end the process.
  standardError?.on('error', () => undefined);
  const write = options.write ?? ((line: string) => { standardError?.write(line); });
  const finish = options.format === 'pretty' ? (line: string) => prettyLine(line, options.colour ?? false) : (line: string) => line;
  const log = pino({
    level: options.level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '[redacted]' },
  }, { write: (line: string) => write(finish(maskCredentials(line))) });
  return { log, flush: () => flush(standardError) };
}

function flush(destination: { flushSync(): void } | undefined): void {
  try {
    destination?.flushSync();
  } catch {
    // A standard error that was closed (a pipe whose reader left) must not stop the shutdown.
  }
}
