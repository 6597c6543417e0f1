/**
 * Requests in progress, over real connections: every way in which one may end gives its place back
 * (gateway/limits/limiter.ts).
 */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { fixtures } from '../../helpers/fake-service.js';
import { RawClient } from '../gateway/raw-client.js';
import { until } from '../streams-support.js';
import { as, shownIn, startLimited, type Limited } from './support.js';

const box = as('svc_test_box'); // the sandbox's limits: 2 at the same time
const get = (key: string, path = '/v1/agents/agent_1'): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

describe('limits: requests in progress', () => {
  let gateway: Limited;
  const clients: RawClient[] = [];
  const client = (request: string): RawClient => {
    const made = new RawClient(gateway.port).send(request);
    clients.push(made);
    return made;
  };
  /** How many requests wait for an answer of the service; `answer` lets all of them go. */
  let waiting: (() => void)[] = [];
  const hold = {
    commands: {
      getAgent: () =>
        new Promise<typeof fixtures.agent>((resolve) => {
          waiting.push(() => {
            resolve(fixtures.agent);
          });
        }),
    },
  };
  const answer = (): void => {
    for (const one of waiting.splice(0)) one();
  };
  const places = (): number => gateway.keys.size.slots;
  const status = async (): Promise<number> => (await gateway.ask('GET', '/v1/memories', undefined, box)).status;

  beforeEach(async () => {
    waiting = [];
    gateway = await startLimited(hold);
  });
  afterEach(async () => {
    answer();
    for (const one of clients.splice(0)) one.destroy();
    await gateway.stop();
  });

  it('the third of a sandbox key is refused while two are served, and passes after that', async () => {
    const first = client(get('svc_test_box'));
    const second = client(get('svc_test_box'));
    await until('both are served', () => waiting.length === 2);
    const refused = await gateway.ask('GET', '/v1/memories', undefined, box);
    expect(refused.status).to.equal(429);
    expect(refused.body.error).to.deep.include({
      code: 'CONCURRENCY_LIMIT_EXCEEDED',
      status: 429,
      details: { limit: 2, retry_after: 1 },
    });
    expect(shownIn((name) => refused.headers.get(name), 'the refusal')).to.include({
      limit: '50',
      remaining: 47,
      retryAfter: '1',
    });
    expect((await gateway.ask('GET', '/v1/memories', undefined, as('svc_live_free'))).status, 'another key').to.equal(
      200,
    );
    answer();
    expect([(await first.answer()).status, (await second.answer()).status]).to.deep.equal([200, 200]);
    expect(await status()).to.equal(200);
  });

  it('one after the other is never too many, on one connection or on as many as may be', async () => {
    answer();
    const lanes = Array.from({ length: 2 }, async () => {
      const mine = client('');
      const statuses = new Set<number>();
      // its bucket holds 75, so both lanes together stay below it
      for (let i = 0; i < 35; i++) statuses.add((await mine.send(get('svc_test_box', '/v1/memories')).answer()).status);
      return statuses;
    });
    expect((await Promise.all(lanes)).map((statuses) => [...statuses])).to.deep.equal([[200], [200]]);
    expect(places()).to.equal(0);
  });

  it('a client that leaves before its answer gives its place back', async () => {
    const leaves = client(get('svc_test_box'));
    client(get('svc_test_box'));
    await until('both are served', () => waiting.length === 2);
    expect(await status()).to.equal(429);
    leaves.destroy();
    await until('one is free', () => gateway.keys.enter('key_box', 2, 'probe', gateway.clock.now()));
    gateway.keys.leave('key_box', 'probe');
    expect(await status()).to.equal(200);
  });

  it('a client that leaves in the middle of its body too', async () => {
    client(
      'POST /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_test_box\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"type":',
    );
    await until('it is admitted', () => places() === 1);
    clients[0]?.destroy();
    await until('its place is free', () => places() === 0);
  });

  it('pipelined requests hold one place, one after the other', async () => {
    const pipelined = client(get('svc_live_free').repeat(4));
    for (let i = 0; i < 4; i++) {
      await until('the next is served', () => waiting.length === 1);
      expect(places()).to.equal(1);
      answer();
      expect((await pipelined.answer()).status).to.equal(200);
    }
    await until('the place is free', () => places() === 0);
  });

  it('a refusal, an error and an unknown path hold nothing', async () => {
    for (const path of ['/v1/nope', '/v1/agents/%ff', '/v1/keys/x/y']) await gateway.ask('GET', path, undefined, box);
    await gateway.ask('POST', '/v1/memories', '{', box);
    await until('nothing is held', () => places() === 0);
  });

  it('an open stream counts once, for as long as it is open', async () => {
    const one = client(get('svc_test_box', '/v1/events'));
    const two = client(get('svc_test_box', '/v1/events'));
    await until('both are open', () => gateway.open.open === 2);
    expect(await status()).to.equal(429);
    for (let i = 0; i < 30; i++) await gateway.clock.advance(10_000); // five minutes: the places are renewed
    expect(gateway.open.open).to.equal(2);
    expect((await gateway.ask('GET', '/v1/memories', undefined, box)).body.error?.code).to.equal(
      'CONCURRENCY_LIMIT_EXCEEDED',
    );
    one.destroy();
    await until('one has ended', () => gateway.open.open === 1);
    expect(await status()).to.equal(200);
    await gateway.clock.advance(300_000); // their time is up
    await until('the other too', () => places() === 0);
    expect(two.errors).to.deep.equal([]);
  });

  it('a WebSocket counts as a stream does', async () => {
    const open = (): WebSocket => new WebSocket(`ws://127.0.0.1:${gateway.port}/v1/events`, { headers: box });
    const sockets = [open(), open()];
    await until('both are open', () => gateway.open.open === 2);
    const refused = await new Promise<number>((resolve) => {
      open()
        .on('unexpected-response', (req, response) => {
          resolve(response.statusCode ?? 0);
          req.destroy();
        })
        .on('error', () => undefined);
    });
    expect(refused).to.equal(429);
    expect(await status()).to.equal(429);
    sockets[0]?.close();
    await until('one has ended', () => gateway.open.open === 1);
    expect(await status()).to.equal(200);
    sockets[1]?.terminate();
    await until('nothing is held', () => places() === 0);
  });

  it('a refused WebSocket holds nothing', async () => {
    for (const request of [get('svc_live_weak', '/v1/events'), get('svc_live_free', '/v1/events?types=')]) {
      const answered = await client(
        request.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      ).answer();
      expect(answered.status).to.be.oneOf([400, 403]);
    }
    await until('nothing is held', () => places() === 0);
  });
});
