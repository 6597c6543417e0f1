/** Agents that ask each other, while the processes of both go away. Questions.Q1 to Questions.Q3. */
import { expect } from 'chai';
import { ready } from '../../helpers/cluster-processes.js';
import { type Json, until } from '../api/support/client.js';
import { clusterWorld } from './support.js';

const world = clusterWorld();
const of = (agent: string): string => `/v1/agent-constellations/${agent}`;

describe('cluster: agents that work together', function suite() {
  this.timeout(120_000);
  world.hooks();

  for (const [who, index] of [
    ['asking', 0],
    ['asked', 1],
  ] as const)
    it(`a question is asked once and answered once when the worker of the ${who} agent is killed`, async () => {
      const { at, thinking, thinker, workerOf } = world;
      const name = `Law-${who}`;
      const asked = await thinking({ name });
      const lead = await thinking({ name: 'Lead' }, { instructions: 'Use ask_agent.' });
      const thinks = (): Promise<unknown> =>
        until(
          async () => thinker().waiting,
          (n) => n === 1,
          60_000,
        );
      const { id } = await at(0).one('POST', `${of(lead)}/runs`, { input: 'go' }, 202);
      const run = (): Promise<Json> => at(1).one('GET', `${of(lead)}/runs/${String(id)}`);
      await thinks();
      thinker().release({ tool: 'ask_agent', arguments: { agent: name, question: 'may we?' } });
      await thinks();
      expect(await until(run, ({ status }) => status === 'paused')).to.have.nested.property('waitingFor.kind', 'agent');
      const worker = await workerOf([lead, asked][index] as string);
      await worker.end('SIGKILL');
      // the other one goes on, and the worker that takes over too
      await thinks();
      thinker().release({ text: 'you may' });
      await thinks();
      expect(thinker().asked.at(-1)).to.contain('you may');
      thinker().release({ text: 'we may' });
      expect(await until(run, ({ status }) => status !== 'running' && status !== 'paused', 60_000)).to.include({
        status: 'completed',
        output: 'we may',
        steps: 2,
      });
      expect((await at(0).page(`${of(asked)}/runs`)).data).to.have.lengthOf(1);
      await worker.start();
      await ready(worker);
    });
});
