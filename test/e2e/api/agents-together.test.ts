/** Agents that ask each other, through kills of the process at any moment. Questions.Q1 to Questions.Q3. */
import { expect } from 'chai';
import { everyItem, ids, served, until, type Json } from './support/client.js';
import { startExperts } from './support/experts.js';

let experts: Awaited<ReturnType<typeof startExperts>>;
const { api, server, hooks } = served(async () => {
  experts = await startExperts(40);
  return { env: { HIVEKEEP_OPENAI_BASE_URL: experts.baseUrl, HIVEKEEP_OPENAI_API_KEY: 'sk-test' } };
});

const of = (agent: string): string => `/v1/agent-constellations/${agent}`;
const names = ['Law', 'Tax', 'Sea'];
const runs = 12;
const kills = 4;

describe('black box: agents that work together', () => {
  hooks();
  after(async () => {
    await experts.close();
  });

  it(`${runs} runs ask three agents each, once, and get each answer once, through ${kills} kills`, async function killed() {
    this.timeout(120_000);
    const spawn = async (name: string, config: Json): Promise<string> =>
      String(
        (
          await api.one(
            'POST',
            '/v1/agents/spawn',
            { name, config: { multi_step: true, memory: { conversation: 'off' }, ...config } },
            201,
          )
        )['id'],
      );
    const lead = await spawn('Lead', { model: 'openai/lead', instructions: 'Use ask_agent.', max_parallel: 64 });
    const asked = await Promise.all(names.map((name) => spawn(name, { model: 'openai/expert' })));
    const started: string[] = [];
    for (let n = 0; n < runs; n++) {
      const run = await api.one('POST', `${of(lead)}/runs`, { input: `ask ${names.join()}: question ${n}` }, 202);
      started.push(String(run['id']));
      if (n % (runs / kills) !== 1) continue;
      // wherever it is: asking, waiting, being asked or told
      await new Promise((resolve) => setTimeout(resolve, 30 * n));
      await server().kill('SIGKILL');
      await server().restart();
    }
    for (const [n, id] of started.entries()) {
      const run = await until(
        () => api.one('GET', `${of(lead)}/runs/${id}`),
        ({ status }) => status !== 'running' && status !== 'pending' && status !== 'paused',
        60_000,
      );
      const heard = `heard: question ${n}`;
      expect(run, JSON.stringify(run)).to.include({ status: 'completed', output: [heard, heard, heard].join('; ') });
      const tree = await api.one('GET', `${of(lead)}/runs/${id}/tree`);
      const below = (tree['runs'] as Json[]).slice(1);
      expect(below.map((one) => one['agent_id'])).to.have.members(asked);
      for (const one of below)
        expect(one).to.deep.include({
          status: 'completed',
          triggeredBy: 'agent',
          parent: { agent_id: lead, runId: id },
        });
    }
    for (const agent of asked) {
      const all = await everyItem(api, `${of(agent)}/runs`, 100);
      expect(ids(all)).to.have.lengthOf(runs);
    }
  });
});
