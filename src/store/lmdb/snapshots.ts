/**
 * Read transactions that outlive a turn of the event loop: a page of a list is read from one state of the store,
 * however long it takes.
 *
 *  - A snapshot is always released; a leaked one would keep lmdb from reusing freed pages.
 *  - At most as many are held as lmdb has reader slots; further requests wait in order.
 *  - All work together gets about 2 ms of a turn of the event loop, so even a caller that reads page
 *     after page lets others work.
 *  - `close` waits until none is held, because lmdb must not be closed under one. Work in progress fails
 *     with 'closed'.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'lmdb';
import { Semaphore } from '../../base/semaphore.js';
import { maxReaders, type Trees } from './environment.js';
import { closed } from './failures.js';

const sliceMs = 2;
const mostHeld = maxReaders / 2;

/** The state of the store that a piece of work sees, and its means of yielding to others. */
export interface Snapshot {
  readonly transaction: Transaction;
  /** Runs part of the work synchronously. `due`, called at every step, tells when to stop for `pause`. */
  slice<T>(work: (due: () => boolean) => T): T;
  /** Yields to the event loop; throws if the store is being closed. */
  pause(): Promise<void>;
}

export interface HeldSnapshot extends Snapshot {
  release(): void;
}

export class Snapshots {
  private readonly places = new Semaphore(mostHeld);
  private held = 0;
  /** Milliseconds of work in this turn. */
  private spent = 0;
  private closing = false;
  private drained: (() => void) | null = null;

  constructor(private readonly trees: Pick<Trees, 'root'>) {}

  async with<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const held = await this.hold();
    try {
      return await work(held);
    } finally {
      held.release();
    }
  }

  /** A snapshot for work that is no single function call; the caller must release it. */
  async hold(): Promise<HeldSnapshot> {
    if (this.closing) throw closed();
    this.held++;
    const leave = await this.places.place();
    const release = (): void => {
      leave();
      if (--this.held === 0) this.drained?.();
    };
    try {
      if (this.spent >= sliceMs) await this.pause();
      if (this.closing) throw closed();
      const transaction = this.trees.root.useReadTransaction();
      return {
        transaction,
        slice: (work) => this.slice(work),
        pause: () => this.pause(),
        release() {
          transaction.done();
          release();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closing = true;
    if (this.held > 0)
      await new Promise<void>((resolve) => {
        this.drained = resolve;
      });
  }

  private slice<T>(work: (due: () => boolean) => T): T {
    if (this.spent === 0)
      setImmediate(() => {
        this.spent = 0;
      });
    const began = performance.now();
    const budget = sliceMs - this.spent;
    let steps = 0;
    try {
      return work(() => (++steps & 31) === 0 && performance.now() - began >= budget);
    } finally {
      this.spent += performance.now() - began;
    }
  }

  private async pause(): Promise<void> {
    do await nextTurn();
    while (this.spent >= sliceMs);
    if (this.closing) throw closed();
  }
}
