/** What a run may use of models with all that it asks. TreeBudget.D1 to TreeBudget.D3. */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { getRunTree, listRuns } from '../../../src/commands/runs.js';
import type { AgentConfig } from '../../../src/domain/agent/agent-config.js';
import type { Run, ToolOutcome } from '../../../src/domain/model/model.js';
import { answers, call, caller, does, type Script } from '../../helpers/engine.js';
import { newestFirst, overStores, runIn, type Running } from './kit.js';

const tokens = (n: number) => ({
  usage: { requests: 1, inputTokens: n, cachedInputTokens: 0, outputTokens: 0, cost: n / 1000 },
});

/**
 * Each step uses ten tokens, which cost a cent. "ask A,B: QUESTION" asks and tells what came of it; "twice A: QUESTION"
 * asks a second time; "steps" goes on and on until it has to answer; anything else is answered.
 */
const script: Script = ({ run, transcript, last, agent }) => {
  const told = transcript.flat().map(({ ok, result }: ToolOutcome) => `${ok}: ${result}`);
  const [, how = '', names = '', question = ''] = /^(ask|twice) ([^:]+): (.*)$/s.exec(run.input) ?? [];
  const asks = transcript.length < (how === 'twice' ? 2 : 1);
  if (how !== '' && asks && !last)
    return { ...does(...names.split(',').map((name) => call('ask_agent', { agent: name, question }))), ...tokens(10) };
  if (how !== '') return { ...answers(told.join('; ')), ...tokens(10) };
  if (run.input === 'steps' && !last)
    return {
      ...does(call('remember', { content: `${agent.name} ${transcript.length}`, type: 'note' })),
      ...tokens(10),
    };
  return { ...answers(`${agent.name} after ${transcript.length}`), ...tokens(10) };
};

const config: AgentConfig = { multi_step: true, max_steps: 100 };
const ended = ['completed', 'failed', 'cancelled', 'timeout'] as const;

overStores('Budgets of trees', (bed) => {
  const spawn = async (e: Running, name: string, budget?: AgentConfig['budget']): Promise<string> =>
    (await e.service.execute(caller, spawnAgent, {}, { name, config: { ...config, ...(budget && { budget }) } })).id;
  const runOf = async (e: Running, agent: string, input: string): Promise<Run> => {
    const { id } = await e.service.startRun(caller, agent, { input });
    return runIn(e, agent, id, ...ended);
  };
  const used = ({ usage }: Run): number => usage.inputTokens + usage.outputTokens;

  for (const [what, budget] of [
    ['tokens', { tokens_per_tree: 100 }],
    ['money', { cost_per_tree: 0.1 }],
  ] as const)
    it(`bound what is asked, side by side and through others, in ${what}`, async () => {
      const e = await bed.start(script);
      const ada = await spawn(e, 'Ada', budget);
      const [bo, cy] = [await spawn(e, 'Bo'), await spawn(e, 'Cy')];
      const run = await runOf(e, ada, 'ask Bo,Cy: steps');
      // of 100, 10 were used, and each has 45: five steps, and one for its answer
      const [ofBo, ofCy] = [await newest(e, bo), await newest(e, cy)];
      for (const one of [ofBo, ofCy]) expect(one).to.include({ status: 'completed', stopReason: 'answer', steps: 6 });
      expect(run).to.include({ status: 'completed', output: 'true: Bo after 5; true: Cy after 5' });
      const { usage } = await e.service.execute(caller, getRunTree, { id: ada, runId: run.id }, {});
      expect(usage.inputTokens)
        .to.equal(used(run) + used(ofBo) + used(ofCy))
        .and.to.equal(140);

      // through another: Bo has a share of 90, uses 10 of it, and gives on what is left
      const through = await runOf(e, ada, 'ask Bo: ask Cy: steps');
      expect(through.output).to.equal('true: true: Cy after 8');
    });

  it('refuse questions where nothing is left, and are told by answers what was used', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada', { tokens_per_tree: 45 });
    const bo = await spawn(e, 'Bo');
    // 10 for the first question, 10 by Bo, 10 for the second, and Bo has 15 left
    const run = await runOf(e, ada, 'twice Bo: steps');
    expect(run.steps).to.equal(2);
    expect((await newest(e, bo)).steps).to.equal(5);
    expect(run.output).to.equal('true: Bo after 4');
    const small = await spawn(e, 'Di', { tokens_per_tree: 10 });
    expect((await runOf(e, small, 'ask Bo: x')).output).to.equal(
      'false: the budget of this run with all that it asks is used up',
    );
  });

  it('hold through a kill, whichever commit that is at', async () => {
    const { store } = bed;
    const commit = store.commit.bind(store);
    let left = Infinity;
    let e = await bed.start(script);
    let killed: () => void = () => undefined;
    store.commit = (...given) => {
      if (--left === 0) {
        e.kill();
        killed();
      }
      return commit(...given);
    };
    const ada = await spawn(e, 'Ada', { tokens_per_tree: 100 });
    const bo = await spawn(e, 'Bo');
    let kills = 0;
    for (let at = 1; at <= 10; at++) {
      const { id } = await e.service.startRun(caller, ada, { input: 'twice Bo: x' });
      const isKilled = new Promise<true>((resolve) => {
        killed = () => {
          resolve(true);
        };
      });
      left = at;
      if ((await Promise.race([isKilled, runIn(e, ada, id, ...ended)])) === true) {
        kills++;
        e = await bed.start(script);
      }
      left = Infinity;
      await runIn(e, ada, id, ...ended);
      const stored = await store.get({ workspace: 'default', kind: 'agent', id: ada }, 'run', id);
      const answered = (await e.service.execute(caller, listRuns, { id: bo }, { page: newestFirst })).items.filter(
        ({ parent }) => parent?.runId === id,
      );
      expect(stored?.body.tree?.used.tokens, `killed at commit ${at}`).to.equal(
        answered.reduce((sum, one) => sum + used(one), 0),
      );
      expect(answered).to.have.lengthOf(2);
    }
    expect(kills).to.be.greaterThan(4);
  });

  it('are those of the agent that asks, or less where the asked agent says so, and never renewed by what is said', async () => {
    const e = await bed.start(script);
    const ada = await spawn(e, 'Ada', { tokens_per_tree: 100 });
    const bo = await spawn(e, 'Bo', { tokens_per_tree: 30 });
    await runOf(e, ada, 'ask Bo: steps');
    expect((await newest(e, bo)).steps).to.equal(4);
    const free = await runOf(e, bo, 'steps');
    expect(free.steps).to.equal(4);
    const nobody = await spawn(e, 'Cy');
    expect((await runOf(e, nobody, 'ask Bo: x')).output).to.equal('true: Bo after 0');
  });

  const newest = async (e: Running, agent: string): Promise<Run> =>
    (await e.service.execute(caller, listRuns, { id: agent }, { page: newestFirst })).items[0] as Run;
});
