/** What is said in a session that is busy: interrupted and steered runs (docs/api.md 11.2). Steering.B1 to B3. */
import { expect } from 'chai';
import { bounds, type LiveRun } from '../../../src/domain/agent/agent-state.js';
import { ownSaidTurns } from '../../../src/domain/run/conversation.js';
import { notGiven } from '../../../src/domain/run/tools.js';
import type { OnBusy } from '../../../src/domain/shared/vocabulary.js';
import { AgentWorld } from './support/agent-world.js';
import { answer, ask, cancel, fork, oneAtATime, recall, resume, start, step } from './support/commands.js';
import { given } from './support/given.js';

const live = (w: AgentWorld, n = 0): LiveRun => w.state.runs.get(w.run(n).id) ?? w.docs.live(w.run(n).id);
const by = { actor: 'key_1', name: 'Eve', from: null };
/** Said in session `s`, in which run `n` is going on. */
const say =
  (onBusy: OnBusy, input: string, n = 0, more: { written?: string; subject?: string } = {}) =>
  (w: AgentWorld) =>
    start(input, {
      sessionId: 's',
      onBusy,
      by,
      busy: { run: live(w, n), written: more.written ?? '' },
      ...(more.subject !== undefined && { subject: more.subject }),
    });
const first = start('first', { sessionId: 's' });
const inSession = (w: AgentWorld) => w.runs.map(({ status, input }) => `${input} ${status}`);

