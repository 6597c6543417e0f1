/** Resume after a budget or a failure, and fork (docs/api.md 3.2). */
import { expect } from 'chai';
import { AgentWorld } from './support/agent-world.js';
import {
  answer,
  ask,
  cancel,
  fork,
  note,
  receive,
  recall,
  resume,
  send,
  start,
  step,
  stepFails,
  timeUp,
  work,
  oneAtATime,
  forks,
} from './support/commands.js';
import { given } from './support/given.js';

describe('domain: resume', () => {
  it('after max_steps {} is enough and gives a fresh budget of as many steps; numbers go on', () => {
    const w = new AgentWorld();
    for (const c of [start('x', { maxSteps: 2 }), work({ thoughts: [['insight', 'half']] }), work()]) w.do(c);
    const { id } = w.run();
    w.do(resume());
    expect(w.run()).to.deep.include({
      id,
      status: 'running',
      stopReason: null,
      output: null,
      ended_at: null,
      steps: 2,
    });
    w.do(work());
    expect(w.run().status).to.equal('running');
    w.do(work());
    expect(w.run()).to.include({ status: 'completed', stopReason: 'max_steps', steps: 4, output: 'half' });
    expect(w.begun.get(id)).to.equal(4);
    expect(
      w.docs
        .events(id)
        .filter((e) => e.type === 'status')
        .map((e) => e.status),
    ).to.deep.equal(['running', 'completed', 'running', 'completed']);
  });
  it('after a timeout likewise, with a fresh budget of time', () => {
    given({}, start('x', { maxRuntimeSeconds: 1 }), timeUp(1000), resume())
      .when(work({ usedMs: 999 }))
      .then((w) => {
        expect(w.run()).to.include({ status: 'running', runtimeMs: 1999, steps: 1 });
      })
      .when(work({ usedMs: 1 }))
      .then((w) => {
        expect(w.run()).to.include({ status: 'timeout', runtimeMs: 2000 });
      });
  });
  it('after a failure, with the step that failed done again under its number', () => {
    given({}, start(), work(), stepFails(), resume())
      .then((w) => {
        expect(w.run()).to.deep.include({ status: 'running', error: null, steps: 1 });
      })
      .when(step([answer()]))
      .then((w) => {
        expect(w.run()).to.include({ status: 'completed', steps: 2 });
      });
  });
  it('what a human adds goes to the next step', () => {
    given({}, start('x', { maxSteps: 1 }), work())
      .when(resume({ input: 'look closer' }))
      .then((w) => {
        expect(w.running.humanInputs).to.deep.equal([{ step: 1, decision: null, input: 'look closer' }]);
      });
  });
  it('waits for its turn while another run is running', () => {
    given(oneAtATime, start('x', { maxSteps: 1 }), work(), start('other'))
      .when(resume())
      .then((w) => {
        expect(w.run().status).to.equal('pending');
        expect(w.docs.events(w.run().id).at(-1)).to.include({ status: 'pending' });
      })
      .when(step([answer()]))
      .then((w) => {
        expect(w.run()).to.include({ status: 'running', steps: 1 });
      });
  });

  describe('is refused', () => {
    it('while it runs or waits', () => {
      given({}, start(), start())
        .when(resume())
        .refused('RUN_NOT_RESUMABLE')
        .when(resume({}, 1))
        .refused('RUN_NOT_RESUMABLE');
    });
    it('Run.U3: when it has answered or was cancelled', () => {
      given({}, start(), step([answer()]))
        .when(resume({ input: 'again' }))
        .refused('RUN_NOT_RESUMABLE', (e) => {
          expect(e.details).to.deep.equal({ status: 'completed', stopReason: 'answer' });
        });
      given({}, start(), cancel())
        .when(resume())
        .refused('RUN_NOT_RESUMABLE', (e) => {
          expect(e.details).to.deep.equal({ status: 'cancelled', stopReason: null });
        });
    });
    it('with a decision where none is waited for', () => {
      given({}, start('x', { maxSteps: 1 }), work())
        .when(resume({ decision: 'approve' }))
        .refused('VALIDATION_ERROR');
    });
  });
});

