/** Any gateway answers for any agent, and two of them are one service: records, searches, keys, limits. */
import { expect } from 'chai';
import type { Tier } from '../../../src/domain/shared/vocabulary.js';
import { openMongoStore } from '../../../src/store/mongo/open.js';
import { everyItem, type Answer, type Api, type Json, until } from '../api/support/client.js';
import { connect, connectSdk1 } from '../mcp/support/clients.js';
import { resultOf } from '../mcp/support/wire.js';
import { clusterWorld, placementOf } from './support.js';
import { patient } from '../../helpers/patience.js';
import { usedWorkspace } from '../../helpers/stored.js';

const world = clusterWorld();
const { at, spawn, thinking } = world;
const of = (agent: string): string => `/v1/agent-constellations/${agent}`;

/**
 * A workspace of this tier with a live key, in which so many memories of this month count already; written beside the
 * running processes, as the command line does.
 */
async function workspace(name: string, tier: Tier, used: number): Promise<string> {
  const store = await openMongoStore({ url: world.cluster().settings['HIVEKEEP_MONGODB_URL'] ?? '' });
  try {
    return await (
      await usedWorkspace(store, name, tier, used)
    )('live');
  } finally {
    await store.close();
  }
}

/** As `ask`, where a 503 is an answer like others. */
async function raw(gateway: number, key: string, method: string, path: string, body: Json): Promise<Answer> {
  const response = await fetch(at(gateway).url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Answer['body'] };
}

const statusesOf = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** How many shards each owner has, least first. */
const sharesOf = (owners: readonly (string | null)[]): number[] =>
  [...new Set(owners)]
    .filter((owner) => owner !== null)
    .map((owner) => owners.filter((o) => o === owner).length)
    .sort((a, b) => a - b);

