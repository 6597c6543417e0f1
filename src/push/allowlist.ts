import { parseUrl } from '../domain/parse-url.js';

/**
 * The hosts that whoever operates the service lets pushes go to by http, on any port and at any address
 * (HIVEKEEP_PUSH_ALLOW): `host`, or `host:port` for that port alone. An address in the list allows
 * URLs that name it, not names that lead to it.
 */
export type Allowlist = (host: string, port: number) => boolean;

/** Takes entries that the configuration has checked (config/parse.ts, hostPorts). */
export function allowlist(entries: readonly string[]): Allowlist {
  const known = new Set(entries.map(normalised));
  return (host, port) => known.has(host) || known.has(`${host}:${port}`);
}

/** Hosts as the URL parser writes them; an IPv6 address gets its brackets. */
function normalised(entry: string): string {
  const [, host = '', port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [entry, `[${entry}]`];
  const url = parseUrl(`https://${host}`);
  const name = url === null ? host : bareName(url.hostname);
  return port === undefined ? name : `${name}:${Number(port)}`;
}

/** Without the dot that only says that a name is complete. */
export const bareName = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);
