/** Live events: of a run by SSE, of the workspace by SSE and WebSocket (docs/api.md 4.1). */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { served, until, type Json } from './support/client.js';
import { EventStream } from './support/event-stream.js';
import { startThinker, type Thinker } from './support/thinker.js';

let thinker: Thinker;
const { api, hooks } = served(async () => {
  thinker = await startThinker();
  return {
    env: {
      HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl,
      HIVEKEEP_OPENAI_API_KEY: 'sk-test',
      HIVEKEEP_HEARTBEAT_SECONDS: '0.2',
      HIVEKEEP_SHUTDOWN_SECONDS: '0.5',
    },
  };
});

const openStream = (path: string, headers?: Record<string, string>): Promise<EventStream> =>
  EventStream.open(api, path, headers);
const spawn = async (config: Json = {}): Promise<string> =>
  String((await api.one('POST', '/v1/agents/spawn', { name: 'E', config }, 201))['id']);
const start = (agent: string, input: string): Promise<Json> =>
  api.one('POST', `/v1/agent-constellations/${agent}/runs`, { input }, 202);
const eventsOf = (run: Json): string =>
  `/v1/agent-constellations/${String(run['agent_id'])}/runs/${String(run['id'])}/events`;

describe('black box: events', () => {
  hooks();
  after(async () => {
    await thinker.close();
  });

  describe('events of a run', () => {
    it('come numbered from 1 without hole, and end with the terminal status', async () => {
      const agent = await spawn({ multi_step: true });
      const run = await start(agent, 'work in 4 steps: what do we know?');
      const stream = await openStream(eventsOf(run));
      const frames = await stream.end();
      expect(stream.response.status).to.equal(200);
      expect(stream.response.headers.get('content-type')).to.match(/^text\/event-stream/);
      expect(stream.response.headers.get('x-accel-buffering')).to.equal('no');
      expect(stream.response.headers.get('cache-control')).to.match(/no-cache|no-store/);
      expect(stream.response.headers.get('x-request-id')).to.match(/^req_/);
      expect(frames.map((f) => f.id)).to.deep.equal(frames.map((_, i) => String(i + 1)));
      for (const { id, event, data } of frames) {
        expect(data['seq']).to.equal(Number(id));
        expect(data['type']).to.equal(event);
        expect(Number.isNaN(Date.parse(String(data['at'])))).to.equal(false);
      }
      expect(frames[0]!.data).to.include({ type: 'status', status: 'running' });
      expect(frames.at(-1)!.data).to.include({ type: 'status', status: 'completed', stopReason: 'answer' });
      expect(frames.at(-2)!.data).to.have.keys('seq', 'at', 'type', 'content');
      const thoughts = (await api.page(`/v1/agent-constellations/${agent}/thoughts?order=asc`)).data;
      expect(frames.filter((f) => f.event === 'thought').map((f) => f.data['thought'])).to.deep.equal(thoughts);
    });

    it('go on after Last-Event-ID, by header or query; an ended run tells the rest and closes', async () => {
      const run = await start(await spawn({ multi_step: true }), 'work in 3 steps: anything?');
      const all = await (await openStream(eventsOf(run))).end();
      for (let last = 0; last <= all.length; last += 3) {
        expect(await (await openStream(eventsOf(run), { 'last-event-id': String(last) })).end()).to.deep.equal(
          all.slice(last),
        );
        expect(await (await openStream(`${eventsOf(run)}?lastEventId=${last}`)).end()).to.deep.equal(all.slice(last));
      }
      expect(await (await openStream(eventsOf(run), { 'last-event-id': '99999' })).end()).to.deep.equal([]);
    });

    it('come live, with heartbeats in between; who leaves does not end the run', async () => {
      const agent = await spawn({ model: 'openai/slow', multi_step: true });
      const run = await start(agent, 'slowly');
      const streams = [await openStream(eventsOf(run)), await openStream(eventsOf(run))];
      await until(
        async () => streams.every((s) => s.frames.length === 1 && s.heartbeats > 0) && thinker.waiting === 1,
        (ok) => ok,
      );
      streams[0]!.close();
      thinker.release({ tool: 'recall', arguments: { query: 'x' } });
      await until(
        async () => thinker.waiting,
        (n) => n === 1,
      );
      const late = await openStream(eventsOf(run));
      thinker.release({ text: 'the answer' });
      const frames = await streams[1]!.end();
      expect(frames.map((f) => f.id)).to.deep.equal(frames.map((_, i) => String(i + 1)));
      expect(frames.find((f) => f.event === 'answer')!.data).to.include({ content: 'the answer' });
      expect(await late.end()).to.deep.equal(frames);
    });

    it('tell the text of an answer while it is written, without ids; who comes back has the answer whole and once', async function () {
      this.timeout(10_000);
      const run = await start(await spawn({ model: 'openai/slow' }), 'write');
      const stream = await openStream(eventsOf(run));
      const shows = (s: EventStream, text: string): Promise<unknown> =>
        until(
          async () =>
            s.frames.reduce(
              (shown, { event, data }) =>
                event === 'delta' ? `${data['append'] === true ? shown : ''}${String(data['text'])}` : shown,
              '',
            ),
          (shown) => shown === text,
        );
      await until(
        async () => thinker.waiting,
        (n) => n === 1,
      );
      thinker.write('The answer ');
      await shows(stream, 'The answer ');
      const [delta] = stream.frames.filter((f) => f.event === 'delta');
      expect(delta!.id).to.equal(null);
      expect(delta!.data).to.have.keys('type', 'at', 'step', 'append', 'text');
      expect(delta!.data).to.include({ type: 'delta', step: 1, append: false, text: 'The answer ' });
      stream.close();
      const last = stream.frames.findLast((f) => f.id !== null)!.id!;
      const back = await openStream(eventsOf(run), { 'last-event-id': last });
      thinker.write('is ');
      await shows(back, 'The answer is ');
      thinker.release({ text: '42.' });
      const frames = (await back.end()).filter((f) => f.event !== 'delta');
      expect(frames.map((f) => Number(f.id))).to.deep.equal(frames.map((_, i) => Number(last) + 1 + i));
      expect(frames.filter((f) => f.event === 'answer').map((f) => f.data['content'])).to.deep.equal([
        'The answer is 42.',
      ]);
      const kept = await (await openStream(eventsOf(run))).end();
      expect(
        kept.filter((f) => f.event === 'delta'),
        'in the journal',
      ).to.deep.equal([]);
      expect(kept.slice(Number(last))).to.deep.equal(frames);
    });

    it('the text of a gated answer is not told before a human lets it out', async () => {
      const run = await start(await spawn({ model: 'openai/slow', validation_gate: 'answer' }), 'write');
      const stream = await openStream(eventsOf(run));
      await until(
        async () => thinker.waiting,
        (n) => n === 1,
      );
      thinker.write('between us');
      const beats = stream.heartbeats;
      await until(
        async () => stream.heartbeats,
        (n) => n > beats + 1,
      );
      thinker.release({ text: ' two' });
      await until(
        async () => stream.frames.at(-1)?.data['status'],
        (s) => s === 'paused',
      );
      expect(stream.frames.map((f) => f.event)).to.not.include('delta');
      expect(JSON.stringify(stream.frames.filter((f) => f.event !== 'status'))).to.not.include('between us');
      await api.one('POST', eventsOf(run).replace(/events$/, 'resume'), { decision: 'approve' }, 202);
      expect((await stream.end()).find((f) => f.event === 'answer')!.data).to.include({ content: 'between us two' });
    });

    it('stay open over a pause, and end with the agent', async () => {
      const agent = await spawn({ validation_gate: 'answer' });
      const run = await start(agent, 'hello');
      const stream = await openStream(eventsOf(run));
      await until(
        async () => stream.frames.at(-1)?.data['status'],
        (s) => s === 'paused',
      );
      await api.one('POST', eventsOf(run).replace(/events$/, 'resume'), { decision: 'approve' }, 202);
      expect((await stream.end()).at(-1)!.data).to.include({ status: 'completed' });
      expect(stream.frames.map((f) => f.data['status']).filter(Boolean)).to.deep.equal([
        'running',
        'paused',
        'running',
        'completed',
      ]);

      const other = await spawn({ model: 'openai/slow' });
      const endless = await start(other, 'endless');
      const open = await openStream(eventsOf(endless));
      await until(
        async () => open.frames.length,
        (n) => n > 0,
      );
      await api.one('DELETE', `/v1/agents/${other}`);
      const frames = await open.end();
      expect(frames.at(-1)!.data).to.include({ type: 'status', status: 'cancelled' });
    });
  });

  describe('events of the workspace', () => {
    async function stir(): Promise<{ agent: string; types: string[] }> {
      const agent = await spawn();
      const hive = await api.one('POST', '/v1/hives', { name: 'h' }, 201);
      const memory = await api.one('POST', '/v1/memories', { type: 'semantic', content: 'x', agent_id: agent }, 201);
      await api.one('PATCH', `/v1/memories/${String(memory['id'])}`, { content: 'y' });
      await api.one('DELETE', `/v1/memories/${String(memory['id'])}`);
      await api.one('POST', `/v1/agent-constellations/${agent}/messages`, { content: 'mail' }, 201);
      await api.one('POST', `/v1/agents/${agent}/message`, { content: 'hello' });
      await api.one('PATCH', `/v1/agents/${agent}`, { name: 'other' });
      await api.one('DELETE', `/v1/hives/${String(hive['id'])}`);
      await api.one('DELETE', `/v1/agents/${agent}`);
      return {
        agent,
        types: [
          'agent.created',
          'hive.created',
          'memory.created',
          'memory.updated',
          'memory.deleted',
          'message.received',
          'run.status',
          'run.status',
          'agent.updated',
          'hive.deleted',
          'agent.deleted',
        ],
      };
    }

    it('come by SSE: all, or those that a filter lets through', async () => {
      const all = await openStream('/v1/events');
      const some = await openStream('/v1/events?types=agent,run.status');
      const { agent, types } = await stir();
      await until(
        async () => all.frames.at(-1)?.event,
        (t) => t === 'agent.deleted',
      );
      expect(all.frames.map((f) => f.event)).to.deep.equal(types);
      for (const { event, data } of all.frames) {
        expect(data).to.have.all.keys('type', 'at', 'data');
        expect(data['type']).to.equal(event);
      }
      expect(all.frames[0]!.data['data']).to.include({ agent_id: agent });
      await until(
        async () => some.frames.at(-1)?.event,
        (t) => t === 'agent.deleted',
      );
      expect(some.frames.map((f) => f.event)).to.deep.equal(
        types.filter((t) => t.startsWith('agent.') || t === 'run.status'),
      );
      await until(
        async () => all.heartbeats,
        (n) => n > 0,
      );
      for (const s of [all, some]) s.close();
    });

    it('come by WebSocket the same', async () => {
      const socket = new WebSocket(`${api.url.replace('http', 'ws')}/v1/events`, {
        headers: { authorization: `Bearer ${api.key}` },
      });
      const got: Json[] = [];
      socket.on('message', (data) => got.push(JSON.parse((data as Buffer).toString()) as Json));
      await new Promise((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      });
      const { types } = await stir();
      await until(
        async () => got.at(-1)?.['type'],
        (t) => t === 'agent.deleted',
      );
      expect(got.map((e) => e['type'])).to.deep.equal(types);
      socket.close();
    });

    it('need a key with agent:read, before the upgrade too', async () => {
      const weak = String(
        (await api.one('POST', '/v1/keys', { name: 'weak', mode: 'live', scopes: ['usage:read'] }, 201))['key'],
      );
      for (const [key, status] of [
        [weak, 403],
        ['svc_live_nobody', 401],
        ['', 401],
      ] as const) {
        const socket = new WebSocket(
          `${api.url.replace('http', 'ws')}/v1/events`,
          key === '' ? {} : { headers: { authorization: `Bearer ${key}` } },
        );
        const refused = await new Promise<number | undefined>((resolve, reject) => {
          socket.once('unexpected-response', (_, response) => {
            resolve(response.statusCode);
          });
          socket.once('open', () => {
            reject(new Error('it opened'));
          });
        });
        expect(refused).to.equal(status);
        socket.on('error', () => undefined).terminate();
      }
    });

    it('say when a memory expires', async () => {
      const stream = await openStream('/v1/events?types=memory.deleted');
      const made = await api.one(
        'POST',
        '/v1/memories',
        { type: 'working', content: 'brief', expires_at: new Date(Date.now() + 1500).toISOString() },
        201,
      );
      await until(
        async () => stream.frames.length,
        (n) => n === 1,
      );
      expect((stream.frames[0]!.data['data'] as Json)['memory_id']).to.equal(made['id']);
      stream.close();
    });
  });
});
