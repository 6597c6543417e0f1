/** What runs use of model servers: on the run, by agent, and for the workspace (docs/api.md 2.3, 2.14). */
import { deleteAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getUsage } from '../../../src/commands/workspace.js';
import { ReasonerError } from '../../../src/reasoner/port.js';
import { answers, call, caller, does, echo, eventually, type Script } from '../../helpers/engine.js';
import { overStores } from './kit.js';

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
    await eventually(async () => (await service.getRun(caller, id, first.id)).status === 'completed');
    expect((await service.getRun(caller, id, first.id)).usage).to.deep.equal(used(3, 300, 30));

    const failed = await service.startRun(caller, id, { input: 'fail' });
    await eventually(async () => (await service.getRun(caller, id, failed.id)).status === 'failed');
    expect((await service.getRun(caller, id, failed.id)).usage).to.deep.equal(used(1, 8, 1));

    const sum = used(4, 308, 31);
    const before = await service.execute(caller, getUsage, {}, {});
    expect(before.models).to.deep.equal(sum);
    expect(before.by_agent.map(({ models }) => models)).to.deep.equal([sum]);
    await service.execute(caller, deleteAgent, { id });
    expect(await service.execute(caller, getUsage, {}, {})).to.deep.include({ models: sum, by_agent: [] });
  });

  it('is zero where the built-in reasoner thinks', async () => {
    const { service } = await bed.start(echo);
    const { id } = await service.execute(caller, spawnAgent, {}, { name: 'Ada' });
    const { run_id: run } = await service.messageAgent(caller, id, { content: 'hello' });
    expect((await service.getRun(caller, id, run)).usage).to.deep.equal(used(0, 0, 0));
    expect((await service.execute(caller, getUsage, {}, {})).models).to.deep.equal(used(0, 0, 0));
  });
});
