/**
 * What is answered is what the document says: of the operations that are no routes of REST, and of refusals. All others
 * are held to it wherever the black-box tests ask them (test/e2e/api/support/client.ts), each of them in
 * test/e2e/api/matrix.test.ts.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { createLimiter } from '../../../gateway/limits/limiter.js';
import { createInMemoryLimits } from '../../../src/limits/in-memory.js';
import { policyOf, tierLimits } from '../../../src/limits/tiers.js';
import { PushError, type Push } from '../../../src/push/port.js';
import { caller, echo, eventually, realClock, testEngine, type TestEngine } from '../../helpers/engine.js';
import { keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type Setup, type TestGateway } from '../../helpers/gateway.js';
import { conformingFetch, otherOperations } from '../../helpers/conformance.js';
import { typedFetch, type TypedFetch } from './typed-fetch.js';

/** Takes any address, and reaches none. */
const deadPush: Push = {
  check: () => Promise.resolve(),
  turn: () => Promise.resolve(() => undefined),
  deliver: () => Promise.reject(new PushError('answered 410', true)),
  open: () => Promise.reject(new PushError('answered 410', true)),
  close: () => Promise.resolve(),
};

const limiterOf = (address: number) =>
  createLimiter({
    keys: createInMemoryLimits({ holdMs: 30_000 }),
    addresses: createInMemoryLimits({ holdMs: 30_000 }),
    clock: realClock,
    holdMs: 30_000,
    tiers: tierLimits({ requestsPerMinute: 100_000, searchesPerMinute: 50_000, concurrent: 100 }),
    address: policyOf(address),
  });

const gatewayOf = ({ options, ...setup }: Setup, address = 1000): Promise<TestGateway> =>
  startGateway({
    ...setup,
    options: {
      limiter: limiterOf(address),
      ...options,
    },
  });

