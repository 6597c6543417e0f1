/** How a command fails: with one sentence or more on standard error, never with a stack, and with an exit code of 1. */
import { ConfigError } from '../config.js';
import { HivekeepError } from '../domain/errors.js';
import { StoreError } from '../store/port.js';

/** A command cannot do what it was asked; the message says why and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** What to tell the person who typed the command. Only an error that nobody foresaw gets its class named. */
export function sentences(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  if (error instanceof Failure || error instanceof StoreError || error instanceof HivekeepError)
    return [sentence(error.message)];
  return [sentence(error instanceof Error ? `Unexpected ${error.name}: ${error.message}` : 'Unexpected failure')];
}

/** First letter a capital (but for names), a full stop at the end. */
function sentence(text: string): string {
  const capital = /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** The `code` of a system error (EADDRINUSE and the like), or undefined. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
