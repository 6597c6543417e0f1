/**
 * The monthly quota of a cluster under any schedule: a desk that moves, also unheard; processes that are killed;
 * requests, answers and ends of places that are held up or lost; commits that are slow. Never above the limit, and
 * refused only when it is reached (QuotaDesk.K1-K4). Nothing is deleted, so what is used when a refusal is told is at
 * least what was used when it was decided.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { commitGraceMs, reservationMs } from '../../../actors/quota/quota-desk.js';
import { all, fact, free, outcome, type Process, QuotaCluster, settle, tally, type Told } from './quota-cluster-kit.js';

const limit = 1000;

type Step =
  | { do: 'write'; from: number; count: number; agent: number }
  | { do: 'move'; to: number; unheard: readonly number[] }
  | { do: 'kill'; who: number }
  /** What is held goes on after some steps, in another order. */
  | { do: 'hold'; what: 'remember' | 'reserveMemories' | 'reservationsEnded' | 'granted'; steps: number }
  | { do: 'lose'; what: 'reservationsEnded' | 'granted' }
  | { do: 'slow commits' | 'deliver' }
  | { do: 'time'; ms: number };

const who = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      from: who,
      count: fc.integer({ min: 1, max: 30 }),
      agent: who,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), to: who, unheard: fc.subarray([0, 1, 2]) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), who }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      what: fc.constantFrom(
        'remember' as const,
        'remember' as const,
        'reserveMemories' as const,
        'reservationsEnded' as const,
        'granted' as const,
      ),
      steps: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('lose' as const),
      what: fc.constantFrom('reservationsEnded' as const, 'granted' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('slow commits' as const, 'deliver' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(1, 400, 1_100, 4_000, 9_000) }),
  },
);

class Schedule {
  readonly cluster = new QuotaCluster();
  readonly told: Told[] = [];
  private sent = 0;
  private agents: string[] = [];
  /** What is held up, with the step at which it goes on. */
  private held: { at: number; go: () => void }[] = [];
  private holding = new Map<string, number>();
  private losing = new Map<string, number>();
  private slow = -1;
  private at = 0;

  async start(used: number): Promise<this> {
    const { cluster } = this;
    await cluster.prepare('free', used);
    this.agents = (
      await Promise.all(cluster.processes.map((p, i) => p.service.spawnAgent(free, { name: `a${i}` })))
    ).map((a) => a.id);
    const through = (what: string): Promise<unknown> | undefined => {
      if (this.at <= (this.losing.get(what) ?? -1)) return new Promise(() => undefined);
      const until = this.holding.get(what) ?? -1;
      return this.at <= until
        ? new Promise<void>((go) => {
            this.held.push({ at: until + 1, go });
          })
        : undefined;
    };
    cluster.holdRequest = ({ type }) => through(type);
    cluster.holdAnswer = ({ type }) => (type === 'reserveMemories' ? through('granted') : undefined);
    cluster.store.beforeCommit = () =>
      this.at <= this.slow
        ? new Promise<void>((go) => {
            this.held.push({ at: this.slow + 1, go });
          })
        : undefined;
    return this;
  }

  private process(i: number): Process {
    const { alive } = this.cluster;
    return alive[i % alive.length] as Process;
  }

  async do(one: Step): Promise<void> {
    this.at++;
    this.letGo((h) => h.at <= this.at);
    switch (one.do) {
      case 'write':
        for (let i = 0; i < one.count; i++)
          this.write(this.process(one.from), i % 2 === 0 ? { agent_id: this.agents[one.agent] } : {});
        break;
      case 'move':
        this.cluster.moveDesk(
          this.process(one.to),
          one.unheard.map((i) => this.process(i)),
        );
        break;
      case 'kill':
        this.kill(this.process(one.who));
        break;
      case 'hold':
        this.holding.set(one.what, this.at + one.steps);
        break;
      case 'lose':
        this.losing.set(one.what, this.at + 1);
        break;
      case 'slow commits':
        this.slow = this.at + 1;
        break; // at most two steps, so never as long as landMs
      case 'deliver':
        this.letGo(() => true);
        break;
      case 'time':
        this.cluster.clock.skip(one.ms);
        break;
      default:
        one satisfies never;
    }
    await settle(15);
    expect(await this.cluster.used(), 'never above the limit').to.be.at.most(limit);
  }

  private letGo(which: (held: { at: number }) => boolean): void {
    const going = this.held.filter(which).reverse();
    this.held = this.held.filter((h) => !which(h));
    for (const { go } of going) go();
  }

  private write(from: Process, more: object): void {
    this.sent++;
    void outcome(this.cluster, from.service.createMemory(free, fact(more))).then((told) => this.told.push(told));
  }

  private kill(process: Process): void {
    process.kill();
    const fresh = this.cluster.start(`${process.name}+`);
    this.cluster.believes.clear();
    if (this.cluster.desk === process) this.cluster.moveDesk(fresh);
  }

  /** All that can still come of it comes. */
  async heal(): Promise<void> {
    this.at = Infinity;
    this.cluster.believes.clear();
    for (let i = 0; i < 30; i++) {
      this.letGo(() => true);
      await settle(15);
      expect(await this.cluster.used(), 'never above the limit').to.be.at.most(limit);
      this.cluster.clock.skip(i < 20 ? 500 : reservationMs);
    }
    // whoever has the desk in the end opens a gate, and what may have been before it ends
    this.write(this.process(0), {});
    await settle(30);
    this.cluster.clock.skip(reservationMs + commitGraceMs);
    await settle(15);
  }
}

describe('The monthly quota in a cluster, under any schedule', () => {
  it('is never above the limit, refuses only at the limit, and is exact when all is quiet', async function property() {
    this.timeout(120_000);
    const seen: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 840, max: 1000 }),
        fc.array(step, { minLength: 5, maxLength: 30 }),
        async (used, steps) => {
          const schedule = await new Schedule().start(used);
          const { cluster } = schedule;
          try {
            for (const one of steps) await schedule.do(one);
            await schedule.heal();
            for (const { code, usedThen } of schedule.told) {
              expect(['none', 'QUOTA_EXCEEDED', 'UNAVAILABLE']).to.include(code);
              if (code === 'QUOTA_EXCEEDED') expect(usedThen, 'refused only when full').to.equal(limit);
            }
            for (const [code, n] of Object.entries(tally(schedule.told))) seen[code] = (seen[code] ?? 0) + n;
            const room = limit - (await cluster.used());
            const last = cluster.alive[0] as Process;
            const told = await all(
              cluster,
              Array.from({ length: Math.min(40, room + 3) }, () => last.service.createMemory(free, fact())),
            );
            expect(tally(told), 'exact in the end').to.deep.equal({
              ...(room > 0 && { none: Math.min(40, room) }),
              ...(room < 40 && { QUOTA_EXCEEDED: Math.min(40, room + 3) - room }),
            });
          } finally {
            await cluster.stop();
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(seen, 'else the property says little').to.include.keys('none', 'QUOTA_EXCEEDED', 'UNAVAILABLE');
  });
});
