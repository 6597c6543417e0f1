/**
 * Runs through the engine (docs/api.md 3.2): steps beside the mailbox, budgets, gates, forks, and what a restart leaves
 * of them.
 */
import { getAgent, patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { sendMessage } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import type { RunEvent } from '../../../src/domain/model/model.js';
import { ReasonerError, type StepProposal } from '../../../src/reasoner/port.js';
import { answers, call, caller, does, echo, eventually, skippingClock, type Script } from '../../helpers/engine.js';
import { codeOf, follow, HeldSteps, newestFirst, oldestFirst, overStores, runIn } from './kit.js';
import { listCheckpoints } from '../../../src/commands/journals.js';
import { cancelRun, getRun } from '../../../src/commands/runs.js';

const think = (content: string, ...calls: Parameters<typeof does>): StepProposal => ({
  thoughts: [{ thoughtType: 'insight', content }],
  calls,
});
const goOn = (note: string): StepProposal => think(note, call('remember', { content: note }));

overStores('Runs', (bed) => {
  it('a message finds a memory that was written just before it and is still on its way to the store (Agent.G1)', async () => {
    const { service } = await bed.start(echo);
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'Quick' });
    for (let i = 0; i < 5; i++) {
      const [, reply] = await Promise.all([
        service.createMemory(caller, { type: 'note', content: `quick tapir${i}`, agent_id: agent.id }),
        service.messageAgent(caller, agent.id, { content: `tapir${i}` }),
      ]);
      expect(reply.response).to.equal(`tapir${i}{quick tapir${i}}`);
    }
  });

  it('terminated cancels what is running, pending or paused, also over a kill, and nothing of it can be approved', async () => {
    const hangs = new HeldSteps();
    const script: Script = (c, signal) =>
      c.run.input === 'hang' ? hangs.script(c, signal) : does(call('remember', { content: c.run.input }));
    for (const killed of [false, true]) {
      const first = await bed.start(script);
      const config = { validation_gate: 'action' as const };
      const { id } = await first.service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
      const begin = async (input: string, sessionId: string) =>
        (await first.service.startRun(caller, id, { input, sessionId })).id;
      // more than are cancelled in one turn
      const paused: string[] = [];
      for (let n = 0; n < 25; n++) paused.push(await begin(`note ${n}`, `s${n}`));
      for (const run of paused) await runIn(first, id, run, 'paused');
      const others = [await begin('hang', 'a'), await begin('hang', 'a')];
      await first.service.execute(caller, patchAgent, { id }, { status: 'terminated' });
      if (killed) first.kill();
      const e = killed ? await bed.start(script) : first;
      await e.service.execute(caller, patchAgent, { id }, { status: 'inactive' });
      await e.service.execute(caller, patchAgent, { id }, { status: 'active' });
      for (const run of [...paused, ...others]) {
        expect(await codeOf(e.service.resumeRun(caller, id, run, { decision: 'approve' }))).to.equal(
          'RUN_NOT_RESUMABLE',
        );
        await runIn(e, id, run, 'cancelled');
      }
      expect((await e.service.listMemories(caller, { agent_id: id }, newestFirst)).items).to.deep.equal([]);
      const { snapshot } = (await bed.store.head({ workspace: 'default', kind: 'agent', id }))!;
      expect(snapshot).to.not.have.property('endsPaused');
    }
  });

  it('runs step by step with a slow reasoner, each step with its checkpoint, and sees what it remembered', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Slow', config: { multi_step: true } });
    const run = await e.service.startRun(caller, agent.id, { input: 'plan the garden' });
    expect(run.status).to.equal('running');
    for (let i = 1; i <= 3; i++) {
      const step = await steps.next();
      expect(step.context.step).to.equal(i);
      expect(step.context.transcript).to.have.length(i - 1);
      step.answer(i < 3 ? goOn(`garden note ${i}`) : answers('done'));
    }
    const ended = await runIn(e, agent.id, run.id, 'completed');
    expect(ended).to.include({ stopReason: 'answer', output: 'done', steps: 3 });
    const checkpoints = await e.service.execute(
      caller,
      listCheckpoints,
      { id: agent.id },
      { runId: run.id, page: oldestFirst },
    );
    expect(checkpoints.items.map((c) => c.step)).to.deep.equal([1, 2, 3]);
    expect((await e.service.execute(caller, getAgent, { id: agent.id }, {})).memory_count).to.equal(2);
    const events = await follow(e, agent.id, run.id);
    expect(events.map((ev) => ev.seq)).to.deep.equal(events.map((_, i) => i + 1));
  });

  it('serves 32 conversations at once where max_parallel says so, each in its order, also after a kill', async () => {
    const steps = new HeldSteps();
    let e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Support', config: { max_parallel: 32 } });
    const runs = [];
    for (const input of ['first', 'second'])
      for (let n = 0; n < 32; n++) runs.push(await e.service.startRun(caller, agent.id, { input, sessionId: `s${n}` }));
    for (let n = 0; n < 32; n++) await steps.next();
    e.kill();
    e = await bed.start(steps.script);
    for (const input of ['first', 'second']) {
      const begun = [];
      for (let n = 0; n < 32; n++) begun.push(await steps.next());
      expect(begun.map((step) => step.context.run.input)).to.deep.equal(Array(32).fill(input));
      for (const step of begun) step.answer(answers(input));
    }
    for (const { id } of runs) expect(await runIn(e, agent.id, id, 'completed')).to.include({ steps: 1 });
  });

  it('cancels in the middle of a step at once, and ignores what that step still says', async () => {
    const steps = new HeldSteps();
    const e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Cut' });
    const run = await e.service.startRun(caller, agent.id, { input: 'think for ever' });
    const step = await steps.next();
    expect((await e.service.execute(caller, cancelRun, { id: agent.id, runId: run.id })).status).to.equal('cancelled');
    await eventually(async () => step.signal.aborted, 'the abort');
    step.answer(answers('too late'));
    const last = (await follow(e, agent.id, run.id)).at(-1);
    expect(last).to.include({ type: 'status', status: 'cancelled' });
    expect((await e.service.execute(caller, getRun, { id: agent.id, runId: run.id })).output).to.equal(null);
    expect(await codeOf(e.service.execute(caller, cancelRun, { id: agent.id, runId: run.id }))).to.equal('CONFLICT');
    expect(await codeOf(e.service.resumeRun(caller, agent.id, run.id, {}))).to.equal('RUN_NOT_RESUMABLE');
  });

  it('stops at the runtime budget: with what there is of an output, else as timeout; both can be resumed', async () => {
    const steps = new HeldSteps();
    const clock = skippingClock();
    const e = await bed.start(steps.script, { clock });
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Late', maxRuntimeSeconds: 60 });
    const bare = await e.service.startRun(caller, agent.id, { input: 'nothing comes' });
    const step = await steps.next();
    clock.skip(60_000);
    const over = await runIn(e, agent.id, bare.id, 'timeout', 'completed');
    expect(over.status).to.equal('timeout');
    expect(over.error).to.deep.equal({ code: 'timeout', message: 'the runtime budget is used up' });
    expect(step.signal.aborted).to.equal(true);
    const partial = await e.service.startRun(caller, agent.id, { input: 'something comes' });
    (await steps.next()).answer(goOn('half an answer'));
    await steps.next();
    clock.skip(60_000);
    expect(await runIn(e, agent.id, partial.id, 'timeout', 'completed')).to.include({
      status: 'completed',
      stopReason: 'timeout',
      output: 'half an answer',
    });
    await e.service.resumeRun(caller, agent.id, partial.id, {});
    const resumed = await steps.next();
    expect(resumed.context.transcript).to.have.length(1);
    resumed.answer(answers('whole'));
    expect(await runIn(e, agent.id, partial.id, 'timeout', 'completed')).to.include({
      stopReason: 'answer',
      output: 'whole',
      steps: 2,
    });
  });

  it('that fails leaves one line in the log; a cancel and a timeout leave none', async () => {
    const steps = new HeldSteps();
    const clock = skippingClock();
    const e = await bed.start(steps.script, { clock });
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Weak', maxRuntimeSeconds: 60 });
    const cancelled = await e.service.startRun(caller, agent.id, { input: 'to cancel' });
    const first = await steps.next();
    await e.service.execute(caller, cancelRun, { id: agent.id, runId: cancelled.id });
    expect(first.signal.aborted).to.equal(true);
    const late = await e.service.startRun(caller, agent.id, { input: 'too late' });
    const second = await steps.next();
    clock.skip(60_000);
    await runIn(e, agent.id, late.id, 'timeout');
    expect(second.signal.aborted).to.equal(true);
    e.script(() => Promise.reject(new ReasonerError('refused', 'the model server does not accept the key (401)')));
    const weak = await e.service.startRun(caller, agent.id, { input: 'to fail' });
    await runIn(e, agent.id, weak.id, 'failed');
    expect(e.lines).to.deep.equal([
      { event: 'run.failed', run: weak.id, agent: agent.id, workspace: 'default', code: 'refused' },
    ]);
    expect(e.log[0]).to.contain('401');
  });

  for (const how of ['passivation', 'restart', 'kill'] as const) {
    it(`waits at a gate over a ${how}; approve does the action once, and the run goes on`, async () => {
      const script = (c: { transcript: readonly unknown[] }): StepProposal =>
        c.transcript.length === 0 ? does(call('remember', { content: 'the gate was passed' })) : answers('approved');
      let e = await bed.start(script, { idleMs: 10 });
      const agent = await e.service.execute(
        caller,
        spawnAgent,
        {},
        { name: 'Gate', config: { validation_gate: 'action' } },
      );
      const run = await e.service.startRun(caller, agent.id, { input: 'remember it' });
      expect((await runIn(e, agent.id, run.id, 'paused')).waitingFor?.kind).to.equal('approval');
      if (how === 'passivation') await eventually(async () => e.engine.stats().active === 0, 'passivation');
      else {
        if (how === 'kill') e.kill();
        else await e.engine.stop(1000);
        e = await bed.start(script, { idleMs: 10 });
      }
      expect((await e.service.execute(caller, getAgent, { id: agent.id }, {})).memory_count).to.equal(0);
      expect(await codeOf(e.service.resumeRun(caller, agent.id, run.id, {}))).to.equal('VALIDATION_ERROR');
      await e.service.resumeRun(caller, agent.id, run.id, { decision: 'approve' });
      expect((await runIn(e, agent.id, run.id, 'completed')).output).to.equal('approved');
      expect(
        (await e.service.listMemories(caller, { agent_id: agent.id }, newestFirst)).items.map((m) => m.content),
      ).to.deep.equal(['the gate was passed']);
    });
  }

  it('goes on after a kill in the middle of a step: that step runs again and counts once', async () => {
    const steps = new HeldSteps();
    let e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Phoenix', config: { max_parallel: 1 } });
    const run = await e.service.startRun(caller, agent.id, { input: 'go' });
    const waiting = await e.service.startRun(caller, agent.id, { input: 'then' });
    (await steps.next()).answer(goOn('first'));
    const cut = await steps.next();
    e.kill();
    e = await bed.start(steps.script);
    cut.answer(goOn('a ghost'));
    const again = await steps.next();
    expect(again.context.transcript).to.have.length(1);
    again.answer(answers('risen'));
    expect(await runIn(e, agent.id, run.id, 'completed')).to.include({ output: 'risen', steps: 2 });
    (await steps.next()).answer(answers('next in line'));
    await runIn(e, agent.id, waiting.id, 'completed');
    expect(
      (await e.service.listMemories(caller, { agent_id: agent.id }, oldestFirst)).items.map((m) => m.content),
    ).to.deep.equal(['first']);
  });

  it('a run that is the first thing asked of an agent with unread mail calls the reasoner once a step (Run.U4)', async () => {
    const steps = new HeldSteps();
    const before = await bed.start(steps.script);
    const agent = await before.service.execute(caller, spawnAgent, {}, { name: 'mailed' });
    await before.service.execute(caller, sendMessage, { id: agent.id }, { content: 'hello' });
    before.kill();
    const e = await bed.start(steps.script);
    const run = await e.service.startRun(caller, agent.id, { input: 'go' });
    const first = await steps.next();
    await e.service.execute(caller, sendMessage, { id: agent.id }, { content: 'meanwhile' });
    expect(first.signal.aborted).to.equal(false);
    first.answer(answers('done'));
    await runIn(e, agent.id, run.id, 'completed');
    expect(steps.begun).to.equal(1);
  });

  it('a stream taken up again after a restart has no gap and no double, from any last event', async () => {
    const steps = new HeldSteps();
    let e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Stream' });
    const run = await e.service.startRun(caller, agent.id, { input: 'go' });
    const reading = new AbortController();
    const seen: RunEvent[] = [];
    const before = (async () => {
      for await (const event of await e.service.runEvents(caller, agent.id, run.id, 0, reading.signal))
        seen.push(event);
    })();
    (await steps.next()).answer(goOn('one'));
    await steps.next();
    await eventually(async () => seen.some((ev) => ev.type === 'thought'), 'the thought of the first step');
    reading.abort();
    await before;
    const last = seen.at(-1)?.seq ?? 0;
    e.kill();
    e = await bed.start(steps.script);
    const streams = Array.from({ length: last + 1 }, (_, from) => follow(e, agent.id, run.id, from));
    (await steps.next()).answer(goOn('two'));
    (await steps.next()).answer(answers('end'));
    const all = (await streams[0])?.map((ev) => ev.seq) ?? [];
    expect(all).to.deep.equal(all.map((_, i) => i + 1));
    for (const [from, stream] of streams.entries())
      expect((await stream).map((ev) => ev.seq)).to.deep.equal(all.slice(from));
    expect((await streams[0])?.slice(0, last)).to.deep.equal(seen);
  });

  it('a run longer than a page of its journal is read from any event', async () => {
    const e = await bed.start(() => goOn('on and on'));
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Long' });
    const run = await e.service.startRun(caller, agent.id, { input: 'go', maxSteps: 100 });
    await runIn(e, agent.id, run.id, 'completed');
    await e.service.resumeRun(caller, agent.id, run.id, {});
    expect(
      (
        await eventually(async () => {
          const r = await e.service.execute(caller, getRun, { id: agent.id, runId: run.id });
          return r.steps === 200 && r;
        }, '200 steps')
      ).stopReason,
    ).to.equal('max_steps');
    const all = (await follow(e, agent.id, run.id)).map((ev) => ev.seq);
    expect(all).to.deep.equal(all.map((_, i) => i + 1));
    expect(all).to.have.length.above(200);
    for (const from of [99, 100, 101, 202, all.length - 1])
      expect(
        (await follow(e, agent.id, run.id, from)).map((ev) => ev.seq),
        `after ${from}`,
      ).to.deep.equal(all.slice(from));
  });

  it('a graceful stop ends steps that do not end in time; they run again after the start', async () => {
    const steps = new HeldSteps();
    let e = await bed.start(steps.script);
    const agent = await e.service.execute(caller, spawnAgent, {}, { name: 'Deploy' });
    const run = await e.service.startRun(caller, agent.id, { input: 'go' });
    const step = await steps.next();
    await e.engine.stop(20);
    expect(step.signal.aborted).to.equal(true);
    expect(await codeOf(e.service.startRun(caller, agent.id, { input: 'no' }))).to.equal('UNAVAILABLE');
    e = await bed.start(steps.script);
    (await steps.next()).answer(answers('after the deploy'));
    expect((await runIn(e, agent.id, run.id, 'completed')).output).to.equal('after the deploy');
  });
});
