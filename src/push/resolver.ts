/**
 * Names to addresses. Names that anybody may register are asked of DNS through sockets of the event loop, bounded in
 * time: the system's own lookup would hold a thread of the process's small pool, which the store writes with, for as
 * long as a hostile name server likes. Allowlisted hosts are the operator's and may stand in /etc/hosts, so they go
 * that way.
 */
import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name; rejects, or is empty, when it has none or DNS fails. */
export type Resolve = (host: string, allowed: boolean) => Promise<readonly { address: string; family: number }[]>;

/** `timeoutMs` is for the first of `tries` at each server; `servers` (address:port) are the system's unless given. */
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

/** A name with addresses of one family only is the rule, not a failure. */
const found = (answer: PromiseSettledResult<string[]>, family: number): { address: string; family: number }[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
