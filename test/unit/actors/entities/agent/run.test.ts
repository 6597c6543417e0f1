/** The actor of a run at work: actors/entities/agent/run.ts, with a clock moved by hand. */
import { expect } from 'chai';
import { TimeAway } from '../../../../../actors/entities/outages.js';
import { type BeginStep, RunActor } from '../../../../../actors/entities/agent/run.js';
import type { AgentCommand } from '../../../../../src/domain/agent/agent-commands.js';
import type { StepReport } from '../../../../../src/domain/agent/agent-state.js';
import { Gate, ManualClock } from '../../runtime/kit.js';
import { settle } from '../writer-kit.js';

const report: StepReport = { ok: true, thoughts: [], calls: [], consulted: [] };

interface Bench {
  stop(): void;
  clock: ManualClock;
  abort: AbortController;
  told: string[];
  /** Has the run go on with a step, which is its first if it has none yet. */
  work(attempt: number, budgetMs?: number): { step: Gate<StepReport>; away: TimeAway };
  /** Of a run of its own. */
  begin(begin: BeginStep): Promise<void>;
}

function bench(): Bench {
  const clock = new ManualClock();
  const told: string[] = [];
  const abort = new AbortController();
  const tell = (message: AgentCommand<'step' | 'deadline'>): void => {
    const what = message.type === 'deadline' ? 'due' : message.report.ok ? 'ended well' : 'ended badly';
    told.push(`${message.attempt} ${what} after ${message.usedMs}`);
  };
  const begun = { id: 'run_a', attempt: 1 };
  let run: RunActor | null = null;
  return {
    stop: () => run?.stop('cancelled'),
    clock,
    abort,
    told,
    work: (attempt, budgetMs = 1000) => {
      const step = new Gate<StepReport>();
      const away = new TimeAway(clock);
      const begin = () => ({ attempt, report: step.opened, startedMs: clock.elapsed(), budgetMs, away });
      if (run) run.takeStep(begin);
      else void (run = new RunActor(begun, begin, tell, clock, abort)).begin();
      return { step, away };
    },
    begin: (begin) => new RunActor(begun, begin, tell, clock, abort).begin(),
  };
}

describe('Run actor', () => {
  it('Outage.W2: time that the step waited for an outage is not counted, and moves its deadline', async () => {
    const { clock, told, work } = bench();
    const { away } = work(1);
    clock.advance(400);
    away.begin();
    clock.advance(5_000);
    await settle();
    expect(told).to.deep.equal([]);
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
    const { clock, told, abort, work } = bench();
    const first = work(1);
    clock.advance(300);
    first.step.resolve(report);
    await settle();
    expect([told, abort.signal.aborted, clock.waiting]).to.deep.equal([['1 ended well after 300'], false, 0]);
    const second = work(2);
    await settle();
    clock.advance(200);
    second.step.resolve(report);
    await settle();
    expect(told.slice(1)).to.deep.equal(['2 ended well after 200']);
  });

  it('the runtime budget stops it at its time, not a moment before', async () => {
    const { clock, told, abort, work } = bench();
    work(1, 1000);
    clock.advance(999);
    expect([abort.signal.aborted, told]).to.deep.equal([false, []]);
    clock.advance(1);
    await settle();
    expect([abort.signal.aborted, told]).to.deep.equal([true, ['1 due after 1000']]);
  });

  it('a budget that is used up already is due at once', () => {
    const { clock, told, work } = bench();
    work(1, -5);
    clock.advance(0);
    expect(told).to.deep.equal(['1 due after 0']);
  });

  it('a stop ends the step at once, without waiting for the reasoner', () => {
    const { stop, clock, abort, work } = bench();
    work(1);
    stop();
    expect([abort.signal.aborted, clock.waiting]).to.deep.equal([true, 0]);
  });

  it('after a stop nothing is reported, neither an end nor a deadline', async () => {
    const { stop, clock, told, work } = bench();
    const { step } = work(1);
    stop();
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

  it('a step that is no longer that of its run is left out, and the next is gone on with', async () => {
    const { told, begin } = bench();
    void begin(() => null);
    await settle();
    expect(told).to.deep.equal([]);
  });

  it('a step that cannot begin, which is a defect, is told to its agent and is a crash', async () => {
    const { told, begin } = bench();
    const loop = begin(() => {
      throw new Error('a defect');
    });
    expect(await loop.catch((error: unknown) => (error as Error).message)).to.equal('a defect');
    expect(told).to.deep.equal(['1 ended badly after 0']);
  });
});
