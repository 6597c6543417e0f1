/**
 * Invariants RedisConnect.C1-C3, C5 and C6 of src/redis/connect.ts, and scripts (src/redis/script.ts), on a real
 * Redis.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedisBus } from '../../../src/bus/redis/events.js';
import { createRedisTransport } from '../../../src/bus/redis/transport.js';
import { checkRedis } from '../../../src/redis/check.js';
import { connectRedis, connectSubscriber, type RedisClient } from '../../../src/redis/connect.js';
import { loadScript } from '../../../src/redis/script.js';
import { RedisPair } from '../../helpers/redis-pair.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';
import { patient } from '../../helpers/patience.js';

function logger() {
  const lines: string[] = [];
  const add = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { lines, info: add, warn: add };
}

const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: unknown) => error,
  );

describe('connections to Redis', function () {
  this.timeout(30_000);
  let service: RedisService;
  const clients: RedisClient[] = [];
  const open = (url: string, log = logger()): { client: RedisClient; lines: string[] } => {
    const client = connectRedis(url, 'test', log);
    clients.push(client);
    return { client, lines: log.lines };
  };
  before(async function () {
    const found = await redisService(['--requirepass', 'open-sesame']);
    if (found === null) return this.skip(); // no redis-server on PATH
    service = found;
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect();
  });
  after(async () => {
    await service?.stop();
  });
  const good = (): string => service.url.replace('://', '://:open-sesame@');

  it('RedisConnect.C1: a command whose answer was lost rejects, and is not sent again', async () => {
    const { client } = open(good());
    const { client: other } = open(good());
    await client.ping();
    const id = await client.client('ID');
    const [outcome] = await Promise.all([
      settled(client.eval('for i = 1, 1e7 do end redis.call("INCR", "runs") return 1', 0)),
      settled(other.call('CLIENT', 'KILL', 'ID', String(id))),
    ]);
    if (outcome instanceof Error) {
      for (let i = 0; i < 20; i++) await settled(client.ping());
      expect(await other.get('runs'), 'it ran once').to.equal('1');
    } else {
      expect(outcome, 'the answer was quicker than the cut').to.equal(1);
    }
  });

  it('RedisConnect.C2: a server that hangs makes calls reject after some seconds, and works again when it goes on', async function () {
    const redis = service.own;
    if (redis === null) return this.skip();
    const { client } = open(good());
    await client.ping();
    redis.pause();
    const began = performance.now();
    try {
      expect(await settled(client.get('x'))).to.be.instanceOf(Error);
      expect(performance.now() - began).to.be.within(4000, patient(9000));
    } finally {
      redis.resume();
    }
    for (let i = 0; (await settled(client.ping())) !== 'PONG'; i++) expect(i).to.be.below(50);
  });

  it('RedisConnect.C3: an outage is one line when it begins and one when it ends', async function () {
    const redis = service.own;
    if (redis === null) return this.skip();
    const { client, lines } = open(good());
    await client.ping();
    await redis.kill();
    for (let i = 0; i < 5; i++) expect(await settled(client.get('x'))).to.be.instanceOf(Error);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^Redis cannot be reached/);
    await redis.start();
    for (let i = 0; (await settled(client.ping())) !== 'PONG'; i++) expect(i).to.be.below(50);
    await pause(10); // it is written when the server has taken a write
    expect(lines).to.have.length(2);
    expect(lines[1]).to.match(/^Redis can be reached again/);
  });

  it('RedisConnect.C3: a wrong password is in no line and in no error, however closely one looks', async () => {
    const { client, lines } = open(service.url.replace('://', '://:guess-guess@'));
    const errors = await Promise.all([
      settled(client.get('x')),
      settled(client.eval('return 1', 0)),
      settled(client.ping()),
    ]);
    for (const error of errors) expect(error).to.be.instanceOf(Error);
    expect(inspect([errors, lines], { depth: 10, showHidden: true }) + JSON.stringify(errors)).not.to.include(
      'guess-guess',
    );
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('WRONGPASS');
  });

  it('nothing listens: calls reject, nothing is thrown beside, and one line says it', async () => {
    const { client, lines } = open('redis://127.0.0.1:1');
    for (let i = 0; i < 3; i++) expect(await settled(client.ping())).to.be.instanceOf(Error);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('ECONNREFUSED');
  });
});

describe('a failover of Redis behind one address', function () {
  this.timeout(60_000);
  let pair: RedisPair;
  const prefix = 'hk:failover:';
  const clients: { disconnect(): void }[] = [];
  beforeEach(async function () {
    const started = await RedisPair.start();
    if (started === null) return this.skip(); // no redis-server on PATH
    pair = started;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.disconnect();
    await pair?.stop();
  });
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + 20_000; !(await holds());) {
      if (Date.now() > end) throw new Error('not within 20 s');
      await pause(20);
    }
  };
  it('RedisConnect.C5: who is connected to the old primary goes to the new one, and says so once', async () => {
    const log = logger();
    const client = connectRedis(pair.url, 'test', log);
    clients.push(client);
    expect(await client.set('hk:a', '1')).to.equal('OK');
    await pair.promote(1);
    await pair.follow(0);
    for (let i = 0; i < 8; i++) expect(await settled(client.set('hk:a', '2'))).to.be.instanceOf(Error);
    expect(log.lines, 'while the address leads to the old one').to.have.length(1);
    expect(log.lines[0]).to.match(/^Redis cannot be reached.*READONLY/);
    pair.leadTo(1);
    await until(async () => (await settled(client.set('hk:a', '3'))) === 'OK');
    await until(() => log.lines.length === 2);
    expect(await pair.hands[1].get('hk:a')).to.equal('3');
  });

  it('RedisConnect.C5: connections that only read or listen go along, and smaller ids are read', async () => {
    const log = { ...logger(), error: () => undefined };
    const client = connectRedis(pair.url, 'bus', log);
    const bus = createRedisBus({ url: pair.url, client, prefix, log });
    clients.push({ disconnect: () => void bus.close() }, client);
    const heard: unknown[] = [];
    bus.subscribe('workspace', { workspace: 'ws' }, (events) => heard.push(...events));
    const received: unknown[] = [];
    const transport = createRedisTransport({ url: pair.url, self: 'b', prefix, log });
    clients.push({ disconnect: () => void transport.close() });
    await transport.start({ received: (_, message) => received.push(message), gone: () => undefined });
    const write = (i: 0 | 1, id: string, text: string) =>
      pair.hands[i].xadd(`${prefix}in:{b}`, id, 'v', '1', 'f', 'a', 'm', JSON.stringify([text]));
    // The clock of the primary is an hour ahead of the replica's, which has not heard of this entry when it takes over.
    await pair.promote(1);
    await write(0, `${Date.now() + 3_600_000}-0`, 'before');
    await until(() => received.includes('before'));
    pair.leadTo(1);
    await pair.follow(0);
    await until(async () => (await settled(write(1, '*', 'after'))) !== null);
    await until(() => received.includes('after'));
    await pair.own(0).kill();
    await until(async () => {
      bus.publish('workspace', { workspace: 'ws' }, [
        { type: 'agent.created', at: '2026-01-01T00:00:00.000Z', data: {} } as never,
      ]);
      await pause(50);
      return heard.length > 0;
    });
  });
});

describe('a user of an ACL without dangerous commands', () => {
  it('works, and nothing is printed', async function () {
    const service = await redisService('--user hivekeep on >hush ~hk:* &hk:* +@all -@dangerous'.split(' '));
    if (service === null) return this.skip(); // no redis-server on PATH
    const url = service.url.replace('://', '://hivekeep:hush@');
    const printed: string[] = [];
    const { write } = process.stderr;
    process.stderr.write = (text: unknown) => printed.push(String(text)) > 0; // where ioredis would warn
    const log = logger();
    const client = connectRedis(url, 'test', log);
    try {
      expect((await checkRedis(url)).map(({ level }) => level)).to.deep.equal(['ok', 'ok']);
      const heard = new Promise((resolve) => {
        const subscriber = connectSubscriber(url, null, 'test', log);
        subscriber
          .on('ready', () => void subscriber.ssubscribe('hk:c'))
          .on('smessage', (_, text) => {
            subscriber.disconnect();
            resolve(text);
          });
      });
      for (let sent = 0; sent === 0; await pause(20)) sent = Number(await client.spublish('hk:c', 'text'));
      expect(await heard).to.equal('text');
      expect([printed, log.lines]).to.deep.equal([[], []]);
    } finally {
      process.stderr.write = write;
      client.disconnect();
      await service.stop();
    }
  });
});

describe('Lua scripts', () => {
  let service: RedisService;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'hivekeep-lua-'));
    writeFileSync(
      join(folder, 'sum.lua'),
      '-- KEYS[1] a key, ARGV[1] a number\nreturn redis.call("INCRBY", KEYS[1], ARGV[1])\n',
    );
    const found = await redisService();
    if (found === null) return this.skip(); // neither REDIS_URL nor redis-server on PATH
    service = found;
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service?.stop();
  });

  it('are sent once and run by their hash, also after the server has forgotten them', async () => {
    const client = connectRedis(service.url, 'test');
    const sum = loadScript(pathToFileURL(join(folder, 'sum.lua')));
    const key = `{${String(process.pid)}}sum`;
    try {
      expect(await sum(client, [key], [2])).to.equal(2);
      expect(await Promise.all([1, 2, 3].map((n) => sum(client, [key], [n])))).to.deep.equal([3, 5, 8]);
      await client.script('FLUSH');
      expect(await sum(client, [key], [1])).to.equal(9);
    } finally {
      await client.del(key);
      client.disconnect();
    }
  });

  it('that are not there are found missing when they are loaded', () => {
    expect(() => loadScript(pathToFileURL(join(folder, 'missing.lua')))).to.throw(/missing\.lua/);
  });
});
