/** What clients send wrong (docs/api.md 7.1): a code of the table, the paths that are wrong, and nothing changed. */
import { expect } from 'chai';
import { lastingItems, served, type Json } from './support/client.js';

const { api, hooks } = served(() => ({}));
let agent: string;
let own: string;
let hive: string;
let memory: string;
let run: string;

/** Every route that takes a body, with one that is right. */
const writes = (): [string, string, Json][] => [
  ['POST', '/v1/agents/spawn', { name: 'x' }],
  ['PUT', `/v1/agents/${agent}`, { name: 'x' }],
  ['PATCH', `/v1/agents/${agent}`, { name: 'x' }],
  ['POST', `/v1/agents/${agent}/message`, { content: 'x' }],
  ['POST', `${own}/runs`, { input: 'x' }],
  ['POST', `${own}/runs/${run}/resume`, {}],
  ['POST', `${own}/runs/${run}/fork`, { checkpoint: 1 }],
  ['POST', `${own}/messages`, { content: 'x' }],
  ['POST', `${own}/tokens`, { name: 'x', scopes: ['agent:read'] }],
  ['POST', '/v1/memories', { type: 'semantic', content: 'x' }],
  ['PATCH', `/v1/memories/${memory}`, { content: 'x' }],
  ['POST', '/v1/memories/search', { query: 'x' }],
  ['POST', '/v1/context', { agent_id: agent, max_tokens: 100 }],
  ['POST', '/v1/hives', { name: 'x' }],
  ['POST', `/v1/hives/${hive}/agents`, { agent_id: agent }],
  ['POST', `/v1/hives/${hive}/memories`, { type: 'semantic', content: 'x', agent_id: agent }],
  ['POST', '/v1/keys', { name: 'x', mode: 'live' }],
];

const state = async (): Promise<unknown> =>
  Promise.all([
    ...[
      '/v1/agents',
      '/v1/memories',
      '/v1/hives',
      '/v1/keys',
      `${own}/runs`,
      `${own}/messages`,
      `${own}/tokens`,
      `${own}/thoughts`,
      `${own}/checkpoints`,
      `/v1/hives/${hive}/agents`,
    ].map((path) => lastingItems(api, path)),
    api.one('GET', '/v1/usage'),
  ]);

/** Asks it of every route, and looks at the state afterwards. */
async function everywhere(
  body: (right: Json) => string,
  code: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const before = await state();
  for (const [method, path, right] of writes()) {
    const answer = await api.ask(method, path, body(right), headers);
    expect(answer.body.error?.code, `${method} ${path}: ${answer.text}`).to.equal(code);
    if (code === 'VALIDATION_ERROR')
      for (const issue of answer.body.error?.details.issues ?? [{ path: null, message: null }]) {
        expect(issue.path).to.be.a('string');
        expect(issue.message).to.be.a('string').and.not.equal('');
      }
  }
  expect(await state()).to.deep.equal(before);
}

