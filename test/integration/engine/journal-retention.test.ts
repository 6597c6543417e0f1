/** Removes the journals of runs that ended long ago, and what is left of such a run (src/domain/run/retention.ts). */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import type { RunEvent } from '../../../src/domain/model/model.js';
import { answers, call, caller, does, eventually, type Script, skippingClock } from '../../helpers/engine.js';
import { codeOf, newestFirst, overStores, runIn } from './kit.js';
import { listCheckpoints, listThoughts } from '../../../src/commands/journals.js';
import { getRun, forkRun, listRuns } from '../../../src/commands/runs.js';

const day = 24 * 3600 * 1000;
const journalMs = 30 * day;

const stepsThenAnswer =
  (steps: number): Script =>
  (c) =>
    c.transcript.length < steps
      ? {
          thoughts: [{ thoughtType: 'insight', content: `step ${c.transcript.length}` }],
          calls: [call('recall', { query: 'anything' })],
        }
      : answers('done');

const asks: Script = (c) =>
  c.transcript.length === 0
    ? { thoughts: [{ thoughtType: 'insight', content: 'one' }], calls: [call('recall', { query: 'x' })] }
    : c.humanInputs.length === 0
      ? does(call('ask_human', { question: 'and now?' }))
      : answers(`${c.transcript.length} steps before this one`);

