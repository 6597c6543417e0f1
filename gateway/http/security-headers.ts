/**
 * Security headers of every response, including streams, probes and refusals (OWASP REST Security Cheat Sheet; RFC 6797
 * for HSTS). They are constants, because every request sets them.
 *
 *  - no-store: responses depend on a key and must not be cached. Cacheable ones override it in their own head (cards,
 *    /openapi.json, /docs).
 *  - The Content-Security-Policy is that of data: nothing may be loaded, run or framed. The page /docs has its own.
 *  - HSTS only for requests over HTTPS. Over plain HTTP it has no meaning (RFC 6797, 7.2), and on loopback it would
 *    keep browsers from other services of this machine.
 */
import type { GatewayResponse } from './prototypes.js';

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
