/** Runs: start, line, steps, endings, cancel (docs/api.md 2.3, 3.2). Run.U1-U4: src/domain/run/run.ts. */
import { expect } from 'chai';
import { bounds } from '../../../src/domain/agent/agent-state.js';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import { AgentWorld } from './support/agent-world.js';
import {
  answer,
  ask,
  cancel,
  note,
  oneAtATime,
  recall,
  resume,
  start,
  step,
  stepFails,
  timeUp,
  work,
  patches,
} from './support/commands.js';
import { given } from './support/given.js';

const statuses = (w: AgentWorld): string[] => w.runs.map((r) => r.status);

describe('domain: runs', () => {
  describe('start', () => {
    it('runs at once where nothing else does', () => {
      given()
        .when(start('go', { sessionId: 'mine' }))
        .then((w, { result }) => {
          expect(result).to.deep.equal(w.run());
          expect(w.run()).to.include({
            status: 'running',
            input: 'go',
            sessionId: 'mine',
            triggeredBy: 'api',
            steps: 0,
            maxSteps: 10,
            maxRuntimeSeconds: 300,
            agent_id: 'agent_1',
          });
          expect(w.run().started_at).to.equal(w.run().created_at);
          expect(w.effects('begin')).to.deep.equal([{ type: 'begin', runId: w.run().id }]);
          expect(w.docs.events(w.run().id))
            .to.have.length(1)
            .and.have.nested.property('[0]')
            .that.includes({ seq: 1, type: 'status', status: 'running' });
        });
    });
    it('makes a session where none is named', () => {
      given({}, start(), start()).then((w) => {
        expect(new Set(w.runs.map((r) => r.sessionId)).size).to.equal(2);
        expect(w.run().sessionId).to.match(/^sess_/);
      });
    });
    it('budgets: the request before the agent before the service', () => {
      const of = (agent: object, request: object): unknown => {
        const w = new AgentWorld(agent);
        w.do(start('x', request));
        return [w.run().maxSteps, w.run().maxRuntimeSeconds];
      };
      expect(of({}, {})).to.deep.equal([10, 300]);
      expect(of({ config: { max_steps: 4 }, maxRuntimeSeconds: 60 }, {})).to.deep.equal([4, 60]);
      expect(
        of({ config: { max_steps: 4 }, maxRuntimeSeconds: 60 }, { maxSteps: 2, maxRuntimeSeconds: 5 }),
      ).to.deep.equal([2, 5]);
    });
    it('a direct message has an id and counts as handled', () => {
      given()
        .when(start('hi', { direct: true }))
        .then((w) => {
          expect(w.run().messageId).to.match(/^msg_/);
          expect(w.state.counts['handled']).to.equal(1);
        });
      given()
        .when(start('hi'))
        .then((w) => {
          expect(w.run().messageId).to.equal(null);
          expect(w.state.counts).to.not.have.property('handled');
        });
    });
  });

  describe('Run.U1: at most so many at a time', () => {
    it('of large runs that wait only the ids are in memory; each is read when its turn comes, in order', () => {
      const large = (name: string): string => `${name} ${'x'.repeat(20_000)}`;
      const w = new AgentWorld(oneAtATime);
      for (const input of ['1', large('2'), '3', large('4')]) w.do(start(input));
      expect(w.state.agent.pending).to.have.length(3);
      expect([...w.state.runs.keys()], 'in memory').to.have.members([w.run(0).id, w.run(2).id]);
      w.do(step([answer()]));
      expect(w.effects('fetchNext')).to.have.length(1);
      expect(statuses(w)).to.deep.equal(['completed', 'running', 'pending', 'pending']);
      w.do({ type: 'startNext', run: w.live(3) });
      expect(statuses(w), 'it is not the turn of the fourth').to.deep.equal([
        'completed', 'running', 'pending', 'pending',
      ]); // prettier-ignore
      w.restart();
      expect([...w.state.runs.keys()], 'in memory after a restart').to.deep.equal([w.run(1).id]);
      for (const done of [2, 3, 4]) {
        w.do(step([answer()]));
        expect(statuses(w).filter((status) => status === 'completed')).to.have.length(done);
      }
      expect(w.begun.get(w.run(3).id)).to.equal(1);
    });
    it('large runs that wait are cancelled when the agent ends, and one of them by a client', () => {
      const w = new AgentWorld(oneAtATime);
      for (let n = 0; n < 4; n++) w.do(start('x'.repeat(20_000)));
      w.do(cancel(2));
      expect(statuses(w)).to.deep.equal(['running', 'pending', 'cancelled', 'pending']);
      w.do(patches({ status: 'terminated' }));
      expect(new Set(statuses(w))).to.deep.equal(new Set(['cancelled']));
      expect(w.state.agent.pending).to.deep.equal([]);
    });
    it('a second waits, and starts when the first ends; in order', () => {
      given(oneAtATime, start('1'), start('2'), start('3'))
        .then((w) => {
          expect(statuses(w)).to.deep.equal(['running', 'pending', 'pending']);
          expect(w.run(1).started_at).to.equal(null);
        })
        .when(step([answer()]))
        .then((w) => {
          expect(statuses(w)).to.deep.equal(['completed', 'running', 'pending']);
          expect(w.effects('begin'), 'in the same commit').to.deep.equal([{ type: 'begin', runId: w.run(1).id }]);
        })
        .when(step([answer()]))
        .then((w) => {
          expect(statuses(w)).to.deep.equal(['completed', 'completed', 'running']);
        });
    });
    for (const [how, command] of Object.entries({
      fails: stepFails(),
      'times out': timeUp(300_000),
      'is cancelled': cancel(),
      pauses: step([ask('?')]),
    })) {
      it(`the next starts too when the first ${how}`, () => {
        given(oneAtATime, start(), start())
          .when(command)
          .then((w) => {
            expect(w.run(1).status).to.equal('running');
          });
      });
    }
    it('on_busy reject refuses while one runs, not while one is paused', () => {
      given({}, start())
        .when(start('x', { onBusy: 'reject' }))
        .refused('AGENT_BUSY', (e, w) => {
          expect(e.retryAfter).to.equal(1);
          expect(e.details).to.deep.equal({ running: w.run().id });
        })
        .when(step([ask('?')]), start('x', { onBusy: 'reject' }))
        .then((w) => {
          expect(statuses(w)).to.deep.equal(['paused', 'running']);
        });
    });
    it(`${bounds.queue} may wait, and no more; a resume takes a place too`, () => {
      const w = new AgentWorld(oneAtATime);
      for (const c of [start('first'), step([ask('?')]), start('second')]) w.do(c);
      for (let i = 0; i < bounds.queue; i++) w.do(start('waits', { onBusy: 'enqueue' }));
      w.refuse(start('one too many'), 'AGENT_BUSY');
      w.refuse(resume({ input: 'now' }), 'AGENT_BUSY');
      expect(w.run().status, 'a refused resume leaves it paused').to.equal('paused');
      w.do(cancel(50));
      w.do(resume({ input: 'now' }));
      expect(w.state.agent.pending.at(-1)?.id).to.equal(w.run().id);
    });
    it('of one session one at a time; others pass those that wait for it, in the order of their arrival', () => {
      const w = new AgentWorld({ config: { max_parallel: 3 } });
      for (const sessionId of ['a', 'a', 'b', 'a', 'c', 'd', 'e']) w.do(start(sessionId, { sessionId }));
      const inputs = (status: string): string[] => w.runs.filter((r) => r.status === status).map((r) => r.input);
      expect([inputs('running'), inputs('pending')]).to.deep.equal([
        ['a', 'b', 'c'],
        ['a', 'a', 'd', 'e'],
      ]);
      w.do(cancel(2)); // of session b, so d is next
      expect([inputs('running'), inputs('pending')]).to.deep.equal([
        ['a', 'c', 'd'],
        ['a', 'a', 'e'],
      ]);
      w.do(cancel(0)); // of session a, whose next has waited longest
      expect([inputs('running'), inputs('pending')]).to.deep.equal([
        ['a', 'c', 'd'],
        ['a', 'e'],
      ]);
      w.do(patches({ config: { max_parallel: 8 } }));
      expect([inputs('running'), inputs('pending')]).to.deep.equal([['a', 'c', 'd', 'e'], ['a']]);
    });
    it('a hundred that wait for their session refuse nothing that begins at once', () => {
      const w = new AgentWorld();
      for (let i = 0; i <= bounds.queue; i++) w.do(start('waits', { sessionId: 's' }));
      w.refuse(start('one too many', { sessionId: 's' }), 'AGENT_BUSY');
      w.do(start('elsewhere'));
      expect(w.run(-1).status).to.equal('running');
    });
    it('each that was running goes on after a restart, and all end with their agent, each by a decision', () => {
      const w = new AgentWorld();
      for (let i = 0; i < 10; i++) w.do(start('x'));
      w.restart();
      expect(w.effects('begin')).to.have.length(8);
      w.do(patches({ status: 'terminated' }));
      expect(new Set(statuses(w))).to.deep.equal(new Set(['cancelled']));
    });
  });

  describe('steps', () => {
    it('answer ends it; nothing after the answer is done', () => {
      given({}, start())
        .when(
          step([answer('42'), note('never')], {
            thoughts: [
              ['goal', 'g'],
              ['result', 'r'],
            ],
          }),
        )
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', stopReason: 'answer', output: '42', steps: 1 });
          expect(w.docs.all('memory')).to.deep.equal([]);
          expect(w.docs.events(w.run().id).map((e) => (e.type === 'status' ? e.status : e.type))).to.deep.equal([
            'running',
            'thought',
            'thought',
            'answer',
            'completed',
          ]);
        });
    });
    it('no calls at all are an empty answer, also after a first step and without thoughts', () => {
      given({}, start())
        .when(step([]))
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', stopReason: 'answer', output: '' });
        });
      given({}, start(), work())
        .when(step([]))
        .then((w) => {
          expect(w.run()).to.include({ stopReason: 'answer', output: '', steps: 2 });
        });
    });
    it('the next step sees what came of the calls before', () => {
      given({}, start())
        .when(step([recall('q', 'found'), note('kept')]))
        .then((w) => {
          expect(w.running.transcript).to.have.length(1);
          expect(w.running.transcript[0]?.map((o) => [o.tool, o.ok])).to.deep.equal([
            ['recall', true],
            ['remember', true],
          ]);
          expect(w.running.transcript[0]?.[0]).to.deep.equal({
            tool: 'recall',
            arguments: { query: 'q' },
            ok: true,
            result: 'found',
          });
          expect(w.effects('begin')).to.have.length(1);
        });
    });
    it('keeps what the first step consulted', () => {
      const hit = { id: 'mem_1', type: 'semantic', content: 'c', relevance: 0.5 };
      given({}, start(), work({ consulted: [hit] }), work({ consulted: [{ ...hit, id: 'mem_2' }] })).then((w) => {
        expect(w.run().consulted).to.deep.equal([{ id: 'mem_1', type: 'semantic', relevance: 0.5 }]);
      });
    });
    it('a reasoner that fails fails the run, with its words', () => {
      given({}, start(), work({ thoughts: [['insight', 'half']] }))
        .when(stepFails())
        .then((w) => {
          expect(w.run()).to.deep.include({
            status: 'failed',
            stopReason: null,
            error: { code: 'unreachable', message: 'it is unreachable' },
            steps: 1,
            output: null,
          });
          expect(w.docs.events(w.run().id).at(-1)).to.include({ status: 'failed', message: 'it is unreachable' });
        });
    });
  });

  describe('Run.U4: budgets', () => {
    for (const n of [1, 2, 5]) {
      it(`${n} steps are ${n} calls of the reasoner, none after them`, () => {
        const w = new AgentWorld();
        w.do(start('x', { maxSteps: n }));
        for (let i = 0; i < n; i++) w.do(work({ thoughts: [['insight', `part ${i}`]] }));
        expect(w.begun.get(w.run().id)).to.equal(n);
        expect(w.run()).to.include({ status: 'completed', stopReason: 'max_steps', steps: n, output: `part ${n - 1}` });
      });
    }
    it('a step that is in progress is not begun again when the agent goes on after its load', () => {
      given({}, start())
        .when({ type: 'continue' })
        .then((w) => {
          expect(w.begun.get(w.run().id)).to.equal(1);
          expect(w.last).to.deep.include({ puts: [], effects: [] });
        });
    });
    it('a step that ends every process that takes it fails its run after ten of them; reloads in one process do not count', () => {
      const w = new AgentWorld();
      w.do(start());
      for (let n = 1; n <= bounds.restartsPerStep; n++) {
        w.restart(`process ${n}`);
        w.restart(`process ${n}`);
        expect(w.run().status, `after ${n} processes`).to.equal('running');
      }
      w.restart('one more');
      expect(w.run()).to.include({ status: 'failed' });
      expect(w.run().error).to.include({ code: 'crashed' });
      expect(w.run().error?.message).to.contain('11 processes');
    });
    it('a step that reports begins the count anew', () => {
      const w = new AgentWorld();
      w.do(start('x', { maxSteps: 5 }));
      for (let n = 1; n <= bounds.restartsPerStep; n++) w.restart(`process ${n}`);
      w.do(work());
      for (let n = 1; n <= bounds.restartsPerStep; n++) w.restart(`process ${n}`);
      expect(w.run().status).to.equal('running');
    });
    it('an answer in the last step is an answer', () => {
      given({}, start('x', { maxSteps: 1 }))
        .when(step([answer()]))
        .then((w) => {
          expect(w.run().stopReason).to.equal('answer');
        });
    });
    it('no output at max_steps where there was none', () => {
      given({}, start('x', { maxSteps: 1 }), work({ thoughts: [['goal', 'not output']] })).then((w) => {
        expect(w.run()).to.include({ stopReason: 'max_steps', output: null });
      });
    });

    const slow = start('x', { maxRuntimeSeconds: 2 });
    for (const [how, end] of Object.entries<(w: AgentWorld) => AgentCommand>({
      'between steps': work({ usedMs: 1000 }),
      'in a step': timeUp(1000),
    })) {
      it(`runtime used up ${how}, with partial output: completed with stopReason timeout`, () => {
        given({}, slow, work({ usedMs: 1000, thoughts: [['insight', 'so far']] }))
          .when(end)
          .then((w) => {
            expect(w.run()).to.include({
              status: 'completed',
              stopReason: 'timeout',
              output: 'so far',
              runtimeMs: 2000,
            });
          });
      });
      it(`runtime used up ${how}, without: timeout`, () => {
        given({}, slow, work({ usedMs: 1000 }))
          .when(end)
          .then((w) => {
            expect(w.run()).to.include({ status: 'timeout', output: null, runtimeMs: 2000 });
            expect(w.run().error).to.deep.equal({ code: 'timeout', message: 'the runtime budget is used up' });
          });
      });
    }
    it('a millisecond less is not used up', () => {
      given({}, slow, work({ usedMs: 1999 })).then((w) => {
        expect(w.run().status).to.equal('running');
      });
    });
    it('the deadline stops the step in progress; its report counts for nothing any more (Model.W3)', () => {
      let late: AgentCommand | null = null;
      given({}, slow)
        .when((w) => {
          late = step([answer('too late')])(w);
          return timeUp(2000)(w);
        })
        .then((w) => {
          expect(w.state.runs.size).to.equal(0);
        })
        .when(() => late!)
        .then((w, { result, puts }) => {
          expect([result, puts]).to.deep.equal([false, []]);
          expect(w.run().status).to.equal('timeout');
        });
    });
    it('a checkpoint carries the runtime used up to it', () => {
      given({}, start(), work({ usedMs: 100 }), work({ usedMs: 50.4 })).then((w) => {
        expect(w.docs.journal(w.run().id).map((e) => e.checkpoint?.runtimeMs)).to.deep.equal([100, 150]);
      });
    });
  });

  describe('Model.W3: only the step in progress may report', () => {
    const late = (w: AgentWorld): AgentCommand => step([answer('late')])(w);
    it('another attempt is ignored and writes nothing', () => {
      given({}, start())
        .when((w) => ({ ...late(w), attempt: w.running.attempt + 1 }) as AgentCommand)
        .then((w, { result, puts, changedRuns }) => {
          expect([result, puts, changedRuns]).to.deep.equal([false, [], []]);
          expect(w.run().status).to.equal('running');
        })
        .when((w) => ({ type: 'deadline', runId: w.run().id, attempt: 0, usedMs: 1e9 }))
        .then((_, { result, puts }) => {
          expect([result, puts]).to.deep.equal([false, []]);
        });
    });
    it('the same report twice counts once', () => {
      const w = new AgentWorld();
      w.do(start());
      const report = work()(w);
      w.do(report);
      w.do(report);
      expect(w.last.result).to.equal(false);
      expect(w.run().steps).to.equal(1);
    });
    it('a report from before a resume is not taken for one after it', () => {
      const w = new AgentWorld();
      w.do(start('x', { maxRuntimeSeconds: 1 }));
      const old = late(w);
      for (const c of [timeUp(1000), resume()]) w.do(c);
      w.do(old);
      expect(w.last.result).to.equal(false);
      expect(w.run().status).to.equal('running');
    });
    it('a run that does not exist', () => {
      given()
        .when({
          type: 'step',
          runId: 'run_none',
          attempt: 1,
          usedMs: 1,
          report: { ok: true, thoughts: [], calls: [], consulted: [] },
        })
        .then((_, { result, puts }) => {
          expect([result, puts]).to.deep.equal([false, []]);
        });
    });
  });

  describe('cancel', () => {
    it('ends a running one at once', () => {
      given({}, start(), work({ thoughts: [['insight', 'half']] }))
        .when(cancel())
        .then((w) => {
          expect(w.run()).to.include({ status: 'cancelled', stopReason: null, output: null, steps: 1 });
        });
    });
    it('takes one that waits out of the line', () => {
      given(oneAtATime, start(), start(), start())
        .when(cancel(1))
        .then((w) => {
          expect(w.state.agent.pending.map(({ id }) => id)).to.deep.equal([w.run(2).id]);
        });
    });
    it('ends a paused one, and what it waited for is never done', () => {
      given({ config: { validation_gate: 'action' } }, start(), step([note('x')]))
        .when(cancel())
        .then((w) => {
          expect(w.run()).to.deep.include({ status: 'cancelled', waitingFor: null, held: [] });
          expect(w.docs.all('memory')).to.deep.equal([]);
        });
    });
    for (const [what, command] of Object.entries({
      answered: step([answer()]),
      failed: stepFails(),
      'timed out': timeUp(300_000),
      cancelled: cancel(),
    })) {
      it(`Run.U3: is refused on one that is ${what}, which stays as it is`, () => {
        given({}, start(), command)
          .when(cancel())
          .refused('CONFLICT', (e, w) => {
            expect(e.details).to.deep.equal({ status: w.run().status });
          });
      });
    }
  });
});
