import { parseUrl } from '../domain/parse-url.js';

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
