/**
 * Read transactions that outlive a turn of the event loop: a page of a list is read from one state of the store,
 * however long it takes.
 *
 *  - A snapshot is always released; a leaked one would keep lmdb from reusing freed pages.
 *  - At most as many are held as lmdb has reader slots; further requests wait in order.
 *  LmdbSnapshots.T1 All work together gets about 2 ms of a turn of the event loop, and whoever waits for a share of it is
 *     served in order of arrival: a caller that reads page after page delays another by a slice, not by its whole work.
 *  - `close` waits until none is held, because lmdb must not be closed under one. Work in progress fails
 *     with 'closed'.
 */
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

export class ReadSnapshots {
  private readonly places = new Semaphore(mostHeld);
  private held = 0;
  /** Milliseconds of work in this turn. */
  private spent = 0;
  /** Work that waits for a share of a turn, in order of arrival. */
  private readonly line: (() => void)[] = [];
  private turnIsDue = false;
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
      if (this.spent >= sliceMs || this.line.length > 0) await this.pause();
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
    this.expectTurn();
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
    await new Promise<void>((resolve) => {
      this.line.push(resolve);
      this.expectTurn();
    });
    if (this.closing) throw closed();
  }

  private expectTurn(): void {
    if (this.turnIsDue) return;
    this.turnIsDue = true;
    setImmediate(() => {
      this.turnIsDue = false;
      this.spent = 0;
      this.serveNext();
    });
  }

  /** Wakes one after another while the turn has time left: the next when the one before has worked or waits again. */
  private serveNext(): void {
    const wake = this.line.shift();
    if (!wake) return;
    this.expectTurn();
    wake();
    queueMicrotask(() => {
      process.nextTick(() => {
        if (this.spent < sliceMs) this.serveNext();
      });
    });
  }
}
