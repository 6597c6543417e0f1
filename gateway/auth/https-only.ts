/**
 * HTTPS only (docs/api.md 1): TLS by our own certificate, or a trusted proxy that says https. Plain
 * HTTP is served on a loopback bind alone, and there the header of a stranger means nothing. A trusted proxy that says
 * http, or nothing, is refused, on loopback too.
 */
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { HivekeepError } from '../../src/domain/errors.js';

/** Whether an address is a trusted proxy's; Express makes it of its setting `trust proxy`. */
export type TrustFunction = (address: string, hop: number) => boolean;

export function isSecure(req: IncomingMessage, loopback: boolean, trusts: TrustFunction): boolean {
  return isHttps(req, trusts) ?? loopback;
}

/** Whether it came by HTTPS, all the way as far as trusted proxies say; undefined where it came directly and plainly. */
export function isHttps(req: IncomingMessage, trusts: TrustFunction): boolean | undefined {
  if ((req.socket as TLSSocket).encrypted) return true;
  const peer = req.socket.remoteAddress;
  if (peer === undefined || !trusts(peer, 0)) return undefined;
  const said = req.headers['x-forwarded-proto'];
  // a chain of proxies may have made a list of it: every hop must have been https
  return typeof said === 'string' && said.split(',').every((proto) => proto.trim().toLowerCase() === 'https');
}

export const httpsRequired = (): HivekeepError =>
  new HivekeepError(
    'HTTPS_REQUIRED',
    'plain HTTP is served on loopback only: use https, or put a proxy named in HIVEKEEP_TRUSTED_PROXIES in front',
  );
