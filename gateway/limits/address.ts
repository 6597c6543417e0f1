/**
 * Determines the client address for the limits by address.
 *
 * X-Forwarded-For is read from the right, as far as the hops are trusted proxies: the first address that is not a
 * trusted proxy's is the client's. Anything that the client itself wrote into the header is further to the left and is
 * ignored.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { TrustFunction } from '../auth/https-only.js';

/** The client's address, or the nearest proxy's if it forwards no valid one. Empty if the socket is already gone. */
export function clientAddress(req: Pick<IncomingMessage, 'socket' | 'headers'>, trusts: TrustFunction): string {
  let address = req.socket.remoteAddress ?? '';
  const forwarded = req.headers['x-forwarded-for'];
  if (forwarded === undefined) return address;
  const hops = (typeof forwarded === 'string' ? forwarded : forwarded.join(',')).split(',');
  for (let hop = 0; trusts(address, hop) && hops.length > 0; hop++) {
    const named = withoutPort(hops.pop()?.trim() ?? '');
    if (isIP(named) === 0) return address;
    address = named;
  }
  return address;
}

/** Removes the port that some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  return bracketed?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

/**
 * The network that shares one limit: an IPv4 address, or the /64 of an IPv6 address, which is typically one client's.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1); // removes a zone, as in fe80::1%eth0
  if (isIP(bare) === 0) return 'unknown';
  const parsed = ipaddr.process(bare); // converts an IPv4-mapped IPv6 address
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
