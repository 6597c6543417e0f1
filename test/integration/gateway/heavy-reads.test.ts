/** Bodies that are expensive to parse do not keep other connections waiting (gateway/limits/heavy-reads.ts). */
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { startGateway, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from './raw-client.js';
import { turn as nextTurn } from '../../helpers/turn.js';

const head = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
/** What one read of node takes at most. */
const oneRead = 64 * 1024;

describe('gateway: bodies in many small chunks', () => {
  let gateway: TestGateway;
  let clients: RawClient[] = [];
  beforeEach(async () => {
    gateway = await startGateway({});
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    clients = [];
    await gateway.stop();
  });

  it('without a key, one connection is read once a turn, and of several one in each (HeavyReads.H1, HeavyReads.H2)', async () => {
    const sockets: Socket[] = [];
    gateway.gateway.server.on('connection', (socket: Socket) => sockets.push(socket));
    const chunks = '1\r\n \r\n'.repeat(100_000);
    clients = Array.from({ length: 4 }, () => new RawClient(gateway.port));
    let most = 0;
    let before = 0;
    let running = true;
    const turn = (): void => {
      const read = sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
      most = Math.max(most, read - before);
      before = read;
      if (running) setImmediate(turn);
    };
    turn();
    for (const client of clients) client.send(head('/v1/memories') + chunks);
    for (const client of clients) expect((await client.answer()).status).to.equal(401);
    const total = clients.length * chunks.length;
    // the rest of a refused body is read for 2 s at most
    while (before < total && !sockets.every((socket) => socket.destroyed)) await nextTurn();
    running = false;
    // the first read of each may fall into one turn; after it, one connection at a time
    expect(most).to.be.at.most(clients.length * oneRead);
  });
});