describe('domain: what is said in a session that is busy', () => {
  describe('interrupts', () => {
    it('Steering.B1: the run ends and the new one begins in one commit, before those that wait', () => {
      given({ config: { max_parallel: 1 } }, first, start('waits', { sessionId: 's' }), start('elsewhere'))
        .when(say('interrupt', 'now', 0, { written: 'As I was' }))
        .then((w, decision) => {
          expect(inSession(w)).to.deep.equal(['first cancelled', 'waits pending', 'elsewhere pending', 'now running']);
          expect(w.run()).to.include({ stopReason: 'interrupted', output: 'As I was' });
          expect(decision.changedRuns).to.have.length(2);
          expect(w.state.sessions.get('s')?.turns.map(({ content, became }) => [content, became])).to.deep.equal([
            ['first', undefined],
            ['As I was', 'interrupted'],
          ]);
        })
        .when(step([answer()]))
        .then((w) => {
          expect(inSession(w).slice(1)).to.deep.equal(['waits running', 'elsewhere pending', 'now completed']);
        });
    });
    it('is as the session is read anew, also where it was not in memory', () => {
      const w = new AgentWorld();
      w.do(first);
      const read = { subject: null, newest: w.run().id, turns: [], waiting: [] };
      w.do({ ...say('interrupt', 'now', 0, { written: 'So' })(w), session: read });
      expect(w.state.sessions.get('s')?.turns).to.deep.equal(ownSaidTurns(w.run()));
    });
    it('a run that has said nothing, or waits for its turn, leaves what was said to it', () => {
      given(oneAtATime, start('elsewhere'), first)
        .when(say('interrupt', 'now', 1))
        .then((w) => {
          expect(inSession(w)).to.deep.equal(['elsewhere running', 'first cancelled', 'now pending']);
          expect(w.run(1).output).to.equal(null);
          expect(ownSaidTurns(w.run(1)).map(({ became }) => became)).to.deep.equal(['cancelled']);
        });
    });
    it('nothing where that has ended meanwhile', () => {
      const w = new AgentWorld();
      w.do(first);
      const late = say('interrupt', 'now')(w);
      w.do(step([answer()]));
      w.do({ ...late, busy: { run: live(w), written: '' } });
      expect(inSession(w)).to.deep.equal(['first completed', 'now running']);
    });
  });

  describe('steers', () => {
    it('Steering.B2: the next step sees it, and the answer of the step in progress is not given', () => {
      given({}, first)
        .when(say('steer', 'rather in French'))
        .then((w, { result }) => {
          expect(w.runs).to.have.length(1);
          expect(result).to.deep.equal(w.run());
          expect(live(w).humanInputs).to.deep.equal([
            { step: 1, decision: null, input: 'rather in French', steers: true },
          ]);
          expect(w.docs.events(w.run().id).at(-1)).to.deep.include({
            status: 'running',
            decision: { decision: 'steer', by: { id: 'key_1', name: 'Eve' }, words: 'rather in French' },
          });
          expect(w.effects('begin'), 'no step is begun anew').to.deep.equal([]);
        })
        .when(step([recall('x'), answer('in English')]))
        .then((w) => {
          expect(w.run()).to.include({ status: 'running', steps: 1, output: null });
          expect(live(w).transcript[0]?.map(({ ok, result }) => [ok, result])).to.deep.equal([
            [true, 'nothing relevant is known'],
            [false, notGiven],
          ]);
        })
        .when(step([answer('en français')]))
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', output: 'en français' });
          expect(ownSaidTurns(w.run()).map(({ role, content }) => `${role}: ${content}`)).to.deep.equal([
            'user: first',
            'user: rather in French',
            'agent: en français',
          ]);
        });
    });
    it('a question is not asked that has not seen it, and an empty reply is no answer', () => {
      for (const calls of [[ask('which?')], []])
        given({}, first, say('steer', 'more'))
          .when(step(calls))
          .then((w) => {
            expect(w.run()).to.include({ status: 'running', steps: 1 });
          });
    });
    it('Steering.B3: it has fresh budgets, also after the last step', () => {
      given({}, start('first', { sessionId: 's', maxSteps: 1 }), say('steer', 'more'))
        .when(step([answer('early')]))
        .then((w) => {
          expect(w.run()).to.include({ status: 'running', steps: 1, budgetFromStep: 1 });
        })
        .when(step([recall('x')]))
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', stopReason: 'max_steps', steps: 2 });
        });
    });
    it('a run that waits for its turn sees it at its first step', () => {
      given(oneAtATime, start('elsewhere'), first, say('steer', 'more', 1))
        .when(step([answer()]))
        .then((w) => {
          expect(live(w, 1).humanInputs.map((h) => h.step)).to.deep.equal([0]);
        })
        .when(step([answer('both')]))
        .then((w) => {
          expect(w.run(1)).to.include({ status: 'completed', output: 'both' });
        });
    });
    it('several, in their order, and no more than are bounded', () => {
      const w = new AgentWorld();
      w.do(first);
      for (let n = 0; n < bounds.steered; n++) w.do(say('steer', `more ${n}`));
      const refused = w.refuse(say('steer', 'too much'), 'AGENT_BUSY');
      expect(refused.retryAfter).to.equal(1);
      w.do(step([answer('early')]));
      expect(live(w).humanInputs.map(({ input }) => input)).to.deep.equal(
        Array.from({ length: bounds.steered }, (_, n) => `more ${n}`),
      );
      w.do(say('steer', 'again'));
      w.do(cancel());
      expect(ownSaidTurns(w.run()).at(-1)).to.include({ content: 'again', became: 'cancelled' });
    });
    it('a run that waits for a human is not going on: a new one begins', () => {
      given({}, first, step([ask('which?')]))
        .when(say('steer', 'more'))
        .then((w) => {
          expect(inSession(w)).to.deep.equal(['first paused', 'more running']);
        });
    });
    it('is of the subject of its session', () => {
      given({}, first)
        .when(say('steer', 'more', 0, { subject: 'ada' }))
        .refused('CONFLICT');
    });
    it('a fork from before it does not know it', () => {
      given({}, first, step([recall('x')]), say('steer', 'more'), step([recall('y')]), step([answer()]))
        .when(fork(1))
        .then((w) => {
          expect(live(w, 1).humanInputs).to.deep.equal([]);
        });
    });
    it('and answers to questions go together', () => {
      given({}, first, step([ask('which?')]), resume({ input: 'this' }), say('steer', 'no, that'))
        .when(step([answer('early')]), step([answer('that')]))
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', output: 'that' });
        });
    });
  });
});
