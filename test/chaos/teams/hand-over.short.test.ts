/**
 * Conversations that are handed over and agents that are spawned, on a gateway, two workers, a Redis, and a replica set
 * of three whose members talk over slow links, while each worker gets SIGKILL once and the primary steps down.
 * CHAOS_SEED says who goes when, TEAMS_CONVERSATIONS how many there are of either kind, TEAMS_ROUNDS how often each goes.
 *
 *  - Each message of a conversation is answered once, by the agent that it is with.
 *  - Each agent that is to be spawned is spawned once, and asked once.
 *  - The audit has one record of each agent that was made and of each decision, and no others.
 */
import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { ready, startCluster, type Cluster } from '../../helpers/cluster-processes.js';
import { mongoSet, type MongoSet } from '../../helpers/mongo-set.js';
import { ended, insist, listAll, type Target, type Thing } from '../client.js';
import { startModelServer, type Call, type ChatMessage, type ModelServer } from '../model-server.js';
import { Random } from '../random.js';

const seed = Number(process.env['CHAOS_SEED'] ?? 1);
const conversations = Number(process.env['TEAMS_CONVERSATIONS'] ?? 24);
const rounds = Number(process.env['TEAMS_ROUNDS'] ?? 1);
const pairs = 4;
const inFlight = 20;
const patienceMs = 60_000;

/**
 * By its instructions an agent is a "front", which hands "begin U TO" over to TO and answers anything else itself; a
 * "back", which hands "return U TO" back to TO and answers anything else; or a "lead", which spawns U and asks it.
 */
function script(messages: readonly ChatMessage[]): Call[] {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const [, role = 'child'] = /You are a (\w+)\./.exec(system) ?? [];
  const at = messages.findLastIndex((message) => message.role === 'user');
  const said = /^(begin|go on|return|again|team|sum) (\S+)(?: (\S+))?$/m.exec(messages[at]?.content ?? '');
  const [, what = 'nothing', unique = '', to = ''] = said ?? [];
  const told = messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? [message.content ?? ''] : []));
  const call = (name: string, args: Record<string, string>): Call[] => [{ name, arguments: args }];
  if ((role === 'front' && what === 'begin') || (role === 'back' && what === 'return'))
    if (told.length === 0) return call('hand_off', { agent: to, reason: 'it is yours' });
  if (role === 'lead') {
    const [, child = ''] = /^spawned .* as (\S+)$/m.exec(told[0] ?? '') ?? [];
    if (told.length === 0) return call('spawn_agent', { name: `kid ${unique}`, instructions: 'You are a child.' });
    if (told.length === 1 && child !== '') return call('ask_agent', { agent: child, question: `sum ${unique}` });
  }
  return call('answer', { content: [`${role}: ${what} ${unique}`, ...told].join(' + ') });
}

/** What is said to a front, and what it answers: the conversation is with a back from the first message to the third. */
const conversation = (unique: string, back: string, front: string): [string, RegExp][] => [
  [`begin ${unique} ${back}`, new RegExp(`^back: begin ${unique}$`)],
  [`go on ${unique}`, new RegExp(`^back: go on ${unique}$`)],
  [
    `return ${unique} ${front}`,
    new RegExp(`^front: return ${unique} \\+ the conversation is yours again: it is yours$`),
  ],
  [`again ${unique}`, new RegExp(`^front: again ${unique}$`)],
];
const teamed = (unique: string): RegExp =>
  new RegExp(`^lead: team ${unique} \\+ spawned kid ${unique} as agent_\\w+ \\+ child: sum ${unique}$`);

