/** What a defect costs, and what a stop waits for. */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import type { StepProposal } from '../../../src/reasoner/port.js';
import { answers, call, caller, does, echo, eventually, fastClock, testEngine } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { listRuns, getRun } from '../../../src/commands/runs.js';

describe('Supervision of agents', () => {
  it('five crashes in a minute fail the run that causes them, with the reason; the agent stays reachable', async () => {
    let poisoned = true;
    const poison = { thoughts: null, calls: [] } as unknown as StepProposal;
    const { engine, script } = await testEngine(
      new MemoryStore(),
      (c) => (poisoned ? poison : echo(c, new AbortController().signal)),
      { clock: fastClock(100), messageWaitMs: 600_000 },
    );
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'poisoned' });
    const run = await service.startRun(caller, agent.id, { input: 'go' }).catch(() => null);
    const ended = await eventually(
      async () =>
        (
          await service.execute(
            caller,
            listRuns,
            { id: agent.id },
            { page: { sort: 'created_at', order: 'desc', limit: 5 } },
          )
        ).items.find((r) => r.status === 'failed'),
      'the end of the run',
    );
    expect(run === null || run.id === ended.id).to.equal(true);
    expect(ended.error?.code).to.equal('crashed');
    expect(ended.error?.message).to.match(/crashed five times within a minute/);
    poisoned = false;
    script(echo);
    expect((await service.messageAgent(caller, agent.id, { content: 'still there?' })).response).to.equal(
      'still there?',
    );
    await engine.stop(1000);
  });

  it('a stop lets the step in progress end, and begins no other; the run goes on after the next start', async () => {
    const store = new MemoryStore();
    let finish: () => void = () => undefined;
    let steps = 0;
    const first = await testEngine(store, () => {
      steps++;
      return new Promise((resolve) => {
        finish = () => {
          resolve(does(call('remember', { content: `step ${steps}` })));
        };
      });
    });
    const agent = await first.engine.service.execute(caller, spawnAgent, {}, { name: 'steps' });
    const run = await first.engine.service.startRun(caller, agent.id, { input: 'go' });
    await eventually(async () => steps === 1);
    const began = Date.now();
    const stopped = first.engine.stop(120_000);
    finish();
    await stopped;
    expect(Date.now() - began, 'far less than it was given').to.be.below(60_000);
    expect(steps).to.equal(1);
    const second = await testEngine(store, () => answers('done'));
    const done = await eventually(async () => {
      const r = await second.engine.service.execute(caller, getRun, { id: agent.id, runId: run.id });
      return r.status === 'completed' && r;
    }, 'the end of the run');
    expect(done).to.include({ steps: 2, output: 'done' });
    await second.engine.stop(1000);
  });
});
