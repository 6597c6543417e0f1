/**
 * Recall across processes. The index of a memory space is kept by the process that serves its entity, because that is
 * where its writes happen. A search goes to the owners of the memory spaces that it names; a search of a whole
 * workspace goes to all owners, each of which searches what it holds.
 *
 *  - Writes stay local: they come from the commits of entities that are served here.
 *  - A local memory space is searched here, synchronously if its index is in memory.
 *  - A search of named memory spaces is answered by the owners of all their shards, or fails with UNAVAILABLE.
 *  - A search of a whole workspace waits `lateMs` for its owners. An owner that is still reading what it holds answers
 *     before that with what it has read. The result is then partial and says so, as it is if only some of them have
 *     answered; if none has, they are asked again, as long as in any other search.
 *  - Scores of different memory spaces are comparable within one process; in a search of a whole workspace
 *     each process weighs words by their frequency in its own part.
 */
import type { Placement } from '../../src/cluster/placement.js';
import { type MonotonicClock, waited } from '../../src/domain/shared/clock.js';
import { unavailable } from '../../src/domain/shared/errors.js';
import { spaceKey, type Recall, type RecallHit, type RecallHits, type RecallQuery } from '../../src/memory/port.js';
import type { EntityRef, Shards } from '../../src/store/port.js';
import type { RemoteSearch } from './remote-search.js';

/** The time limit of a whole search, that of each request to another process, and the pause between attempts, ms. */
const patienceMs = 10_000;
const answerMs = 3_000;
/** After which a search of a whole workspace goes without the processes that are late, ms. */
const lateMs = 800;
/** The share of that which an owner waits for its index. */
const patience = 0.5;
const pauseMs = 50;

export function createRoutedRecall(
  local: Recall,
  placement: Pick<Placement, 'holds' | 'ownerOf' | 'refresh'>,
  remote: () => Pick<RemoteSearch, 'searchAt'>,
  shards: Shards,
  clock: MonotonicClock,
): Recall {
  const isHere = (space: EntityRef): boolean => space.id !== '*' && placement.holds(shards.of(space));

  async function searchAll(query: RecallQuery): Promise<RecallHits> {
    const parts = query.spaces.map((space) =>
      searchShards(space.id === '*' ? shards.all : [shards.of(space)], { ...query, spaces: [space] }),
    );
    const found = await Promise.all(parts);
    const hits: RecallHits = mergeHits(found.flat(), query.limit);
    if (found.some(({ partial }) => partial)) hits.partial = true;
    return hits;
  }

  /** Searches these shards at their owners, and repeats the request for any shard that was not searched. */
  async function searchShards(shards: readonly number[], query: RecallQuery): Promise<RecallHits> {
    const began = clock.elapsed();
    const ofWorkspace = query.spaces.some(({ id }) => id === '*');
    const found: RecallHits = [];
    let answers = 0;
    for (let left = shards; left.length > 0;) {
      const { byOwner, unowned } = owners(left);
      const missing: number[] = unowned;
      const usedMs = clock.elapsed() - began;
      const waitMs = Math.min(patienceMs - usedMs, ofWorkspace ? lateMs - (usedMs % lateMs) : answerMs);
      const asked = ofWorkspace ? { ...query, patienceMs: waitMs * patience } : query;
      await Promise.all(
        Array.from(byOwner, async ([instance, theirs]) => {
          const hits = await remote().searchAt(instance, theirs, asked, waitMs);
          if (hits) {
            answers++;
            if (hits.partial) found.partial = true;
            found.push(...hits);
          } else missing.push(...theirs);
        }),
      );
      left = missing;
      if (left.length === 0) break;
      // A timer may end a little early by this clock.
      if (ofWorkspace && answers > 0 && clock.elapsed() - began + pauseMs >= lateMs) {
        found.partial = true;
        break;
      }
      if (clock.elapsed() - began >= patienceMs)
        throw unavailable(
          'a part of the memories cannot be searched now: the process that serves them does not answer',
        );
      placement.refresh();
      await waited(clock, pauseMs);
    }
    return found;
  }

  function owners(shards: readonly number[]): { byOwner: Map<string, number[]>; unowned: number[] } {
    const byOwner = new Map<string, number[]>();
    const unowned: number[] = [];
    for (const shard of shards) {
      const instance = placement.ownerOf(shard)?.instance;
      if (instance === undefined) unowned.push(shard);
      else if (byOwner.has(instance)) byOwner.get(instance)?.push(shard);
      else byOwner.set(instance, [shard]);
    }
    return { byOwner, unowned };
  }

  return {
    ...local,
    search: (query) => (query.spaces.every(isHere) ? local.search(query) : searchAll(query)),
  };
}

/**
 * Sorted as by a single index (memory/port.ts): best first, then newest id first. A hit found by two processes counts
 * once.
 */
function mergeHits(hits: readonly RecallHit[], limit: number): RecallHit[] {
  const once = new Map(hits.map((hit) => [`${spaceKey(hit.space)}/${hit.kind}/${hit.id}`, hit]));
  return [...once.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1)).slice(0, limit);
}
