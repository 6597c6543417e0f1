/**
 * What a key or a token holds open ends with it, however it ends: by REST, by the command line beside the server, by
 * its time, by its agent. And what is told of keys and tokens afterwards.
 */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { cli } from '../../helpers/cli.js';
import { elsewhereMs, everywhere } from '../../helpers/cluster-mode.js';
import { everyItem, served, until, type Json } from './support/client.js';
import { startThinker, type Thinker } from './support/thinker.js';

let thinker: Thinker;
const { api, as, server, hooks } = served(async () => {
  thinker = await startThinker();
  return {
    env: {
      HIVEKEEP_HEARTBEAT_SECONDS: '300',
      HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl,
      HIVEKEEP_OPENAI_API_KEY: 'sk-test',
      HIVEKEEP_SHUTDOWN_SECONDS: '0.5',
    },
  };
});

interface Held {
  what: string;
  ended: boolean;
  endedAt: number;
  text: string;
  code: number;
  close(): void;
}

const fresh = (what: string): Held => ({ what, ended: false, endedAt: 0, text: '', code: 0, close: () => undefined });

async function stream(what: string, path: string, credential: string, body?: object): Promise<Held> {
  const held = fresh(what);
  const abort = new AbortController();
  const response = await fetch(api.url + path, {
    method: body ? 'POST' : 'GET',
    signal: abort.signal,
    body: body && JSON.stringify(body),
    headers: {
      authorization: `Bearer ${credential}`,
      accept: 'text/event-stream',
      ...(body && { 'content-type': 'application/json' }),
    },
  });
  expect(response.status, what).to.equal(200);
  held.close = () => abort.abort();
  void (async () => {
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) held.text += chunk;
    } catch {
      held.text += '<cut>';
    }
    held.endedAt = Date.now();
    held.ended = true;
  })();
  await until(
    async () => held.text,
    (text) => text.includes('retry:'),
  );
  return held;
}

async function socket(credential: string): Promise<Held> {
  const held = fresh('a WebSocket');
  const ws = new WebSocket(`${api.url.replace('http', 'ws')}/v1/events`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  ws.on('close', (code, reason) => {
    held.code = code;
    held.text = reason.toString();
    held.endedAt = Date.now();
    held.ended = true;
  });
  held.close = () => ws.terminate();
  return held;
}

/** An agent with a run that thinks for as long as the test lasts, so that every stream of it stays open. */
async function thinkingRun(): Promise<{ agent: string; run: string }> {
  const agent = String(
    (await api.one('POST', '/v1/agents/spawn', { name: 'W', config: { model: 'openai/slow', multi_step: true } }, 201))[
      'id'
    ],
  );
  const run = String(
    (await api.one('POST', `/v1/agent-constellations/${agent}/runs`, { input: 'say hello' }, 202))['id'],
  );
  await until(
    () => api.one('GET', `/v1/agent-constellations/${agent}/runs/${run}`),
    (r) => r['status'] === 'running',
  );
  return { agent, run };
}

const resubscribe = (run: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tasks/resubscribe',
  params: { id: run },
});
const key = async (more: Json = {}): Promise<Json> =>
  api.one('POST', '/v1/keys', { name: 'k', mode: 'live', ...more }, 201);
const inSeconds = (s: number): string => new Date(Date.now() + s * 1000).toISOString();

/** Everything that a key can hold open. */
async function everything(credential: string, { agent, run }: { agent: string; run: string }): Promise<Held[]> {
  return Promise.all([
    stream("the workspace's events", '/v1/events', credential),
    stream("a run's events", `/v1/agent-constellations/${agent}/runs/${run}/events`, credential),
    stream('an A2A task', `/api/v1/a2a/agents/${agent}`, credential, resubscribe(run)),
    socket(credential),
  ]);
}

async function allEnded(held: readonly Held[], since: number, withinMs: number): Promise<void> {
  await until(
    async () => held.filter((h) => !h.ended).map((h) => h.what),
    (open) => open.length === 0,
    withinMs + 5000,
  );
  for (const one of held) {
    expect(one.endedAt - since, one.what).to.be.below(withinMs);
    expect(one.text, one.what).to.include('was revoked or has expired').and.not.include('<cut>');
    if (one.code !== 0) expect(one.code).to.equal(1008);
  }
}

