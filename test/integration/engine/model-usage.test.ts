/** What runs use of model servers: on the run, by agent, and for the workspace (docs/api.md 2.3, 2.14). */
import { deleteAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { deleteSubject } from '../../../src/commands/subjects.js';
import { getUsageDays } from '../../../src/commands/usage-days.js';
import { getModelBudget, getUsage, setModelBudget } from '../../../src/commands/workspace.js';
import { ReasonerError } from '../../../src/reasoner/port.js';
import { answers, call, caller, does, echo, eventually, skippingClock, type Script } from '../../helpers/engine.js';
import { codeOf, overStores } from './kit.js';
import { getRun } from '../../../src/commands/runs.js';

const used = (requests: number, inputTokens: number, outputTokens: number) => ({
  requests,
  inputTokens,
  cachedInputTokens: inputTokens / 2,
  outputTokens,
});

const thinking: Script = ({ step, run }) => {
  if (run.input === 'fail') throw Object.assign(new ReasonerError('refused', 'no'), { usage: used(1, 8, 1) });
  return step === 1
    ? { ...does(call('recall', { query: 'x' })), usage: used(1, 100, 10) }
    : { ...answers('done'), usage: used(2, 200, 20) };
};

overStores('The usage of models', (bed) => {
  it('is added up over the steps of a run and over the runs of an agent, and stays when the agent is deleted', async () => {
    const { service } = await bed.start(thinking);
    const { id } = await service.execute(caller, spawnAgent, {}, { name: 'Ada', config: { multi_step: true } });
    const first = await service.startRun(caller, id, { input: 'go' });
    await eventually(
      async () => (await service.execute(caller, getRun, { id, runId: first.id })).status === 'completed',
    );
    expect((await service.execute(caller, getRun, { id, runId: first.id })).usage).to.deep.equal(used(3, 300, 30));

    const failed = await service.startRun(caller, id, { input: 'fail' });
    await eventually(async () => (await service.execute(caller, getRun, { id, runId: failed.id })).status === 'failed');
    expect((await service.execute(caller, getRun, { id, runId: failed.id })).usage).to.deep.equal(used(1, 8, 1));

    const sum = used(4, 308, 31);
    const before = await service.execute(caller, getUsage, {}, {});
    expect(before.models).to.deep.equal(sum);
    expect(before.by_agent.map(({ models }) => models)).to.deep.equal([sum]);
    const days = await service.execute(caller, getUsageDays, {}, {});
    expect(days.days).to.deep.equal([{ day: days.until, runs: 2, failed: 1, ...sum }]);
    expect(days.by_agent).to.deep.equal([{ agent_id: id, name: 'Ada', runs: 2, failed: 1, ...sum }]);
    await service.execute(caller, deleteAgent, { id });
    expect(await service.execute(caller, getUsage, {}, {})).to.deep.include({ models: sum, by_agent: [] });
    const kept = await service.execute(caller, getUsageDays, {}, { agent_id: id });
    expect(kept.days).to.deep.equal(days.days);
    expect(kept.by_agent).to.deep.equal([{ ...days.by_agent[0], name: null }]);
  });

  it('is told by day, of the days asked for, and by the agents that used the most', async () => {
    const clock = skippingClock();
    const { service } = await bed.start(thinking, { clock });
    const ids: string[] = [];
    for (const name of ['Ada', 'Bo'])
      ids.push((await service.execute(caller, spawnAgent, {}, { name, config: { multi_step: true } })).id);
    const run = async (id: string): Promise<void> => {
      const { id: started } = await service.startRun(caller, id, { input: 'go' });
      await eventually(
        async () => (await service.execute(caller, getRun, { id, runId: started })).status === 'completed',
      );
    };
    const hour = 3_600_000;
    const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    clock.skip(24 * hour - (clock.now() % (24 * hour)) + hour); // an hour past midnight, UTC
    const [first, second] = [dayOf(clock.now()), dayOf(clock.now() + 24 * hour)];
    await run(ids[0]!);
    clock.skip(24 * hour);
    await run(ids[0]!);
    await run(ids[1]!);
    const all = await service.execute(caller, getUsageDays, {}, {});
    expect(all).to.deep.include({ from: dayOf(clock.now() - 29 * 24 * hour), until: second, complete: true });
    expect(all.days.map(({ day, runs, requests }) => [day, runs, requests])).to.deep.equal([
      [first, 1, 3],
      [second, 2, 6],
    ]);
    expect(all.by_agent.map(({ name, outputTokens }) => [name, outputTokens])).to.deep.equal([
      ['Ada', 60],
      ['Bo', 30],
    ]);
    const one = await service.execute(caller, getUsageDays, {}, { from: second, agent_id: ids[0]! });
    expect(one.days.map(({ day, runs }) => [day, runs])).to.deep.equal([[second, 1]]);
    const asked = (input: object) => service.execute(caller, getUsageDays, {}, input);
    const later = dayOf(clock.now() + 24 * hour);
    expect(await asked({ from: later })).to.deep.include({ from: later, until: second, days: [], by_agent: [] });
    expect(await asked({ from: '2025-03-01', until: '2026-03-31' })).to.include({ from: '2025-03-31' });
    expect(await codeOf(asked({ agent_id: 'agent_none' }))).to.equal('NOT_FOUND');
  });

  it('ModelBudget.W1, W2: of a workspace with a budget ends what begins beyond it, and is told once', async () => {
    const clock = skippingClock();
    const { service } = await bed.start(thinking, { clock });
    const alerts: unknown[] = [];
    const gone = new AbortController();
    void (async () => {
      for await (const event of service.workspaceEvents(caller, gone.signal))
        if (event.type === 'usage.alert')
          alerts.push([event.data['budget'], event.data['percent'], event.data['used']]);
    })();
    const config = { model: 'openai/test', multi_step: true, memory: { learn: 'off' as const } };
    const [one, other] = [
      await service.execute(caller, spawnAgent, {}, { name: 'Ada', config }),
      await service.execute(caller, spawnAgent, {}, { name: 'Bo', config }),
    ];
    const run = async (id: string): Promise<unknown> => {
      clock.skip(60_000); // what is known of what is used is older than that
      const { id: started } = await service.startRun(caller, id, { input: 'go' });
      return eventually(async () => {
        const { status, error } = await service.execute(caller, getRun, { id, runId: started });
        return status === 'running' || status === 'pending' ? undefined : (error?.code ?? status);
      });
    };
    expect(await service.execute(caller, setModelBudget, {}, { tokens_per_month: 400 })).to.deep.include({
      tokens_per_month: 400,
      cost_per_month: null,
      used: used(0, 0, 0),
    });
    // sums follow the commits that they add up
    const summedUp = (requests: number): Promise<unknown> =>
      eventually(
        async () => (await service.execute(caller, getModelBudget, {}, {})).used.requests === requests || undefined,
      );
    expect(await run(one.id)).to.equal('completed'); // 330 tokens
    await summedUp(3);
    expect(await run(other.id)).to.equal('completed'); // there was something left, and the step in progress is used
    await summedUp(6);
    expect(await run(one.id)).to.equal('quota_exceeded');
    expect(await run(other.id)).to.equal('quota_exceeded');
    await eventually(() => Promise.resolve(alerts.length === 2));
    expect(alerts).to.deep.equal([
      ['tokens_per_month', 80, 330],
      ['tokens_per_month', 95, 660],
    ]);
    const get = (): Promise<unknown> => service.execute(caller, getModelBudget, {}, {});
    expect(await get()).to.deep.include({ used: used(6, 600, 60) });
    await service.execute(caller, setModelBudget, {}, {});
    expect(await get()).to.deep.include({ tokens_per_month: null, cost_per_month: null });
    expect(await run(one.id)).to.equal('completed');
    gone.abort();
  });

  it('ModelBudget.W1, W2: of each subject with a budget, over all agents, ends what begins beyond it', async () => {
    const clock = skippingClock();
    let { service, kill } = await bed.start(thinking, { clock });
    const alerts: unknown[] = [];
    const gone = new AbortController();
    void (async () => {
      for await (const { type, data } of service.workspaceEvents(caller, gone.signal))
        if (type === 'usage.alert') alerts.push([data['subject'], data['budget'], data['percent'], data['used']]);
    })();
    const config = { model: 'openai/test', multi_step: true, memory: { learn: 'off' as const } };
    const [ada, bo] = [
      await service.execute(caller, spawnAgent, {}, { name: 'Ada', config }),
      await service.execute(caller, spawnAgent, {}, { name: 'Bo', config }),
    ];
    const run = async (id: string, subject?: string): Promise<unknown> => {
      clock.skip(60_000); // what is known of what is used is older than that
      const { id: started } = await service.startRun(caller, id, { input: 'go', subject });
      return eventually(async () => {
        const { status, error } = await service.execute(caller, getRun, { id, runId: started });
        return status === 'running' || status === 'pending' ? undefined : (error?.message ?? status);
      });
    };
    const usedBy = async (subject: string): Promise<unknown> =>
      (await service.execute(caller, getModelBudget, {}, { subject })).subject;
    expect(await run(ada.id, 'ana')).to.equal('completed'); // before there is a budget
    expect(
      await service.execute(caller, setModelBudget, {}, { per_subject: { tokens_per_month: 400 } }),
    ).to.deep.include({
      tokens_per_month: null,
      per_subject: { tokens_per_month: 400, cost_per_month: null },
      subject: null,
    });
    expect(await usedBy('ana')).to.deep.equal({ subject: 'ana', used: used(0, 0, 0) });
    expect(await run(ada.id, 'ana')).to.equal('completed'); // 330 tokens
    await eventually(() => Promise.resolve(alerts.length === 1));
    expect(await run(bo.id, 'ana')).to.equal('completed');
    await eventually(() => Promise.resolve(alerts.length === 2));
    const month = new Date(clock.now()).toISOString().slice(0, 7);
    const refused = `the budget of subject "ana" of 400 tokens in ${month} is used up`;
    for (const { id } of [ada, bo]) expect(await run(id, 'ana')).to.equal(refused);
    expect(alerts).to.deep.equal([
      ['ana', 'tokens_per_month', 80, 330],
      ['ana', 'tokens_per_month', 95, 440],
    ]);
    // of nobody else, and of a step that has failed
    const lost = await service.startRun(caller, ada.id, { input: 'fail', subject: 'cy' });
    await eventually(
      async () => (await service.execute(caller, getRun, { id: ada.id, runId: lost.id })).status === 'failed',
    );
    expect(await usedBy('cy')).to.deep.equal({ subject: 'cy', used: used(1, 8, 1) });
    expect(await run(ada.id, 'ben')).to.equal('completed');
    expect(await run(bo.id)).to.equal('completed');
    // after a crash, and when an agent is gone
    kill();
    ({ service, kill } = await bed.start(thinking, { clock }));
    await service.execute(caller, deleteAgent, { id: bo.id });
    expect(await usedBy('ana')).to.deep.equal({ subject: 'ana', used: used(6, 600, 60) });
    expect(await run(ada.id, 'ana')).to.equal(refused);
    // with what else an agent has of her
    await service.execute(caller, deleteSubject, { id: ada.id, subject: 'ana' });
    expect(await usedBy('ana')).to.deep.equal({ subject: 'ana', used: used(3, 300, 30) });
    expect(await run(ada.id, 'ana')).to.equal('completed');
    // in another month
    clock.skip(32 * 24 * 3_600_000);
    expect(await run(ada.id, 'ana')).to.equal('completed');
    expect(await usedBy('ana')).to.deep.equal({ subject: 'ana', used: used(3, 300, 30) });
    await service.execute(caller, setModelBudget, {}, {});
    expect(await run(ada.id, 'ana')).to.equal('completed');
    expect(await usedBy('ana')).to.deep.equal({ subject: 'ana', used: used(3, 300, 30) });
    gone.abort();
  });

  it('of a subject is summed up whatever goes on side by side', async () => {
    const { service } = await bed.start(thinking);
    const config = { model: 'openai/test', multi_step: true, max_parallel: 64, memory: { learn: 'off' as const } };
    const { id } = await service.execute(caller, spawnAgent, {}, { name: 'Ada', config });
    await service.execute(caller, setModelBudget, {}, { per_subject: { cost_per_month: 5 } });
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        service.startRun(caller, id, { input: 'go', subject: n % 4 === 0 ? 'ben' : 'ana', sessionId: `s${n}` }),
      ),
    );
    for (const run of runs)
      await eventually(
        async () => (await service.execute(caller, getRun, { id, runId: run.id })).status === 'completed',
      );
    for (const [subject, times] of [
      ['ana', 30],
      ['ben', 10],
    ] as const)
      expect((await service.execute(caller, getModelBudget, {}, { subject })).subject?.used).to.deep.equal(
        used(3 * times, 300 * times, 30 * times),
      );
  });

  it('is zero where the built-in reasoner thinks', async () => {
    const { service } = await bed.start(echo);
    const { id } = await service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const { run_id: run } = await service.messageAgent(caller, id, { content: 'hello' });
    expect((await service.execute(caller, getRun, { id, runId: run })).usage).to.deep.equal(used(0, 0, 0));
    expect((await service.execute(caller, getUsage, {}, {})).models).to.deep.equal(used(0, 0, 0));
  });
});
