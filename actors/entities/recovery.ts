/**
 * What goes on by itself: after a start, every entity with work left is loaded, which continues its runs, sends its
 * outbox and finishes its delete; and entities with something due are told so.
 *
 * Both only wake actors; what is to be done stands in the store. An entity that fails is logged and woken again
 * (waker.ts), and what is due is found again by the next look.
 */
import { HivekeepError } from '../../src/domain/errors.js';
import type { Head } from '../../src/store/port.js';
import type { EntityDependencies } from './dependencies.js';

type Needs = Pick<EntityDependencies, 'store' | 'clock' | 'log' | 'ask'>;

/** Entities loaded at the same time: enough to be quick, few enough to leave room for requests. */
const atOnce = 64;
const pollMs = 1000;

/** Resolves when every entity that had work left has been loaded; of all, or of some shards. */
export async function recover(
  deps: Needs,
  stopped: () => boolean,
  shards?: readonly number[],
  of: (head: Head) => boolean = () => true,
): Promise<number> {
  const running = new Set<Promise<void>>();
  let count = 0;
  for await (const heads of deps.store.activeHeads(shards)) {
    for (const head of heads) {
      if (stopped()) return count;
      if (!of(head)) continue;
      count++;
      const one = wake(deps, head, 'wake').finally(() => {
        running.delete(one);
      });
      running.add(one);
      if (running.size >= atOnce) await Promise.race(running);
    }
  }
  await Promise.all(running);
  return count;
}

async function wake(deps: Needs, { entity, seq }: Head, type: 'wake' | 'expire'): Promise<void> {
  try {
    await deps.ask(entity, type === 'wake' ? { type, seq } : { type });
  } catch (error) {
    if (error instanceof HivekeepError && (error.code === 'NOT_FOUND' || error.code === 'UNAVAILABLE')) return;
    deps.log.error(
      { err: error, entity },
      `an entity could not be loaded to ${type === 'wake' ? 'go on' : 'expire memories'}`,
    );
  }
}

/** Looks for what is due once a second, in all shards or in those that are held; the returned function stops it. */
export function watchTimers(deps: Needs, shards: () => readonly number[] | undefined = () => undefined): () => void {
  let stop = false;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    const mine = shards();
    if (mine?.length === 0) return;
    const due = await deps.store.dueHeads(deps.clock.now(), 200, mine);
    await Promise.all(due.map((head) => wake(deps, head, 'expire')));
  };
  const again = (): void => {
    cancel = deps.clock.after(pollMs, () => {
      look()
        .catch((error: unknown) => {
          deps.log.error({ err: error }, 'what is due could not be read');
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
