/**
 * The actor runtime against bare nact in the same process and run: throughput, a hot actor beside other work, a lone
 * ask, what an idle actor costs.
 */
import { dispatch, query, spawn, start, stop, type Ref } from 'nact';
import { percentile, type Bench, type Row } from './harness.js';
import type { MonotonicClock } from '../../src/domain/clock.js';
import type { Address, Behavior, Reply } from '../../actors/runtime/port.js';
import { createActorSystem, type ActorSystem } from '../../actors/runtime/system.js';

const actors = 10_000;
const inFlight = 10_000;
const asks = 300_000;
const hotMs = 1_500;
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
  receive(message: number, reply: Reply): void {
    this.handled++;
    reply.resolve(message);
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

const system = (idleMs = 600_000): ActorSystem => createActorSystem({ clock, behaviorFor: () => new Echo(), idleMs });
const address = (id: number): Address => ({ workspace: 'ws_bench', kind: 'agent', id: `agent_${id}` });
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
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

/** Something else that uses `ms` of every turn of the event loop, as requests that are parsed and answered do. */
function otherWork(ms: number): { turns: () => number; end: () => void } {
  let on = true;
  let count = 0;
  const burn = (): void => {
    for (const until = performance.now() + ms; performance.now() < until;) {
      /* busy */
    }
    count++;
    if (on) setImmediate(burn);
  };
  setImmediate(burn);
  return {
    turns: () => count,
    end: () => {
      on = false;
    },
  };
}

async function hot(ask: Ask, askers: number): Promise<{ rate: number; turns: number }> {
  let on = true;
  let answered = 0;
  const asker = async (): Promise<void> => {
    while (on) {
      await ask(0, answered);
      answered++;
    }
  };
  const work = otherWork(2);
  const begun = performance.now();
  const all = Array.from({ length: askers }, asker);
  while (performance.now() - begun < hotMs) await turn();
  const seconds = (performance.now() - begun) / 1000;
  const rate = answered / seconds;
  on = false;
  await Promise.all(all);
  work.end();
  return { rate, turns: work.turns() / seconds };
}

async function hotActor(): Promise<Row[]> {
  const mine = system();
  const many = await hot((a, n) => mine.ask(address(a), n), 100);
  const one = await hot((a, n) => mine.ask(address(a), n), 1);
  await mine.stop({ graceMs: 10_000 });
  const nact = bareNact(1);
  const bareMany = await hot(nact.ask, 100);
  const bareOne = await hot(nact.ask, 1);
  nact.stop();
  const note = (r: { turns: number }): string =>
    `the other work ran ${Math.round(r.turns)} turns/s of at most 500: actors used the rest of the time, at most 1.5 ms a turn`;
  return [
    {
      what: 'hot actor, 100 in flight, while other work takes 2 ms a turn',
      figure: many.rate,
      unit: 'msg/s',
      baseline: { what: 'bare nact', figure: bareMany.rate },
      target: '>= 9,000/s',
      met: many.rate >= 9_000,
      note: note(many),
    },
    {
      what: 'the same with one asker that waits for each answer',
      figure: one.rate,
      unit: 'msg/s',
      baseline: { what: 'bare nact', figure: bareOne.rate },
      note: note(one),
    },
  ];
}

async function lone(ask: Ask): Promise<number[]> {
  const samples: number[] = [];
  for (let i = 0; i < 5_000; i++) {
    await turn();
    const begun = performance.now();
    await ask(0, i);
    if (i >= 1_000) samples.push((performance.now() - begun) * 1000);
  }
  return samples;
}

async function latency(): Promise<Row> {
  const mine = system();
  const ours = await lone((a, n) => mine.ask(address(a), n));
  await mine.stop({ graceMs: 10_000 });
  const nact = bareNact(1);
  const bare = await lone(nact.ask);
  nact.stop();
  const figure = median(ours);
  return {
    what: 'a lone ask on an idle system, p50',
    figure,
    unit: 'us',
    baseline: { what: 'bare nact query', figure: median(bare) },
    target: '<= 50 us',
    met: figure <= 50,
    note: `p99 ${percentile(ours, 0.99).toFixed(1)} us, bare nact ${percentile(bare, 0.99).toFixed(1)} us`,
  };
}

/** Heap in use after collections; several, as one leaves what finalizers and immediates still hold. */
async function heap(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await turn();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

async function idleActors(): Promise<Row[]> {
  let ahead = 0;
  const timers = new Set<() => void>();
  const stepped: MonotonicClock = {
    now: () => Date.now() + ahead,
    elapsed: () => performance.now() + ahead,
    after: (_ms, fn) => {
      timers.add(fn);
      return () => {
        timers.delete(fn);
      };
    },
  };
  const mine = createActorSystem({ clock: stepped, behaviorFor: () => new Echo(), idleMs: 60_000 });
  const wake = async (n: number): Promise<void> => {
    for (let i = 0; i < n; i += 1000)
      await Promise.all(Array.from({ length: 1000 }, (_, k) => mine.ask(address(i + k), 1)));
  };
  const passivate = async (): Promise<void> => {
    ahead += 120_000;
    while (mine.stats().active > 0) {
      for (const fn of [...timers]) {
        timers.delete(fn);
        fn();
      }
      await turn();
    }
  };
  await wake(actors);
  await passivate();
  const empty = await heap();
  let begun = performance.now();
  await wake(actors);
  const up = ((performance.now() - begun) * 1000) / actors;
  const kept = ((await heap()) - empty) / actors;
  begun = performance.now();
  await passivate();
  const down = ((performance.now() - begun) * 1000) / actors;
  const left = ((await heap()) - empty) / actors;
  await mine.stop({ graceMs: 10_000 });

  const root = start();
  const before = await heap();
  begun = performance.now();
  for (let i = 0; i < actors; i++) spawn(root, (state: undefined) => state, `agent_${i}`);
  const bareUp = ((performance.now() - begun) * 1000) / actors;
  const bareKept = ((await heap()) - before) / actors;
  stop(root);
  return [
    {
      what: 'activate an actor and answer its first ask',
      figure: up,
      unit: 'us',
      baseline: { what: 'bare nact spawn alone', figure: bareUp },
      target: '<= 1,000 us',
      met: up <= 1_000,
      note: 'a behaviour that loads nothing; 1,000 at a time',
    },
    {
      what: 'passivate an idle actor',
      figure: down,
      unit: 'us',
      note: 'found by the sweeper and dropped, with its node in the supervision tree',
    },
    {
      what: 'heap kept per idle active actor',
      figure: kept,
      unit: 'B',
      baseline: { what: 'bare nact actor', figure: bareKept },
      target: '<= 4,096 B',
      met: kept <= 4_096,
      note: 'a behaviour of one number; the nact node is part of it',
    },
    {
      what: 'heap left per actor after passivation',
      figure: left,
      unit: 'B',
      target: '0',
      met: left < 16,
      note: 'what collections leave varies by a few bytes an actor',
    },
  ];
}

export const bench: Bench = {
  name: 'actors',
  run: async () => [await manyActors(), ...(await hotActor()), await latency(), ...(await idleActors())],
};
