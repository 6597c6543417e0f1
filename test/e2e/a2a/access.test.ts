/** Who may do what at an agent's endpoint: scopes of each method, agent tokens, two workspaces (docs/api.md 5). */
import { expect } from 'chai';
import { cli } from '../../helpers/cli.js';
import { type Json } from '../api/support/client.js';
import { say, say1, stateOf, v1, type Rpc } from './support/rpc.js';
import { a2aWorld } from './support/world.js';

const world = a2aWorld();
const { api, as, quick } = world;

const configOf = (): Json => ({ url: world.receiver().url('/p') });
/** Each method, with what it takes and the scope that it needs; a task of the agent is given. */
const methods: [method: string, params: (id: string) => Json, scope: string][] = [
  ['message/send', () => say('hello'), 'agent:spawn'],
  ['message/stream', () => say('hello'), 'agent:spawn'],
  ['tasks/get', (id) => ({ id }), 'agent:read'],
  ['tasks/resubscribe', (id) => ({ id }), 'agent:read'],
  ['tasks/cancel', (id) => ({ id }), 'agent:manage'],
  ['tasks/pushNotificationConfig/set', (taskId) => ({ taskId, pushNotificationConfig: configOf() }), 'agent:spawn'],
  ['tasks/pushNotificationConfig/get', (id) => ({ id }), 'agent:read'],
  ['tasks/pushNotificationConfig/list', (id) => ({ id }), 'agent:read'],
  ['tasks/pushNotificationConfig/delete', (id) => ({ id, pushNotificationConfigId: 'none' }), 'agent:spawn'],
  ['agent/getAuthenticatedExtendedCard', () => ({}), 'agent:read'],
  ['SendMessage', () => say1('hello'), 'agent:spawn'],
  ['SendStreamingMessage', () => say1('hello'), 'agent:spawn'],
  ['GetTask', (id) => ({ id }), 'agent:read'],
  ['ListTasks', () => ({}), 'agent:read'],
  ['SubscribeToTask', (id) => ({ id }), 'agent:read'],
  ['CancelTask', (id) => ({ id }), 'agent:manage'],
  ['CreateTaskPushNotificationConfig', (taskId) => ({ taskId, ...configOf() }), 'agent:spawn'],
  ['GetTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'default' }), 'agent:read'],
  ['ListTaskPushNotificationConfigs', (taskId) => ({ taskId }), 'agent:read'],
  ['DeleteTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'none' }), 'agent:spawn'],
  ['GetExtendedAgentCard', () => ({}), 'agent:read'],
];
const headersFor = (method: string): Record<string, string> => (/^[A-Z]/.test(method) ? v1 : {});
const cardPaths = ['/card', '/.well-known/agent.json', '/.well-known/agent-card.json'];
const getCard = (rpc: Rpc, path: string, key: string): Promise<Response> =>
  fetch(rpc.url + path, { headers: { authorization: `Bearer ${key}` } });

async function expectPlain(response: Response, status: number, code: string): Promise<void> {
  const text = await response.text();
  expect(response.status, text).to.equal(status);
  expect(JSON.parse(text)).to.nested.include({ 'error.code': code, 'error.status': status });
  if (status === 401 || status === 403) expect(response.headers.get('www-authenticate')).to.match(/^Bearer/i);
}

const mint = async (
  agent: string,
  scopes: readonly string[],
  more: Json = {},
): Promise<{ token: string; id: string }> => {
  const made = await api.one('POST', `/v1/agent-constellations/${agent}/tokens`, { name: 't', scopes, ...more }, 201);
  return {
    token:
      Object.values(made)
        .map(String)
        .find((v) => v.startsWith('at_') && v.length > 20) ?? expect.fail(JSON.stringify(made)),
    id: String(made['id']),
  };
};

describe('A2A: who may do what', () => {
  world.hooks();

  it("a token opens its own agent's endpoint and nothing else, until it is revoked", async () => {
    const [agent, other] = [await quick(), await quick()];
    const { token, id } = await mint(agent, ['agent:read', 'agent:spawn', 'agent:manage']);
    const rpc = world.rpc(agent, token);
    const there = world.rpc(other, token);
    const task = await rpc.result('message/send', say('hello'));
    const theirs = await world.rpc(other).result('message/send', say('hello'));
    expect(stateOf(await rpc.result('tasks/get', { id: task['id'] }))).to.equal('completed');
    expect(stateOf(await world.rpc(agent).result('tasks/get', { id: task['id'] })), 'the workspace sees it').to.equal(
      'completed',
    );
    await rpc.refused('tasks/get', { id: theirs['id'] }, -32001);
    for (const [method, params] of methods)
      await expectPlain(await there.ask(method, params(String(theirs['id'])), headersFor(method)), 404, 'NOT_FOUND');
    for (const path of cardPaths) await expectPlain(await getCard(there, path, token), 404, 'NOT_FOUND');
    for (const [method, path] of [
      ['GET', '/v1/agents'],
      ['GET', `/v1/agents/${agent}`],
      ['POST', '/v1/memories'],
      ['GET', '/v1/push/dead-letters'],
    ] as const)
      expect((await as(token).ask(method, path, method === 'POST' ? {} : undefined)).status, path).to.equal(403);
    await api.one('DELETE', `/v1/agent-constellations/${agent}/tokens/${id}`);
    await expectPlain(await rpc.ask('tasks/get', { id: task['id'] }), 401, 'UNAUTHENTICATED');
  });

  it('another workspace sees neither agent nor task', async () => {
    const env = world.server().beside;
    expect((await cli(['workspace', 'create', 'second', '--tier', 'team'], env)).code).to.equal(0);
    const key = (
      await cli(['key', 'create', '--workspace', 'second', '--mode', 'live', '--name', 'second'], env)
    ).stdout.trim();
    const agent = await quick();
    const task = String((await world.rpc(agent).result('message/send', say('a secret of mine')))['id']);
    const theirAgent = String((await as(key).one('POST', '/v1/agents/spawn', { name: 'Theirs' }, 201))['id']);
    const atMine = world.rpc(agent, key);
    const atTheirs = world.rpc(theirAgent, key);
    const nowhere = world.rpc('agent_nothing', key);
    for (const [method, params] of methods) {
      const response = await atMine.ask(method, params(task), headersFor(method));
      const text = await response.clone().text();
      await expectPlain(response, 404, 'NOT_FOUND');
      expect(
        (await (await nowhere.ask(method, params(task), headersFor(method))).text()).replaceAll(
          /req_\w+|agent_\w+/g,
          '',
        ),
        'as an agent that never was',
      ).to.equal(text.replaceAll(/req_\w+|agent_\w+/g, ''));
      if (/send|stream|SendMessage|SendStreaming|Card|ListTasks$/.test(method)) continue;
      const own = await (await atTheirs.ask(method, params(task), headersFor(method))).text();
      expect(own, method).to.contain('"code":-32001').and.not.contain('secret');
    }
    for (const path of cardPaths) await expectPlain(await getCard(atMine, path, key), 404, 'NOT_FOUND');
    for (const [method, say_] of [
      ['message/send', say],
      ['message/stream', say],
      ['SendMessage', say1],
      ['SendStreamingMessage', say1],
    ] as const) {
      expect(
        await (await atTheirs.ask(method, say_('x', { taskId: task }), headersFor(method))).text(),
        method,
      ).to.contain('"code":-32001');
    }
    // a context belongs to one agent: the same id elsewhere is another context
    const carried = await atTheirs.result('message/send', say('x', { contextId: agent }));
    expect(JSON.stringify(carried)).not.to.contain('secret');
    expect(await atTheirs.result('ListTasks', {}, v1)).to.include({ totalSize: 1 });
    expect(await world.rpc(agent).result('ListTasks', {}, v1)).to.include({ totalSize: 1 });
  });

  it('an agent that is inactive refuses what is new and shows what is there', async () => {
    const agent = await quick();
    const rpc = world.rpc(agent);
    const { id } = (await rpc.result('message/send', say('hello'))) as { id: string };
    await api.one('PUT', `/v1/agents/${agent}`, { status: 'inactive' });
    expect((await rpc.refused('message/send', say('more'), -32004)).message).to.match(/inactive/i);
    await rpc.refused('SendMessage', say1('more'), -32004, v1);
    expect(stateOf(await rpc.result('tasks/get', { id }))).to.equal('completed');
    await api.one('DELETE', `/v1/agents/${agent}`);
    expect((await rpc.ask('message/send', say('more'))).status).to.equal(404);
  });
});
