/**
 * Decides which addresses are on the public internet, the only ones that a push may go to (docs/api.md 7.2). The
 * classification is that of ipaddr.js, completed here where it has gaps. Embedded addresses are not decoded: a mapped,
 * translated or tunnelled address is refused whatever it contains.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * All of IANA's global unicast space. Addresses outside it, such as ::127.0.0.1, are refused even if they have no
 * class.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Classified as public, but answered by the cloud host inside the machine's own network (Azure's wire server). */
const hostServices = new Set(['168.63.129.16']);

/** Takes an address as DNS and the URL parser write it; false for anything else. */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also accepts 0177.1 and zone ids, which other parsers may interpret differently
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || hostServices.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}
