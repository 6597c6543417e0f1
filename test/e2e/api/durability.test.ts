/** What was acknowledged is there after any end of the process, and what was in progress goes on. */
import { expect } from 'chai';
import { everyItem, ids, lastingItems, served, until, type Json } from './support/client.js';
import { startThinker, type Thinker } from './support/thinker.js';

let thinker: Thinker;
const { api, as, server, hooks } = served(async () => {
  thinker = await startThinker();
  return {
    env: {
      HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl,
      HIVEKEEP_OPENAI_API_KEY: 'sk-test',
      HIVEKEEP_SHUTDOWN_SECONDS: '0.5',
    },
  };
});

const spawn = async (input: Json = {}): Promise<string> =>
  String((await api.one('POST', '/v1/agents/spawn', { name: 'D', ...input }, 201))['id']);
const of = (agent: string): string => `/v1/agent-constellations/${agent}`;
const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
  await server().kill(signal);
  await server().restart();
};

describe('black box: durability', () => {
  hooks();
  after(async () => {
    await thinker.close();
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    describe(`after ${signal}`, function suite() {
      this.timeout(20_000);

      it('everything of every kind is as it was', async () => {
        const hive = String((await api.one('POST', '/v1/hives', { name: 'h', metadata: { a: 1 } }, 201))['id']);
        const agent = await spawn({ hives: [hive], metadata: { n: [1] } });
        const inactive = await spawn();
        const gone = await spawn();
        await api.one('PUT', `/v1/agents/${inactive}`, { status: 'inactive' });
        for (const content of ['the stove is hot', 'the kettle whistles', 'to be deleted'])
          await api.one('POST', '/v1/memories', { type: 'semantic', content, agent_id: agent, sessionId: 's' }, 201);
        const deleted = (await api.page(`/v1/memories?agent_id=${agent}`)).data[0]!;
        await api.one('DELETE', `/v1/memories/${String(deleted['id'])}`);
        await api.one('DELETE', `/v1/agents/${gone}`);
        await api.one(
          'POST',
          `/v1/hives/${hive}/memories`,
          { type: 'semantic', content: 'shared', agent_id: agent },
          201,
        );
        await api.one('POST', `${of(agent)}/messages`, { content: 'mail' }, 201);
        await api.one('POST', `${of(agent)}/tokens`, { name: 't', scopes: ['agent:read'] }, 201);
        await api.one('POST', `/v1/agents/${agent}/message`, { content: 'What does the kettle do?' });
        const key = String((await api.one('POST', '/v1/keys', { name: 'k', mode: 'live' }, 201))['key']);
        const revoked = await api.one('POST', '/v1/keys', { name: 'r', mode: 'live' }, 201);
        await api.one('DELETE', `/v1/keys/${String(revoked['id'])}`);
        const { next_cursor: cursor } = (await api.page('/v1/agents?page_size=1')).pagination;
        const all = async (): Promise<unknown> =>
          Promise.all([
            ...[
              '/v1/agents',
              '/v1/memories',
              '/v1/hives',
              '/v1/keys',
              ...['runs', 'thoughts', 'checkpoints', 'messages', 'tokens'].map((l) => `${of(agent)}/${l}`),
              `/v1/hives/${hive}/memories`,
              `/v1/hives/${hive}/agents`,
            ].map((path) => lastingItems(api, path)),
            api.one('GET', '/v1/usage'),
            api.one('GET', `/v1/agents/${agent}`),
            api.ask('POST', '/v1/memories/search', { query: 'kettle stove deleted' }).then((a) => a.body),
          ]);
        const before = await all();
        await end(signal);
        expect(await all()).to.deep.equal(before);
        await as(key).page('/v1/agents');
        await as(String(revoked['key'])).refused('GET', '/v1/agents', undefined, 'UNAUTHENTICATED');
        await api.refused('GET', `/v1/agents/${gone}`, undefined, 'NOT_FOUND');
        await api.refused('POST', `/v1/agents/${inactive}/message`, { content: 'x' }, 'AGENT_INACTIVE');
        expect((await api.page(`/v1/agents?page_size=1&cursor=${cursor}`)).data).to.have.lengthOf(
          1,
          'a cursor outlives a restart',
        );
        expect(
          (await api.one('POST', `/v1/agents/${agent}/message`, { content: 'What does the kettle do?' }))['response'],
        ).to.contain('whistles');
      });

      it('a run goes on from its last step, those that waited follow, and nothing is doubled', async () => {
        const agent = await spawn({ config: { model: 'openai/slow', multi_step: true, max_parallel: 1 } });
        const runs: Json[] = [];
        for (const input of ['first', 'second']) runs.push(await api.one('POST', `${of(agent)}/runs`, { input }, 202));
        await until(
          async () => thinker.waiting,
          (n) => n === 1,
        );
        thinker.release({ tool: 'remember', arguments: { content: 'step one was done', type: 'semantic' } });
        await until(
          async () => thinker.waiting,
          (n) => n === 1,
        );
        await end(signal);
        await until(
          async () => thinker.waiting,
          (n) => n === 1,
        );
        expect(thinker.asked.at(-1)).to.contain('step one was done');
        expect(await api.one('GET', `${of(agent)}/runs/${String(runs[0]!['id'])}`)).to.include({
          status: 'running',
          steps: 1,
        });
        expect(await api.one('GET', `${of(agent)}/runs/${String(runs[1]!['id'])}`)).to.include({ status: 'pending' });
        for (const text of ['one', 'two']) {
          await until(
            async () => thinker.waiting,
            (n) => n === 1,
          );
          thinker.release({ text });
        }
        const done = await until(
          () => api.page(`${of(agent)}/runs?order=asc`),
          (p) => p.data.every((r) => r['status'] === 'completed'),
        );
        expect(done.data.map((r) => [r['output'], r['steps']])).to.deep.equal([
          ['one', 2],
          ['two', 1],
        ]);
        expect((await api.page(`/v1/memories?agent_id=${agent}`)).data).to.have.lengthOf(1);
        expect((await api.page(`${of(agent)}/checkpoints?order=asc`)).data.map((c) => c['step'])).to.deep.equal([
          1, 2, 1,
        ]);
      });

      it('paused runs wait for their human, messages still wake, expiry still comes', async () => {
        const agent = await spawn({ config: { validation_gate: 'action' } });
        const run = await api.one('POST', `${of(agent)}/runs`, { input: 'remember that it is late' }, 202);
        const path = `${of(agent)}/runs/${String(run['id'])}`;
        const paused = await until(
          () => api.one('GET', path),
          (r) => r['status'] === 'paused',
        );
        const brief = await api.one(
          'POST',
          '/v1/memories',
          { type: 'working', content: 'brief', agent_id: agent, expires_at: new Date(Date.now() + 1500).toISOString() },
          201,
        );
        const sleeper = await spawn();
        await api.one('POST', `${of(sleeper)}/messages`, { content: 'wake up' }, 201);
        await end(signal);
        expect(await api.one('GET', path)).to.deep.equal(paused);
        await api.one('POST', `${path}/resume`, { decision: 'approve' }, 202);
        await until(
          () => api.one('GET', path),
          (r) => r['status'] === 'completed',
        );
        await api.one('PATCH', `/v1/agents/${sleeper}`, { wake_on_message: true });
        await until(
          () => api.page(`${of(sleeper)}/runs`),
          (p) => p.data[0]?.['status'] === 'completed',
        );
        await until(
          () => api.one('GET', `/v1/agents/${agent}`),
          (a) => a['memory_count'] === 1,
        );
        await api.refused('GET', `/v1/memories/${String(brief['id'])}`, undefined, 'NOT_FOUND');
        expect((await api.page(`/v1/memories?agent_id=${agent}`)).data.map((m) => m['content'])).to.deep.equal([
          'it is late',
        ]);
      });

      it('the events of a run go on where a reader was cut', async () => {
        const agent = await spawn({ config: { model: 'openai/slow', multi_step: true } });
        const run = await api.one('POST', `${of(agent)}/runs`, { input: 'long' }, 202);
        const path = `${of(agent)}/runs/${String(run['id'])}/events`;
        await until(
          async () => thinker.waiting,
          (n) => n === 1,
        );
        thinker.release({ tool: 'recall', arguments: { query: 'x' } });
        await until(
          async () => thinker.waiting,
          (n) => n === 1,
        );
        await end(signal);
        await until(
          async () => thinker.waiting,
          (n) => n === 1,
        );
        thinker.release({ text: 'done' });
        await until(
          () => api.one('GET', path.replace(/\/events$/, '')),
          (r) => r['status'] === 'completed',
        );
        const text = await (
          await fetch(api.url + path, { headers: { authorization: `Bearer ${api.key}`, 'last-event-id': '1' } })
        ).text();
        const seqs = [...text.matchAll(/^id: (\d+)$/gm)].map((m) => Number(m[1]));
        expect(seqs).to.deep.equal(seqs.map((_, i) => i + 2));
        expect(text.match(/event: answer/g)).to.have.lengthOf(1);
        expect([...text.matchAll(/"status":"(\w+)"/g)].map((m) => m[1]).at(-1)).to.equal('completed');
      });

      it('nothing acknowledged under load is missing', async () => {
        const agent = await spawn({ wake_on_message: true });
        const made: string[] = [];
        const sent: string[] = [];
        let going = true;
        const worker = async (n: number): Promise<void> => {
          for (let i = 0; going; i++) {
            try {
              made.push(
                String(
                  (
                    await api.one(
                      'POST',
                      '/v1/memories',
                      { type: 'semantic', content: `load ${n} ${i}`, agent_id: agent },
                      201,
                    )
                  )['id'],
                ),
              );
              sent.push(
                String((await api.one('POST', `${of(agent)}/messages`, { content: `mail ${n} ${i}` }, 201))['id']),
              );
            } catch {
              return; /* the server has gone */
            }
          }
        };
        const workers = Array.from({ length: 8 }, (_, n) => worker(n));
        await until(
          async () => made.length,
          (n) => n > 100,
        );
        const ended = server().kill(signal);
        await Promise.race([
          ended,
          new Promise((r) => {
            setTimeout(r, 5000);
          }),
        ]);
        going = false;
        await Promise.all(workers);
        await ended;
        await server().restart();
        expect(ids(await everyItem(api, `/v1/memories?agent_id=${agent}`, 100))).to.include.members(made);
        expect(ids(await everyItem(api, `${of(agent)}/messages?order=asc`, 100))).to.include.members(sent);
        await until(
          () => api.page(`${of(agent)}/messages`),
          (p) => p.data.every((m) => m['read_at'] !== null),
        );
      });
    });
});
