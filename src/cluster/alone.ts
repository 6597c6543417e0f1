/** The placement of one process that holds everything, on the embedded store. Nothing ever changes. */
import type { Member, Placement } from './placement.js';
import { shardCount } from './shards.js';

/** `self` names this process; `stats` is asked whenever members are listed. */
export function createAlonePlacement(self: string, about: Member['about'] = {}, stats: () => Member['stats'] = () => ({})): Placement {
  const owner = { instance: self, epoch: 0 }, all = Array.from({ length: shardCount }, (_, shard) => shard);
  return {
    ownerOf: () => owner,
    holds: () => true,
    held: () => all,
    refresh: () => undefined,
    onChange: () => () => undefined,
    members: () => [{ instance: self, role: 'all', draining: false, about, stats: stats() }],
    problem: () => null,
  };
}
