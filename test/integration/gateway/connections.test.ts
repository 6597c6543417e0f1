/**
 * Connections that say nothing, or never come to an end: none keeps its descriptor (gateway/broken-http.ts,
 * gateway/limits/connections.ts).
 */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import type { Clock } from '../../../src/domain/shared/clock.js';
import { scopes } from '../../../src/domain/shared/vocabulary.js';
import type { Principal } from '../../../src/service.js';
import { keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from './raw-client.js';
import { testTls } from './tls-fixture.js';

const ask = `GET /v1/agents/agent_1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rootKey}\r\n\r\n`;
const probe = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

/** Real time, in which what an address may do for fifteen seconds is over soon. */
const hasty: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms === 1_000 ? 40 : ms).unref();
    return () => clearTimeout(timer);
  },
};

describe('gateway: connections', () => {
  let gateway: TestGateway;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await gateway.stop();
  });
  /** One that never ends its half, whatever the server does. */
  const stubborn = (bytes = ''): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
      sockets.push(socket);
      socket.on('error', reject).resume();
      socket.on('connect', () => {
        socket.off('error', reject).on('error', () => undefined);
        if (bytes !== '') socket.write(bytes);
        resolve(socket);
      });
    });
  const open = (): Promise<number> =>
    new Promise((resolve, reject) => {
      gateway.gateway.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  const untilOpen = async (wanted: number): Promise<void> => {
    while ((await open()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  for (const [name, bytes, config] of [
    ['TLS handshakes that never begin', '', { tls: testTls }],
    ['TLS handshakes that stop in the middle', '\x16\x03\x01\x02\x00\x01', { tls: testTls }],
    ['what is no TLS at all', probe, { tls: testTls }],
    ['plain connections that say nothing', '', {}],
    ['heads that never end', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ', {}],
    ['what is no HTTP', 'nonsense\r\n\r\n', {}],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', {}],
  ] as const)
    it(`${name}: closed by the server alone`, async () => {
      gateway = await startGateway({ config: { requestTimeoutMs: 300, ...config } });
      await Promise.all(Array.from({ length: 20 }, () => stubborn(bytes)));
      await untilOpen(0);
    });

  for (const tls of [undefined, testTls])
    it(`beyond the cap of an address its oldest silent ones make room, by ${tls ? 'TLS' : 'plain HTTP'}; who has a key stays`, async () => {
      gateway = await startGateway({
        options: { clock: hasty },
        config: { addressConnections: 5, ...(tls && { tls }) },
      });
      const talk = async (client: Socket, bytes: string): Promise<string> => {
        client.write(bytes);
        return new Promise((resolve, reject) => {
          client.once('data', (chunk: Buffer) => resolve(chunk.toString().slice(9, 12)));
          client.once('close', () => reject(new Error('closed')));
        });
      };
      const dial = (): Socket => {
        const options = { port: gateway.port, host: '127.0.0.1' };
        const socket = tls ? connectTls({ ...options, ca: testTls.cert }) : connect(options);
        sockets.push(socket);
        return socket.on('error', () => undefined);
      };
      const keyed = dial();
      expect(await talk(keyed, ask)).to.equal('200');
      for (let i = 0; i < 20; i++) await stubborn();
      const late = dial();
      expect(await talk(late, probe), 'a new one is served').to.equal('200');
      await untilOpen(6);
      expect(await talk(keyed, ask), 'the one with a key goes on').to.equal('200');
    });

  it('clients that all come back at once keep their connections while their keys are looked up', async () => {
    let found = (): void => undefined;
    const lookedUp = new Promise<Principal>((resolve) => (found = () => resolve(keyPrincipal(scopes))));
    gateway = await startGateway({
      options: { clock: hasty },
      config: { addressConnections: 5 },
      service: { authenticate: () => lookedUp },
    });
    const clients = Array.from({ length: 100 }, () => new RawClient(gateway.port));
    sockets.push(...clients.map(({ socket }) => socket));
    const byHeader = ask.replace('Authorization: Bearer ', 'X-API-Key: ');
    const answers = clients.map((client, i) => client.send(i % 2 ? ask : byHeader).answer());
    await untilOpen(100);
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // longer than an address may have too many
    found();
    for (const answer of answers) expect((await answer).status).to.equal(200);
    for (const client of clients) expect((await client.send(ask).answer()).status).to.equal(200);
  });

  it('beyond the bound of the process too', async () => {
    gateway = await startGateway({ config: { maxConnections: 5 } });
    for (let i = 0; i < 20; i++) await stubborn();
    const late = new RawClient(gateway.port);
    sockets.push(late.socket);
    expect((await late.send(probe).answer()).status).to.equal(200);
    await untilOpen(5);
  });

  it('TLS 1.2 is spoken with forward secrecy and authenticated encryption only', async () => {
    gateway = await startGateway({ config: { tls: testTls } });
    const handshake = (ciphers: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connectTls(
          { port: gateway.port, host: '127.0.0.1', ca: testTls.cert, maxVersion: 'TLSv1.2', ciphers },
          () => resolve(socket.getCipher().name),
        );
        sockets.push(socket);
        socket.on('error', () => resolve('refused'));
      });
    for (const old of [
      'AES128-GCM-SHA256',
      'AES256-SHA',
      'ECDHE-RSA-AES128-SHA',
      'ECDHE-RSA-AES128-SHA256',
      'ECDHE-ECDSA-AES128-SHA',
      'ECDHE-ECDSA-AES256-SHA384',
    ])
      expect(await handshake(old), old).to.equal('refused');
    expect(await handshake('ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256')).to.match(/^ECDHE-.*GCM/);
  });
});
