/** What belongs to no resource: probes, metrics, request ids, versions, methods, paths (docs/api.md 7.1, 9). */
import { expect } from 'chai';
import { client, served, until } from './support/client.js';

const { api, hooks } = served();

describe('black box: the gateway', () => {
  hooks();
  it('has probes and metrics that need no key', async () => {
    const stranger = client(() => api.url, '');
    for (const path of ['/livez', '/readyz', '/metrics'])
      expect((await stranger.ask('GET', path)).status, path).to.equal(200);
    await api.one('POST', '/v1/agents/spawn', { name: 'counted' }, 201);
    await api.refused('GET', '/v1/agents/agent_none', undefined, 'NOT_FOUND');
    // each process counts its own, and renews its answer once a second: in a cluster, the next question is for the
    // other
    let metrics = '';
    await until(
      async () => (metrics += (await stranger.ask('GET', '/metrics')).text),
      (text) => text.includes('route="/v1/agents/spawn"') && text.includes('status="404"'),
    );
    expect(metrics).to.match(/^# TYPE hivekeep_\w+ (counter|gauge|histogram)$/m);
    expect(metrics).to.match(/route="\/v1\/agents\/spawn"/);
    expect(metrics).to.match(/status="404"/);
    for (const what of ['request', 'commit', 'actor', 'mailbox', 'run'])
      expect(metrics, what).to.match(new RegExp(`^hivekeep_\\w*${what}`, 'm'));
    expect(metrics).to.not.contain('agent_none');
  });

  it("names every request req_..., and echoes the client's own id beside it", async () => {
    const seen = new Set<string>();
    for (const path of ['/v1/agents', '/livez', '/nothing', '/v1/nothing']) {
      const answer = await api.ask('GET', path, undefined, { 'x-request-id': 'mine-1' });
      expect(answer.headers.get('x-client-request-id'), path).to.equal('mine-1');
      seen.add(String(answer.headers.get('x-request-id')));
    }
    expect(seen.size).to.equal(4);
    const long = await api.ask('GET', '/v1/agents', undefined, { 'x-request-id': 'x'.repeat(500) });
    expect(long.headers.get('x-client-request-id')).to.equal(null);
  });

  it('takes the version from the path, else from X-Service-Version', async () => {
    for (const version of ['v1', '1'])
      expect((await api.ask('GET', '/agents', undefined, { 'x-service-version': version })).status).to.equal(200);
    for (const version of ['v2', '2', '', 'latest']) {
      const answer = await api.ask('GET', '/agents', undefined, { 'x-service-version': version });
      expect([answer.status, answer.body.error?.code], version).to.deep.equal([400, 'UNSUPPORTED_VERSION']);
      expect(
        (await api.ask('GET', '/v1/agents', undefined, { 'x-service-version': version })).status,
        'the path wins',
      ).to.equal(200);
    }
    expect((await api.ask('GET', '/agents')).status).to.equal(404);
    for (const path of ['/v2/agents', '/v2', '/v0/agents'])
      expect((await api.ask('GET', path, undefined, { 'x-service-version': 'v1' })).status, path).to.equal(404);
    const made = await api.ask('POST', '/agents/spawn', { name: 'by header' }, { 'x-service-version': '1' });
    expect(made.status).to.equal(201);
    expect(made.headers.get('location')).to.contain('/v1/agents/agent_');
  });

  it('answers 405 with Allow where the path is known, 404 where it is not', async () => {
    for (const [method, path, allow] of [
      ['POST', '/v1/agents', 'GET'],
      ['DELETE', '/v1/agents', 'GET'],
      ['GET', '/v1/agents/agent_x/message', 'POST'],
      ['PUT', '/v1/memories/mem_x', 'PATCH'],
      ['PATCH', '/v1/keys', 'POST'],
      ['GET', '/v1/memories/search', 'POST'],
      ['POST', '/v1/usage', 'GET'],
      ['PUT', '/v1/agent-constellations/agent_x/runs/run_x', 'GET'],
    ] as const) {
      const answer = await api.ask(method, path, method === 'GET' || method === 'DELETE' ? undefined : {});
      expect([answer.status, answer.body.error?.code], `${method} ${path}`).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow'), `${method} ${path}`).to.contain(allow);
    }
    for (const path of [
      '/',
      '/v1',
      '/v1/',
      '/v1/nothing',
      '/v1/agents/a/b/c',
      '/v1/agent-constellations/agent_x',
      '/v1/agent-constellations/agent_x/nothing',
      '//v1/agents',
      '/favicon.png',
    ])
      await api.refused('GET', path, undefined, 'NOT_FOUND');
    expect((await api.ask('HEAD', '/v1/agents')).status).to.equal(200);
  });
});
