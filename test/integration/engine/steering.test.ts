/**
 * What is said in a session that is busy: it interrupts or steers the run that is going on, once and for good, whichever
 * commit the process is killed at. Steering.B1 to Steering.B3 (src/domain/run/steering.ts).
 */
import { expect } from 'chai';
import { spawnAgent } from '../../../src/commands/agents.js';
import { listTurns } from '../../../src/commands/sessions.js';
import type { StepContext } from '../../../src/reasoner/port.js';
import { answers, call, caller, does, eventually, type Script } from '../../helpers/engine.js';
import { codeOf, follow, HeldSteps, newestFirst, oldestFirst, overStores, runIn, type Running } from './kit.js';
import { listRuns, getRun } from '../../../src/commands/runs.js';
import { getTask } from '../../../src/commands/tasks.js';

const spawn = async (e: Running, more: object = {}): Promise<string> =>
  (
    await e.service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Ada', config: { model: 'openai/x', multi_step: true }, ...more },
    )
  ).id;
const inS = { sessionId: 's' };
const told = ({ run, humanInputs }: StepContext): string => [run.input, ...humanInputs.map((h) => h.input)].join(' | ');
const saidBefore = ({ turns }: StepContext): string[] =>
  turns.map(({ role, content, became }) => `${role}: ${content}${became ? ` (${became})` : ''}`);
const turnsIn = async (e: Running, agent: string, sessionId = 's'): Promise<string[]> =>
  (await e.service.execute(caller, listTurns, { id: agent, sessionId }, { page: oldestFirst })).items.map(
    ({ role, content }) => `${role}: ${content}`,
  );
const runsOf = async (e: Running, agent: string) =>
  (await e.service.execute(caller, listRuns, { id: agent }, { page: newestFirst })).items;

