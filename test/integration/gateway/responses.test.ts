/** Responses that wait for their readers: pieces, room and stalls (http/responder.ts). */
import { expect } from 'chai';
import { scopes } from '../../../src/domain/shared/vocabulary.js';
import type { Clock } from '../../../src/domain/shared/clock.js';
import { fixtures, keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { connect, type Socket } from 'node:net';
import { stallMs } from '../../../gateway/http/responder.js';

const mebibyte = 1024 * 1024;
/** More than the kernel keeps of a connection whose reader does not read. */
const page = 12 * mebibyte;
const otherKey = 'svc_live_other';

describe('gateway: responses that wait for their readers', () => {
  let gateway: TestGateway;
  let sockets: Socket[];
  let timers: { at: number; fn: () => void }[];
  let now: number;
  /** Real time, but for timers of half a minute and more, which the test fires itself. */
  const clock: Clock = {
    now: () => now,
    after: (ms, fn) => {
      if (ms < stallMs / 2) {
        const timer = setTimeout(fn, ms).unref();
        return () => clearTimeout(timer);
      }
      const timer = { at: now + ms, fn };
      timers.push(timer);
      return () => {
        timers = timers.filter((t) => t !== timer);
      };
    },
  };
  const pass = (ms: number): void => {
    now += ms;
    for (const timer of timers.filter((t) => t.at <= now)) {
      timers = timers.filter((t) => t !== timer);
      timer.fn();
    }
  };
  beforeEach(async () => {
    sockets = [];
    timers = [];
    now = Date.now();
    gateway = await startGateway({
      options: { clock },
      credentials: { [otherKey]: { ...keyPrincipal(scopes), workspace: 'another' } },
      config: { responseBudget: 5 * page },
      commands: {
        listAgents: async () => ({
          items: [{ ...fixtures.agent, description: 'x'.repeat(page) }],
          next: null,
          total: 1,
        }),
      },
    });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await gateway.stop();
  });

  const request = (path: string, key = rootKey): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  /** Asks for a page and does not read it. */
  const stuck = (key = rootKey): Socket => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(request('/v1/agents', key));
    sockets.push(socket);
    return socket;
  };
  const until = async (what: () => boolean | Promise<boolean>): Promise<void> => {
    for (let i = 0; i < 400; i++) {
      if (await what()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('it did not come to that');
  };
  const statusOf = async (key: string): Promise<number> => {
    const response = await fetch(`${gateway.url}/v1/agents`, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    return response.status;
  };
  const full = (): Promise<void> =>
    until(async () => {
      const before = gateway.counted.length;
      stuck();
      await until(() => gateway.counted.length > before);
      return (await statusOf(rootKey)) === 503;
    });

  it('hold at most what there is room for, half of it for one workspace; the next are 503, and others are served', async () => {
    await full();
    expect(await statusOf(otherKey)).to.equal(200);
    const refused = await gateway.ask('GET', '/v1/agents');
    expect(refused.body.error).to.include({ code: 'UNAVAILABLE' });
    expect(refused.headers.get('retry-after')).to.equal('1');
    const wrote = gateway.calls.filter((c) => c.method === 'createMemory').length;
    const post = await gateway.ask('POST', '/v1/memories', { type: 'a', content: 'a' });
    expect([post.status, gateway.calls.filter((c) => c.method === 'createMemory').length - wrote]).to.satisfy(
      ([status, made]: number[]) => (status === 201 && made === 1) || (status === 503 && made === 0),
    );
  });

  it('what a reader that leaves had kept is room again', async () => {
    await full();
    for (const reader of sockets) reader.destroy();
    await until(async () => (await statusOf(rootKey)) === 200);
  });

  it('one of which nothing is taken is cut, with its connection, and its room is had again', async () => {
    await full();
    pass(stallMs);
    pass(stallMs);
    await until(async () => (await statusOf(rootKey)) === 200);
    let ended = 0;
    for (const reader of sockets) {
      reader.on('close', () => ended++);
      reader.resume();
    }
    await until(() => ended === sockets.length);
  });

  it('one that is read slowly arrives whole', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    sockets.push(socket);
    let bytes = 0;
    socket.write(request('/v1/agents').repeat(2));
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
      pass(stallMs / 100);
    });
    await until(() => bytes > 2 * page);
  });
});
