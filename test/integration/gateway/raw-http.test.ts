/**
 * Bytes on a socket: bodies past the limit, lengths that lie, 100 Continue, and what is not HTTP (http/body.ts,
 * http/responder.ts, server.ts).
 */
import { expect } from 'chai';
import { rootKey, startGateway, type Envelope, type TestGateway } from '../../helpers/gateway.js';
import { RawClient, type RawAnswer } from './raw-client.js';
import { turn } from '../../helpers/turn.js';

const limit = 4096;
const head = (extra: string, path = '/v1/memories'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rootKey}\r\nContent-Type: application/json\r\n${extra}\r\n\r\n`;
const json = '{"type":"a","content":"b"}';
const good = head(`Content-Length: ${json.length}`) + json;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('gateway: raw HTTP', () => {
  let gateway: TestGateway;
  let client: RawClient;
  before(async () => {
    gateway = await startGateway({ config: { bodyLimit: limit, requestTimeoutMs: 20_000 } });
  });
  after(() => gateway.stop());
  beforeEach(() => {
    client = new RawClient(gateway.port);
    gateway.counted.length = 0;
    gateway.calls.length = 0;
  });
  afterEach(() => {
    client.destroy();
  });

  function refused(answer: RawAnswer, status: number, code: string): void {
    expect(answer.status, answer.body).to.equal(status);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    const { error } = JSON.parse(answer.body) as Envelope;
    expect(error).to.include({ code, status });
    expect(error?.request_id).to.match(/^req_/).and.to.equal(answer.headers['x-request-id']);
  }

  describe('bodies', () => {
    it('refuses a long Content-Length before the body is there', async () => {
      refused(await client.send(head(`Content-Length: ${limit + 1}`)).answer(), 413, 'PAYLOAD_TOO_LARGE');
    });
    it('refuses a long chunked body, and the sender reads the whole answer although it goes on sending', async () => {
      client.send(head('Transfer-Encoding: chunked'));
      for (let i = 0; i < 64; i++) client.send(chunk('x'.repeat(32 * 1024)));
      client.send('0\r\n\r\n');
      const answer = await client.answer();
      refused(answer, 413, 'PAYLOAD_TOO_LARGE');
      expect(answer.headers['connection']).to.equal('close');
      await client.closed();
    });
    it('drains the rest of a refused body, so that its sender is not reset in the middle', async () => {
      client.send(head('Transfer-Encoding: chunked')).send(chunk('x'.repeat(2 * limit)));
      refused(await client.answer(), 413, 'PAYLOAD_TOO_LARGE');
      for (let i = 0; i < 20; i++) {
        await new Promise<void>((resolve) => client.socket.write(chunk('x'.repeat(1000)), () => resolve()));
        await turn();
      }
      client.send('0\r\n\r\n');
      await client.closed();
      expect(client.errors).to.deep.equal([]);
    });
    it('but not for ever: not past 16 MiB, not longer than its time', async () => {
      let timeUp = (): void => undefined;
      let delay = 0;
      const clock = {
        now: Date.now,
        after: (ms: number, fn: () => void) => {
          delay = ms;
          timeUp = fn;
          return () => undefined;
        },
      };
      const other = await startGateway({ config: { bodyLimit: limit }, options: { clock } });
      const silent = new RawClient(other.port);
      refused(await silent.send(head('Content-Length: 100000')).answer(), 413, 'PAYLOAD_TOO_LARGE');
      expect(delay).to.equal(2000);
      timeUp();
      await silent.closed();
      const endless = new RawClient(other.port);
      endless.send(head('Content-Length: 1000000000'));
      refused(await endless.answer(), 413, 'PAYLOAD_TOO_LARGE');
      const megabyte = Buffer.alloc(1024 * 1024);
      for (let i = 0; i < 40 && endless.errors.length === 0; i++)
        await new Promise<void>((resolve) => endless.socket.write(megabyte, () => resolve()));
      await endless.closed();
      await other.gateway.close(0);
    });
    it('lets the sender of a long body with Content-Length read the answer too', async () => {
      client.send(head(`Content-Length: ${2 * 1024 * 1024}`)).send(Buffer.alloc(2 * 1024 * 1024, 0x20));
      refused(await client.answer(), 413, 'PAYLOAD_TOO_LARGE');
      await client.closed();
    });
    it('takes exactly the limit', async () => {
      const body = JSON.stringify({ type: 'a', content: 'b', metadata: { pad: '' } });
      const padded = body.replace('""', `"${'x'.repeat(limit - body.length)}"`);
      expect((await client.send(head(`Content-Length: ${limit}`) + padded).answer()).status).to.equal(201);
    });
    it('takes a chunked body that comes byte by byte, and the connection goes on', async () => {
      client.send(head('Transfer-Encoding: chunked'));
      for (const byte of json) client.send(chunk(byte));
      expect((await client.send('0\r\n\r\n').answer()).status).to.equal(201);
      expect((await client.send(good).answer()).status).to.equal(201);
    });
    it('takes a Content-Length that is too short by its word, refuses what follows, and closes', async () => {
      const answer = await client.send(head('Content-Length: 4') + json).answer();
      refused(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body).to.include('must be valid JSON');
      const next = await client.answer();
      refused(next, 400, 'VALIDATION_ERROR');
      expect(next.headers['connection']).to.equal('close');
      await client.closed();
    });
    it('gives a whole request its own answer, whatever rubbish follows it', async () => {
      expect((await client.send(`${good}rubbish\r\n\r\n`).answer()).status).to.equal(201);
      await client.closed();
    });
    it('answers nobody when the sender leaves in the middle', async () => {
      // 100 Continue proves that the gateway is waiting for the body
      expect((await client.send(head('Content-Length: 100\r\nExpect: 100-continue')).answer()).status).to.equal(100);
      client.send(json).destroy();
      while (gateway.counted.length === 0) await turn();
      expect(gateway.counted).to.have.length(1);
      expect(gateway.counted[0]).to.include({ route: '/v1/memories', status: 499 });
      expect(gateway.errors).to.deep.equal([]);
      expect(gateway.calls.map((call) => call.method)).not.to.include('createMemory');
    });
    it('keeps the connection after a refusal whose body was short', async () => {
      refused(await client.send(head(`Content-Length: ${json.length}`, '/v1/nope') + json).answer(), 404, 'NOT_FOUND');
      expect((await client.send(good).answer()).status).to.equal(201);
      const anonymous = good.replace(rootKey, 'svc_live_nobody');
      refused(await client.send(anonymous).answer(), 401, 'UNAUTHENTICATED');
      expect((await client.send(good).answer()).status).to.equal(201);
    });
    it('answers pipelined requests in order', async () => {
      client.send(good + good.replace('/v1/memories', '/v1/nope') + good);
      expect([
        (await client.answer()).status,
        (await client.answer()).status,
        (await client.answer()).status,
      ]).to.deep.equal([201, 404, 201]);
    });
  });

  describe('Expect: 100-continue', () => {
    it('says go on, then answers', async () => {
      const asked = await client.send(head(`Content-Length: ${json.length}\r\nExpect: 100-continue`)).answer();
      expect(asked.status).to.equal(100);
      expect((await client.send(json).answer()).status).to.equal(201);
    });
    it('refuses before the body is sent: no key, too long, wrong type', async () => {
      for (const [request, status, code] of [
        [head('Content-Length: 50\r\nExpect: 100-continue').replace(rootKey, 'x'), 401, 'UNAUTHENTICATED'],
        [head(`Content-Length: ${limit + 1}\r\nExpect: 100-continue`), 413, 'PAYLOAD_TOO_LARGE'],
        [
          head('Content-Length: 50\r\nExpect: 100-continue').replace('application/json', 'text/plain'),
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        ],
      ] as const) {
        const other = new RawClient(gateway.port);
        const answer = await other.send(request).answer();
        refused(answer, status, code);
        expect(answer.headers['connection']).to.equal('close');
        await other.closed();
      }
    });
    it('refuses any other expectation', async () =>
      refused(
        await client.send(head('Content-Length: 2\r\nExpect: 200-maybe') + '{}').answer(),
        400,
        'VALIDATION_ERROR',
      ));
  });

  describe('what is not HTTP', () => {
    for (const [name, bytes] of [
      ['noise', 'hello\r\n\r\n'],
      ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
      ['an unknown method', 'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
      ['two lengths', head('Content-Length: 2\r\nContent-Length: 3')],
      ['a length that is none', head('Content-Length: two')],
      ['a length and chunks', head('Content-Length: 3\r\nTransfer-Encoding: chunked')],
      ['a chunk size that is none', `${head('Transfer-Encoding: chunked')}zz\r\n`],
      ['headers past 16 KiB', `GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
      ['a path past 16 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['no Host', `GET /v1/memories HTTP/1.1\r\nAuthorization: Bearer ${rootKey}\r\n\r\n`],
      ['a space in the path', 'GET /v1/a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ] as const)
      it(`${name} is 400, and does not blame the body`, async () => {
        const answer = await client.send(bytes).answer();
        refused(answer, 400, 'VALIDATION_ERROR');
        expect((JSON.parse(answer.body) as Envelope).error?.message).to.match(/^(request|Host|path): /);
      });

    it('CONNECT is 405', async () =>
      refused(
        await client.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n').answer(),
        405,
        'METHOD_NOT_ALLOWED',
      ));
    it('an upgrade that nobody takes is a plain request', async () => {
      const answer = await client
        .send(
          `GET /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rootKey}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
        )
        .answer();
      expect(answer.status).to.equal(200);
    });
    it('a whole URL and `*` as targets', async () => {
      expect(
        (
          await client
            .send(`GET http://x/v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rootKey}\r\n\r\n`)
            .answer()
        ).status,
      ).to.equal(200);
      refused(await client.send('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n').answer(), 404, 'NOT_FOUND');
    });
    it('HTTP/1.0 without Host is served', async () =>
      expect((await client.send(`GET /livez HTTP/1.0\r\n\r\n`).answer()).status).to.equal(200));
  });
});
