/** Who counts against what; the invariants are those of gateway/limits/limiter.ts. */
import { expect } from 'chai';
import { type Admission, type Limiter, createLimiter } from '../../../gateway/limits/limiter.js';
import { unavailable } from '../../../src/domain/shared/errors.js';
import type { Tier } from '../../../src/domain/shared/vocabulary.js';
import { createInMemoryLimits, type InMemoryLimits } from '../../../src/limits/in-memory.js';
import type { Limits } from '../../../src/limits/port.js';
import { policyOf, tierLimits } from '../../../src/limits/tiers.js';
import type { Principal } from '../../../src/service.js';
import { ManualClock, settle } from '../bus/support.js';

const holdMs = 30_000;
const tiers = tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 });
const get = { method: 'GET', url: '/v1/memories' };
const search = { method: 'POST', url: '/v1/memories/search' };

const key = (tier: Tier, more: Partial<Principal> = {}): Principal =>
  ({ kind: 'key', workspace: 'ws', credentialId: `key_${tier}`, tier, scopes: [], ...more }) as Principal;

interface Set {
  limiter: Limiter;
  clock: ManualClock;
  keys: InMemoryLimits;
}
function setUp(through: (limits: InMemoryLimits) => Limits = (limits) => limits): Set {
  const clock = new ManualClock();
  const keys = createInMemoryLimits({ holdMs });
  return {
    clock,
    keys,
    limiter: createLimiter({
      keys: through(keys),
      addresses: createInMemoryLimits({ holdMs }),
      tiers,
      address: policyOf(10),
      clock,
      holdMs,
    }),
  };
}

let ids = 0;
const at = (limiter: Limiter, principal: Principal, request = get): Admission => {
  const said = limiter.admit(request, principal, `req_${++ids}`);
  if (said instanceof Promise) throw new Error('not at once');
  return said;
};
const code = (said: Admission): string => said.refusal?.code ?? 'passes';
/** How many pass, each let go at once, and what the first refusal says. */
function until429(limiter: Limiter, principal: Principal, request = get): { passed: number; refused: Admission } {
  for (let passed = 0; ; passed++) {
    const said = at(limiter, principal, request);
    if (said.refusal) return { passed, refused: said };
    said.release?.();
  }
}