describe('black box: what ends with a credential', () => {
  hooks();
  let thinking: { agent: string; run: string };
  let others: Held[] = [];
  before(async () => {
    thinking = await thinkingRun();
    others = await everything(api.key, thinking);
  });
  after(async () => {
    for (const one of others) one.close();
    await thinker.close();
  });
  afterEach('others go on', async () => {
    const told = others[0]!.text.length;
    await api.one('PATCH', `/v1/agents/${thinking.agent}`, { metadata: { n: Date.now() } });
    await until(
      async () => others[0]!.text.length,
      (length) => length > told,
    );
    expect(others.filter((h) => h.ended)).to.deep.equal([]);
  });

  it('revoked by REST: at once', async () => {
    const { key: secret, id } = await key();
    const held = await everything(String(secret), thinking);
    const since = Date.now();
    await api.one('DELETE', `/v1/keys/${String(id)}`);
    await allEnded(held, since, 1000 + elsewhereMs);
  });

  it('revoked by the command line beside the server: within 2 s', async () => {
    const { key: secret, id } = await key();
    const held = await everything(String(secret), thinking);
    const done = await cli(['key', 'revoke', String(id)], server().beside);
    const since = Date.now();
    expect(done.code, done.stderr).to.equal(0);
    await allEnded(held, since, 2000 + elsewhereMs);
    await everywhere();
    await as(String(secret)).refused('GET', '/v1/agents', undefined, 'UNAUTHENTICATED');
  }).timeout(30_000);

  it('expired: within a second and a little', async () => {
    const end = inSeconds(2);
    const { key: secret } = await key({ expires_at: end });
    const held = await everything(String(secret), thinking);
    expect(held.filter((h) => h.ended)).to.deep.equal([]);
    await allEnded(held, Date.parse(end), 2000 + elsewhereMs);
  });

  it('a token: revoked, and with its agent', async () => {
    const path = `/v1/agent-constellations/${thinking.agent}/tokens`;
    const mint = (): Promise<Json> => api.one('POST', path, { name: 't', scopes: ['agent:read'] }, 201);
    const token = await mint();
    const held = await stream(
      'an A2A task',
      `/api/v1/a2a/agents/${thinking.agent}`,
      String(token['token']),
      resubscribe(thinking.run),
    );
    const since = Date.now();
    await api.one('DELETE', `${path}/${String(token['id'])}`);
    await allEnded([held], since, 1000 + elsewhereMs);
    const doomed = await thinkingRun();
    const theirs = await api.one(
      'POST',
      `/v1/agent-constellations/${doomed.agent}/tokens`,
      { name: 't', scopes: ['agent:read'] },
      201,
    );
    const last = await stream(
      'an A2A task',
      `/api/v1/a2a/agents/${doomed.agent}`,
      String(theirs['token']),
      resubscribe(doomed.run),
    );
    await api.one('DELETE', `/v1/agents/${doomed.agent}`);
    await until(
      async () => last.ended,
      (ended) => ended,
    );
    expect(last.text, 'its run is not cancelled, it is gone').to.not.include('<cut>');
    await everywhere();
    await as(String(theirs['token'])).refused('GET', '/v1/agents', undefined, 'UNAUTHENTICATED');
  });

  it('when a key was last used is told within seconds, to the minute', async () => {
    const { key: secret, id } = await key();
    const lastUsed = async (): Promise<unknown> =>
      (await everyItem(api, '/v1/keys', 100)).find((k) => k['id'] === id)?.['last_used_at'];
    expect(await lastUsed()).to.equal(null);
    const before = Date.now();
    await as(String(secret)).page('/v1/agents');
    const at = await until(lastUsed, (found) => found !== null);
    expect(Date.parse(String(at))).to.be.within(before - 1, Date.now());
    const listed = await cli(['key', 'list', '--workspace', 'default'], server().beside);
    expect(listed.stdout.split('\n').find((line) => line.startsWith(String(id)))).to.include(String(at));
  });

  it('every mint and revoke is in the audit, by REST and by the command line, and needs workspace:admin', async () => {
    const dir = server().beside;
    const made = await key({ name: 'audited', scopes: ['agent:read'] });
    const agent = String((await api.one('POST', '/v1/agents/spawn', { name: 'A' }, 201))['id']);
    const token = await api.one(
      'POST',
      `/v1/agent-constellations/${agent}/tokens`,
      { name: 'peer', scopes: ['agent:read'] },
      201,
    );
    await api.one('DELETE', `/v1/agents/${agent}`);
    await cli(['key', 'revoke', String(made['id'])], dir);
    const all = await everyItem(api, '/v1/audit', 3);
    const about = (id: unknown): Json[] => all.filter((r) => r['credential_id'] === id);
    expect(JSON.stringify(all))
      .to.not.include(String(made['key']).slice(9))
      .and.not.include(String(token['token']).slice(3));
    const admin = all.find((r) => r['actor'] === 'server start')!['credential_id'];
    expect(about(made['id']).map((r) => [r['action'], r['actor'], r['from'], r['name'], r['scopes']])).to.deep.equal([
      ['key.revoked', 'command line', null, 'audited', ['agent:read']],
      ['key.created', admin, '127.0.0.1', 'audited', ['agent:read']],
    ]);
    expect(about(token['id']).map((r) => [r['action'], r['actor'], r['agent_id']])).to.deep.equal([
      ['token.revoked', admin, agent],
      ['token.created', admin, agent],
    ]);
    const listed = await cli(['audit', 'list', '--workspace', 'default', '--json'], dir);
    expect(JSON.parse(listed.stdout)).to.deep.equal(await everyItem(api, '/v1/audit', 100));
    const table = await cli(['audit', 'list', '--workspace', 'default'], dir);
    expect(table.stdout.split('\n')[0]).to.match(/^WHEN +WHAT +OF +NAME +AGENT +BY +FROM +MORE$/);
    const poor = await key({ scopes: ['agent:read'] });
    await as(String(poor['key'])).refused('GET', '/v1/audit', undefined, 'INSUFFICIENT_SCOPE');
  }).timeout(30_000);
});
