/**
 * Resolves host names. Names that anyone may register are resolved by DNS through event-loop sockets, with a time
 * limit: the system's own look-up would hold a thread of the process's small pool, which the store uses for writing,
 * for as long as a hostile name server likes. Allowlisted hosts are chosen by the operator and may be in /etc/hosts, so
 * they use the system's look-up.
 */
import { lookup, Resolver } from 'node:dns/promises';

/** Resolves to all addresses of a name; rejects, or resolves to an empty list, if it has none or DNS fails. */
export type Resolve = (host: string, allowed: boolean) => Promise<readonly { address: string; family: number }[]>;

/** `timeoutMs` applies to the first of `tries` at each server; `servers` (address:port) default to the system's. */
export function systemResolver({
  timeoutMs,
  tries,
  servers,
}: {
  timeoutMs: number;
  tries: number;
  servers?: readonly string[];
}): Resolve {
  const dns = new Resolver({ timeout: timeoutMs, tries });
  if (servers) dns.setServers(servers);
  return async (host, allowed) => {
    if (allowed) return lookup(host, { all: true });
    const [v4, v6] = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [...found(v4, 4), ...found(v6, 6)];
  };
}

/** Most names have addresses of one family only, so a failure of the other is ignored. */
const found = (answer: PromiseSettledResult<string[]>, family: number): { address: string; family: number }[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
