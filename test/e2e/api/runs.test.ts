/** Runs, their thoughts and checkpoints: docs/api.md 2.3, 2.5, 3.2, 4.1. */
import { expect } from 'chai';
import { cancelRun, everyItem, ids, served, until, type Json } from './support/client.js';
import { startThinker, type Thinker } from './support/thinker.js';

let thinker: Thinker;
const { api, hooks } = served(async () => {
  thinker = await startThinker();
  return {
    env: {
      HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl,
      HIVEKEEP_OPENAI_API_KEY: 'sk-test',
      HIVEKEEP_SHUTDOWN_SECONDS: '0.5',
    },
  };
});

const slow = { model: 'openai/slow', multi_step: true };
const spawn = async (config: Json = {}, more: Json = {}): Promise<string> =>
  String((await api.one('POST', '/v1/agents/spawn', { name: 'Runner', config, ...more }, 201))['id']);
const of = (agent: string): string => `/v1/agent-constellations/${agent}`;
const start = (agent: string, input: string, more: Json = {}): Promise<Json> =>
  api.one('POST', `${of(agent)}/runs`, { input, ...more }, 202);
const get = (run: Json): Promise<Json> => api.one('GET', `${of(String(run['agent_id']))}/runs/${String(run['id'])}`);
const ended = (run: Json, status: string): Promise<Json> =>
  until(
    () => get(run),
    (r) => r['status'] === status,
  );
const resume = (run: Json, input: Json = {}): Promise<Json> =>
  api.one('POST', `${of(String(run['agent_id']))}/runs/${String(run['id'])}/resume`, input, 202);
const refusedResume = (run: Json, input: Json, code: string): Promise<unknown> =>
  api.refused('POST', `${of(String(run['agent_id']))}/runs/${String(run['id'])}/resume`, input, code);
const asking = (): Promise<unknown> =>
  until(
    async () => thinker.waiting,
    (n) => n > 0,
  );