describe('answers as documented', () => {
  let gateway: TestGateway;
  let bed: TestEngine;
  let hivekeep: TypedFetch;
  const succeeded = new Set<string>();
  before(async () => {
    bed = await testEngine(undefined, echo, { push: deadPush });
    const { authenticate: _, ...service } = bed.engine.service;
    gateway = await gatewayOf({ service });
    hivekeep = typedFetch(gateway.url, rootKey, conformingFetch(succeeded));
  });
  after(async () => {
    await gateway.stop();
    await bed.engine.stop(0);
  });

  const spawn = (name: string, more: object = {}) =>
    bed.engine.service.execute(caller, spawnAgent, {}, { name, ...more });

  it('A2A over HTTP+JSON', async () => {
    const { id: quick } = await spawn('Quick');
    const { id: held } = await spawn('Held', { config: { validation_gate: 'answer' } });
    const ask = async (agent: string, method: string, at: string, body?: object): Promise<string> => {
      const request = new Request(`${gateway.url}/api/v1/a2a/agents/${agent}/${at}`, {
        method,
        headers: {
          ...{ authorization: `Bearer ${rootKey}`, 'a2a-version': '1.0' },
          ...(body && { 'content-type': 'application/a2a+json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await conformingFetch(succeeded)(request)).text();
    };
    const message = (messageId: string) => ({
      message: { messageId, role: 'ROLE_USER', parts: [{ text: 'go' }] },
    });
    const { task } = JSON.parse(await ask(held, 'POST', 'message:send', message('h-1'))) as { task: { id: string } };
    expect(await ask(quick, 'POST', 'message:stream', message('h-2'))).to.include('TASK_STATE_COMPLETED');
    for (const at of [`tasks/${task.id}`, 'tasks', 'extendedAgentCard']) await ask(held, 'GET', at);
    const configs = `tasks/${task.id}/pushNotificationConfigs`;
    await ask(held, 'POST', configs, { id: 'p', url: 'https://hooks.example/a' });
    for (const at of [configs, `${configs}/p`]) expect(await ask(held, 'GET', at)).to.include('hooks.example');
    await ask(held, 'DELETE', `${configs}/p`);
    const streams = ['GET', 'POST'].map((method) => ask(held, method, `tasks/${task.id}:subscribe`));
    const followed = (): boolean => gateway.calls.filter(({ method }) => method === 'followTask').length >= 2;
    await eventually(async () => followed(), 'two followers');
    expect(await ask(held, 'POST', `tasks/${task.id}:cancel`, {})).to.include('TASK_STATE_CANCELED');
    for (const stream of await Promise.all(streams)) expect(stream).to.include(task.id);
  });

  it('MCP, of both revisions', async () => {
    const { id } = await spawn('Tooled');
    const header = { Accept: 'application/json, text/event-stream' };
    const message = (method: string, params: Record<string, unknown>, requestId?: number) => ({
      params: { path: { id } },
      headers: header,
      parseAs: 'text' as const,
      body: { jsonrpc: '2.0' as const, method, params, ...(requestId !== undefined && { id: requestId }) },
    });
    const call = (name: string, given: object) => message('tools/call', { name, arguments: given }, 1);
    const agent = '/mcp/agents/{id}';
    expect((await hivekeep.POST(agent, message('tools/list', {}, 1))).data).to.include('data: {"result":{"tools"');
    expect((await hivekeep.POST(agent, message('notifications/initialized', {}))).response.status).to.equal(202);
    expect((await hivekeep.POST(agent, call('remember', { content: 'tea' }))).data).to.include('"agent_id"');
    expect((await hivekeep.POST(agent, call('recall', { query: 'tea' }))).data).to.include('"relevance"');
    expect((await hivekeep.POST('/mcp', { ...call('get_usage', {}), params: {} })).data).to.include('"storage"');
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const modern = message('tools/list', { _meta: envelope }, 1);
    modern.headers = { ...header, ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' } };
    expect((await hivekeep.POST(agent, modern)).data).to.match(/^\{"result":\{"tools"/);
    expect((await hivekeep.POST(agent, { ...modern, headers: header })).response.status).to.equal(400);
  });

  it('OpenAI, whole and in chunks', async () => {
    const { id } = await spawn('Model');
    const completions = '/v1/openai/v1/chat/completions';
    const body = { model: id, messages: [{ role: 'user' as const, content: 'hello' }] };
    expect((await hivekeep.POST(completions, { body })).data).to.have.nested.property('hivekeep.status', 'completed');
    const streamed = await hivekeep.POST(completions, { body: { ...body, stream: true }, parseAs: 'text' });
    expect(streamed.data).to.match(/\ndata: \[DONE\]\n\n$/);
    expect((await hivekeep.POST(completions, { body: { ...body, model: 'nobody' } })).response.status).to.equal(404);
    expect((await hivekeep.GET('/v1/openai/v1/models')).data?.data.map((model) => model.id)).to.include(id);
    const model = await hivekeep.GET('/v1/openai/v1/models/{id}', { params: { path: { id } } });
    expect(model.data).to.include({ id, object: 'model' });
    const response = await hivekeep.POST('/v1/openai/v1/responses', { body: { model: id, input: 'hello' } });
    expect(response.data).to.include({ object: 'response', status: 'completed' });
    const path = { id: String((response.data as { id?: string } | undefined)?.id) };
    const again = await hivekeep.GET('/v1/openai/v1/responses/{id}', { params: { path } });
    expect(again.data).to.include({ id: path.id, status: 'completed' });
  });

  it('what needs no key', async () => {
    expect((await hivekeep.GET('/livez')).data).to.deep.equal({ status: 'ok' });
    expect((await hivekeep.GET('/readyz')).data).to.deep.equal({ status: 'ready' });
    expect((await hivekeep.GET('/metrics', { parseAs: 'text' })).data).to.include('# HELP');
    expect((await hivekeep.GET('/openapi.json')).data).to.include({ openapi: '3.1.0' });
    expect((await hivekeep.GET('/docs', { parseAs: 'text' })).data).to.match(/^<!doctype html>/);
  });

  it('leave out none but those of the matrix', () => {
    const ofMatrix = ['callAgent', 'getCard', 'getCardAtAgent', 'getCardOf02', 'getCardOf03'];
    expect(otherOperations.filter((id) => !succeeded.has(id))).to.have.members(ofMatrix);
  });
});

describe('refusals as documented', () => {
  let gateway: TestGateway;
  const fail = (): never => {
    throw new Error('of ours');
  };
  before(async () => {
    gateway = await gatewayOf(
      {
        credentials: { svc_live_weak: keyPrincipal(['memory:read']) },
        commands: { getHive: fail },
        service: { ready: () => ({ ready: false, reason: 'starting' }) },
      },
      4,
    );
  });
  after(() => gateway.stop());

  const ask = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    conformingFetch(new Set())(
      new Request(gateway.url + path, {
        method,
        body,
        headers: {
          authorization: `Bearer ${rootKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      }),
    );

  const refusals: readonly [status: number, what: string, () => Promise<Response>][] = [
    [400, 'a field that is wrong', () => ask('POST', '/v1/hives', '{"name":5}')],
    [400, 'a page that is too large', () => ask('GET', '/v1/agents?page_size=101')],
    [400, 'a cursor of no list', () => ask('GET', '/v1/memories?cursor=a.b')],
    [
      400,
      'a card of no version',
      () => ask('GET', '/api/v1/a2a/agents/agent_1/card', undefined, { 'a2a-version': '7' }),
    ],
    [401, 'no key', () => ask('GET', '/v1/agents', undefined, { authorization: '' })],
    [401, 'no key for A2A', () => ask('POST', '/api/v1/a2a/agents/agent_1', '{}', { authorization: '' })],
    [
      403,
      'a scope that is missing',
      () => ask('GET', '/v1/agents', undefined, { authorization: 'Bearer svc_live_weak' }),
    ],
    [404, 'what cannot be an id', () => ask('GET', '/v1/memories/a.b')],
    [
      413,
      'a body that is too large',
      () => ask('POST', '/v1/memories', JSON.stringify({ type: 'semantic', content: 'x'.repeat(1024 * 1024) })),
    ],
    [
      415,
      'a body that is no JSON',
      () => ask('POST', '/v1/hives', 'name=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    [500, 'a fault of ours', () => ask('GET', '/v1/hives/hive_1')],
    [503, 'a server that starts', () => ask('GET', '/readyz')],
    [
      429,
      'too many from one address',
      async () => {
        for (let i = 0; i < 20; i++) {
          const answer = await ask('GET', '/openapi.json');
          if (answer.status === 429) return answer;
        }
        throw new Error('none was refused');
      },
    ],
  ];
  for (const [status, what, asked] of refusals) {
    it(`${status}: ${what}`, async () => {
      expect((await asked()).status).to.equal(status);
    });
  }
});
