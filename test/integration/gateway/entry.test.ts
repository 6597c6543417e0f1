/** Versions, HTTPS, keys and the limiter's seam, in the order in which a request meets them (entry.ts). */
import { expect } from 'chai';
import { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { Limiter } from '../../../gateway/limits/limiter.js';
import type { Principal } from '../../../src/service.js';
import { keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { turn } from '../../helpers/turn.js';

describe('gateway: entry', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());

  describe('versions', () => {
    beforeEach(async () => {
      gateway = await startGateway();
    });

    for (const version of ['v1', '1', 'V1']) {
      it(`X-Service-Version ${version} lets the path go without /v1`, async () => {
        expect(
          (await gateway.ask('GET', '/agents?page_size=1', undefined, { 'x-service-version': version })).status,
        ).to.equal(200);
        const made = await gateway.ask(
          'POST',
          '/memories',
          { type: 'a', content: 'b' },
          { 'x-service-version': version },
        );
        expect([made.status, made.headers.get('location')]).to.deep.equal([201, '/v1/memories/mem_1']);
        expect(
          (await gateway.ask('GET', '/agents', undefined, { 'x-service-version': version, authorization: '' })).status,
        ).to.equal(401);
      });
    }
    it('an unknown version is 400, before the key is looked at', async () => {
      for (const version of ['v2', '', 'latest', 'v1, v1']) {
        const answer = await gateway.ask('GET', '/agents', undefined, {
          'x-service-version': version,
          authorization: '',
        });
        expect([answer.status, answer.body.error?.code], version).to.deep.equal([400, 'UNSUPPORTED_VERSION']);
        expect(answer.body.error?.details).to.deep.equal({ supported: ['v1'] });
      }
    });
    it('the path wins over the header; /v2 is 404; probes have no version', async () => {
      for (const [path, version, status] of [
        ['/v1/agents', 'v9', 200],
        ['/v2/agents', 'v1', 404],
        ['/v2/agents', 'v9', 404],
        ['/livez', 'v9', 200],
        ['/docs', 'v9', 200],
      ] as const) {
        expect(
          (await gateway.ask('GET', path, undefined, { 'x-service-version': version })).status,
          `${path} ${version}`,
        ).to.equal(status);
      }
    });
    it('without header and without version is 404', async () =>
      expect((await gateway.ask('GET', '/agents')).status).to.equal(404));
  });

  describe('HTTPS only', () => {
    const status = async (
      config: Parameters<typeof startGateway>[0],
      headers: Record<string, string> = {},
      path = '/v1/memories',
    ): Promise<string> => {
      gateway = await startGateway(config);
      const answer = await gateway.ask('GET', path, undefined, headers);
      return `${answer.status} ${answer.body.error?.code ?? ''}`.trim();
    };
    const trusting = (loopback: boolean): Parameters<typeof startGateway>[0] => ({
      config: { plainHttp: loopback, trustedProxies: ['127.0.0.1/32', '10.0.0.0/8'] },
    });
    const refused = '403 HTTPS_REQUIRED';

    it('plain HTTP on a loopback bind is served', async () => expect(await status({})).to.equal('200'));
    it('and the header of a stranger means nothing there', async () =>
      expect(await status({}, { 'x-forwarded-proto': 'http' })).to.equal('200'));
    it('plain HTTP elsewhere is refused', async () =>
      expect(await status({ config: { plainHttp: false } })).to.equal(refused));
    it('a stranger who says https is refused', async () =>
      expect(
        await status(
          { config: { plainHttp: false, trustedProxies: ['10.0.0.0/8'] } },
          { 'x-forwarded-proto': 'https' },
        ),
      ).to.equal(refused));
    for (const loopback of [true, false]) {
      it(`a trusted proxy that says https is served (loopback ${loopback})`, async () =>
        expect(await status(trusting(loopback), { 'x-forwarded-proto': 'https' })).to.equal('200'));
      for (const said of ['http', 'https, http', '', 'wss'])
        it(`a trusted proxy that says "${said}" is refused (loopback ${loopback})`, async () =>
          expect(await status(trusting(loopback), { 'x-forwarded-proto': said })).to.equal(refused));
      it(`a trusted proxy that says nothing is refused (loopback ${loopback})`, async () =>
        expect(await status(trusting(loopback))).to.equal(refused));
    }
    it('probes are exempt', async () => {
      for (const path of ['/livez', '/readyz', '/metrics']) {
        expect(await status({ config: { plainHttp: false } }, {}, path)).to.equal('200');
        await gateway.stop();
      }
    });
    it('is refused before the token is read, on unknown paths too', async () => {
      expect(await status({ config: { plainHttp: false } })).to.equal(refused);
      expect((await gateway.ask('GET', '/nope', undefined, { 'x-service-version': 'v9' })).status).to.equal(403);
      expect(gateway.calls).to.deep.equal([]);
    });
  });

  describe('keys', () => {
    it('only a Bearer credential counts, and only a known one', async () => {
      gateway = await startGateway();
      for (const [authorization, status] of [
        [`Bearer ${rootKey}`, 200],
        [`bearer ${rootKey}`, 200],
        [`BEARER   ${rootKey} `, 200],
        ['', 401],
        [rootKey, 401],
        [`Basic ${rootKey}`, 401],
        ['Bearer', 401],
        ['Bearer ', 401],
        [`Bearer ${rootKey}x`, 401],
        [`Bearer ${rootKey} ${rootKey}`, 401],
        [`Bearer ${'x'.repeat(5000)}`, 401],
      ] as const) {
        const answer = await gateway.ask('GET', '/v1/memories', undefined, { authorization });
        expect(answer.status, authorization.slice(0, 40)).to.equal(status);
        if (status === 401) expect(answer.headers.get('www-authenticate')).to.equal('Bearer realm="hivekeep"');
      }
      expect(
        (
          await gateway.ask('GET', `/v1/memories?key=${rootKey}&access_token=${rootKey}`, undefined, {
            authorization: '',
          })
        ).status,
      ).to.equal(401);
    });

    it('asks a service that has to look it up, and not again for a while', async () => {
      gateway = await startGateway({ service: { authenticate: async () => keyPrincipal() } });
      for (let i = 0; i < 5; i++) expect((await gateway.ask('GET', '/v1/memories')).status).to.equal(200);
      expect(gateway.calls.filter((call) => call.method === 'authenticate')).to.have.length(1);
    });

    it('a revoked key is refused by the next request', async () => {
      let known: Principal | null = keyPrincipal();
      gateway = await startGateway({
        service: {
          authenticate: async () => known,
        },
        commands: {
          revokeKey: async () => {
            known = null;
            return [];
          },
        },
      });
      expect((await gateway.ask('GET', '/v1/memories')).status).to.equal(200);
      expect((await gateway.ask('DELETE', '/v1/keys/key_test')).status).to.equal(200);
      expect((await gateway.ask('GET', '/v1/memories')).status).to.equal(401);
    });

    it('a service that cannot say answers 503 or 500, never 401', async () => {
      let failure: Error = new HivekeepError('UNAVAILABLE', 'the store is away');
      gateway = await startGateway({
        service: {
          authenticate: async () => {
            throw failure;
          },
        },
      });
      expect((await gateway.ask('GET', '/v1/memories')).status).to.equal(503);
      failure = new TypeError('bug');
      expect((await gateway.ask('GET', '/v1/memories')).status).to.equal(500);
    });
  });

  describe('the limiter', () => {
    it('is asked once for each request, by key or by address, puts its headers on every answer, and is told the end', async () => {
      const asked: string[] = [];
      let released = 0;
      let refusal = undefined as HivekeepError | undefined;
      const headers = { 'X-RateLimit-Limit': '7' };
      const limiter: Limiter = {
        admit: (_req, principal, id) => {
          asked.push(`${principal.credentialId} ${id.slice(0, 4)}`);
          return {
            headers,
            refusal,
            release: () => {
              released++;
            },
          };
        },
        admitSearch: () => ({ headers: {} }),
        admitAddress: (address) => {
          asked.push(address);
          return { headers };
        },
        admitProbe: (address) => {
          asked.push(`probe ${address}`);
          return { headers: { 'X-RateLimit-Limit': '9' } };
        },
        uncounted: () => ({ 'X-RateLimit-Limit': '8' }),
      };
      gateway = await startGateway({ options: { limiter } });
      const statuses: number[] = [];
      const ask = async (path: string, more = {}): Promise<void> => {
        const answer = await gateway.ask('GET', path, undefined, more);
        statuses.push(answer.status);
        expect(answer.headers.get('x-ratelimit-limit')).to.equal(path === '/livez' ? '9' : '7');
      };
      await ask('/v1/memories');
      await ask('/v1/nope');
      await ask('/v1/memories', { authorization: '' });
      refusal = new HivekeepError('RATE_LIMIT_EXCEEDED', 'slow down', {
        retryAfter: 3,
        details: { limit: 100, window: '60s', retry_after: 3 },
      });
      await ask('/v1/memories');
      await ask('/livez');
      expect(statuses).to.deep.equal([200, 404, 401, 429, 200]);
      expect(asked).to.deep.equal(['key_test req_', 'key_test req_', '127.0.0.1', 'key_test req_', 'probe 127.0.0.1']);
      while (released < 3) await turn();
    });
  });
});
