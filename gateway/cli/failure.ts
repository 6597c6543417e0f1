/** Failures of commands: one or more sentences on standard error, never a stack trace, and exit code 1. */
import { ConfigError } from '../../src/config/config.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { StoreError } from '../../src/store/port.js';

/** A command cannot do what was asked of it; the message says why and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/**
 * The failure of a long command that a failing store has stopped, and that goes on when it is run again; others stay.
 */
export const stoppedByStore = (what: string, error: unknown): unknown =>
  error instanceof StoreError && (error.reason === 'io' || error.reason === 'unknown' || error.reason === 'full')
    ? new Failure(`${what} stopped. ${error.message} Then run the same command again: it goes on where it stopped`, {
        cause: error,
      })
    : error;

/** The same where the system has refused what is done with a file; others stay. */
export const stoppedByFile = (file: string, error: unknown): unknown =>
  fileProblems.has(systemCode(error) ?? '')
    ? new Failure(
        `${file} could not be written: ${(error as Error).message}. What is written is kept: run the same command again when that is solved, and it goes on`,
        { cause: error },
      )
    : error;

const fileProblems: ReadonlySet<string> = new Set([
  'EACCES',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'EISDIR',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** The sentences to show to the person who ran the command. Only an unexpected error includes its class name. */
export function sentences(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  if (error instanceof Failure || error instanceof StoreError || error instanceof HivekeepError)
    return [sentence(error.message)];
  return [sentence(error instanceof Error ? `Unexpected ${error.name}: ${error.message}` : 'Unexpected failure')];
}

/** Capitalises the first letter (except for names) and adds a full stop. */
function sentence(text: string): string {
  const capital = /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** The `code` of a system error (such as EADDRINUSE), or undefined. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