describe('domain: fork', () => {
  const three = [
    start('task'),
    step([recall('q', 'one')]),
    step([note('two')]),
    step([recall('q', 'three')]),
    step([answer('end')]),
  ];

  it('goes on from a checkpoint as another run: no step is repeated, and steps go on counting', () => {
    const w = new AgentWorld();
    for (const c of three) w.do(c);
    w.do(fork(2));
    const [first, forked] = w.runs;
    expect(forked).to.deep.include({
      status: 'running',
      triggeredBy: 'fork',
      input: 'task',
      steps: 2,
      forkedFrom: { runId: first!.id, checkpointId: w.docs.journal(first!.id)[1]!.id, step: 2 },
    });
    expect(forked!.sessionId).to.equal(first!.sessionId);
    expect(w.running.transcript.map((calls) => calls.map((c) => c.tool))).to.deep.equal([['recall'], ['remember']]);
    expect(w.docs.all('memory'), 'what the steps did is not done again').to.have.length(1);
    w.do(step([answer('another end')]));
    expect(w.run(1)).to.include({ status: 'completed', output: 'another end', steps: 3 });
    expect(w.docs.journal(forked!.id).map((e) => e.checkpoint?.step)).to.deep.equal([3]);
    expect(w.run(), 'the first stays as it was').to.deep.equal(first);
  });
  it('has the steps left of the budget, or a fresh one where none is left', () => {
    const w = new AgentWorld();
    for (const c of [start('x', { maxSteps: 2 }), work(), work(), fork(1)]) w.do(c);
    w.do(work());
    expect(w.run(1)).to.include({ stopReason: 'max_steps', steps: 2 });
    w.do(fork(2));
    for (const c of [work(), work()]) w.do(c);
    expect(w.run(2)).to.include({ stopReason: 'max_steps', steps: 4 });
  });
  it('of a fork knows the steps of both, also after a restart', () => {
    const w = new AgentWorld();
    for (const c of [...three, fork(1), step([send('hi')]), step([answer()]), fork(2, 1)]) w.do(c);
    const expected = w.running.transcript.map((calls) => calls.map((c) => c.tool));
    expect(expected).to.deep.equal([['recall'], ['send_message']]);
    w.restart();
    expect(w.running.transcript.map((calls) => calls.map((c) => c.tool))).to.deep.equal(expected);
  });
  it('knows what its model said beside the calls up to its checkpoint', () => {
    const w = new AgentWorld();
    for (const c of three) w.do(c);
    const checkpoint = w.docs.journal(w.live().record.id).find((e) => e.checkpoint?.step === 1)?.checkpoint;
    w.do(forks({ ...w.live(), asides: ['one', 'two'] }, checkpoint!));
    expect(w.running.asides).to.deep.equal(['one']);
  });
  it('knows what humans said up to its checkpoint, and nothing later', () => {
    const w = new AgentWorld();
    for (const c of [
      start(),
      step([ask('?')]),
      resume({ input: 'one' }),
      step([ask('??')]),
      resume({ input: 'two' }),
      step([answer()]),
    ])
      w.do(c);
    w.do(fork(2));
    expect(w.running.humanInputs.map((h) => h.input)).to.deep.equal(['one']);
  });
  it('carries the partial output of its checkpoint', () => {
    given(
      {},
      start('x', { maxSteps: 2 }),
      work({ thoughts: [['insight', 'early']] }),
      work({ thoughts: [['insight', 'late']] }),
      fork(1),
    )
      .when(work())
      .then((w) => {
        expect(w.run(1)).to.include({ stopReason: 'max_steps', output: 'early' });
      });
  });
  it('waits its turn, and leaves the hop count as it was', () => {
    given({}, receive('hi', { hops: 3 }), start(), work(), start('other'))
      .when(fork(1))
      .then((w) => {
        expect(w.run(2)).to.include({ status: 'pending', hops: 3 });
      });
  });
});
