/** How bytes come to the HTTP parser (gateway/limits/intake.ts). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { fixtures } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { turn as nextTurn } from '../../helpers/turn.js';
import { until } from '../streams-support.js';
import { RawClient } from './raw-client.js';
import { testTls } from './tls-fixture.js';

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const chunkedHead = 'POST /v1/memories HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('gateway: how bytes come to the parser', () => {
  let gateway: TestGateway;
  const sockets: Socket[] = [];
  const clients: RawClient[] = [];
  /** A clock by which each slice uses up its turn. */
  let now = 0;
  const start = async (commands = {}): Promise<void> => {
    gateway = await startGateway({ commands, options: { monotonic: () => (now += 5) } });
    gateway.gateway.server.on('connection', (socket: Socket) => sockets.push(socket));
  };
  const client = (): RawClient => {
    const made = new RawClient(gateway.port);
    clients.push(made);
    return made;
  };
  /** The most that `count` grows by in a turn of the event loop until `done`. */
  const mostInATurn = async (count: () => number, done: () => boolean): Promise<number> => {
    let most = 0;
    for (let before = count(); !done(); before = count()) {
      await nextTurn();
      most = Math.max(most, count() - before);
    }
    return most;
  };
  afterEach(async () => {
    sockets.length = 0;
    for (const one of clients.splice(0)) one.destroy();
    await gateway.stop();
  });

  it('pipelined requests are parsed one by one, each when the one before is answered', async () => {
    await start();
    let open = 0;
    let most = 0;
    gateway.gateway.server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
      most = Math.max(most, ++open);
      res.once('close', () => open--);
    });
    const one = client().send(
      Array.from({ length: 500 }, (_, i) => get('/livez', `X-Request-Id: n-${i}\r\n`)).join(''),
    );
    for (let i = 0; i < 500; i++) expect((await one.answer()).headers['x-client-request-id']).to.equal(`n-${i}`);
    expect(most).to.equal(1);
  });

  it('heads and bodies may be cut anywhere, and follow each other closely', async () => {
    await start();
    const auth = `Authorization: Bearer ${rootKey}\r\nContent-Type: application/json\r\n`;
    const json = '{"type":"a","content":"b"}';
    const sent = [
      `POST /v1/memories HTTP/1.1\r\nHost: x\r\n${auth}Content-Length: ${json.length}\r\n\r\n${json}`,
      get('/livez'),
      `POST /v1/memories HTTP/1.1\r\nHost: x\r\n${auth}Transfer-Encoding: chunked\r\n\r\n` +
        `${json.length.toString(16)}\r\n${json}\r\n0\r\nTrailer: a\r\n\r\n`,
      get('/v1/memories'),
    ].join('\r\n'); // and an empty line between them, which is skipped
    for (const size of [1, 2, 3, 7, 64, sent.length]) {
      const one = client();
      for (let at = 0; at < sent.length; at += size) {
        one.send(sent.slice(at, at + size));
        await nextTurn();
      }
      for (const status of [201, 200, 201, 401])
        expect((await one.answer()).status, `${status} in pieces of ${size}`).to.equal(status);
    }
  });

  it('without a key, one request is served in a turn that is used up, whoever sent how many', async () => {
    await start();
    const many = Array.from({ length: 4 }, () => client());
    await until('they are open', () => sockets.length === 4);
    for (const one of many) one.send(get('/v1/x').repeat(200));
    const late = client().send(get('/livez'));
    let answered = -1;
    void late.answer().then(() => (answered = gateway.counted.length));
    expect(
      await mostInATurn(
        () => gateway.counted.length,
        () => gateway.counted.length === 801,
      ),
    ).to.be.at.most(2);
    expect(answered, 'the one that came last waits for one request of each of the others').to.be.within(1, 100);
  });

  it('a body in tiny chunks is parsed a slice a turn, of all such connections', async () => {
    let pieces = 0;
    await start();
    gateway.gateway.server.prependListener('request', (req: IncomingMessage) => {
      req.on('data', () => pieces++);
    });
    const many = Array.from({ length: 3 }, () => client());
    for (const one of many) one.send(`${chunkedHead}${'1\r\n \r\n'.repeat(5_000)}0\r\n\r\n`);
    expect(
      await mostInATurn(
        () => pieces,
        () => pieces === 15_000,
      ),
    ).to.be.at.most((2 * 4096) / 6);
    for (const one of many) expect((await one.answer()).status).to.equal(401);
  });

  it('what waits for its turn is bounded by connection', async () => {
    let answer: (() => void) | null = null;
    await start({ getAgent: () => new Promise((resolve) => (answer = () => resolve(fixtures.agent))) });
    const ask = get('/v1/agents/agent_1', `Authorization: Bearer ${rootKey}\r\n`);
    client().send(ask + get('/livez').repeat(100_000));
    await until('it is served', () => answer !== null);
    for (let i = 0; i < 200; i++) await nextTurn();
    expect(sockets[0]?.bytesRead).to.be.below(200_000);
    expect(gateway.counted).to.have.length(0);
    answer!();
    for (let i = 0; i < 200; i++) expect((await clients[0]!.answer()).status).to.equal(200);
  });

  it('a client that leaves while it is served is noticed', async () => {
    let served = false;
    await start({ getAgent: () => new Promise(() => (served = true)) });
    client().send(get('/v1/agents/agent_1', `Authorization: Bearer ${rootKey}\r\n`));
    await until('it is served', () => served);
    clients[0]!.destroy();
    await until('its connection is closed', () => sockets[0]!.destroyed);
  });

  it('over TLS too', async () => {
    gateway = await startGateway({ config: { tls: testTls } });
    const { connect } = await import('node:tls');
    const socket = connect({ port: gateway.port, host: '127.0.0.1', rejectUnauthorized: false });
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write(get('/livez').repeat(300));
    await until('all are answered', () => received.split('HTTP/1.1 200').length === 301);
    socket.destroy();
  });
});
