/**
 * The sandbox is a world of its own (docs/api.md 5.3): a live key and a test key of one workspace, through the
 * gateway, on every route of the table and at A2A. Each side is the other's stranger.
 */
import { madeKey } from '../../helpers/minted.js';
import { expect } from 'chai';
import { routes } from '../../../gateway/rest/routes.js';
import { caller, eventually, testEngine, type TestEngine } from '../../helpers/engine.js';
import { startGateway, type Answer, type TestGateway } from '../../helpers/gateway.js';
import { protoMessage, rpc, slashMessage } from '../a2a/kit.js';

const secret = 'what-the-other-side-knows';

interface Side {
  name: 'live' | 'test';
  key: string;
  ids: Record<
    | 'agent'
    | 'hive'
    | 'memory'
    | 'shared'
    | 'run'
    | 'checkpoint'
    | 'token'
    | 'message'
    | 'key'
    | 'schedule'
    | 'webhook'
    | 'file',
    string
  >;
  tokenSecret: string;
}

describe('The sandbox and the live workspace', function suite() {
  this.timeout(30_000);
  let engine: TestEngine;
  let gateway: TestGateway;
  let live: Side;
  let test: Side;

  const ask = (who: { key: string }, method: string, path: string, body?: unknown): Promise<Answer> =>
    gateway.ask(method, path, body, { authorization: `Bearer ${who.key}` });
  const one = async (who: { key: string }, method: string, path: string, body?: unknown): Promise<Made> => {
    const answer = await ask(who, method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.within(200, 299);
    return answer.body.data as Made;
  };
  type Made = Record<string, string>;

  async function fill(name: 'live' | 'test'): Promise<Side> {
    const key = (await madeKey(engine.engine.service, caller, { name, mode: name })).secret;
    const who = { key };
    const id = async (path: string, body: unknown): Promise<string> =>
      String((await one(who, 'POST', path, body))['id']);
    const hive = await id('/v1/hives', { name: secret });
    const agent = await id('/v1/agents/spawn', { name: secret, hives: [hive] });
    const own = `/v1/agent-constellations/${agent}`;
    const memory = await id('/v1/memories', { type: 'note', content: secret, agent_id: agent, sessionId: 'named' });
    await id('/v1/memories', { type: 'note', content: `${secret} of nobody`, sessionId: 'named' });
    const shared = await id(`/v1/hives/${hive}/memories`, { type: 'note', content: secret, agent_id: agent });
    const message = await id(`${own}/messages`, { content: secret });
    const run = await id(`${own}/runs`, { input: secret, sessionId: 'named' });
    await eventually(async () => (await one(who, 'GET', `${own}/runs/${run}`))['status'] === 'completed');
    const checkpoint = ((await one(who, 'GET', `${own}/checkpoints`)) as unknown as Made[])[0]!['id']!;
    const token = await one(who, 'POST', `${own}/tokens`, { name: secret, scopes: ['agent:read', 'agent:spawn'] });
    const minted = await one(who, 'POST', '/v1/keys', { name: `by ${name}`, mode: name });
    const schedule = await id(`/v1/agents/${agent}/schedules`, { every: 86_400, input: secret });
    await one(who, 'PUT', `/v1/agents/${agent}/blocks/human`, { value: secret });
    const hook = { url: 'https://hooks.example.com/', events: ['run.failed'], description: secret };
    const webhook = await id('/v1/webhooks', hook);
    // only an agent with a model takes images; that nobody serves it does not matter here
    await one(who, 'PATCH', `/v1/agents/${agent}`, { config: { model: 'openai/none' } });
    const seen = await one(who, 'POST', `${own}/runs`, {
      input: secret,
      files: [{ mediaType: 'image/png', bytes: Buffer.from(name).toString('base64') }],
    });
    await one(who, 'PATCH', `/v1/agents/${agent}`, { config: { model: null } });
    const file = (seen['files'] as unknown as Made[])[0]!['sha256']!;
    return {
      name,
      key,
      ids: {
        agent,
        hive,
        memory,
        shared,
        run,
        checkpoint,
        message,
        token: token['id']!,
        key: minted['id']!,
        schedule,
        webhook,
        file,
      },
      tokenSecret: token['token'] ?? token['secret']!,
    };
  }

  before(async () => {
    engine = await testEngine();
    gateway = await startGateway({
      service: engine.engine.service,
    });
    live = await fill('live');
    test = await fill('test');
  });
  after(async () => {
    await gateway.stop();
    await engine.engine.stop(1000);
  });

  /** What a route is called with: the ids of `theirs`, and a body that would do. */
  function requestOf(method: string, path: string, { ids }: Side): { path: string; body?: unknown } {
    const of: Record<string, string> = {
      '/v1/agents': ids.agent,
      '/v1/agent-constellations': ids.agent,
      '/v1/hives': ids.hive,
      '/v1/memories': ids.memory,
      '/v1/keys': ids.key,
      '/v1/webhooks': ids.webhook,
      '/v1/push/dead-letters': 'out_01hzzzzzzzzzzzzzzzzzzzzzzz',
    };
    const named = path
      .replace(/^(.*?)\/:id/, (_, collection: string) => `${collection}/${of[collection]}`)
      .replace(':agentId', ids.agent)
      .replace(':runId', ids.run)
      .replace(':sessionId', 'named')
      .replace(':tokenId', ids.token)
      .replace(':toolName', 'ring')
      .replace(':scheduleId', ids.schedule)
      .replace(':scheduleName', 'daily')
      .replace(':label', 'human')
      .replace(':entryId', 'said_0123456789')
      .replace(':sha256', ids.file);
    const bodies: Record<string, unknown> = {
      'POST /v1/agents/:id/message': { content: 'x' },
      'POST /v1/agents/:id/schedules': { every: 3600, input: 'x' },
      'PATCH /v1/agents/:id/schedules/:scheduleId': { paused: true },
      'PUT /v1/agents/:id/schedules/by-name/:scheduleName': { every: 3600, input: 'x' },
      'PUT /v1/agents/:id/blocks/:label': { value: 'x' },
      'PATCH /v1/agents/:id/blocks/:label': { value: 'x' },
      'PATCH /v1/webhooks/:id': { description: 'x' },
      'PUT /v1/agents/:id': { name: 'x' },
      'PATCH /v1/agents/:id': { name: 'x' },
      'PATCH /v1/hives/:id': { name: 'x' },
      'POST /v1/hives/:id/agents': { agent_id: ids.agent },
      'POST /v1/hives/:id/memories': { type: 'note', content: 'x', agent_id: ids.agent },
      'PATCH /v1/memories/:id': { content: 'x' },
      'POST /v1/agent-constellations/:id/messages': { content: 'x' },
      'POST /v1/agent-constellations/:id/runs': { input: 'x' },
      'POST /v1/agent-constellations/:id/runs/:runId/fork': { checkpoint: ids.checkpoint },
      'POST /v1/agent-constellations/:id/tokens': { name: 'x', scopes: ['agent:read'] },
    };
    return { path: named, body: bodies[`${method} ${path}`] ?? (method === 'POST' ? {} : undefined) };
  }

  const idsIn = (side: Side): string[] =>
    Object.entries(side.ids).flatMap(([kind, id]) => (kind === 'key' ? [] : [id]));

  for (const [from, to] of [
    ['live', 'test'],
    ['test', 'live'],
  ] as const)
    describe(`${from} key, ${to} things`, () => {
      const sides = (): { mine: Side; theirs: Side } =>
        from === 'live' ? { mine: live, theirs: test } : { mine: test, theirs: live };

      for (const { method, path } of routes.filter((r) => r.path.includes(':'))) {
        // the keys of both belong to the workspace, so a live key may revoke a test key
        if (from === 'live' && path === '/v1/keys/:id') continue;
        it(`${method} ${path} finds nothing`, async () => {
          const { mine, theirs } = sides();
          const request = requestOf(method, path, theirs);
          const answer = await ask(mine, method, request.path, request.body);
          expect([answer.status, answer.body.error?.code], answer.text).to.deep.equal([404, 'NOT_FOUND']);
          expect(answer.text).not.to.contain(secret);
          // what is there for its own side
          if (method === 'GET') expect((await ask(theirs, method, request.path)).status).to.equal(200);
        });
      }

      it('an own path does not lead to things of the other', async () => {
        const { mine, theirs } = sides();
        const own = `/v1/agent-constellations/${mine.ids.agent}`;
        for (const [method, path, body, code = 'NOT_FOUND'] of [
          ['GET', `${own}/runs/${theirs.ids.run}`],
          ['GET', `${own}/runs/${theirs.ids.run}/events`],
          ['POST', `${own}/runs/${theirs.ids.run}/resume`, {}],
          ['POST', `${own}/runs/${mine.ids.run}/fork`, { checkpoint: theirs.ids.checkpoint }],
          ['DELETE', `${own}/tokens/${theirs.ids.token}`],
          ['POST', `/v1/hives/${mine.ids.hive}/agents`, { agent_id: theirs.ids.agent }],
          ['DELETE', `/v1/hives/${mine.ids.hive}/agents/${theirs.ids.agent}`],
          ['POST', `/v1/hives/${mine.ids.hive}/memories`, { type: 'note', content: 'x', agent_id: theirs.ids.agent }],
          ['GET', `/v1/memories/${theirs.ids.shared}`],
          ['GET', `/v1/memories?agent_id=${theirs.ids.agent}`],
          ['GET', `/v1/memories?hive_id=${theirs.ids.hive}`],
          ['GET', `/v1/usage?agent_id=${theirs.ids.agent}`],
          ['POST', '/v1/memories', { type: 'note', content: 'x', agent_id: theirs.ids.agent }],
          ['POST', '/v1/memories', { type: 'note', content: 'x', hive_id: theirs.ids.hive }],
          ['POST', '/v1/memories/search', { query: secret, agent_id: theirs.ids.agent }],
          ['POST', '/v1/agents/spawn', { name: 'x', hives: [theirs.ids.hive] }, 'VALIDATION_ERROR'],
          ['PATCH', `/v1/agents/${mine.ids.agent}`, { hives: [theirs.ids.hive] }, 'VALIDATION_ERROR'],
        ] as [string, string, unknown?, string?][]) {
          const answer = await ask(mine, method, path, body);
          expect(answer.body.error?.code, `${method} ${path}: ${answer.text}`).to.equal(code);
        }
      });

      it('lists, search and answers tell only its own', async () => {
        const { mine, theirs } = sides();
        for (const { path } of routes.filter((r) => r.kind === 'list' && !r.path.includes(':'))) {
          const { text } = await ask(mine, 'GET', path);
          for (const id of idsIn(theirs)) expect(text, path).not.to.contain(id);
        }
        const { text } = await ask(mine, 'GET', '/v1/memories?sessionId=named');
        expect(text).to.contain(mine.ids.memory).and.not.contain(theirs.ids.memory);
        const found = await ask(mine, 'POST', '/v1/memories/search', { query: secret });
        expect(found.text).to.contain(mine.ids.memory);
        for (const id of idsIn(theirs)) expect(found.text).not.to.contain(id);
        const reply = await ask(mine, 'POST', `/v1/agents/${mine.ids.agent}/message`, { content: secret });
        for (const id of idsIn(theirs)) expect(reply.text).not.to.contain(id);
      });

      it('cursors of the other are refused', async () => {
        const { mine, theirs } = sides();
        const { pagination } = (await ask(theirs, 'GET', '/v1/memories?page_size=1')).body;
        const answer = await ask(mine, 'GET', `/v1/memories?page_size=1&cursor=${String(pagination?.next_cursor)}`);
        expect(answer.body.error?.code).to.equal('VALIDATION_ERROR');
      });

      it('live events tell only its own', async () => {
        const { mine, theirs } = sides();
        const gone = new AbortController();
        const response = await fetch(`${gateway.url}/v1/events`, {
          headers: { authorization: `Bearer ${mine.key}` },
          signal: gone.signal,
        });
        const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
        const unheard = await one(theirs, 'POST', '/v1/agents/spawn', { name: 'unheard' });
        const marker = await one(mine, 'POST', '/v1/agents/spawn', { name: 'marker' });
        let text = '';
        while (!text.includes(marker['id']!)) text += (await reader.read()).value ?? '';
        gone.abort();
        expect(text).not.to.contain(unheard['id']);
      });

      it('A2A: neither its key nor a token of its agents opens an agent of the other', async () => {
        const { mine, theirs } = sides();
        const at = `/api/v1/a2a/agents/${theirs.ids.agent}`;
        for (const credential of [mine.key, mine.tokenSecret]) {
          for (const [method, params] of [
            ['message/send', { message: slashMessage }],
            ['message/stream', { message: slashMessage }],
            ['tasks/get', { id: theirs.ids.run }],
            ['tasks/cancel', { id: theirs.ids.run }],
            ['tasks/resubscribe', { id: theirs.ids.run }],
            ['SendMessage', { message: protoMessage }],
            ['ListTasks', {}],
          ] as const)
            expect((await rpc(gateway, method, params, { credential, at })).status, method).to.equal(404);
          for (const card of ['card', '.well-known/agent.json', '.well-known/agent-card.json'])
            expect((await ask({ key: credential }, 'GET', `${at}/${card}`)).status, card).to.equal(404);
        }
        const own = { credential: mine.key, at: `/api/v1/a2a/agents/${mine.ids.agent}` };
        expect((await rpc(gateway, 'tasks/get', { id: theirs.ids.run }, own)).body?.error?.code).to.equal(-32001);
      });

      it('a token of its agents serves its own agent', async () => {
        const { mine } = sides();
        const at = `/api/v1/a2a/agents/${mine.ids.agent}`;
        const sent = await rpc(
          gateway,
          'message/send',
          { message: slashMessage },
          { credential: mine.tokenSecret, at },
        );
        expect(sent.body, sent.text).to.have.nested.property('result.status.state', 'completed');
      });
    });

  it('usage is of each alone, and the sandbox has limits of its own', async () => {
    const usage = async (side: Side): Promise<Record<string, unknown>> => one(side, 'GET', '/v1/usage');
    const before = [await usage(live), await usage(test)];
    expect(before[0]).to.include({ mode: 'live', limit: null });
    expect(before[1]).to.include({ mode: 'test', limit: 100 });
    await one(test, 'POST', '/v1/memories', { type: 'note', content: 'one more' });
    const after = [await usage(live), await usage(test)];
    expect(after[0]).to.deep.equal(before[0]);
    expect(after[1]).to.include({ used: Number(before[1]!['used']) + 1, memories: Number(before[1]!['memories']) + 1 });
  });

  describe('keys', () => {
    const names = async (side: Side): Promise<string[]> =>
      ((await one(side, 'GET', '/v1/keys')) as unknown as Made[]).map((k) => k['name']!).sort();

    it('belong to the workspace: a live key sees all, a test key sees test keys only', async () => {
      expect(await names(live)).to.deep.equal(['by live', 'by test', 'live', 'test']);
      const listed = await ask(test, 'GET', '/v1/keys');
      expect(await names(test)).to.deep.equal(['by test', 'test']);
      expect(listed.body.pagination?.total_count).to.equal(2);
      expect(listed.text).not.to.contain(live.ids.key);
    });

    it('a test key mints test keys only', async () => {
      const answer = await ask(test, 'POST', '/v1/keys', { name: 'climbs', mode: 'live' });
      expect(answer.body.error?.details.issues?.[0]?.path).to.equal('mode');
    });

    it('a test key ends no live key, also not by the tree of one that is gone', async () => {
      const root = await one(live, 'POST', '/v1/keys', { name: 'root', mode: 'live' });
      const rootKey = { key: root['key'] ?? root['secret']! };
      const child = await one(rootKey, 'POST', '/v1/keys', { name: 'child', mode: 'live' });
      await one(live, 'DELETE', `/v1/keys/${root['id']}`);
      const answer = await ask(test, 'DELETE', `/v1/keys/${root['id']}?cascade=true`);
      expect(answer.text).not.to.contain(child['id']);
      expect((await ask({ key: child['key'] ?? child['secret']! }, 'GET', '/v1/agents')).status).to.equal(200);
    });

    it('a live key ends the test keys that it minted, with their tokens in the sandbox', async () => {
      const root = await one(live, 'POST', '/v1/keys', { name: 'root', mode: 'live' });
      const box = await one({ key: root['key']! }, 'POST', '/v1/keys', { name: 'box', mode: 'test' });
      const boxKey = { key: box['key']! };
      const agent = (await one(boxKey, 'POST', '/v1/agents/spawn', { name: 'x' }))['id']!;
      const token = await one(boxKey, 'POST', `/v1/agent-constellations/${agent}/tokens`, {
        name: 't',
        scopes: ['agent:read'],
      });
      await one(live, 'DELETE', `/v1/keys/${root['id']}?cascade=true`);
      const at = `/api/v1/a2a/agents/${agent}/card`;
      await eventually(async () => (await ask(boxKey, 'GET', '/v1/agents')).status === 401);
      await eventually(async () => (await ask({ key: token['token']! }, 'GET', at)).status === 401);
    });
  });
});