overStores('Retention of journals', (bed) => {
  const start = async (script: Script, keptMs = journalMs) => {
    const clock = skippingClock();
    const e = await bed.start(script, { clock, journalMs: keptMs });
    const { service } = e;
    const agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
    const run = async (maxSteps = 100): Promise<string> => {
      const { id } = await service.startRun(caller, agent, { input: 'go', maxSteps });
      await runIn(e, agent, id, 'completed');
      return id;
    };
    const checkpoints = async (runId?: string) =>
      service.execute(
        caller,
        listCheckpoints,
        { id: agent },
        { ...(runId === undefined ? {} : { runId }), page: newestFirst },
      );
    const events = async (runId: string, lastSeq = 0): Promise<RunEvent[]> => {
      const found: RunEvent[] = [];
      for await (const event of await service.runEvents(caller, agent, runId, lastSeq, new AbortController().signal))
        found.push(event);
      return found;
    };
    return { ...e, clock, service, agent, run, checkpoints, events };
  };
  const removed = (e: Awaited<ReturnType<typeof start>>, run: string): Promise<unknown> =>
    eventually(async () => (await e.checkpoints(run)).items.length === 0, 'the removal of the journal');

  it('journals go when their time has come, the run and its result stay', async () => {
    const e = await start(stepsThenAnswer(3));
    const old = await e.run();
    const before = await e.service.execute(caller, getRun, { id: e.agent, runId: old });
    const lastSeq = (await e.events(old)).at(-1)?.seq ?? 0;
    e.clock.skip(20 * day);
    const young = await e.run();
    e.clock.skip(11 * day);
    await removed(e, old);
    expect(await e.service.execute(caller, getRun, { id: e.agent, runId: old })).to.deep.equal(before);
    expect((await e.checkpoints()).items.map(({ runId }) => runId)).to.deep.equal(Array(4).fill(young));
    expect((await e.checkpoints()).total).to.equal(4);
    const thoughts = await e.service.execute(caller, listThoughts, { id: e.agent }, { page: newestFirst });
    expect(thoughts).to.include({ total: 3 });
    expect(new Set(thoughts.items.map(({ runId }) => runId))).to.deep.equal(new Set([young]));

    // a follower still learns how the run ended, under the number that it had
    const end = { seq: lastSeq, type: 'status', status: 'completed', stopReason: 'answer' };
    expect(await e.events(old))
      .to.have.length(1)
      .and.to.have.nested.property('[0]')
      .that.include(end);
    expect(await e.events(old, 2)).to.have.length(1);
    expect(await e.events(old, lastSeq)).to.deep.equal([]);
    expect(await codeOf(e.service.execute(caller, forkRun, { id: e.agent, runId: old }, { checkpoint: 1 }))).to.equal(
      'RUN_NOT_RESUMABLE',
    );

    e.clock.skip(20 * day);
    await removed(e, young);
    expect((await e.checkpoints()).total).to.equal(0);
  });

  it('Retention.D2: a run that could have been resumed says why it no longer can', async () => {
    const e = await start(stepsThenAnswer(5));
    const run = await e.run(2);
    e.clock.skip(31 * day);
    await removed(e, run);
    const refusal = await e.service.resumeRun(caller, e.agent, run, {}).catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'RUN_NOT_RESUMABLE' });
    expect(String(refusal)).to.contain('journal was removed');
  });

  it('keeps journals for ever when the setting is 0', async () => {
    const e = await start(stepsThenAnswer(1), 0);
    const run = await e.run();
    e.clock.skip(1000 * day);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await e.checkpoints(run)).total).to.equal(2);
    expect((await bed.store.head({ workspace: 'default', kind: 'agent', id: e.agent }))?.due).to.equal(null);
  });

  it('a journal stays while a fork rests on it, and goes with the last fork', async () => {
    const e = await start(asks);
    const paused = async (id: string): Promise<string> => {
      await runIn(e, e.agent, id, 'paused');
      return id;
    };
    const first = await paused((await e.service.startRun(caller, e.agent, { input: 'go' })).id);
    const fork = await paused(
      (await e.service.execute(caller, forkRun, { id: e.agent, runId: first }, { checkpoint: 1 })).id,
    );
    const again = await paused(
      (await e.service.execute(caller, forkRun, { id: e.agent, runId: fork }, { checkpoint: 2 })).id,
    );
    for (const id of [first, fork]) {
      await e.service.resumeRun(caller, e.agent, id, { input: 'go on' });
      await runIn(e, e.agent, id, 'completed');
    }
    e.clock.skip(31 * day);
    await eventually(async () => {
      const head = await bed.store.head({ workspace: 'default', kind: 'agent', id: e.agent });
      return (head?.due ?? Infinity) > e.clock.now();
    }, 'a look at the journals');
    expect((await e.checkpoints(first)).items.length).to.be.above(0);

    // the last fork still knows all that was before it
    await e.service.resumeRun(caller, e.agent, again, { input: 'go on' });
    expect((await runIn(e, e.agent, again, 'completed')).output).to.equal('3 steps before this one');
    e.clock.skip(32 * day);
    for (const id of [again, fork, first]) await removed(e, id);
  });

  it('a long history goes in bounded turns, and takes its bytes along', async () => {
    const e = await start(stepsThenAnswer(1));
    const entity = { workspace: 'default', kind: 'agent' as const, id: e.agent };
    for (let i = 0; i < 120; i++) await e.run();
    const bytes = async (): Promise<number> => (await bed.store.head(entity))?.counts['bytes'] ?? 0;
    const before = await bytes();
    let largest = 0;
    const { commit } = bed.store;
    bed.store.commit = (c) => {
      largest = Math.max(largest, c.deletes.length);
      return commit.call(bed.store, c);
    };
    e.clock.skip(31 * day);
    await eventually(async () => (await e.checkpoints()).total === 0, 'the removal');
    expect(largest).to.be.within(1, 200);
    const runs = await e.service.execute(caller, listRuns, { id: e.agent }, { page: { ...newestFirst, limit: 100 } });
    expect(runs.total).to.equal(120);
    // what is left are the runs, about as large as the store has them
    const page = await bed.store.list({
      workspace: 'default',
      entity,
      collection: 'run',
      list: 'created',
      order: 'asc',
      limit: 200,
    });
    const left = page.items.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
    expect(await bytes()).to.be.within(left * 0.7, left * 1.3);
    expect(await bytes()).to.be.below(before);
  });
});
