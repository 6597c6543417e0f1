/**
 * `hivekeep migrate` as an operator uses it: a service that was killed is moved to MongoDB and goes on there, also
 * where the migration was killed in the middle; and back, with nothing different.
 */
import { spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { cli } from '../../helpers/cli.js';
import { mongoService, withClient, type MongoService } from '../../helpers/mongo-service.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';
import { cleanEnvironment, mainFile, startTestServer, type TestServer } from '../../helpers/server.js';
import { end, launch, type Running } from '../../helpers/server-process.js';
import { startReceiver, type Receiver } from '../a2a/support/receiver.js';
import { rpcOf, say } from '../a2a/support/rpc.js';
import { client, until, type Api, type Json } from '../api/support/client.js';
import { EventStream } from '../api/support/event-stream.js';
import { startThinker, type Thinker } from '../api/support/thinker.js';

const memories = 2000;

describe('a service moves to MongoDB and goes on', function () {
  this.timeout(120_000);
  let mongo: MongoService;
  let redis: RedisService;
  let thinker: Thinker;
  let receiver: Receiver;
  let server: TestServer;
  let api: Api;
  let url: string;
  let served: Running | null = null;
  const settings = (): Record<string, string> => ({
    HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl,
    HIVEKEEP_OPENAI_API_KEY: 'sk-test',
    HIVEKEEP_PUSH_ALLOW: receiver.host,
    HIVEKEEP_PUSH_RETRY_SECONDS: '0.2',
    HIVEKEEP_PUSH_TRIES: '50',
  });
  const migrating = (from: string, to: string): string[] => ['migrate', '--from', from, '--to', to];
  const runs = (agent: string): string => `/v1/agent-constellations/${agent}/runs`;

  before(async function () {
    const [ownMongo, ownRedis] = await Promise.all([mongoService(), redisService()]);
    if (ownMongo) mongo = ownMongo;
    if (ownRedis) redis = ownRedis;
    if (!ownMongo || !ownRedis) this.skip();
    [thinker, receiver] = await Promise.all([startThinker(), startReceiver()]);
    server = await startTestServer({ env: settings(), dir: `/tmp/hivekeep-move-${process.pid}` });
    api = client(() => served?.url ?? server.url, server.key);
    url = mongo.freshUrl();
  });
  after(async () => {
    if (served) await end(served, 'SIGKILL');
    await server?.kill('SIGKILL');
    for (const path of ['', '.key', '.back'])
      rmSync(`/tmp/hivekeep-move-${process.pid}${path}`, { recursive: true, force: true });
    if (url !== undefined) await mongo.drop(url).catch(() => undefined);
    await Promise.all([mongo?.stop(), redis?.stop(), thinker?.close(), receiver?.close()]);
  });

  it('runs, pushes and streams go on after kill -9 of the service and of the migration; back, nothing is different', async () => {
    const spawn = async (config: Json = {}): Promise<string> =>
      String((await api.one('POST', '/v1/agents/spawn', { name: 'Ada', config }, 201))['id']);
    const [keeper, gated, slow] = [
      await spawn(),
      await spawn({ multi_step: true, validation_gate: 'action' }),
      await spawn({ model: 'openai/slow', multi_step: true }),
    ];
    for (let n = 0; n < memories; n += 500)
      await api.one('POST', '/v1/memories/batch', {
        memories: Array.from({ length: 500 }, (_, i) => ({
          type: 'semantic',
          content: `Lot ${n + i} is kept in hall ${(n + i) % 13}.`,
          agent_id: keeper,
        })),
      });
    const waiting = await api.one('POST', runs(gated), { input: 'Remember that the quay is closed' }, 202);
    const paused = `${runs(gated)}/${String(waiting['id'])}`;
    await until(
      async () => (await api.one('GET', paused))['status'],
      (status) => status === 'paused',
    );
    receiver.always('/hook', 503);
    await rpcOf(() => api.url, keeper, server.key).result(
      'message/send',
      say('hello', { configuration: { pushNotificationConfig: { url: receiver.url('/hook'), token: 't' } } }),
    );
    const thinking = await api.one('POST', runs(slow), { input: 'think' }, 202);
    const going = `${runs(slow)}/${String(thinking['id'])}`;
    await until(
      async () => thinker.waiting,
      (n) => n === 1,
    );
    const before = await EventStream.open(api, `${going}/events`);
    await until(
      async () => before.frames.length,
      (n) => n > 0,
    );
    const last = before.frames.at(-1)?.id ?? '';
    await server.kill('SIGKILL');

    // killed when some of the memories are there
    const command = migrating(`lmdb:${server.dir}`, url);
    const first = spawnProcess(process.execPath, [mainFile, ...command], { env: cleanEnvironment(), stdio: 'ignore' });
    const ended = once(first, 'exit');
    await withClient(url, async (db) => {
      while (first.exitCode === null && (await db.db().collection('memory').estimatedDocumentCount()) < 500)
        await pause(5);
    });
    first.kill('SIGKILL');
    expect((await ended)[1], 'it had ended before it was killed').to.equal('SIGKILL');
    const refused = await cli(['serve'], { HIVEKEEP_MONGODB_URL: url, HIVEKEEP_REDIS_URL: redis.url });
    expect(refused.stderr).to.match(/migration into .* is not complete/);

    const there = await cli(command, {}, mainFile, 60_000);
    expect(there.code, there.stderr).to.equal(0);
    const back = await cli(migrating(url, `lmdb:${server.dir}.back`), {}, mainFile, 60_000);
    expect(back.code, back.stderr).to.equal(0);
    expect(back.stdout).to.equal(there.stdout);

    receiver.always('/hook', null);
    const env = {
      ...settings(),
      HIVEKEEP_MONGODB_URL: url,
      HIVEKEEP_REDIS_URL: redis.url,
      HIVEKEEP_SECRET_KEY_FILE: `${server.dir}.key`,
      HIVEKEEP_HOST: '127.0.0.1',
      HIVEKEEP_PORT: '0',
      HIVEKEEP_LOG_FORMAT: 'json',
    };
    served = await launch(mainFile, env, [], [], 60_000);
    await until(
      async () => thinker.waiting,
      (n) => n === 1,
    );
    const after = await EventStream.open(api, `${going}/events`, { 'Last-Event-ID': last });
    thinker.release({ text: 'thought' });
    const frames = await after.end();
    expect(frames.map((frame) => Number(frame.id))).to.deep.equal(frames.map((_, i) => Number(last) + 1 + i));
    expect(frames.at(-1)?.data).to.include({ type: 'status', status: 'completed' });
    await api.one('POST', `${paused}/resume`, { decision: 'approve' }, 202);
    await until(
      async () => (await api.one('GET', paused))['status'],
      (status) => status === 'completed',
    );
    await until(
      async () => receiver.taken('/hook').length,
      (n) => n > 0,
    );
    const found = await api.ask('POST', '/v1/memories/search', { query: 'lot 1999', agent_id: keeper });
    expect(JSON.stringify(found.body.data)).to.include('Lot 1999 is kept');
  });
});
