/** Questions between agents: asked once, answered once, and nobody waits for ever. Questions.Q1 to Questions.Q5. */
import { deleteAgent, getAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getRunTree, listRuns, getRun, cancelRun } from '../../../src/commands/runs.js';
import { answers, call, caller, does, eventually, type Script } from '../../helpers/engine.js';
import { codeOf, follow, HeldSteps, newestFirst, overStores, runIn, type Running, told } from './kit.js';
import { getTask } from '../../../src/commands/tasks.js';

const ask = (agent: string, question: string, more: Record<string, string> = {}) =>
  call('ask_agent', { agent, question, ...more });
/**
 * Says what it is told to: "ask NAME[,NAME]: QUESTION" asks, and answers with what came of it; "hold", "human" and
 * "fail" are what a question makes of its run; anything else is answered with "NAME: " before it.
 */
const script: Script = (context) => {
  const { run, transcript, agent, humanInputs } = context;
  const asks = /^ask ([^:]+): (.*)$/s.exec(run.input);
  if (asks && transcript.length === 0)
    return does(...(asks[1] ?? '').split(',').map((name) => ask(name, asks[2] ?? '')));
  if (asks) return answers(told(context));
  if (run.input === 'human' && humanInputs.length === 0) return does(call('ask_human', { question: 'which one?' }));
  if (run.input === 'human') return answers(`${agent.name} heard ${humanInputs[0]?.input}`);
  if (run.input === 'fail') throw new Error('out of order');
  return answers(`${agent.name}: ${run.input}`);
};

const config = { multi_step: true };
const spawn = async (e: Running, name: string, more: object = {}): Promise<string> =>
  (await e.service.execute(caller, spawnAgent, {}, { name, config, ...more })).id;
const runsOf = async (e: Running, agent: string) =>
  (await e.service.execute(caller, listRuns, { id: agent }, { page: newestFirst })).items;
/** The newest run of the agent, which may have begun before it is stored. */
const newestOf = (e: Running, agent: string) => eventually(async () => (await runsOf(e, agent))[0]);
const ended = ['completed', 'failed', 'cancelled', 'timeout'] as const;

