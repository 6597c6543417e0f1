/**
 * The gate of a quota under any interleaving of takes, commits, failures, deletes and the end of a month
 * (quota-gate.ts): QuotaGate.Q1 never one too many, QuotaGate.Q2 never refused while there is room. fast-check's
 * scheduler decides who goes on when.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { QuotaGate } from '../../../../actors/quota/quota-gate.js';
import { monthAt } from '../../../../src/domain/usage.js';

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
      { now: () => this.now, elapsed: () => this.now },
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
    const gate = new QuotaGate(() => (fails ? Promise.reject(new Error('no store')) : Promise.resolve(0)), {
      now: () => newYear,
      elapsed: () => 0,
    });
    const first = await Promise.resolve(gate.take(limit, 1)).then(
      () => null,
      (error: unknown) => error,
    );
    expect(first).to.be.an('error').with.property('message', 'no store');
    fails = false;
    expect(await gate.take(limit, 1)).to.deep.equal({ granted: 1, full: null, since: 0 });
  });

  it('far from the limit it answers at once, confirms itself once a second, and seldom reads the sum', async () => {
    let reads = 0;
    let confirmed = 0;
    let now = 0;
    const gate = new QuotaGate(
      () => {
        reads++;
        return Promise.resolve(0);
      },
      { now: () => newYear, elapsed: () => now },
      {
        after: () => () => undefined,
        maxReserved: () => Infinity,
        earlierGates: () => ({ count: 0, forMs: 0 }),
        patienceMs: Infinity,
        confirm: () => {
          confirmed++;
          return Promise.resolve();
        },
      },
    );
    const take = async (): Promise<void> => {
      expect(await gate.take(1000, 1)).to.deep.equal({ granted: 1, full: null, since: now });
    };
    await take();
    for (let i = 0; i < 100; i++) expect(gate.take(1000, 1)).to.deep.equal({ granted: 1, full: null, since: 0 });
    expect({ reads, confirmed }).to.deep.equal({ reads: 1, confirmed: 0 });
    now += 1000;
    await take();
    expect({ reads, confirmed }).to.deep.equal({ reads: 1, confirmed: 1 });
    now += 30_000;
    await take();
    expect(reads, 'half a minute later').to.equal(2);
    expect(await gate.take(1000, 500)).to.include({ granted: 500 });
    now += 1000;
    await take();
    expect(reads, 'above half of the limit').to.equal(3);
  });
});
