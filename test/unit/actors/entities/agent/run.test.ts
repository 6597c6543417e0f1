/** The actor of a run at work: actors/entities/agent/run.ts, with a clock moved by hand. */
import { expect } from 'chai';
import { TimeAway } from '../../../../../actors/entities/outages.js';
import { RunActor } from '../../../../../actors/entities/agent/run.js';
import type { StepReport } from '../../../../../src/domain/agent-state.js';
import { Gate, ManualClock } from '../../runtime/kit.js';
import { settle } from '../writer-kit.js';

const report: StepReport = { ok: true, thoughts: [], calls: [], consulted: [] };

interface Bench {
  run: RunActor;
  clock: ManualClock;
  abort: AbortController;
  told: string[];
  /** Has the run go on with a step, which is its first if it has none yet. */
  work(attempt: number, budgetMs?: number): { step: Gate<StepReport>; away: TimeAway };
  /** Whether the loop has ended; an error if it was by one. */
  over(): boolean | Error;
}

function bench(): Bench {
  const clock = new ManualClock();
  const told: string[] = [];
  const abort = new AbortController();
  const run = new RunActor(
    {
      ended: (attempt, { ok }, usedMs) => {
        told.push(`${attempt} ended ${ok ? 'well' : 'badly'} after ${usedMs}`);
      },
      deadline: (attempt, usedMs) => {
        told.push(`${attempt} due after ${usedMs}`);
      },
    },
    clock,
    abort,
  );
  let loop: Promise<void> | null = null;
  let over: boolean | Error = false;
  return {
    run,
    clock,
    abort,
    told,
    over: () => over,
    work: (attempt, budgetMs = 1000) => {
      const step = new Gate<StepReport>();
      const away = new TimeAway(clock);
      const begin = () => ({ attempt, report: step.opened, startedMs: clock.elapsed(), budgetMs, away });
      if (loop) run.goOn(begin);
      else
        (loop = run.receive(begin)).then(
          () => (over = true),
          (error: unknown) => (over = error as Error),
        );
      return { step, away };
    },
  };
}

describe('Run actor', () => {
  it('Outage.W2: time that the step waited for an outage is not counted, and moves its deadline', async () => {
    const { clock, told, work, over } = bench();
    const { away } = work(1);
    clock.advance(400);
    away.begin();
    clock.advance(5_000);
    await settle();
    expect([told, over()]).to.deep.equal([[], false]);
    away.end();
    clock.advance(599);
    await settle();
    expect(told).to.deep.equal([]);
    clock.advance(1_000);
    await settle();
    expect(told).to.have.length(1);
    expect(told[0]).to.match(/^1 due after 1\d\d\d$/);
  });

  it('reports the end of its step with the time used, and goes on with the next when there is one', async () => {
    const { clock, told, abort, work, over } = bench();
    const first = work(1);
    clock.advance(300);
    first.step.resolve(report);
    await settle();
    expect([told, abort.signal.aborted, clock.waiting, over()]).to.deep.equal([
      ['1 ended well after 300'],
      false,
      0,
      false,
    ]);
    const second = work(2);
    await settle();
    clock.advance(200);
    second.step.resolve(report);
    await settle();
    expect(told.slice(1)).to.deep.equal(['2 ended well after 200']);
  });

  it('the runtime budget stops it at its time, not a moment before', async () => {
    const { clock, told, abort, work, over } = bench();
    work(1, 1000);
    clock.advance(999);
    expect([abort.signal.aborted, told]).to.deep.equal([false, []]);
    clock.advance(1);
    await settle();
    expect([abort.signal.aborted, told, over()]).to.deep.equal([true, ['1 due after 1000'], true]);
  });

  it('a budget that is used up already is due at once', () => {
    const { clock, told, work } = bench();
    work(1, -5);
    clock.advance(0);
    expect(told).to.deep.equal(['1 due after 0']);
  });

  for (const end of ['stop', 'passivate', 'dropped'] as const) {
    it(`${end} stops the step at once, without waiting for the reasoner`, async () => {
      const { run, clock, abort, work, over } = bench();
      work(1);
      if (end === 'passivate') run.passivate();
      else if (end === 'stop') run.stop('cancelled');
      else run.dropped(new Error('gone'));
      await settle();
      expect([abort.signal.aborted, clock.waiting, over()]).to.deep.equal([true, 0, true]);
    });
  }

  it('after a stop nothing is reported, neither an end nor a deadline', async () => {
    const { run, clock, told, work } = bench();
    const { step } = work(1);
    run.stop('cancelled');
    step.resolve(report);
    clock.advance(5000);
    await settle();
    expect(told).to.deep.equal([]);
  });

  it('after its deadline the end of a step is not reported, and after its end no deadline', async () => {
    const due = bench();
    const late = due.work(1);
    due.clock.advance(1000);
    late.step.resolve(report);
    await settle();
    expect(due.told).to.deep.equal(['1 due after 1000']);
    const { clock, told, work } = bench();
    work(2).step.resolve(report);
    await settle();
    clock.advance(5000);
    expect(told).to.deep.equal(['2 ended well after 0']);
  });

  it('a step that rejects, which none should, is reported as failed', async () => {
    const { told, work } = bench();
    work(1).step.reject(new Error('unheard of'));
    await settle();
    expect(told).to.deep.equal(['1 ended badly after 0']);
  });

  it('a step that cannot begin, which is a defect, is a crash', async () => {
    const { run } = bench();
    const loop = run.receive(() => {
      throw new Error('a defect');
    });
    expect(await loop.catch((error: unknown) => (error as Error).message)).to.equal('a defect');
  });
});