describe('cluster: two gateways, one service', function suite() {
  this.timeout(60_000);
  world.hooks();

  it('every shard has a worker, and the two hold equal shares', async () => {
    const shares = (): Promise<number[]> =>
      placementOf(world.cluster()).then(({ leases }) => sharesOf(leases.map((l) => l.owner)));
    await until(shares, ([less = 0, more = 0]) => less + more === 256 && less > 80);
    expect(world.cluster().workers.map((w) => w.role)).to.deep.equal(['worker', 'worker']);
  });

  it('a search of the workspace finds what both workers serve, and a hive is recalled by agents at either', async () => {
    const word = `zephyr${Date.now()}`;
    const hive = String((await at(0).one('POST', '/v1/hives', { name: 'h' }, 201))['id']);
    const owners = new Set<string>();
    const agents: string[] = [];
    for (let i = 0; i < 40 && (owners.size < 2 || agents.length < 4); i++) {
      const agent = await spawn({ hives: [hive] });
      agents.push(agent);
      owners.add((await world.workerOf(agent)).name);
    }
    expect(owners.size).to.equal(2);
    await Promise.all(
      agents.map((agent, i) =>
        at(i % 2).one(
          'POST',
          '/v1/memories',
          { type: 'semantic', content: `${word} number ${i}`, agent_id: agent },
          201,
        ),
      ),
    );
    await at(0).one(
      'POST',
      `/v1/hives/${hive}/memories`,
      { type: 'semantic', content: `the secret port of ${word} is 4711`, agent_id: agents[0] },
      201,
    );
    for (const n of [0, 1]) {
      // a worker that is late is missing, and the answer says so
      let body: Json & { data?: unknown } = {};
      await until(async () => {
        body = (await at(n).ask('POST', '/v1/memories/search', { query: word, limit: 50 })).body;
        return body['partial'] !== true;
      }, Boolean);
      const found = body.data as Json[];
      expect(found.map((m) => String(m['content'])).sort()).to.deep.equal(
        [...agents.map((_, i) => `${word} number ${i}`), `the secret port of ${word} is 4711`].sort(),
      );
    }
    for (const [i, agent] of agents.entries())
      expect(
        (
          await at(i % 2).one('POST', `/v1/agents/${agent}/message`, { content: `what is the secret port of ${word}?` })
        )['response'],
      ).to.contain('4711');
  });

  it('an Idempotency-Key at the other gateway: it waits for what the first waits for, and is answered the same; another body is 422', async () => {
    const agent = await thinking();
    const headers = { 'idempotency-key': `k-${agent}` };
    const ask = (n: number, content = 'think'): Promise<Answer> =>
      at(n).ask('POST', `/v1/agents/${agent}/message`, { content }, headers);
    const first = ask(0);
    await until(
      async () => world.thinker().waiting,
      (n) => n === 1,
    );
    const meanwhile = [ask(0), ask(1)];
    world.thinker().release({ text: 'thought' });
    const done = await first;
    expect(done.status, done.text).to.equal(200);
    expect((done.body.data as Json)['response']).to.equal('thought');
    for (const again of [...(await Promise.all(meanwhile)), await ask(1)]) {
      expect([again.status, again.headers.get('idempotent-replayed')], again.text).to.deep.equal([200, 'true']);
      expect(again.body).to.deep.equal(done.body);
    }
    expect((await ask(1, 'think of something else')).status).to.equal(422);
    expect(await everyItem(at(1), `${of(agent)}/runs`, 100)).to.have.lengthOf(1);
    expect(world.thinker().waiting).to.equal(0);
  });

  it('clients of MCP do not notice which gateway they reach: each request goes to the other one', async () => {
    const agent = await thinking();
    let sent = 0;
    const to = {
      url: `${at(0).url}/mcp/agents/${agent}`,
      key: world.cluster().key,
      fetch: ((url, init) =>
        fetch(
          String(url instanceof Request ? url.url : url).replace(at(0).url, at(sent++ % 2).url),
          init,
        )) as typeof fetch,
    };
    const person = (): { action: 'accept'; content: Json } => ({ action: 'accept', content: { answer: 'blue' } });
    const clients = [
      await connect(to, { person }),
      await connect(to, { legacy: true, person }),
      await connectSdk1(to, () => ({ action: 'decline' })),
    ] as const;
    try {
      for (const [n, client] of clients.entries()) {
        await client.callTool({ name: 'remember', arguments: { content: `lamp ${n} is green` } });
        const { structuredContent } = await client.callTool({ name: 'recall', arguments: { query: `lamp ${n}` } });
        expect(JSON.stringify(structuredContent)).to.include(`lamp ${n} is green`);
      }
      const think = async (thought: Parameters<ReturnType<typeof world.thinker>['release']>[0]): Promise<void> => {
        await until(
          async () => world.thinker().waiting,
          (n) => n === 1,
        );
        world.thinker().release(thought);
      };
      for (const client of clients) {
        const asked = client.callTool({ name: 'ask_agent', arguments: { message: 'Paint it' } });
        await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
        if (client !== clients[2]) await think({ text: 'It is blue.' });
        expect((await asked).structuredContent).to.include(
          client === clients[2] ? { status: 'paused' } : { output: 'It is blue.' },
        );
      }
      expect(sent).to.be.greaterThan(12);

      const [one, other] = [0, 1].map((n) => ({ ...to, url: `${at(n).url}/mcp/agents/${agent}` })) as [
        typeof to,
        typeof to,
      ];
      const call = { name: 'start_run', arguments: { input: 'Paint another' } };
      const { taskId } = await resultOf(one, 'tools/call', call);
      await think({ tool: 'ask_human', arguments: { question: 'Which one?' } });
      const { inputRequests } = await until(
        () => resultOf(other, 'tasks/get', { taskId }),
        ({ status }) => status === 'input_required',
      );
      const [key = ''] = Object.keys(inputRequests as Json);
      await resultOf(one, 'tasks/update', { taskId, inputResponses: { [key]: person() } });
      await think({ text: 'That one.' });
      const { result } = await until(
        () => resultOf(other, 'tasks/get', { taskId }),
        ({ status }) => status === 'completed',
      );
      expect((result as { structuredContent: Json }).structuredContent).to.include({ output: 'That one.' });
    } finally {
      await Promise.all(clients.map((client) => client.close()));
    }
  });

  it('a cursor and an ETag of one gateway are good at the other', async () => {
    const agent = await spawn();
    for (let i = 0; i < 5; i++)
      await at(0).one('POST', '/v1/memories', { type: 'semantic', content: `m${i}`, agent_id: agent }, 201);
    const seen: string[] = [];
    for (let cursor: string | null = '', n = 0; cursor !== null; n++) {
      const page = await at(n % 2).page(
        `/v1/memories?agent_id=${agent}&page_size=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...page.data.map((m) => String(m['content'])));
      cursor = page.pagination.next_cursor;
    }
    expect(seen).to.deep.equal(['m4', 'm3', 'm2', 'm1', 'm0']);
    const etag = (await at(0).ask('GET', `/v1/agents/${agent}`)).headers.get('etag') ?? '';
    expect(
      (await at(1).ask('PATCH', `/v1/agents/${agent}`, { description: 'x' }, { 'if-match': etag })).status,
    ).to.equal(200);
    expect(
      (await at(0).ask('PATCH', `/v1/agents/${agent}`, { description: 'y' }, { 'if-match': etag })).status,
    ).to.equal(412);
  });

  it('keys and tokens minted at one gateway open the other at once; revoked, they open neither within 2 s', async () => {
    const agent = await spawn();
    const key = await at(0).one('POST', '/v1/keys', { name: 'k', mode: 'live' }, 201);
    const secret = String(key['key']);
    const token = await at(1).one('POST', `${of(agent)}/tokens`, { name: 't', scopes: ['agent:read'] }, 201);
    const raw = String(token['token']);
    const card = (n: number): Promise<Answer> => at(n, raw).ask('GET', `/api/v1/a2a/agents/${agent}/card`);
    expect((await at(1, secret).ask('GET', '/v1/agents')).status).to.equal(200);
    expect((await card(0)).status).to.equal(200);
    expect((await card(1)).status).to.equal(200);
    await at(1).one('DELETE', `/v1/keys/${String(key['id'])}`);
    await at(0).one('DELETE', `${of(agent)}/tokens/${String(token['id'])}`);
    expect((await at(1, secret).ask('GET', '/v1/agents')).status, 'where it was revoked: at once').to.equal(401);
    expect((await card(0)).status).to.equal(401);
    const since = Date.now();
    await until(
      () => at(0, secret).ask('GET', '/v1/agents'),
      (a) => a.status === 401,
    );
    await until(
      () => card(1),
      (a) => a.status === 401,
    );
    expect(Date.now() - since).to.be.below(patient(2500));
  });

  it('rate limits are exact over both: 150 of 200 at once pass with a key of tier free, and the headers count together', async () => {
    const secret = await workspace(`free-${Date.now()}`, 'free', 0);
    // five at a time: the key may have no more in progress
    const answers: Answer[] = [];
    let next = 0;
    const begun = Date.now();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = next++; i < 200; i = next++) answers.push(await at(i % 2, secret).ask('GET', '/v1/usage'));
      }),
    );
    const refilled = Math.ceil((((Date.now() - begun) / 1000) * 100) / 60);
    const counts = statusesOf(answers);
    expect(Object.keys(counts).sort()).to.deep.equal(['200', '429']);
    expect(counts[200], `${refilled} came back meanwhile`).to.be.within(150, 150 + refilled);
    const refused = answers.find((a) => a.status === 429)!;
    expect(refused.body.error?.code).to.equal('RATE_LIMIT_EXCEEDED');
    expect(Number(refused.headers.get('retry-after'))).to.be.at.least(1);
    expect(answers[0]!.headers.get('x-ratelimit-limit')).to.equal('100');
    const remaining = answers
      .filter((a) => a.status === 200)
      .map((a) => Number(a.headers.get('x-ratelimit-remaining')));
    expect(Math.max(...remaining)).to.be.at.most(99);
    expect(remaining.filter((n) => n === 0).length).to.be.at.least(50);
  });

  it('requests in progress are counted together: a key of tier free has five places at both gateways', async () => {
    const secret = await workspace(`busy-${Date.now()}`, 'free', 0);
    const gone = new AbortController();
    const open = (n: number): Promise<Response> =>
      fetch(`${at(n).url}/v1/events`, { headers: { authorization: `Bearer ${secret}` }, signal: gone.signal });
    const streams = await Promise.all([0, 1, 0, 1, 0].map(open));
    expect(streams.map((s) => s.status)).to.deep.equal([200, 200, 200, 200, 200]);
    for (const n of [0, 1]) {
      const refused = await at(n, secret).ask('GET', '/v1/usage');
      expect([refused.status, refused.body.error?.code]).to.deep.equal([429, 'CONCURRENCY_LIMIT_EXCEEDED']);
      expect(Number(refused.headers.get('retry-after'))).to.be.at.least(1);
    }
    gone.abort();
    await Promise.allSettled(streams.map((s) => s.text()));
    await until(
      () => at(1, secret).ask('GET', '/v1/usage'),
      (a) => a.status === 200,
    );
  });

  it('a month that is nearly full is passed by no more than what is in flight, and takes nothing after that', async function test() {
    this.timeout(120_000);
    const room = 40;
    const inFlight = 40;
    const full = 500_000;
    const secret = await workspace(`quota-${Date.now()}`, 'team', full - room);
    const clients: Api[] = [at(0, secret), at(1, secret)];
    const answers: Answer[] = [];
    let next = 0;
    const write = (i: number): Promise<Answer> =>
      raw(i % 2, secret, 'POST', '/v1/memories', { type: 'semantic', content: `n${i}` });
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        for (let i = next++; i < 160; i = next++) answers.push(await write(i));
      }),
    );
    const { 201: created = 0, 403: refused = 0 } = statusesOf(answers);
    expect(created + refused, answers.find((a) => a.status >= 500)?.text).to.equal(160);
    expect(created).to.be.within(room, room + inFlight);
    expect(answers.find((a) => a.status === 403)!.body.error?.code).to.equal('QUOTA_EXCEEDED');
    for (const i of [160, 161]) expect((await write(i)).body.error?.code).to.equal('QUOTA_EXCEEDED');
    const used = full - room + created;
    for (const client of clients)
      expect(await client.one('GET', '/v1/usage')).to.deep.include({ used, limit: full, remaining: 0 });
  });

  it('a webhook that is made at one gateway is told what happens at the other, and outlives the workers', async () => {
    const name = `hooked-${Date.now()}`;
    const secret = await workspace(name, 'pro', 39_999);
    const receiver = world.receiver();
    const path = `/${name}`;
    const remember = (content: string): Promise<Json> =>
      at(1, secret).one('POST', '/v1/memories', { type: 'semantic', content }, 201);
    const told = (): unknown[] => receiver.taken(path).map(({ body }) => body['type']);
    await at(1, secret).one('PUT', '/v1/usage/alerts', { thresholds: [80] });
    const hook = { url: receiver.url(path), events: ['usage.alert', 'memory.created'] };
    await at(0, secret).one('POST', '/v1/webhooks', hook, 201);
    receiver.always(path, 'hang');
    await remember('the 40,000th');
    await until(
      async () => receiver.tries(path).length,
      (n) => n > 0,
    );
    for (const worker of world.cluster().workers) await worker.end('SIGKILL');
    receiver.always(path, null);
    for (const worker of world.cluster().workers) await worker.start();
    await until(
      async () => [...new Set(told())].sort(),
      (types) => types.join() === 'memory.created,usage.alert',
    );
    // an agent of a worker that has not heard of the webhook tells it a few seconds later
    const agent = await at(1, secret).one('POST', '/v1/agents/spawn', { name }, 201);
    const other = { url: receiver.url(`${path}/other`), events: ['message.received'] };
    await at(0, secret).one('POST', '/v1/webhooks', other, 201);
    await until(
      () =>
        at(1, secret).one('POST', `/v1/agent-constellations/${String(agent['id'])}/messages`, { content: 'x' }, 201),
      () => receiver.taken(`${path}/other`).length > 0,
    );
  });
});
