/** Limits of credentials, over HTTP (docs/api.md 8.1, 8.2). */
import { expect } from 'chai';
import { as, startLimited, type Limited } from './support.js';

describe('limits of keys', () => {
  let gateway: Limited;
  beforeEach(async () => {
    gateway = await startLimited();
  });
  afterEach(() => gateway.stop());

  const statuses = async (
    n: number,
    key: string,
    method = 'GET',
    path = '/v1/memories',
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Record<number, number>> => {
    const counts: Record<number, number> = {};
    for (let i = 0; i < n; i++) {
      const { status } = await gateway.ask(method, path, body, { ...as(key), ...more });
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  };
  const search = (n: number, key: string, path = '/v1/memories/search', more = {}): Promise<Record<number, number>> =>
    statuses(n, key, 'POST', path, { query: 'tea' }, more);

  it('a spike within the burst is never 429; then the key waits and others do not', async () => {
    expect(await statuses(150, 'svc_live_free')).to.deep.equal({ 200: 150 });
    expect(await statuses(1, 'svc_live_free')).to.deep.equal({ 429: 1 });
    expect(await statuses(150, 'svc_live_free2')).to.deep.equal({ 200: 150 });
    await gateway.clock.advance(60_000);
    expect(await statuses(101, 'svc_live_free')).to.deep.equal({ 200: 100, 429: 1 });
  });

  it("a sandbox key of an enterprise workspace has the sandbox's", async () =>
    expect(await statuses(76, 'svc_test_box')).to.deep.equal({ 200: 75, 429: 1 }));

  it('a default key, of an enterprise workspace, is not hit', async () => {
    for (let i = 0; i < 300; i++) expect((await gateway.ask('GET', '/v1/memories')).status).to.equal(200);
    expect((await gateway.ask('GET', '/v1/memories')).headers.get('x-ratelimit-policy')).to.equal('1000000;w=60');
  });

  it('searches have their own, however the path is written', async () => {
    expect(await search(25, 'svc_live_free')).to.deep.equal({ 200: 25 });
    expect(await search(25, 'svc_live_free', '/v1/memories/search/')).to.deep.equal({ 200: 25 });
    expect(await search(26, 'svc_live_free', '/memories/search', { 'x-service-version': 'v1' })).to.deep.equal({
      200: 25,
      429: 1,
    });
    expect(await statuses(1, 'svc_live_free')).to.deep.equal({ 200: 1 });
  });

  it('what is refused is not done', async () => {
    await statuses(150, 'svc_live_free');
    const before = gateway.calls.filter((call) => call.method !== 'authenticate').length;
    expect(
      await statuses(5, 'svc_live_free', 'POST', '/v1/memories', { type: 'semantic', content: 'tea' }),
    ).to.deep.equal({ 429: 5 });
    expect(gateway.calls.filter((call) => call.method !== 'authenticate').length).to.equal(before);
  });

  it('requests that come together pass exactly as often as one after the other', async () => {
    // 5 may be in progress for a free key: of these, lanes of 5 make 200 requests
    const lanes = await Promise.all(Array.from({ length: 5 }, () => statuses(40, 'svc_live_free')));
    expect(lanes.reduce((sum, counts) => sum + (counts[200] ?? 0), 0)).to.equal(150);
    expect(lanes.reduce((sum, counts) => sum + (counts[429] ?? 0), 0)).to.equal(50);
  });

  it('errors count as well, so that they are not a way to ask for nothing', async () => {
    expect(await statuses(75, 'svc_test_box', 'GET', '/v1/nope')).to.deep.equal({ 404: 75 });
    expect(await statuses(1, 'svc_test_box')).to.deep.equal({ 429: 1 });
  });
});
