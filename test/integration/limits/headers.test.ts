/** The headers of docs/api.md 8.3 on every response, whatever it says (gateway/entry.ts). */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { HivekeepError, conflict, notFound, unavailable } from '../../../src/domain/shared/errors.js';
import type { Setup } from '../../helpers/gateway.js';
import { RawClient } from '../gateway/raw-client.js';
import { as, shownIn, startLimited, type Limited } from './support.js';

const json = { 'content-type': 'application/json' };
const memory = JSON.stringify({ type: 'semantic', content: 'tea' });
const free = as('svc_live_free');

interface Case {
  what: string;
  status: number;
  limit: '100' | '50' | '10' | '60000';
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  setup?: Setup;
  /** Counts against nothing. */ uncounted?: true;
}

/** Limits: 100 a free key's requests, 10 the address's. */
const cases: Case[] = [
  { what: 'an object', status: 200, limit: '100', path: '/v1/agents/agent_1' },
  { what: 'a list', status: 200, limit: '100' },
  { what: 'HEAD', status: 200, limit: '100', method: 'HEAD' },
  { what: 'something made', status: 201, limit: '100', method: 'POST', headers: json, body: memory },
  {
    what: 'something accepted',
    status: 202,
    limit: '100',
    method: 'POST',
    path: '/v1/agent-constellations/agent_1/runs',
    headers: json,
    body: '{"input":"go"}',
  },
  {
    what: 'a search',
    status: 200,
    limit: '100',
    method: 'POST',
    path: '/v1/memories/search',
    headers: json,
    body: '{"query":"tea"}',
  },
  { what: 'no key', status: 401, limit: '10', headers: { authorization: '' } },
  { what: 'a wrong key', status: 401, limit: '10', headers: as('svc_live_wrong') },
  {
    what: 'no key on a path that does not exist',
    status: 401,
    limit: '10',
    path: '/v1/nope',
    headers: { authorization: '' },
  },
  {
    what: 'a preflight',
    status: 401,
    limit: '10',
    method: 'OPTIONS',
    headers: { authorization: '', origin: 'https://app.example', 'access-control-request-method': 'POST' },
  },
  { what: 'OPTIONS with a key', status: 405, limit: '100', method: 'OPTIONS' },
  { what: 'a missing scope', status: 403, limit: '100', path: '/v1/keys', headers: as('svc_live_weak') },
  { what: 'a token on REST', status: 403, limit: '100', headers: as('at_free') },
  {
    what: 'a wrong key on A2A',
    status: 401,
    limit: '10',
    method: 'POST',
    path: '/api/v1/a2a/agents/agent_1',
    headers: { ...as('at_wrong'), ...json },
    body: '{}',
  },
  {
    what: "an agent's card",
    status: 200,
    limit: '100',
    path: '/api/v1/a2a/agents/agent_1/card',
    headers: as('at_free'),
  },
  {
    what: 'an answer in JSON-RPC',
    status: 200,
    limit: '100',
    method: 'POST',
    path: '/api/v1/a2a/agents/agent_1',
    headers: { ...as('at_free'), ...json },
    body: '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
  },
  {
    what: 'a token at another agent',
    status: 404,
    limit: '100',
    path: '/api/v1/a2a/agents/agent_2/card',
    headers: as('at_free'),
  },
  { what: 'documentation', status: 200, limit: '10', path: '/openapi.json', headers: { authorization: '' } },
  { what: "nothing under A2A's root", status: 404, limit: '100', path: '/api/v1/a2a/nope' },
  { what: 'nothing there', status: 404, limit: '100', path: '/v1/nope' },
  { what: 'nothing there, outside the API', status: 404, limit: '10', path: '/nope' },
  { what: 'a version that does not exist', status: 404, limit: '10', path: '/v2/agents' },
  {
    what: 'something unknown',
    status: 404,
    limit: '100',
    path: '/v1/agents/agent_x',
    setup: { commands: { getAgent: () => Promise.reject(notFound('agent', 'agent_x')) } },
  },
  { what: 'a wrong method', status: 405, limit: '100', method: 'DELETE' },
  { what: 'a wrong method on a probe', status: 405, limit: '60000', method: 'POST', path: '/livez' },
  { what: 'bad JSON', status: 400, limit: '100', method: 'POST', headers: json, body: '{' },
  { what: 'a bad path', status: 400, limit: '100', path: '/v1/agents/%ff' },
  {
    what: 'an unknown version header',
    status: 400,
    limit: '10',
    path: '/agents',
    headers: { 'x-service-version': 'v9' },
  },
  {
    what: 'a conflict',
    status: 409,
    limit: '100',
    path: '/v1/agents/agent_1',
    setup: { commands: { getAgent: () => Promise.reject(conflict('no')) } },
  },
  {
    what: 'a failed precondition',
    status: 412,
    limit: '100',
    path: '/v1/agents/agent_1',
    setup: { commands: { getAgent: () => Promise.reject(new HivekeepError('PRECONDITION_FAILED', 'no')) } },
  },
  {
    what: 'a long body',
    status: 413,
    limit: '100',
    method: 'POST',
    headers: json,
    body: 'x'.repeat(2000),
    setup: { config: { bodyLimit: 1000 } },
  },
  {
    what: 'a wrong type',
    status: 415,
    limit: '100',
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: memory,
  },
  {
    what: 'a fault of ours',
    status: 500,
    limit: '100',
    path: '/v1/agents/agent_1',
    setup: { commands: { getAgent: () => Promise.reject(new TypeError('bug')) } },
  },
  {
    what: 'not now',
    status: 503,
    limit: '100',
    path: '/v1/agents/agent_1',
    setup: { commands: { getAgent: () => Promise.reject(unavailable('busy')) } },
  },
  {
    what: 'keys that cannot be looked up',
    uncounted: true,
    status: 503,
    limit: '10',
    setup: { service: { authenticate: () => Promise.reject(unavailable('the store is away')) } },
  },
  {
    what: 'a fault of ours when looking up a key',
    uncounted: true,
    status: 500,
    limit: '10',
    setup: {
      service: {
        authenticate: () => {
          throw new TypeError('bug');
        },
      },
    },
  },
  { what: 'plain HTTP where it is refused', status: 403, limit: '10', setup: { config: { plainHttp: false } } },
  { what: 'a probe', status: 200, limit: '60000', path: '/livez' },
  { what: 'another probe', status: 200, limit: '60000', path: '/metrics' },
  {
    what: 'a probe over plain HTTP',
    status: 200,
    limit: '60000',
    path: '/readyz',
    setup: { config: { plainHttp: false } },
  },
  {
    what: 'a probe that says no',
    status: 503,
    limit: '60000',
    path: '/readyz',
    setup: { service: { ready: () => ({ ready: false, reason: 'starting' }) } },
  },
  { what: "a run's events", status: 200, limit: '100', path: '/v1/agent-constellations/agent_1/runs/run_1/events' },
];