describe('black box: runs', () => {
  hooks();
  after(async () => {
    await thinker.close();
  });

  describe('runs', () => {
    it('start with 202, Location and the defaults, and end with the answer', async () => {
      const agent = await spawn();
      const answer = await api.ask('POST', `${of(agent)}/runs`, { input: 'hello there' });
      expect(answer.status).to.equal(202);
      const run = answer.body.data as Json;
      expect(run).to.include({
        agent_id: agent,
        triggeredBy: 'api',
        input: 'hello there',
        maxSteps: 10,
        maxRuntimeSeconds: 300,
        forkedFrom: null,
      });
      expect(run['sessionId']).to.be.a('string').and.not.equal('');
      expect(new URL(answer.headers.get('location') ?? '', api.url).pathname).to.equal(
        `${of(agent)}/runs/${String(run['id'])}`,
      );
      const done = await ended(run, 'completed');
      expect(done).to.include({ stopReason: 'answer', steps: 1, error: null, waitingFor: null });
      expect(done['output']).to.be.a('string').and.not.equal('');
      const [created, started, end] = ['created_at', 'started_at', 'ended_at'].map((t) => Date.parse(String(done[t])));
      expect(created).to.be.at.most(started!);
      expect(started).to.be.at.most(end!);
      expect((await api.page(`${of(agent)}/runs`)).data).to.deep.equal([done]);
    });

    it('take their budgets from the request, else from the agent, else from the service', async () => {
      const agent = await spawn({ max_steps: 4, multi_step: true }, { maxRuntimeSeconds: 50 });
      expect(await start(agent, 'a')).to.include({ maxSteps: 4, maxRuntimeSeconds: 50 });
      expect(await start(agent, 'a', { maxSteps: 2, maxRuntimeSeconds: 9, sessionId: 's1' })).to.include({
        maxSteps: 2,
        maxRuntimeSeconds: 9,
        sessionId: 's1',
      });
      for (const bad of [
        { maxSteps: 0 },
        { maxSteps: 101 },
        { maxRuntimeSeconds: 0 },
        { maxRuntimeSeconds: 3601 },
        { maxSteps: 1.5 },
        { on_busy: 'wait' },
      ])
        await api.refused('POST', `${of(agent)}/runs`, { input: 'a', ...bad }, 'VALIDATION_ERROR');
      expect((await api.page(`${of(agent)}/runs`)).pagination.total_count).to.equal(2);
    });

    it('are as many at a time as max_parallel says: others wait as pending, or are refused as on_busy says', async () => {
      const agent = await spawn({ ...slow, max_parallel: 1 });
      const first = await start(agent, 'first');
      await asking();
      expect(await get(first)).to.include({ status: 'running', ended_at: null, stopReason: null });
      const second = await start(agent, 'second', { on_busy: 'enqueue' });
      const third = await start(agent, 'third');
      for (const waiting of [second, third])
        expect(waiting).to.include({ status: 'pending', started_at: null, steps: 0 });
      await api.refused('POST', `${of(agent)}/runs`, { input: 'fourth', on_busy: 'reject' }, 'AGENT_BUSY');
      await refusedResume(first, {}, 'RUN_NOT_RESUMABLE');
      await refusedResume(second, {}, 'RUN_NOT_RESUMABLE');
      expect((await api.page(`${of(agent)}/runs`)).pagination.total_count).to.equal(3);
      thinker.release({ text: 'one' });
      expect(await ended(first, 'completed')).to.include({ output: 'one', stopReason: 'answer' });
      await asking();
      expect(await get(second)).to.include({ status: 'running' });
      expect(await get(third)).to.include({ status: 'pending' });
      thinker.release({ text: 'two' });
      await ended(second, 'completed');
      await asking();
      thinker.release({ text: 'three' });
      expect(await ended(third, 'completed')).to.include({ output: 'three' });
      await start(agent, 'idle again', { on_busy: 'reject' });
      await asking();
      thinker.release({ text: 'four' });
    });

    it('read what comes into the mailbox meanwhile, where the agent does not wake; else the end of a run does', async () => {
      const agent = await spawn(slow);
      const run = await start(agent, 'work');
      await asking();
      await api.one('POST', `${of(agent)}/messages`, { content: 'news-from-the-mailbox' }, 201);
      expect((await api.page(`${of(agent)}/runs`)).data).to.have.lengthOf(1);
      thinker.release({ tool: 'remember', arguments: { content: 'a fact', type: 'semantic' } });
      await asking();
      expect(thinker.asked.at(-1)).to.contain('news-from-the-mailbox');
      thinker.release({ text: 'done' });
      await ended(run, 'completed');
      expect((await api.page(`${of(agent)}/runs`)).data).to.have.lengthOf(1);
      await api.one('PATCH', `/v1/agents/${agent}`, { wake_on_message: true });
      const last = await start(agent, 'again');
      await asking();
      await api.one('POST', `${of(agent)}/messages`, { content: 'too late for this run' }, 201);
      thinker.release({ text: 'done' });
      await ended(last, 'completed');
      await asking();
      expect((await api.page(`${of(agent)}/runs`)).data[0]).to.include({ triggeredBy: 'message', status: 'running' });
      thinker.release({ text: 'read' });
      await until(
        () => api.page(`${of(agent)}/runs`),
        (p) => p.data.length === 3 && p.data.every((r) => r['status'] === 'completed'),
      );
    });

    it('that use up maxSteps complete with stopReason max_steps after exactly so many; resume {} gives a fresh budget and keeps counting', async () => {
      const agent = await spawn(slow);
      const asked = thinker.asked.length;
      const run = await start(agent, 'never ends', { maxSteps: 2 });
      for (let step = 0; step < 2; step++) {
        await asking();
        thinker.release({ tool: 'recall', arguments: { query: `step ${step}` } });
      }
      expect(await ended(run, 'completed')).to.include({ stopReason: 'max_steps', steps: 2, maxSteps: 2 });
      expect(thinker.asked.length - asked).to.equal(2);
      const again = await resume(run);
      expect(again).to.include({ id: run['id'], steps: 2, stopReason: null, ended_at: null });
      await asking();
      thinker.release({ tool: 'recall', arguments: { query: 'more' } });
      await asking();
      thinker.release({ text: 'the end' });
      expect(await ended(run, 'completed')).to.include({ stopReason: 'answer', steps: 4, output: 'the end' });
      expect((await everyItem(api, `${of(agent)}/checkpoints?order=asc`, 3)).map((c) => c['step'])).to.deep.equal([
        1, 2, 3, 4,
      ]);
      await refusedResume(run, {}, 'RUN_NOT_RESUMABLE');
    });

    it('that use up their runtime end as timeout, and can be resumed', async () => {
      const agent = await spawn(slow);
      const run = await start(agent, 'slow', { maxRuntimeSeconds: 1 });
      const out = await until(
        () => get(run),
        (r) => r['stopReason'] === 'timeout',
      );
      expect(out['status']).to.equal('timeout');
      expect(Date.parse(String(out['ended_at'])) - Date.parse(String(out['started_at']))).to.be.within(900, 3000);
      await until(
        async () => thinker.waiting,
        (n) => n === 0,
      );
      await resume(run);
      await asking();
      thinker.release({ text: 'late' });
      expect(await ended(run, 'completed')).to.include({ stopReason: 'answer', output: 'late' });
    });

    it('whose reasoner cannot be used fail with the reason', async () => {
      const agent = await spawn({ model: 'anthropic/none' });
      const run = await start(agent, 'hello');
      const failed = await ended(run, 'failed');
      expect(failed['error']).to.have.all.keys('code', 'message');
      expect(failed['stopReason']).to.equal(null);
      const reply = await api.one('POST', `/v1/agents/${agent}/message`, { content: 'hello' });
      expect(reply).to.include({ status: 'failed', response: null });
      expect(reply['error']).to.have.all.keys('code', 'message');
    });

    describe('at a gate', () => {
      const input = 'remember that the lighthouse is green';
      const gated = async (gate: string): Promise<{ agent: string; run: Json }> => {
        const agent = await spawn({ validation_gate: gate, multi_step: true });
        return { agent, run: await ended(await start(agent, input), 'paused') };
      };
      const remembered = async (agent: string): Promise<number> =>
        (await api.page(`/v1/memories?agent_id=${agent}`)).data.length;

      it('pause before an action; approve does it as it was', async () => {
        const { agent, run } = await gated('action');
        expect(run['waitingFor']).to.deep.include({ kind: 'approval' });
        expect((run['waitingFor'] as Json)['action']).to.deep.include({ tool: 'remember' });
        expect(run).to.include({ ended_at: null, output: null });
        expect(await remembered(agent)).to.equal(0);
        await refusedResume(run, {}, 'VALIDATION_ERROR');
        await refusedResume(run, { input: 'just text' }, 'VALIDATION_ERROR');
        await refusedResume(run, { decision: 'maybe' }, 'VALIDATION_ERROR');
        expect(await get(run)).to.deep.equal(run);
        await resume(run, { decision: 'approve' });
        expect(await ended(run, 'completed')).to.include({ stopReason: 'answer', waitingFor: null });
        expect((await api.page(`/v1/memories?agent_id=${agent}`)).data.map((m) => m['content'])).to.deep.equal([
          'the lighthouse is green',
        ]);
        await refusedResume(run, { decision: 'approve' }, 'RUN_NOT_RESUMABLE');
      });

      it('reject never does it, and goes on with what the human said', async () => {
        const { agent, run } = await gated('action');
        await resume(run, { decision: 'reject', input: 'it is red' });
        const done = await ended(run, 'completed');
        expect(await remembered(agent)).to.equal(0);
        expect(done['output']).to.contain('it is red');
      });

      it('pause before the answer; approve gives it, reject goes back', async () => {
        const { agent, run } = await gated('answer');
        expect((run['waitingFor'] as Json)['action']).to.deep.include({ tool: 'answer' });
        expect(await remembered(agent)).to.equal(1, 'what was done before the answer is done');
        const proposed = (run['waitingFor'] as { action: { arguments: { content: string } } }).action.arguments.content;
        await resume(run, { decision: 'approve' });
        expect(await ended(run, 'completed')).to.include({ output: proposed });

        const other = await gated('answer');
        await resume(other.run, { decision: 'reject', input: 'say it louder' });
        const second = await until(
          () => get(other.run),
          (r) => r['status'] === 'paused' && r['updated_at'] !== other.run['updated_at'],
        );
        await resume(second, { decision: 'approve' });
        await ended(second, 'completed');
      });

      it('a paused run does not keep its agent from others, nor from being woken', async () => {
        const { agent, run } = await gated('action');
        const other = await start(agent, 'what colour is the lighthouse?', { on_busy: 'reject' });
        await ended(other, 'completed');
        expect(await get(run)).to.include({ status: 'paused' });
      });

      it('ask_human is answered by resume {input}', async () => {
        const agent = await spawn(slow);
        const run = await start(agent, 'need help');
        await asking();
        thinker.release({ tool: 'ask_human', arguments: { question: 'Which colour?' } });
        const paused = await ended(run, 'paused');
        expect(paused['waitingFor']).to.deep.include({ kind: 'human', question: 'Which colour?' });
        expect(paused).to.include({ steps: 1 });
        await refusedResume(run, {}, 'VALIDATION_ERROR');
        await resume(run, { input: 'turquoise' });
        await asking();
        expect(thinker.asked.at(-1)).to.contain('turquoise');
        thinker.release({ text: 'It is turquoise.' });
        expect(await ended(run, 'completed')).to.include({ output: 'It is turquoise.', steps: 2 });
      });
    });

    it('fork from a checkpoint, by its id or step, and repeat no step', async () => {
      const agent = await spawn(slow);
      const run = await start(agent, 'with side effects', { sessionId: 'forked' });
      await asking();
      thinker.release({ tool: 'remember', arguments: { content: 'only once', type: 'semantic' } });
      await asking();
      thinker.release({ tool: 'recall', arguments: { query: 'once' } });
      await asking();
      thinker.release({ text: 'done' });
      await ended(run, 'completed');
      const checkpoints = await everyItem(api, `${of(agent)}/checkpoints?order=asc&runId=${String(run['id'])}`, 10);
      expect(checkpoints.map((c) => c['step'])).to.deep.equal([1, 2, 3]);
      const path = `${of(agent)}/runs/${String(run['id'])}/fork`;
      for (const checkpoint of [checkpoints[0]!['id'], 1]) {
        const answer = await api.ask('POST', path, { checkpoint });
        expect(answer.status).to.equal(202);
        const fork = answer.body.data as Json;
        expect(fork['id']).to.not.equal(run['id']);
        expect(new URL(answer.headers.get('location') ?? '', api.url).pathname).to.equal(
          `${of(agent)}/runs/${String(fork['id'])}`,
        );
        expect(fork['forkedFrom']).to.deep.equal({ runId: run['id'], checkpointId: checkpoints[0]!['id'], step: 1 });
        await asking();
        thinker.release({ text: 'another end' });
        expect(await ended(fork, 'completed')).to.include({
          output: 'another end',
          steps: 2,
          input: 'with side effects',
        });
      }
      expect((await api.page(`/v1/memories?agent_id=${agent}`)).data).to.have.lengthOf(1);
      for (const checkpoint of [99, 'ckpt_nothing']) await api.refused('POST', path, { checkpoint }, 'NOT_FOUND');
      for (const body of [
        {},
        { checkpoint: 0 },
        { checkpoint: null },
        { checkpoint: 1.5 },
        { checkpoint: 1, steps: 2 },
      ])
        await api.refused('POST', path, body, 'VALIDATION_ERROR');
      expect((await api.page(`${of(agent)}/runs`)).pagination.total_count).to.equal(3);
    });

    it('are cancelled over A2A while they run or wait, once; REST has no route for it', async () => {
      const agent = await spawn(slow);
      const [running, waiting] = [await start(agent, 'a'), await start(agent, 'b')];
      await asking();
      for (const run of [waiting, running]) {
        const id = String(run['id']);
        for (const verb of ['cancel', 'kill'])
          await api.refused('POST', `${of(agent)}/runs/${id}/${verb}`, {}, 'NOT_FOUND');
        expect((await cancelRun(api, agent, id)).result).to.have.nested.property('status.state', 'canceled');
        expect(await get(run)).to.include({ status: 'cancelled', output: null });
        expect((await cancelRun(api, agent, id)).error).to.include({ code: -32002 });
      }
      expect((await cancelRun(api, agent, 'run_none')).error).to.include({ code: -32001 });
    });

    it('deletes of an agent end its run at once', async () => {
      const agent = await spawn(slow);
      await start(agent, 'in the middle');
      await asking();
      await api.one('DELETE', `/v1/agents/${agent}`);
      await until(
        async () => thinker.waiting,
        (n) => n === 0,
      );
      await api.refused('GET', `${of(agent)}/runs`, undefined, 'NOT_FOUND');
    });

    it('that are of another agent are 404, and so are others that do not exist', async () => {
      const agent = await spawn();
      const other = await spawn();
      const run = await start(agent, 'mine');
      await ended(run, 'completed');
      for (const path of [
        `${of(other)}/runs/${String(run['id'])}`,
        `${of(agent)}/runs/run_nothing`,
        `${of(agent)}/runs/${agent}`,
      ]) {
        await api.refused('GET', path, undefined, 'NOT_FOUND');
        await api.refused('GET', `${path}/events`, undefined, 'NOT_FOUND');
        await api.refused('POST', `${path}/resume`, {}, 'NOT_FOUND');
        await api.refused('POST', `${path}/fork`, { checkpoint: 1 }, 'NOT_FOUND');
      }
    });
  });

  describe('thoughts and checkpoints', () => {
    let agent: string;
    const sessions = ['s-a', 's-b'];
    before(async () => {
      agent = await spawn({ multi_step: true });
      for (const sessionId of sessions)
        for (let i = 0; i < 2; i++)
          await ended(
            await start(agent, 'work in 8 steps: what do we know about the launch?', { sessionId }),
            'completed',
          );
    });

    it('have all their fields, newest first, 50 by default', async () => {
      const page = await api.page(`${of(agent)}/thoughts`);
      expect(page.pagination.total_count).to.be.greaterThan(50);
      expect(page.data).to.have.lengthOf(50);
      expect(page.pagination.has_more).to.equal(true);
      for (const t of page.data) {
        expect(t).to.include({ agent_id: agent });
      }
      const times = page.data.map((t) => String(t['created_at']));
      expect(times).to.deep.equal(times.toSorted().toReversed());
      expect((await api.page(`${of(agent)}/thoughts?limit=3`)).data).to.deep.equal(page.data.slice(0, 3));
      for (const bad of ['limit=0', 'limit=1001', 'limit=x', 'thoughtType=idea', 'sessionId=', 'offset=1'])
        await api.refused('GET', `${of(agent)}/thoughts?${bad}`, undefined, 'VALIDATION_ERROR');
    });

    it('stay in the order of time where runs had to wait, and are counted as they are', async () => {
      const busy = await spawn(slow);
      const runs: Json[] = [];
      for (const input of ['one', 'two']) runs.push(await start(busy, input, { sessionId: 'queue' }));
      for (const step of [1, 2, 3, 4]) {
        await asking();
        thinker.release(step % 2 === 1 ? { tool: 'recall', arguments: { query: 'x' } } : { text: 'done' });
      }
      await ended(runs[1]!, 'completed');
      for (const list of ['thoughts', 'checkpoints'])
        for (const filter of ['', '&sessionId=queue']) {
          const all = await everyItem(api, `${of(busy)}/${list}?order=asc${filter}`, 3);
          const times = all.map((i) => String(i['created_at']));
          expect(times, list).to.deep.equal(times.toSorted());
          expect(
            (await api.page(`${of(busy)}/${list}?order=asc${filter}`)).pagination.total_count,
            list + filter,
          ).to.equal(all.length);
        }
      expect(
        (await everyItem(api, `${of(busy)}/checkpoints?order=asc`, 3)).map((c) => [c['runId'], c['step']]),
      ).to.deep.equal(runs.flatMap((r) => [1, 2].map((step) => [r['id'], step])));
    });

    it('filter by session and type', async () => {
      const all = await everyItem(api, `${of(agent)}/thoughts`, 100);
      expect(all.length).to.equal((await api.page(`${of(agent)}/thoughts?limit=1`)).pagination.total_count);
      for (const session of [...sessions, 'none'])
        for (const type of [undefined, 'goal', 'recall', 'insight', 'action', 'result', 'reflection']) {
          const wanted = all.filter(
            (t) => t['sessionId'] === session && (type === undefined || t['thoughtType'] === type),
          );
          const path = `${of(agent)}/thoughts?sessionId=${session}${type === undefined ? '' : `&thoughtType=${type}`}`;
          expect(await everyItem(api, path, 7), path).to.deep.equal(wanted);
          expect((await api.page(path)).pagination.total_count, path).to.equal(wanted.length);
        }
      expect(new Set(all.map((t) => t['thoughtType']))).to.include.keys('goal', 'recall', 'reflection');
    });

    it('page in both orders without gap or doubling', async () => {
      const all = await everyItem(api, `${of(agent)}/thoughts`, 100);
      for (const size of [1, 7, 50]) {
        expect(ids(await everyItem(api, `${of(agent)}/thoughts`, size))).to.deep.equal(ids(all));
        expect(ids(await everyItem(api, `${of(agent)}/thoughts?order=asc`, size))).to.deep.equal(ids(all).toReversed());
      }
      expect(new Set(ids(all)).size).to.equal(all.length);
    });

    it('checkpoints: one a step, from 1, with all fields; by run and session', async () => {
      const all = await everyItem(api, `${of(agent)}/checkpoints`, 5);
      expect(all).to.have.lengthOf(32);
      for (const run of await everyItem(api, `${of(agent)}/runs`, 100)) {
        const own = all.filter((c) => c['runId'] === run['id']);
        expect(own.map((c) => c['step']).toReversed()).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
        for (const sessionId of sessions)
          expect(
            await everyItem(api, `${of(agent)}/checkpoints?runId=${String(run['id'])}&sessionId=${sessionId}`, 3),
          ).to.deep.equal(run['sessionId'] === sessionId ? own : []);
        expect(await everyItem(api, `${of(agent)}/checkpoints?runId=${String(run['id'])}`, 3)).to.deep.equal(own);
      }
      expect(await everyItem(api, `${of(agent)}/checkpoints?sessionId=s-a`, 6)).to.deep.equal(
        all.filter((c) => c['sessionId'] === 's-a'),
      );
      expect((await api.page(`${of(agent)}/checkpoints`)).pagination.total_count).to.equal(32);
    });
  });
});
