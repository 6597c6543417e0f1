/**
 * When a worker believes that it holds a shard, by its own clock: it beats, Redis counts its lease from
 * when the beat arrives, the worker from when it was sent.
 *
 * Two workers, one shard; ticks of one length for all, of which a lease has three. A beat and its answer may be under
 * way for long, or lost. Redis may be emptied: then its table is a new one, and what workers hold by their own clocks
 * is not in it. A machine may sleep, which stops its monotonic clock.
 *
 * Left out: clocks that run at different speeds, for which a tenth of a lease is left out by the worker.
 */
import type { Can, Model } from './checker.js';

export const asBuilt = {
  /** From when the worker counts its lease. */
  countedFrom: 'sending' as 'sending' | 'answer',
  /** By which clocks: the larger of what the two say has passed, or one alone. */
  clocks: 'both' as 'both' | 'monotonic',
  /** In a table younger than a lease a shard is taken only by who still holds it by its own clock. */
  waitInNewTable: true,
  /** What a worker asks for counts only in the table that it has seen. */
  seenTableOnly: true,
};
export const sizes = { lease: 3, sleeps: 1, empties: 1 };
export type LeaseOptions = Partial<typeof asBuilt & typeof sizes>;

interface Beat {
  at: 'going' | 'coming';
  for: number;
  held: boolean;
  granted: boolean;
  table: number;
  known: boolean;
}
interface Worker {
  left: number;
  /** The table that it has seen last. */ table: number;
  beat: Beat | null;
}
interface State {
  owner: number;
  left: number;
  table: number;
  /** Of the table. */ age: number;
  workers: Worker[];
  sleeps: number;
  empties: number;
}

const names = ['P', 'Q'];

export function leaseModel(options: LeaseOptions = {}): Model<State> {
  const o = { ...asBuilt, ...sizes, ...options };

  function arrives(s: State, i: number): void {
    const beat = s.workers[i]!.beat!;
    const known = beat.table === s.table;
    const free = s.owner < 0 && (known || !o.seenTableOnly) && (s.age >= o.lease || beat.held || !o.waitInNewTable);
    Object.assign(beat, { at: 'coming', granted: s.owner === i || free, table: s.table, known });
    if (beat.granted) Object.assign(s, { owner: i, left: o.lease });
  }
  function answered(w: Worker): void {
    const { granted, known, table, for: passed } = w.beat!;
    if (granted) w.left = Math.max(w.left, o.countedFrom === 'sending' ? o.lease - passed : o.lease);
    else if (known) w.left = 0;
    Object.assign(w, { table, beat: null });
  }
  /** One tick, in which the clock of `asleep` may stand still. */
  function tick(s: State, asleep: number): void {
    s.left = Math.max(0, s.left - 1);
    if (s.left === 0) s.owner = -1;
    s.age = Math.min(o.lease, s.age + 1);
    s.workers.forEach((w, i) => {
      if (i === asleep) return;
      w.left = Math.max(0, w.left - 1);
      if (w.beat) w.beat.for = Math.min(o.lease, w.beat.for + 1);
    });
  }
  function workerSteps(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const name = names[i]!;
    const own = (t: State) => t.workers[i]!;
    if (!w.beat)
      can(`${name} sends a beat`, (t) => {
        own(t).beat = { at: 'going', for: 0, held: w.left > 0, granted: false, table: w.table, known: false };
      });
    else {
      if (w.beat.at === 'going')
        can(`the beat of ${name} arrives`, (t) => {
          arrives(t, i);
        });
      else
        can(`${name} is told that it ${w.beat.granted ? 'has' : 'does not have'} the shard`, (t) => {
          answered(own(t));
        });
      can(`${name} is not answered`, (t) => {
        own(t).beat = null;
      });
    }
    if (o.clocks === 'monotonic' && s.sleeps > 0)
      can(`time passes while the machine of ${name} sleeps`, (t) => {
        t.sleeps--;
        tick(t, i);
      });
  }

  return {
    start: {
      owner: -1,
      left: 0,
      age: o.lease,
      table: 0,
      workers: [
        { left: 0, table: 0, beat: null },
        { left: 0, table: 0, beat: null },
      ],
      sleeps: o.sleeps,
      empties: o.empties,
    },
    steps(s, can) {
      workerSteps(s, 0, can);
      workerSteps(s, 1, can);
      can('time passes', (t) => {
        tick(t, -1);
      });
      if (s.empties > 0)
        can('Redis is emptied', (t) => {
          t.empties--;
          Object.assign(t, { owner: -1, left: 0, table: t.table + 1, age: 0 });
        });
    },
    invariants: {
      H6: {
        text: 'No two workers hold a shard by their own clocks at a time.',
        holds: (s) => s.workers.some((w) => w.left === 0),
      },
    },
    finished: (s) => s.workers.some((w) => w.left > 0),
  };
}
