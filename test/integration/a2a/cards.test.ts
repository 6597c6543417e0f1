/**
 * Agent cards over HTTP (docs/api.md 2.6; A2A 1.0, 8.2-8.6): paths, versions, caching, and the address that they tell.
 * card-routes.ts.
 */
import { expect } from 'chai';
import { startGateway, rootKey, type Setup, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from '../gateway/raw-client.js';
import { path } from './kit.js';

interface Card {
  url?: string;
  protocolVersion?: string;
  supportedInterfaces?: { url: string; protocolVersion: string }[];
  [field: string]: unknown;
}

describe('A2A: cards', () => {
  let gateway: TestGateway;
  const start = async (setup: Setup = {}): Promise<void> => {
    gateway = await startGateway(setup);
  };
  afterEach(() => gateway.stop());
  const get = (name: string, headers: Record<string, string> = {}, method = 'GET'): ReturnType<TestGateway['ask']> =>
    gateway.ask(method, `${path}/${name}`, undefined, headers);
  const card = async (name: string, headers: Record<string, string> = {}): Promise<Card> => {
    const answer = await get(name, headers);
    expect(answer.status, answer.text).to.equal(200);
    return JSON.parse(answer.text) as Card;
  };
  const wellKnown = ['.well-known/agent.json', '.well-known/agent-card.json'] as const;

  it('/card has the fields of docs/api.md 2.6 and no others', async () => {
    await start();
    expect(await card('card')).to.deep.equal({
      protocolVersion: '0.2',
      name: 'Ada',
      description: 'Ada answers messages from what it remembers.',
      url: gateway.url + path,
      version: '1.0.0+20261121T090000000Z',
      capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      security: [{ bearer: [] }],
      skills: [
        {
          id: 'execute-task',
          name: 'Ada: execute task',
          description: 'Ada answers messages from what it remembers.',
          tags: ['task', 'memory'],
        },
      ],
    });
  });

  for (const name of wellKnown) {
    it(`${name} suits every generation, and is the strict one for 1.0`, async () => {
      await start();
      for (const version of ['', '0.3'])
        expect(await card(name, { 'a2a-version': version })).to.include({
          protocolVersion: '0.3.0',
          url: gateway.url + path,
          preferredTransport: 'JSONRPC',
        });
      expect((await card(name)).supportedInterfaces?.[0]).to.include({
        url: gateway.url + path,
        protocolVersion: '1.0',
      });
      for (const strict of [
        await card(name, { 'a2a-version': '1.0' }),
        await card(`${name}?A2A-Version=1.0`),
        await card('card', { 'a2a-version': '1.0' }),
      ]) {
        expect(strict)
          .to.include({ name: 'Ada' })
          .and.not.have.any.keys(
            'url',
            'protocolVersion',
            'preferredTransport',
            'security',
            'supportsAuthenticatedExtendedCard',
          );
      }
    });
  }

  it('a slash at the end changes nothing; an unknown version is 400', async () => {
    await start();
    for (const name of ['card', ...wellKnown]) {
      expect(await card(`${name}/`)).to.deep.equal(await card(name));
      const answer = await get(name, { 'a2a-version': '9.9' });
      expect([answer.status, answer.body.error?.code, answer.body.error?.details['supported']]).to.deep.equal([
        400,
        'UNSUPPORTED_VERSION',
        ['0.2', '0.3', '1.0'],
      ]);
    }
  });

  for (const name of ['card', ...wellKnown]) {
    it(`${name} may be kept for a while by who asked, and is not sent again unchanged`, async () => {
      await start();
      const first = await get(name);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).to.match(/^"[\w-]+"$/);
      expect(first.headers.get('cache-control')).to.match(/^private, max-age=\d+$/);
      expect(first.headers.get('vary')).to.equal('A2A-Version, Authorization');
      expect(first.headers.get('last-modified')).to.equal('Sat, 21 Nov 2026 09:00:00 GMT');
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*', `"x",W/${etag} `]) {
        const again = await get(name, { 'if-none-match': known });
        expect(
          [
            again.status,
            again.text,
            again.headers.get('etag'),
            again.headers.get('vary'),
            again.headers.get('content-length'),
            again.headers.get('content-type'),
          ],
          known,
        ).to.deep.equal([304, '', etag, 'A2A-Version, Authorization', null, null]);
      }
      for (const other of ['"x"', '', etag.replaceAll('"', ''), `${etag.slice(0, -1)}x"`])
        expect((await get(name, { 'if-none-match': other })).status, other).to.equal(200);
      expect((await get(name, { 'a2a-version': '1.0', 'if-none-match': etag })).status, 'of another version').to.equal(
        200,
      );
      const head = await get(name, {}, 'HEAD');
      expect([head.status, head.text, head.headers.get('etag'), head.headers.get('content-length')]).to.deep.equal([
        200,
        '',
        etag,
        String(Buffer.byteLength(first.text)),
      ]);
      expect((await get(name, { 'if-none-match': etag }, 'HEAD')).status).to.equal(304);
    });
  }

  it('a changed agent has another tag', async () => {
    let name = 'Ada';
    await start({
      commands: {
        getAgent: async () => ({
          id: 'agent_1',
          name,
          description: 'd',
          status: 'active',
          config: {},
          memory_count: 0,
          message_count: 0,
          hives: [],
          metadata: {},
          wake_on_message: false,
          memory_quota: null,
          maxRuntimeSeconds: null,
          created_at: '2026-11-21T09:00:00.000Z',
          updated_at: '2026-11-21T09:00:00.000Z',
          last_active_at: '2026-11-21T09:00:00.000Z',
        }),
      },
    });
    const before = (await get('card')).headers.get('etag') ?? '';
    name = 'Grace';
    expect((await get('card', { 'if-none-match': before })).status).to.equal(200);
  });

  describe('the address', () => {
    const addressOf = async (lines: string): Promise<string> => {
      const client = new RawClient(gateway.port).send(
        `GET ${path}/card HTTP/1.1\r\nAuthorization: Bearer ${rootKey}\r\n${lines}\r\n`,
      );
      const { status, body } = await client.answer();
      client.destroy();
      return status === 200
        ? String((JSON.parse(body) as Card).url)
        : `${status} ${(JSON.parse(body) as { error: { code: string } }).error.code}`;
    };

    it('is where the request came to, by a loopback address or an allowed name', async () => {
      await start({ config: { allowedHosts: ['agents.example', 'ported.example:8443', '2001:db8::1'] } });
      for (const host of ['Agents.example', '127.0.0.1:8420', 'ported.example:8443', '[2001:db8::1]:1'])
        expect(await addressOf(`Host: ${host}\r\n`)).to.equal(`http://${host}${path}`);
      for (const host of [
        'evil.example',
        'x.agents.example',
        'localhost.evil.example',
        '127.0.0.1.evil.example',
        'ported.example',
        '10.0.0.1',
      ])
        expect(await addressOf(`Host: ${host}\r\n`), host).to.equal('400 VALIDATION_ERROR');
      expect(await addressOf('Host: agents.example:8420\r\n')).to.equal(`http://agents.example:8420${path}`);
      expect(await addressOf('Host: [::1]:8420\r\n')).to.equal(`http://[::1]:8420${path}`);
      expect(
        await addressOf(`Host: localhost\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n`),
        'a stranger says where',
      ).to.equal(`http://localhost${path}`);
    });
    it('is what a trusted proxy says', async () => {
      await start({
        config: { trustedProxies: ['127.0.0.1/32'], allowedHosts: ['agents.example', 'inner.example'] },
      });
      expect(
        await addressOf('Host: inner\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n'),
        'what a proxy passes on is what a client said',
      ).to.equal('400 VALIDATION_ERROR');
      expect(
        await addressOf('Host: inner\r\nX-Forwarded-Host: agents.example\r\nX-Forwarded-Proto: https\r\n'),
      ).to.equal(`https://agents.example${path}`);
      expect(
        await addressOf(
          'Host: inner\r\nX-Forwarded-Host: agents.example, other.example\r\nX-Forwarded-Proto: https\r\n',
        ),
      ).to.equal(`https://agents.example${path}`);
      expect(await addressOf('Host: inner.example\r\nX-Forwarded-Proto: https\r\n')).to.equal(
        `https://inner.example${path}`,
      );
    });
    it('is the configured one, whoever says what', async () => {
      await start({ config: { publicUrl: 'https://hive.example/base', trustedProxies: ['127.0.0.1/32'] } });
      expect(
        await addressOf('Host: inner\r\nX-Forwarded-Host: agents.example\r\nX-Forwarded-Proto: https\r\n'),
      ).to.equal(`https://hive.example/base${path}`);
    });
    it('is no place for anything but a host', async () => {
      await start();
      for (const host of ['a/b', 'a"b', 'a b', 'a?x', 'a#x', 'user@a', '<script>', 'a:b:c', 'a:99999', 'a%2f'])
        expect(await addressOf(`Host: ${host}\r\n`), host).to.equal('400 VALIDATION_ERROR');
    });
    it("without a Host, in HTTP/1.0, is the socket's", async () => {
      await start();
      const client = new RawClient(gateway.port).send(
        `GET ${path}/card HTTP/1.0\r\nAuthorization: Bearer ${rootKey}\r\n\r\n`,
      );
      expect((JSON.parse((await client.answer()).body) as Card).url).to.equal(
        `http://127.0.0.1:${gateway.port}${path}`,
      );
      client.destroy();
    });
  });
});