describe('the limiter', () => {
  it('gives each tier its burst, and tells of the sustained limit', () => {
    const { limiter } = setUp();
    for (const [tier, limit, burst] of [
      ['free', 100, 150],
      ['pro', 1000, 1500],
      ['team', 5000, 7500],
    ] as const) {
      const { passed, refused } = until429(limiter, key(tier));
      expect(passed, tier).to.equal(burst);
      expect(refused.headers).to.deep.equal({
        'X-RateLimit-Limit': `${limit}`,
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '1060',
        'X-RateLimit-Policy': `${limit};w=60`,
      });
      expect(refused.refusal).to.include({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 1 });
      expect(refused.refusal?.details).to.deep.equal({ limit, window: '60s', retry_after: 1 });
    }
  });

  it("gives a sandbox key the sandbox's limits whatever the tier, and a token its own", () => {
    const { limiter } = setUp();
    expect(until429(limiter, key('sandbox', { credentialId: 'key_test' })).passed).to.equal(75);
    expect(until429(limiter, key('free')).passed).to.equal(150);
    for (const credentialId of ['tok_1', 'tok_2'])
      expect(until429(limiter, { ...key('free'), kind: 'token', agent: 'agent_1', credentialId }).passed).to.equal(150);
  });

  it('counts credentials apart, also of one workspace', () => {
    const { limiter } = setUp();
    expect(until429(limiter, key('free', { credentialId: 'key_a' })).passed).to.equal(150);
    expect(until429(limiter, key('free', { credentialId: 'key_b' })).passed).to.equal(150);
    expect(code(at(limiter, key('free', { credentialId: 'key_a' })))).to.equal('RATE_LIMIT_EXCEEDED');
  });

  it('1: searches have a bucket of their own besides, whose headers are shown where it refuses', () => {
    const { limiter } = setUp();
    const free = key('free');
    const first = at(limiter, free, search);
    first.release?.();
    expect(first.headers).to.include({ 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '99' });
    const { passed, refused } = until429(limiter, free, search);
    expect(passed).to.equal(74);
    expect(refused.headers).to.include({
      'X-RateLimit-Limit': '50',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Policy': '50;w=60',
    });
    expect(refused.refusal?.details).to.deep.equal({ limit: 50, window: '60s', retry_after: 2 });
    // 76 requests so far: a refused search was one
    expect(until429(limiter, free).passed).to.equal(150 - 76);
    expect(code(at(limiter, free, search)), 'the requests refuse first').to.equal('RATE_LIMIT_EXCEEDED');
    expect(at(limiter, free, search).headers).to.include({ 'X-RateLimit-Limit': '100' });
  });

  it('knows a search as the router does', () => {
    const searches = (method: string, url: string): boolean => {
      const { limiter } = setUp();
      for (let i = 0; i < 75; i++) at(limiter, key('free'), search).release?.();
      return code(at(limiter, key('free'), { method, url })) !== 'passes';
    };
    for (const url of [
      '/v1/memories/search',
      '/v1/memories/search/',
      '/v1/memories/search?x=1',
      '/v1/memories/search/?x',
      '/v1/context',
      '/v1/memories/search#x',
    ])
      expect(searches('POST', url), url).to.equal(true);
    for (const url of ['/v1/memories/searches', '/v1/memories/search/x', '/v1/memories', '/v1/agents/search'])
      expect(searches('POST', url), url).to.equal(false);
    expect(searches('GET', '/v1/memories/search')).to.equal(false);
  });

  it('3: holds a place until it is released, however long, and once', async () => {
    const { limiter, clock, keys } = setUp();
    const sandbox = key('sandbox');
    const open = [at(limiter, sandbox), at(limiter, sandbox)];
    const refused = at(limiter, sandbox);
    expect(refused.refusal).to.include({ code: 'CONCURRENCY_LIMIT_EXCEEDED', retryAfter: 1 });
    expect(refused.refusal?.details).to.deep.equal({ limit: 2, retry_after: 1 });
    expect(refused.headers).to.include({ 'X-RateLimit-Limit': '50', 'X-RateLimit-Remaining': '47' });
    await clock.advance(20 * holdMs);
    expect(code(at(limiter, sandbox)), 'ten minutes later').to.equal('CONCURRENCY_LIMIT_EXCEEDED');
    open[0]?.release?.();
    open[0]?.release?.();
    const next = at(limiter, sandbox);
    expect([code(next), code(at(limiter, sandbox))]).to.deep.equal(['passes', 'CONCURRENCY_LIMIT_EXCEEDED']);
    for (const one of [...open, next]) one.release?.();
    expect(keys.size.slots).to.equal(0);
    await clock.advance(2 * holdMs);
    expect(clock.pending, 'no timer when nothing is in progress').to.equal(0);
  });

  it('what is refused for its rate holds no place', () => {
    const { limiter, keys } = setUp();
    until429(limiter, key('free'));
    expect(keys.size.slots).to.equal(0);
  });

  it('4: with limits that have to be asked, says the same a little later', async () => {
    const { limiter } = setUp((limits) => ({
      take: async (...args) => {
        await settle();
        return limits.take(...args);
      },
      enter: async (...args) => {
        await settle();
        return limits.enter(...args);
      },
      leave: async (...args) => {
        await settle();
        limits.leave(...args);
      },
    }));
    const said = await Promise.all(
      Array.from({ length: 7 }, async (_, i) => limiter.admit(i % 2 ? get : search, key('free'), `req_${i}`)),
    );
    expect(said.map(code).sort()).to.deep.equal([
      ...Array.from({ length: 2 }, () => 'CONCURRENCY_LIMIT_EXCEEDED'),
      ...Array.from({ length: 5 }, () => 'passes'),
    ]);
    for (const one of said) one.release?.();
    await settle();
    await settle();
    expect(code(await limiter.admit(get, key('free'), 'req_last'))).to.equal('passes');
  });

  it('limits that cannot be asked fail the admission, but no renewal and no end', async () => {
    let away = false;
    const ask = <T>(answer: () => T): Promise<T> =>
      away ? Promise.reject(unavailable('the limits are away')) : Promise.resolve(answer());
    const { limiter, clock } = setUp((limits) => ({
      take: (...args) => ask(() => limits.take(...args)),
      enter: (...args) => ask(() => limits.enter(...args)),
      leave: (...args) => ask(() => limits.leave(...args)),
    }));
    const { release } = await limiter.admit(get, key('free'), 'req_1');
    away = true;
    await clock.advance(holdMs);
    release?.();
    await settle();
    const failure: unknown = await Promise.resolve(limiter.admit(get, key('free'), 'req_2')).catch(
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', 'UNAVAILABLE');
  });

  it('a place that was given in an answer that never came is given back', async () => {
    const { limiter, keys } = setUp((limits) => ({
      ...limits,
      take: (...args) => limits.take(...args),
      leave: (...args) => {
        limits.leave(...args);
      },
      enter: (...args) => {
        limits.enter(...args);
        return Promise.reject(unavailable('the answer was lost'));
      },
    }));
    const failure: unknown = await Promise.resolve(limiter.admit(get, key('free'), 'req_1')).catch(
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', 'UNAVAILABLE');
    expect(keys.size.slots).to.equal(0);
  });

  it('counts strangers by address, and tells of that limit where nothing counts', () => {
    const { limiter } = setUp();
    const said = Array.from({ length: 16 }, () => limiter.admitAddress('192.0.2.1') as Admission);
    expect(said.map(code)).to.deep.equal([...Array.from({ length: 15 }, () => 'passes'), 'RATE_LIMIT_EXCEEDED']);
    expect(said[15]?.refusal?.details).to.deep.equal({ limit: 10, window: '60s', retry_after: 6 });
    expect(said[0]?.headers).to.deep.equal({
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '9',
      'X-RateLimit-Reset': '1006',
      'X-RateLimit-Policy': '10;w=60',
    });
    expect(code(limiter.admitAddress('192.0.2.2') as Admission)).to.equal('passes');
    expect(code(limiter.admitAddress('2001:db8::1') as Admission)).to.equal('passes');
    for (let i = 0; i < 14; i++) expect(code(limiter.admitAddress(`2001:db8::${i}`) as Admission)).to.equal('passes');
    expect(code(limiter.admitAddress('2001:db8:0:0:ffff::1') as Admission), 'the same /64').to.equal(
      'RATE_LIMIT_EXCEEDED',
    );
    expect(limiter.uncounted()).to.deep.equal({
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '10',
      'X-RateLimit-Reset': '1000',
      'X-RateLimit-Policy': '10;w=60',
    });
  });
});
