/** Workspace events over real WebSockets; the invariants are those of gateway/streams/websocket.ts. */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { unavailable } from '../../src/domain/shared/errors.js';
import type { Socket } from 'node:net';
import { keyPrincipal, tokenPrincipal, type Credentials } from '../helpers/fake-service.js';
import { rootKey, startGateway, type Setup, type TestGateway } from '../helpers/gateway.js';
import { change, settle } from '../unit/bus/support.js';
import { RawClient, startServer, until, type TestServer } from './streams-support.js';

const credentials: Credentials = {
  svc_live_good: keyPrincipal(['agent:read']),
  svc_live_poor: keyPrincipal(['memory:read']),
  at_token: tokenPrincipal('agent_1'),
};

describe('workspace events over WebSocket', () => {
  /** Has the streams and their source. */
  let t: TestServer;
  let gateway: TestGateway;
  /** The server's side of each connection, in the order of their coming. */
  let connections: Socket[];
  const clients: { terminate(): void }[] = [];
  const start = async (options?: Parameters<typeof startServer>[0], config?: Setup['config']): Promise<void> => {
    t = await startServer(options);
    gateway = await startGateway({
      credentials,
      service: { workspaceEvents: (_caller, signal) => t.openWorkspace(signal) },
      options: { streams: t.streams },
      config,
    });
    connections = [];
    gateway.gateway.server.on('connection', (socket) => connections.push(socket));
  };
  const stop = async (): Promise<void> => {
    for (const client of clients.splice(0)) client.terminate();
    await gateway.stop();
    await t.close();
  };
  afterEach(stop);

  const open = (
    options: { protocols?: string[]; headers?: Record<string, string>; path?: string; autoPong?: boolean } = {},
  ) => {
    const ws = new WebSocket(`ws://127.0.0.1:${gateway.port}${options.path ?? '/v1/events'}`, options.protocols ?? [], {
      headers: options.headers ?? { authorization: 'Bearer svc_live_good' },
      autoPong: options.autoPong ?? true,
    });
    const client = {
      ws,
      got: [] as { type: string; data: Record<string, unknown> }[],
      code: 0,
      reason: '',
      pings: 0,
      upgrade: {} as Record<string, unknown>,
      failed: false,
    };
    ws.on('message', (data: Buffer) => client.got.push(JSON.parse(data.toString()) as (typeof client.got)[number]));
    ws.on('close', (code, reason) => {
      client.code = code;
      client.reason = reason.toString();
    });
    ws.on('ping', () => client.pings++);
    ws.on('upgrade', (response) => {
      client.upgrade = response.headers;
    });
    ws.on('error', () => {
      client.failed = true;
    });
    clients.push(ws);
    return client;
  };
  const opened = async (options?: Parameters<typeof open>[0]) => {
    const client = open(options);
    const before = t.streams.open;
    await until(
      'the WebSocket',
      () => client.ws.readyState === WebSocket.OPEN && t.streams.open >= Math.max(1, before),
    );
    return client;
  };
  const handshake =
    'Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n';
  const raw = (request: string): RawClient => {
    const client = new RawClient(gateway.port, request);
    clients.push({ terminate: () => client.destroy() });
    return client;
  };
  const refused = async (
    headers: string,
    path = '/v1/events',
  ): Promise<{ status: number; code: string; client: RawClient }> => {
    const client = raw(`GET ${path} HTTP/1.1\nHost: localhost\n${headers}\n`);
    await until('the refusal', () => client.closed);
    const { error } = JSON.parse(client.body) as { error: { code: string; status: number; request_id: string } };
    expect(error.status).to.equal(client.status);
    expect(error.request_id).to.match(/^req_/);
    expect(client.head)
      .to.include(`X-Request-Id: ${error.request_id}`)
      .and.match(/content-type: application\/json/i);
    return { status: client.status, code: error.code, client };
  };

  it('gives each event as a text frame of JSON from the moment it is open', async () => {
    await start();
    const client = open();
    client.ws.on('open', () => t.publishWorkspace(change(1), change(2)));
    await until('events', () => client.got.length === 2);
    expect(client.got).to.deep.equal([change(1), change(2)]);
    expect(client.upgrade['x-request-id']).to.match(/^req_/);
    client.ws.close();
    await until('it is let go', () => t.sources() === 0 && t.streams.open === 0);
  });

  it("a browser's way: the key as a subprotocol, and a filter", async () => {
    await start();
    const both = await opened({
      headers: {},
      protocols: ['hivekeep', 'bearer.svc_live_good'],
      path: '/v1/events?types=agent',
    });
    expect(both.ws.protocol).to.equal('hivekeep');
    t.publishWorkspace(change(1), change(2, 'agent.created'));
    await until('events', () => both.got.length === 1);
    expect(both.got[0]?.type).to.equal('agent.created');
    const alone = await refused(`${handshake}Sec-WebSocket-Protocol: bearer.svc_live_good\n`);
    expect([alone.status, alone.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    expect(alone.client.head, 'a key is never sent back').not.to.include('svc_live_good');
  });

  it('refusals are plain HTTP with the envelope, in the order of the other routes', async () => {
    await start({ tuning: { maxStreams: 1 } });
    const auth = 'Authorization: Bearer svc_live_good\n';
    const nobody = await refused(handshake);
    expect([nobody.status, nobody.code]).to.deep.equal([401, 'UNAUTHENTICATED']);
    expect(nobody.client.head).to.match(/www-authenticate: bearer/i);
    expect((await refused(`${handshake}Authorization: Bearer svc_live_none\n`)).code).to.equal('UNAUTHENTICATED');
    expect((await refused(`${handshake}`, '/v1/events?token=svc_live_good&access_token=svc_live_good')).code).to.equal(
      'UNAUTHENTICATED',
    );
    expect((await refused(`${handshake}Authorization: Bearer svc_live_poor\n`)).code).to.equal('INSUFFICIENT_SCOPE');
    expect((await refused(`${handshake}Authorization: Bearer at_token\n`)).code).to.equal('INSUFFICIENT_SCOPE');
    expect((await refused(`${handshake}${auth}`, '/v1/events?types=')).code).to.equal('VALIDATION_ERROR');
    expect(
      (await refused(`Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\n${auth}`)).code,
    ).to.equal('VALIDATION_ERROR');
    expect(
      (
        await refused(
          `Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 99\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n${auth}`,
        )
      ).code,
    ).to.equal('VALIDATION_ERROR');
    const echoed = await refused(`${handshake}X-Request-Id: mine-1\n`);
    expect(echoed.client.head).to.include('X-Client-Request-Id: mine-1');
    t.fail.open = unavailable('not now');
    expect((await refused(`${handshake}${auth}`)).code).to.equal('UNAVAILABLE');
    t.fail.open = null;
    await opened();
    const full = await refused(`${handshake}${auth}`);
    expect([full.status, full.code]).to.deep.equal([503, 'UNAVAILABLE']);
    expect(full.client.head).to.match(/retry-after: 5/i);
    expect(t.sources()).to.equal(1);
    await stop();
    await start({}, { plainHttp: false });
    expect((await refused(`${handshake}${auth}`)).code).to.equal('HTTPS_REQUIRED');
  });

  it('other upgrades and paths are served as plain requests, bodies included', async () => {
    await start();
    const auth = 'Authorization: Bearer svc_live_good\n';
    const search = `POST /v1/memories/search HTTP/1.1\nHost: localhost\nAuthorization: Bearer ${rootKey}\nContent-Type: application/json\n`;
    const h2c = raw(
      `${search}Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\nContent-Length: 17\n\n`,
    );
    h2c.socket.write('{"query":');
    await settle();
    h2c.socket.write('"hello"}');
    await until('the answer', () => h2c.ended);
    expect(h2c.status, h2c.text).to.equal(200);
    h2c.text = '';
    h2c.socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until('the connection goes on', () => h2c.status === 200);
    const chunked = raw(
      `${search}Connection: keep-alive, Upgrade\nUpgrade: websocket\nTransfer-Encoding: chunked\n\nf\n{"query":"tea"}\n0\n\n`,
    );
    await until('the answer', () => chunked.status === 200);
    const sse = raw(`GET /v1/events HTTP/1.1\nHost: localhost\n${auth}Connection: Upgrade\nUpgrade: h2c\n\n`);
    await until('server-sent events', () => sse.body.includes('retry: '));
  });

  it('1008 for a client that sends something, 1009 for something long', async () => {
    await start();
    const talker = await opened();
    const shouter = await opened();
    talker.ws.send('hello');
    shouter.ws.send('x'.repeat(5000));
    await until('both are closed', () => talker.code !== 0 && shouter.code !== 0);
    expect([talker.code, shouter.code]).to.deep.equal([1008, 1009]);
    await until('they are let go', () => t.sources() === 0);
  });

  it('1001 at a shutdown and at the end of its time, 1013 for a reader that falls behind', async () => {
    await start({ buffer: 5 });
    const behind = await opened();
    t.publishWorkspace(...Array.from({ length: 6 }, (_, i) => change(i)));
    await until('1013', () => behind.code === 1013);
    const old = await opened();
    const connection = connections.at(-1)!;
    for (let i = 0; i < 40; i++) {
      const before = connection.bytesRead;
      await t.clock.advance(15_000);
      await until('its ping', () => old.pings > i || old.code !== 0);
      await until('its pong, at the server', () => connection.bytesRead > before || old.code !== 0);
      await settle();
    }
    await until('1001', () => old.code === 1001);
    expect(old.reason).to.include('time is up');
    const last = await opened();
    t.streams.close();
    await until('1001', () => last.code === 1001);
    expect(last.reason).to.include('going away');
    await until('all are let go', () => t.sources() === 0);
  });

  it('a client that pings without end is closed, and most of its pings are not answered', async () => {
    await start();
    const flood = open();
    let pongs = 0;
    flood.ws.on('pong', () => pongs++);
    await until('it is open', () => flood.ws.readyState === WebSocket.OPEN);
    for (let i = 0; i < 1_000; i++) flood.ws.ping();
    await until('it is closed', () => flood.code !== 0);
    expect(flood.code).to.be.oneOf([1006, 1008]);
    expect(pongs).to.be.at.most(16);
  });

  it('pings at each heartbeat; a peer that does not answer is gone', async () => {
    await start();
    const alive = await opened();
    const dead = await opened({ autoPong: false });
    const before = connections[0]!.bytesRead;
    await t.clock.advance(15_000);
    await until('pings', () => alive.pings === 1 && dead.pings === 1);
    await until('the pong, at the server', () => connections[0]!.bytesRead > before);
    await settle();
    await t.clock.advance(15_000);
    await until('the dead one is ended', () => dead.code === 1006);
    await until('the live one goes on', () => alive.pings === 2);
    expect(t.streams.open).to.equal(1);
  });

  it('a stalled reader is cut off with 1013, and another goes on', async () => {
    await start({ buffer: 100_000 });
    const stalled = await opened();
    const brisk = await opened();
    stalled.ws.pause();
    const filler = 'x'.repeat(64 * 1024);
    for (let i = 0; i < 400; i++) {
      t.publishWorkspace({ ...change(i), data: { filler } });
      if (i % 20 === 0) await until('the brisk one keeps up', () => brisk.got.length >= i);
    }
    await until('the brisk one has all', () => brisk.got.length === 400);
    await t.clock.advance(15_000);
    await until('the stalled one is cut', () => t.streams.open === 1 && t.sources() === 1);
    t.publishWorkspace(change(1));
    await until('the brisk one goes on', () => brisk.got.length === 401);
    stalled.ws.resume();
    await until('it is told why', () => stalled.code !== 0);
    expect(stalled.code).to.equal(1013);
    expect(stalled.got.length).to.be.below(400);
  });

  it('a peer that does not take part in the close is destroyed', async () => {
    await start({ tuning: { goodbyeMs: 5000 } });
    const client = raw(`GET /v1/events HTTP/1.1\nHost: localhost\n${handshake}Authorization: Bearer svc_live_good\n\n`);
    await until('the WebSocket', () => t.streams.open === 1 && client.status === 101);
    t.streams.close();
    await settle();
    expect(client.closed).to.equal(false);
    await t.clock.advance(5000);
    await until('it is destroyed', () => client.closed);
  });

  it('a client that leaves while its key is being looked up leaves nothing behind', async () => {
    await start();
    for (let i = 0; i < 20; i++) {
      const client = raw(
        `GET /v1/events HTTP/1.1\nHost: localhost\n${handshake}Authorization: Bearer svc_live_good\n\n`,
      );
      await settle();
      client.socket.resetAndDestroy();
    }
    await until('nothing is open', () => t.sources() === 0 && t.streams.open === 0);
  });
});
