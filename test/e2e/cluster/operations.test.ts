/** Commands beside the running processes, and processes that are gateway and worker at once. */
import { expect } from 'chai';
import { cli, type CliResult } from '../../helpers/cli.js';
import { type Cluster, ready, startCluster } from '../../helpers/cluster-processes.js';
import { buildWhenNeeded } from '../../helpers/server-process.js';
import { say } from '../a2a/support/rpc.js';
import { client, type Json, until } from '../api/support/client.js';
import { openEvents } from './events.js';
import { clusterWorld, skip } from './support.js';
import { patient } from '../../helpers/patience.js';

describe('cluster: commands beside it', function suite() {
  this.timeout(60_000);
  const world = clusterWorld();
  const { at, rpc, spawn, thinking } = world;
  world.hooks();

  const command = async (...args: string[]): Promise<CliResult> => {
    const done = await cli(args, { ...world.cluster().settings });
    expect(done.code, `${args.join(' ')}: ${done.stderr}`).to.equal(0);
    return done;
  };

  it('a workspace and its key are made, used at both gateways, listed and revoked', async () => {
    const name = `w-${Date.now()}`;
    await command('workspace', 'create', name, '--tier', 'free');
    expect((await command('workspace', 'list')).stdout).to.match(new RegExp(`${name} .*free`));
    const secret =
      /svc_live_\S+/.exec(
        (await command('key', 'create', '--workspace', name, '--mode', 'live', '--name', 'mine')).stdout,
      )?.[0] ?? '';
    for (const n of [0, 1])
      expect((await at(n, secret).ask('GET', '/v1/agents')).headers.get('x-ratelimit-limit')).to.equal('100');
    await command('workspace', 'set-tier', name, 'pro');
    for (const n of [0, 1])
      await until(
        () => at(n, secret).ask('GET', '/v1/agents'),
        (a) => a.headers.get('x-ratelimit-limit') === '1000',
      );
    const events = await Promise.all([0, 1].map((n) => openEvents(at(n, secret), '/v1/events')));
    const id = /^(key_\S+)/m.exec((await command('key', 'list', '--workspace', name)).stdout)?.[1] ?? '';
    await command('key', 'revoke', id);
    const since = Date.now();
    await Promise.all(events.map((e) => e.end()));
    expect(Date.now() - since).to.be.below(patient(2500));
    for (const n of [0, 1]) await at(n, secret).refused('GET', '/v1/agents', undefined, 'UNAUTHENTICATED');
  });

  it('a push that was given up is listed, and sent when it is replayed, by the worker that has the agent', async () => {
    const agent = await thinking();
    const receiver = world.receiver();
    const path = `/dead-${agent}`;
    receiver.always(path, 404);
    await rpc(0, agent).result(
      'message/send',
      say('go', { configuration: { pushNotificationConfig: { url: receiver.url(path) } } }),
    );
    const letters = async (): Promise<string[]> =>
      (await command('push', 'list', '--workspace', 'default')).stdout
        .split('\n')
        .filter((line) => line.includes(agent));
    await until(letters, (lines) => lines.length > 0, 40_000);
    receiver.always(path, null);
    await command('push', 'replay', /^out_\S+/.exec((await letters())[0] ?? '')?.[0] ?? '');
    await until(
      async () => receiver.taken(path).length,
      (n) => n > 0,
    );
  });

  it('hivekeep cluster tells who is there and who holds what; doctor finds it well', async () => {
    await spawn();
    const view = JSON.parse((await command('cluster', '--json')).stdout) as {
      members: { role: string; shards: number[] }[];
      unowned: number[];
    };
    expect(view.members.map((m) => m.role).sort()).to.deep.equal(['gateway', 'gateway', 'worker', 'worker']);
    expect(view.unowned).to.deep.equal([]);
    expect(view.members.flatMap((m) => m.shards)).to.have.lengthOf(256);
    const doctor = await cli(['doctor'], {
      ...world.cluster().settings,
      HIVEKEEP_PORT: '0',
      HIVEKEEP_LEASE_SECONDS: '3',
    });
    expect(doctor.stdout)
      .to.match(/^ok {4}mongodb: /m)
      .and.match(/^ok {4}redis: /m)
      .and.not.match(/^fail/m);
  });
});

describe('cluster: two processes that are both gateway and worker', function suite() {
  this.timeout(120_000);
  let cluster: Cluster | null = null;
  before(async function start() {
    this.timeout(180_000);
    buildWhenNeeded();
    cluster = await startCluster({ all: 2, env: { HIVEKEEP_HEARTBEAT_SECONDS: '1', HIVEKEEP_SHUTDOWN_SECONDS: '5' } });
    if (cluster === null) skip(this);
  });
  after(async () => {
    await cluster?.stop();
  });

  it("serve each other's agents, and one goes on alone when the other is ended or killed", async () => {
    const {
      processes: [one, other],
      key,
    } = cluster!;
    const at = [one!, other!].map((p) => client(() => p.url, key));
    const agents: string[] = [];
    for (let i = 0; i < 8; i++)
      agents.push(String((await at[i % 2]!.one('POST', '/v1/agents/spawn', { name: 'a' }, 201))['id']));
    const write = async (n: number, agent: string, content: string): Promise<Json> =>
      at[n]!.one('POST', '/v1/memories', { type: 'semantic', content, agent_id: agent }, 201);
    for (const [i, agent] of agents.entries()) await write((i + 1) % 2, agent, `the bell of ${agent} is bronze`);
    expect(await other!.end('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    for (const agent of agents)
      expect(
        (await at[0]!.one('POST', `/v1/agents/${agent}/message`, { content: 'what is the bell made of?' }))['response'],
      ).to.contain('bronze');
    await other!.start();
    await ready(other!);
    await one!.end('SIGKILL');
    for (const agent of agents) await write(1, agent, 'after the kill');
    expect((await at[1]!.page('/v1/memories')).pagination.total_count).to.equal(16);
    await one!.start();
    await ready(one!);
    expect((await at[0]!.page('/v1/memories')).pagination.total_count).to.equal(16);
  });
});
