/** The server itself: prototypes, limits, closing, TLS (server.ts, http/prototypes.ts). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { fixtures } from '../../helpers/fake-service.js';
import { rootKey, startGateway, testStreams, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from './raw-client.js';
import { testTls } from './tls-fixture.js';
import { turn } from '../../helpers/turn.js';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rootKey}\r\n\r\n`;

describe('gateway: prototypes', () => {
  it('Express changes no prototype, and its methods work', async () => {
    let seen: { req: IncomingMessage; res: ServerResponse; before: object[] } | undefined;
    const gateway = await startGateway();
    gateway.gateway.server.prependListener('request', (req, res) => {
      seen = { req, res, before: [Object.getPrototypeOf(req), Object.getPrototypeOf(res)] as object[] };
    });
    const changed: unknown[] = [];
    const original = Object.setPrototypeOf;
    Object.setPrototypeOf = <T>(target: T, prototype: object | null): T => {
      if ((target === seen?.req || target === seen?.res) && Object.getPrototypeOf(target) !== prototype)
        changed.push(target);
      return original(target, prototype) as T;
    };
    try {
      expect((await gateway.ask('GET', '/v1/memories')).status).to.equal(200);
    } finally {
      Object.setPrototypeOf = original;
    }
    expect(seen).not.to.equal(undefined);
    expect(changed).to.have.length(0);
    expect([Object.getPrototypeOf(seen?.req), Object.getPrototypeOf(seen?.res)]).to.have.ordered.members(
      seen?.before ?? [],
    );
    const { req, res } = seen as unknown as {
      req: { ip: string; get(name: string): string; app: unknown };
      res: { status: unknown; app: unknown };
    };
    expect([req.ip, req.get('authorization')]).to.deep.equal(['127.0.0.1', `Bearer ${rootKey}`]);
    expect(typeof res.status).to.equal('function');
    expect(req.app).to.equal(res.app);
    await gateway.stop();
  });

  it('two gateways do not share them', async () => {
    const [one, two] = [await startGateway({ config: { trustedProxies: ['127.0.0.1'] } }), await startGateway()];
    expect((await one.ask('GET', '/v1/memories')).status).to.equal(403);
    expect((await two.ask('GET', '/v1/memories')).status).to.equal(200);
    await Promise.all([one.stop(), two.stop()]);
  });
});

describe('gateway: TLS', () => {
  it('serves HTTPS with its own certificate, on any bind, with the same prototypes', async () => {
    const gateway = await startGateway({ config: { plainHttp: false, tls: testTls } });
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      request(
        {
          port: gateway.port,
          host: '127.0.0.1',
          path: '/v1/agents/agent_1',
          ca: testTls.cert,
          agent: false,
          headers: { authorization: `Bearer ${rootKey}` },
        },
        (res) => {
          let text = '';
          res
            .on('data', (chunk: Buffer) => {
              text += chunk.toString();
            })
            .on('end', () => resolve({ status: res.statusCode, text }));
        },
      )
        .on('error', reject)
        .end();
    });
    expect(answer).to.deep.equal({ status: 200, text: JSON.stringify({ data: fixtures.agent }) });
    await gateway.stop();
  });
});

describe('gateway: server', () => {
  it('sets its limits on purpose', async () => {
    const gateway = await startGateway();
    const { requestTimeout, headersTimeout, keepAliveTimeout, maxRequestsPerSocket, timeout } = gateway.gateway.server;
    expect({ requestTimeout, headersTimeout, keepAliveTimeout, maxRequestsPerSocket, timeout }).to.deep.equal({
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      maxRequestsPerSocket: 0,
      timeout: 0,
    });
    await gateway.stop();
  });

  it('refuses a short cursor secret', async () => {
    let failure: unknown;
    await startGateway({ config: { cursorSecret: Buffer.alloc(8) } }).catch((error: unknown) => {
      failure = error;
    });
    expect(failure).to.be.instanceOf(RangeError);
  });

  it('logs a failure whose client has left, and counts it as left', async () => {
    let fail = (_: Error): void => undefined;
    const gateway = await startGateway({
      commands: {
        getAgent: () =>
          new Promise((_resolve, reject) => {
            fail = reject;
          }),
      },
    });
    const left = new Promise<void>((resolve) =>
      gateway.gateway.server.once('request', (_req, res) => {
        res.once('close', () => resolve());
      }),
    );
    const client = new RawClient(gateway.port);
    client.send(get('/v1/agents/agent_1'));
    while (gateway.calls.every((call) => call.method !== 'getAgent')) await turn();
    client.destroy();
    await left;
    fail(new TypeError('bug'));
    while (gateway.counted.length === 0) await turn();
    expect(gateway.errors).to.have.length(1);
    expect(gateway.counted.map((c) => c.status)).to.deep.equal([499]);
    await gateway.stop();
  });

  it('puts the public URL in front of Location', async () => {
    const gateway = await startGateway({ config: { publicUrl: 'https://hive.example' } });
    expect((await gateway.ask('POST', '/v1/hives', { name: 'x' })).headers.get('location')).to.equal(
      'https://hive.example/v1/hives/hive_1',
    );
    await gateway.stop();
  });

  describe('close', () => {
    interface Held {
      gateway: TestGateway;
      started: Promise<void>;
      answer: () => void;
    }
    async function held(): Promise<Held> {
      let answer = (): void => undefined;
      let begun = (): void => undefined;
      const waiting = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const started = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const gateway = await startGateway({
        commands: {
          getAgent: async () => {
            begun();
            await waiting;
            return fixtures.agent;
          },
        },
      });
      return { gateway, started, answer };
    }

    it('lets a request in flight finish, then closes its connection; idle ones go at once; nothing new is taken', async () => {
      const { gateway, started, answer } = await held();
      const idle = new RawClient(gateway.port);
      const busy = new RawClient(gateway.port);
      await idle.send(get('/livez')).answer();
      busy.send(get('/v1/agents/agent_1'));
      await started;
      let closed = false;
      const closing = gateway.gateway.close(60_000).then(() => {
        closed = true;
      });
      await idle.closed();
      const late = new RawClient(gateway.port);
      await late.closed();
      expect(closed).to.equal(false);
      answer();
      const response = await busy.answer();
      expect([response.status, response.headers['connection']]).to.deep.equal([200, 'close']);
      await closing;
      await busy.closed();
    });

    it('does not wait for a connection that was opened and never used', async () => {
      const gateway = await startGateway();
      const accepted: Socket[] = [];
      const whole = get('/livez');
      const begun = 'GET /livez HTTP/1.1\r\n';
      gateway.gateway.server.on('connection', (socket) => accepted.push(socket));
      const unused = new RawClient(gateway.port);
      const half = new RawClient(gateway.port);
      await half.send(whole).answer();
      half.send(begun);
      while (accepted.length < 2 || !accepted.some((socket) => socket.bytesRead === whole.length + begun.length))
        await turn();
      let closed = false;
      const closing = gateway.gateway.close(60_000).then(() => {
        closed = true;
      });
      await unused.closed();
      expect(closed).to.equal(false, 'half a request may still become one');
      half.send('Host: x\r\n\r\n');
      await closing;
    });

    it('cuts what is left when the time is up', async () => {
      let cut = (): void => undefined;
      const clock = {
        now: Date.now,
        after: (_ms: number, fn: () => void) => {
          cut = fn;
          return () => undefined;
        },
      };
      const slow = await startGateway({
        options: { clock },
        commands: { getAgent: () => new Promise(() => undefined) },
      });
      const busy = new RawClient(slow.port);
      busy.send(get('/v1/agents/agent_1'));
      while (slow.calls.every((call) => call.method !== 'getAgent')) await turn();
      const closing = slow.gateway.close(1000);
      cut();
      await closing;
      await busy.closed();
    });

    it('tells the streams, and is not ready any more', async () => {
      let streamsClosed = 0;
      const draining = await startGateway({
        options: {
          streams: {
            ...testStreams(),
            close: () => {
              streamsClosed++;
            },
          },
        },
      });
      const client = new RawClient(draining.port);
      await client.send(get('/livez')).answer();
      // half a request keeps the connection from being idle while the gateway closes
      client.send('GET /readyz HTTP/1.1\r\n');
      await turn();
      const closing = draining.gateway.close(60_000);
      const answer = await client
        .send('Host: x\r\n\r\n')
        .answer()
        .catch(() => null);
      if (answer) expect([answer.status, answer.headers['connection']]).to.deep.equal([503, 'close']);
      await closing;
      expect(streamsClosed).to.equal(1);
    });
  });
});
