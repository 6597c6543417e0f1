/**
 * Agent frameworks as clients, by the A2A client that each brings (docs/a2a.md): they read the card, send, stream, hold a
 * conversation of two turns, and tell what an agent asks a person.
 */
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonWith } from '../../helpers/python.js';
import type { Json } from '../api/support/client.js';
import { a2aWorld } from './support/world.js';

const script = fileURLToPath(new URL('python/frameworks.py', import.meta.url));
const run = promisify(execFile);

interface Framework {
  name: string;
  package: string;
  release: string;
  config?: Json;
  answered: Json;
  asked: Json;
}

/**
 * With TEST_FRAMEWORKS=all those are run, too, whose packages are too large for every run. In CrewAI's answer is whatever
 * status messages say, so that its agent has to be told to say nothing on the way.
 */
const quiet = { a2a: { progress: 'off' } };
const large = [
  {
    name: 'beeai',
    package: 'beeai-framework[a2a]',
    release: '0.1.85',
    answered: { card: 'Ada', streamed: true },
    asked: {},
  },
  {
    name: 'crewai',
    package: 'crewai[a2a]',
    release: '1.15.30',
    config: quiet,
    answered: { card: 'Ada', waits: false },
    asked: { waits: true },
  },
];

/** Beside the answer: what it tells its user of the card, of a stream, of a message without one, and of a question. */
const frameworks: readonly Framework[] = [
  {
    name: 'strands',
    package: 'strands-agents[a2a]',
    release: '1.62.0',
    answered: { card: 'Ada', waits: false, streamed: true, sent: 'I am remembering: the launch is on 12 May.' },
    asked: { card: 'Ada', waits: true },
  },
  {
    name: 'google_adk',
    package: 'google-adk[a2a]',
    release: '2.13.0',
    answered: { card: true, streamed: true, waits: false },
    asked: { card: true, waits: true },
  },
  ...(process.env['TEST_FRAMEWORKS'] === 'all' ? large : []),
  // it reads no card where it is given the agent's URL, and has no word for a question
  { name: 'agent_framework', package: 'agent-framework-a2a', release: '1.0.0b261022', answered: {}, asked: {} },
];

const world = a2aWorld();
const { api, quick, thinking, think } = world;

describe('A2A: agent frameworks as clients', function () {
  this.timeout(300_000);
  world.hooks();

  for (const { name, package: wanted, release, config = {}, answered, asked } of frameworks)
    describe(`${wanted} ${release}`, () => {
      let python = '';
      before(async function () {
        const found = await pythonWith(wanted, release);
        if ('missing' in found) {
          process.stderr.write(`skipped: ${found.missing}\n`);
          this.skip();
        }
        python = found.python;
      });
      const talk = async (agent: string, ...texts: string[]): Promise<Json[]> => {
        const url = `${world.server().url}/api/v1/a2a/agents/${agent}`;
        const { stdout } = await run(python, [script, name, url, api.key, ...texts]);
        return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Json] : []));
      };

      it('shows each answer once, of two turns', async () => {
        const agent = await quick({ config });
        const [first, second] = await talk(agent, 'Remember that the launch is on 12 May.', 'When is the launch?');
        expect(first).to.include({ ...answered, answer: 'I am remembering: the launch is on 12 May.' });
        expect(second?.['answer'])
          .to.be.a('string')
          .that.matches(/^(?!.*12 May.*12 May).*12 May/);
      });

      it('shows what the agent asks', async () => {
        const agent = await thinking(config);
        const told = talk(agent, 'Paint it');
        await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
        expect((await told)[0]).to.include({ ...asked, answer: 'Red or blue?' });
      });
    });
});
