/**
 * CORS: which web pages may read our responses (WHATWG Fetch, 3.3). It is off unless HIVEKEEP_CORS_ORIGINS names
 * origins; then no response has a CORS header, and a preflight is treated as any other OPTIONS request.
 *
 * Invariants
 *  - An origin is allowed if it matches a list entry exactly, or if the list is `*`. Other origins get no CORS
 *    headers, so their pages can read nothing, and no response echoes an origin that is not on the list.
 *  - No response allows credentials: there are no cookies here, and a page must set its key in a header itself.
 *  - With a list of origins, every response has `Vary: Origin`, so that no cache serves one page's response to
 *    another. With `*` none needs it: all pages get the same headers.
 *  - A preflight needs no key (browsers send none), has no effect, and counts against the client's address.
 * A WebSocket does not follow fetch rules: its origin is checked in the handshake (`admits`).
 */
import type { IncomingMessage } from 'node:http';
import type { GatewayResponse } from './prototypes.js';

/** Browsers cap this: Chrome keeps a preflight result for at most 2 h. */
const maxAgeSeconds = 7200;
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Request headers allowed in addition to the CORS-safelisted ones. */
const allowedHeaders = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'X-Service-Version',
  'A2A-Version',
  'A2A-Extensions',
  'X-A2A-Extensions',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'X-Hivekeep-On-Busy',
  'X-Hivekeep-Session',
  'X-Hivekeep-Subject',
].join(', ');
/** Response headers readable in addition to the CORS-safelisted ones. */
const exposedHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Policy',
  'Retry-After',
  'X-Hivekeep-Session',
  'ETag',
  'Location',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Client-Request-Id',
  'Idempotent-Replayed',
  'Mcp-Session-Id',
].join(', ');

const preflightHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Access-Control-Allow-Methods': allowedMethods,
  'Access-Control-Allow-Headers': allowedHeaders,
  'Access-Control-Max-Age': String(maxAgeSeconds),
});

export interface Cors {
  /** Sets the CORS headers of a response. */
  show(req: IncomingMessage, res: GatewayResponse): void;
  /** Whether the request is a preflight from an allowed origin. Others are treated as a plain OPTIONS request. */
  isPreflight(req: IncomingMessage): boolean;
  /** Headers of a preflight response, in addition to those of `show`. */
  preflightHeaders(): Record<string, string>;
  isAllowed(origin: string): boolean;
  /** Whether a page may open a WebSocket: its origin is allowed, or is our own. */
  admits: (req: IncomingMessage) => boolean;
}

/** Whether pages of this origin come from the machine itself. */
export const isLoopbackOrigin = (origin: string): boolean =>
  /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(origin);

/** Returns null if no origin is configured. */
export function createCors(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null;
  const listed = new Set(origins);
  const any = listed.has('*');
  const isAllowed = (origin: string | undefined): boolean => origin !== undefined && (any || listed.has(origin));
  return {
    isAllowed,
    show(req, res) {
      const { origin } = req.headers;
      if (!any) res.show('Vary', 'Origin');
      if (origin === undefined || !isAllowed(origin)) return;
      res.show('Access-Control-Allow-Origin', any ? '*' : origin);
      res.show('Access-Control-Expose-Headers', exposedHeaders);
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