describe('black box: bad input', function suite() {
  hooks();
  this.timeout(20_000);
  before(async function prepare() {
    this.timeout(60_000);
    hive = String((await api.one('POST', '/v1/hives', { name: 'h' }, 201))['id']);
    agent = String((await api.one('POST', '/v1/agents/spawn', { name: 'a', hives: [hive] }, 201))['id']);
    own = `/v1/agent-constellations/${agent}`;
    memory = String(
      (await api.one('POST', '/v1/memories', { type: 'semantic', content: 'kept', agent_id: agent }, 201))['id'],
    );
    run = String((await api.one('POST', `/v1/agents/${agent}/message`, { content: 'hello' }))['run_id']);
  });

  for (const [what, body, code] of [
    ['no JSON', () => '{"name":"x",}', 'VALIDATION_ERROR'],
    ['no object', () => '[{"name":"x"}]', 'VALIDATION_ERROR'],
    ['fields that nobody knows', (right) => JSON.stringify({ ...right, surprise: 1 }), 'VALIDATION_ERROR'],
    ['a prototype', (right) => JSON.stringify(right).replace('{', '{"__proto__":{"admin":true},'), 'VALIDATION_ERROR'],
    ['brackets 100,000 deep', () => '['.repeat(100_000), 'VALIDATION_ERROR'],
    ['8 MiB', (right) => JSON.stringify({ ...right, content: 'x'.repeat(8 * 1024 * 1024) }), 'PAYLOAD_TOO_LARGE'],
  ] satisfies [string, (right: Json) => string, string][])
    it(`${what}, to every route that takes a body`, () => everywhere(body, code));

  it('ids of other kinds, odd ids and ids that do not exist: 404', async () => {
    const before = await state();
    for (const id of [
      memory,
      hive,
      run,
      'agent_',
      'agent_none',
      'x',
      '..',
      '.',
      '%2e%2e',
      '%00',
      '%ff',
      '__proto__',
      'constructor',
      'a'.repeat(200),
      encodeURIComponent('agent_é'),
      '*',
      '%20',
      "'%20or%201=1",
      agent.toUpperCase(),
      `${agent}%20`,
      `${agent}x`,
      agent.slice(0, -1),
    ]) {
      for (const [method, path, body] of [
        ['GET', `/v1/agents/${id}`],
        ['PUT', `/v1/agents/${id}`, { name: 'x' }],
        ['DELETE', `/v1/agents/${id}`],
        ['POST', `/v1/agents/${id}/message`, { content: 'x' }],
        ['GET', `/v1/agent-constellations/${id}/runs`],
        ['POST', `/v1/agent-constellations/${id}/messages`, { content: 'x' }],
        ['GET', `${own}/runs/${id}/events`],
      ] as const) {
        if (id === run && path.startsWith(`${own}/runs`)) continue;
        const answer = await api.ask(method, path, body);
        expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.oneOf(
          /^(\.|\.\.|%2e%2e)$/.test(id) ? [404, 405, 200] : id === '%ff' ? [400] : [404],
        );
      }
    }
    for (const id of [agent, hive, run, 'mem_none', '%00'])
      for (const method of ['GET', 'DELETE']) await api.refused(method, `/v1/memories/${id}`, undefined, 'NOT_FOUND');
    for (const id of [agent, memory, 'hive_none'])
      for (const method of ['GET', 'DELETE']) await api.refused(method, `/v1/hives/${id}`, undefined, 'NOT_FOUND');
    for (const id of [agent, 'key_none']) await api.refused('DELETE', `/v1/keys/${id}`, undefined, 'NOT_FOUND');
    expect(await state()).to.deep.equal(before);
  });

  it('an agent that writes too much of everything is told so, and can still be read', async () => {
    await api.refused('POST', '/v1/agents/spawn', { name: 'x'.repeat(201) }, 'VALIDATION_ERROR');
    await api.refused(
      'POST',
      '/v1/agents/spawn',
      { name: 'x', metadata: { a: 'x'.repeat(20_000) } },
      'VALIDATION_ERROR',
    );
    await api.refused('POST', `${own}/messages`, { content: 'x'.repeat(256 * 1024 + 1) }, 'VALIDATION_ERROR');
    const big = String((await api.one('POST', `${own}/messages`, { content: 'y'.repeat(256 * 1024) }, 201))['content']);
    expect(big).to.have.lengthOf(256 * 1024);
    const other = String((await api.one('POST', '/v1/agents/spawn', { name: 'grows' }, 201))['id']);
    let refused = 0;
    for (let i = 0; i < 4; i++)
      refused +=
        (await api.ask('PATCH', `/v1/agents/${other}`, { metadata: { [`k${i}`]: 'x'.repeat(6000) } })).status === 400
          ? 1
          : 0;
    expect(refused).to.equal(2);
  });
});
