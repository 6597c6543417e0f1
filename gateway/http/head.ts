/**
 * Checks on a request's head beyond the syntax that node checks (strictly, see server-options.ts). They prevent request
 * smuggling: a head that a proxy in front could interpret differently is refused, and the connection is closed
 * (entry.ts).
 *
 * Invariants
 *  - HTTP/1.1 requires exactly one Host (RFC 9112, 3.2); in any version Host and Authorization appear at
 *     most once. Node itself keeps the first of each and silently drops the others.
 *  - There are at most `maxFields` header fields. Node silently drops fields beyond its own bound, so that
 *     bound is turned off (server.ts) and this one refuses.
 *  - A body is framed by Content-Length or by `chunked` alone: for `gzip, chunked` node would decode the
 *     chunks and hand on the compressed content as the body. HTTP/1.0 has no chunks (RFC 9112, 6.1).
 *  - The version is HTTP/1.1 or 1.0: node also accepts requests labelled 0.9 or 2.0.
 *  - A WebSocket handshake passes the same checks and has no body, since its bytes would be read as frames.
 */
import { invalid } from '../../src/domain/shared/errors.js';
import type { GatewayRequest, GatewayResponse } from './prototypes.js';

const maxFields = 100;

/** Node has already handled a valid Expect header: `awaitsContinue` records it. */
export function checkHead(req: GatewayRequest): void {
  const { rawHeaders, headers, httpVersion } = req;
  const coding = headers['transfer-encoding'];
  if (rawHeaders.length > 2 * maxFields)
    throw invalid({ path: 'request', message: `must have at most ${maxFields} header fields` });
  checkSingle(rawHeaders);
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    throw invalid({ path: 'Transfer-Encoding', message: 'must be chunked, in HTTP/1.1' });
  if (httpVersion === '1.0') return;
  if (httpVersion !== '1.1') throw invalid({ path: 'request', message: 'must be HTTP/1.1 or HTTP/1.0' });
  if (headers.expect !== undefined && !req.awaitsContinue)
    throw invalid({ path: 'Expect', message: 'must be 100-continue' });
  if (headers.host === undefined) throw invalid({ path: 'Host', message: 'is required in HTTP/1.1' });
}

/** What the handshake of a WebSocket must be beside: HTTP/1.1 (RFC 6455, 4.1), without a body. */
export function checkHandshake({ httpVersion, headers }: GatewayRequest): void {
  if (httpVersion !== '1.1') throw invalid({ path: 'request', message: 'must be HTTP/1.1 for a WebSocket' });
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  if (coding !== undefined || Number(length) !== 0)
    throw invalid({ path: 'request', message: 'must have no body, as it asks for a WebSocket' });
}

/** Compares a name only if its length matches, which is rare. */
function checkSingle(rawHeaders: readonly string[]): void {
  let host = 0;
  let authorization = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host' && ++host > 1)
      throw invalid({ path: 'Host', message: 'must be given once' });
    if (name.length === 13 && name.toLowerCase() === 'authorization' && ++authorization > 1)
      throw invalid({ path: 'Authorization', message: 'must be given once' });
  }
}

/* Request ids (docs/api.md 7.1). */

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Generates `req_` and 20 random characters (100 bits). Random bytes are read in blocks, because a call for 20 costs as
 * much as one for 4096.
 */
export function requestIdSource(randomBytes: (n: number) => Uint8Array): () => string {
  let block = randomBytes(4096);
  let used = 0;
  return () => {
    if (used + 20 > block.length) {
      block = randomBytes(4096);
      used = 0;
    }
    let id = 'req_';
    for (const end = used + 20; used < end; used++) id += alphabet.charAt((block[used] ?? 0) & 31);
    return id;
  };
}

/** Returns the client's X-Request-Id if it is safe to echo and log: 1 to 128 visible ASCII characters. */
export function clientRequestId(header: string | undefined): string | null {
  return header !== undefined && /^[\x21-\x7e]{1,128}$/.test(header) ? header : null;
}

/*
 * Security headers of every response, including streams, probes and refusals (OWASP REST Security Cheat Sheet; RFC 6797
 * for HSTS). They are constants, because every request sets them.
 *
 *  - no-store: responses depend on a key and must not be cached. Cacheable ones override it in their own head (cards,
 *    /openapi.json, /docs).
 *  - The Content-Security-Policy is that of data: nothing may be loaded, run or framed. The page /docs has its own.
 *  - HSTS only for requests over HTTPS. Over plain HTTP it has no meaning (RFC 6797, 7.2), and on loopback it would
 *    keep browsers from other services of this machine.
 */

export const securityHeaders = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
});

/** One year. */
export const hsts = Object.freeze({ 'Strict-Transport-Security': 'max-age=31536000' });

/** Called before any other header is set, so that later code can override these. */
export function protect(res: GatewayResponse, https: boolean): void {
  res.show('X-Content-Type-Options', securityHeaders['X-Content-Type-Options']);
  res.show('Referrer-Policy', securityHeaders['Referrer-Policy']);
  res.show('X-Frame-Options', securityHeaders['X-Frame-Options']);
  res.show('Content-Security-Policy', securityHeaders['Content-Security-Policy']);
  res.show('Cache-Control', securityHeaders['Cache-Control']);
  if (https) res.show('Strict-Transport-Security', hsts['Strict-Transport-Security']);
}
