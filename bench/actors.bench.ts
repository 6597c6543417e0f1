/** The throughput of the actor runtime against that of bare nact in the same process and run. */
import { dispatch, query, spawn, start, stop, type Ref } from 'nact';
import { percentile, type Bench, type Row } from './harness.js';
import type { MonotonicClock } from '../src/domain/shared/clock.js';
import type { Address, Behavior, Asked } from '../actors/runtime/port.js';
import { ActorSystem } from '../actors/runtime/system.js';

const actors = 10_000;
const inFlight = 10_000;
const asks = 300_000;
const rounds = 3;

const clock: MonotonicClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** As small as an actor can be: it answers what it is asked and keeps a count. */
class Echo implements Behavior<number> {
  private handled = 0;
  activate(): void {
    this.handled = 0;
  }
  receive(asked: Asked<number>): void {
    this.handled++;
    asked.resolve(asked.message);
  }
  idle(): boolean {
    return true;
  }
  passivate(): void {
    /* nothing to finish */
  }
  dropped(): void {
    /* nothing to abort */
  }
}

const system = (): ActorSystem => new ActorSystem({ clock, behaviorFor: () => new Echo(), idleMs: 600_000 });
const address = (id: number): Address => ({ workspace: 'ws_bench', kind: 'agent', id: `agent_${id}` });
const median = (samples: readonly number[]): number => percentile(samples, 0.5);

type Ask = (actor: number, message: number) => Promise<unknown>;

interface Bare {
  ask: Ask;
  stop(): void;
}
interface Question {
  from: Ref<number>;
  n: number;
}

function bareNact(count: number): Bare {
  const root = start();
  const refs = Array.from({ length: count }, (_, i) =>
    spawn(
      root,
      (_state: undefined, { from, n }: Question) => {
        dispatch(from, n);
        return undefined;
      },
      `agent_${i}`,
    ),
  );
  return {
    ask: (actor, n) => query(refs[actor] as Ref<Question>, (from: Ref<number>): Question => ({ from, n }), 4_000),
    stop: () => {
      stop(root);
    },
  };
}

interface Result {
  rate: number;
  wrong: number;
  unanswered: number;
}

/**
 * Closed loop: `inFlight` askers, each asks again when it is answered. The rate is up to the last answer: who waits for
 * one that never comes does not count.
 */
async function throughput(ask: Ask, total: number): Promise<Result> {
  let next = 0;
  let wrong = 0;
  let answered = 0;
  let last = 0;
  const asker = async (): Promise<void> => {
    while (next < total) {
      const n = next++;
      try {
        if ((await ask((n * 7919) % actors, n)) !== n) wrong++;
        answered++;
        last = performance.now();
      } catch {
        /* counted as unanswered */
      }
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: inFlight }, asker));
  return { rate: answered / ((last - begun) / 1000), wrong, unanswered: total - answered };
}

async function manyActors(): Promise<Row> {
  const ours: number[] = [];
  const bare: number[] = [];
  let wrong = 0;
  let bareWrong = 0;
  let lost = 0;
  let bareLost = 0;
  for (let round = 0; round < rounds; round++) {
    const mine = system();
    await throughput((a, n) => mine.ask(address(a), n), 50_000);
    const result = await throughput((a, n) => mine.ask(address(a), n), asks);
    await mine.stop({ graceMs: 10_000 });
    const nact = bareNact(actors);
    await throughput(nact.ask, 50_000);
    const other = await throughput(nact.ask, asks / 3);
    nact.stop();
    ours.push(result.rate);
    bare.push(other.rate);
    wrong += result.wrong;
    bareWrong += other.wrong;
    lost += result.unanswered;
    bareLost += other.unanswered;
  }
  const figure = median(ours);
  return {
    what: 'ask, 10,000 actors, 10,000 in flight',
    figure,
    unit: 'asks/s',
    baseline: { what: 'bare nact query', figure: median(bare) },
    target: '>= 250,000/s, 0 wrong answers',
    met: figure >= 250_000 && wrong + lost === 0,
    note: `wrong answers ${wrong}, unanswered ${lost} of ${rounds * asks} (bare nact ${bareWrong} and ${bareLost} of ${(rounds * asks) / 3}); median of ${rounds} rounds, from ${Math.round(Math.min(...ours))} to ${Math.round(Math.max(...ours))}; addresses are built for each ask`,
  };
}

export const bench: Bench = { name: 'actors', run: async () => [await manyActors()] };
