/**
 * Enforces HTTPS (docs/api.md 1): either our own TLS, or a trusted proxy that forwards `https`. Plain HTTP is accepted
 * only on a loopback bind, or with HIVEKEEP_PLAIN_HTTP; forwarding headers of untrusted peers are ignored there. A
 * trusted proxy that forwards `http`, or no scheme, is refused even then.
 */
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { HivekeepError } from '../../src/domain/errors.js';

/** Whether an address belongs to a trusted proxy; Express compiles it from its setting `trust proxy`. */
export type TrustFunction = (address: string, hop: number) => boolean;

export function isSecure(req: IncomingMessage, plainHttp: boolean, trusts: TrustFunction): boolean {
  return isHttps(req, trusts) ?? plainHttp;
}

/**
 * Whether the request used HTTPS on every hop that trusted proxies report; undefined for a direct connection without
 * TLS.
 */
export function isHttps(req: IncomingMessage, trusts: TrustFunction): boolean | undefined {
  if ((req.socket as TLSSocket).encrypted) return true;
  const peer = req.socket.remoteAddress;
  if (peer === undefined || !trusts(peer, 0)) return undefined;
  const forwarded = req.headers['x-forwarded-proto'];
  // a chain of proxies may produce a list; every hop must have used https
  return typeof forwarded === 'string' && forwarded.split(',').every((proto) => proto.trim().toLowerCase() === 'https');
}

export const httpsRequired = (): HivekeepError =>
  new HivekeepError(
    'HTTPS_REQUIRED',
    'plain HTTP is served on loopback only: use https, or put a proxy named in HIVEKEEP_TRUSTED_PROXIES in front',
  );
