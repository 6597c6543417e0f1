/**
 * Wakes entities that have work to do. After a start, every entity with unfinished work is loaded; it then continues
 * its runs, sends its outbox and finishes its deletion. Entities with something due receive a message about it.
 *
 * Both only wake actors; the work itself is described in the store. An entity that fails is logged and woken again
 * (waker.ts), and whatever is due is found again by the next poll.
 */
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { entityKey, type OpenHead } from '../../src/store/port.js';
import type { EntityDeps } from './deps.js';

type Deps = Pick<EntityDeps, 'store' | 'clock' | 'log' | 'ask'>;

/**
 * How many entities are loaded at the same time at first, at most and at least. There is one more after each that
 * answers within `promptMs`, and half as many after each that does not: then the process has more to do than it can, and
 * requests would wait as long.
 */
const firstAtOnce = 32;
const mostAtOnce = 256;
const fewestAtOnce = 8;
const promptMs = 200;
const pollMs = 1000;
const dueAtOnce = 200;
/** The maximum number of entities that were told about something due and have not answered yet. */
const mostTelling = 2_000;

/**
 * Loads the entities with unfinished work, of all shards or of some, for which `of` is true: the desks of workspaces
 * first, because all of a workspace asks its desk. Resolves with their number when all are loaded. `unfinished`: see
 * `activeHeads` of the store.
 */
export async function recover(
  deps: Deps,
  stopped: () => boolean,
  shards?: readonly number[],
  of: (head: OpenHead) => boolean = () => true,
  unfinished = true,
): Promise<number> {
  const running = new Set<Promise<void>>();
  let atOnce = firstAtOnce;
  let count = 0;
  const load = async (head: OpenHead): Promise<void> => {
    const began = deps.clock.elapsed();
    await wake(deps, head, 'wake');
    const isPrompt = deps.clock.elapsed() - began <= promptMs;
    atOnce = isPrompt ? Math.min(mostAtOnce, atOnce + 1) : Math.max(fewestAtOnce, Math.floor(atOnce / 2));
  };
  for (const desks of [true, false])
    for await (const heads of deps.store.activeHeads(shards, { unfinished }))
      for (const head of heads) {
        if (stopped()) return count;
        if (isDesk(head) !== desks || !of(head)) continue;
        count++;
        const one = load(head).finally(() => {
          running.delete(one);
        });
        running.add(one);
        while (running.size >= atOnce) await Promise.race(running);
      }
  await Promise.all(running);
  return count;
}

const isDesk = ({ entity }: OpenHead): boolean => entity.kind === 'workspace';

async function wake(deps: Deps, { entity, seq }: OpenHead, type: 'wake' | 'expire'): Promise<void> {
  try {
    await deps.ask(entity, type === 'wake' ? { type, seq } : { type });
  } catch (error) {
    if (error instanceof HivekeepError && (error.code === 'NOT_FOUND' || error.code === 'UNAVAILABLE')) return;
    deps.log.error(
      { event: 'recovery.entity_failed', err: error, entity },
      `an entity could not be loaded to ${type === 'wake' ? 'go on' : 'expire memories'}`,
    );
  }
}

/**
 * Polls once a second for entities with something due, in all shards or in those that are held. The returned function
 * stops the polling.
 *
 *  Timers.1 An entity that takes long to answer (because its agent is busy) does not delay the timers of others, and
 *     receives one message at a time.
 *  Timers.2 Entities that stay due, because they cannot be loaded or changed, do not keep later ones from being told: a
 *     poll goes on where the last one ended, and begins anew when it has come to the end.
 */
export function watchTimers(deps: Deps, shards: () => readonly number[] | undefined = () => undefined): () => void {
  let stop = false;
  let cancel = (): void => undefined;
  const telling = new Set<string>();
  /** Where the next page begins, and its size. */
  let from = -Infinity;
  let size = dueAtOnce;
  const tell = async (head: OpenHead): Promise<void> => {
    const key = entityKey(head.entity);
    telling.add(key);
    await wake(deps, head, 'expire');
    telling.delete(key);
  };
  const look = async (): Promise<void> => {
    const mine = shards();
    if (mine?.length === 0) return;
    if (telling.size >= mostTelling) return;
    const due = await deps.store.dueHeads(deps.clock.now(), size, mine, from);
    const last = due.at(-1)?.due ?? -Infinity;
    if (due.length < size) [from, size] = [-Infinity, dueAtOnce];
    else if (last > from) [from, size] = [last, dueAtOnce];
    else size *= 2; // more than a page is due at one time
    for (const head of due) if (!telling.has(entityKey(head.entity))) void tell(head);
  };
  const again = (): void => {
    cancel = deps.clock.after(pollMs, () => {
      look()
        .catch((error: unknown) => {
          deps.log.error({ event: 'timers.failed', err: error }, 'what is due could not be read');
        })
        .finally(() => {
          if (!stop) again();
        });
    });
  };
  again();
  return () => {
    stop = true;
    cancel();
  };
}