describe('Conversations that are handed over and agents that are spawned, while processes are killed', function suite() {
  this.timeout(rounds * 300_000);
  let set: MongoSet | null = null;
  let cluster: Cluster | null = null;
  let model: ModelServer | null = null;
  after(async () => {
    await cluster?.stop();
    await model?.close();
    await set?.stop();
  });

  it(`are answered once and spawned once, and the audit has all of it (seed ${seed})`, async function test() {
    const random = new Random(seed);
    set = await mongoSet({ delayMs: 2, electionTimeoutMs: 2000 });
    if (!set) this.skip();
    model = await startModelServer(() => 10 + Math.floor(Math.random() * 50), script);
    const env = { HIVEKEEP_OPENAI_BASE_URL: model.url, HIVEKEEP_LOG_LEVEL: 'error' };
    cluster = await startCluster({ gateways: 1, workers: 2, env }, { mongodb: set.freshUrl() });
    if (!cluster) this.skip();
    const target: Target = { url: cluster.url, key: cluster.key };
    const make = async (name: string, config: object): Promise<string> => {
      const own = { model: 'openai/team', multi_step: true, max_parallel: 64, memory: { learn: 'off' }, ...config };
      return (await insist(target, '/v1/agents/spawn', { name, config: own }, name)).id;
    };
    const fronts: string[] = [];
    const backs: string[] = [];
    const leads: string[] = [];
    for (let n = 0; n < pairs; n++) {
      fronts.push(await make(`front ${n}`, { instructions: 'You are a front.', builtin_tools: ['hand_off'] }));
      backs.push(await make(`back ${n}`, { instructions: 'You are a back.', builtin_tools: ['hand_off'] }));
      const spawning = { spawn: { most: conversations }, builtin_tools: ['ask_agent'], validation_gate: 'action' };
      leads.push(await make(`lead ${n}`, { instructions: 'You are a lead.', ...spawning }));
    }

    const wrong: string[] = [];
    /** The questions that were approved, by their runs. */
    const approved = new Map<string, Set<string>>();
    let done = 0;
    const say = async (agent: string, input: string, expected: RegExp, sessionId: string): Promise<void> => {
      const runs = `/v1/agent-constellations/${agent}/runs`;
      const { id } = await insist(target, runs, { input, sessionId }, input);
      const met = async ({ waitingFor }: Thing): Promise<void> => {
        const question = waitingFor as { id: string; kind: string } | null;
        const seen = approved.get(id) ?? new Set();
        if (question?.kind !== 'approval' || seen.has(question.id)) return;
        await insist(target, `${runs}/${id}/resume`, { decision: 'approve', answers: question.id }, question.id);
        approved.set(id, seen.add(question.id));
      };
      const run = await ended(target, agent, id, { everyMs: 100, patienceMs, met });
      const output = String(run?.['output']);
      if (!expected.test(output)) wrong.push(`${input} (${id} of ${agent}): ${String(run?.['status'])}, ${output}`);
      done++;
    };
    const work = Array.from({ length: conversations }, (_, n) => [
      async () => {
        const [front = '', back = ''] = [fronts[n % pairs], backs[n % pairs]];
        for (const [input, expected] of conversation(`c${n}`, back, front)) await say(front, input, expected, `c${n}`);
      },
      () => say(leads[n % pairs] ?? '', `team t${n}`, teamed(`t${n}`), `t${n}`),
    ]).flat();
    const client = async (): Promise<void> => {
      for (let one = work.shift(); one; one = work.shift()) await one();
    };
    const all = conversations * 5;
    const kinds = [
      ...cluster.workers.map((worker) => async () => {
        await worker.end('SIGKILL');
        await pause(random.between(100, 1500));
        await worker.start();
        await ready(worker);
      }),
      async () => {
        await (await set?.primary())?.stepDown();
        await set?.whole();
      },
    ];
    const faults = Array.from({ length: rounds }, () => shuffled(random, kinds)).flat();
    const striking = async (): Promise<void> => {
      for (const [n, fault] of faults.entries()) {
        const from = ((n + random.next() / 2) * all) / faults.length;
        while (done < from) await pause(20);
        expect(done, 'when the last faults came').to.be.lessThan(all);
        await fault();
      }
    };
    const startedAt = Date.now();
    await Promise.all([striking(), ...Array.from({ length: inFlight }, client)]);
    expect(wrong, 'lost, stuck or answered by another').to.deep.equal([]);
    const tookMs = Date.now() - startedAt;

    const made = (await listAll(target, '/v1/agents')).items;
    const kids = made.filter(({ spawned_by: by }) => by !== undefined);
    const names = Array.from({ length: conversations }, (_, n) => `kid t${n}`).sort();
    expect(kids.map(({ name }) => name).sort(), 'spawned').to.deep.equal(names);
    const runsOf = async (agents: readonly string[]): Promise<Thing[]> =>
      (await Promise.all(agents.map((id) => listAll(target, `/v1/agent-constellations/${id}/runs`)))).flatMap(
        ({ items }) => items,
      );
    const runs = await runsOf(made.map(({ id }) => id));
    expect(new Set(runs.map(({ status }) => status))).to.deep.equal(new Set(['completed']));
    // each conversation has four runs of the front and three of the back, each team one of the lead and one of the kid
    const inputs = runs.map(({ input }) => String(input).split('\n')[0] ?? '');
    const expectedInputs = Array.from({ length: conversations }, (_, n) => {
      const asked = conversation(`c${n}`, backs[n % pairs] ?? '', fronts[n % pairs] ?? '').map(([input]) => input);
      return [...asked, ...asked.slice(0, 3), `team t${n}`, `sum t${n}`];
    }).flat();
    expect(inputs.sort(), 'runs').to.deep.equal(expectedInputs.sort());

    const audit = (await listAll(target, '/v1/audit')).items;
    expect(new Set(audit.map(({ id }) => id)).size, 'records that are listed twice').to.equal(audit.length);
    const targets = (action: string): string[] =>
      audit.flatMap((record) => (record['action'] === action ? [String(record['target_id'])] : [])).sort();
    expect(targets('run.approved'), 'decisions').to.deep.equal(
      [...approved].flatMap(([run, questions]) => [...questions].map(() => run)).sort(),
    );
    expect(targets('run.approved')).to.have.lengthOf(conversations * 2);
    expect(targets('agent.created'), 'agents that were made').to.deep.equal([...fronts, ...backs, ...leads].sort());
    process.stdout.write(`      ${all} messages, ${faults.length} faults, ${Math.round(tookMs / 1000)} s\n`);
  });
});

function shuffled<T>(random: Random, all: readonly T[]): T[] {
  const left = [...all];
  return all.map(() => left.splice(random.between(0, left.length), 1)[0] as T);
}
