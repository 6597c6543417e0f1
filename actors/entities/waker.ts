/**
 * Wakes entities whose own work a failure has interrupted. Otherwise such an entity might never receive another
 * request, and its run would stay in the running state without a step in progress.
 *
 * Invariants
 *  - An entity handed to the waker is loaded again after a pause, and then after longer and longer pauses until that
 *    succeeds: from 1 s to 1 min.
 *  - At most one wake of an entity is pending. An entity that fails again soon after it was woken waits longer than
 *    the last time, unless it has got on meanwhile.
 *  - After `stop` no entity is woken.
 *
 * The waker holds nothing that is not in the store: a start wakes every entity with unfinished work (recovery.ts).
 */
import { type Backoff, type Clock, backoffMs } from '../../src/domain/shared/clock.js';
import { entityKey, type EntityRef } from '../../src/store/port.js';

const retry: Backoff = { firstMs: 1000, longestMs: 60_000 };

interface ScheduledWake {
  tries: number;
  waiting: boolean;
  cancel: () => void;
}

export class Waker {
  private readonly scheduled = new Map<string, ScheduledWake>();
  private stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly wake: (entity: EntityRef) => Promise<unknown>,
  ) {}

  /** The number of entities that wait, or were woken so recently that they may fail again. */
  get size(): number {
    return this.scheduled.size;
  }

  /** `progressed`: whether the entity has committed something since it was last loaded. */
  later(entity: EntityRef, progressed = false): void {
    if (this.stopped) return;
    const key = entityKey(entity);
    const before = this.scheduled.get(key);
    if (before?.waiting) return;
    before?.cancel();
    const tries = before && !progressed ? before.tries + 1 : 1;
    this.scheduled.set(key, {
      tries,
      waiting: true,
      cancel: this.clock.after(backoffMs(retry, tries), () => {
        this.wakeNow(entity, key, tries);
      }),
    });
  }

  stop(): void {
    this.stopped = true;
    for (const { cancel } of this.scheduled.values()) cancel();
    this.scheduled.clear();
  }

  private wakeNow(entity: EntityRef, key: string, tries: number): void {
    const forget = (): void => {
      this.scheduled.delete(key);
    };
    this.scheduled.set(key, {
      tries,
      waiting: false,
      cancel: this.clock.after(2 * backoffMs(retry, tries) + retry.firstMs, forget),
    });
    this.wake(entity).catch(() => {
      this.later(entity);
    });
  }
}
