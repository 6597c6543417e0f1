/** Idempotency-Key on POSTs: one effect, the same answer again, also after kill -9. */
import { expect } from 'chai';
import { everyItem, served, until, type Answer, type Json } from './support/client.js';
import { startThinker, type Thinker } from './support/thinker.js';
import { rootKey } from '../../helpers/server.js';

let thinker: Thinker;
const { api, as, server, hooks } = served(async () => {
  thinker = await startThinker();
  return { env: { HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl, HIVEKEEP_OPENAI_API_KEY: 'sk-test' } };
});
let count = 0;
const fresh = (): string => `key-${++count}`;
const post = (path: string, body: unknown, key: string, who = api): Promise<Answer> =>
  who.ask('POST', path, body, { 'idempotency-key': key });
const replayed = (a: Answer): string | null => a.headers.get('idempotent-replayed');
const idOf = (a: Answer): string => String((a.body.data as Json)['id'] ?? (a.body.data as Json)['message_id']);

describe('black box: Idempotency-Key', () => {
  hooks();
  after(async () => {
    await thinker.close();
  });

  let agent = '';
  let hive = '';
  let other = '';
  before(async () => {
    hive = String((await api.one('POST', '/v1/hives', { name: 'h' }, 201))['id']);
    agent = String((await api.one('POST', '/v1/agents/spawn', { name: 'A', hives: [hive] }, 201))['id']);
    other = String((await api.one('POST', '/v1/agents/spawn', { name: 'B' }, 201))['id']);
  });
  const of = (): string => `/v1/agent-constellations/${agent}`;
  const runPath = async (): Promise<string> => {
    const run = await api.one('POST', `${of()}/runs`, { input: 'what is known?' }, 202);
    const path = `${of()}/runs/${String(run['id'])}`;
    await until(
      () => api.one('GET', path),
      (run) => run['status'] === 'completed',
    );
    return path;
  };

  const pausedPath = async (): Promise<string> => {
    const run = await api.one('POST', `${of()}/runs`, { input: 'Ask a human whether we may ship' }, 202);
    const path = `${of()}/runs/${String(run['id'])}`;
    await until(
      () => api.one('GET', path),
      (now) => now['status'] === 'paused',
    );
    return path;
  };

  const schedulePath = async (): Promise<string> => {
    const all = `/v1/agents/${agent}/schedules`;
    const schedule = await api.one('POST', all, { every: 86_400, input: 'what is known?' }, 201);
    return `${all}/${String(schedule['id'])}/run`;
  };

  /** POSTs of docs/api.md 4.1; `list` is where what it makes is counted. */
  const posts: { name: string; path: () => string | Promise<string>; body: Json; list?: () => string }[] = [
    { name: 'spawn', path: () => '/v1/agents/spawn', body: { name: 'once' }, list: () => '/v1/agents' },
    { name: 'hive', path: () => '/v1/hives', body: { name: 'once' }, list: () => '/v1/hives' },
    {
      name: 'memory of an agent',
      path: () => '/v1/memories',
      body: { type: 'semantic', content: 'once' },
      list: () => '/v1/memories',
    },
    {
      name: 'message',
      path: () => `/v1/agents/${agent}/message`,
      body: { content: 'hello' },
      list: () => `${of()}/runs`,
    },
    { name: 'run', path: () => `${of()}/runs`, body: { input: 'go' }, list: () => `${of()}/runs` },
    { name: 'fork', path: async () => `${await runPath()}/fork`, body: { checkpoint: 1 }, list: () => `${of()}/runs` },
    {
      name: 'resume',
      path: async () => `${await pausedPath()}/resume`,
      body: { input: 'yes' },
      list: () => `${of()}/runs`,
    },
    {
      name: 'mailbox message',
      path: () => `${of()}/messages`,
      body: { content: 'mail' },
      list: () => `${of()}/messages`,
    },
    {
      name: 'token',
      path: () => `${of()}/tokens`,
      body: { name: 't', scopes: ['agent:read'] },
      list: () => `${of()}/tokens`,
    },
    {
      name: 'schedule',
      path: () => `/v1/agents/${agent}/schedules`,
      body: { every: 86_400, input: 'once' },
      list: () => `/v1/agents/${agent}/schedules`,
    },
    { name: 'run of a schedule', path: schedulePath, body: {}, list: () => `${of()}/runs` },
    { name: 'key', path: () => '/v1/keys', body: { name: 'k', mode: 'live' }, list: () => '/v1/keys' },
    {
      name: 'shared memory',
      path: () => `/v1/hives/${hive}/memories`,
      body: { type: 'semantic', content: 'shared', agent_id: '' },
      list: () => `/v1/hives/${hive}/memories`,
    },
    {
      name: 'hive member',
      path: () => `/v1/hives/${hive}/agents`,
      body: { agent_id: '' },
      list: () => `/v1/hives/${hive}/agents`,
    },
  ];

  for (const { name, path: pathOf, body: given, list } of posts) {
    it(`${name}: the same again answers the same, also after kill -9; another body is 422`, async function test() {
      this.timeout(20_000);
      const body =
        'agent_id' in given
          ? { ...given, agent_id: name === 'hive member' ? other : agent }
          : name.startsWith('memory')
            ? { ...given, agent_id: agent }
            : given;
      const path = await pathOf();
      const key = fresh();
      const first = await post(path, body, key);
      const wanted = list ? (await everyItem(api, list(), 100)).length : 0;
      expect(first.status, first.text).to.be.within(200, 202);
      expect(replayed(first)).to.equal(null);
      for (const again of [
        await post(path, body, key),
        await server()
          .restart()
          .then(() => post(path, body, key)),
      ]) {
        expect([again.status, replayed(again)], again.text).to.deep.equal([first.status, 'true']);
        expect(again.body, again.text).to.deep.equal(first.body);
        expect(again.headers.get('location')).to.equal(first.headers.get('location'));
      }
      if (list) expect((await everyItem(api, list(), 100)).length, 'nothing was made twice').to.equal(wanted);
      const mismatch = await post(path, { ...body, extra: 1 }, key);
      // an unknown field is refused before the key is looked at; a valid other body is the mistake
      expect(mismatch.status).to.be.oneOf([400, 422]);
      const changed = {
        ...body,
        ...('name' in body
          ? { name: 'other' }
          : 'content' in body
            ? { content: 'other' }
            : 'input' in body
              ? { input: 'other' }
              : 'checkpoint' in body
                ? { checkpoint: '1' }
                : {}),
      };
      if (JSON.stringify(changed) !== JSON.stringify(body)) {
        const other422 = await post(path, changed, key);
        expect([other422.status, other422.body.error?.code], other422.text).to.deep.equal([
          422,
          'IDEMPOTENCY_MISMATCH',
        ]);
      }
    });
  }

  it('a minted secret that is told again works', async () => {
    const key = fresh();
    const first = await post('/v1/keys', { name: 'twice', mode: 'live' }, key);
    const again = await post('/v1/keys', { name: 'twice', mode: 'live' }, key);
    const secret = String((again.body.data as Json)['key']);
    expect(secret).to.equal(String((first.body.data as Json)['key']));
    expect((await as(secret).ask('GET', '/v1/usage')).status).to.equal(200);
  });

  it('a minted secret is told again to the key that minted it alone: another key mints its own (docs/api.md 2.4)', async () => {
    const minter = String(
      (await api.one('POST', '/v1/keys', { name: 'minter', mode: 'live', scopes: ['workspace:admin'] }, 201))['key'],
    );
    const key = fresh();
    const body = { name: 'mine', mode: 'live' };
    const first = await post('/v1/keys', body, key);
    const theirs = await post('/v1/keys', body, key, as(minter));
    expect([theirs.status, replayed(theirs)], theirs.text).to.deep.equal([201, null]);
    expect((theirs.body.data as Json)['scopes'], 'no more than the minter has').to.deep.equal(['workspace:admin']);
    expect((theirs.body.data as Json)['key']).not.to.equal((first.body.data as Json)['key']);
    const path = `/v1/agent-constellations/${agent}/tokens`;
    const token = { name: 't', scopes: ['agent:read'] };
    const manager = String(
      (
        await api.one(
          'POST',
          '/v1/keys',
          { name: 'manager', mode: 'live', scopes: ['agent:manage', 'agent:read'] },
          201,
        )
      )['key'],
    );
    const one = await post(path, token, key);
    const two = await post(path, token, key, as(manager));
    expect([one.status, two.status, replayed(two)]).to.deep.equal([201, 201, null]);
    expect(idOf(two)).not.to.equal(idOf(one));
  });

  it('another body is 422 also where it names another agent or hive (Idempotency.Y3)', async () => {
    const memory = { type: 'semantic', content: 'for whom?' };
    const bodies: Json[] = [
      { ...memory, agent_id: agent },
      { ...memory, agent_id: other },
      { ...memory, hive_id: hive },
      memory,
    ];
    for (const [i, body] of bodies.entries()) {
      const key = fresh();
      expect((await post('/v1/memories', body, key)).status).to.equal(201);
      for (const [j, another] of bodies.entries())
        expect((await post('/v1/memories', another, key)).status, `${i}, then ${j}`).to.equal(i === j ? 201 : 422);
    }
    const key = fresh();
    const path = `/v1/hives/${String((await api.one('POST', '/v1/hives', { name: 'joined' }, 201))['id'])}/agents`;
    expect((await post(path, { agent_id: agent }, key)).status).to.equal(201);
    expect((await post(path, { agent_id: other }, key)).status).to.equal(422);
    expect((await everyItem(api, path, 100)).length).to.equal(1);
  });

  it('a body that names nobody leaves no record: corrected, it is done', async () => {
    const key = fresh();
    expect(
      (await post('/v1/memories', { type: 'semantic', content: 'x', agent_id: 'agent_nobody' }, key)).status,
    ).to.equal(404);
    expect((await post('/v1/memories', { type: 'semantic', content: 'x', agent_id: agent }, key)).status).to.equal(201);
  });

  it('Idempotency.Y2: ten at once have one effect, and all are answered the same', async () => {
    const key = fresh();
    const before = (await everyItem(api, '/v1/memories', 100)).length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        post('/v1/memories', { type: 'semantic', content: 'rush', agent_id: agent }, key),
      ),
    );
    for (const a of answers) expect(a.status, a.text).to.equal(201);
    expect(new Set(answers.map(idOf)).size).to.equal(1);
    expect(answers.filter((a) => replayed(a) === null)).to.have.lengthOf(1);
    expect((await everyItem(api, '/v1/memories', 100)).length).to.equal(before + 1);
  });

  it('while the first waits for its answer a repeat waits for the same run, also after kill -9', async function test() {
    this.timeout(20_000);
    const slow = String(
      (await api.one('POST', '/v1/agents/spawn', { name: 'Slow', config: { model: 'openai/slow' } }, 201))['id'],
    );
    const key = fresh();
    const path = `/v1/agents/${slow}/message`;
    const first = post(path, { content: 'think' }, key).catch(() => null);
    await until(
      () => Promise.resolve(thinker.waiting === 1),
      (asked) => asked,
    );
    const beside = post(path, { content: 'think' }, key).catch(() => null);
    expect((await post(path, { content: 'something else' }, key)).status, 'another body').to.equal(422);
    await server().restart();
    await Promise.all([first, beside]);
    const waits = post(path, { content: 'think' }, key);
    await until(
      () => Promise.resolve(thinker.waiting === 1),
      (asked) => asked,
    );
    thinker.release({ text: 'thought' });
    const again = await waits;
    expect(again.status, again.text).to.equal(200);
    expect((await everyItem(api, `/v1/agent-constellations/${slow}/runs`, 100)).length).to.equal(1);
  });

  it('after an aborted request a repeat gets the answer of the first', async () => {
    const slow = String(
      (await api.one('POST', '/v1/agents/spawn', { name: 'Slow', config: { model: 'openai/slow' } }, 201))['id'],
    );
    const key = fresh();
    const path = `/v1/agents/${slow}/message`;
    const gone = new AbortController();
    const first = fetch(`${server().url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ content: 'think' }),
      signal: gone.signal,
    }).catch(() => null);
    await until(
      () => Promise.resolve(thinker.waiting === 1),
      (asked) => asked,
    );
    gone.abort();
    await first;
    const again = post(path, { content: 'think' }, key);
    thinker.release({ text: 'thought' });
    const { status, body, text } = await again;
    expect([status, (body.data as Json)['response']], text).to.deep.equal([200, 'thought']);
    expect((await everyItem(api, `/v1/agent-constellations/${slow}/runs`, 100)).length).to.equal(1);
  });

  it('counts per path and per workspace; what was refused leaves no record', async () => {
    const key = fresh();
    const one = await post('/v1/hives', { name: 'x' }, key);
    const two = await post('/v1/agents/spawn', { name: 'x' }, key);
    expect([one.status, two.status, replayed(two)]).to.deep.equal([201, 201, null]);
    const refused = fresh();
    expect((await post('/v1/memories', { type: 'semantic', content: '' }, refused)).status).to.equal(400);
    expect((await post('/v1/memories', { type: 'semantic', content: 'now' }, refused)).status).to.equal(201);
  });

  it('a malformed key is 400 and names the header', async () => {
    for (const bad of ['', 'a b', 'x'.repeat(256), 'caf\u00e9']) {
      const answer = await post('/v1/hives', { name: 'x' }, bad);
      expect([answer.status, answer.body.error?.details.issues?.[0]?.path], bad).to.deep.equal([
        400,
        'Idempotency-Key',
      ]);
    }
  });
});
