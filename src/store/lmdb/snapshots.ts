/**
 * Read transactions that live across turns of the event loop: one page of a list is read from one state of the store,
 * however long it takes.
 *
 *  LmdbSnapshots.N1 A snapshot is given back in every case; a forgotten one would keep lmdb from using freed pages
 *     again.
 *  LmdbSnapshots.N2 No more are held than lmdb has reader slots for; the others wait in the order in which they came.
 *  LmdbSnapshots.N3 All work together gets about 2 ms of a turn of the event loop: also a caller that asks for page
 *     after page lets others work.
 *  LmdbSnapshots.N4 `close` waits until none is held: lmdb must not be closed under one. Those at work end with
 *     'closed'.
 */
import { setImmediate } from 'node:timers';
import type { Transaction } from 'lmdb';
import { maxReaders, type Trees } from './environment.js';
import { closed } from './failures.js';

const sliceMs = 2;
const mostHeld = maxReaders / 2;

/** The state of the store that a piece of work sees, and its duty to let others work. */
export interface Snapshot {
  readonly transaction: Transaction;
  /** Does some of the work at once. `due` tells, asked at every step, when it should stop for `pause`. */
  slice<T>(work: (due: () => boolean) => T): T;
  /** Lets the event loop go on; throws when the store is being closed. */
  pause(): Promise<void>;
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

export class Snapshots {
  private held = 0;
  /** Milliseconds of work in this turn. */
  private spent = 0;
  private closing = false;
  private readonly waiting: (() => void)[] = [];
  private drained: (() => void) | null = null;

  constructor(private readonly trees: Pick<Trees, 'root'>) {}

  async with<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    if (this.closing) throw closed();
    if (this.held >= mostHeld)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    else this.held++;
    try {
      if (this.spent >= sliceMs) await this.pause();
      if (this.closing) throw closed();
      const transaction = this.trees.root.useReadTransaction();
      try {
        return await work(this.snapshot(transaction));
      } finally {
        transaction.done();
      }
    } finally {
      this.release();
    }
  }

  async close(): Promise<void> {
    this.closing = true;
    if (this.held > 0)
      await new Promise<void>((resolve) => {
        this.drained = resolve;
      });
  }

  /** The place goes to the next in line, if there is one. */
  private release(): void {
    const next = this.waiting.shift();
    if (next) {
      next();
      return;
    }
    if (--this.held === 0) this.drained?.();
  }

  private snapshot(transaction: Transaction): Snapshot {
    return { transaction, slice: (work) => this.slice(work), pause: () => this.pause() };
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
    do await turn();
    while (this.spent >= sliceMs);
    if (this.closing) throw closed();
  }
}
