/**
 * Requests that ask for an upgrade: declined ones are served as plain requests (gateway/http/prototypes.ts), and WebSocket
 * handshakes pass the checks of every request (gateway/http/head.ts).
 */
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { createStreams } from '../../../gateway/streams/streams.js';
import { startGateway, rootKey, type Setup, type TestGateway } from '../../helpers/gateway.js';
import { ManualClock } from '../../unit/bus/support.js';
import { RawClient } from './raw-client.js';
import { testTls } from './tls-fixture.js';
import { turn } from '../../helpers/turn.js';

const nothing = (): void => undefined;
const h2c = 'Connection: Upgrade, Upgrade\r\nUpgrade: h2c\r\n';
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const named = (i: number, headers = h2c): string => get('/livez', `X-Request-Id: n-${i}\r\n${headers}`);
const handshake = `Authorization: Bearer ${rootKey}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;

describe('gateway: upgrades', () => {
  let gateway: TestGateway;
  let client: RawClient;
  /** The server's side of each connection. */
  let announced: Socket[];
  const start = async (setup: Setup = {}): Promise<void> => {
    const log = { debug: nothing, warn: nothing, error: nothing };
    gateway = await startGateway({
      ...setup,
      options: { streams: createStreams({ clock: new ManualClock(), log }), ...setup.options },
    });
    announced = [];
    gateway.gateway.server.on('connection', (socket) => announced.push(socket));
    client = new RawClient(gateway.port);
  };
  afterEach(async () => {
    client.destroy();
    await gateway.stop();
  });
  const answers = async (n: number): Promise<(string | undefined)[]> => {
    const ids: (string | undefined)[] = [];
    for (let i = 0; i < n; i++) ids.push((await client.answer()).headers['x-client-request-id']);
    return ids;
  };
  const ids = (n: number): string[] => Array.from({ length: n }, (_, i) => `n-${i}`);

  it('declined ones that were sent together are all answered, in order, and nothing piles up on their socket', async () => {
    await start();
    const n = 500;
    client.send(Array.from({ length: n }, (_, i) => named(i)).join(''));
    expect(await answers(n)).to.deep.equal(ids(n));
    const [socket, ...others] = announced;
    expect(others).to.deep.equal([]);
    const most = Math.max(...socket!.eventNames().map((name) => socket!.listenerCount(name)));
    expect(most, 'listeners of one event').to.be.at.most(6);
    expect((await client.send(get('/livez')).answer()).status).to.equal(200);
  });

  it('keep their order among plain requests and bodies, over any cuts of the bytes', async () => {
    await start();
    const json = '{"type":"a","content":"b"}';
    const post = (i: number, headers: string): string =>
      `POST /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rootKey}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\nX-Request-Id: n-${i}\r\n${headers}\r\n${json}`;
    const kinds = [
      (i: number) => named(i),
      (i: number) => named(i, ''),
      (i: number) => post(i, h2c),
      (i: number) => post(i, ''),
    ];
    const n = 40;
    const bytes = Array.from({ length: n }, (_, i) => kinds[(i * 7) % 4]!(i)).join('');
    for (let at = 0; at < bytes.length; at += 97) {
      client.send(bytes.slice(at, at + 97));
      await turn();
    }
    expect(await answers(n)).to.deep.equal(ids(n));
  });

  it('wait for the answers of the requests before them, a WebSocket too', async () => {
    let answer = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let asked = (): void => undefined;
    const called = new Promise<void>((resolve) => {
      asked = resolve;
    });
    await start({
      commands: {
        getAgent: async () => {
          asked();
          await waiting;
          throw new Error('late');
        },
      },
    });
    const slow = get('/v1/agents/agent_1', `Authorization: Bearer ${rootKey}\r\nX-Request-Id: n-0\r\n`);
    client.send(slow + named(1, '') + named(2) + named(3) + get('/v1/events', `X-Request-Id: n-4\r\n${handshake}`));
    await called;
    await turn();
    answer();
    const statuses: number[] = [];
    for (const id of ids(5)) {
      const { status, headers } = await client.answer();
      expect(headers['x-client-request-id']).to.equal(id);
      statuses.push(status);
    }
    expect(statuses).to.deep.equal([500, 200, 200, 200, 101]);
  });

  it('an answer that closes the connection is the last', async () => {
    await start();
    client.send(
      named(0) + get('/livez', `X-Request-Id: n-1\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n`) + named(2),
    );
    expect(await answers(2)).to.deep.equal(ids(2));
    await client.closed();
    expect(announced.every((socket) => socket.destroyed)).to.equal(true);
  });

  it('the same over HTTPS', async () => {
    await start({ config: { tls: testTls } });
    const n = 50;
    const socket = connectTls({ port: gateway.port, host: '127.0.0.1', ca: testTls.cert });
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.write(Array.from({ length: n }, (_, i) => named(i)).join(''));
    while ((text.match(/X-Client-Request-Id: n-\d+/g) ?? []).length < n) await turn();
    expect(text.match(/n-\d+/g)).to.deep.equal(ids(n));
    expect(text, 'it came by HTTPS').to.include('Strict-Transport-Security');
    socket.destroy();
  });

  describe('WebSocket handshakes pass the checks of every request', () => {
    for (const [name, headers] of [
      ['a second Host', `Host: evil\r\n${handshake}`],
      ['a second Authorization', `Authorization: Bearer x\r\n${handshake}`],
      ['too many fields', `${Array.from({ length: 101 }, (_, i) => `X-${i}: 1\r\n`).join('')}${handshake}`],
      ['a body by length', `Content-Length: 5\r\n${handshake}`],
      ['a body in chunks', `Transfer-Encoding: chunked\r\n${handshake}`],
    ] as const)
      it(`${name} is 400`, async () => {
        await start();
        const answer = await client.send(get('/v1/events', headers)).answer();
        expect(answer.status, answer.body).to.equal(400);
        await client.closed();
      });

    it('no Host is 400', async () => {
      await start();
      expect((await client.send(`GET /v1/events HTTP/1.1\r\n${handshake}\r\n`).answer()).status).to.equal(400);
    });
  });
});
