/**
 * From what the SDK throws to what a run shows: a ReasonerError in a sentence that helps, and whether another try may
 * help. The key is in none of them: of a 401 or 403 the server's own words are left out, from others it is masked.
 */
import { APIConnectionError, APIError } from 'openai';
import { maskCredentials } from '../../telemetry/redact.js';
import { ReasonerError } from '../port.js';
import { AnswerTooLong } from './bounded-fetch.js';
import { brief } from '../built-in/sentences.js';

export interface Failure {
  error: ReasonerError;
  retry: boolean;
  /** What the server asks to wait, ms; null where it says nothing. */
  waitMs: number | null;
}

/** What the sentences name. */
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

/** Without user, password and query. */
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
  // The connection broke, or (outside of the SDK's errors) broke while the body was read.
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

/** `Retry-After`, in seconds or as a date, and the more exact `retry-after-ms`. */
export function retryAfter(headers: Headers, now: number): number | null {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  const header = headers.get('retry-after') ?? '';
  const seconds = Number.parseFloat(header);
  const wait = Number.isFinite(ms) ? ms : /^\s*[\d.]+\s*$/.test(header) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

/** The bound that an answer went beyond, wherever in the chain of causes it stands. */
function tooLong(error: unknown): AnswerTooLong | null {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++)
    if (e instanceof AnswerTooLong) return e;
  return null;
}

/** "(ECONNREFUSED)" from wherever in the chain of causes it stands; nothing else of a cause is shown. */
function codeOf(error: unknown): string {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const code = (e as NodeJS.ErrnoException).code;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return ` (${code})`;
  }
  return '';
}
