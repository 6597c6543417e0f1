/**
 * Parses push URLs strictly. The WHATWG parser determines the meaning, so that every spelling of an address is
 * normalised, but input that it would silently repair is refused, because another parser may interpret it differently.
 */
import { isIP } from 'node:net';
import { parseUrl } from '../domain/shared/text-forms.js';
import { isPublicAddress, bareName, type Allowlist } from './addresses.js';

/** The destination of a push, before its name is resolved. */
export interface PushTarget {
  /** scheme://host[:port], the host normalised. */
  origin: string;
  /** A name, or an address without brackets. */
  host: string;
  /** Path and query. */
  path: string;
  /** Allowlisted: its addresses are not checked. */
  allowed: boolean;
}

/** The URL is not allowed; the message continues the word "url". */
export class RefusedUrl extends Error {
  override readonly name = 'RefusedUrl';
}

/**
 * Names that refer to this machine or its network, or to nothing at all (RFC 6761, 6762, 8375, 9476 and common use),
 * whatever DNS says.
 */
const privateNames = /(^|\.)(localhost|localdomain|local|internal|home\.arpa|invalid)$/;

/** Throws RefusedUrl. Does not use DNS. */
export function readTarget(text: string, allowed: Allowlist): PushTarget {
  const url = parsed(text);
  const host = bareName(url.hostname);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const target: PushTarget = {
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

/** Whether a host that the URL parser accepts is a valid name or address. */
const isHost = (host: string): boolean =>
  host.startsWith('[') ||
  (host.length <= 253 && host.split('.').every((label) => label.length >= 1 && label.length <= 63));

function refuseUnlessPublic({ host }: PushTarget, protocol: string, port: number): void {
  if (protocol !== 'https:') throw new RefusedUrl('must be an https URL');
  if (port === 0) throw new RefusedUrl('must not use port 0');
  const fine = isIP(host) === 0 ? host.includes('.') && !privateNames.test(host) : isPublicAddress(host);
  if (!fine) throw new RefusedUrl('must name a public host');
}
