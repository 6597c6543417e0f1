/**
 * What goes on by itself: after a start, every entity with work left is loaded, which continues its runs, sends its
 * outbox and finishes its delete; and entities with something due are told so.
 *
 * Both only wake actors; what is to be done stands in the store. An entity that fails is logged and woken again
 * (waker.ts), and what is due is found again by the next look.
 */
import { HivekeepError } from '../../src/domain/errors.js';
import { entityKey, type OpenHead } from '../../src/store/port.js';
import type { EntityDependencies } from './dependencies.js';

type Needs = Pick<EntityDependencies, 'store' | 'clock' | 'log' | 'ask'>;

/** Entities loaded at the same time: enough to be quick, few enough to leave room for requests. */
const atOnce = 256;
const pollMs = 1000;
const dueAtOnce = 200;
/** Entities that are told of what is due and have not answered yet, at most. */
const mostTelling = 2_000;

/** Resolves when every entity that had work left has been loaded; of all, or of some shards. */
export async function recover(
  deps: Needs,
  stopped: () => boolean,
  shards?: readonly number[],
  of: (head: OpenHead) => boolean = () => true,
  unfinished = true,
): Promise<number> {
  const running = new Set<Promise<void>>();
  let count = 0;
  for await (const heads of deps.store.activeHeads(shards, { unfinished })) {
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

async function wake(deps: Needs, { entity, seq }: OpenHead, type: 'wake' | 'expire'): Promise<void> {
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

/**
 * Looks for what is due once a second, in all shards or in those that are held; the returned function stops it.
 *
 *  Timers.1 An entity that takes its time (its agent is busy) holds up nobody else's timers, and is told once at a time.
 */
export function watchTimers(deps: Needs, shards: () => readonly number[] | undefined = () => undefined): () => void {
  let stop = false;
  let cancel = (): void => undefined;
  const telling = new Set<string>();
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
    // those who have not answered are due still, and among the first
    const due = await deps.store.dueHeads(deps.clock.now(), dueAtOnce + telling.size, mine);
    for (const head of due) if (!telling.has(entityKey(head.entity))) void tell(head);
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
