/** Human in the loop: validation gates, ask_human, approve, reject, answer (docs/api.md 3.1). */
import { decided } from '../../../src/commands/command.js';
import { createSchedule } from '../../../src/commands/schedules.js';
import type { Caller } from '../../../src/domain/shared/caller.js';
import { expect } from 'chai';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import { questionOf, type ResolvedCall } from '../../../src/domain/agent/agent-state.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { AgentTool } from '../../../src/domain/agent/agent-tools.js';
import type { ResumeInput, RunOverrides } from '../../../src/domain/shared/inputs.js';
import { packEntry, unpackEntry } from '../../../src/domain/run/stored-run.js';
import { showSchedule } from '../../../src/domain/agent/schedules.js';
import { everything, outside, questionFor, taskOf } from '../../../src/domain/task/run-as-task.js';
import { AgentWorld, type Command } from './support/agent-world.js';
import {
  answer,
  ask,
  cancel,
  fork,
  note,
  recall,
  receive,
  resume,
  said,
  send,
  share,
  start,
  step,
  stepFails,
  timeUp,
  work,
  oneAtATime,
  patches,
} from './support/commands.js';
import { given } from './support/given.js';

const saysNothing = (of: unknown): boolean => !JSON.stringify(of).includes('1234');

const guarded = { config: { validation_gate: 'action' as const } };
const guardedOne = { config: { ...guarded.config, ...oneAtATime.config } };

