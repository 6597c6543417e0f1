/**
 * A2A clients at work while the service is killed with SIGKILL at random moments and started again on the same data.
 *
 *  - Every message is one task, however often it was sent: none acknowledged is missing, none is doubled.
 *  - What a reader saw over all its connections is 1, 2, 3... up to the end of the task.
 *  - Every task ends, and each of its steps counts once.
 *  - Every change of a task is pushed to its receiver, and first arrives in the order of the changes.
 */
import { expect } from 'chai';
import { startReceiver, type Manner, type Receiver } from '../../e2e/a2a/support/receiver.js';
import { stateOf } from '../../e2e/a2a/support/rpc.js';
import { until, type Json } from '../../e2e/api/support/client.js';
import { startTestServer } from '../../helpers/server.js';
import { listAll, post, type Target, type Thing } from '../client.js';
import { startModelServer, stepsOfWork } from '../model-server.js';
import { Random } from '../random.js';
import { call, ended, follow, plain, send, type Mission, type Story } from './a2a-client.js';

/** From the environment, to have a failure again; it is in the title of the test. */
export const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

interface Done {
  mission: Mission;
  task: string;
  story: Story | null;
}

export async function killRounds(rounds: number): Promise<void> {
  const random = new Random(seed);
  const model = await startModelServer(() => random.between(3, 25));
  const receiver = await startReceiver();
  const server = await startTestServer({
    env: {
      HIVEKEEP_OPENAI_BASE_URL: model.url,
      HIVEKEEP_PUSH_ALLOW: receiver.host,
      HIVEKEEP_PUSH_TRIES: '20',
      HIVEKEEP_PUSH_RETRY_SECONDS: '0.05',
      HIVEKEEP_PUSH_TIMEOUT_SECONDS: '0.5',
      HIVEKEEP_HEARTBEAT_SECONDS: '0.2',
      HIVEKEEP_LOG_LEVEL: 'warn',
      HIVEKEEP_IDLE_SECONDS: '0.3',
    },
  });
  try {
    const agents = await spawnAgents(server);
    const done: Done[] = [];
    for (let round = 1; round <= rounds; round++) {
      const crew = new Crew(server, receiver, agents, random, `r${round}`);
      crew.begin(8);
      await new Promise((resolve) => {
        setTimeout(resolve, random.between(100, 500));
      });
      await server.kill('SIGKILL');
      await server.restart();
      done.push(...(await crew.end()));
    }
    await check(server, receiver, agents, done);
    expect(server.stderr(), 'the log').not.to.match(/"level":(50|60)|unhandled/i);
  } finally {
    await server.stop();
    await Promise.all([model.close(), receiver.close()]);
  }
}

async function spawnAgents(target: Target): Promise<string[]> {
  const agents: string[] = [];
  for (const [i, config] of [
    ...Array.from({ length: 3 }, () => ({ model: 'openai/slow', multi_step: true })),
    {},
  ].entries()) {
    const outcome = await post(target, '/v1/agents/spawn', { name: `peer-${i}`, config });
    if (outcome.kind !== 'done') throw new Error('no agent');
    agents.push(outcome.data.id);
  }
  return agents;
}

/** Clients that each carry out one mission after another, to its end. */
class Crew {
  private stopped = false;
  private count = 0;
  private clients: Promise<Done[]>[] = [];

  constructor(
    private readonly target: Target,
    private readonly receiver: Receiver,
    private readonly agents: readonly string[],
    private readonly random: Random,
    private readonly name: string,
  ) {}

  begin(clients: number): void {
    this.clients = Array.from({ length: clients }, async () => {
      const done: Done[] = [];
      while (!this.stopped) done.push(await this.carryOut());
      return done;
    });
  }

  async end(): Promise<Done[]> {
    this.stopped = true;
    return (await Promise.all(this.clients)).flat();
  }

  private async carryOut(): Promise<Done> {
    const { random, target } = this;
    const unique = `${this.name}-${++this.count}`;
    const mission = this.mission(unique);
    const cutAfter = random.next() < 0.4 ? random.between(1, 6) : null;
    switch (random.pick(['stream', 'send', 'follow'] as const)) {
      case 'stream': {
        const story = await follow(target, mission, null, cutAfter);
        return { mission, story, task: story.task };
      }
      case 'send':
        return { mission, story: null, task: await send(target, mission) };
      case 'follow': {
        const task = await send(target, mission);
        return { mission, task, story: await follow(target, mission, task, cutAfter) };
      }
    }
  }

