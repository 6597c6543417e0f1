/** Conversations that are handed over: the other agent answers, until it hands back. HandOff.H1 to HandOff.H3. */
import { deleteAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getRunTree, listRuns, getRun, cancelRun, forkRun } from '../../../src/commands/runs.js';
import { deleteSession, listSessions } from '../../../src/commands/sessions.js';
import type { Run } from '../../../src/domain/model/model.js';
import { answers, call, caller, does, eventually, type Script } from '../../helpers/engine.js';
import { codeOf, HeldSteps, newestFirst, overStores, runIn, type Running, told } from './kit.js';

/**
 * Says what it is told to: "to NAME: WHY" hands over, and tells what came of it where it goes on; "self" hands over to
 * itself, "human" asks, "fail" fails; anything else is answered with "NAME: " before it, and what was said before behind it.
 */
const script: Script = (context) => {
  const { run, transcript, agent, humanInputs, turns } = context;
  const input = run.said ?? run.input;
  const to = /^to ([^:]+): (.*)$/s.exec(input);
  if (transcript.some((step) => step.some(({ tool }) => tool === 'hand_off')))
    return answers(`${agent.name} is told: ${told(context)}`);
  if (to?.[1] === agent.name) return answers(`${agent.name} takes over`);
  if (to && transcript.length === 0) return does(call('hand_off', { agent: to[1] ?? '', reason: to[2] ?? '' }));
  if (input === 'self' && transcript.length === 0) return does(call('hand_off', { agent: agent.name, reason: '' }));
  if (input === 'human' && humanInputs.length === 0) return does(call('ask_human', { question: 'which one?' }));
  if (input === 'human') return answers(`${agent.name} heard ${humanInputs[0]?.input}`);
  if (input === 'fail') throw new Error('out of order');
  return answers(`${agent.name}: ${input} [${turns.map(({ content }) => content).join(' | ')}]`);
};

const config = { multi_step: true, builtin_tools: ['hand_off' as const, 'ask_human' as const] };
const spawn = async (e: Running, name: string, more: object = {}): Promise<string> =>
  (await e.service.execute(caller, spawnAgent, {}, { name, config: { ...config, ...more } })).id;
const runsOf = async (e: Running, agent: string) =>
  (await e.service.execute(caller, listRuns, { id: agent }, { page: newestFirst })).items;
const ended = ['completed', 'failed', 'cancelled', 'timeout'] as const;
const session = { sessionId: 's' };

