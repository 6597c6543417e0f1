/** The tools that name a memory, `update_memory` and `forget` (docs/api.md 11.4). */
import { getAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { createHive, joinHive } from '../../../src/commands/hives.js';
import type { ToolCall } from '../../../src/domain/model/model.js';
import { shortName } from '../../../src/reasoner/memory-lines.js';
import { answers, call, caller, does, echo, eventually, type Script } from '../../helpers/engine.js';
import { HeldSteps, oldestFirst, overStores, type Running } from './kit.js';
import { getRun } from '../../../src/commands/runs.js';
import { listCheckpoints } from '../../../src/commands/journals.js';

/** Does the calls in one step and answers in the next. */
const doing =
  (...calls: ToolCall[]): Script =>
  ({ step }) =>
    step === 1 ? does(...calls) : answers('done');

/** The index follows the commit that the store shows. */
const finds = (known: () => Promise<string[]>, wanted: string[]): Promise<true> =>
  eventually(async () => (await known()).join() === wanted.join(), `what is known to be ${wanted.join()}`);

overStores('Tools that name a memory', (bed) => {
  let e: Running;
  const started = async (config: object = {}) => {
    e = await bed.start(echo);
    const { service, script } = e;
    const agent = (
      await service.execute(caller, spawnAgent, {}, { name: 'Ada', config: { multi_step: true, ...config } })
    ).id;
    const remember = async (content: string, more: object = {}): Promise<string> =>
      (await service.createMemory(caller, { type: 'semantic', content, agent_id: agent, ...more })).id;
    const run = async (next: Script, wanted = 'completed'): Promise<string> => {
      script(next);
      const { id } = await service.startRun(caller, agent, { input: 'go' });
      await eventually(async () => (await service.execute(caller, getRun, { id: agent, runId: id })).status === wanted);
      return id;
    };
    const results = async (id: string): Promise<[boolean, string][]> => {
      const { items } = await service.execute(
        caller,
        listCheckpoints,
        { id: agent },
        { runId: id, page: { sort: 'created_at', order: 'asc', limit: 10 } },
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
    expect((await service.execute(caller, getAgent, { id: agent }, {})).memory_count).to.equal(1);
  });

  describe('Memories.M1: what a client changed since it was read stays as it is', () => {
    const old = 'The launch is on 12 May';
    const next = 'The launch is on 14 May';
    const calls = (name: string) => [
      call('forget', { memory: name }),
      call('update_memory', { memory: name, content: 'The launch is in June' }),
    ];
    for (const by of ['id', 'words'] as const)
      for (const at of [0, 1]) {
        const tool = calls('x')[at]!.tool;
        it(`${tool} by its ${by}, approved after the change`, async () => {
          const { service, agent, remember, run, results, known } = await started({ validation_gate: 'action' });
          const id = await remember(old);
          const paused = await run(doing(calls(by === 'id' ? id : old)[at]!), 'paused');
          const { waitingFor } = await service.execute(caller, getRun, { id: agent, runId: paused });
          expect(waitingFor?.question).to.contain(old);
          await service.patchMemory(caller, id, { content: next });
          await service.resumeRun(caller, agent, paused, { decision: 'approve' });
          await eventually(
            async () => (await service.execute(caller, getRun, { id: agent, runId: paused })).status === 'completed',
          );
          await finds(known, [next]);
          const [[ok, result]] = (await results(paused)) as [[boolean, string]];
          expect(ok).to.equal(false);
          expect(result).to.contain('was changed by somebody since it was read').and.contain(next);
        });
        it(`${tool} by its ${by}, called after the change by a model that had read it before`, async () => {
          const { service, agent, remember, known } = await started();
          const id = await remember(old);
          const steps = new HeldSteps();
          e.script(steps.script);
          const asked = await service.startRun(caller, agent, { input: 'When is the launch?' });
          const step = await steps.next();
          expect(step.context.memories.map(({ content }) => content)).to.deep.equal([old]);
          await service.patchMemory(caller, id, { content: next });
          step.answer(does(calls(by === 'id' ? id : old)[at]!));
          // what it is told of it counts as read
          const again = await steps.next();
          await finds(known, [next]);
          expect(again.context.transcript.flat()[0]).to.include({ ok: false });
          again.answer(does(calls(by === 'id' ? id : next)[at]!, call('answer', { content: 'done' })));
          await eventually(
            async () => (await service.execute(caller, getRun, { id: agent, runId: asked.id })).status === 'completed',
          );
          await finds(known, at === 0 ? [] : ['The launch is in June']);
        });
      }
    it('an id that the run has from an earlier step', async () => {
      const { service, agent, known } = await started();
      const steps = new HeldSteps();
      e.script(steps.script);
      const asked = await service.startRun(caller, agent, { input: 'go' });
      (await steps.next()).answer(does(call('remember', { content: old })));
      const second = await steps.next();
      const [memory] = (await service.listMemories(caller, { agent_id: agent }, oldestFirst)).items;
      await service.patchMemory(caller, memory!.id, { content: next });
      second.answer(does(call('forget', { memory: memory!.id })));
      const third = await steps.next();
      expect(third.context.transcript[1]?.[0]?.result).to.contain(next);
      await finds(known, [next]);
      third.answer(does(call('forget', { memory: memory!.id }), call('answer', { content: 'done' })));
      await eventually(
        async () => (await service.execute(caller, getRun, { id: agent, runId: asked.id })).status === 'completed',
      );
      await finds(known, []);
    });
  });

  describe('what is named by its words is all that says it', () => {
    const old = 'The launch is on 12 May';
    const equal = [old, 'The launch is on 12 MAY.', 'the launch is on  12 may'];
    const names = {
      forget: { memory: old },
      update_memory: { memory: old, content: 'The launch is in June' },
    } as const;
    for (const tool of ['forget', 'update_memory'] as const) {
      const left = tool === 'forget' ? [] : ['The launch is in June'];
      const again = (): ToolCall => call(tool, { ...names[tool] });

      it(`${tool} takes memories of one wording, and what was said in runs`, async () => {
        const { service, agent, remember, run, results, known } = await started();
        for (const [i, content] of equal.entries()) await remember(content, { sessionId: `s${i}` });
        await service.messageAgent(caller, agent, { content: old });
        await finds(known, [...equal, old].sort());
        const id = await run(doing(again()));
        expect((await results(id)).map(([ok]) => ok)).to.deep.equal([true]);
        await finds(known, left);
      });

      it(`${tool} says what remains: what a hive knows, and what is for everybody`, async () => {
        const { service, agent, remember, run, known } = await started();
        const hive = (await service.execute(caller, createHive, {}, { name: 'Crew' })).id;
        await service.execute(caller, joinHive, { id: hive }, { agent_id: agent });
        const shared = await service.createMemory(caller, { type: 'semantic', content: old, hive_id: hive });
        const everybodys = await remember(old);
        const own = await remember(old, { subject: 'ana' });
        e.script(doing(again()));
        const { id } = await service.startRun(caller, agent, { input: 'go', subject: 'ana' });
        await eventually(
          async () => (await service.execute(caller, getRun, { id: agent, runId: id })).status === 'completed',
        );
        const { items } = await service.execute(
          caller,
          listCheckpoints,
          { id: agent },
          { runId: id, page: { sort: 'created_at', order: 'asc', limit: 10 } },
        );
        const [{ ok, result } = { ok: false, result: '' }] = items[0]!.calls;
        expect(ok, result).to.equal(true);
        expect(result.split('; what remains: ')[1]).to.contain(shared.id).and.contain(everybodys).and.not.contain(own);
        await finds(known, [old, ...left].sort());
        await run(doing(again()));
        await finds(known, [...left, ...left]);
      });

      it(`${tool} that waits for approval takes those that nobody has changed since`, async () => {
        const { service, agent, remember, run, results, known } = await started({ validation_gate: 'action' });
        const ids = [await remember(old, { sessionId: 'a' }), await remember(old, { sessionId: 'b' })];
        const paused = await run(doing(again()), 'paused');
        await service.patchMemory(caller, ids[0]!, { content: 'The launch is on 14 May' });
        await service.resumeRun(caller, agent, paused, { decision: 'approve' });
        await eventually(
          async () => (await service.execute(caller, getRun, { id: agent, runId: paused })).status === 'completed',
        );
        await finds(known, ['The launch is on 14 May', ...left].sort());
        const [[ok, result]] = (await results(paused)) as [[boolean, string]];
        expect(ok, result).to.equal(true);
        expect(result).to.contain(ids[0]).and.contain('was changed by somebody');
      });
    }
  });

  it('a memory that the run was given is named by the short name of the prompt, too, and no other is', async () => {
    const { service, agent, remember, known } = await started();
    const [one, two] = [await remember('The launch is on 12 May'), await remember('The quay is closed')];
    const steps = new HeldSteps();
    e.script(steps.script);
    const asked = await service.startRun(caller, agent, { input: 'When is the launch?' });
    const step = await steps.next();
    expect(step.context.memories.map(({ id }) => id)).to.deep.equal([one]);
    step.answer(does(...[one, two].map((id) => call('forget', { memory: shortName(id) }))));
    const again = await steps.next();
    expect(again.context.transcript.flat().map(({ ok }) => ok)).to.deep.equal([true, false]);
    expect(again.context.transcript.flat()[0]?.arguments).to.deep.equal({ memory: one });
    again.answer(answers('done'));
    await eventually(
      async () => (await service.execute(caller, getRun, { id: agent, runId: asked.id })).status === 'completed',
    );
    await finds(known, ['The quay is closed']);
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
    const other = (await service.execute(caller, spawnAgent, {}, { name: 'Bob' })).id;
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
    expect((await service.execute(caller, getRun, { id: agent, runId: id })).waitingFor?.question)
      .to.contain('update_memory')
      .and.contain('June');
    await service.deleteMemory(caller, one);
    await service.resumeRun(caller, agent, id, { decision: 'approve' });
    await eventually(
      async () => (await service.execute(caller, getRun, { id: agent, runId: id })).status === 'completed',
    );
    expect(await known()).to.deep.equal([]);
  });
});
