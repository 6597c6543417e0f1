/** What `doctor` and a start say of a Redis that cannot be worked with: one sentence, what is wrong and what to do. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { checkRedis } from '../../../src/redis/check.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';

const wrong = async (url: string, options = {}): Promise<string[]> =>
  (await checkRedis(url, { patienceMs: 1000, ...options }))
    .filter(({ level }) => level !== 'ok')
    .map(({ level, text }) => `${level}: ${text}`);

const impostors: Server[] = [];

/** Where a server is that answers each command as `answer` says. */
async function impostor(answer: (command: string) => string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const [, command] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(answer((command ?? '').toUpperCase()));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  impostors.push(server);
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('checking Redis without one', () => {
  after(() => {
    for (const server of impostors) server.close();
  });

  it("nothing listens, or the name is nobody's", async () => {
    expect(await wrong('redis://127.0.0.1:1')).to.deep.equal([
      'fail: Nothing listens at 127.0.0.1:1: start Redis there, or correct HIVEKEEP_REDIS_URL.',
    ]);
    expect((await wrong('redis://nobody.invalid'))[0]).to.match(/nobody\.invalid:6379/);
  });

  it('a version that is too old', async () => {
    const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
    const info = 'redis_version:6.2.14\r\nredis_mode:standalone\r\nrole:master\r\n';
    const answers: Record<string, () => string> = {
      HELLO: () => "-ERR unknown command 'HELLO'\r\n",
      INFO: () => bulk(info),
      TIME: () => `*2\r\n${bulk(String(Math.floor(Date.now() / 1000)))}${bulk('0')}`,
      SPUBLISH: () => "-ERR unknown command 'SPUBLISH'\r\n",
    };
    const at = await impostor((command) => answers[command]?.() ?? '+OK\r\n');
    expect(await wrong(`redis://${at}`)).to.deep.equal([
      `fail: Redis at ${at} is version 6.2.14, and hivekeep needs 7.0 or newer (sharded pub/sub): upgrade it.`,
    ]);
  });

  it('something that is not Redis', async () => {
    const at = await impostor(() => 'HTTP/1.1 400 Bad Request\r\n\r\n');
    const [text] = await wrong(`redis://${at}`);
    expect(text).to.match(new RegExp(`^fail: (What listens at ${at} is not Redis|Redis at ${at} )`));
  });
});

describe('checking a real Redis', () => {
  let service: RedisService;
  let secured: RedisService;
  before(async function () {
    const found = await redisService(['--requirepass', 'open-sesame', '--maxmemory-policy', 'allkeys-lru']);
    const plain = await redisService();
    if (found === null || plain === null) return this.skip(); // no redis-server on PATH
    [secured, service] = [found, plain];
  });
  after(async () => {
    await secured?.stop();
    await service?.stop();
  });

  it('finds nothing wrong with one that is right, and says what it found', async () => {
    const findings = await checkRedis(service.url);
    expect(findings.map(({ level }) => level)).to.deep.equal(['ok', 'ok']);
    expect(findings[0]?.text).to.match(/^Redis 7\.\d+\.\d+ at 127\.0\.0\.1:\d+ answers\.$/);
  });

  it('clocks that are apart: a warning from 2 s, a failure from a minute', async () => {
    expect((await wrong(service.url, { now: () => Date.now() + 5000 }))[0]).to.match(
      /^warn: The clock of Redis at \S+ says \S+Z and this machine's \S+Z: keep both right with NTP\.$/,
    );
    expect((await wrong(service.url, { now: () => Date.now() - 300_000 }))[0]).to.match(/^fail: The clock/);
  });

  it('credentials that are missing or wrong, in one sentence that holds none of them', async () => {
    const at = secured.url.slice('redis://'.length);
    for (const url of [secured.url, `redis://:guess-1@${at}`, `redis://somebody:guess-2@${at}`]) {
      expect(await wrong(url)).to.deep.equal([
        `fail: Redis at ${at} refuses the credentials: correct user and password in HIVEKEEP_REDIS_URL.`,
      ]);
    }
  });

  it('a policy that drops keys', async () => {
    expect(await wrong(secured.url.replace('://', '://:open-sesame@'))).to.deep.equal([
      `warn: Redis at ${secured.url.slice('redis://'.length)} may drop keys when its memory is full (maxmemory-policy allkeys-lru): set it to noeviction, or limits are forgotten and shards change hands.`,
    ]);
  });

  it('several servers that are no cluster', async () => {
    expect((await wrong(`${service.url},${service.url}`))[0]).to.match(
      /is no part of a Redis Cluster, but HIVEKEEP_REDIS_URL names several servers: name one, or servers of a cluster\.$/,
    );
  });

  it('a server that hangs', async function () {
    if (service.own === null) return this.skip();
    service.own.pause();
    try {
      expect((await wrong(service.url))[0]).to.match(/does not answer in time: see whether it hangs/);
    } finally {
      service.own.resume();
    }
  });
});