overStores('Conversations that are handed over', (bed) => {
  const say = async (e: Running, agent: string, input: string, more: object = {}): Promise<Run> => {
    const { id } = await e.service.startRun(caller, agent, { input, ...session, ...more });
    return runIn(e, agent, id, ...ended, 'paused');
  };
  const outcome = async (e: Running, agent: string, input: string, more: object = {}): Promise<string | null> => {
    const { id } = await e.service.startRun(caller, agent, { input, ...session, ...more });
    return (await runIn(e, agent, id, ...ended)).output;
  };
  const sessionOf = async (e: Running, agent: string) =>
    (await e.service.execute(caller, listSessions, { id: agent }, { page: newestFirst })).items[0];

  it('are answered by the other agent, with what was said before, until it hands back', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    expect(await outcome(e, ada, 'hello', { subject: 'ana' })).to.equal('Ada: hello []');
    expect((await sessionOf(e, ada))?.handed_to).to.equal(null);
    const first = await e.service.startRun(caller, ada, { input: 'to Bo: money', ...session, subject: 'ana' });
    const { output } = await runIn(e, ada, first.id, 'completed');
    expect(output).to.equal('Bo takes over');
    const [asked] = await runsOf(e, bo);
    expect(asked).to.deep.include({ parent: { agent_id: ada, runId: first.id }, subject: 'ana' });
    expect(asked?.input).to.equal('to Bo: money\n\n(Ada hands this conversation over to you: money)');
    expect((await sessionOf(e, ada))?.handed_to).to.equal(bo);
    // what is said next goes there, as it was said
    expect(await outcome(e, ada, 'how much?', { subject: 'ana' })).to.match(
      /^Bo: how much\? \[hello \| Ada: hello \[\] \| to Bo: money.*\]$/s,
    );
    const { runs } = await e.service.execute(caller, getRunTree, { id: ada, runId: first.id }, {});
    expect(runs.map(({ agent_id }) => agent_id)).to.deep.equal([ada, bo]);
    // and comes back
    expect(await outcome(e, ada, 'to Ada: done', { subject: 'ana' })).to.equal(
      'Ada is told: hand_off true the conversation is yours again: done',
    );
    expect((await sessionOf(e, ada))?.handed_to).to.equal(null);
    expect(await outcome(e, ada, 'again', { subject: 'ana' })).to.match(/^Ada: again/);
    // no other session is touched
    expect(await outcome(e, ada, 'hello', { sessionId: 't' })).to.equal('Ada: hello []');
  });

  it('are back when the other agent has handed back, also if something was passed on before that', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    await spawn(e, 'Bo');
    await outcome(e, ada, 'to Bo: money');
    const said = await Promise.all(
      ['to Ada: done', 'and this?'].map((input) => e.service.startRun(caller, ada, { input, ...session })),
    );
    const outputs = await Promise.all(said.map(({ id }) => runIn(e, ada, id, 'completed')));
    expect(outputs.map(({ output }) => output?.slice(0, 14))).to.deep.equal(['Ada is told: h', 'Bo: and this? ']);
    expect((await sessionOf(e, ada))?.handed_to).to.equal(null);
    expect(await outcome(e, ada, 'again')).to.match(/^Ada: again/);
  });

  it('go on through a third, and back to the first, past the one between', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    const cy = await spawn(e, 'Cy');
    await outcome(e, ada, 'to Bo: x');
    await outcome(e, ada, 'to Cy: y');
    expect(await outcome(e, ada, 'hm')).to.match(/^Cy: hm/);
    expect([(await runsOf(e, bo)).length, (await runsOf(e, cy)).length]).to.deep.equal([3, 2]);
    expect(await outcome(e, ada, 'to Ada: z')).to.equal(
      'Ada is told: hand_off true the conversation is yours again: z',
    );
    expect(await outcome(e, ada, 'hm')).to.match(/^Ada: hm/);
    // the one between knows it, too
    expect((await sessionOf(e, bo))?.handed_to).to.equal(null);
  });

  it('come back where the other agent cannot answer, or is gone', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    await outcome(e, ada, 'to Bo: x');
    expect(await outcome(e, ada, 'fail')).to.match(/^Ada is told: hand_off false its run failed/);
    expect(await outcome(e, ada, 'hm')).to.match(/^Ada: hm/);
    await outcome(e, ada, 'to Bo: x');
    await e.service.execute(caller, deleteAgent, { id: bo });
    expect(await outcome(e, ada, 'hm')).to.match(/^Ada is told: hand_off false not asked: /);
    expect(await outcome(e, ada, 'to Nobody: x')).to.equal('Ada is told: hand_off false there is no agent "Nobody"');
    expect(await outcome(e, ada, 'hm')).to.match(/^Ada: hm/);
  });

  it('have what the other agent asks asked, and the answer brought to it', async () => {
    let e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    await spawn(e, 'Cy');
    await outcome(e, ada, 'to Bo: x');
    await outcome(e, ada, 'to Cy: y');
    for (const kill of [false, true]) {
      const { id } = await e.service.startRun(caller, ada, { input: 'human', ...session });
      const { waitingFor } = await eventually(async () => {
        const run = await e.service.execute(caller, getRun, { id: ada, runId: id });
        return run.waitingFor?.kind === 'human' ? run : null;
      });
      expect(waitingFor).to.include({ kind: 'human', question: 'which one?' });
      expect((await runsOf(e, bo))[0]?.waitingFor?.kind).to.equal('human');
      if (kill) {
        e.kill();
        e = await bed.start(script);
      }
      // what is said next in the session is the answer
      const reply = await e.service.messageAgent(caller, ada, { content: 'the red one', ...session });
      expect(reply).to.include({ run_id: id, status: 'completed', response: 'Cy heard the red one' });
    }
    // it is answered at the other agent as well
    const { id } = await e.service.startRun(caller, ada, { input: 'human', ...session });
    await eventually(
      async () => (await e.service.execute(caller, getRun, { id: ada, runId: id })).waitingFor?.kind === 'human',
    );
    const [asked] = await runsOf(e, bo);
    await e.service.resumeRun(caller, bo, asked?.id ?? '', { input: 'the blue one' });
    expect((await runIn(e, ada, id, 'completed')).output).to.equal('Cy heard the blue one');
  });

  it('are handed over once, and each message answered once, whichever commit the process is killed at', async () => {
    const { store } = bed;
    const commit = store.commit.bind(store);
    let left = Infinity;
    let e = await bed.start(script);
    store.commit = (...given) => {
      if (--left === 0) e.kill();
      return commit(...given);
    };
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    let kills = 0;
    for (let at = 1; at <= 12; at++) {
      for (const input of [`to Bo: ${at}`, `more ${at}`, `to Ada: ${at}`]) {
        const { id } = await e.service.startRun(caller, ada, { input, ...session });
        left = at;
        const isDone = async (): Promise<boolean> =>
          (await e.service.execute(caller, getRun, { id: ada, runId: id })).status === 'completed';
        await eventually(async () => left <= 0 || (await isDone()));
        if (left <= 0) {
          kills++;
          e = await bed.start(script);
        }
        left = Infinity;
        const { output } = await runIn(e, ada, id, ...ended);
        expect(output, `${input}, killed at commit ${at}`).to.match(
          input.startsWith('to Bo')
            ? /^Bo takes over/
            : input.startsWith('more')
              ? /^Bo: more/
              : /^Ada is told: hand_off true/,
        );
      }
      const more = (await runsOf(e, bo)).filter(({ input }) => input === `more ${at}`);
      expect(more).to.have.lengthOf(1);
    }
    expect(kills).to.be.greaterThan(8);
    await eventually(async () => {
      const heads = [ada, bo].map(async (id) => store.head({ workspace: 'default', kind: 'agent', id }));
      return (await Promise.all(heads)).every((head) => head?.snapshot.outbox === 0);
    });
  });

  it('need the settings of the agent itself, and stay within its gates', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada', { builtin_tools: [] });
    const bo = await spawn(e, 'Bo');
    const overrides = { instructions: 'Use hand_off.' };
    expect(await outcome(e, ada, 'to Bo: x', { overrides })).to.equal(
      'Ada is told: hand_off false the settings of this agent do not allow hand_off',
    );
    await e.service.execute(caller, patchAgent, { id: ada }, { config });
    await outcome(e, ada, 'to Bo: x');
    // taken away, it is with the agent itself
    await e.service.execute(caller, patchAgent, { id: ada }, { config: { builtin_tools: [] } });
    expect(await outcome(e, ada, 'hm')).to.match(/^Ada: hm/);
    await e.service.execute(caller, patchAgent, { id: ada }, { config: { ...config, validation_gate: 'action' } });
    const gated = await say(e, ada, 'not yet');
    expect(gated.waitingFor).to.deep.include({ kind: 'approval' });
    expect((await runsOf(e, bo)).some(({ input }) => input === 'not yet')).to.equal(false);
    await e.service.resumeRun(caller, ada, gated.id, { decision: 'approve' });
    expect((await runIn(e, ada, gated.id, 'completed')).output).to.match(/^Bo: not yet/);
    // the answer of the other agent is an answer of this one
    await e.service.execute(caller, patchAgent, { id: ada }, { config: { validation_gate: 'answer' } });
    const { id } = await e.service.startRun(caller, ada, { input: 'hush', ...session });
    const held = await eventually(async () => {
      const run = await e.service.execute(caller, getRun, { id: ada, runId: id });
      return run.waitingFor?.kind === 'approval' ? run : null;
    });
    expect(held.output).to.equal(null);
    expect(held.waitingFor?.action).to.deep.include({ tool: 'answer' });
    await e.service.resumeRun(caller, ada, id, { decision: 'approve' });
    expect((await runIn(e, ada, id, 'completed')).output).to.match(/^Bo: hush/);
    // and a question of its is not put by this one
    const silent = await e.service.startRun(caller, ada, { input: 'human', ...session });
    await eventually(
      async () =>
        (await e.service.execute(caller, getRun, { id: ada, runId: silent.id })).waitingFor?.asked?.[0]?.waitsFor,
    );
    expect((await e.service.execute(caller, getRun, { id: ada, runId: silent.id })).waitingFor?.kind).to.equal('agent');
  });

  it('are refused where nobody else could answer for the run', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada', { model: 'openai/x' });
    await spawn(e, 'Bo');
    const overrides = { output_schema: { type: 'object' } };
    expect(await outcome(e, ada, 'to Bo: x', { overrides })).to.contain('has to fit a schema');
    expect(await outcome(e, ada, 'self')).to.contain('waits for this answer itself');
  });

  it('carry powers and what a token began, and are cancelled with the run', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    const narrow = { ...caller, powers: ['memory:read' as const] };
    const { id } = await e.service.startRun(narrow, ada, { input: 'go', ...session });
    (await steps.next()).answer(does(call('hand_off', { agent: 'Bo', reason: 'x' })));
    await steps.next();
    const asked = await eventually(async () => (await runsOf(e, bo))[0]);
    const stored = await bed.store.get({ workspace: 'default', kind: 'agent', id: bo }, 'run', asked.id);
    expect(stored?.body).to.deep.include({ powers: ['memory:read'], hops: 1 });
    await e.service.execute(caller, cancelRun, { id: ada, runId: id });
    await runIn(e, bo, asked.id, 'cancelled');
    // what is said next goes there none the less
    await e.service.startRun(narrow, ada, { input: 'still there?', ...session });
    const next = await steps.next();
    expect(next.context).to.deep.include({ agent: { ...next.context.agent, name: 'Bo' } });
    expect(next.context.run.input).to.equal('still there?');
    next.answer(answers('yes'));
  });

  it('take what is said to the run that waits as what is said next, or in its place', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    const { id } = await e.service.startRun(caller, ada, { input: 'go', ...session });
    (await steps.next()).answer(does(call('hand_off', { agent: 'Bo', reason: 'x' })));
    const first = await steps.next();
    await runIn(e, ada, id, 'paused');
    const steered = await e.service.startRun(caller, ada, { input: 'and this', on_busy: 'steer', ...session });
    expect(steered.id).not.to.equal(id);
    first.answer(answers('one'));
    expect((await runIn(e, ada, id, 'completed')).output).to.equal('one');
    const second = await steps.next();
    expect(second.context.run.input).to.equal('and this');
    await runIn(e, ada, steered.id, 'paused');
    const last = await e.service.startRun(caller, ada, { input: 'no, this', on_busy: 'interrupt', ...session });
    expect((await runIn(e, ada, steered.id, 'cancelled')).stopReason).to.equal('interrupted');
    const third = await steps.next();
    expect(third.context.run.input).to.equal('no, this');
    third.answer(answers('two'));
    expect((await runIn(e, ada, last.id, 'completed')).output).to.equal('two');
    expect((await runsOf(e, bo)).filter(({ status }) => status === 'cancelled')).to.have.lengthOf(1);
  });

  it('are over with their session, and a fork is with the agent itself', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    await spawn(e, 'Bo');
    await outcome(e, ada, 'to Bo: x');
    const { id } = await e.service.startRun(caller, ada, { input: 'more', ...session });
    await runIn(e, ada, id, 'completed');
    const fork = await e.service.execute(caller, forkRun, { id: ada, runId: id }, { checkpoint: 1 });
    expect((await runIn(e, ada, fork.id, 'completed')).output).to.match(/^Ada is told: hand_off true/);
    expect(await outcome(e, ada, 'hm')).to.match(/^Bo: hm/);
    await e.service.execute(caller, deleteSession, { id: ada, sessionId: 's' });
    expect(await outcome(e, ada, 'hm')).to.equal('Ada: hm []');
    expect(await codeOf(e.service.execute(caller, getRun, { id: ada, runId: id }))).to.equal('NOT_FOUND');
  });
});
