import { expect } from 'chai';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { pushTo, refusal, task } from '../../unit/push/kit.js';
import { testTls } from '../gateway/tls-fixture.js';
import { receive, receiveRaw, sender, until, type Receiver, type Sender } from './receiver.js';
import { patient } from '../../helpers/patience.js';
import { turn } from '../../helpers/turn.js';

const never = new AbortController().signal;
const ok: RequestListener = (_request, response) => {
  response.end('thanks');
};

describe('push: one delivery', () => {
  const open: { close(): Promise<void> }[] = [];
  const opened = <T extends { close(): Promise<void> }>(thing: T): T => {
    open.push(thing);
    return thing;
  };
  const receiver = async (...args: Parameters<typeof receive>): Promise<Receiver> => opened(await receive(...args));
  const raw = async (...args: Parameters<typeof receiveRaw>): Promise<Receiver> => opened(await receiveRaw(...args));
  const given = (...args: Parameters<typeof sender>): Sender => {
    const made = sender(...args);
    opened(made.push);
    return made;
  };
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  it('posts the body with token and authentication, and resolves on 2xx', async () => {
    const { push } = given();
    for (const status of [200, 202, 204]) {
      const there = await receiver((_request, response) => {
        response.writeHead(status).end();
      });
      await push.deliver(
        pushTo(`http://127.0.0.1:${there.port}/hook?key=value#part`, {
          token: 'tok',
          authentication: { schemes: ['Bearer'], credentials: 'abc' },
        }),
        never,
      );
      expect(there.received).to.have.length(1);
      const [got] = there.received;
      expect(got).to.include({ method: 'POST', url: '/hook?key=value' });
      expect(got!.headers).to.include({
        host: `127.0.0.1:${there.port}`,
        'content-type': 'application/json',
        'user-agent': 'hivekeep/test',
        'x-a2a-notification-token': 'tok',
        authorization: 'Bearer abc',
        'content-length': String(Buffer.byteLength(got!.body)),
      });
      expect(JSON.parse(got!.body)).to.deep.equal(task);
    }
  });

  it('connects to the checked address, under the name of the URL', async () => {
    const asked: string[] = [];
    const { push } = given({
      resolve: async (host) => {
        asked.push(host);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const there = await receiver(ok);
    await push.deliver(pushTo(`http://Hooks.Example.COM.:${there.port}/`, { version: '1.0' }), never);
    expect(there.received[0]!.headers).to.include({
      host: `hooks.example.com:${there.port}`,
      'content-type': 'application/a2a+json',
    });
    expect(asked).to.deep.equal(['hooks.example.com']);
  });

  it("goes over TLS with the name in SNI, and only where the certificate is that name's and trusted", async () => {
    const there = await receiver(ok, true);
    await given({ ca: testTls.cert }).push.deliver(pushTo(`https://localhost:${there.port}/`), never);
    expect(there.received[0]!.servername).to.equal('localhost');
    expect(await refusal(given().push.deliver(pushTo(`https://localhost:${there.port}/`), never))).to.equal(
      'retry: no trusted TLS connection (DEPTH_ZERO_SELF_SIGNED_CERT)',
    );
    expect(
      await refusal(
        given({ ca: testTls.cert }).push.deliver(pushTo(`https://hooks.example.com:${there.port}/`), never),
      ),
    ).to.equal('retry: no trusted TLS connection (ERR_TLS_CERT_ALTNAME_INVALID)');
    expect(there.received).to.have.length(1);
  });

  it('tries the next of the checked addresses where one cannot be reached', async () => {
    const there = await receiver(ok);
    const { push } = given({
      resolve: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
        { address: '127.0.0.0', family: 4 },
      ],
    });
    await push.deliver(pushTo(`http://localhost:${there.port}/`), never);
    expect(there.received).to.have.length(1);
  });

  for (const status of [301, 302, 303, 307, 308, 400, 401, 404, 410, 429, 500, 503]) {
    it(`${status} is a failure, and a Location is not followed`, async () => {
      const elsewhere = await receiver(ok);
      const there = await receiver((_request, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${elsewhere.port}/` }).end('no');
      });
      expect(await refusal(given().push.deliver(pushTo(`http://127.0.0.1:${there.port}/`), never))).to.equal(
        `retry: the receiver answered ${status}`,
      );
      expect(there.received).to.have.length(1);
      expect(elsewhere.connections).to.equal(0);
    });
  }

  it('uses a connection again, also after a failure', async () => {
    const { push } = given();
    let status = 200;
    const there = await receiver((_request, response) => {
      response.writeHead(status).end('x'.repeat(1000));
    });
    for (status of [200, 500, 200, 404, 204]) {
      await refusal(push.deliver(pushTo(`http://127.0.0.1:${there.port}/`), never));
      await turn(); // the answer's body is read after the status was reported
    }
    expect(there.received).to.have.length(5);
    expect(there.connections).to.equal(1);
  });

  it('reads a huge answer to its bound only, and closes the connection', async () => {
    let sent = 0;
    const there = await receiver((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && sent < 500 * 1024 * 1024) {
          sent += 65536;
          if (!response.write(Buffer.alloc(65536))) {
            response.once('drain', write);
            return;
          }
        }
      };
      write();
    });
    await given({ maxResponseBytes: 1000 }).push.deliver(pushTo(`http://127.0.0.1:${there.port}/`), never);
    await until('the connection is closed', () => there.open.size === 0);
    expect(sent).to.be.below(32 * 1024 * 1024); // what kernels buffer, far from all of it
  });

  it('a receiver that hangs fails when the time is up, and its connection is closed', async () => {
    const there = await receiver(() => undefined);
    const began = performance.now();
    expect(
      await refusal(given({ timeoutMs: 200 }).push.deliver(pushTo(`http://127.0.0.1:${there.port}/`), never)),
    ).to.equal('retry: no answer within 0.2 s');
    expect(performance.now() - began).to.be.within(190, patient(2000));
    await until('the connection is closed', () => there.open.size === 0);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    expect(there.connections, 'no other is opened for nobody').to.equal(1);
  });

  it('headers that drip fail when the time is up; a body that drips after 2xx is cut off then', async () => {
    const drip =
      (first: string) =>
      (socket: Socket): void => {
        socket.write(first);
        const timer = setInterval(() => {
          socket.write('x');
        }, 20);
        socket.on('close', () => {
          clearInterval(timer);
        });
      };
    const { push } = given({ timeoutMs: 200 });
    const slow = await raw(drip('HTTP/1.1 200 OK\r\nX-Long: '));
    expect(await refusal(push.deliver(pushTo(`http://127.0.0.1:${slow.port}/`), never))).to.equal(
      'retry: no answer within 0.2 s',
    );
    const body = await raw(drip('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n'));
    await push.deliver(pushTo(`http://127.0.0.1:${body.port}/`), never);
    await until('both connections are closed', () => slow.open.size + body.open.size === 0);
  });

  it('fails where the connection is refused, reset, closed, or answers in something else than HTTP', async () => {
    const { push } = given();
    const gone = await receiver(ok);
    await gone.close();
    const reset = await raw((socket) => {
      socket.once('data', () => {
        socket.resetAndDestroy();
      });
    });
    const closed = await raw((socket) => {
      socket.once('data', () => {
        socket.end();
      });
    });
    const other = await raw((socket) => {
      socket.write('220 mail.example.com ESMTP\r\n');
    });
    const big = await raw((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(1 << 20)}\r\n\r\n`);
      });
    });
    const told: string[] = [];
    for (const there of [gone, reset, closed, other, big])
      told.push(await refusal(push.deliver(pushTo(`http://127.0.0.1:${there.port}/`), never)));
    expect(told).to.deep.equal([
      'retry: the connection was refused',
      'retry: the connection was closed before there was an answer',
      'retry: the connection was closed before there was an answer',
      'retry: the answer is not HTTP',
      'retry: the answer has too many headers',
    ]);
  });

  it('a push that is given up in the middle closes its connection', async () => {
    const there = await receiver(() => undefined);
    const stop = new AbortController();
    const sent = refusal(given().push.deliver(pushTo(`http://127.0.0.1:${there.port}/`), stop.signal));
    await until('it has arrived', () => there.received.length === 1);
    stop.abort();
    expect(await sent).to.equal('retry: stopped before there was an answer');
    await until('the connection is closed', () => there.open.size === 0);
  });

  it('receivers that hang do not hold up another', async () => {
    const { push } = given({ timeoutMs: 60_000 });
    const hanging = await Promise.all([1, 2, 3].map(() => receiver(() => undefined)));
    const fine = await receiver(ok);
    const stop = new AbortController();
    const stuck = hanging.flatMap((h) =>
      Array.from({ length: 100 }, () => refusal(push.deliver(pushTo(`http://127.0.0.1:${h.port}/`), stop.signal))),
    );
    const began = performance.now();
    await Promise.all(Array.from({ length: 100 }, () => push.deliver(pushTo(`http://127.0.0.1:${fine.port}/`), never)));
    expect(performance.now() - began, 'less than a hanging one is given').to.be.below(50_000);
    expect(Math.max(...hanging.map((h) => h.connections))).to.be.at.most(64);
    stop.abort();
    expect(new Set(await Promise.all(stuck))).to.deep.equal(new Set(['retry: stopped before there was an answer']));
  });

  it('says and logs nothing of path, query, token, credentials and body', async () => {
    const { push, logged } = given({ timeoutMs: 100 });
    const secrets = {
      token: 'secret-token',
      authentication: { schemes: ['Bearer'], credentials: 'secret-credentials' },
    };
    const failing = await receiver((_request, response) => {
      response.writeHead(500).end('secret-answer');
    });
    const hanging = await receiver(() => undefined);
    const urls = [
      `http://127.0.0.1:${failing.port}`,
      `http://127.0.0.1:${hanging.port}`,
      'http://127.0.0.1:1',
      'https://hooks.example.org',
      'http://hooks.example.org',
    ];
    for (const url of urls) {
      const told = await push.deliver(pushTo(`${url}/secret-path?secret-query`, secrets), never).then(
        () => 'resolved',
        (e: unknown) => `${(e as Error).message} ${(e as Error).stack}`,
      );
      expect(told)
        .not.to.equal('resolved')
        .and.not.to.match(/secret/);
    }
    expect(logged.join()).not.to.match(/secret/);
    expect(
      logged.filter((line) => line.includes('push.refused')),
      'the two that the guard refuses',
    ).to.have.length(2);
  });

  it('close ends idle connections', async () => {
    const there = await receiver(ok);
    const { push } = sender();
    await push.deliver(pushTo(`http://127.0.0.1:${there.port}/`), never);
    expect(there.open.size).to.equal(1);
    await push.close();
    await until('the connection is closed', () => there.open.size === 0);
  });
});
