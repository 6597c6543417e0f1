/**
 * Guards against server-side request forgery: decides where pushes may go (docs/api.md 7.2), at registration and again
 * at every attempt.
 *
 *  UrlGuard.G1 An address is returned only if the URL's host is allowlisted, or if every address that the name has now
 *     is public: a single private address among them refuses all.
 *  - Every call queries DNS anew. Concurrent calls for the same name share one query.
 *
 * Connections may be opened only to the returned addresses; names are never resolved again later.
 */
import { isIP } from 'node:net';
import { isPublicAddress, allowlist } from './addresses.js';
import type { Resolve } from './resolver.js';
import { readTarget, RefusedUrl, type PushTarget } from './target.js';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** The name has no address at present; a later attempt may succeed. */
export class Unresolved extends Error {
  override readonly name = 'Unresolved';
}

export interface Guard {
  /** Throws RefusedUrl. */
  read(url: string): PushTarget;
  /** In the order in which to try them, at most `maxAddresses`. Rejects with RefusedUrl or Unresolved. */
  addresses(target: PushTarget): Promise<readonly ResolvedAddress[]>;
}

/** More than a connection would ever try; DNS may return thousands. All are checked. */
const maxAddresses = 8;

export function createGuard(deps: { allow: readonly string[]; resolve: Resolve }): Guard {
  const allowed = allowlist(deps.allow);
  const asked = new Map<string, ReturnType<Resolve>>();

  function ask({ host, allowed }: PushTarget): ReturnType<Resolve> {
    const key = `${allowed} ${host}`;
    let answer = asked.get(key);
    if (!answer) {
      answer = deps.resolve(host, allowed).finally(() => {
        asked.delete(key);
      });
      asked.set(key, answer);
    }
    return answer;
  }

  return {
    read: (url) => readTarget(url, allowed),
    async addresses(target) {
      if (isIP(target.host) !== 0) return [checked(target.host)];
      let found: Awaited<ReturnType<Resolve>>;
      try {
        found = await ask(target);
      } catch (cause) {
        throw new Unresolved('the host does not resolve', { cause });
      }
      if (found.length === 0) throw new Unresolved('the host does not resolve');
      if (!target.allowed && !found.every((a) => isPublicAddress(a.address)))
        throw new RefusedUrl('must resolve to public addresses only');
      return [...new Set(found.map((a) => a.address))].map(checked).sort(byFamily).slice(0, maxAddresses);
    },
  };
}

/** An allowlisted name may have any address, but it must be a valid one. */
function checked(address: string): ResolvedAddress {
  const family = isIP(address);
  if (family !== 4 && family !== 6) throw new RefusedUrl('must resolve to addresses');
  return { address, family };
}

/**
 * IPv4 first, because every host has it; then by text, so that the same answer in another order gives the same result.
 */
const byFamily = (a: ResolvedAddress, b: ResolvedAddress): number =>
  a.family - b.family || (a.address < b.address ? -1 : 1);
