/**
 * What is larger than a document of MongoDB can be (16 MiB), on a real server: whatever may add up to that is written
 * in several commits, and what cannot be is refused with an error that says so. Nothing that was acknowledged is lost,
 * and no run fails by it that is not too large itself.
 */
import { patchAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import type { Service } from '../../../src/service.js';
import { type MongoStore, openMongoStore } from '../../../src/store/mongo/open.js';
import type { Commit } from '../../../src/store/port.js';
import { answers, call, caller, does, eventually, testEngine, type TestEngine } from '../../helpers/engine.js';
import { mongoService, type MongoService } from '../../helpers/mongo-service.js';
import { agentRef, HeldSteps, newestFirst } from '../engine/kit.js';
import { listAllRuns, getRun } from '../../../src/commands/runs.js';

const MiB = 1024 * 1024;
const limit = 16 * MiB;
/** As large as a message may be. */
const large = (n: number): string => `${n} ${'€'.repeat((256 * 1024) / 3 - 10)}`;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('What is too large for one commit to MongoDB', function () {
  this.timeout(120_000);
  let mongo: MongoService | null;
  let store: MongoStore;
  let bed: TestEngine;
  let service: Service;
  let steps: HeldSteps;
  /** The sizes of the commits that took effect. */
  let written: number[] = [];
  let change: (commit: Commit) => Commit = (commit) => commit;

  before(async function () {
    mongo = await mongoService();
    if (!mongo) return this.skip();
    store = await openMongoStore({ url: mongo.freshUrl() });
    const commit = store.commit.bind(store);
    store.commit = async (given) => {
      const outcome = await commit(change(given));
      if (outcome === 'committed') written.push(bytesOf(given));
      return outcome;
    };
    steps = new HeldSteps();
    bed = await testEngine(store, steps.script);
    ({ service } = bed.engine);
  });
  beforeEach(() => {
    written = [];
    change = (commit) => commit;
  });
  after(async () => {
    await bed?.engine.stop(1000);
    await store?.close();
    await mongo?.stop();
  });

  it('waiting tasks: who terminates their agent cancels them in several commits', async () => {
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'terminated', config: { max_parallel: 1 } });
    await service.startRun(caller, agent.id, { input: 'first' });
    await steps.next();
    const inputs = Array.from({ length: 65 }, (_, n) => large(n));
    expect(bytesOf(inputs)).to.be.greaterThan(limit);
    await Promise.all(inputs.map((input) => service.startRun(caller, agent.id, { input, on_busy: 'enqueue' })));
    await service.execute(caller, patchAgent, { id: agent.id }, { status: 'terminated' });
    await eventually(async () => !(await store.head(agentRef(agent.id)))?.active, 'an end of its work', 60_000);
    const of = { agent_id: agent.id, status: 'cancelled' } as const;
    const cancelled = (): Promise<number> =>
      countOf(service.execute(caller, listAllRuns, {}, { ...of, page: { ...newestFirst, limit: 1 } }));
    await eventually(async () => (await cancelled()) === inputs.length + 1, 'every run to be cancelled', 60_000);
  });

  it('steps that recall and say much: each is a commit of its own, and the run ends', async () => {
    const agent = await service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'reader', config: { multi_step: true, max_steps: 20 } },
    );
    const contents = Array.from({ length: 8 }, (_, n) => `fact ${n} ${'€'.repeat(20_000)}`);
    for (const content of contents) await service.createMemory(caller, { type: 'fact', content, agent_id: agent.id });
    const run = await service.startRun(caller, agent.id, { input: 'go' });
    const said = 'x'.repeat(1.4 * MiB);
    for (let n = 0; n < 9; n++)
      (await steps.next()).answer({
        thoughts: [{ thoughtType: 'insight', content: said }],
        calls: contents.map((_, i) => call('recall', { query: `fact ${i}` })),
      });
    (await steps.next()).answer(answers('done'));
    const ended = await eventually(async () => {
      const now = await service.execute(caller, getRun, { id: agent.id, runId: run.id });
      return now.status !== 'running' && now;
    });
    expect(ended).to.include({ status: 'completed', output: 'done', steps: 10, error: null });
    expect(written.reduce((a, b) => a + b)).to.be.greaterThan(limit);
  });

  it('a step that says more than a step may ends its run with that reason, before anything is sent', async () => {
    const { agent, run } = await running();
    (await steps.next()).answer({ thoughts: [{ thoughtType: 'insight', content: 'x'.repeat(17 * MiB) }], calls: [] });
    expect(await failureOf(agent, run)).to.deep.equal({
      code: 'too_large',
      message:
        'the step says 17.0 MiB, and 2 MiB is the most that one step may write: make fewer or shorter calls at a time',
    });
  });

  it('a step whose commit is refused by its size ends its run with that reason; what was acknowledged is there', async () => {
    const { agent, run } = await running();
    await service.createMemory(caller, { type: 'note', content: 'before', agent_id: agent });
    change = (commit) => ({
      ...commit,
      puts: commit.puts.map((put) =>
        put.kind === 'memory' && put.body.content === 'grows'
          ? { ...put, body: { ...put.body, content: 'x'.repeat(17 * MiB) } }
          : put,
      ),
    });
    (await steps.next()).answer(does(call('remember', { content: 'grows' })));
    expect(await failureOf(agent, run))
      .to.have.property('message')
      .that.matches(/^this cannot be stored: .*16 MiB/);
    const { items } = await service.listMemories(caller, { agent_id: agent }, newestFirst);
    expect(items.map(({ content }) => content)).to.deep.equal(['before']);
    expect(steps.left, 'steps that were begun again').to.equal(0);
  });

  it('a batch of memories is none: it is taken in by commits that are small enough', async () => {
    const { id } = await service.execute(caller, spawnAgent, {}, { name: 'batch' });
    const memories = Array.from({ length: 270 }, (_, n) => ({
      type: 'note',
      content: `${n} ${'€'.repeat(21_000)}`,
      agent_id: id,
    }));
    expect((await service.createMemories(caller, { memories })).created).to.equal(270);
    expect(await countOf(service.listMemories(caller, { agent_id: id }, newestFirst))).to.equal(270);
  });

  async function running(): Promise<{ agent: string; run: string }> {
    const { id: agent } = await service.execute(caller, spawnAgent, {}, { name: 'x', config: { multi_step: true } });
    const { id: run } = await service.startRun(caller, agent, { input: 'go' });
    return { agent, run };
  }

  const failureOf = (agent: string, run: string): Promise<unknown> =>
    eventually(async () => {
      const { status, error } = await service.execute(caller, getRun, { id: agent, runId: run });
      return status === 'failed' && error;
    }, 'the run to be given up');

  const countOf = async (list: Promise<{ total: number }>): Promise<number> => (await list).total;
});
