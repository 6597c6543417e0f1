/**
 * Converts errors of the SDK into a ReasonerError with a helpful sentence, and decides whether a retry may help. The
 * key never appears: the server's own text is omitted for 401 and 403, and masked otherwise.
 */
import { APIConnectionError, APIError } from 'openai';
import { maskCredentials } from '../../telemetry/redact.js';
import { ReasonerError } from '../port.js';
import { AnswerTooLong } from './bounded-fetch.js';
import { brief } from '../built-in/sentences.js';

export interface Failure {
  error: ReasonerError;
  retry: boolean;
  /** The delay that the server asks for, ms; null if it gives none. */
  waitMs: number | null;
}

/** The names used in the sentences. */
export interface Where {
  url: string;
  model: string;
  apiKey: string | null;
}

const give = (code: ReasonerError['code'], message: string, retry = false, waitMs: number | null = null): Failure => ({
  error: new ReasonerError(code, message),
  retry,
  waitMs,
});

/** Removes user, password and query. */
export function shownUrl(baseUrl: string): string {
  try {
    const { origin, pathname } = new URL(baseUrl);
    return `${origin}${pathname}`;
  } catch {
    return 'HIVEKEEP_OPENAI_BASE_URL';
  }
}

function masked(text: string, { apiKey }: Where): string {
  return brief(maskCredentials(apiKey ? text.replaceAll(apiKey, '[key]') : text), 300);
}

export function failureOf(error: unknown, where: Where, now: number): Failure {
  const long = tooLong(error);
  if (long)
    return give(
      'bad_response',
      `the answer of model "${where.model}" is longer than ${long.maxBytes} bytes (HIVEKEEP_OPENAI_MAX_ANSWER_BYTES)`,
    );
  // the connection broke, or (outside of the SDK's errors) broke while the body was being read
  if (error instanceof APIConnectionError)
    return give('unreachable', `cannot reach the model server at ${where.url}${codeOf(error.cause)}`, true);
  if (error instanceof APIError && typeof error.status === 'number')
    return ofStatus(error as APIError<number, Headers>, where, now);
  if (error instanceof SyntaxError)
    return give('bad_response', `the model server at ${where.url} sent something that is not JSON`);
  return give('unreachable', `the connection to the model server at ${where.url} broke${codeOf(error)}`, true);
}

function ofStatus(error: APIError<number, Headers>, where: Where, now: number): Failure {
  const { status } = error;
  const says = masked(error.message.replace(/^\d{3}\s*/, ''), where);
  const waitMs = retryAfter(error.headers, now);
  const told = says === '' ? '' : `: ${says}`;
  const asked = error.headers.get('x-should-retry');
  switch (true) {
    case status >= 300 && status < 400:
      return give(
        'refused',
        `the model server at ${where.url} answers with a redirect (${status}), which is not followed: set HIVEKEEP_OPENAI_BASE_URL to where it leads`,
      );
    case status === 401:
      return give(
        'refused',
        `the model server at ${where.url} does not accept the key (401): check HIVEKEEP_OPENAI_API_KEY${where.apiKey ? '' : ', which is not set'}`,
      );
    case status === 403:
      return give(
        'refused',
        `the model server at ${where.url} does not allow model "${where.model}" with this key (403): check HIVEKEEP_OPENAI_API_KEY and the agent's config.model`,
      );
    case status === 404:
      return give(
        'refused',
        `the model server at ${where.url} has no model "${where.model}", or no chat/completions at this address (404): check the agent's config.model and HIVEKEEP_OPENAI_BASE_URL, which mostly ends in /v1${told}`,
      );
    case status === 429 && error.code === 'insufficient_quota':
      return give('refused', `the account at ${where.url} has no quota left (429)${told}`);
    case status === 429:
      return give(
        'refused',
        `the model server at ${where.url} is asked too often (429)${told}`,
        asked !== 'false',
        waitMs,
      );
    case status >= 500 || status === 408 || status === 409:
      return give(
        'unreachable',
        `the model server at ${where.url} fails (${status})${told}`,
        asked !== 'false',
        waitMs,
      );
    default:
      return give(
        'refused',
        `the model server at ${where.url} refused the request (${status})${told}`,
        asked === 'true',
        waitMs,
      );
  }
}

/** Parses `Retry-After`, in seconds or as a date, and the more precise `retry-after-ms`. */
export function retryAfter(headers: Headers, now: number): number | null {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  const header = headers.get('retry-after') ?? '';
  const seconds = Number.parseFloat(header);
  const wait = Number.isFinite(ms) ? ms : /^\s*[\d.]+\s*$/.test(header) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

/** Finds an AnswerTooLong anywhere in the chain of causes. */
function tooLong(error: unknown): AnswerTooLong | null {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++)
    if (e instanceof AnswerTooLong) return e;
  return null;
}

/** The code, such as "(ECONNREFUSED)", from anywhere in the chain of causes; nothing else of a cause is shown. */
function codeOf(error: unknown): string {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const code = (e as NodeJS.ErrnoException).code;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return ` (${code})`;
  }
  return '';
}
