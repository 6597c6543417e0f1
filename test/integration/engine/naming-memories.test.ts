/** The tools that name a memory, `update_memory` and `forget` (docs/api.md 11.4). */
import { expect } from 'chai';
import type { ToolCall } from '../../../src/domain/model.js';
import { answers, call, caller, does, echo, eventually, type Script } from '../../helpers/engine.js';
import { overStores } from './kit.js';

/** Does the calls in one step and answers in the next. */
const doing =
  (...calls: ToolCall[]): Script =>
  ({ step }) =>
    step === 1 ? does(...calls) : answers('done');

overStores('Tools that name a memory', (bed) => {
  const started = async (config: object = {}) => {
    const { service, script } = await bed.start(echo);
    const agent = (await service.spawnAgent(caller, { name: 'Ada', config: { multi_step: true, ...config } })).id;
    const remember = async (content: string, more: object = {}): Promise<string> =>
      (await service.createMemory(caller, { type: 'semantic', content, agent_id: agent, ...more })).id;
    const run = async (next: Script, wanted = 'completed'): Promise<string> => {
      script(next);
      const { id } = await service.startRun(caller, agent, { input: 'go' });
      await eventually(async () => (await service.getRun(caller, agent, id)).status === wanted);
      return id;
    };
    const results = async (id: string): Promise<[boolean, string][]> => {
      const { items } = await service.listCheckpoints(
        caller,
        agent,
        { runId: id },
        { sort: 'created_at', order: 'asc', limit: 10 },
      );
      return items[0]!.calls.map(({ ok, result }) => [ok, result]);
    };
    const known = async (): Promise<string[]> => {
      const found = await service.searchMemories(caller, { query: 'launch quay', agent_id: agent, limit: 10 });
      return found.map(({ content }) => content).sort();
    };
    return { service, agent, remember, run, results, known };
  };

  it('forget deletes the memory, by its id or by what it says', async () => {
    const { remember, run, results, known, service, agent } = await started();
    const one = await remember('The launch is on 12 May');
    await remember('The quay is  closed on Mondays.');
    await remember('The launch has a crew of three');
    const id = await run(
      doing(call('forget', { memory: one }), call('forget', { memory: 'the quay is closed on mondays' })),
    );
    expect((await results(id)).map(([ok]) => ok)).to.deep.equal([true, true]);
    expect(await known()).to.deep.equal(['The launch has a crew of three']);
    expect((await service.getAgent(caller, agent)).memory_count).to.equal(1);
  });

  it('update_memory supersedes the memory, which stays as history', async () => {
    const { remember, run, results, known, service } = await started();
    const old = await remember('The launch is on 12 May');
    const id = await run(doing(call('update_memory', { memory: old, content: 'The launch is in June' })));
    const [[ok, result]] = (await results(id)) as [[boolean, string]];
    expect(ok, result).to.equal(true);
    expect(await known()).to.deep.equal(['The launch is in June']);
    const before = await service.getMemory(caller, old);
    expect(before.superseded_by).to.equal(result.replace('remembered as ', ''));
  });

  it('what cannot be done is an outcome: unknown ids and texts, the same memory twice, a superseded one', async () => {
    const { remember, run, results, known } = await started();
    const one = await remember('The launch is on 12 May');
    const id = await run(
      doing(
        call('forget', { memory: 'mem_nobody' }),
        call('forget', { memory: 'the launch' }),
        call('update_memory', { memory: one, content: 'The launch is in June' }),
        call('update_memory', { memory: one, content: 'The launch is in July' }),
        call('forget', { memory: one }),
        call('forget', { memory: one }),
      ),
    );
    const all = await results(id);
    expect(
      all.map(([ok]) => ok),
      JSON.stringify(all),
    ).to.deep.equal([false, false, true, false, true, false]);
    expect(await known()).to.deep.equal(['The launch is in June']);
  });

  it("another agent's memory cannot be named", async () => {
    const { service, run, results } = await started();
    const other = (await service.spawnAgent(caller, { name: 'Bob' })).id;
    const foreign = await service.createMemory(caller, {
      type: 'semantic',
      content: 'The launch is secret',
      agent_id: other,
    });
    const id = await run(
      doing(call('forget', { memory: foreign.id }), call('forget', { memory: 'The launch is secret' })),
    );
    expect((await results(id)).map(([ok]) => ok)).to.deep.equal([false, false]);
    expect((await service.getMemory(caller, foreign.id)).content).to.equal('The launch is secret');
  });

  it('waits at a gate, and is then carried out on the memory as it is by then', async () => {
    const { service, agent, remember, run, known } = await started({ validation_gate: 'action' });
    const one = await remember('The launch is on 12 May');
    const id = await run(doing(call('update_memory', { memory: one, content: 'The launch is in June' })), 'paused');
    expect((await service.getRun(caller, agent, id)).waitingFor?.question)
      .to.contain('update_memory')
      .and.contain('June');
    await service.deleteMemory(caller, one);
    await service.resumeRun(caller, agent, id, { decision: 'approve' });
    await eventually(async () => (await service.getRun(caller, agent, id)).status === 'completed');
    expect(await known()).to.deep.equal([]);
  });
});
