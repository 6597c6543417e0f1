/** What a process that goes away costs: time, and nothing else. Each test starts again what it has ended. */
import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClusterProcess, ready } from '../../helpers/cluster-processes.js';
import { say } from '../a2a/support/rpc.js';
import { onward } from '../a2a/support/world.js';
import { everyItem, ids, type Json, until } from '../api/support/client.js';
import { openEvents } from './events.js';
import { clusterWorld, takeoverMs } from './support.js';

const world = clusterWorld();
const { at, spawn, thinking, rpc, workerOf } = world;
const of = (agent: string): string => `/v1/agent-constellations/${agent}`;

/** Agents that this worker serves now. */
async function agentsOf(worker: ClusterProcess, count: number, make: () => Promise<string>): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const agent = await make();
    if ((await workerOf(agent)).name === worker.name) found.push(agent);
  }
  return found;
}

const back = async (process: ClusterProcess): Promise<void> => {
  await process.start();
  await ready(process);
};

interface Load {
  answers: Map<number, number>;
  refusedWithoutAdvice: number;
  failed: string[];
  longestMs: number;
  made: string[];
}

/**
 * Writes to these agents over both gateways until told to stop; what is refused or fails is asked again under the same
 * Idempotency-Key, and noted.
 */
function load(agents: readonly string[], writers: number): { stop(): Promise<Load> } {
  const seen: Load = { answers: new Map(), refusedWithoutAdvice: 0, failed: [], longestMs: 0, made: [] };
  let going = true;
  const writer = async (n: number): Promise<void> => {
    for (let i = 0; going; i++) {
      const begun = performance.now();
      const body = JSON.stringify({
        type: 'semantic',
        content: `load ${n} ${i}`,
        agent_id: agents[(n + i) % agents.length],
      });
      for (let tries = 0; ; tries++) {
        try {
          const response = await fetch(`${at((n + i + tries) % 2).url}/v1/memories`, {
            method: 'POST',
            body,
            headers: {
              authorization: `Bearer ${world.cluster().key}`,
              'content-type': 'application/json',
              'idempotency-key': `load-${process.pid}-${agents[0] ?? ''}-${n}-${i}`,
            },
          });
          const text = await response.text();
          const { status } = response;
          seen.answers.set(status, (seen.answers.get(status) ?? 0) + 1);
          if (status === 201) {
            seen.made.push(String((JSON.parse(text) as { data: Json }).data['id']));
            break;
          }
          if (response.headers.get('retry-after') === null) seen.refusedWithoutAdvice++;
          if (status !== 503 && status !== 409) {
            seen.failed.push(text);
            break;
          }
          await pause(20);
        } catch (error) {
          seen.failed.push(String((error as Error).cause ?? error));
          break;
        }
      }
      seen.longestMs = Math.max(seen.longestMs, performance.now() - begun);
    }
  };
  const writing = Array.from({ length: writers }, (_, n) => writer(n));
  return {
    async stop() {
      going = false;
      await Promise.all(writing);
      return seen;
    },
  };
}

const told = (what: string, { answers, longestMs, made }: Load): void => {
  process.stdout.write(
    `      ${what}: ${made.length} writes, longest ${Math.round(longestMs)} ms; answers ${JSON.stringify(Object.fromEntries(answers))}\n`,
  );
};

async function nothingLost(agents: readonly string[], made: readonly string[]): Promise<void> {
  const kept = (
    await Promise.all(agents.map((agent, i) => everyItem(at(i % 2), `/v1/memories?agent_id=${agent}`, 100)))
  ).flat();
  expect(ids(kept).sort(), 'what was acknowledged, each once').to.deep.equal([...made].sort());
}

