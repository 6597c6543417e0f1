/**
 * The service under load, killed with SIGKILL at a random moment and started again on the same data, round after round.
 *
 *  - What was acknowledged is there, once; what was not answered is there at most once.
 *  - Every run goes on to its end; its events are 1, 2, 3... without holes, also for who was reading when it broke.
 *  - Numbers equal what is listed.
 */
import { expect } from 'chai';
import { startTestServer, type TestServer } from '../helpers/server.js';
import { check } from './check.js';
import { post } from './client.js';
import { kinds, Load, type Agents } from './load.js';
import { startModelServer } from './model-server.js';
import { Random } from './random.js';

/** From the environment, to have a failure again; it is in the title of the test. */
export const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

export async function killRounds(rounds: number): Promise<void> {
  const random = new Random(seed);
  const model = await startModelServer(() => random.between(3, 25));
  const server = await startTestServer({
    env: {
      HIVEKEEP_OPENAI_BASE_URL: model.url,
      HIVEKEEP_HEARTBEAT_SECONDS: '0.2',
      HIVEKEEP_LOG_LEVEL: 'warn',
      HIVEKEEP_IDLE_SECONDS: '0.3',
    },
  });
  try {
    const agents = await spawnAgents(server);
    const load = new Load(server, agents, random);
    for (let round = 1; round <= rounds; round++) {
      load.begin(12);
      await new Promise((resolve) => {
        setTimeout(resolve, random.between(100, 700));
      });
      if (round === rounds) await everyKind(load); // however slow the machine is, there is something to be lost
      await server.kill('SIGKILL');
      await load.end();
      await server.restart();
      load.followRest();
      for (const { run, end } of load.followed) {
        const { seqs, last } = await end;
        expect(seqs, `the events of ${run}, as they were read`).to.deep.equal(seqs.map((_, i) => i + 1));
        expect(last).to.equal('completed');
      }
      await check(server, load, agents);
    }
    expect(server.stderr(), 'the log').not.to.match(/"level":(50|60)|unhandled/i);
  } finally {
    await server.stop();
    await model.close();
  }
}

/** Waits, 30 s at most, until a write of each kind has been acknowledged. */
async function everyKind(load: Load): Promise<void> {
  for (const end = Date.now() + 30_000; ;) {
    const missing = kinds.filter((kind) => load.acknowledged(kind).length === 0);
    if (missing.length === 0) return;
    if (Date.now() > end) expect.fail(`not acknowledged once: ${missing.join()}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

async function spawnAgents(server: TestServer): Promise<Agents> {
  const spawn = async (name: string, more: object): Promise<string> => {
    const outcome = await post(server, '/v1/agents/spawn', { name, ...more });
    if (outcome.kind !== 'done') throw new Error(`no agent ${name}`);
    return outcome.data.id;
  };
  const many = (n: number, name: string, more: object): Promise<string[]> =>
    Promise.all(Array.from({ length: n }, (_, i) => spawn(`${name}-${i}`, more)));
  const slow = { model: 'openai/slow', multi_step: true };
  return {
    workers: await many(6, 'worker', { config: slow }),
    talkers: await many(4, 'talker', {}),
    relays: await many(3, 'relay', { config: slow, wake_on_message: true }),
    sinks: await many(2, 'sink', {}),
  };
}
