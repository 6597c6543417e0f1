/**
 * Converts what goes wrong with a request (http.ts) into a ReasonerError with a helpful sentence, and decides whether a
 * retry may help. The key never appears: the server's own text is omitted for 401 and 403, and masked otherwise.
 */
import { maskCredentials } from '../../telemetry/redact.js';
import { ReasonerError } from '../port.js';
import { AnswerTooLong } from './bounded-fetch.js';
import { brief } from '../../english/sentences.js';
import { ServerProblem, Unfinished, Unreachable } from './problems.js';
import type { ModelServer } from './server.js';

/** A stream of the server has gone silent. */
export class Stalled extends Error {
  override readonly name = 'Stalled';
}

/** What asking again does not change. */
const lasting = /invalid_request|authentication|permission|not_found|billing|quota/;

/** The servers say so in words of their own: OpenAI, Anthropic, vLLM, llama.cpp, Gemini, Mistral. */
const overflow =
  /context.?(?:length|window|size|limit)|(?:prompt|input|request) is too (?:long|large)|too large for model|maximum number of tokens|input tokens exceed|reduce the length of the messages/i;

type Whose = Partial<Pick<ReasonerError, 'fault' | 'retryAfterMs' | 'overflow' | 'window'>>;
const give = (code: ReasonerError['code'], message: string, whose: Whose = {}): ReasonerError =>
  Object.assign(new ReasonerError(code, message), whose);
const away = { fault: 'away' } as const;
const ofServer = { fault: 'server' } as const;

/** Removes user, password and query. */
export function shownUrl(baseUrl: string): string {
  try {
    const { origin, pathname } = new URL(baseUrl);
    return `${origin}${pathname}`;
  } catch {
    return 'an address that is no URL';
  }
}

function masked(text: string, { secrets }: ModelServer): string {
  return brief(maskCredentials(secrets.reduce((said, secret) => said.replaceAll(secret, '[key]'), text)), 300);
}

export function failureOf(error: unknown, server: ModelServer, model: string, now: number): ReasonerError {
  const long = tooLong(error);
  if (long)
    return give(
      'bad_response',
      `the answer of model "${model}" is longer than ${long.maxBytes} bytes (${server.settings.maxAnswerBytes})`,
    );
  if (error instanceof Stalled)
    return give('unreachable', `the model server at ${server.url} has gone silent in the middle of its answer`, away);
  if (error instanceof Unreachable)
    return give('unreachable', `cannot reach the model server at ${server.url}${codeOf(error.cause)}`, away);
  if (error instanceof ServerProblem)
    return error.status === undefined ? ofStream(error, server) : ofStatus(error, error.status, server, model, now);
  if (error instanceof SyntaxError)
    return give('bad_response', `the model server at ${server.url} sent something that is not JSON`, ofServer);
  return give('unreachable', `the connection to the model server at ${server.url} broke${codeOf(error)}`, away);
}

function ofStream(problem: ServerProblem, server: ModelServer): ReasonerError {
  const lasts = lasting.test(problem.code);
  return give(
    lasts ? 'refused' : problem instanceof Unfinished ? 'bad_response' : 'unreachable',
    `the model server at ${server.url} ended its answer with an error: ${masked(problem.message, server)}`,
    lasts ? ofServer : away,
  );
}

function ofStatus(
  { message, code, headers, window }: ServerProblem,
  status: number,
  server: ModelServer,
  model: string,
  now: number,
): ReasonerError {
  const { settings, hint } = server;
  const says = masked(message, server);
  const retryAfterMs = retryAfter(headers, now);
  const told = says === '' ? '' : `: ${says}`;
  const asked = headers.get('x-should-retry');
  const overflows = status === 413 || (status < 502 && overflow.test(`${code} ${says}`));
  const awayFor: Whose = asked === 'false' ? ofServer : { ...away, retryAfterMs };
  switch (true) {
    case status >= 300 && status < 400:
      return give(
        'refused',
        `the model server at ${server.url} answers with a redirect (${status}), which is not followed: set ${settings.baseUrl} to where it leads`,
        ofServer,
      );
    case status === 401:
      return give(
        'refused',
        `the model server at ${server.url} does not accept the key (401): check ${settings.apiKey}${server.hasKey ? '' : ', which is not set'}`,
        ofServer,
      );
    case status === 403:
      return give(
        'refused',
        `the model server at ${server.url} does not allow model "${model}" with this key (403): check ${settings.apiKey} and the agent's config.model`,
        ofServer,
      );
    case status === 404:
      return give(
        'refused',
        `the model server at ${server.url} has no model "${model}", or no ${hint.endpoint} at this address (404): check the agent's config.model and ${settings.baseUrl}, ${hint.address}${told}`,
        ofServer,
      );
    case status === 429 && code.includes('insufficient_quota'):
      return give('refused', `the account at ${server.url} has no quota left (429)${told}`, ofServer);
    case status === 429:
      return give('rate_limited', `the model server at ${server.url} is asked too often (429)${told}`, awayFor);
    case overflows && status !== 429:
      return give('refused', `the model server at ${server.url} refused the request (${status})${told}`, {
        overflow: true,
        window,
      });
    case status >= 500 || status === 408 || status === 409:
      return give('unreachable', `the model server at ${server.url} fails (${status})${told}`, awayFor);
    default:
      return give(
        'refused',
        `the model server at ${server.url} refused the request (${status})${told}`,
        asked === 'true' ? { ...away, retryAfterMs } : ofServer,
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
