/**
 * Which web pages may read what is answered to them (WHATWG Fetch, 3.3). Off unless HIVEKEEP_CORS_ORIGINS names
 * origins: then no response says a word of CORS, and a preflight is any other OPTIONS request.
 *
 * Invariants
 *  Cors.O1 An origin is allowed when it is on the list, character by character, or when the list is `*`. Another one is
 *     told nothing, so its page can read nothing; no answer ever repeats what was not on the list.
 *  Cors.O2 No answer allows credentials: there are no cookies here, and a key travels in a header that its page has to
 *     set.
 *  Cors.O3 With a list, every response says that it depends on the origin, so that no cache hands one page's to
 *     another.
 *  Cors.O4 A preflight needs no key (browsers send none), does nothing, and counts against its address.
 * A WebSocket is no fetch: its handshake is checked where it is taken (`admits`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Longer is cut by browsers: Chrome keeps an answer for 2 h at most. */
const maxAgeSeconds = 7200;
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** What clients of this API send beside what any page may. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'X-Service-Version',
  'A2A-Version',
  'A2A-Extensions',
].join(', ');
/** What they want to read beside what any page may. */
const exposedHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Location',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Client-Request-Id',
  'Idempotent-Replayed',
].join(', ');

const preflightHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Access-Control-Allow-Methods': allowedMethods,
  'Access-Control-Allow-Headers': allowedHeaders,
  'Access-Control-Max-Age': String(maxAgeSeconds),
});

export interface Cors {
  /** Says on a response who may read it. */
  show(req: IncomingMessage, res: ServerResponse): void;
  /** Whether a page that may ask wants to know what it may send. Others get what OPTIONS gets. */
  isPreflight(req: IncomingMessage): boolean;
  /** What goes on the answer to such a request, beside what `show` says. */
  preflightHeaders(): Record<string, string>;
  /** Whether a page may open a WebSocket: its origin is allowed, or it is our own. */
  admits: (req: IncomingMessage) => boolean;
}

/** Null where no origin is named. */
export function createCors(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null;
  const listed = new Set(origins);
  const any = listed.has('*');
  const isAllowed = (origin: string | undefined): boolean => origin !== undefined && (any || listed.has(origin));
  return {
    show(req, res) {
      const { origin } = req.headers;
      if (!any) res.setHeader('Vary', 'Origin');
      if (origin === undefined || !isAllowed(origin)) return;
      res.setHeader('Access-Control-Allow-Origin', any ? '*' : origin);
      res.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    },
    isPreflight: (req) =>
      req.method === 'OPTIONS' &&
      req.headers['access-control-request-method'] !== undefined &&
      isAllowed(req.headers.origin),
    preflightHeaders: () => ({ ...preflightHeaders }),
    admits: ({ headers: { origin, host } }) =>
      origin === undefined ||
      isAllowed(origin) ||
      (host !== undefined && /^https?:\/\//.test(origin) && origin.slice(origin.indexOf('//') + 2) === host),
  };
}
