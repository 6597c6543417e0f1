/**
 * Where pushes may go (docs/api.md 7.2), asked at registration and again at every try.
 *
 *  UrlGuard.G1 An address is given out only where the URL's host is allowlisted, or every address that the name has now
 *     is public: one private address among them refuses all.
 *  UrlGuard.G2 Every call asks DNS anew. Calls that meet while an answer is on its way share that answer.
 *
 * A connection may be opened to nothing but the addresses given out; names are never resolved again on the way.
 */
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.js';
import { allowlist } from './allowlist.js';
import type { Resolve } from './resolver.js';
import { readTarget, RefusedUrl, type Target } from './target.js';

export interface Address {
  address: string;
  family: 4 | 6;
}

/** The name has no address now; another time it may. */
export class Unresolved extends Error {
  override readonly name = 'Unresolved';
}

export interface Guard {
  /** Throws RefusedUrl. */
  read(url: string): Target;
  /** In the order in which they should be tried, at most `maxAddresses`. Rejects with RefusedUrl or Unresolved. */
  addresses(target: Target): Promise<readonly Address[]>;
}

/** More than a connection would ever try; DNS may hand out thousands. All are checked. */
const maxAddresses = 8;

export function createGuard(parts: { allow: readonly string[]; resolve: Resolve }): Guard {
  const allowed = allowlist(parts.allow);
  const asked = new Map<string, ReturnType<Resolve>>();

  function ask({ host, allowed }: Target): ReturnType<Resolve> {
    const key = `${allowed} ${host}`;
    let answer = asked.get(key);
    if (!answer) {
      answer = parts.resolve(host, allowed).finally(() => {
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

/** An allowlisted name may have any address, but it must be one. */
function checked(address: string): Address {
  const family = isIP(address);
  if (family !== 4 && family !== 6) throw new RefusedUrl('must resolve to addresses');
  return { address, family };
}

/** IPv4 first, as it is what every host has; then by text, so that an answer in another order is the same answer. */
const byFamily = (a: Address, b: Address): number => a.family - b.family || (a.address < b.address ? -1 : 1);