overStores('What is said in a session that is busy', (bed) => {
  it('steers the run that is going on, whose next step sees it, in one conversation', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await spawn(e);
    const run = await e.service.startRun(caller, agent, { input: 'a poem', ...inS });
    const first = await steps.next();
    const same = await e.service.startRun(caller, agent, { input: 'in French', on_busy: 'steer', ...inS });
    expect(same).to.include({ id: run.id, status: 'running' });
    const reply = e.service.messageAgent(caller, agent, { content: 'and short', on_busy: 'steer', ...inS });
    await eventually(async () => (await turnsIn(e, agent)).length === 3);
    expect(first.signal.aborted).to.equal(false);
    first.answer(answers('Roses are red'));
    const second = await steps.next();
    expect(told(second.context)).to.equal('a poem | in French | and short');
    expect(second.context.transcript.flat().map(({ tool, ok }) => [tool, ok])).to.deep.equal([['answer', false]]);
    second.answer(answers('Bleu'));
    expect(await reply).to.include({ run_id: run.id, response: 'Bleu', status: 'completed' });
    expect(await turnsIn(e, agent)).to.deep.equal([
      'user: a poem',
      'user: in French',
      'user: and short',
      'agent: Bleu',
    ]);
    const words = (await follow(e, agent, run.id)).flatMap((event) =>
      event.type === 'status' && event.decision ? [`${event.decision.decision} ${event.decision.words}`] : [],
    );
    expect(words).to.deep.equal(['steer in French', 'steer and short']);
    expect(await runsOf(e, agent)).to.have.length(1);
  });

  it('over A2A: for the context or the task that the message names', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await spawn(e);
    const send = (text: string, onBusy: string, more: object = { contextId: 's' }) =>
      e.service.sendTask(caller, agent, {
        message: {
          messageId: text,
          role: 'user',
          parts: [{ kind: 'text', text }],
          ...(onBusy !== '' && { metadata: { 'hivekeep/on_busy': onBusy } }),
        },
        wait: 'started',
        ...more,
      });
    const task = await send('first', 'steer');
    const first = await steps.next();
    const taskId = task.id;
    expect(await codeOf(send('no', '', { taskId }))).to.equal('RUN_NOT_RESUMABLE');
    expect(await codeOf(send('no', 'interrupt', { taskId }))).to.equal('VALIDATION_ERROR');
    expect(await codeOf(send('no', 'shout'))).to.equal('VALIDATION_ERROR');
    expect(await codeOf(send('no', 'reject'))).to.equal('AGENT_BUSY');
    expect(await send('second', 'steer', { taskId })).to.include({ id: taskId, status: 'running' });
    for (let n = 0; n < 2; n++) expect(await send('third', 'steer')).to.include({ id: taskId });
    first.answer(answers('early'));
    const next = await steps.next();
    expect(told(next.context)).to.equal('first | second | third');
    const other = await send('fourth', 'interrupt');
    expect(other.id).not.to.equal(taskId);
    expect(next.signal.aborted).to.equal(true);
    (await steps.next()).answer(answers('done'));
    await runIn(e, agent, other.id, 'completed');
    expect((await e.service.execute(caller, getTask, { id: agent, taskId })).status).to.equal('cancelled');
  });

  for (const restart of [false, true])
    it(`interrupts, and the model is told what became of the message${restart ? ', after a restart, too' : ''}`, async () => {
      const steps = new HeldSteps();
      let e = await bed.start(steps.script);
      const agent = await spawn(e);
      const run = await e.service.startRun(caller, agent, { input: 'a poem', ...inS });
      const first = await steps.next();
      const next = await e.service.startRun(caller, agent, { input: 'no, a joke', on_busy: 'interrupt', ...inS });
      expect(first.signal.aborted).to.equal(true);
      expect(await e.service.execute(caller, getRun, { id: agent, runId: run.id })).to.include({
        status: 'cancelled',
        stopReason: 'interrupted',
        output: null,
      });
      let step = await steps.next();
      if (restart) {
        e.kill();
        e = await bed.start(steps.script);
        step = await steps.next();
      }
      expect(step.context.run.id).to.equal(next.id);
      expect(saidBefore(step.context)).to.deep.equal(['user: a poem (cancelled)']);
      step.answer(answers('Knock knock'));
      await runIn(e, agent, next.id, 'completed');
    });

  it('interrupts a run that waits for another agent, and steers it; what waits for a human is answered', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await spawn(e);
    await spawn(e, { name: 'Bo' });
    const asks = does(call('ask_agent', { agent: 'Bo', question: 'what?' }));
    const run = await e.service.startRun(caller, agent, { input: 'ask Bo', ...inS });
    (await steps.next()).answer(asks);
    const bo = await steps.next();
    await runIn(e, agent, run.id, 'paused');
    await e.service.startRun(caller, agent, { input: 'hurry', on_busy: 'steer', ...inS });
    bo.answer(answers('fine'));
    const seen = await steps.next();
    expect(told(seen.context)).to.equal('ask Bo | hurry');
    seen.answer(asks);
    await runIn(e, agent, run.id, 'paused');
    const asked = await steps.next();
    const next = await e.service.startRun(caller, agent, { input: 'stop', on_busy: 'interrupt', ...inS });
    await runIn(e, agent, run.id, 'cancelled');
    await eventually(async () => asked.signal.aborted);
    (await steps.next()).answer(does(call('ask_human', { question: 'really?' })));
    await runIn(e, agent, next.id, 'paused');
    const same = await e.service.startRun(caller, agent, { input: 'yes', on_busy: 'steer', ...inS });
    expect(same.id).to.equal(next.id);
    (await steps.next()).answer(answers('done'));
    expect(await runIn(e, agent, next.id, 'completed')).to.include({ output: 'done' });
  });

  for (const onBusy of ['steer', 'interrupt'] as const)
    it(`${onBusy}: said once, and answered, whichever commit the process is killed at`, async () => {
      const { store } = bed;
      const commit = store.commit.bind(store);
      let left = Infinity;
      let holds = true;
      let release = (): void => undefined;
      const script: Script = ({ run, humanInputs }, signal) => {
        if (!holds || run.input !== 'first' || humanInputs.length > 0) return answers('late');
        return new Promise((resolve, reject) => {
          release = () => {
            resolve(answers('early'));
          };
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      };
      let e = await bed.start(script);
      let tellKilled = (_: true): void => undefined;
      store.commit = (...given) => {
        if (--left === 0) {
          e.kill();
          tellKilled(true);
        }
        return commit(...given);
      };
      const agent = await spawn(e);
      let kills = 0;
      for (let at = 1; at <= 4; at++) {
        const sessionId = `s${at}`;
        const inIt = async () => (await runsOf(e, agent)).filter((one) => one.sessionId === sessionId);
        holds = true;
        // what is asked of a process that is killed meanwhile is never answered
        const killed = new Promise<true>((resolve) => {
          tellKilled = resolve;
        });
        const run = await e.service.startRun(caller, agent, { input: 'first', sessionId });
        left = at;
        const say = () =>
          e.service.startRun(
            { ...caller, idempotencyKey: { id: `key-${at}`, bodyHash: 'x', replayed: false } },
            agent,
            { input: 'second', on_busy: onBusy, sessionId },
          );
        void say().catch(() => undefined);
        await eventually(async () => left < at);
        holds = false;
        release();
        const isDone = async (): Promise<boolean> =>
          (await inIt()).every(({ status }) => status === 'completed' || status === 'cancelled');
        await eventually(async () => left <= 0 || (await Promise.race([isDone(), killed])));
        if (left <= 0) {
          kills++;
          e = await bed.start(script);
        }
        left = Infinity;
        // the client did not hear of it, and says it again
        const heard = await say();
        expect(await runIn(e, agent, heard.id, 'completed'), `killed at commit ${at}`).to.include({ output: 'late' });
        const turns = await turnsIn(e, agent, sessionId);
        expect(turns.filter((turn) => turn === 'user: second')).to.have.length(1);
        expect((await inIt()).map(({ status }) => status)).to.deep.equal(
          onBusy === 'steer' ? ['completed'] : ['completed', 'cancelled'],
        );
        expect(heard.id === run.id).to.equal(onBusy === 'steer');
      }
      expect(kills).to.be.greaterThan(onBusy === 'steer' ? 1 : 0);
    });
});
