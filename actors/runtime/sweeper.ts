/**
 * Finds idle actors with a single timer, without scanning all of them at once.
 *
 * A pass over all actors takes a quarter of the idle time, in eight strides, so an idle actor is found within 1.3 times
 * `idleMs`. It is only marked here, and passivates in its own turn, under the scheduler's time budget.
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import type { ActorSlot } from './actor-slot.js';

const strides = 8;
const passesPerIdleTime = 4;

export class Sweeper {
  private cursor: Iterator<ActorSlot> | undefined = undefined;
  private cancel: (() => void) | undefined = undefined;

  constructor(
    private readonly slots: ReadonlySet<ActorSlot>,
    private readonly clock: MonotonicClock,
    private readonly idleMs: number,
  ) {}

  /** Call this when the first actor is added. The sweeper then runs as long as there are actors. */
  start(): void {
    this.cancel ??= this.clock.after(Math.max(1, this.idleMs / (strides * passesPerIdleTime)), () => {
      this.cancel = undefined;
      this.stride();
    });
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
    this.cursor = undefined;
  }

  private stride(): void {
    const now = this.clock.elapsed();
    for (let left = Math.ceil(this.slots.size / strides); left > 0; left--) {
      const slot = this.nextSlot();
      if (!slot) break;
      if (now - slot.usedAt >= this.idleMs) slot.retire();
    }
    if (this.slots.size > 0) this.start();
    else this.cursor = undefined;
  }

  /** An iterator of a set remains valid when elements are added or deleted. */
  private nextSlot(): ActorSlot | undefined {
    for (let tries = 0; tries < 2; tries++) {
      this.cursor ??= this.slots.values();
      const step = this.cursor.next();
      if (!step.done) return step.value;
      this.cursor = undefined;
    }
    return undefined;
  }
}