overStores('Questions between agents', (bed) => {
  it('are asked side by side, and the step goes on when all are answered', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    const cy = await spawn(e, 'Cy');
    const { id } = await e.service.startRun(caller, ada, { input: 'ask Bo,Cy: how are you?', subject: 'ana' });
    const run = await runIn(e, ada, id, 'completed');
    expect(run.output).to.equal('ask_agent true Bo: how are you?; ask_agent true Cy: how are you?');
    for (const agent of [bo, cy]) {
      const [asked, ...others] = await runsOf(e, agent);
      expect(others).to.deep.equal([]);
      expect(asked).to.deep.include({
        triggeredBy: 'agent',
        parent: { agent_id: ada, runId: id },
        subject: 'ana',
        input: 'how are you?',
      });
    }
    expect(run).to.include({ parent: null, triggeredBy: 'api' });
  });

  for (const [what, kill] of [
    ['the agents stay', false],
    ['the process is killed while they think', true],
  ] as const)
    it(`a run that waits holds no place and no time where ${what}`, async () => {
      const steps = new HeldSteps();
      let e = await bed.start(steps.script);
      const ada = await spawn(e, 'Ada', { config: { multi_step: true, max_parallel: 1 } });
      const bo = await spawn(e, 'Bo');
      const { id } = await e.service.startRun(caller, ada, { input: 'one', maxRuntimeSeconds: 60 });
      (await steps.next()).answer(does(ask('Bo', 'what?')));
      const waiting = await runIn(e, ada, id, 'paused');
      let step = await steps.next();
      if (kill) {
        e.kill();
        e = await bed.start(steps.script);
        step = await steps.next();
      }
      const asked = await newestOf(e, bo);
      const { waitingFor } = await eventually(async () => {
        const now = await e.service.execute(caller, getRun, { id: ada, runId: id });
        return now.waitingFor?.asked?.[0]?.run_id ? now : null;
      });
      expect(waitingFor).to.deep.equal({
        id: waiting.waitingFor?.id,
        kind: 'agent',
        question: 'waits for the answer of Bo',
        action: null,
        asked: [{ id: `${id}.1.1`, agent_id: bo, run_id: asked.id, answered: false, waitsFor: null }],
      });
      // the place of the run that waits is free
      const { id: other } = await e.service.startRun(caller, ada, { input: 'two' });
      (await steps.next()).answer(answers('second'));
      await runIn(e, ada, other, 'completed');
      step.answer(answers('fine'));
      const last = await steps.next();
      expect(told(last.context)).to.equal('ask_agent true fine');
      last.answer(answers('done'));
      await runIn(e, ada, id, 'completed');
      expect(await runsOf(e, bo)).to.have.lengthOf(1);
    });

  it('are asked once and answered once, whichever commit the process is killed at', async () => {
    const { store } = bed;
    const commit = store.commit.bind(store);
    let left = Infinity;
    let e = await bed.start(script);
    store.commit = (...given) => {
      if (--left === 0) e.kill();
      return commit(...given);
    };
    const names = ['Ada', 'Bo', 'Cy'];
    const [ada = '', ...others] = await Promise.all(names.map((name) => spawn(e, name)));
    let kills = 0;
    for (let at = 1; at <= 14; at++) {
      const { id } = await e.service.startRun(caller, ada, { input: `ask Bo,Cy: ${at}` });
      left = at;
      const isDone = async (): Promise<boolean> =>
        (await e.service.execute(caller, getRun, { id: ada, runId: id })).status === 'completed';
      await eventually(async () => left <= 0 || (await isDone()));
      if (left <= 0) {
        kills++;
        e = await bed.start(script);
      }
      left = Infinity;
      const run = await runIn(e, ada, id, ...ended);
      expect(run.output, `killed at commit ${at}`).to.equal(`ask_agent true Bo: ${at}; ask_agent true Cy: ${at}`);
      for (const agent of others)
        expect((await runsOf(e, agent)).filter(({ input }) => input === String(at))).to.have.lengthOf(1);
    }
    expect(kills).to.be.greaterThan(5);
    // nothing is left to be delivered
    await eventually(async () => {
      const heads = await Promise.all(
        [ada, ...others].map(async (id) => store.head({ workspace: 'default', kind: 'agent', id })),
      );
      return heads.every((head) => head?.snapshot.outbox === 0);
    });
  });

  it('have every end of the asked run as their outcome', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    const outcome = async (input: string): Promise<string | null> => {
      const { id } = await e.service.startRun(caller, ada, { input });
      return (await runIn(e, ada, id, ...ended)).output;
    };
    expect(await outcome('ask Bo: fail')).to.match(/^ask_agent false its run failed: /);
    expect(await outcome('ask Nobody: x')).to.equal('ask_agent false there is no agent "Nobody"');
    expect(await outcome('ask Ada: x')).to.match(/^ask_agent false Ada waits for this answer itself/);
    expect(await outcome('ask Bo: ask Ada: x')).to.match(
      new RegExp(`^ask_agent true ask_agent false Ada waits .*${ada} -> ${bo} -> ${ada}$`),
    );
    expect(await outcome('ask Bo: ')).to.equal('ask_agent false the question is empty');
    await e.service.execute(caller, patchAgent, { id: bo }, { config: { mailbox: { accept: [] } } });
    expect(await outcome('ask Bo: x')).to.match(/^ask_agent false not asked: agent \S+ does not accept messages/);
    await e.service.execute(caller, patchAgent, { id: bo }, { config: { mailbox: null }, status: 'inactive' });
    expect(await outcome('ask Bo: x')).to.match(/^ask_agent false not asked: .*inactive/);
    // beside others that are asked, too
    const cy = await spawn(e, 'Cy');
    expect(await outcome('ask Cy,Bo,Nobody: x')).to.match(
      /^ask_agent true Cy: x; ask_agent false not asked: .*; ask_agent false there is no agent "Nobody"$/,
    );
    expect(await runsOf(e, cy)).to.have.lengthOf(1);
  });

  it('tell whoever asks what they wait for, through others as well, and are answered where that is', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    await spawn(e, 'Bo');
    const cy = await spawn(e, 'Cy');
    const { id } = await e.service.startRun(caller, ada, { input: 'ask Bo: ask Cy: human' });
    const waitsFor = await eventually(async () => {
      const run = await e.service.execute(caller, getRun, { id: ada, runId: id });
      return run.waitingFor?.asked?.[0]?.waitsFor;
    });
    expect(waitsFor).to.deep.include({ agent_id: cy, kind: 'human', question: 'which one?' });
    await e.service.resumeRun(caller, cy, waitsFor.run_id, { input: 'this one' });
    expect((await runIn(e, ada, id, 'completed')).output).to.contain('Cy heard this one');
  });

  it('are withdrawn when the run that asks is cancelled, and their outcome reaches it when they are', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    for (const agent of [ada, bo]) {
      const { id } = await e.service.startRun(caller, ada, { input: 'go' });
      (await steps.next()).answer(does(ask('Bo', 'x')));
      const { context } = await steps.next();
      const asked = context.run.id;
      await eventually(async () => (await runsOf(e, bo)).some((run) => run.id === asked));
      await e.service.execute(caller, cancelRun, { id: agent, runId: agent === ada ? id : asked });
      await runIn(e, bo, asked, 'cancelled');
      if (agent === ada) continue;
      const last = await steps.next();
      expect(told(last.context)).to.equal('ask_agent false its run was cancelled');
      last.answer(answers('so be it'));
      await runIn(e, ada, id, 'completed');
    }
  });

  for (const [what, pausedFirst] of [
    ['thinks', false],
    ['waits for a human', true],
  ] as const)
    it(`end when the asked agent is deleted while it ${what}`, async () => {
      const steps = new HeldSteps();
      const e = await bed.start(steps.script);
      const ada = await spawn(e, 'Ada');
      const bo = await spawn(e, 'Bo');
      const { id } = await e.service.startRun(caller, ada, { input: 'go' });
      (await steps.next()).answer(does(ask('Bo', 'x')));
      const step = await steps.next();
      if (pausedFirst) {
        step.answer(does(call('ask_human', { question: 'so?' })));
        await eventually(async () => (await runsOf(e, bo))[0]?.status === 'paused');
      }
      await e.service.execute(caller, deleteAgent, { id: bo });
      const last = await steps.next();
      expect(told(last.context)).to.equal('ask_agent false its run was cancelled');
      last.answer(answers('alone'));
      await runIn(e, ada, id, 'completed');
    });

  it('are withdrawn when the asking agent is deleted; two that ask each other can be deleted at once', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const [ada, bo] = [await spawn(e, 'Ada'), await spawn(e, 'Bo')];
    await e.service.startRun(caller, ada, { input: 'go' });
    (await steps.next()).answer(does(ask('Bo', 'x')));
    await steps.next();
    await e.service.execute(caller, deleteAgent, { id: ada });
    await eventually(async () => (await runsOf(e, bo))[0]?.status === 'cancelled');
    const cy = await spawn(e, 'Cy');
    for (const [from, to] of [
      [bo, 'Cy'],
      [cy, 'Bo'],
    ] as const) {
      await e.service.startRun(caller, from, { input: 'go' });
      (await steps.next()).answer(does(ask(to, 'x')));
      await steps.next();
    }
    await Promise.all([
      e.service.execute(caller, deleteAgent, { id: bo }),
      e.service.execute(caller, deleteAgent, { id: cy }),
    ]);
    expect(await codeOf(e.service.execute(caller, getAgent, { id: cy }, {}))).to.equal('NOT_FOUND');
  });

  it('go on in the conversation between the two, which is of one session of the one that asks', async () => {
    const seen: string[] = [];
    const e = await bed.start((context) => {
      if (context.agent.name === 'Bo') seen.push(context.turns.map(({ content }) => content).join(' | '));
      return script(context, new AbortController().signal);
    });
    const ada = await spawn(e, 'Ada');
    await spawn(e, 'Bo');
    for (const [sessionId, question] of [
      ['s', 'Monday?'],
      ['s', 'and Tuesday?'],
      ['t', 'Friday?'],
    ] as const) {
      const { id } = await e.service.startRun(caller, ada, { input: `ask Bo: ${question}`, sessionId });
      await runIn(e, ada, id, 'completed');
    }
    expect(seen).to.deep.equal(['', 'Monday? | Bo: Monday?', '']);
  });

  it('are waited for by whoever waits for the run that asks, and to peers its task is working', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const ada = await spawn(e, 'Ada');
    await spawn(e, 'Bo');
    const reply = e.service.messageAgent(caller, ada, { content: 'go' });
    const first = await steps.next();
    first.answer(does(ask('Bo', 'x')));
    const asked = await steps.next();
    const { id } = first.context.run;
    await runIn(e, ada, id, 'paused');
    expect((await e.service.execute(caller, getTask, { id: ada, taskId: id })).status).to.equal('running');
    asked.answer(answers('fine'));
    (await steps.next()).answer(answers('all is fine'));
    expect(await reply).to.include({ status: 'completed', response: 'all is fine' });
    const statuses = (await follow(e, ada, id)).flatMap((event) =>
      event.type === 'status' ? [event.waitsFor ?? event.status] : [],
    );
    expect(statuses).to.deep.equal(['running', 'agent', 'running', 'completed']);
  });

  it('are a tree of runs, of which a token of an agent sees those of its own', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    for (const name of ['Bo', 'Cy', 'Di']) await spawn(e, name);
    const { id } = await e.service.startRun(caller, ada, { input: 'ask Bo,Cy: ask Di: x' });
    await runIn(e, ada, id, 'completed');
    const tree = (of: typeof caller) => e.service.execute(of, getRunTree, { id: ada, runId: id }, {});
    const { runs, complete, usage } = await tree(caller);
    expect(runs.map(({ input }) => input)).to.deep.equal(['ask Bo,Cy: ask Di: x', 'ask Di: x', 'ask Di: x', 'x', 'x']);
    expect(runs.slice(3).map(({ parent }) => parent?.runId)).to.have.members(runs.slice(1, 3).map((run) => run.id));
    expect({ complete, requests: usage.requests }).to.deep.equal({ complete: true, requests: 0 });
    expect((await tree({ ...caller, agent: ada })).runs).to.have.lengthOf(1);
    expect(await codeOf(tree({ ...caller, workspace: 'other' }))).to.equal('NOT_FOUND');
  });

  it('carry the powers of the run, and cost from its causal budget', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada');
    const bo = await spawn(e, 'Bo');
    const narrow = { ...caller, powers: ['memory:read' as const] };
    const { id } = await e.service.startRun(narrow, ada, { input: 'ask Bo: x' });
    await runIn(e, ada, id, 'completed');
    const [asked] = await runsOf(e, bo);
    const stored = await bed.store.get({ workspace: 'default', kind: 'agent', id: bo }, 'run', asked?.id ?? '');
    expect(stored?.body).to.deep.include({ powers: ['memory:read'], hops: 1 });
    expect(stored?.body.budget).to.be.lessThan(1000);
  });
});
