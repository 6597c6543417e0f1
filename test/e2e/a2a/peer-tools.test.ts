/**
 * Agents elsewhere as tools (Peers.E1 to Peers.E4), asked for real: servers of the official SDKs of three generations in
 * both languages, and another hivekeep.
 */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { spawnAgent } from '../../../src/commands/agents.js';
import type { ToolOutcome } from '../../../src/domain/model/model.js';
import type { MonotonicClock } from '../../../src/domain/shared/clock.js';
import type { Service } from '../../../src/service.js';
import { completed, type FakePeer, inState, saidIn, startFakePeer } from '../../helpers/a2a-peer.js';
import { generations, startSdkServer } from '../../helpers/a2a-sdk-servers.js';
import {
  answers,
  call,
  caller,
  does,
  eventually,
  pushTo,
  type Script,
  stillClock,
  testEngine,
} from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { pythonWith } from '../../helpers/python.js';
import { freePort } from '../../helpers/redis-service.js';
import { served, until } from '../api/support/client.js';
import { a2aWorld } from './support/world.js';
import { getRun } from '../../../src/commands/runs.js';

interface Asked {
  card: string;
  host: string;
  secret?: { header: string; value: string };
}

/** Asks what its input says; what the peer asks is answered with "the second". */
const script: Script = ({ transcript, run: { input } }) => {
  const told = transcript.flat().map(({ ok, result }: ToolOutcome) => `${ok} ${result}`);
  const asked = /^true it asks, in its task (\S+)\n/.exec(told.at(-1) ?? '');
  const ask = (message: string, task?: string) =>
    call('use_tool', { name: 'peer', input: JSON.stringify({ message, ...(task !== undefined && { task }) }) });
  if (told.length === 0) return does(...input.split('|').map((message) => ask(message)));
  return asked ? does(ask('the second', asked[1])) : answers(told.join('; '));
};

