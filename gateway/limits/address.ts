/**
 * Where a request comes from, for the limit by address.
 *
 * A proxy's X-Forwarded-For is believed as far as the proxies are trusted: from the right, up to the first address that
 * is no trusted proxy's. What a client wrote into the header itself stands to the left of that and is never looked at.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { TrustFunction } from '../auth/https-only.js';

/** The client's address; the nearest proxy's where it names none that is one. Empty for a socket that is gone already. */
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

/** Some proxies name the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  return bracketed?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

/** What shares one limit: an IPv4 address, or the /64 that an IPv6 client has to itself. */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1); // fe80::1%eth0
  if (isIP(bare) === 0) return 'unknown';
  const parsed = ipaddr.process(bare); // an IPv4 address in IPv6 clothes is one
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
