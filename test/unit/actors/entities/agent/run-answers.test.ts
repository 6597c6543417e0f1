/** When a request that waits for its run is answered, and with what. */
import { expect } from 'chai';
import { type AwaitedAnswer, RunAnswers } from '../../../../../actors/entities/agent/run-answers.js';
import type { RunRecord } from '../../../../../src/domain/agent/agent-state.js';
import type { ConsultedMemory, RunEvent } from '../../../../../src/domain/model/model.js';
import type { RunStatus } from '../../../../../src/domain/shared/vocabulary.js';

const memory = (id: string): ConsultedMemory => ({ id, type: 'fact', content: `about ${id}`, relevance: 0.5 });
const run = (status: RunStatus, consulted: string[] = [], id = 'run_1'): RunRecord =>
  ({ id, status, consulted: consulted.map((c) => ({ id: c, type: 'fact', relevance: 0.5 })) }) as unknown as RunRecord;

function kit() {
  const timers = new Set<() => void>();
  const answers = new RunAnswers({
    after: (_ms, fn) => {
      timers.add(fn);
      return () => timers.delete(fn);
    },
  });
  const given: AwaitedAnswer[] = [];
  return {
    answers,
    given,
    timers,
    /** The answer, if it is given at once. */
    ask: (started: RunRecord, waitMs: number): AwaitedAnswer | undefined => {
      const before = given.length;
      answers.answer(started, waitMs, (answer) => given.push(answer));
      return given[before];
    },
  };
}

describe('Answers with a run', () => {
  it('shows what was committed together with the beginning, and what was consulted', () => {
    const { answers, ask, timers } = kit();
    answers.expect(run('running'));
    answers.consulted('run_1', [memory('mem_1')]);
    answers.committed(run('completed', ['mem_1']));
    expect(ask(run('running'), 1000)).to.deep.equal({
      run: run('completed', ['mem_1']),
      consulted: [memory('mem_1')],
      told: [],
    });
    expect(timers.size).to.equal(0);
  });

  it('what an attempt consulted that did not count is not shown', () => {
    const { answers, ask } = kit();
    answers.expect(run('running'));
    answers.consulted('run_1', [memory('mem_2')]);
    answers.committed(run('completed', ['mem_1']));
    expect(ask(run('running'), 1000)).to.deep.equal({ run: run('completed', ['mem_1']), consulted: null, told: [] });
  });

  for (const status of ['completed', 'failed', 'timeout', 'cancelled', 'paused'] as const)
    it(`who waits is answered once, when the run is ${status}`, () => {
      const { answers, ask, given, timers } = kit();
      answers.expect(run('pending'));
      expect(ask(run('pending'), 1000)).to.equal(undefined);
      answers.committed(run('running'));
      expect(given).to.deep.equal([]);
      answers.committed(run(status));
      answers.committed(run('running'));
      answers.end();
      expect(given.map((answer) => answer.run.status)).to.deep.equal([status]);
      expect(timers.size).to.equal(0);
    });

  it('who waits is answered with the run as it is when the time is up, and when the activation ends', () => {
    const { answers, ask, given, timers } = kit();
    answers.expect(run('running'));
    ask(run('running'), 1000);
    answers.expect(run('running'));
    ask(run('running'), 1000);
    const [first] = timers;
    first!();
    expect(given).to.have.length(1);
    answers.end();
    expect(given.map((answer) => answer.run.status)).to.deep.equal(['running', 'running']);
  });

  it('who does not wait is told what was committed since; who waits is not, and nothing is kept for them', () => {
    const { answers, ask, given } = kit();
    const event = (seq: number): RunEvent => ({ seq, type: 'status' }) as unknown as RunEvent;
    answers.published('run_1', [event(0)]);
    answers.expect(run('running'));
    answers.published('run_1', [event(1), event(2)]);
    answers.published('run_2', [event(1)]);
    answers.published('run_1', [event(3)]);
    expect(ask(run('running'), 0)?.told.map(({ seq }) => seq)).to.deep.equal([1, 2, 3]);
    answers.expect(run('running'));
    answers.published('run_1', [event(4)]);
    ask(run('running'), 1000);
    answers.published('run_1', [event(5)]);
    answers.end();
    expect(given.at(-1)?.told).to.deep.equal([]);
  });

  it('who does not wait is answered at once', () => {
    const { answers, ask } = kit();
    answers.expect(run('running'));
    expect(ask(run('running'), 0)).to.deep.equal({ run: run('running'), consulted: null, told: [] });
  });
});