describe('domain: gates', () => {
  describe('action', () => {
    for (const call of [note('a secret', 'episodic'), send('hi'), share('known')]) {
      it(`${call.tool} waits for approval and is not done meanwhile`, () => {
        given(guarded, start())
          .when(step([call], { thoughts: [['action', 'I want to']] }))
          .then((w) => {
            expect(w.run()).to.include({ status: 'paused', steps: 0 });
            expect(w.run().waitingFor).to.deep.include({
              kind: 'approval',
              action: { tool: call.tool, arguments: call.arguments },
            });
            expect([...w.docs.all('memory'), ...w.docs.all('outbox')]).to.deep.equal([]);
            expect(w.state.agent.running).to.deep.equal([]);
            expect(w.docs.events(w.run().id).at(-1)).to.include({
              status: 'paused',
              message: w.run().waitingFor?.question,
            });
          });
      });
    }
    it('recall and answer pass', () => {
      given(guarded, start(), work())
        .when(step([recall('q'), answer()]))
        .then((w) => {
          expect(w.run().stopReason).to.equal('answer');
        });
    });

    it('approve does exactly the gated call as it was, once, and goes on', () => {
      given(guarded, start(), step([recall('q', 'seen'), note('one'), recall('r', 'seen too')]))
        .when(resume({ decision: 'approve' }))
        .then((w) => {
          expect(w.docs.all('memory').map((m) => m.content)).to.deep.equal(['one']);
          expect(w.running.transcript).to.have.length(1);
          expect(w.running.transcript[0]?.map((o) => `${o.tool} ${o.result}`)).to.deep.equal([
            'recall seen',
            `remember remembered as ${w.docs.all('memory')[0]?.id}`,
            'recall one (just now, by you)\nseen too',
          ]);
          expect(w.begun.get(w.run().id), 'the reasoner is not asked again for the approved step').to.equal(2);
          expect(w.run().steps).to.equal(1);
        });
    });
    it('the event of a decision or an answer tells who, when and which words', () => {
      const by = { id: 'key_1', name: 'Carla' };
      const actor = { actor: 'key_1', name: 'Carla', from: null };
      const deciding =
        (input: ResumeInput): Command =>
        (w) => ({ ...(resume(input)(w) as AgentCommand<'resume'>), by: actor });
      const w = new AgentWorld({ config: { validation_gate: 'action', max_parallel: 1 } });
      for (const c of [
        start(),
        step([note('one')]),
        deciding({ decision: 'reject', input: 'not that' }),
        step([note('two')]),
        start('other'),
        deciding({ decision: 'approve' }),
        step([answer()]),
        step([ask('So?')]),
        deciding({ input: 'so' }),
      ])
        w.do(c);
      const told = w.docs.events(w.run().id).flatMap((e) => (e.type === 'status' && e.decision ? [e] : []));
      expect(told.map(({ status, decision }) => ({ status, ...decision }))).to.deep.equal([
        { status: 'running', decision: 'reject', by, words: 'not that' },
        { status: 'pending', decision: 'approve', by, words: null },
        { status: 'running', decision: 'answer', by, words: 'so' },
      ]);
      const [entry] = w.docs.journal(w.run().id).filter(({ events }) => events.includes(told[0]!));
      expect(unpackEntry(entry!.id, 'agent_1', packEntry(entry!))).to.deep.equal(entry);
    });
    it('the next gated call of the same step asks again', () => {
      given(guarded, start(), step([note('one'), send('two'), answer('end')]))
        .when(resume({ decision: 'approve' }))
        .then((w) => {
          expect(w.docs.all('memory')).to.have.length(1);
          expect(w.docs.all('outbox')).to.deep.equal([]);
          expect(w.run().waitingFor?.action?.tool).to.equal('send_message');
        })
        .when(resume({ decision: 'approve' }))
        .then((w) => {
          expect(w.docs.all('memory'), 'what was done is not done again').to.have.length(1);
          expect(w.docs.all('outbox')).to.have.length(1);
          expect(w.run()).to.include({ status: 'completed', output: 'end', steps: 1 });
          expect(w.docs.journal(w.run().id)[0]?.checkpoint?.calls.map((c) => c.ok)).to.deep.equal([true, true, true]);
        });
    });
    it('the next gated call of a later step asks again', () => {
      given(guarded, start(), step([note('one')]), resume({ decision: 'approve' }))
        .when(step([note('two')]))
        .then((w) => {
          expect(w.run().status).to.equal('paused');
          expect(w.docs.all('memory')).to.have.length(1);
        });
    });
    it('approved while another run is running, it is done when its turn comes, also after a restart', () => {
      const w = new AgentWorld(guardedOne);
      for (const c of [start(), step([note('one')]), start('other'), resume({ decision: 'approve' })]) w.do(c);
      expect(w.runs.map((r) => r.status)).to.deep.equal(['pending', 'running']);
      expect(w.docs.all('memory')).to.deep.equal([]);
      w.restart();
      w.do(step([answer()]));
      expect(w.docs.all('memory').map((m) => m.content)).to.deep.equal(['one']);
      expect(w.run()).to.include({ status: 'running', steps: 1 });
    });
    it('approved and then cancelled in the line, it is never done', () => {
      given(guardedOne, start(), step([note('one')]), start('other'), resume({ decision: 'approve' }), cancel())
        .when(step([answer()]))
        .then((w) => {
          expect(w.docs.all('memory')).to.deep.equal([]);
        });
    });

    it('reject never does it, drops what came after it, and goes back to the reasoner with the input', () => {
      given(guarded, start(), step([recall('q', 'seen'), note('one'), send('two')]))
        .when(resume({ decision: 'reject', input: 'not that' }))
        .then((w) => {
          expect([...w.docs.all('memory'), ...w.docs.all('outbox')]).to.deep.equal([]);
          expect(w.run()).to.include({ status: 'running', steps: 1 });
          expect(w.running.humanInputs).to.deep.equal([{ step: 0, decision: 'reject', input: 'not that' }]);
          expect(w.running.transcript).to.deep.equal([
            [
              { tool: 'recall', arguments: { query: 'q' }, ok: true, result: 'seen' },
              { tool: 'remember', arguments: { content: 'one' }, ok: false, result: 'rejected: not that' },
            ],
          ]);
        })
        .when(step([answer('fine')]))
        .then((w) => {
          expect([...w.docs.all('memory'), ...w.docs.all('outbox')]).to.deep.equal([]);
          expect(w.run().output).to.equal('fine');
        });
    });
    it('reject needs no input', () => {
      given(guarded, start(), step([note('one')]))
        .when(resume({ decision: 'reject' }))
        .then((w) => {
          expect(w.running.humanInputs).to.deep.equal([{ step: 0, decision: 'reject', input: '' }]);
        });
    });
    it('a rejected step used up its part of the budget', () => {
      given(guarded, start('x', { maxSteps: 1 }), step([note('one')]))
        .when(resume({ decision: 'reject' }))
        .then((w) => {
          expect(w.run()).to.include({ stopReason: 'max_steps', steps: 1 });
          expect(w.begun.get(w.run().id)).to.equal(1);
        });
    });
    it('needs a decision', () => {
      given(guarded, start(), step([note('one')]))
        .when(resume({ input: 'well' }))
        .refused('VALIDATION_ERROR', (e, w) => {
          expect(e.details['issues']).to.have.nested.property('[0].path', 'decision');
          expect(w.run().status).to.equal('paused');
        });
    });
    it('a paused run lets the agent be woken', () => {
      given(guarded, start(), step([note('one')]), patches({ wake_on_message: true }))
        .when(receive('hi'))
        .then((w) => {
          expect(w.run(1)).to.include({ status: 'running', triggeredBy: 'message' });
        });
    });
  });

  describe('answer', () => {
    const careful = { config: { validation_gate: 'answer' as const } };
    it('actions pass, the answer waits and is not shown', () => {
      given(careful, start())
        .when(step([note('x'), answer('secret')]))
        .then((w) => {
          expect(w.docs.all('memory')).to.have.length(1);
          expect(w.run()).to.include({ status: 'paused', output: null });
          expect(w.docs.events(w.run().id).some((e) => e.type === 'answer')).to.equal(false);
        })
        .when(resume({ decision: 'approve' }))
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', stopReason: 'answer', output: 'secret', steps: 1 });
          expect(w.docs.all('memory')).to.have.length(1);
        });
    });
    for (const [way, end] of Object.entries<AgentCommand | ((w: AgentWorld) => AgentCommand)>({
      'its step budget': work({ thoughts: [['insight', 'the code is 1234']] }),
      'its runtime budget between steps': work({ usedMs: 2000 }),
      'its runtime budget in a step': timeUp(2000),
      'the refusal of its model': stepFails('refused', 'the model declined: 1234 is secret'),
      'an unusable reply of its model': stepFails('bad_response', 'there is no tool "1234"'),
      'a rejection with no step left': step([answer('the code is 1234')]),
      'a cancel': cancel(),
    })) {
      it(`Gate.A2: nothing is published when the run ends by ${way}`, () => {
        const said = work({ thoughts: [['insight', 'the code is 1234']] });
        const w = new AgentWorld(careful);
        for (const c of [start('x', { maxSteps: 2, maxRuntimeSeconds: 1 }), said, end]) w.do(c);
        if (w.run().status === 'paused') w.do(resume({ decision: 'reject' }));
        expect(w.run().status).to.be.oneOf(['completed', 'timeout', 'failed', 'cancelled']);
        expect(w.docs.events(w.run().id).filter((e) => e.type !== 'thought')).to.satisfy(saysNothing);
        expect([w.run().output, w.run().error, w.run().turns, taskOf(w.run(), null, outside)]).to.satisfy(saysNothing);
        expect(w.docs.journal(w.run().id).map((e) => e.checkpoint?.output ?? null)).to.satisfy(saysNothing);
      });
    }
    it('Gate.A2: a fork and a resume publish nothing that was said before the gate was set', () => {
      given({}, start('x', { maxSteps: 1 }), work({ thoughts: [['insight', 'the code is 1234']] }))
        .when(patches(careful))
        .when(resume())
        .when(work())
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', stopReason: 'max_steps', output: null });
        })
        .when(fork(1))
        .when(work())
        .then((w) => {
          expect(w.run(1)).to.include({ status: 'completed', stopReason: 'max_steps', output: null });
        });
    });
    it('Gate.A2: a question waits, too, and is asked once it is approved', () => {
      given(careful, start())
        .when(step([ask('May I say that the code is 1234?')]))
        .then((w) => {
          expect(w.run().waitingFor).to.deep.include({
            kind: 'approval',
            action: { tool: 'ask_human', arguments: { question: 'May I say that the code is 1234?' } },
          });
        })
        .when(resume({ decision: 'approve' }))
        .then((w) => {
          expect(w.run().waitingFor).to.deep.include({ kind: 'human', question: 'May I say that the code is 1234?' });
        });
    });
    it('Gate.A2: what is approved is all that will be said', () => {
      const parts = [{ kind: 'data' as const, data: { code: 1234 } }];
      const call: ResolvedCall = {
        tool: 'forget',
        arguments: { memory: 'the code is 1234' },
        id: null,
        problem: 'no such memory: the code is 1234',
      };
      given(careful, start())
        .when(step([call, { ...answer('ok'), parts }]))
        .then((w) => {
          const content = 'ok\nNot done (forget): no such memory: the code is 1234';
          expect(w.run().waitingFor?.action).to.deep.equal({ tool: 'answer', arguments: { content }, parts });
        })
        .when(resume({ decision: 'approve' }))
        .then((w) => {
          expect(w.run()).to.include({
            status: 'completed',
            output: 'ok\nNot done (forget): no such memory: the code is 1234',
          });
        });
    });
    it('rejected, the reasoner tries again', () => {
      given(careful, start(), step([answer('bad')]), resume({ decision: 'reject', input: 'be kind' }))
        .when(step([answer('kind')]))
        .then((w) => {
          expect(w.run()).to.include({ status: 'paused', steps: 1 });
        })
        .when(resume({ decision: 'approve' }))
        .then((w) => {
          expect(w.run()).to.include({ output: 'kind', steps: 2 });
        });
    });
  });

  describe('tools that a caller brings', () => {
    const url = 'https://caller.example/';
    const brought: readonly (AgentTool & { name: string })[] = [
      { kind: 'http', name: 'look', description: '', url, reads_only: true },
      { kind: 'client', name: 'look', description: '', reads_only: true },
      { kind: 'mcp', name: 'look', url, reads_only: true, annotations: 'trusted' },
    ];
    const using = ({ kind }: AgentTool): ResolvedCall => ({
      tool: 'use_tool',
      arguments: { name: kind === 'mcp' ? 'look.up' : 'look', input: '{"said":"1234"}' },
      claimed: { readsOnly: true },
    });
    for (const gate of ['action', 'answer'] as const)
      for (const tool of brought)
        for (const [way, begin] of Object.entries<(overrides: RunOverrides, trusted: boolean) => AgentCommand>({
          'a run': (overrides, trusted) => start('x', { overrides, trusted }),
          'a task': (overrides, trusted) => ({
            type: 'task',
            message: said('x'),
            run: null,
            push: null,
            overrides,
            trusted,
          }),
        }))
          it(`Gate.A3: a ${tool.kind} tool of ${way} waits with the gate ${gate}, whatever it says of itself`, () => {
            const w = new AgentWorld({ config: { validation_gate: gate } });
            for (const c of [begin({ tools: [tool] }, false), step([using(tool)])]) w.do(c);
            expect(w.run()).to.include({ status: 'paused' });
            expect(w.run().waitingFor?.kind).to.equal('approval');
            expect(w.run().calling).to.equal(undefined);
            expect(questionFor(w.run(), everything)?.question).to.contain('a tool that the caller has brought');
            expect(w.docs.events(w.run().id)).to.satisfy(saysNothing);
          });
    it('Gate.A3: those of somebody who manages the agent count as its own, and so do its own', () => {
      const tool = brought[0]!;
      for (const c of [{ overrides: { tools: [tool] }, trusted: true }, {}])
        given({ config: { validation_gate: 'answer', tools: [tool] } }, start('x', c))
          .when(step([using(tool)]))
          .then((w) => {
            expect(w.run()).to.include({ status: 'running', calling: true });
          });
    });
    it('Gate.A3: a fork and a schedule are trusted as far as what they were made from', () => {
      const tool = brought[0]!;
      for (const trusted of [true, false]) {
        const w = new AgentWorld({ config: { validation_gate: 'answer', multi_step: true } });
        for (const c of [start('x', { overrides: { tools: [tool] }, trusted }), work(), cancel(), fork(1)]) w.do(c);
        w.do(step([using(tool)]));
        expect(w.run(1).status).to.equal(trusted ? 'running' : 'paused');
        const scopes: Caller['scopes'] = trusted ? ['agent:manage'] : ['agent:spawn'];
        w.do(
          decided(
            createSchedule,
            {
              caller: { workspace: 'default', credentialId: 'key_1', tier: 'free', scopes },
              target: { id: 'agent_1' },
              input: { at: '2026-11-21T11:00:00.000Z', input: 'x', overrides: { tools: [tool] } },
            },
            { next: w.env.now + 1000 },
          ),
        );
        const [schedule] = w.docs.all('schedule');
        expect(schedule?.trusted).to.equal(trusted || undefined);
        expect(showSchedule(schedule!, [], everything)).to.not.have.property('trusted');
      }
    });
  });

  describe('approval of a tool (Gate.A4)', () => {
    const url = 'https://shop.example/';
    const use = (name: string): ResolvedCall => ({ tool: 'use_tool', arguments: { name, input: '{}' } });
    const http = (approval?: 'ask' | 'never', reads_only = false): AgentTool => ({
      ...{ kind: 'http', name: 'refund', description: '', url, reads_only },
      ...(approval && { approval }),
    });
    const client = (approval?: 'ask' | 'never'): AgentTool => ({
      ...{ kind: 'client', name: 'refund', description: '' },
      ...(approval && { approval }),
    });
    const shop = (approval: 'ask' | 'never' | Record<string, 'ask' | 'never'>): AgentTool => ({
      ...{ kind: 'mcp', name: 'shop', url, approval },
    });
    const waits = 'approval';
    const goesOut = 'calling';
    const ofClient = 'tools';
    const cases: readonly [
      what: string,
      gate: 'none' | 'action' | 'answer',
      tool: AgentTool,
      name: string,
      is: string,
    ][] = [
      ['asks without a gate', 'none', http('ask'), 'refund', waits],
      ['asks, though it only reads', 'action', http('ask', true), 'refund', waits],
      ['asks beside what is said', 'answer', http('ask'), 'refund', waits],
      ['of the client asks', 'none', client('ask'), 'refund', waits],
      ['does what it does without a gate', 'none', http(), 'refund', goesOut],
      ['needs none with the gate `action`', 'action', http('never'), 'refund', goesOut],
      ['of the client needs none with the gate `action`', 'action', client('never'), 'refund', ofClient],
      ['of the client tells nothing past the gate `answer`', 'answer', client('never'), 'refund', waits],
      ['of a server asks, as all of its do', 'none', shop('ask'), 'shop.refund', waits],
      ['of a server asks by its name', 'none', shop({ refund: 'ask' }), 'shop.refund', waits],
      ['of a server is none of those that are named', 'none', shop({ refund: 'ask' }), 'shop.look', goesOut],
      ['of a server needs none by its name', 'action', shop({ look: 'never' }), 'shop.look', goesOut],
      ['of a server waits where it is not named', 'action', shop({ look: 'never' }), 'shop.refund', waits],
      ['of a server has no name of an object', 'none', shop({ refund: 'ask' }), 'shop.constructor', goesOut],
    ];
    for (const [what, gate, tool, name, is] of cases)
      it(`a tool ${what}`, () => {
        const w = new AgentWorld({ config: { validation_gate: gate, tools: [tool] } });
        for (const c of [start(), step([use(name)])]) w.do(c);
        expect(w.run().waitingFor?.kind ?? (w.run().calling && goesOut)).to.equal(is);
      });

    it('what is remembered beside it waits for nobody', () => {
      given({ config: { tools: [http('ask')] } }, start())
        .when(step([note('the order is 7'), use('refund')]))
        .then((w) => {
          expect(w.docs.all('memory')).to.have.length(1);
          expect(w.run().waitingFor).to.deep.include({ kind: 'approval', action: use('refund') });
        })
        .when(resume({ decision: 'approve' }))
        .then((w) => {
          expect(w.run()).to.include({ status: 'running', calling: true });
        });
    });

    const brought: readonly [what: string, tool: AgentTool, name: string, trusted: boolean, is: string][] = [
      ['of its name', http('never', true), 'refund', false, waits],
      ['of its name, that the client carries out', client('never'), 'refund', false, waits],
      ['of another name', { ...http('never'), name: 'other' }, 'other', false, waits],
      ['of another name, at a server', { ...shop('never'), name: 'other' }, 'other.refund', false, waits],
      ['of the client', { ...client(), name: 'weather' }, 'weather', false, ofClient],
      ['of somebody who manages the agent', http('never'), 'refund', true, goesOut],
    ];
    for (const [what, tool, name, trusted, is] of brought)
      it(`is what it is for a tool ${what}, that a caller brings`, () => {
        const w = new AgentWorld({ config: { tools: [http('ask')] } });
        for (const c of [start('x', { overrides: { tools: [tool] }, trusted }), step([use(name)])]) w.do(c);
        expect(w.run().waitingFor?.kind ?? (w.run().calling && goesOut)).to.equal(is);
      });
  });

  describe('ask_human', () => {
    it('pauses after its step; the answer goes to the next', () => {
      given({}, start(), work())
        .when(step([note('x'), ask('which one?'), note('never')]))
        .then((w) => {
          expect(w.run()).to.deep.include({
            status: 'paused',
            steps: 2,
            waitingFor: { kind: 'human', question: 'which one?', action: null },
          });
          expect(w.docs.all('memory')).to.have.length(1);
        })
        .when(resume({ input: 'the red one' }))
        .then((w) => {
          expect(w.running.humanInputs).to.deep.equal([{ step: 2, decision: null, input: 'the red one' }]);
          expect(w.docs.journal(w.run().id).at(-1)).to.deep.include({
            step: 3,
            human: { step: 2, decision: null, input: 'the red one' },
          });
          expect(w.running.transcript).to.have.length(2);
        })
        .when(step([answer()]))
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', steps: 3 });
        });
    });
    it('needs an input', () => {
      given({}, start(), step([ask('?')]))
        .when(resume({ decision: 'approve' }))
        .refused('VALIDATION_ERROR', (e) => {
          expect(e.details['issues']).to.have.nested.property('[0].path', 'input');
        });
    });
    it('an answer that names its question is for no other', () => {
      const w = new AgentWorld();
      for (const c of [start(), step([ask('Which colour?')])]) w.do(c);
      const first = questionOf(w.run())!;
      expect(first).to.deep.include({ kind: 'human', question: 'Which colour?' });
      for (const c of [resume({ input: 'red', answers: first.id }), step([ask('Delete the old one?')])]) w.do(c);
      const second = questionOf(w.run())!;
      expect(second.id).to.not.equal(first.id);
      const before = w.run();
      expect(() => w.do(resume({ input: 'blue', answers: first.id })))
        .to.throw(HivekeepError, `does not wait for an answer to ${first.id}: it asks ${second.id} by now`)
        .with.property('code', 'CONFLICT');
      expect(w.run()).to.deep.equal(before);
      w.do(resume({ input: 'yes', answers: second.id }));
      expect(() => w.do(resume({ input: 'yes', answers: second.id })))
        .to.throw(HivekeepError, 'waits for no answer: it is running')
        .with.property('code', 'CONFLICT');
    });
    it('a decision that names its action is for no other', () => {
      given(guarded, start(), step([note('one'), send('two')]), resume({ decision: 'approve' }))
        .when(resume({ decision: 'approve', answers: 'run_1-1' }))
        .refused('CONFLICT', (e) => {
          expect(e.details).to.have.property('status', 'paused');
        });
    });
    it('an A2A message names it in its metadata', () => {
      const w = new AgentWorld();
      for (const c of [start(), step([ask('Which colour?')])]) w.do(c);
      const answering = (answers: unknown): AgentCommand => ({
        type: 'task',
        message: { ...said('red'), metadata: { 'hivekeep/answers': answers } },
        run: w.live(),
        push: null,
      });
      expect(() => w.do(answering('another')))
        .to.throw(HivekeepError)
        .with.property('code', 'CONFLICT');
      expect(() => w.do(answering(7)))
        .to.throw(HivekeepError, 'message.metadata["hivekeep/answers"]: must be')
        .with.property('code', 'VALIDATION_ERROR');
      w.do(answering(questionOf(w.run())!.id));
      expect(w.run().status).to.equal('running');
    });
    it('is not held by a gate', () => {
      given(guarded, start())
        .when(step([ask('?')]))
        .then((w) => {
          expect(w.run().waitingFor?.kind).to.equal('human');
        });
    });
  });
});
