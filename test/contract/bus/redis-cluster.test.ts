/**
 * Bus, transport and scripts on a Redis Cluster: whatever one script or one entry touches lies on one of its servers.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { checkRedis, redisUrlFor } from '../../../src/redis/check.js';
import { connectRedis, type RedisClient } from '../../../src/redis/connect.js';
import { freePort } from '../../helpers/redis-service.js';
import { redisCluster, type RedisCluster } from '../../helpers/redis-cluster.js';
import { change } from '../../unit/bus/support.js';
import { redisWorld } from '../transport/redis-world.js';
import { transportContract } from '../transport/suite.js';
import { openBuses } from './redis-world.js';
import { busContract, hearWorkspace, until } from './suite.js';

const slots = 16_384;
const silent = { info: () => undefined, warn: () => undefined };

describe('on a Redis Cluster over TLS whose certificate is for a name', () => {
  it('a configuration endpoint leads to all servers, each by its name', async function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), 'hivekeep-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const making = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${cert}`;
    await promisify(execFile)('openssl', making.split(' '));
    const ports: number[] = [];
    const cluster = await redisCluster(async () => {
      ports.push(await freePort());
      const tls = `--tls-port ${ports.at(-1)} --tls-cluster yes --tls-auth-clients no --tls-key-file ${key} --tls-cert-file ${cert} --tls-ca-cert-file ${cert}`;
      return `${tls} --cluster-announce-hostname localhost --cluster-preferred-endpoint-type hostname`.split(' ');
    });
    if (cluster === null) return this.skip(); // no redis-server on PATH
    // Node reads what it trusts once, at its start.
    const script = `
      import { redisUrlFor } from './src/redis/check.js';
      import { connectRedis } from './src/redis/connect.js';
      const client = connectRedis(await redisUrlFor('rediss://localhost:${ports[0]}'), 'test');
      for (let i = 0; i < 20; i++) await client.set('hk:' + i, 'x');
      client.disconnect();
      console.log('done');`;
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '-e', script],
        { env: { ...process.env, NODE_EXTRA_CA_CERTS: cert }, timeout: 30_000 },
      );
      expect(stdout.trim()).to.equal('done');
    } finally {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('on a Redis Cluster', function () {
  this.timeout(60_000);
  let cluster: RedisCluster;
  let hand: RedisClient;
  before(async function () {
    const found = await redisCluster();
    if (found === null) return this.skip(); // no redis-server on PATH
    cluster = found;
    hand = connectRedis(cluster.url, 'test', silent);
  });
  after(async () => {
    hand?.disconnect();
    await cluster?.stop();
  });

  busContract('Redis Cluster', async () => openBuses(cluster.url));
  transportContract('Redis Cluster', async () => redisWorld(cluster.url, hand));

  it('is found for what it is, also where only one of its servers is named, as configuration endpoints do', async () => {
    expect((await checkRedis(cluster.url)).filter(({ level }) => level !== 'ok')).to.deep.equal([]);
    const [first] = cluster.servers;
    expect((await checkRedis(first?.url ?? '')).filter(({ level }) => level !== 'ok')).to.deep.equal([]);
    const all = connectRedis(await redisUrlFor(first?.url ?? ''), 'test', silent);
    const keys = Array.from({ length: 20 }, (_, i) => `hk:${i}`);
    expect(await Promise.all(keys.map((key) => all.get(key)))).to.deep.equal(keys.map(() => null));
    all.disconnect();
  });

  it('a slot that moves takes its channel along: listeners are told [], and hear what follows', async () => {
    const buses = openBuses(cluster.url);
    const [from, to] = cluster.servers.slice(0, 2).map((server) => new Redis(server.url)) as [Redis, Redis];
    try {
      const bus = buses.bus();
      const there = buses.bus();
      const workspaces = Array.from({ length: 100 }, (_, i) => `ws_${i}`);
      const slotOf = (workspace: string) => from.cluster('KEYSLOT', `${buses.prefix}w:${workspace}`);
      let workspace = '';
      let slot = slots;
      for (const one of workspaces) if (slot >= slots / 3) [workspace, slot] = [one, await slotOf(one)]; // one of the first server's
      const live = await hearWorkspace(there, workspace);
      const id = String(await to.call('CLUSTER', 'MYID'));
      await to.call('CLUSTER', 'SETSLOT', slot, 'NODE', id);
      await from.call('CLUSTER', 'SETSLOT', slot, 'NODE', id);
      await until(() => live.lost > 1, 'the [] of the new place');
      for (let sent = 0; live.heard.length === 0; sent++) {
        expect(sent, 'tries of 100 ms each').to.be.below(1000);
        bus.publish('workspace', { workspace }, [change(1)]);
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      }
    } finally {
      from.disconnect();
      to.disconnect();
      await buses.close();
    }
  });
});
