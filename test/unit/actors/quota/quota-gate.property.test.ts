/**
 * The gate of a quota under any interleaving of takes, commits, failures, deletes and the end of a month
 * (quota-gate.ts): QuotaGate.Q1 never one too many, QuotaGate.Q2 never refused while there is room. fast-check's
 * scheduler decides who goes on when.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { QuotaGate } from '../../../../actors/quota/quota-gate.js';
import type { HivekeepError } from '../../../../src/domain/shared/errors.js';
import { monthAt } from '../../../../src/domain/workspace/usage.js';
import { turn } from '../../../helpers/turn.js';
import { ManualClock } from '../runtime/kit.js';

const limit = 5;
const newYear = Date.UTC(2027, 0, 1);

/** A store that answers when the scheduler lets it, and what was the most and the least that it held at any time. */
class Stored {
  private readonly held = new Map<string, number>();
  now = newYear - 5000;
  readonly gate: QuotaGate;
  constructor(private readonly s: fc.Scheduler) {
    this.gate = new QuotaGate(
      (month) =>
        this.s.schedule(Promise.resolve(), 'read begins').then(() => {
          const sum = this.in(month);
          return this.s.schedule(Promise.resolve(sum), 'read ends');
        }),
      { now: () => this.now, elapsed: () => this.now, after: () => () => undefined },
    );
  }
  in(month: string): number {
    return this.held.get(month) ?? 0;
  }
  get sum(): number {
    return this.in(monthAt(this.now));
  }
  add(by: number): void {
    const month = monthAt(this.now);
    const sum = this.in(month) + by;
    expect(sum, 'Q1').to.be.at.most(limit);
    this.held.set(month, Math.max(0, sum));
  }
}

type Action = { do: 'take'; n: number; commits: number } | { do: 'delete' } | { do: 'month' } | { do: 'second' };
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      n: fc.integer({ min: 1, max: 3 }),
      commits: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'delete' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'month' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'second' as const }) },
);

describe('The gate of a quota', () => {
  const seen = new Map<string, number>();
  const note = (what: string): void => {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  };

  /** Takes, commits of what was granted as many as it wants, gives back. */
  async function use(
    stored: Stored,
    s: fc.Scheduler,
    n: number,
    commits: number,
    peaks: Set<{ most: number }>,
  ): Promise<void> {
    const peak = { most: stored.sum };
    peaks.add(peak);
    const { granted, full } = await stored.gate.take(limit, n);
    peaks.delete(peak);
    if (full) {
      expect(peak.most, 'Q2: at some time since it was asked for there was no room').to.be.at.least(limit - granted);
      expect(full).to.include({ limit });
      note(granted > 0 ? 'granted in part' : 'refused');
    } else expect(granted).to.equal(n);
    for (let i = 0; i < Math.min(granted, commits); i++) {
      await s.schedule(Promise.resolve(), 'commit');
      stored.add(1);
      for (const p of peaks) p.most = Math.max(p.most, stored.sum);
      note('committed');
    }
    await s.schedule(Promise.resolve(), 'answer');
    stored.gate.release(granted);
  }

  it('QuotaGate.Q1, QuotaGate.Q2: any interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(action, { minLength: 5, maxLength: 25 }), async (s, actions) => {
        const stored = new Stored(s);
        const all: Promise<void>[] = [];
        const peaks = new Set<{ most: number }>();
        const play = async (): Promise<void> => {
          for (const a of actions) {
            if (a.do === 'take') all.push(use(stored, s, a.n, a.commits, peaks));
            else if (a.do === 'delete') {
              if (stored.sum > 0) stored.add(-1);
            } else if (a.do === 'second') stored.now += 1000;
            else {
              stored.now += 31 * 86_400_000;
              for (const p of peaks) p.most = Math.max(p.most, stored.sum);
            }
            await s.schedule(Promise.resolve(), 'next');
          }
          await Promise.all(all);
        };
        await s.waitFor(play());
        expect(stored.gate.idle, 'nothing is left over').to.equal(true);
      }),
      { numRuns: 500 },
    );
    expect([...seen.keys()], 'else the property says little').to.include.members([
      'granted in part',
      'refused',
      'committed',
    ]);
  });

  it('a store that fails rejects who asked, and the next asks anew', async () => {
    let fails = true;
    const gate = new QuotaGate(
      () => (fails ? Promise.reject(new Error('no store')) : Promise.resolve(0)),
      new ManualClock(),
    );
    const first = await Promise.resolve(gate.take(limit, 1)).then(
      () => null,
      (error: unknown) => error,
    );
    expect(first).to.be.an('error').with.property('message', 'no store');
    fails = false;
    expect(await gate.take(limit, 1)).to.deep.equal({ granted: 1, full: null });
  });

  /** A store that counts how often it is read, and a gate that has one of two processes' memories. */
  function read(first: number, tookMs = 0) {
    const clock = new ManualClock();
    const world = { sum: first, reads: 0 };
    const gate = new QuotaGate(() => {
      world.reads++;
      clock.advance(tookMs);
      return Promise.resolve(world.sum);
    }, clock);
    return { clock, world, gate };
  }
  const admitted = { granted: 1, full: null };

  it('QuotaGate.Q4: where there is room it answers at once, and reads again after a second, or twenty times a read', async () => {
    for (const [tookMs, freshMs] of [
      [10, 1_000],
      [200, 4_000],
    ] as const) {
      const { gate, clock, world } = read(0, tookMs);
      expect(await gate.take(5_000, 1)).to.deep.equal(admitted);
      for (let i = 0; i < 100; i++) expect(gate.take(5_000, 1)).to.deep.equal(admitted);
      clock.advance(freshMs - 1);
      expect(gate.take(5_000, 1)).to.deep.equal(admitted);
      expect(world.reads).to.equal(1);
      clock.advance(1);
      expect(await gate.take(5_000, 1)).to.deep.equal(admitted);
      expect(world.reads).to.equal(2);
    }
  });

  it('QuotaGate.Q4: near the limit each is admitted on what is stored after it came, and those who wait share a read', async () => {
    const { gate, clock, world } = read(4_600);
    expect(await gate.take(5_000, 1)).to.deep.equal(admitted);
    clock.advance(1);
    world.sum = 4_997; // by another process
    const first = gate.take(5_000, 1);
    await turn();
    expect(world.reads).to.equal(2);
    expect(await first).to.deep.equal(admitted);
    clock.advance(1);
    const both = [gate.take(5_000, 1), gate.take(5_000, 1)];
    expect(await both[0]).to.deep.equal(admitted);
    const last = await Promise.race([both[1], turn().then(() => 'waits')]);
    expect(last, 'two are in flight, and the sum may have them').to.equal('waits');
    world.sum = 5_000;
    for (let i = 0; i < 3; i++) gate.release(1);
    expect(await both[1]).to.deep.equal({ granted: 0, full: { month: '1970-01', limit: 5_000, used: 5_000 } });
  });

  it('who would have to wait for more than 5 s for an exact sum is told to try again, and is not refused', async () => {
    const { gate, clock } = read(999);
    await gate.take(1_000, 1);
    const next = gate.take(1_000, 1);
    const told = Promise.resolve(next).then(
      () => 'admitted',
      (error: unknown) => (error as HivekeepError).code,
    );
    await turn();
    clock.advance(5_000);
    expect(await told).to.equal('UNAVAILABLE');
    gate.release(1);
    expect(await gate.take(1_000, 1)).to.deep.equal(admitted);
  });
});