/** Takes what peers push, by the answer to each; it is given to `taken` with its token. */
async function receivePushes(taken: (push: string, token: string) => Promise<void>) {
  const seen: { status: number }[] = [];
  const server = createServer((request, response) => {
    request.resume();
    taken(request.url?.split('/').at(-1) ?? '', String(request.headers['x-a2a-notification-token'])).then(
      () => {
        seen.push({ status: 202 });
        response.writeHead(202).end();
      },
      () => {
        seen.push({ status: 404 });
        response.writeHead(404).end();
      },
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}

/** `clock` and `publicUrl`: of the service that asks. */
async function outputOf(
  { card, host, secret }: Asked,
  input: string,
  options: { clock?: MonotonicClock; publicUrl?: string; begun?: (service: Service) => void } = {},
): Promise<string> {
  const { begun, ...given } = options;
  const push = pushTo([host]);
  const { engine } = await testEngine(new MemoryStore(), script, { push, ...given });
  begun?.(engine.service);
  try {
    const tools = [{ kind: 'a2a' as const, name: 'peer', card, ...(secret && { secret }) }];
    const { id } = await engine.service.execute(
      caller,
      spawnAgent,
      {},
      { name: 'Ada', config: { multi_step: true, tools } },
    );
    const { id: run } = await engine.service.startRun(caller, id, { input });
    return await eventually(async () => {
      const { status, output } = await engine.service.execute(caller, getRun, { id, runId: run });
      return status === 'completed' && String(output);
    }, 'an answer');
  } finally {
    await engine.stop(0);
    await push.close();
  }
}

/** What every peer here has to come to. */
function answersAs(of: () => Asked): void {
  it('answers at once, and after a moment, side by side', async () => {
    expect(await outputOf(of(), 'good morning|slow and steady|and you')).to.equal(
      'true heard good morning; true heard slow and steady; true heard and you',
    );
  });

  it('asks, and is answered in its task', async () => {
    expect(await outputOf(of(), 'ask me')).to.match(
      /^true it asks, in its task \S+\nwhich one\?\n\(Answer by calling it again with this task\.\); true heard the second$/,
    );
  });
}

/** What every peer here has to come to that pushes, with time that stands still until it has: nothing else tells of it. */
function pushesAs(of: () => Asked): void {
  it('pushes, and is read when it has', async () => {
    let service: Service | undefined;
    const clock = stillClock();
    let running: NodeJS.Timeout | undefined;
    const received = await receivePushes(async (push, token) => {
      await service?.takePeerPush(push, token);
      running ??= setInterval(() => {
        clock.skip(100);
      }, 10);
    });
    try {
      const options = { clock, publicUrl: received.url, begun: (it: Service) => (service = it) };
      expect(await outputOf(of(), 'slow and steady', options)).to.equal('true heard slow and steady');
      // the last one may come when the service has the answer, and has stopped
      expect(received.seen[0]?.status).to.equal(202);
    } finally {
      clearInterval(running);
      received.close();
    }
  });
}

describe('A2A: agents elsewhere as tools', function () {
  this.timeout(60_000);

  for (const generation of generations)
    describe(`of the JavaScript SDK, ${generation}`, () => {
      let server: Awaited<ReturnType<typeof startSdkServer>>;
      before(async () => {
        server = await startSdkServer(generation);
      });
      after(() => server.close());
      answersAs(() => server);
    });

  // before 0.3 it cannot push
  for (const generation of generations.filter((each) => each !== '0.2'))
    describe(`of the JavaScript SDK, ${generation}, that push`, () => {
      let server: Awaited<ReturnType<typeof startSdkServer>>;
      before(async () => {
        server = await startSdkServer(generation, true);
      });
      after(() => server.close());
      pushesAs(() => server);
    });

  for (const [release, binding, pushes] of [
    ['0.2.16', 'JSONRPC', ''],
    ['0.2.16', 'JSONRPC', ', that push'],
    ['0.3.26', 'JSONRPC', ''],
    ['0.3.26', 'JSONRPC', ', that push'],
    ['0.3.26', 'HTTP+JSON', ''],
    ['0.3.26', 'HTTP+JSON', ', that push'],
    ['1.3.0', 'JSONRPC', ''],
    ['1.3.0', 'JSONRPC', ', that push'],
    ['1.3.0', 'HTTP+JSON', ''],
    ['1.3.0', 'HTTP+JSON', ', that push'],
  ] as const)
    describe(`of the Python SDK ${release} over ${binding}${pushes}`, () => {
      let of: Asked;
      let end: () => void = () => undefined;
      before(async function () {
        this.timeout(300_000);
        const found = await pythonWith('a2a-sdk', release, ...beside);
        if ('missing' in found) {
          process.stderr.write(`skipped: ${found.missing}\n`);
          this.skip();
        }
        const port = await freePort();
        const script = fileURLToPath(new URL('python/server.py', import.meta.url));
        const env = { ...process.env, A2A_BINDING: binding, A2A_PUSHES: pushes === '' ? '' : '1' };
        const child = spawn(found.python, [script, String(port)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
        end = () => child.kill('SIGKILL');
        await new Promise<void>((ready, failed) => {
          child.stdout.once('data', () => {
            ready();
          });
          child.once('exit', () => {
            failed(new Error('the server did not start'));
          });
        });
        const path = release.startsWith('0.2') ? 'agent.json' : 'agent-card.json';
        of = { host: `127.0.0.1:${port}`, card: `http://127.0.0.1:${port}/.well-known/${path}` };
      });
      after(() => {
        end();
      });
      if (pushes === '') answersAs(() => of);
      else pushesAs(() => of);
    });

  describe('over SIGKILL of the service', () => {
    let peer: FakePeer;
    const world = a2aWorld(async () => {
      peer = await startFakePeer();
      peer.say({ capabilities: { pushNotifications: true } });
      const port = await freePort();
      return {
        HIVEKEEP_PUSH_ALLOW: peer.host,
        HIVEKEEP_PORT: String(port),
        HIVEKEEP_PUBLIC_URL: `http://127.0.0.1:${port}`,
      };
    });
    const { api } = world;
    world.hooks();
    after(() => peer.close());

    it('are sent each message once, and their answers arrive once (Peers.E1 to Peers.E3)', async () => {
      let done = false;
      peer.on((request) => {
        if (request.method === 'SendMessage') request.result({ task: inState(saidIn(request), 'WORKING') });
        else if (done) request.result(completed(String(request.params['id']), `${String(request.params['id'])} done`));
        else request.result(inState(String(request.params['id']), 'WORKING'));
      });
      const agent = await world.thinking({ tools: [{ kind: 'a2a', name: 'harbour', card: peer.card }] });
      const runs = `/v1/agent-constellations/${agent}/runs`;
      const { id } = await api.one('POST', runs, { input: 'ask twice' }, 202);
      const calls = ['one', 'two'].map((message) => ({ tool: 'harbour', arguments: { message } }));
      await world.think({ calls });
      await until(
        async () => peer.seen.filter(({ method }) => method === 'GetTask').length,
        (asked) => asked >= 2,
      );
      for (let n = 0; n < 2; n++) await world.killed();
      done = true;
      await world.think({ text: 'both have answered' });
      const run = await until(
        () => api.one('GET', `${runs}/${String(id)}`),
        ({ status }) => status === 'completed',
      );
      expect(run['output']).to.equal('both have answered');
      const told = world.thinker().asked.at(-1) ?? '';
      expect([told.split('one done').length, told.split('two done').length]).to.deep.equal([2, 2]);
      expect(
        peer.seen
          .filter(({ method }) => method === 'SendMessage')
          .map(saidIn)
          .sort(),
      ).to.deep.equal(['one', 'two']);
    });

    it('that push are heard after it, and by whom they were told to alone (PeerPushes.H2)', async () => {
      let task = inState('t-9', 'WORKING');
      peer.on((request) => {
        request.result(request.method === 'SendMessage' ? { task } : task);
      });
      const agent = await world.thinking({ tools: [{ kind: 'a2a', name: 'harbour', card: peer.card }] });
      const runs = `/v1/agent-constellations/${agent}/runs`;
      const { id } = await api.one('POST', runs, { input: 'ask once' }, 202);
      await world.think({ calls: [{ tool: 'harbour', arguments: { message: 'push' } }] });
      const [request] = await until(
        async () => peer.seen.filter((one) => one.method === 'SendMessage' && saidIn(one) === 'push'),
        (sent) => sent.length > 0,
      );
      const { taskPushNotificationConfig: told } = request?.params['configuration'] as {
        taskPushNotificationConfig: { url: string; token: string };
      };
      await until(
        () => api.one('GET', `${runs}/${String(id)}`),
        ({ status }) => status === 'paused',
      );
      await world.killed();
      const push = async (token: string, body: RequestInit['body'] = '{}'): Promise<number> =>
        (await fetch(told.url, { method: 'POST', headers: { 'x-a2a-notification-token': token }, body })).status;
      expect(await push(`${told.token}x`)).to.equal(404);
      expect(await push('')).to.equal(404);
      task = completed('t-9', 'pushed at noon');
      // what is pushed is not read, whatever it is
      expect(await push(told.token, Buffer.alloc(900_000, 'x'))).to.equal(202);
      await world.think({ text: 'it has answered' });
      const run = await until(
        () => api.one('GET', `${runs}/${String(id)}`),
        ({ status }) => status === 'completed',
      );
      expect(run['output']).to.equal('it has answered');
      expect(world.thinker().asked.at(-1)).to.contain('pushed at noon');
    });
  });

  describe('of another hivekeep', () => {
    const { api, server, hooks } = served();
    hooks();

    it('answers with a token of the agent, in one conversation', async () => {
      const settings = { name: 'Bo', description: 'Knows the harbour.' };
      const id = String((await api.one('POST', '/v1/agents/spawn', settings, 201))['id']);
      const scopes = ['agent:read', 'agent:spawn', 'memory:read', 'memory:write'];
      const { token } = await api.one('POST', `/v1/agent-constellations/${id}/tokens`, { name: 'a', scopes }, 201);
      const { host, origin } = new URL(server().url);
      const card = `${origin}/api/v1/a2a/agents/${id}/.well-known/agent-card.json`;
      const secret = { header: 'Authorization', value: `Bearer ${String(token)}` };
      const said = await outputOf({ card, host, secret }, 'Remember that the tide comes at noon.');
      expect(said)
        .to.match(/^true /)
        .and.match(/tide|remember/i);
      const { data } = await api.page(`/v1/agent-constellations/${id}/runs`);
      expect(data.map(({ triggeredBy }) => triggeredBy)).to.deep.equal(['a2a']);
    });
  });
});

/** What a server of any release is served by. */
const beside = ['uvicorn==0.38.0', 'starlette==0.49.1', 'fastapi==0.121.0', 'sse-starlette==3.0.3'];
