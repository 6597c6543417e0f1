/**
 * One request and its retries. A request that was refused with 429 or 503 has changed nothing, and one whose answer was
 * lost, also by a proxy, is asked again under the same Idempotency-Key, so that every try together takes effect once
 * (docs/api.md 10.3).
 */
import { ApiError, ConnectionError, TimeoutError } from './errors.js';

export interface ClientOptions {
  /** The URL of the service: `https://host[:port]`, with a path if a proxy adds one. */
  baseUrl: string;
  /** An API key (`svc_...`), sent as the bearer token of every request. */
  key: string;
  /** Replaces the platform's fetch. */
  fetch?: typeof globalThis.fetch;
  /** How often a request is tried again after 429, 502, 503, 504 or a lost connection: 4 unless given. */
  retries?: number;
  /** The longest pause between two tries, ms: 30,000 unless given. A longer Retry-After is thrown instead of waited for. */
  maxDelayMs?: number;
  /**
   * How long a try waits for its answer, ms: 120,000 unless given, 0 without an end. One that gets none counts as lost.
   * Imports take as long as they need, and streams are noticed to be dead by their silence.
   */
  timeoutMs?: number;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Under which repeats of a POST take effect once. The client makes one for each call unless it is given. */
  idempotencyKey?: string;
  /** The ETag that the agent must still have (`agents.getWithEtag`): for its `replace`, `update` and `delete`. */
  ifMatch?: string;
  headers?: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Request extends RequestOptions {
  method: string;
  /** With its ids filled in. */
  path: string;
  query?: Query | undefined;
  body?: unknown;
  /** Lines of JSON as the body, sent as they are. */
  lines?: string | Blob;
}

/** The response with its body read as JSON. */
export interface Answer<T = unknown> {
  body: T;
  response: Response;
}

export interface Transport {
  /** Rejects with ApiError, ConnectionError, or the reason of the signal. */
  json<T>(request: Request): Promise<Answer<T>>;
  /** The same for a response whose body is still to be read. */
  open(request: Request): Promise<Response>;
  /** Resolves after `ms`, or rejects with the reason of the signal. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

const firstDelayMs = 250;
/** What the platform says of a connection that failed, such as ECONNREFUSED; browsers say nothing. */
function reasonOf(failure: unknown): string {
  const { code } = ((failure as Error).cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? ` (${code})` : '';
}
/** The service is busy or away (429, 503), or a proxy before it has lost the answer (502, 504). */
export const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export function createTransport(options: ClientOptions): Transport {
  const { key, retries = 4, maxDelayMs = 30_000, timeoutMs = 120_000 } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  if (!/^https?:\/\//i.test(baseUrl)) throw new TypeError('baseUrl must begin with http:// or https://');
  // as the reader of an error knows it; credentials that an address may carry are not part of the origin
  const { origin } = new URL(baseUrl);
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);

  const once = async (request: Request, headers: Record<string, string>, over: AbortSignal): Promise<Response> => {
    const { method, path, query, body, lines, signal } = request;
    try {
      return await fetch(baseUrl + path + queryText(query), {
        method,
        headers,
        // a redirect with 307 or 308 would take the body along, to whichever origin it names
        redirect: body === undefined && lines === undefined ? 'follow' : 'error',
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(lines !== undefined && { body: lines }),
        signal: signal ? AbortSignal.any([signal, over]) : over,
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ConnectionError(`no answer from ${origin} to ${method} ${path}${reasonOf(cause)}`, { cause });
    }
  };

  async function tried<T>(request: Request, read: (response: Response) => Promise<T>): Promise<T> {
    const headers = headersOf(request, key);
    for (let attempt = 1; ; attempt++) {
      let failure: ApiError | ConnectionError;
      let delay = backoff(attempt, maxDelayMs);
      const over = new AbortController();
      const timer =
        timeoutMs > 0 && request.lines === undefined
          ? setTimeout(() => over.abort(new TimeoutError(`no answer within ${timeoutMs} ms`)), timeoutMs)
          : undefined;
      try {
        const response = await once(request, headers, over.signal);
        if (response.ok) return await read(response);
        const after = retryAfter(response);
        failure = new ApiError(response.status, await response.json().catch(() => undefined), after);
        if (!passing.has(response.status)) throw failure;
        delay = Math.max(delay, (after ?? 0) * 1000);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof ConnectionError)) throw error;
        failure = error;
      } finally {
        clearTimeout(timer);
      }
      if (attempt > retries || delay > maxDelayMs) throw failure;
      await pause(delay, request.signal);
    }
  }

  return {
    json: <T>(request: Request) =>
      tried(request, async (response): Promise<Answer<T>> => {
        try {
          return { body: (await response.json()) as T, response };
        } catch (cause) {
          request.signal?.throwIfAborted();
          throw new ConnectionError(`the answer to ${request.method} ${request.path} broke off`, { cause });
        }
      }),
    open: (request) => tried(request, (response) => Promise.resolve(response)),
    pause,
  };
}

function headersOf(
  { method, body, lines, idempotencyKey, ifMatch, headers }: Request,
  key: string,
): Record<string, string> {
  const repeatable = idempotencyKey ?? (method === 'POST' ? crypto.randomUUID() : undefined);
  return {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(lines !== undefined && { 'content-type': 'application/x-ndjson' }),
    ...(repeatable !== undefined && { 'idempotency-key': repeatable }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...headers,
  };
}

function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.append(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** Doubles from try to try, and is up to half of it longer by chance, so that clients do not come back all at once. */
export function backoff(attempt: number, maxDelayMs: number): number {
  return Math.min(firstDelayMs * 2 ** (attempt - 1) * (1 + Math.random() / 2), maxDelayMs);
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    if (signal?.aborted) aborted();
    else signal?.addEventListener('abort', aborted, { once: true });
  });
}