  private mission(unique: string): Mission {
    const { random, receiver } = this;
    const path = `/${unique}`;
    const pushed = random.next() < 0.6;
    if (pushed && random.next() < 0.3)
      receiver.answer(
        path,
        ...Array.from({ length: random.between(1, 3) }, () => random.pick<Manner>([500, 503, 'hang'])),
      );
    return {
      agent: random.pick(this.agents),
      text: `work ${unique}`,
      messageId: `m-${unique}`,
      version: random.pick(['0.3', '1.0']),
      push: pushed ? receiver.url(path) : null,
    };
  }
}

async function check(
  target: Target,
  receiver: Receiver,
  agents: readonly string[],
  done: readonly Done[],
): Promise<void> {
  const runs = new Map<string, Thing>();
  for (const agent of agents) for (const run of await allEnded(target, agent)) runs.set(run.id, run);
  expect(
    [...runs.values()].map((r) => r['input']),
    'one task a message',
  ).to.have.members(done.map((d) => d.mission.text));
  for (const { mission, task, story } of done) {
    expect(runs.get(task), `${task} of ${mission.text}`).to.include({
      input: mission.text,
      agent_id: mission.agent,
      status: 'completed',
      triggeredBy: 'a2a',
    });
    const shown = await call(
      target,
      mission.agent,
      mission.version,
      mission.version === '1.0' ? 'GetTask' : 'tasks/get',
      { id: task },
    );
    expect(plain(stateOf(shown))).to.equal('completed');
    expect(await send(target, mission), 'said once more').to.equal(task);
    const events = await eventsOf(target, mission.agent, task);
    if (story) {
      expect(story.ids, `the stream of ${task}`).to.deep.equal(Array.from({ length: events.length }, (_, i) => i + 1));
      expect(ended(story.last), story.last).to.equal(true);
    }
    if (mission.push !== null) await pushed(receiver, new URL(mission.push).pathname, events);
  }
  const memories = (await listAll(target, '/v1/memories')).items.map((m) => String(m['content']));
  for (const { mission } of done) {
    const steps = memories.filter((m) => m.startsWith(`${mission.text.slice('work '.length)} step `));
    if (mission.agent !== agents.at(-1))
      // the last answers at once
      expect(steps, mission.text).to.have.members(
        Array.from({ length: stepsOfWork }, (_, i) => `${mission.text.slice('work '.length)} step ${i + 1}`),
      );
  }
  const letters = (await (
    await fetch(`${target.url}/v1/push/dead-letters`, { headers: { authorization: `Bearer ${target.key}` } })
  ).json()) as { data: Thing[] };
  expect(letters.data, 'pushes given up').to.deep.equal([]);
  for (const what of ['stream', 'push'] as const)
    expect(
      done.filter((d) => (what === 'stream' ? (d.story?.connections ?? 0) > 1 : d.mission.push !== null)),
      `the test had a ${what} to look at`,
    ).to.not.have.lengthOf(0);
}

const allEnded = (target: Target, agent: string): Promise<Thing[]> =>
  until(
    async () => (await listAll(target, `/v1/agent-constellations/${agent}/runs`)).items,
    (runs) => runs.every((r) => r['ended_at'] !== null),
    20_000,
  );

async function eventsOf(target: Target, agent: string, run: string): Promise<Json[]> {
  const text = await (
    await fetch(`${target.url}/v1/agent-constellations/${agent}/runs/${run}/events`, {
      headers: { authorization: `Bearer ${target.key}` },
    })
  ).text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Json);
}

const spelt: Record<string, string> = { pending: 'submitted', running: 'working', completed: 'completed' };

/** A kill after a delivery and before its commit makes it come again, so first arrivals are what counts. */
async function pushed(receiver: Receiver, path: string, events: readonly Json[]): Promise<void> {
  const wanted = events.filter((e) => e['type'] === 'status').map((e) => spelt[String(e['status'])]);
  const arrived = (): string[] => [
    ...new Set(receiver.taken(path).map(({ body }) => plain(stateOf((body['task'] ?? body) as Json)))),
  ];
  await until(
    async () => arrived(),
    (a) => a.length >= wanted.length,
    10_000,
  );
  expect(arrived(), `pushes to ${path}`).to.deep.equal(wanted);
}
