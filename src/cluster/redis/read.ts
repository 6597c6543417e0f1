/** Reads the placement table without being a member, for `hivekeep cluster`. Changes nothing. */
import type { RedisClient } from '../../redis/connect.js';
import { loadScript } from '../../redis/script.js';
import type { Lease, LiveMember } from '../leases.js';
import { placementKeys, readLeases, readLiveMembers } from './leases.js';

export interface PlacementTable {
  /** The name of the table; null if no process has ever sent a heartbeat to this Redis. */
  born: string | null;
  /** Live processes, and how long each counts as alive without another heartbeat. */
  members: LiveMember[];
  /** Shards that have ever been held; the owner is null if it is no longer alive. */
  leases: Lease[];
}

const read = loadScript(new URL('./read.lua', import.meta.url));

/** Rejects with the errors of the connection. */
export async function readPlacement(client: RedisClient, prefix: string): Promise<PlacementTable> {
  const keys = placementKeys(prefix);
  const [now, born, alive, descriptions, leases] = (await read(
    client,
    [keys.alive, keys.members, keys.leases, keys.born],
    [],
  )) as [number, string, string[], string[], string[]];
  const members = readLiveMembers(now, alive, descriptions);
  const living = new Set(members.map(({ member }) => member.instance));
  const current = (lease: Lease): Lease =>
    lease.owner !== null && living.has(lease.owner) ? lease : { ...lease, owner: null };
  return { born: born === '' ? null : born, members, leases: readLeases(leases).map(current) };
}
