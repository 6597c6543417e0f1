/**
 * Agents that ask each other while the processes that serve them are killed: a hundred agents on a real MongoDB and
 * Redis, ten thousand questions, and a worker that gets SIGKILL every ten to twenty seconds. TEAMS_QUESTIONS says how
 * many there are, TEAMS_SECONDS for how long they are put, CHAOS_SEED which agents ask whom and what is killed when.
 *
 *  - No question is lost: each run ends with the answers to all that it has asked, also through another agent.
 *  - None is doubled: each has begun one run.
 *  - None is stuck: nothing is pending, running or paused at the end.
 */
import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster, type Cluster } from '../../helpers/cluster-processes.js';
import { ended, insist, listAll, type Target } from '../client.js';
import { startModelServer, type Call, type ChatMessage, type ModelServer } from '../model-server.js';
import { Random } from '../random.js';

const seed = Number(process.env['CHAOS_SEED'] ?? 1);
const questions = Number(process.env['TEAMS_QUESTIONS'] ?? 10_000);
/** After so many seconds no more are put, and what is in progress is waited for. */
const lastBeginMs = Number(process.env['TEAMS_SECONDS'] ?? 3000) * 1000;
const agents = 100;
const inFlight = 150;
/** Each run asks nine agents, one of which asks another. */
const perRun = 10;
const patienceMs = 600_000;

/**
 * "question U A,B>C" asks A "leaf U-0" and B "question U-1 C", and answers with what they say; "leaf U" is answered with
 * "heard U".
 */
function script(messages: readonly ChatMessage[]): Call[] {
  const said = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
  const [, unique = '', paths = ''] = /^question (\S+) (\S+)$/m.exec(said) ?? [];
  if (paths === '') return [answer(`heard ${/^leaf (\S+)$/m.exec(said)?.[1] ?? '?'}`)];
  if (told.length > 0) return [answer(told.join(' + '))];
  return paths.split(',').map((path, n) => {
    const [agent = '', ...rest] = path.split('>');
    const of = `${unique}-${n}`;
    const question = rest.length > 0 ? `question ${of} ${rest.join('>')}` : `leaf ${of}`;
    return { name: 'ask_agent', arguments: { agent, question, session: of } };
  });
}
const answer = (content: string): Call => ({ name: 'answer', arguments: { content } });

interface Asking {
  agent: string;
  unique: string;
  paths: string[];
}
/** What the run is to be told, by each of its questions. */
const expectedOf = ({ unique, paths }: Asking): string =>
  paths.map((path, n) => `heard ${unique}-${n}${path.includes('>') ? '-0' : ''}`).join(' + ');

describe('A hundred agents that ask each other, while their processes are killed', function suite() {
  this.timeout(3_600_000);
  let cluster: Cluster | null = null;
  let model: ModelServer | null = null;
  after(async () => {
    await cluster?.stop();
    await model?.close();
  });

  it(`have each of ${questions} questions asked once and answered once (seed ${seed})`, async function test() {
    const random = new Random(seed);
    model = await startModelServer(() => 5 + Math.floor(Math.random() * 20), script);
    cluster = await startCluster({
      gateways: 1,
      workers: 3,
      env: { HIVEKEEP_OPENAI_BASE_URL: model.url, HIVEKEEP_LOG_LEVEL: 'error' },
    });
    if (!cluster) this.skip();
    const target: Target = { url: cluster.url, key: cluster.key };
    const ids: string[] = [];
    for (let n = 0; n < agents; n++) ids.push(await spawned(target, n));

    const left: Asking[] = Array.from({ length: Math.ceil(questions / perRun) }, (_, n) => {
      const others = new Set<string>();
      while (others.size < perRun + 1) others.add(random.pick(ids));
      const [agent = '', through = '', to = '', ...rest] = others;
      return { agent, unique: `q${n}`, paths: [`${through}>${to}`, ...rest] };
    });
    const begun: Asking[] = [];
    const wanted = left.length;
    const wrong: string[] = [];
    const startedAt = Date.now();
    let done = 0;
    const client = async (): Promise<void> => {
      for (let one = left.shift(); one && Date.now() - startedAt < lastBeginMs; one = left.shift()) {
        begun.push(one);
        const { agent, unique, paths } = one;
        const input = `question ${unique} ${paths.join()}`;
        const { id } = await insist(target, `/v1/agent-constellations/${agent}/runs`, { input }, unique);
        const run = await ended(target, agent, id, { everyMs: 4000, patienceMs });
        if (run?.['output'] !== expectedOf(one))
          wrong.push(
            `${one.unique} of ${one.agent} (${id}): ${run ? `${String(run['status'])}, ${String(run['output'])}` : 'no end'}`,
          );
        done++;
      }
    };
    let kills = 0;
    let over = false;
    const killer = async (workers: Cluster['workers']): Promise<void> => {
      while (!over) {
        await pause(random.between(10_000, 20_000));
        if (over) return;
        const worker = random.pick(workers);
        await worker.end('SIGKILL');
        kills++;
        await pause(random.between(100, 1500));
        await worker.start();
      }
    };
    const killing = killer(cluster.workers);
    const progress = setInterval(() => {
      process.stdout.write(`      ${done} of ${wanted} runs, ${kills} kills, ${Date.now() - startedAt} ms\n`);
    }, 20_000);
    await Promise.all(Array.from({ length: inFlight }, client));
    over = true;
    await killing;
    clearInterval(progress);
    const tookMs = Date.now() - startedAt;
    expect(wrong, 'lost or stuck').to.deep.equal([]);

    const inputs = new Map<string, number>();
    for (const agent of ids) {
      const { items } = await listAll(target, `/v1/agent-constellations/${agent}/runs`);
      for (const { status, triggeredBy, input } of items) {
        expect(status).to.equal('completed');
        if (triggeredBy !== 'agent') continue;
        const key = String(input).split(' ')[1] ?? '';
        inputs.set(key, (inputs.get(key) ?? 0) + 1);
      }
    }
    const expected = begun.flatMap(({ unique, paths }) =>
      paths.map((_, n) => `${unique}-${n}`).concat(`${unique}-0-0`),
    );
    expect(
      [...inputs].filter(([, times]) => times !== 1),
      'doubled',
    ).to.deep.equal([]);
    expect(inputs.size, 'lost or made up').to.equal(expected.length);
    for (const key of expected) expect(inputs.has(key), key).to.equal(true);
    process.stdout.write(`      ${expected.length} questions, ${kills} kills, ${Math.round(tookMs / 1000)} s\n`);
  });
});

async function spawned(target: Target, n: number): Promise<string> {
  const config = {
    model: 'openai/team',
    multi_step: true,
    max_parallel: 64,
    builtin_tools: ['ask_agent'],
    memory: { learn: 'off', conversation: 'off' },
  };
  return (await insist(target, '/v1/agents/spawn', { name: `agent ${n}`, config }, `agent-${n}`)).id;
}
