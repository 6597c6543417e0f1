/**
 * Two workspaces, the second made by the command line beside the running server: nothing of one is to be seen from the
 * other, by any route (docs/api.md 1).
 */
import { expect } from 'chai';
import { cli } from '../../helpers/cli.js';
import { everyItem, served, until, type Api, type Json } from './support/client.js';

const { api, as, server, hooks } = served(() => ({}));
let other: Api;
const secret = 'the-secret-of-workspace-one';

interface Things {
  agent: string;
  own: string;
  run: string;
  checkpoint: string;
  message: string;
  token: string;
  memory: string;
  hive: string;
  shared: string;
  key: string;
}
let mine: Things;

async function fill(client: Api): Promise<Things> {
  const id = async (path: string, body: Json, status = 201): Promise<string> =>
    String((await client.one('POST', path, body, status))['id']);
  const hive = await id('/v1/hives', { name: secret });
  const agent = await id('/v1/agents/spawn', { name: secret, hives: [hive], config: { validation_gate: 'answer' } });
  const own = `/v1/agent-constellations/${agent}`;
  const memory = await id('/v1/memories', {
    type: 'semantic',
    content: `${secret} in an agent`,
    agent_id: agent,
    sessionId: 'shared-name',
  });
  await id('/v1/memories', { type: 'semantic', content: `${secret} in the workspace`, sessionId: 'shared-name' });
  const shared = await id(`/v1/hives/${hive}/memories`, {
    type: 'semantic',
    content: `${secret} in a hive`,
    agent_id: agent,
  });
  const message = await id(`${own}/messages`, { content: `${secret} in the mailbox` });
  const token = await id(`${own}/tokens`, { name: secret, scopes: ['agent:read'] });
  const key = await id('/v1/keys', { name: secret, mode: 'live' });
  const run = await id(`${own}/runs`, { input: secret, sessionId: 'shared-name' }, 202);
  await until(
    () => client.one('GET', `${own}/runs/${run}`),
    (r) => r['status'] === 'paused',
  );
  await client.one('POST', `${own}/runs/${run}/resume`, { decision: 'approve' }, 202);
  await until(
    () => client.one('GET', `${own}/runs/${run}`),
    (r) => r['status'] === 'completed',
  );
  const checkpoint = String((await client.page(`${own}/checkpoints`)).data[0]!['id']);
  return { agent, own, run, checkpoint, message, token, memory, hive, shared, key };
}

describe('black box: two workspaces', function suite() {
  hooks();
  this.timeout(20_000);
  before(async function prepare() {
    this.timeout(60_000);
    const env = server().beside;
    mine = await fill(api);
    expect((await cli(['workspace', 'create', 'second', '--tier', 'team'], env)).code).to.equal(0);
    const made = await cli(['key', 'create', '--workspace', 'second', '--mode', 'live', '--name', 'second'], env);
    expect(made.stdout).to.match(/^svc_live_\S+\n$/);
    other = as(made.stdout.trim());
  });

  it('the second one is served at once, and is empty', async () => {
    for (const list of ['/v1/agents', '/v1/memories', '/v1/hives'])
      expect(await other.page(list), list).to.deep.equal({
        data: [],
        pagination: { next_cursor: null, has_more: false, total_count: 0 },
      });
    expect((await other.page('/v1/keys')).data.map((k) => k['name'])).to.deep.equal(['second']);
    expect(await other.one('GET', '/v1/usage')).to.include({
      used: 0,
      agents: 0,
      hives: 0,
      memories: 0,
      limit: 500_000,
    });
    expect((await other.page('/v1/memories?sessionId=shared-name')).data).to.deep.equal([]);
  });

  it('search, recall, sends and sessions by name stay inside', async () => {
    const agent = String((await other.one('POST', '/v1/agents/spawn', { name: 'asker' }, 201))['id']);
    expect((await other.ask('POST', '/v1/memories/search', { query: secret })).body.data).to.deep.equal([]);
    const reply = await other.one('POST', `/v1/agents/${agent}/message`, {
      content: `What do you know about ${secret}?`,
      sessionId: 'shared-name',
    });
    expect(reply['memories_consulted']).to.deep.equal([]);
    for (const to of [mine.agent, `"${secret}"`])
      await other.one('POST', `/v1/agents/${agent}/message`, { content: `tell ${to}: hello from outside` });
    await other.one('POST', `/v1/agents/${agent}/message`, { content: `share with ${mine.hive}: hello from outside` });
    const given = [{ role: 'tool', tool_call_id: `${mine.run}.1.1`, content: 'hello from outside' }];
    const completion = await fetch(`${server().url}/v1/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: agent, messages: given }),
    });
    expect(await completion.json()).to.have.nested.property('error.param', 'messages.0.tool_call_id');
    const mail = await everyItem(api, `${mine.own}/messages`, 100);
    const shared = await everyItem(api, `/v1/hives/${mine.hive}/memories`, 100);
    expect(JSON.stringify([mail, shared])).to.not.contain('from outside');
    expect(
      (await other.page(`/v1/agent-constellations/${agent}/thoughts?sessionId=shared-name`)).data.every(
        (t) => t['agent_id'] === agent,
      ),
    ).to.equal(true);
    await other.one('POST', `/v1/agent-constellations/${agent}/messages`, { content: 'named', from: mine.agent }, 201);
  });

  it('live events of one are not told to the other', async () => {
    const abort = new AbortController();
    const response = await fetch(`${api.url}/v1/events`, {
      headers: { authorization: `Bearer ${other.key}` },
      signal: abort.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const next = async (): Promise<string> => (await reader.read()).value ?? '';
    let text = await next();
    await api.one('POST', '/v1/agents/spawn', { name: `${secret} spawned` }, 201);
    const marker = await other.one('POST', '/v1/agents/spawn', { name: 'marker' }, 201);
    while (!text.includes(String(marker['id']))) text += await next();
    abort.abort();
    expect(text).to.not.contain(secret);
  });
});
