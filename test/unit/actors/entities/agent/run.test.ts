/**
 * The actor of a step in progress: RunActor.N1 and RunActor.N2 of actors/entities/agent/run.ts, with a clock moved by
 * hand.
 */
import { expect } from 'chai';
import { TimeAway } from '../../../../../actors/entities/outages.js';
import { RunBehavior, type RunMessage } from '../../../../../actors/entities/agent/run.js';
import type { ActorContext } from '../../../../../actors/runtime/port.js';
import type { StepReport } from '../../../../../src/domain/agent-state.js';
import { Gate, ManualClock } from '../../runtime/kit.js';
import { settle } from '../writer-kit.js';

const report: StepReport = { ok: true, thoughts: [], calls: [], consulted: [] };

function bench(): {
  run: RunBehavior;
  clock: ManualClock;
  told: string[];
  work(attempt: number, budgetMs?: number): { step: Gate<StepReport>; abort: AbortController };
} {
  const clock = new ManualClock();
  const told: string[] = [];
  const run = new RunBehavior(
    {
      ended: (attempt, { ok }, usedMs) => {
        told.push(`${attempt} ended ${ok ? 'well' : 'badly'} after ${usedMs}`);
      },
      deadline: (attempt, usedMs) => {
        told.push(`${attempt} due after ${usedMs}`);
      },
    },
    clock,
  );
  run.activate({
    self: (message: RunMessage) => {
      run.receive(message);
    },
  } as Partial<ActorContext<RunMessage>> as ActorContext<RunMessage>);
  return {
    run,
    clock,
    told,
    work: (attempt, budgetMs = 1000) => {
      const step = new Gate<StepReport>();
      const abort = new AbortController();
      const away = new TimeAway(clock);
      run.receive({ type: 'work', attempt, step: step.opened, abort, startedMs: clock.elapsed(), budgetMs, away });
      return { step, abort };
    },
  };
}

/** A run at work whose step waits for an outage when the test says so. */
function withAway(): ReturnType<typeof bench> & { away: TimeAway } {
  const made = bench();
  const away = new TimeAway(made.clock);
  made.run.receive({
    type: 'work',
    attempt: 1,
    step: new Gate<StepReport>().opened,
    abort: new AbortController(),
    startedMs: made.clock.elapsed(),
    budgetMs: 1000,
    away,
  });
  return { ...made, away };
}

describe('Run actor', () => {
  it('Outage.W2: time that the step waited for an outage is not counted, and moves its deadline', async () => {
    const { run, clock, told, away } = withAway();
    clock.advance(400);
    away.begin();
    clock.advance(5_000);
    await settle();
    expect([told, run.idle()]).to.deep.equal([[], false]);
    away.end();
    clock.advance(599);
    await settle();
    expect(told).to.deep.equal([]);
    clock.advance(1_000);
    await settle();
    expect(told).to.have.length(1);
    expect(told[0]).to.match(/^1 due after 1\d\d\d$/);
  });

  it('reports the end of its step with the time used, and is idle then', async () => {
    const { run, clock, told, work } = bench();
    const { step, abort } = work(1);
    expect(run.idle()).to.equal(false);
    clock.advance(300);
    step.resolve(report);
    await settle();
    expect(told).to.deep.equal(['1 ended well after 300']);
    expect([run.idle(), abort.signal.aborted, clock.waiting]).to.deep.equal([true, false, 0]);
  });

  it('RunActor.N1 an abort stops the step at once, without waiting for the reasoner', () => {
    const { run, clock, work } = bench();
    const { abort } = work(1);
    run.receive({ type: 'abort' });
    expect([abort.signal.aborted, run.idle(), clock.waiting]).to.deep.equal([true, true, 0]);
  });

  it('RunActor.N1 the runtime budget stops it at its time, not a moment before', () => {
    const { clock, told, work } = bench();
    const { abort } = work(1, 1000);
    clock.advance(999);
    expect([abort.signal.aborted, told]).to.deep.equal([false, []]);
    clock.advance(1);
    expect([abort.signal.aborted, told]).to.deep.equal([true, ['1 due after 1000']]);
  });

  it('a budget that is used up already is due at once', () => {
    const { clock, told, work } = bench();
    work(1, -5);
    clock.advance(0);
    expect(told).to.deep.equal(['1 due after 0']);
  });

  for (const end of ['passivate', 'dropped'] as const) {
    it(`RunActor.N1 ${end} stops the step`, () => {
      const { run, clock, work } = bench();
      const { abort } = work(1);
      if (end === 'passivate') run.passivate();
      else run.dropped(new Error('gone'));
      expect([abort.signal.aborted, clock.waiting]).to.deep.equal([true, 0]);
    });
  }

  it('RunActor.N2 after an abort nothing is reported, neither an end nor a deadline', async () => {
    const { run, clock, told, work } = bench();
    const { step } = work(1);
    run.receive({ type: 'abort' });
    step.resolve(report);
    clock.advance(5000);
    await settle();
    expect(told).to.deep.equal([]);
  });

  it('RunActor.N2 after its deadline the end of a step is not reported, and after its end no deadline', async () => {
    const { clock, told, work } = bench();
    const first = work(1);
    clock.advance(1000);
    first.step.resolve(report);
    await settle();
    const second = work(2);
    second.step.resolve(report);
    await settle();
    clock.advance(5000);
    expect(told).to.deep.equal(['1 due after 1000', '2 ended well after 0']);
  });

  it('RunActor.N2 another attempt takes the place of the first, which is stopped and never heard of again', async () => {
    const { told, work } = bench();
    const first = work(1);
    const second = work(2);
    expect(first.abort.signal.aborted).to.equal(true);
    first.step.resolve(report);
    await settle();
    second.step.resolve(report);
    await settle();
    expect(told).to.deep.equal(['2 ended well after 0']);
  });

  it('a step that rejects, which none should, is reported as failed', async () => {
    const { told, work } = bench();
    work(1).step.reject(new Error('unheard of'));
    await settle();
    expect(told).to.deep.equal(['1 ended badly after 0']);
  });
});
