/** Every error in the envelope of docs/api.md 7.1; ids, methods, unknown paths, probes. */
import { expect } from 'chai';
import { statusOf } from '../../../gateway/http/error-envelope.js';
import { errorCodes, HivekeepError } from '../../../src/domain/shared/errors.js';
import { expectedStatus } from '../../helpers/statuses.js';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';

describe('gateway: envelopes', () => {
  let gateway: TestGateway;
  let thrown: unknown;
  let ready: { ready: true } | { ready: false; reason: string };
  before(async () => {
    gateway = await startGateway({
      commands: {
        getAgent: async () => {
          throw thrown;
        },
      },
      service: { ready: () => ready },
    });
  });
  after(() => gateway.stop());
  beforeEach(() => {
    ready = { ready: true };
    gateway.errors.length = 0;
    gateway.counted.length = 0;
  });

  for (const code of errorCodes) {
    it(`${code} is ${expectedStatus[code]}`, async () => {
      thrown = new HivekeepError(code, 'as it is said', { details: { limit: 1 }, retryAfter: 2.2 });
      const answer = await gateway.ask('GET', '/v1/agents/agent_1');
      expect(answer.status).to.equal(expectedStatus[code]).and.to.equal(statusOf[code]);
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      // docs/api.md 8.3: with 429, and where the service itself is away
      expect(answer.headers.get('retry-after')).to.equal([429, 503].includes(expectedStatus[code]) ? '3' : null);
      expect(answer.body).to.deep.equal({
        error: {
          code,
          message: 'as it is said',
          status: expectedStatus[code],
          details: { limit: 1 },
          request_id: answer.headers.get('x-request-id'),
        },
      });
      expect(answer.body.error?.request_id).to.match(/^req_[0-9a-z]{20}$/);
    });
  }

  it('tells nothing of a fault of ours but its request id, and logs the rest', async () => {
    thrown = new TypeError('secret /path/to/file');
    const answer = await gateway.ask('GET', '/v1/agents/agent_1', undefined, { 'x-request-id': 'mine-7' });
    expect(answer.status).to.equal(500);
    expect(answer.text).not.to.match(/secret|TypeError|\.ts|node_modules/);
    expect(gateway.errors).to.have.length(1);
    expect(gateway.errors[0]).to.include({
      err: thrown,
      request_id: answer.body.error?.request_id,
      client_request_id: 'mine-7',
    });
  });

  it('names every response, and echoes a sane id of the client only', async () => {
    const sane = await gateway.ask('GET', '/v1/memories', undefined, { 'x-request-id': 'trace:1/a=b' });
    expect(sane.headers.get('x-client-request-id')).to.equal('trace:1/a=b');
    expect(sane.headers.get('x-request-id')).to.match(/^req_/);
    for (const odd of ['has space', 'x'.repeat(129), 'caf\u00e9']) {
      const answer = await gateway.ask('GET', '/v1/memories', undefined, { 'x-request-id': odd });
      expect(answer.headers.has('x-client-request-id'), odd).to.equal(false);
      expect(answer.headers.get('x-request-id')).to.match(/^req_/);
    }
  });

  it('is 404 for what is not there, and 401 first under /v1', async () => {
    for (const path of [
      '/',
      '/nope',
      '/v2/agents',
      '/v1x',
      '/index.html',
      '//v1/agents',
      '/v1/nope',
      '/v1',
      '/v1/',
      '/v1/agents/a/b',
      '/V1/agents',
      '/v1/Agents',
    ]) {
      const answer = await gateway.ask('GET', path);
      expect(answer.status, path).to.equal(404);
      expect(answer.body.error?.code, path).to.equal('NOT_FOUND');
    }
    for (const path of ['/v1/nope', '/v1', '/v1/', '/v1?x', '/v1/agents/spawn', '/v1/memories']) {
      expect((await gateway.ask('PATCH', path, undefined, { authorization: '' })).status, path).to.equal(401);
    }
    // `/` is a route, which sends browsers to the console and is 404 for programs
    expect(gateway.counted.filter((c) => c.route !== 'unmatched' && c.route !== '/')).to.deep.equal([]);
  });

  it('is 405 with Allow for a known path and another method', async () => {
    for (const [method, path, allow] of [
      ['GET', '/v1/agents/spawn', 'POST'],
      ['POST', '/v1/agents', 'GET, HEAD'],
      ['DELETE', '/v1/memories', 'POST, GET, HEAD'],
      ['OPTIONS', '/v1/usage', 'GET, HEAD'],
      ['POST', '/v1/agents/agent_1', 'GET, PUT, PATCH, DELETE, HEAD'],
      ['GET', '/v1/memories/search', 'POST'],
      ['POST', '/livez', 'GET, HEAD'],
      ['PUT', '/v1/events', 'GET, HEAD'],
    ] as const) {
      const answer = await gateway.ask(method, path, undefined);
      expect(answer.status, `${method} ${path}`).to.equal(405);
      expect(answer.headers.get('allow')).to.equal(allow);
      expect(answer.body.error).to.deep.include({ code: 'METHOD_NOT_ALLOWED', details: { allow } });
    }
  });

  it('answers HEAD as GET without the body', async () => {
    const get = await gateway.ask('GET', '/v1/memories');
    const head = await gateway.ask('HEAD', '/v1/memories');
    expect(head.status).to.equal(200);
    expect(head.text).to.equal('');
    expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'));
    thrown = new HivekeepError('NOT_FOUND', 'no agent x');
    const missing = await gateway.ask('HEAD', '/v1/agents/x');
    expect([missing.status, missing.text]).to.deep.equal([404, '']);
  });

  it('computes no ETag and does not say what it is made of', async () => {
    const { headers } = await gateway.ask('GET', '/v1/memories');
    expect(headers.has('etag')).to.equal(false);
    expect(headers.has('x-powered-by')).to.equal(false);
  });

  it('answers probes without a key; /readyz says why not', async () => {
    for (const path of ['/livez', '/readyz', '/metrics', '/livez?x=1'])
      expect((await gateway.ask('GET', path, undefined, { authorization: '' })).status, path).to.equal(200);
    expect((await gateway.ask('GET', '/metrics')).headers.get('content-type')).to.match(
      /^text\/plain; version=0\.0\.4/,
    );
    ready = { ready: false, reason: 'the store is loading' };
    const answer = await gateway.ask('GET', '/readyz');
    expect(answer.status).to.equal(503);
    expect(answer.body.error).to.include({ code: 'UNAVAILABLE', message: 'the store is loading' });
    expect(answer.headers.get('retry-after')).to.equal('1');
  });

  it('counts each request once, by its template', async () => {
    thrown = new HivekeepError('NOT_FOUND', 'no agent');
    await gateway.ask('GET', '/v1/agents/agent_1');
    await gateway.ask('POST', '/v1/memories', { type: 'a', content: 'b' });
    await gateway.ask('GET', '/made/up');
    await gateway.ask('GET', '/v1/agent-constellations/a/runs/b/events');
    expect(gateway.counted.map(({ route, method, status }) => `${method} ${route} ${status}`)).to.deep.equal([
      'GET /v1/agents/:id 404',
      'POST /v1/memories 201',
      'GET unmatched 404',
      'GET /v1/agent-constellations/:id/runs/:runId/events 200',
    ]);
    const times = gateway.counted.map(({ seconds }) => seconds);
    expect(times.pop(), 'a stream has no time to answer').to.equal(null);
    for (const seconds of times) expect(seconds).to.be.within(0, 5);
  });
});