describe('cluster: processes come and go', function suite() {
  this.timeout(120_000);
  world.hooks();

  it('SIGTERM of a worker under load: every request is answered, nothing is lost or doubled', async () => {
    const [worker] = world.cluster().workers;
    const agents = await Promise.all(Array.from({ length: 12 }, () => spawn()));
    const writing = load(agents, 8);
    await pause(500);
    const exit = await worker!.end('SIGTERM');
    await pause(500);
    const seen = await writing.stop();
    told('SIGTERM of a worker', seen);
    expect(exit).to.deep.equal({ code: 0, signal: null });
    expect(seen.failed).to.deep.equal([]);
    expect(seen.refusedWithoutAdvice).to.equal(0);
    await nothingLost(agents, seen.made);
    await back(worker!);
  });

  it('kill -9 of a worker under load: all is answered within the lease and 2 s, nothing is lost or doubled', async () => {
    const [, worker] = world.cluster().workers;
    const agents = await Promise.all(Array.from({ length: 12 }, () => spawn()));
    const writing = load(agents, 8);
    await pause(500);
    await worker!.end('SIGKILL');
    await until(
      () => Promise.all(agents.map((a) => workerOf(a))),
      (owners) => owners.every((o) => o !== worker),
    );
    await pause(500);
    const seen = await writing.stop();
    told('kill -9 of a worker', seen);
    expect(seen.failed).to.deep.equal([]);
    expect(seen.refusedWithoutAdvice).to.equal(0);
    await nothingLost(agents, seen.made);
    await back(worker!);
  });

  it('kill -9 of a worker with runs in progress: all go on from their last step within the lease and 2 s, and their readers see no gap', async () => {
    const worker = world.cluster().workers[0]!;
    const agents = await agentsOf(worker, 4, () => thinking());
    const paths = await Promise.all(
      agents.map(
        async (agent, i) =>
          `${of(agent)}/runs/${String((await at(i % 2).one('POST', `${of(agent)}/runs`, { input: 'go' }, 202))['id'])}`,
      ),
    );
    const readers = await Promise.all(paths.map((path, i) => openEvents(at(i % 2), `${path}/events`)));
    const thinker = world.thinker();
    await until(
      async () => thinker.waiting,
      (n) => n === 4,
    );
    for (let i = 0; i < 4; i++) thinker.release(onward);
    await until(
      async () => thinker.waiting,
      (n) => n === 4,
    );
    await until(
      () => Promise.all(paths.map((p) => at(0).one('GET', p))),
      (runs) => runs.every((r) => r['steps'] === 1),
    );
    const since = Date.now();
    await worker.end('SIGKILL');
    await until(
      async () => thinker.waiting,
      (n) => n === 0,
    );
    await until(
      async () => thinker.waiting,
      (n) => n === 4,
    );
    const tookMs = Date.now() - since;
    process.stdout.write(`      4 runs went on ${tookMs} ms after kill -9 (lease and 2 s: ${takeoverMs} ms)\n`);
    for (let i = 0; i < 4; i++) thinker.release({ text: 'forty-two' });
    for (const reader of readers) {
      await reader.end();
      expect(reader.ids).to.deep.equal(reader.ids.map((_, i) => i + 1));
      expect(reader.data.filter((e) => e['type'] === 'answer')).to.have.lengthOf(1);
    }
    for (const path of paths)
      expect(await at(1).one('GET', path)).to.include({ status: 'completed', steps: 2, output: 'forty-two' });
    expect(tookMs).to.be.below(takeoverMs);
    await back(worker);
  });

  it('a push is delivered once, by whichever worker; after kill -9 the next one goes on with it', async () => {
    const worker = world.cluster().workers[1]!;
    const [agent] = await agentsOf(worker, 1, () => thinking());
    const receiver = world.receiver();
    const path = `/push-${agent!}`;
    const sent = await rpc(0, agent!).result(
      'message/send',
      say('go', { configuration: { pushNotificationConfig: { url: receiver.url(path), token: 'secret' } } }),
    );
    expect(sent['id']).to.be.a('string');
    await until(
      async () => receiver.taken(path).length,
      (n) => n > 0,
    );
    receiver.always(path, 503);
    await until(
      async () => world.thinker().waiting,
      (n) => n === 1,
    );
    world.thinker().release({ text: 'done' });
    await until(
      () => at(1).page(`${of(agent!)}/runs`),
      (p) => p.data[0]?.['status'] === 'completed',
    );
    await until(
      async () => receiver.tries(path).length - receiver.taken(path).length,
      (n) => n > 0,
    );
    await worker.end('SIGKILL');
    receiver.always(path, null);
    const taken = await until(
      async () => receiver.taken(path),
      (all) => all.some((d) => JSON.stringify(d.body).includes('completed')),
    );
    await pause(500);
    const states = taken.map((d) => JSON.stringify(d.body));
    expect(new Set(states).size, 'each once').to.equal(states.length);
    for (const { headers } of taken) expect(headers['x-a2a-notification-token']).to.equal('secret');
    await back(worker);
  });

  it('kill -9 of a worker: each time of a schedule begins one run, files are read, and no call is made twice that must not be', async () => {
    const worker = world.cluster().workers[0]!;
    const receiver = world.receiver();
    const thinker = world.thinker();
    const tool = (name: string, keyed: boolean): Json => {
      const url = receiver.url(`/${name}`);
      return { kind: 'http', name, description: name, input_schema: { type: 'object' }, url, keyed };
    };
    const [timed] = await agentsOf(worker, 1, () => spawn());
    const tools = [tool('once', false), tool('again', true)];
    const [clerk] = await agentsOf(worker, 1, () => thinking({}, { tools }));
    const waiting = (n: number): Promise<number> =>
      until(
        async () => thinker.waiting,
        (now) => now === n,
        40_000,
      );
    const begin = async (input: Json): Promise<string> =>
      `${of(clerk!)}/runs/${String((await at(0).one('POST', `${of(clerk!)}/runs`, input, 202))['id'])}`;
    const runs: string[] = [];
    for (const name of ['once', 'again']) {
      receiver.answer(`/${name}`, 'hang');
      runs.push(await begin({ input: `call ${name}` }));
      await waiting(1);
      thinker.release({ tool: name, arguments: {} });
      await until(
        async () => receiver.tries(`/${name}`).length,
        (n) => n === 1,
      );
    }
    const bytes = Buffer.from('\x89PNG\r\n\x1a\n').toString('base64');
    runs.push(await begin({ input: 'look', files: [{ mediaType: 'image/png', bytes }] }));
    await waiting(1);
    // some come before the worker is killed, some while nobody serves the agent, some afterwards
    const now = Date.now();
    const inputs = Array.from({ length: 8 }, (_, i) => `time ${i}`);
    for (const [i, input] of inputs.entries())
      await at(i % 2).one(
        'POST',
        `/v1/agents/${timed!}/schedules`,
        { at: new Date(now + 3000 + 1000 * i).toISOString(), input },
        201,
      );
    const ofTimes = async (): Promise<Json[]> => everyItem(at(1), `/v1/runs?agent_id=${timed!}`, 100);
    await until(ofTimes, (begun) => begun.length > 1);
    const asked = thinker.asked.length;
    await worker.end('SIGKILL');
    await waiting(3);
    expect(thinker.asked.slice(asked).filter((messages) => messages.includes(bytes))).to.have.lengthOf(1);
    for (let i = 0; i < 3; i++) thinker.release({ text: 'done' });
    const [once, again, look] = await Promise.all(
      runs.map((path) =>
        until(
          () => at(1).one('GET', path),
          (run) => run['status'] === 'completed',
        ),
      ),
    );
    expect(receiver.tries('/once')).to.have.lengthOf(1);
    expect(thinker.asked.slice(asked).join(), 'what is told of it').to.include('not known whether');
    expect(receiver.tries('/again').map(({ headers }) => headers['idempotency-key'])).to.deep.equal(
      [1, 2].map(() => `${String(again!['id'])}.1.1`),
    );
    expect([once!['steps'], again!['steps'], look!['steps']]).to.deep.equal([2, 2, 1]);
    const [file] = look!['files'] as Json[];
    const path = `${of(clerk!)}/files/${String(file?.['sha256'])}`;
    expect(await at(0).one('GET', path)).to.include({ bytes });
    const begun = await until(ofTimes, (all) => all.filter((run) => run['status'] === 'completed').length >= 8, 30_000);
    await pause(1500);
    expect((await ofTimes()).map((run) => run['input']).sort()).to.deep.equal(inputs);
    expect(begun.every((run) => run['triggeredBy'] === 'schedule')).to.equal(true);
    expect(await everyItem(at(0), `/v1/agents/${timed!}/schedules`, 100)).to.deep.equal([]);
    await back(worker);
  });

  it("what waits for its time comes after a takeover: expiry, and the end of a run's time", async () => {
    const worker = world.cluster().workers[0]!;
    const [agent] = await agentsOf(worker, 1, () => thinking());
    const brief = await at(0).one(
      'POST',
      '/v1/memories',
      { type: 'working', content: 'brief', agent_id: agent, expires_at: new Date(Date.now() + 3000).toISOString() },
      201,
    );
    const run = String(
      (await at(0).one('POST', `${of(agent!)}/runs`, { input: 'go', maxRuntimeSeconds: 5 }, 202))['id'],
    );
    await until(
      async () => world.thinker().waiting,
      (n) => n === 1,
    );
    await worker.end('SIGKILL');
    await until(
      () => at(1).one('GET', `${of(agent!)}/runs/${run}`),
      (r) => r['status'] === 'timeout',
      30_000,
    );
    await at(1).refused('GET', `/v1/memories/${String(brief['id'])}`, undefined, 'NOT_FOUND');
    await until(
      () => at(1).one('GET', `/v1/agents/${agent!}`),
      (a) => a['memory_count'] === 0,
    );
    await back(worker);
  });

  it('a worker that is stopped for longer than its lease answers nothing wrong when it goes on', async () => {
    const worker = world.cluster().workers[1]!;
    const agents = await agentsOf(worker, 2, () => spawn());
    worker.freeze();
    for (const [i, agent] of agents.entries())
      await at(i).one('PATCH', `/v1/agents/${agent}`, { description: 'written elsewhere' });
    worker.thaw();
    for (const [i, agent] of agents.entries()) {
      await at(i).one('PATCH', `/v1/agents/${agent}`, { metadata: { after: true } });
      expect(await at(1 - i).one('GET', `/v1/agents/${agent}`)).to.deep.include({
        description: 'written elsewhere',
        metadata: { after: true },
      });
    }
    await ready(worker);
  });

  it('SIGTERM of a gateway: its streams are told to come back, and go on at the other', async () => {
    const agent = await thinking();
    const run = String((await at(1).one('POST', `${of(agent)}/runs`, { input: 'go' }, 202))['id']);
    const path = `${of(agent)}/runs/${run}/events`;
    const events = await openEvents(at(0), path);
    const gateway = world.cluster().gateways[0]!;
    await until(
      async () => world.thinker().waiting,
      (n) => n === 1,
    );
    world.thinker().release(onward);
    await until(
      async () => events.ids.length,
      (n) => n >= 3,
    );
    const exit = gateway.end('SIGTERM');
    await events.end();
    expect(await exit).to.deep.equal({ code: 0, signal: null });
    expect(events.retryMs).to.be.within(1, 10_000);
    const later = await openEvents(at(1), path, events.ids.at(-1));
    await until(
      async () => world.thinker().waiting,
      (n) => n === 1,
    );
    world.thinker().release({ text: 'forty-two' });
    await later.end();
    const all = [...events.ids, ...later.ids];
    expect(all).to.deep.equal(all.map((_, i) => i + 1));
    expect(later.data.at(-1)).to.include({ status: 'completed' });
    await back(gateway);
  });
});
