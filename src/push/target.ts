/**
 * What a push URL says, read strictly. The WHATWG parser decides what it means (so every spelling of an address comes
 * out as one), but its leniency is refused: what it repairs in silence, another reader may read as something else.
 */
import { isIP } from 'node:net';
import { parseUrl } from '../domain/parse-url.js';
import { isPublicAddress } from './addresses.js';
import { bareName, type Allowlist } from './allowlist.js';

/** Where a push goes, before the name is resolved. */
export interface Target {
  /** scheme://host[:port], the host normalised. */
  origin: string;
  /** A name, or an address without brackets. */
  host: string;
  /** Path and query. */
  path: string;
  /** Allowlisted: its addresses are not checked. */
  allowed: boolean;
}

/** The URL may not be pushed to; the message goes on after "url". */
export class RefusedUrl extends Error {
  override readonly name = 'RefusedUrl';
}

/** Names that mean this machine or its network (RFC 6761, 6762, 8375, 9476 and habit), whatever DNS says of them. */
const privateNames = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/;

/** Throws RefusedUrl. Looks up nothing. */
export function readTarget(text: string, allowed: Allowlist): Target {
  const url = parsed(text);
  const host = bareName(url.hostname);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const target: Target = {
    origin: `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`,
    host: host.startsWith('[') ? host.slice(1, -1) : host,
    path: url.pathname + url.search,
    allowed: allowed(host, port),
  };
  if (!target.allowed) refuseUnlessPublic(target, url.protocol, port);
  return target;
}

function parsed(text: string): URL {
  if (/[\s\p{C}\\]/u.test(text)) throw new RefusedUrl('must not contain spaces, control characters or backslashes');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined) throw new RefusedUrl('must be an https URL');
  if (authority.includes('@')) throw new RefusedUrl('must not carry credentials');
  const url = authority === '' ? null : parseUrl(text);
  if (!url || !isHost(bareName(url.hostname))) throw new RefusedUrl('must name a host');
  return url;
}

/** Of what the URL parser lets through as a host. */
const isHost = (host: string): boolean =>
  host.startsWith('[') ||
  (host.length <= 253 && host.split('.').every((label) => label.length >= 1 && label.length <= 63));

function refuseUnlessPublic({ host }: Target, protocol: string, port: number): void {
  if (protocol !== 'https:') throw new RefusedUrl('must be an https URL');
  if (port === 0) throw new RefusedUrl('must not use port 0');
  const fine = isIP(host) === 0 ? host.includes('.') && !privateNames.test(host) : isPublicAddress(host);
  if (!fine) throw new RefusedUrl('must name a public host');
}
