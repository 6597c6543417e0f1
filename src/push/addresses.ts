/**
 * Which addresses are out on the public internet: the only ones that a push may go to (docs/api.md 7.2).
 * The classes are ipaddr.js's; this file adds what they leave open. Nothing is decoded out of an address: a mapped,
 * translated or tunnelled one is refused whatever is inside.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All that IANA gives out as global unicast. What lies outside, such as ::127.0.0.1, has no business here even where it has no class. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by its class, but answered by the cloud's host inside the machine's own network (Azure's wire server). */
const hostServices = new Set(['168.63.129.16']);

/** Of an address as DNS and the URL parser write it; false for anything else. */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads 0177.1 and zone ids, which other readers may understand differently
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || hostServices.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}
