/** Time, event loop and actors that a test moves by hand. */
import type { MonotonicClock } from '../../../../src/domain/shared/clock.js';
import type { ActorContext, Address, Asked, Behavior } from '../../../../actors/runtime/port.js';
import { type EventLoop, Scheduler, type SchedulerOptions } from '../../../../actors/runtime/scheduler.js';
import { ActorSystem, type ActorSystemOptions, type Fault } from '../../../../actors/runtime/system.js';
import { turn } from '../../../helpers/turn.js';

export class ManualClock implements MonotonicClock {
  private timers: { at: number; fn: () => void }[] = [];
  constructor(private time = 1_000_000) {}
  now(): number {
    return this.time;
  }
  elapsed(): number {
    return this.time;
  }
  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.time + ms, fn };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((t) => t !== timer);
    };
  }
  get waiting(): number {
    return this.timers.length;
  }
  /** Fires what is due on the way, in order. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const due = this.timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((t) => t !== due);
      this.time = Math.max(this.time, due.at);
      due.fn();
    }
    this.time = end;
  }
}

export class ManualLoop implements EventLoop {
  time = 0;
  microtasks: (() => void)[] = [];
  immediates: (() => void)[] = [];
  elapsed(): number {
    return this.time;
  }
  microtask(fn: () => void): void {
    this.microtasks.push(fn);
  }
  immediate(fn: () => void): void {
    this.immediates.push(fn);
  }
  runMicrotasks(): void {
    for (let fn = this.microtasks.shift(); fn; fn = this.microtasks.shift()) fn();
  }
  /** One turn: what the last one left, then the microtasks that it causes. */
  turn(): void {
    this.runMicrotasks();
    for (const fn of this.immediates.splice(0)) {
      fn();
      this.runMicrotasks();
    }
  }
  get busy(): boolean {
    return this.microtasks.length + this.immediates.length > 0;
  }
}

/** Lets promises that are settled call back: a turn of the real event loop, without waiting. */
export { turn as flush };

export async function settle(loop: ManualLoop): Promise<void> {
  do {
    loop.turn();
    await turn();
  } while (loop.busy);
}

/** A promise that the test settles. */
export class Gate<T = void> {
  resolve!: (value: T) => void;
  reject!: (error: Error) => void;
  readonly opened: Promise<T> = new Promise((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

export interface Script {
  activate?(context: ActorContext<unknown>, life: number): void | Promise<void>;
  receive?(message: unknown, reply: Asked<unknown>, context: ActorContext<unknown>, life: number): void | Promise<void>;
  hives?: readonly string[];
  idle?(): boolean;
  passivate?(life: number): void | Promise<void>;
  dropped?(reason: Error, life: number): void;
}

/** Runs a script, notes every call, and notes an overlap where two methods of one address run at a time. */
export class Probe implements Behavior<unknown> {
  private context!: ActorContext<unknown>;
  constructor(
    private readonly script: Script,
    private readonly life: number,
    private readonly journal: Journal,
  ) {}
  get hives(): readonly string[] {
    return this.script.hives ?? [];
  }
  activate(context: ActorContext<unknown>): void | Promise<void> {
    this.context = context;
    return this.journal.around(`activate ${this.life}`, () => this.script.activate?.(context, this.life));
  }
  receive(asked: Asked<unknown>): void | Promise<void> {
    const { message } = asked;
    return this.journal.around(`receive ${String(message)}`, () =>
      this.script.receive ? this.script.receive(message, asked, this.context, this.life) : asked.resolve(message),
    );
  }
  idle(): boolean {
    return this.script.idle?.() ?? true;
  }
  passivate(): void | Promise<void> {
    return this.journal.around(`passivate ${this.life}`, () => this.script.passivate?.(this.life));
  }
  dropped(reason: Error): void {
    this.journal.entries.push(`dropped ${this.life} ${reason.message}`);
    this.script.dropped?.(reason, this.life);
  }
}

export class Journal {
  readonly entries: string[] = [];
  overlaps = 0;
  private inside = 0;
  around(what: string, call: () => void | Promise<void>): void | Promise<void> {
    this.entries.push(what);
    if (this.inside > 0) this.overlaps++;
    this.inside++;
    let result: void | Promise<void>;
    try {
      result = call();
    } catch (error) {
      this.inside--;
      throw error;
    }
    if (result === undefined) {
      this.inside--;
      return;
    }
    return result.finally(() => {
      this.inside--;
    });
  }
  /** What was noted since the last look. */
  take(): string[] {
    return this.entries.splice(0);
  }
}

export interface Stage {
  system: ActorSystem;
  clock: ManualClock;
  loop: ManualLoop;
  journal: Journal;
  faults: Fault[];
  settle: () => Promise<void>;
}

export function stage(
  script: Script | ((address: Address) => Script),
  { burst, budgetMs, ...options }: Partial<ActorSystemOptions> & SchedulerOptions = {},
): Stage {
  const clock = new ManualClock();
  const loop = new ManualLoop();
  const journal = new Journal();
  const faults: Fault[] = [];
  let lives = 0;
  const system = new ActorSystem({
    clock,
    scheduler: new Scheduler({ loop, burst, budgetMs }),
    onFault: (fault) => {
      faults.push(fault);
    },
    behaviorFor: (address) => new Probe(typeof script === 'function' ? script(address) : script, ++lives, journal),
    ...options,
  });
  return { system, clock, loop, journal, faults, settle: () => settle(loop) };
}

export const agent = (id: string, workspace = 'ws_1'): Address => ({ workspace, kind: 'agent', id });

/** How an ask ended, without throwing. */
export const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `ok ${String(value)}`,
    (error: Error & { code?: string }) => `${error.code ?? 'error'} ${error.message}`,
  );

/** The same, readable at any time; `waiting` until it is known. */
export function watch(promise: Promise<unknown>): { state: string } {
  const seen = { state: 'waiting' };
  void outcome(promise).then((state) => {
    seen.state = state;
  });
  return seen;
}
