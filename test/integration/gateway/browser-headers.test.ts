/**
 * What browsers are told: security headers, HSTS, CORS (http/head.ts, http/cors.ts), on every kind of
 * answer over real sockets.
 */
import { randomBytes } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { connect as tlsConnect } from 'node:tls';
import { expect } from 'chai';
import { policyOf, tierLimits } from '../../../src/limits/tiers.js';
import { createInMemoryLimits } from '../../../src/limits/in-memory.js';
import { createLimiter } from '../../../gateway/limits/limiter.js';
import { realClock } from '../../helpers/engine.js';
import { rootKey, startGateway, type Setup, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from './raw-client.js';
import { otherTls } from './tls-fixture-2.js';
import { testTls } from './tls-fixture.js';

const page = 'https://app.example';

/** With limits, and with streams that speak of WebSockets too. */
const start = ({ config }: Setup = {}): Promise<TestGateway> =>
  startGateway({
    config,
    options: {
      limiter: createLimiter({
        keys: createInMemoryLimits({ holdMs: 30_000 }),
        addresses: createInMemoryLimits({ holdMs: 30_000 }),
        clock: realClock,
        holdMs: 30_000,
        tiers: tierLimits({ requestsPerMinute: 100_000, searchesPerMinute: 50_000, concurrent: 100 }),
        address: policyOf(1000),
      }),
    },
  });

interface Row {
  what: string;
  status: number;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  cache?: string | null;
  policy?: RegExp;
}

const none = { authorization: '' };
const rows: Row[] = [
  { what: 'one thing', status: 200, path: '/v1/memories/mem_1' },
  { what: 'a list', status: 200, path: '/v1/memories' },
  { what: 'what was made', status: 201, method: 'POST', path: '/v1/memories', body: '{"type":"a","content":"b"}' },
  { what: 'what was deleted', status: 200, method: 'DELETE', path: '/v1/memories/mem_1' },
  { what: 'HEAD', status: 200, method: 'HEAD', path: '/v1/memories' },
  { what: 'an event stream', status: 200, path: '/v1/events', cache: 'no-cache, no-transform' },
  {
    what: 'JSON-RPC',
    status: 200,
    method: 'POST',
    path: '/api/v1/a2a/agents/agent_1',
    body: '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"run_1"}}',
  },
  {
    what: 'an A2A stream',
    status: 200,
    method: 'POST',
    path: '/api/v1/a2a/agents/agent_1',
    body: '{"jsonrpc":"2.0","id":1,"method":"tasks/resubscribe","params":{"id":"run_1"}}',
    cache: 'no-cache, no-transform',
  },
  { what: 'a card', status: 200, path: '/api/v1/a2a/agents/agent_1/card', cache: 'private, max-age=60' },
  { what: 'a probe', status: 200, path: '/livez' },
  { what: 'metrics', status: 200, path: '/metrics' },
  { what: 'the OpenAPI document', status: 200, path: '/openapi.json', headers: none, cache: 'public, no-cache' },
  {
    what: 'the documentation',
    status: 200,
    path: '/docs',
    headers: none,
    cache: 'public, no-cache',
    policy: /^default-src 'none'; script-src 'self'; style-src 'self'; /,
  },
  { what: '400', status: 400, path: '/v1/memories?page_size=0' },
  { what: '401', status: 401, path: '/v1/memories', headers: none },
  { what: '404', status: 404, path: '/v1/nope' },
  { what: '405', status: 405, method: 'PUT', path: '/v1/memories' },
  { what: '413', status: 413, method: 'POST', path: '/v1/memories', body: `"${'x'.repeat(1024 * 1024)}"` },
  {
    what: '415',
    status: 415,
    method: 'POST',
    path: '/v1/memories',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  },
];

async function ask(
  gateway: TestGateway,
  { method = 'GET', path, headers, body }: Pick<Row, 'method' | 'path' | 'headers' | 'body'>,
): Promise<Response> {
  const response = await fetch(gateway.url + path, {
    method,
    body,
    headers: {
      authorization: `Bearer ${rootKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  await response.body?.cancel();
  return response;
}

describe('gateway: security headers', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await start();
  });
  after(() => gateway.stop());

  for (const row of rows) {
    it(`on ${row.what}`, async () => {
      const { status, headers } = await ask(gateway, row);
      expect(status).to.equal(row.status);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('content-security-policy'))
        .to.match(row.policy ?? /^default-src 'none'; frame-ancestors 'none'$/)
        .and.match(/frame-ancestors 'none'/);
      expect(headers.get('cache-control')).to.equal(row.cache ?? 'no-store');
      expect(headers.get('strict-transport-security'), 'no HSTS over plain HTTP').to.equal(null);
      expect(
        [...headers.keys()].filter((name) => name.startsWith('access-control') || name === 'x-powered-by'),
      ).to.deep.equal(row.path === '/openapi.json' ? ['access-control-allow-origin'] : []);
    });
  }

  it('on what never became a request, and on a WebSocket that is refused', async () => {
    for (const bytes of [
      'noise\r\n\r\n',
      'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /v1/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ]) {
      const client = new RawClient(gateway.port);
      const { headers } = await client.send(bytes).answer();
      expect(headers).to.include({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
      });
      client.destroy();
    }
  });
});

describe('gateway: HSTS, TLS and trusted proxies', () => {
  const year = 'max-age=31536000';
  const viaProxy = { 'x-forwarded-proto': 'https' };

  for (const [trusted, trusts] of [
    [['127.0.0.1'], true],
    [['127.0.0.0/8'], true],
    [['10.0.0.0/8', 'loopback'], true],
    [['10.0.0.0/8'], false],
    [['::1'], false],
    [[], false],
  ] as const) {
    it(`a proxy at 127.0.0.1 with trusted proxies [${trusted.join(', ')}] is ${trusts ? '' : 'not '}believed`, async () => {
      const gateway = await start({ config: { plainHttp: false, trustedProxies: trusted } });
      const good = await ask(gateway, { path: '/v1/memories', headers: viaProxy });
      expect([good.status, good.headers.get('strict-transport-security')]).to.deep.equal(
        trusts ? [200, year] : [403, null],
      );
      const refusal = await ask(gateway, { path: '/v1/nope', headers: viaProxy });
      expect(refusal.headers.get('strict-transport-security')).to.equal(trusts ? year : null);
      for (const proto of ['http', '', 'https, http', 'HTTP']) {
        const plain = await ask(gateway, { path: '/v1/memories', headers: { 'x-forwarded-proto': proto } });
        expect([plain.status, plain.headers.get('strict-transport-security')], proto).to.deep.equal([403, null]);
      }
      await gateway.stop();
    });
  }

  it("never on a plain loopback bind, whatever a stranger's header says", async () => {
    const gateway = await start();
    const { status, headers } = await ask(gateway, { path: '/v1/memories', headers: viaProxy });
    expect([status, headers.get('strict-transport-security')]).to.deep.equal([200, null]);
    await gateway.stop();
  });

  describe('over TLS', () => {
    let gateway: TestGateway;
    beforeEach(async () => {
      gateway = await start({ config: { plainHttp: false, tls: testTls } });
    });
    afterEach(() => gateway.stop());

    const get = (path: string, ca: string): Promise<{ status: number | undefined; hsts: unknown }> =>
      new Promise((resolve, reject) => {
        httpsRequest(
          {
            port: gateway.port,
            host: '127.0.0.1',
            path,
            ca,
            agent: false,
            headers: { authorization: `Bearer ${rootKey}` },
          },
          (res) => {
            res
              .resume()
              .on('end', () => resolve({ status: res.statusCode, hsts: res.headers['strict-transport-security'] }));
          },
        )
          .on('error', reject)
          .end();
      });
    const handshake = (options: { maxVersion?: 'TLSv1.1' | 'TLSv1.2'; minVersion?: 'TLSv1' }): Promise<string | null> =>
      new Promise((resolve) => {
        const socket = tlsConnect(
          { port: gateway.port, host: '127.0.0.1', ca: testTls.cert, ciphers: 'DEFAULT@SECLEVEL=0', ...options },
          () => {
            resolve(socket.getProtocol());
            socket.destroy();
          },
        );
        socket.on('error', () => resolve(null));
      });
    /** What the server writes to bytes inside TLS. */
    const raw = (bytes: string): Promise<string> =>
      new Promise((resolve) => {
        let got = '';
        const socket = tlsConnect({ port: gateway.port, host: '127.0.0.1', ca: testTls.cert }, () =>
          socket.write(bytes),
        );
        socket
          .on('data', (data: Buffer) => {
            got += data.toString();
          })
          .on('close', () => resolve(got))
          .on('error', () => undefined);
      });

    it('everything has it: answers, refusals, probes, bad HTTP, refused WebSockets', async () => {
      for (const path of ['/v1/memories', '/v1/nope', '/livez'])
        expect((await get(path, testTls.cert)).hsts, path).to.equal(year);
      for (const bytes of [
        'noise\r\n\r\n',
        'GET /v1/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ]) {
        expect(await raw(bytes)).to.match(new RegExp(`\r\nStrict-Transport-Security: ${year}\r\n`));
      }
    });
    it('TLS 1.2 and 1.3 are spoken, 1.1 is not', async () => {
      expect(await handshake({})).to.equal('TLSv1.3');
      expect(await handshake({ maxVersion: 'TLSv1.2' })).to.equal('TLSv1.2');
      expect(await handshake({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).to.equal(null);
    });
    it('a renewed certificate is shown to new connections, with the same rules; what is no pair changes nothing', async () => {
      expect(() => gateway.gateway.renewTls({ cert: otherTls.cert, key: testTls.key })).to.throw();
      expect((await get('/v1/memories', testTls.cert)).status).to.equal(200);
      gateway.gateway.renewTls(otherTls);
      expect((await get('/v1/memories', otherTls.cert)).status).to.equal(200);
      const old = await get('/v1/memories', testTls.cert).catch((error: NodeJS.ErrnoException) => error.code);
      expect(old).to.equal('DEPTH_ZERO_SELF_SIGNED_CERT');
      expect(await handshake({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).to.equal(null);
    });
  });
});

describe('gateway: CORS', () => {
  const preflight = {
    method: 'OPTIONS',
    headers: {
      authorization: '',
      origin: page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  };
  const allowed = (headers: Headers): string[] =>
    [...headers.keys()].filter((name) => name.startsWith('access-control'));

  describe('off', () => {
    let gateway: TestGateway;
    before(async () => {
      gateway = await start();
    });
    after(() => gateway.stop());
    it('nothing speaks of it, and OPTIONS is a method that is not allowed', async () => {
      expect((await ask(gateway, { ...preflight, path: '/v1/memories' })).status).to.equal(401);
      const answer = await ask(gateway, { method: 'OPTIONS', path: '/v1/memories', headers: { origin: page } });
      expect([
        answer.status,
        answer.headers.get('allow'),
        answer.headers.get('vary'),
        allowed(answer.headers),
      ]).to.deep.equal([405, 'POST, GET, HEAD', null, []]);
      expect(allowed((await ask(gateway, { path: '/v1/memories', headers: { origin: page } })).headers)).to.deep.equal(
        [],
      );
    });
  });

  describe('with a list', () => {
    let gateway: TestGateway;
    before(async () => {
      gateway = await start({ config: { corsOrigins: [page, 'http://localhost:3000'] } });
    });
    after(() => gateway.stop());

    it('a preflight needs no key, is the same everywhere, has no body and the headers of the limits', async () => {
      for (const path of ['/v1/memories', '/v1/nope', '/api/v1/a2a/agents/agent_1', '/v1/events']) {
        gateway.calls.length = 0;
        const { status, headers } = await ask(gateway, { ...preflight, path });
        expect(status, path).to.equal(204);
        expect(headers.get('access-control-allow-origin')).to.equal(page);
        expect(headers.get('access-control-allow-methods')).to.equal('GET, HEAD, POST, PUT, PATCH, DELETE');
        for (const name of [
          'Authorization',
          'Content-Type',
          'Idempotency-Key',
          'If-Match',
          'A2A-Version',
          'Last-Event-ID',
          'X-Request-Id',
          'X-Service-Version',
        ])
          expect(headers.get('access-control-allow-headers')).to.include(name);
        expect(headers.get('access-control-max-age')).to.equal('7200');
        expect(headers.get('vary')).to.equal('Origin');
        expect(headers.get('access-control-allow-credentials')).to.equal(null);
        for (const name of [
          'x-ratelimit-limit',
          'x-ratelimit-remaining',
          'x-ratelimit-reset',
          'x-ratelimit-policy',
          'x-request-id',
        ])
          expect(headers.get(name), name).not.to.equal(null);
        expect(gateway.calls).to.deep.equal([]);
      }
    });

    for (const row of rows.filter(({ what }) => what !== 'the OpenAPI document')) {
      it(`${row.what} says who may read it`, async () => {
        const { headers } = await ask(gateway, { ...row, headers: { ...row.headers, origin: page } });
        expect(headers.get('access-control-allow-origin')).to.equal(page);
        for (const name of [
          'X-RateLimit-Remaining',
          'Retry-After',
          'ETag',
          'Location',
          'X-Request-Id',
          'Idempotent-Replayed',
        ])
          expect(headers.get('access-control-expose-headers')).to.include(name);
        expect(headers.get('vary')).to.match(/(^|, )Origin$/);
        const foreign = await ask(gateway, { ...row, headers: { ...row.headers, origin: 'https://evil.example' } });
        expect(foreign.status).to.equal(row.status);
        expect([allowed(foreign.headers), foreign.headers.get('vary')]).to.deep.equal([[], headers.get('vary')]);
        expect([...foreign.headers.values()].join(' ')).not.to.include('evil');
      });
    }

    it('a preflight of another origin is any OPTIONS request', async () => {
      const answer = await ask(gateway, {
        ...preflight,
        path: '/v1/memories',
        headers: { ...preflight.headers, origin: 'https://evil.example' },
      });
      expect([answer.status, allowed(answer.headers)]).to.deep.equal([401, []]);
    });

    const upgrade = async (
      origin: string | undefined,
      host = 'hive.example',
    ): Promise<{ status: number; body: string }> => {
      const client = new RawClient(gateway.port);
      client.send(
        `GET /v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${rootKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n${origin === undefined ? '' : `Origin: ${origin}\r\n`}\r\n`,
      );
      const answer = await client.answer();
      client.destroy();
      return answer;
    };
    it('WebSockets are opened by listed pages, our own, and what is no page', async () => {
      for (const origin of [page, 'https://hive.example', undefined])
        expect((await upgrade(origin)).status, origin).to.equal(101);
      for (const origin of ['https://evil.example', 'null', 'https://hive.example.evil']) {
        const { status, body } = await upgrade(origin);
        expect(status, origin).to.equal(400);
        expect(body).to.include('HIVEKEEP_CORS_ORIGINS').and.include('VALIDATION_ERROR');
      }
    });
  });

  it('* is every page, named by no one', async () => {
    const gateway = await start({ config: { corsOrigins: ['*'] } });
    const { status, headers } = await ask(gateway, {
      ...preflight,
      path: '/v1/memories',
      headers: { ...preflight.headers, origin: 'https://any.example' },
    });
    expect([
      status,
      headers.get('access-control-allow-origin'),
      headers.get('access-control-allow-credentials'),
      headers.get('vary'),
    ]).to.deep.equal([204, '*', null, null]);
    expect(
      (await ask(gateway, { path: '/v1/memories', headers: { origin: 'null' } })).headers.get(
        'access-control-allow-origin',
      ),
    ).to.equal('*');
    await gateway.stop();
  });

  it('is not told over plain HTTP where that is refused', async () => {
    const gateway = await start({ config: { plainHttp: false, corsOrigins: [page] } });
    expect((await ask(gateway, { ...preflight, path: '/v1/memories' })).status).to.equal(403);
    await gateway.stop();
  });
});
