/** What an operator can get wrong is told in one sentence, and what strangers put on the bus is counted and dropped. */
import { expect } from 'chai';
import { cli, type CliResult } from '../../helpers/cli.js';
import { leaseSeconds } from '../../helpers/cluster-processes.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';
import { mainFile, rootKey } from '../../helpers/server-process.js';
import { connectRedis } from '../../../src/redis/connect.js';
import { until } from '../api/support/client.js';
import { clusterWorld, placementOf, prefixOf } from './support.js';

const world = clusterWorld();

/** A start that must refuse. All of them begin together, so each has a minute. */
const serve = (env: Record<string, string>): Promise<CliResult> =>
  cli(
    ['serve'],
    {
      ...world.cluster().settings,
      HIVEKEEP_PORT: '0',
      HIVEKEEP_ROOT_KEY: rootKey,
      HIVEKEEP_LOG_FORMAT: 'json',
      HIVEKEEP_LEASE_SECONDS: String(leaseSeconds),
      HIVEKEEP_START_SECONDS: '0',
      ...env,
    },
    mainFile,
    60_000,
  );

/** What /metrics of a process says of this name. */
async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? expect.fail(`no ${name} in /metrics`));
}

describe('cluster: what is wrong is told', function suite() {
  this.timeout(120_000);
  world.hooks();
  let locked: RedisService | null = null;
  before(async () => {
    locked = await redisService(['--requirepass', 'right-pass']);
  });
  after(async () => {
    await locked?.stop();
  });
  const nobody = '127.0.0.1:1';
  const password = 's3cret';

  const mistakes: [string, () => Record<string, string>, RegExp][] = [
    [
      'a MongoDB that nobody answers at',
      () => ({ HIVEKEEP_MONGODB_URL: `mongodb://u:${password}@${nobody}/db` }),
      /Nothing listens at 127\.0\.0\.1:1/,
    ],
    [
      'a Redis that nobody answers at',
      () => ({ HIVEKEEP_REDIS_URL: `redis://:${password}@${nobody}` }),
      /Nothing listens at 127\.0\.0\.1:1: start Redis there, or correct HIVEKEEP_REDIS_URL/,
    ],
    ['a Redis that wants a password', () => ({ HIVEKEEP_REDIS_URL: locked!.url }), /password/i],
    [
      'a Redis that wants another password',
      () => ({ HIVEKEEP_REDIS_URL: locked!.url.replace('//', `//:${password}@`) }),
      /password/i,
    ],
    ['URLs that are none', () => ({ HIVEKEEP_MONGODB_URL: 'localhost:27017' }), /HIVEKEEP_MONGODB_URL/],
    [
      'one URL without the other',
      () => ({ HIVEKEEP_REDIS_URL: '' }),
      /HIVEKEEP_MONGODB_URL needs HIVEKEEP_REDIS_URL as well/,
    ],
    [
      'a data folder beside MongoDB',
      () => ({ HIVEKEEP_DATA_DIR: './data' }),
      /HIVEKEEP_DATA_DIR and HIVEKEEP_MONGODB_URL are both set/,
    ],
    [
      'the Redis of another cluster for the database of this one',
      () => ({ HIVEKEEP_REDIS_URL: locked!.url.replace('//', '//:right-pass@') }),
      /another Redis|same Redis|HIVEKEEP_REDIS_URL/,
    ],
  ];
  const starts: Promise<CliResult>[] = [];
  before(() => {
    starts.push(...mistakes.map(([, env]) => serve(env())));
  });
  for (const [i, [what, , sentence]] of mistakes.entries()) {
    it(`a start refuses ${what}, in one sentence without a password`, async () => {
      const { code, stdout, stderr } = await starts[i]!;
      expect({ code, stdout }, stderr).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr)
        .to.match(sentence)
        .and.not.include(password)
        .and.not.match(/\n\s+at /);
    });
  }

  it('foreign and corrupt entries in an inbox, and messages on a channel, are counted and dropped; everything goes on', async () => {
    const cluster = world.cluster();
    const { members } = await placementOf(cluster);
    const prefix = await prefixOf(cluster.settings);
    const agent = await world.spawn();
    const redis = connectRedis(cluster.settings['HIVEKEEP_REDIS_URL'] ?? '', 'test');
    const events = await fetch(`${cluster.gateways[0]!.url}/v1/events`, {
      headers: { authorization: `Bearer ${cluster.key}` },
    });
    const unreadable = (): Promise<number[]> =>
      Promise.all(cluster.processes.map((p) => metric(p.url, 'hivekeep_cluster_messages_unreadable_total')));
    const before = await unreadable();
    try {
      expect(members).to.have.lengthOf(4);
      for (const {
        member: { instance },
      } of members) {
        const inbox = `${prefix}in:{${instance}}`;
        const entry = (...fields: string[]): Promise<unknown> =>
          redis.xadd(inbox, '*', ...(fields as [string, string]));
        await entry('hello', 'world');
        await entry('v', '1', 'f', 'nobody', 'm', '{not json');
        await entry('v', '1', 'f', 'nobody', 'm', '{"an": "object"}');
        await entry('v', '99', 'f', 'nobody', 'm', '[]');
        await entry(
          'v',
          '1',
          'f',
          'nobody',
          'm',
          JSON.stringify([
            null,
            7,
            ['q'],
            ['q', 1, 'w', 'planet', 'x', {}, 0, 0],
            ['zz', 1],
            ['a', 'not a number', {}],
            ['e', 1, 'NO_SUCH_CODE', '', {}],
          ]),
        );
        // well-formed, and nonsense: an answer to nothing, a command that no actor knows, a search of shards that are
        // none
        await entry(
          'v',
          '1',
          'f',
          'nobody',
          'm',
          JSON.stringify([
            ['a', 987654, { x: 1 }],
            ['q', 1, 'default', 'agent', agent, { type: 'no such command' }, Date.now(), Date.now() + 60_000],
            ['q', 2, 'default', 'agent', agent, {}, Date.now(), Date.now() + 60_000],
            ['s', 3, [-1, 4000], {}, Date.now() + 1000],
          ]),
        );
      }
      for (const junk of [
        '',
        'null',
        '[]',
        '{"v":1}',
        '\u0000\u0001',
        JSON.stringify({ v: 99, topic: null, id: 'default', events: [] }),
      ]) {
        await redis.spublish(`${prefix}w:default`, junk);
        await redis.publish(`${prefix}w:default`, junk);
        await redis.publish(`${prefix}changed`, junk);
      }
      const after = await until(unreadable, (now) => now.every((n, i) => n > before[i]!));
      process.stdout.write(`      unreadable: ${before.join(', ')} -> ${after.join(', ')}\n`);
      for (const n of [0, 1]) {
        await world.at(n).one('PATCH', `/v1/agents/${agent}`, { metadata: { n } });
        expect(
          (await world.at(n).one('POST', `/v1/agents/${agent}/message`, { content: 'are you there?' }))['status'],
        ).to.equal('completed');
      }
      for (const p of cluster.processes) expect([p.running, p.troubles], p.name).to.deep.equal([true, []]);
      expect(cluster.processes.some((p) => p.stderr().includes('dropped an unreadable message of the bus'))).to.equal(
        true,
      );
    } finally {
      redis.disconnect();
      await events.body?.cancel();
    }
  });

  it('leases that somebody else has written over are taken again', async () => {
    const cluster = world.cluster();
    const redis = connectRedis(cluster.settings['HIVEKEEP_REDIS_URL'] ?? '', 'test');
    const prefix = await prefixOf(cluster.settings);
    const agent = await world.spawn();
    try {
      const keys = await redis.keys(`${prefix}*`);
      expect(keys).to.not.deep.equal([]);
      await redis.del(...keys);
      await world
        .at(0)
        .one('PATCH', `/v1/agents/${agent}`, { metadata: { after: 'everything of it in Redis was deleted' } });
      await until(
        () => placementOf(cluster),
        ({ members, leases }) => members.length === 4 && leases.filter((l) => l.owner !== null).length === 256,
      );
      for (const p of cluster.processes) expect([p.running, p.troubles], p.name).to.deep.equal([true, []]);
    } finally {
      redis.disconnect();
    }
  });
});
