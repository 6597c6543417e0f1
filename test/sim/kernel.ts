/**
 * Virtual time for a whole cluster in one process. Everything that would be left to chance in production (timers, turns
 * of the event loop, the network, the store's answers) is an event in one queue, ordered by virtual time and by a seed.
 *
 *  Kernel.T1 The same seed gives the same order of events, whatever the machine does meanwhile.
 *  Kernel.T2 Between two events every promise that can settle has settled: code under test never overlaps an event.
 *  - Events of a paused process wait until it goes on; events of a process that was killed never happen.
 *
 * Times are in milliseconds. Two events that fall into the same millisecond happen in an order that the seed decides,
 * except for turns of the event loop (`immediate`), which keep the order in which they were asked for.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { Random } from '../chaos/random.js';

/** What a turn of the event loop takes, ms. */
const turnMs = 0.05;

interface Event {
  at: number;
  order: number;
  run: (() => void) | null;
  owner: SimulatedProcess | null;
}

export class Kernel {
  /** Virtual time, with fractions. */
  time: number;
  fired = 0;
  readonly random: Random;
  private readonly queue: Event[] = [];
  private order = 0;

  constructor(seed: number, start = Date.UTC(2026, 0, 15)) {
    this.random = new Random(seed);
    this.time = start;
  }

  /** Calls `run` after `ms`, unless it is cancelled first. */
  after(ms: number, run: () => void, owner: SimulatedProcess | null = null): () => void {
    return this.push(this.time + Math.max(0, ms) + this.random.next(), run, owner);
  }

  /** Calls `run` in a later turn of the event loop. */
  immediate(run: () => void, owner: SimulatedProcess | null = null): () => void {
    return this.push(this.time + turnMs, run, owner);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /**
   * Lets events happen until what `begin` began has settled; rejects when virtual time passes `limitMs` before that.
   */
  async run<T>(begin: () => Promise<T>, limitMs: number): Promise<T> {
    const restore = this.takeGlobals();
    try {
      return await this.runUntil(begin(), limitMs);
    } finally {
      restore();
    }
  }

  /**
   * Libraries (p-retry) and the service have timers, turns of the event loop and chance of their own: these are
   * simulated as well. Returns how to put the real ones back.
   */
  private takeGlobals(): () => void {
    const real = { setTimeout, clearTimeout, setImmediate };
    const { random } = Math;
    const { setImmediate: turn } = timers;
    const cancels = new WeakMap<object, () => void>();
    const handleOf = (cancel: () => void): object => {
      const handle = { ref: () => handle, unref: () => handle, hasRef: () => false };
      cancels.set(handle, cancel);
      return handle;
    };
    Object.assign(globalThis, {
      setTimeout: (fn: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        handleOf(this.after(ms, () => fn(...args))),
      clearTimeout: (handle?: object) => handle && cancels.get(handle)?.(),
      setImmediate: (fn: (...args: unknown[]) => void, ...args: unknown[]) =>
        handleOf(this.immediate(() => fn(...args))),
    });
    Math.random = () => this.random.next();
    timers.setImmediate = (value) =>
      new Promise((resolve) => {
        this.immediate(() => resolve(value as never));
      });
    syncBuiltinESMExports();
    return () => {
      Object.assign(globalThis, real);
      Math.random = random;
      timers.setImmediate = turn;
      syncBuiltinESMExports();
    };
  }

  private async runUntil<T>(done: Promise<T>, limitMs: number): Promise<T> {
    const end = this.time + limitMs;
    let over = false;
    const settled = (): void => {
      over = true;
    };
    done.then(settled, settled);
    while (!over)
      await inTurns(() => {
        if (over) return;
        const event = this.next();
        if (!event) throw new Error('the simulation stands still: something waits for an event that will never come');
        if (event.at > end) throw new Error(`the simulation has not ended after ${limitMs / 1000} s of virtual time`);
        this.time = Math.max(this.time, event.at);
        this.fire(event);
      });
    return done;
  }

  /** The next event that was not cancelled. */
  private next(): Event | undefined {
    for (;;) {
      const event = this.pop();
      if (!event || event.run) return event;
    }
  }

  /** An event that happens now, or is kept for when its process goes on. */
  private fire({ run, owner }: Event): void {
    if (!run) return;
    if (owner?.over) return;
    if (owner?.paused) owner.held.push(run);
    else {
      this.fired++;
      run();
    }
  }

  private push(at: number, run: () => void, owner: SimulatedProcess | null): () => void {
    const event: Event = { at, order: this.order++, run, owner };
    const { queue } = this;
    let i = queue.push(event) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (before(queue[parent] as Event, event)) break;
      queue[i] = queue[parent] as Event;
      i = parent;
    }
    queue[i] = event;
    return () => {
      event.run = null;
    };
  }

  private pop(): Event | undefined {
    const { queue } = this;
    const first = queue[0];
    const last = queue.pop();
    if (first === undefined || last === undefined || queue.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= queue.length) break;
      if (child + 1 < queue.length && before(queue[child + 1] as Event, queue[child] as Event)) child++;
      if (before(last, queue[child] as Event)) break;
      queue[i] = queue[child] as Event;
      i = child;
    }
    queue[i] = last;
    return first;
  }
}

const realTurn = setImmediate;
/** How many events share one turn of the real event loop, whose own cost is that of a short event. */
const eventsPerTurn = 64;

/**
 * Calls `step` many times, and between any two calls lets every promise settle that can (Kernel.T2): Node empties its
 * queue of microtasks after each immediate, and so before the next one of the same turn.
 */
function inTurns(step: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    for (let i = 0; i < eventsPerTurn; i++)
      realTurn(() => {
        try {
          step();
        } catch (error: unknown) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    realTurn(resolve);
  });
}

const before = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** One process of the cluster: its clocks, and whether it runs. */
export class SimulatedProcess implements MonotonicClock {
  /** It was killed, or has ended: nothing happens in it any more. */
  over = false;
  paused = false;
  /** What fell due while it was paused. */
  held: (() => void)[] = [];
  /** How far its wall clock is off, ms. */
  wallOffset = 0;
  /** Whether it reaches the database, the lease table and its peers. */
  readonly reaches = { store: true, leases: true, peers: true };

  constructor(
    readonly kernel: Kernel,
    readonly name: string,
  ) {}

  now(): number {
    return Math.floor(this.kernel.time) + this.wallOffset;
  }
  after(ms: number, fn: () => void): () => void {
    return this.kernel.after(ms, fn, this);
  }
  elapsed(): number {
    return this.kernel.time;
  }

  /** Something from outside reaches this process: at once, when it goes on, or never. */
  arrives(fn: () => void): void {
    if (this.over) return;
    if (this.paused) this.held.push(fn);
    else fn();
  }

  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
    for (const fn of this.held.splice(0)) this.kernel.immediate(fn, this);
  }
  kill(): void {
    this.over = true;
    this.held = [];
  }
}