describe('limits: headers on every response', () => {
  let gateway: Limited;
  afterEach(() => gateway.stop());

  for (const { what, status, limit, method = 'GET', path = '/v1/memories', headers, body, setup, uncounted } of cases) {
    it(`${status} ${what}`, async () => {
      gateway = await startLimited(setup);
      const response = await fetch(gateway.url + path, { method, headers: { ...free, ...headers }, body });
      await response.arrayBuffer();
      expect(response.status).to.equal(status);
      const shown = shownIn((name) => response.headers.get(name), what);
      const now = gateway.clock.now() / 1000;
      expect(shown.limit).to.equal(limit);
      expect(shown.policy).to.equal(`${limit};w=60`);
      expect(shown.remaining).to.equal(Number(limit) - (uncounted ? 0 : 1));
      expect(shown.reset).to.be.within(now, now + 60);
      if (status !== 503) expect(shown.retryAfter).to.equal(null);
    });
  }

  const raw: [what: string, status: number, limit: string, request: string][] = [
    ['no Host', 400, '10', 'GET /v1/memories HTTP/1.1\r\n\r\n'],
    [
      'an expectation that cannot be met',
      400,
      '10',
      'GET /v1/memories HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n',
    ],
    [
      'a body that waits for 100 Continue and is too long',
      413,
      '100',
      'POST /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_live_free\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n',
    ],
    ['what is no HTTP', 400, '10', 'hello\r\n\r\n'],
    ['a tunnel', 405, '10', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['HTTP/1.0', 200, '100', 'GET /v1/memories HTTP/1.0\r\nAuthorization: Bearer svc_live_free\r\n\r\n'],
    [
      'a whole URL',
      200,
      '100',
      'GET http://x/v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_live_free\r\n\r\n',
    ],
    ['OPTIONS *', 404, '10', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'an upgrade to something else',
      200,
      '100',
      'GET /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_live_free\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
    [
      'a WebSocket without a key',
      401,
      '10',
      'GET /v1/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    [
      'a WebSocket without the scope',
      403,
      '100',
      'GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_live_weak\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    [
      'a WebSocket that is none',
      400,
      '100',
      'GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_live_free\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
  ];
  for (const [what, status, limit, request] of raw) {
    it(`${status} ${what}`, async () => {
      gateway = await startLimited();
      const client = new RawClient(gateway.port).send(request);
      const answer = await client.answer();
      client.destroy();
      expect(answer.status).to.equal(status);
      expect(shownIn((name) => answer.headers[name], what)).to.include({
        limit,
        remaining: Number(limit) - (/no HTTP|tunnel/.test(what) ? 0 : 1),
      });
    });
  }

  it('403 a WebSocket over plain HTTP where it is refused, 503 one whose key cannot be looked up', async () => {
    const upgrade =
      'GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_live_free\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    for (const [setup, status] of [
      [{ config: { plainHttp: false } }, 403],
      [{ service: { authenticate: () => Promise.reject(unavailable('the store is away')) } }, 503],
    ] as const) {
      gateway = await startLimited(setup);
      const client = new RawClient(gateway.port).send(upgrade);
      const answer = await client.answer();
      client.destroy();
      expect(answer.status).to.equal(status);
      expect(shownIn((name) => answer.headers[name], 'upgrade').limit).to.equal('10');
      await gateway.stop();
    }
  });

  it('101 a WebSocket', async () => {
    gateway = await startLimited();
    const ws = new WebSocket(`ws://127.0.0.1:${gateway.port}/v1/events`, { headers: free });
    const headers = await new Promise<Record<string, unknown>>((resolve) => {
      ws.on('upgrade', (response) => {
        resolve(response.headers);
      });
    });
    ws.terminate();
    expect(shownIn((name) => headers[name] as string | undefined, '101')).to.include({ limit: '100', remaining: 99 });
  });

  it("200 the workspace's events, from their first byte", async () => {
    gateway = await startLimited();
    const response = await fetch(`${gateway.url}/v1/events`, { headers: free });
    expect(shownIn((name) => response.headers.get(name), 'SSE')).to.include({ limit: '100', remaining: 99 });
    await response.body?.cancel();
  });

  it('429 with Retry-After and the details of docs/api.md 7.1; after it, requests pass', async () => {
    gateway = await startLimited();
    for (let i = 0; i < 75; i++)
      expect((await gateway.ask('GET', '/v1/memories', undefined, as('svc_test_box'))).status).to.equal(200);
    const refused = await gateway.ask('GET', '/v1/memories', undefined, as('svc_test_box'));
    expect(refused.status).to.equal(429);
    expect(shownIn((name) => refused.headers.get(name), '429')).to.deep.equal({
      limit: '50',
      remaining: 0,
      reset: gateway.clock.now() / 1000 + 60,
      policy: '50;w=60',
      retryAfter: '2',
    });
    expect(refused.body.error).to.deep.include({
      code: 'RATE_LIMIT_EXCEEDED',
      status: 429,
      details: { limit: 50, window: '60s', retry_after: 2 },
    });
    expect(refused.body.error?.request_id).to.equal(refused.headers.get('x-request-id'));
    await gateway.clock.advance(1000);
    expect((await gateway.ask('GET', '/v1/memories', undefined, as('svc_test_box'))).status).to.equal(429);
    await gateway.clock.advance(1000);
    expect((await gateway.ask('GET', '/v1/memories', undefined, as('svc_test_box'))).status).to.equal(200);
  });

  it('limits that cannot be asked are 503, with headers', async () => {
    const away = (): never => {
      throw unavailable('the limits are away');
    };
    gateway = await startLimited({
      options: {
        limiter: {
          admit: () => Promise.reject(unavailable('the limits are away')),
          admitSearch: () => ({ headers: {} }),
          admitAddress: away,
          admitProbe: () => ({ headers: {} }),
          uncounted: () => ({ 'X-RateLimit-Limit': '1' }),
        },
      },
    });
    for (const headers of [free, { authorization: '' }]) {
      const answer = await gateway.ask('GET', '/v1/memories', undefined, headers);
      expect([answer.status, answer.body.error?.code, answer.headers.get('x-ratelimit-limit')]).to.deep.equal([
        503,
        'UNAVAILABLE',
        '1',
      ]);
    }
  });
});
