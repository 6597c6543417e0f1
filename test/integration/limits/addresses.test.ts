/** Guessing costs, and only who guesses (gateway/limits/limiter.ts). */
import { expect } from 'chai';
import { notFound } from '../../../src/domain/shared/errors.js';
import type { Principal } from '../../../src/service.js';
import { as, credentials, shownIn, startLimited, type Limited } from './support.js';

describe('limits by address', () => {
  let gateway: Limited;
  afterEach(() => gateway.stop());
  const guess = async (headers: Record<string, string> = {}, path = '/v1/memories'): Promise<number> =>
    (await gateway.ask('GET', path, undefined, { ...as('svc_live_guess'), ...headers })).status;
  const guesses = async (
    n: number,
    headers: (i: number) => Record<string, string> = () => ({}),
    path?: string,
  ): Promise<number[]> => {
    const statuses: number[] = [];
    for (let i = 0; i < n; i++) statuses.push(await guess(headers(i), path));
    return statuses;
  };
  const fifteenPass = [...Array.from({ length: 15 }, () => 401), 429, 429];

  it('guesses are 401 up to the limit, 429 beyond it, and 401 again when it has come back', async () => {
    gateway = await startLimited();
    expect(await guesses(17)).to.deep.equal(fifteenPass);
    const refused = await gateway.ask('GET', '/v1/memories', undefined, { authorization: '' });
    expect(refused.body.error).to.deep.include({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { limit: 10, window: '60s', retry_after: 6 },
    });
    expect(shownIn((name) => refused.headers.get(name), '429')).to.include({
      limit: '10',
      remaining: 0,
      retryAfter: '6',
    });
    await gateway.clock.advance(6000);
    expect(await guesses(2)).to.deep.equal([401, 429]);
  });

  it('pushes of peers count as guesses do, whoever sends them', async () => {
    const takePeerPush = (): Promise<void> => Promise.reject(notFound('push', 'of this address and token'));
    gateway = await startLimited({ service: { takePeerPush } });
    const statuses = [];
    for (let i = 0; i < 17; i++) statuses.push((await gateway.ask('POST', '/a2a/pushes/x', {})).status);
    expect(statuses).to.deep.equal([...Array.from({ length: 15 }, () => 404), 429, 429]);
  });

  it('a valid key passes from an address that has used up everything, seen before or not', async () => {
    let now: Record<string, Principal> = {};
    gateway = await startLimited({ service: { authenticate: async () => Object.values(now)[0] ?? null } });
    await guesses(17);
    now = { fresh: { ...credentials['svc_live_free']!, credentialId: 'key_fresh' } };
    for (let i = 0; i < 3; i++)
      expect((await gateway.ask('GET', '/v1/memories', undefined, as('svc_live_fresh'))).status).to.equal(200);
    now = {};
    expect(await guess(), 'and another wrong one does not').to.equal(429);
  });

  it("guesses use up nobody's budget, and a key's requests not the address's", async () => {
    gateway = await startLimited();
    await guesses(17);
    const first = await gateway.ask('GET', '/v1/memories', undefined, as('svc_live_free'));
    expect(first.headers.get('x-ratelimit-remaining')).to.equal('99');
    await gateway.clock.advance(90_000);
    for (let i = 0; i < 30; i++) await gateway.ask('GET', '/v1/memories', undefined, as('svc_live_free'));
    expect(await guesses(17)).to.deep.equal(fifteenPass);
  });

  it('paths that need no key count as well; probes have a bucket of their own', async () => {
    gateway = await startLimited();
    expect(await guesses(17, () => ({}), '/nope')).to.deep.equal(
      fifteenPass.map((status) => (status === 401 ? 404 : 429)),
    );
    for (let i = 0; i < 5; i++) expect(await guess({}, '/livez')).to.equal(200);
    await gateway.stop();
    gateway = await startLimited({}, 10, { limit: 4, burst: 6 });
    const probes: number[] = [];
    for (const path of ['/livez', '/metrics', '/readyz', '/livez', '/metrics', '/livez', '/livez', '/metrics'])
      probes.push(await guess({}, path));
    expect(probes).to.deep.equal([200, 200, 200, 200, 200, 200, 429, 429]);
    expect(await guesses(17), 'and use up nothing of the other').to.deep.equal(fifteenPass);
  });

  it('X-Forwarded-For of a stranger is ignored', async () => {
    gateway = await startLimited();
    expect(await guesses(17, (i) => ({ 'x-forwarded-for': `192.0.2.${i}` }))).to.deep.equal(fifteenPass);
  });

  describe('behind a trusted proxy', () => {
    const https = { 'x-forwarded-proto': 'https' };
    beforeEach(async () => {
      gateway = await startLimited({ config: { trustedProxies: ['127.0.0.1'] } });
    });

    it('each client has its own', async () => {
      expect(await guesses(17, () => ({ ...https, 'x-forwarded-for': '192.0.2.1' }))).to.deep.equal(fifteenPass);
      expect(await guess({ ...https, 'x-forwarded-for': '192.0.2.2' })).to.equal(401);
    });

    it('what a client puts in front of it changes nothing', async () => {
      expect(await guesses(17, (i) => ({ ...https, 'x-forwarded-for': `198.51.100.${i}, 192.0.2.1` }))).to.deep.equal(
        fifteenPass,
      );
    });

    it('an IPv6 client has its /64', async () => {
      expect(
        await guesses(17, (i) => ({ ...https, 'x-forwarded-for': `2001:db8:1:2::${i.toString(16)}` })),
      ).to.deep.equal(fifteenPass);
      expect(await guess({ ...https, 'x-forwarded-for': '2001:db8:1:3::1' })).to.equal(401);
    });
  });
});
