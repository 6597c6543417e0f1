/**
 * The command line against MongoDB and Redis: what doctor finds there, and what `hivekeep cluster` shows. Skipped where
 * either is not there.
 */
import { expect } from 'chai';
import { redisLeases } from '../../src/cluster/redis/leases.js';
import { connectRedis } from '../../src/redis/connect.js';
import { openMongoStore } from '../../src/store/mongo/open.js';
import { cli, type CliResult } from '../helpers/cli.js';
import { mongoService, withClient, type MongoService } from '../helpers/mongo-service.js';
import { redisService, type RedisService } from '../helpers/redis-service.js';
import { until } from './api/support/client.js';
import { buildWhenNeeded, mainFile } from '../helpers/server.js';
import { end, launch } from '../helpers/server-process.js';

const password = 's3cret-and-more';
/** Nothing listens on port 1. */
const nobody = '127.0.0.1:1';

describe('command line on MongoDB and Redis', function () {
  this.timeout(60_000);
  let mongo: MongoService | null = null;
  let redis: RedisService | null = null;
  let url: string;
  const run = (args: string, env: Record<string, string> = {}): Promise<CliResult> =>
    cli(args.split(' '), { HIVEKEEP_MONGODB_URL: url, HIVEKEEP_REDIS_URL: redis!.url, HIVEKEEP_PORT: '0', ...env });

  before(async function () {
    [mongo, redis] = await Promise.all([mongoService(), redisService()]);
    if (mongo === null || redis === null) {
      process.stderr.write('      skipped: no MongoDB or no Redis\n');
      this.skip();
    }
    buildWhenNeeded();
  });
  after(async () => {
    await Promise.all([mongo?.stop(), redis?.stop()]);
  });
  beforeEach(() => {
    url = mongo!.freshUrl();
  });
  // a server of our own goes with all its databases
  afterEach(async () => {
    if (mongo?.own === null) await mongo.drop(url);
  });

  describe('doctor', () => {
    it('finds both well, and asks for no data folder', async () => {
      const { code, stdout, stderr } = await run('doctor');
      expect({ code, stderr }, stdout).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout)
        .to.match(/^ok {4}mongodb: MongoDB \d\S* at 127\.0\.0\.1:\d+\/hivekeep_test_\S+ answers\.$/m)
        .and.match(/^ok {4}redis: Redis \d\S* at 127\.0\.0\.1:\d+ answers\.$/m);
      expect(stdout)
        .to.match(/^ok {4}mongodb: The clocks? of MongoDB/m)
        .and.match(/^ok {4}redis: The clock of Redis/m)
        .and.not.match(/ data: /);
    });

    it('tells the cluster that a database belongs to, and that its indexes are there', async () => {
      const store = await openMongoStore({ url });
      await store.close();
      const { stdout } = await run('doctor');
      expect(stdout).to.include(`belongs to the cluster ${store.clusterId}`).and.include('All indexes exist');
    });

    const failures: [string, () => Record<string, string>, RegExp][] = [
      [
        'a MongoDB that cannot be reached',
        () => ({ HIVEKEEP_MONGODB_URL: `mongodb://u:${password}@${nobody}/db` }),
        /^fail {2}mongodb: Nothing listens at 127\.0\.0\.1:1\/db: .*correct HIVEKEEP_MONGODB_URL\.$/m,
      ],
      [
        'a Redis that cannot be reached',
        () => ({ HIVEKEEP_REDIS_URL: `redis://:${password}@${nobody}` }),
        /^fail {2}redis: Nothing listens at 127\.0\.0\.1:1: start Redis there, or correct HIVEKEEP_REDIS_URL\.$/m,
      ],
      [
        'the port of one in the URL of the other',
        () => ({ HIVEKEEP_REDIS_URL: `redis://${new URL(mongo!.url.replace('mongodb:', 'http:')).host}` }),
        /^fail {2}redis: .*HIVEKEEP_REDIS_URL/m,
      ],
      [
        'a data folder beside MongoDB',
        () => ({ HIVEKEEP_DATA_DIR: './data' }),
        /^fail {2}configuration: HIVEKEEP_DATA_DIR and HIVEKEEP_MONGODB_URL are both set/m,
      ],
    ];
    for (const [what, env, line] of failures) {
      it(`fails on ${what}`, async () => {
        const { code, stdout, stderr } = await run('doctor', env());
        expect(stdout).to.match(line);
        expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
        expect(stdout).not.to.include(password);
      });
    }

    it("fails on a database that holds somebody else's collections", async () => {
      await withClient(url, (client) => client.db().collection('heads').insertOne({ theirs: true }));
      expect((await run('doctor')).stdout).to.match(
        /^fail {2}mongodb: .*somebody else \(heads\): name another database/m,
      );
    });

    it('fails where processes on this database live in another Redis: two clusters by mistake', async () => {
      const store = await openMongoStore({ url });
      const note = { instance: 'w-9', redis: 'another-table', host: 'h9', leaseMs: 2000, protocol: 1 };
      await store.processes.noteProcess(note);
      const beats = setInterval(() => void store.processes.noteProcess(note), 200);
      const { code, stdout } = await run('doctor', { HIVEKEEP_LEASE_SECONDS: '2' });
      clearInterval(beats);
      await store.close();
      expect(stdout).to.match(
        /^fail {2}cluster: The database is in use by a process on h9 over another Redis, .*HIVEKEEP_MONGODB_URL\.$/m,
      );
      expect(code).to.equal(1);
    });

    it('fails on a wrong password, and does not say it', async () => {
      const guarded = await redisService(['--requirepass', 'the-right-one']);
      try {
        const { code, stdout } = await run('doctor', {
          HIVEKEEP_REDIS_URL: guarded!.url.replace('//', `//:${password}@`),
        });
        expect(stdout)
          .to.match(
            /^fail {2}redis: Redis at \S+ refuses the credentials: correct user and password in HIVEKEEP_REDIS_URL\.$/m,
          )
          .and.not.include(password);
        expect(code).to.equal(1);
      } finally {
        await guarded?.stop();
      }
    });
  });

  describe('serve', () => {
    const refusals: [string, () => Record<string, string>, RegExp][] = [
      [
        'MongoDB cannot be reached',
        () => ({ HIVEKEEP_MONGODB_URL: `mongodb://u:${password}@${nobody}/db` }),
        /^hivekeep: Nothing listens at 127\.0\.0\.1:1\/db: .*HIVEKEEP_MONGODB_URL\.\n$/,
      ],
      [
        'Redis cannot be reached',
        () => ({ HIVEKEEP_REDIS_URL: `redis://:${password}@${nobody}` }),
        /^hivekeep: Nothing listens at 127\.0\.0\.1:1: .*HIVEKEEP_REDIS_URL\.\n$/,
      ],
      [
        'a gateway has neither',
        () => ({ HIVEKEEP_MONGODB_URL: '', HIVEKEEP_REDIS_URL: '', HIVEKEEP_ROLE: 'gateway' }),
        /^hivekeep: HIVEKEEP_ROLE=gateway needs HIVEKEEP_MONGODB_URL and HIVEKEEP_REDIS_URL\.\n$/,
      ],
    ];
    for (const [when, env, sentence] of refusals) {
      it(`does not start, and says in a sentence why, when ${when}`, async () => {
        const { code, stdout, stderr } = await run('serve', { HIVEKEEP_START_SECONDS: '0', ...env() });
        expect(stderr).to.match(sentence).and.not.include(password);
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      });
    }

    it('waits for a Redis that is not there yet; /readyz and the log say when it or MongoDB goes away, and is back', async () => {
      const late = await redisService(['--loglevel', 'warning']);
      await late!.own!.kill();
      const errors: string[] = [];
      const starting = launch(
        mainFile,
        {
          HIVEKEEP_MONGODB_URL: url,
          HIVEKEEP_REDIS_URL: late!.url,
          HIVEKEEP_HOST: '127.0.0.1',
          HIVEKEEP_PORT: '0',
          HIVEKEEP_LOG_FORMAT: 'json',
          HIVEKEEP_LEASE_SECONDS: '2',
          HIVEKEEP_ROLE: 'worker', // who serves the API waits for 15 s before it says so
        },
        errors,
        [],
      );
      try {
        await until(
          () => Promise.resolve(errors.join('')),
          (text) => text.includes('start.waiting'),
        );
        expect(errors.join('')).to.match(/Nothing listens at 127\.0\.0\.1:\d+: .* The start tries again for \d+ s\./);
        await late!.own!.start();
        const server = await starting;
        const probe = async (): Promise<string> => {
          const response = await fetch(`${server.url}/readyz`);
          return `${response.status} ${await response.text()}`;
        };
        await until(probe, (answer) => answer.startsWith('200'));
        await late!.own!.kill();
        await until(probe, (answer) => /^503 .*Redis has not answered for \d+ s/.test(answer));
        await late!.own!.start();
        await until(probe, (answer) => answer.startsWith('200'));
        mongo!.own?.pause();
        if (mongo!.own) await until(probe, (answer) => /^503 .*The database does not answer/.test(answer));
        mongo!.own?.resume();
        await until(probe, (answer) => answer.startsWith('200'));
        const events = [...errors.join('').matchAll(/"event":"((?:redis|store)\.(?:un|re)\w+)"/g)].map(
          ([, event]) => event,
        );
        const expected = ['redis.unreachable', 'redis.reconnected'];
        if (mongo!.own) expected.push('store.unreachable', 'store.reconnected');
        expect(events).to.include.members(expected);
        expect(await end(server, 'SIGTERM')).to.include({ code: 0 });
      } finally {
        await starting.then((server) => end(server, 'SIGKILL')).catch(() => undefined);
        await late!.stop();
      }
    });
  });

  it('workspaces and keys are kept in MongoDB', async () => {
    expect((await run('workspace create acme --tier team')).stdout).to.match(/^ws_[0-9a-z]{26}\n$/);
    const made = await run('key create --workspace acme --mode live --name ci');
    expect(made.stdout, made.stderr).to.match(/^svc_live_[0-9A-Za-z]{40}\n$/);
    expect((await run('workspace list')).stdout).to.match(/^ws_\S+ +acme +team /m);
    expect((await run('key list --workspace acme')).stdout).to.match(/^key_\S+ +live +ci /m);
  });

  describe('config', () => {
    it('says that the URLs are set, and nothing of them', async () => {
      const { stdout } = await run('config', {
        HIVEKEEP_MONGODB_URL: `mongodb://u:${password}@h/db`,
        HIVEKEEP_REDIS_URL: `redis://:${password}@h`,
      });
      expect(stdout)
        .to.match(/^HIVEKEEP_MONGODB_URL +set, not shown/m)
        .and.match(/^HIVEKEEP_REDIS_URL +set, not shown/m)
        .and.not.include(password);
    });
  });

  describe('cluster', () => {
    /** A cluster of one gateway and one worker that holds the first ten shards, as they would say it themselves. */
    async function cluster(): Promise<string> {
      const store = await openMongoStore({ url });
      const client = connectRedis(redis!.url, 'test');
      const subscriber = connectRedis(redis!.url, 'test');
      try {
        const table = redisLeases(client, subscriber, `hk:${store.clusterId}:`);
        const about = { host: 'h1', pid: 7, version: '0.1.0' };
        await table.beat({ instance: 'g-1', role: 'gateway', draining: false, about, stats: {} }, 10_000, false, null);
        await table.beat(
          { instance: 'w-1', role: 'worker', draining: false, about, stats: { shards: 10, actors: 3 } },
          10_000,
          false,
          null,
        );
        await table.acquire(
          'w-1',
          Array.from({ length: 10 }, (_, i) => i),
          1,
        );
        return store.clusterId;
      } finally {
        client.disconnect();
        subscriber.disconnect();
        await store.close();
      }
    }

    it('shows who is there and who holds what', async () => {
      const id = await cluster();
      const { code, stdout, stderr } = await run('cluster');
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout)
        .to.include(`Cluster ${id}: 2 processes, 10 of 256 shards held.`)
        .and.match(/^g-1 +gateway +h1:7 +0\.1\.0 +- +- +\d\.\d s ago +live$/m)
        .and.match(/^w-1 +worker +h1:7 +0\.1\.0 +10 +3 +\d\.\d s ago +live$/m);
      expect(stdout)
        .to.match(/^w-1 +0-9$/m)
        .and.match(/^Nobody holds 10-255: workers take them/m);
    });

    it('prints one JSON object', async () => {
      const id = await cluster();
      const view = JSON.parse((await run('cluster --json')).stdout) as {
        id: string;
        members: { instance: string; shards: number[] }[];
        unowned: number[];
      };
      expect(view.id).to.equal(id);
      expect(view.members.map((m) => [m.instance, m.shards.length])).to.deep.equal([
        ['g-1', 0],
        ['w-1', 10],
      ]);
      expect(view.unowned).to.have.length(246);
    });

    it('says so where no process was ever started, and where a server cannot be reached', async () => {
      expect(await run('cluster')).to.deep.include({
        code: 1,
        stdout: '',
        stderr:
          'hivekeep: No process of a cluster has been started on the database of HIVEKEEP_MONGODB_URL yet: start one, or correct the URL.\n',
      });
      await cluster();
      const away = await run('cluster', { HIVEKEEP_REDIS_URL: `redis://:${password}@${nobody}` });
      expect(away).to.deep.include({ code: 1, stdout: '' });
      expect(away.stderr)
        .to.match(/^hivekeep: Nothing listens at 127\.0\.0\.1:1: .*\n$/)
        .and.not.include(password);
      const gone = await run('cluster', { HIVEKEEP_MONGODB_URL: `mongodb://${nobody}/db` });
      expect(gone.stderr).to.match(/^hivekeep: Nothing listens at 127\.0\.0\.1:1\/db: .*\n$/);
    });

    it('says that there is none on the embedded store', async () => {
      const { code, stdout } = await cli(['cluster'], {});
      expect({ code, stdout }).to.deep.equal({
        code: 0,
        stdout:
          'There is no cluster: one process does everything, with its data in ./data. HIVEKEEP_MONGODB_URL and HIVEKEEP_REDIS_URL make one.\n',
      });
    });
  });
});
