/**
 * What every response tells the browsers that may read it, streams, probes and refusals included (OWASP REST Security
 * Cheat Sheet; RFC 6797 for HSTS). Constants: they are on the way of every request.
 *
 *  - no-store: what a key may read is nobody's to keep. What may be kept says so itself, in the head that it writes (cards,
 *    /openapi.json, /docs).
 *  - The policy is that of data: nothing in it is to be loaded, run or framed. /docs, a page, has its own.
 *  - HSTS only where the request came by HTTPS. Over plain HTTP it means nothing (RFC 6797, 7.2), and on a loopback bind it
 *    would keep browsers from what else is served on this machine.
 */
import type { ServerResponse } from 'node:http';

export const securityHeaders = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
});

/** A year. */
export const hsts = Object.freeze({ 'Strict-Transport-Security': 'max-age=31536000' });

/** Before anything else is set, so that whoever knows better can say so. */
export function protect(res: ServerResponse, https: boolean): void {
  res.setHeader('X-Content-Type-Options', securityHeaders['X-Content-Type-Options']);
  res.setHeader('Referrer-Policy', securityHeaders['Referrer-Policy']);
  res.setHeader('X-Frame-Options', securityHeaders['X-Frame-Options']);
  res.setHeader('Content-Security-Policy', securityHeaders['Content-Security-Policy']);
  res.setHeader('Cache-Control', securityHeaders['Cache-Control']);
  if (https) res.setHeader('Strict-Transport-Security', hsts['Strict-Transport-Security']);
}
