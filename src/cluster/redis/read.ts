/** The placement table as it stands, for who is no member: `hivekeep cluster`. Changes nothing. */
import type { RedisClient } from '../../redis/connect.js';
import { loadScript } from '../../redis/script.js';
import type { Lease, LiveMember } from '../leases.js';
import { placementKeys, readLeases, readMembers } from './leases.js';

export interface PlacementTable {
  /** Names the table; null where no process has ever beaten in this Redis. */
  born: string | null;
  /** Who lives, and for how long yet without another beat. */
  members: LiveMember[];
  /** Shards that have ever been held; the owner is null where it does not live any more. */
  leases: Lease[];
}

const read = loadScript(new URL('./read.lua', import.meta.url));

/** Rejects as commands of the connection do. */
export async function readPlacement(client: RedisClient, prefix: string): Promise<PlacementTable> {
  const keys = placementKeys(prefix);
  const [now, born, alive, descriptions, leases] = (await read(
    client,
    [keys.alive, keys.members, keys.leases, keys.born],
    [],
  )) as [number, string, string[], string[], string[]];
  const members = readMembers(now, alive, descriptions);
  const living = new Set(members.map(({ member }) => member.instance));
  const current = (lease: Lease): Lease =>
    lease.owner !== null && living.has(lease.owner) ? lease : { ...lease, owner: null };
  return { born: born === '' ? null : born, members, leases: readLeases(leases).map(current) };
}
