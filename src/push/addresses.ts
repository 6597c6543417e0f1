/**
 * Decides where a push may go (docs/api.md 7.2): to addresses on the public internet, and to hosts that the operator
 * allows. The classification of addresses is that of ipaddr.js, completed here where it has gaps. Embedded addresses
 * are not decoded: a mapped, translated or tunnelled address is refused whatever it contains.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../domain/shared/text-forms.js';

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

/**
 * The hosts to which the operator allows pushes by http, on any port and at any address (HIVEKEEP_PUSH_ALLOW): `host`,
 * or `host:port` for that port only. An address in the list allows URLs that contain it, not names that resolve to it.
 */
export type Allowlist = (host: string, port: number) => boolean;

/** Takes entries that the configuration has validated (config/parse.ts, hostPorts). */
export function allowlist(entries: readonly string[]): Allowlist {
  const known = new Set(entries.map(normalised));
  return (host, port) => known.has(host) || known.has(`${host}:${port}`);
}

/** Writes a host as the URL parser does; an IPv6 address gets brackets. */
function normalised(entry: string): string {
  const [, host = '', port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [entry, `[${entry}]`];
  const url = parseUrl(`https://${host}`);
  const name = url === null ? host : bareName(url.hostname);
  return port === undefined ? name : `${name}:${Number(port)}`;
}

/** Removes the trailing dot of a fully qualified name. */
export const bareName = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);
