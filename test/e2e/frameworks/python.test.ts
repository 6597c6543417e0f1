/**
 * Python's frameworks for agents against a running server: OpenAI's client and LangChain with agents as their models
 * (docs/api.md 4.5), and the adapters of examples/ for LangGraph, the OpenAI Agents SDK and, with TEST_FRAMEWORKS=all,
 * CrewAI.
 */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import type { Context } from 'mocha';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pythonWith } from '../../helpers/python.js';
import { projectRoot } from '../../helpers/server-process.js';
import { a2aWorld } from '../a2a/support/world.js';
import type { Json } from '../api/support/client.js';
import type { Thought } from '../api/support/thinker.js';
import { baseURL } from '../openai/support.js';

const world = a2aWorld();
const { api, think, thinking } = world;
const scripts = fileURLToPath(new URL('python', import.meta.url));
const examples = join(projectRoot, 'examples');

describe('frameworks of Python', function () {
  this.timeout(300_000);
  let python = '';
  world.hooks();
  const use = async (context: Context, ...packages: Parameters<typeof pythonWith>): Promise<void> => {
    const found = await pythonWith(...packages);
    if ('missing' in found) {
      process.stderr.write(`skipped: ${found.missing}\n`);
      context.skip();
    }
    python = found.python;
  };
  // a test may use packages of its own
  beforeEach(function () {
    return use(this, 'langchain-openai', '1.7.3', 'langgraph==1.2.24', 'openai-agents==0.24.0');
  });

  /** What the script prints, line by line, while the model thinks so; `beside` is the folder of an adapter. */
  async function told(script: string, args: string[], thoughts: Thought[], beside = ''): Promise<string[]> {
    const env = {
      ...process.env,
      PYTHONPATH: [join(projectRoot, 'clients/python/src'), join(examples, beside)].join(':'),
      // not beside the sources of this repository
      PYTHONPYCACHEPREFIX: join(projectRoot, 'node_modules/.cache/python-compiled'),
      HIVEKEEP_URL: world.server().url,
      HIVEKEEP_KEY: api.key,
    };
    const child = spawn(python, [script, ...args], { env: { ...env, CREWAI_DISABLE_TELEMETRY: 'true' } });
    const lines: string[] = [];
    let raised = '';
    createInterface(child.stdout).on('line', (line) => lines.push(line));
    child.stderr.on('data', (chunk: Buffer) => (raised += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const thought = (async () => {
      for (const each of thoughts) await think(each);
    })();
    const code = await Promise.race([ended, thought.then(() => ended)]);
    expect(code, raised).to.equal(0);
    return lines;
  }

  it("OpenAI's client and LangChain ask, stream, read data and run tools", async () => {
    const cities = ['Rome', 'Oslo'].map((city) => ({ tool: 'weather', arguments: { city } }));
    const thoughts: Thought[] = [
      ...['1.', '2.', '3.', '4.'].map((text) => ({ text })),
      { tool: 'answer', arguments: { captain: 'Mia' } },
      { calls: cities },
      { text: '5.' },
      ...['Hull', 'Cork'].flatMap((port) => [{ tool: 'tide', arguments: { port } }, { text: '6.' }]),
    ];
    const lines = await told(join(scripts, 'openai_client.py'), [baseURL(world), api.key, await thinking()], thoughts);
    const steps = lines.map((line) => JSON.parse(line) as Json);
    const step = (name: string): Json | undefined => steps.find((each) => each['step'] === name);
    expect(step('whole')).to.include({ text: '1.', finish: 'stop' });
    expect(step('stream')).to.include({ text: '2.', usage: true });
    expect(step('missing')).to.include({ code: 'NOT_FOUND' });
    expect(step('missing')?.['id']).to.match(/^req_/);
    expect(step('invoked')).to.include({ text: '3.' });
    expect(step('streamed')).to.include({ text: '4.' });
    expect(step('crew')).to.include({ captain: 'Mia' });
    expect(step('tools')).to.include({ text: '5.', finish: 'tool_calls' }).and.have.property('results').of.length(2);
    expect(step('tides False')).to.deep.include({ text: '6.', results: ['high in Hull'] });
    expect(step('tides True')).to.deep.include({ text: '6.', results: ['high in Cork'] });
  });

  it('LangChain has tools called that have to be', async () => {
    const [tide, wind] = [
      { tool: 'tide', arguments: { port: 'Hull' } },
      { tool: 'wind', arguments: { port: 'Hull' } },
    ];
    const thoughts: Thought[] = [{ tool: 'Crew', arguments: { captain: 'Mia' } }, tide, tide, wind, wind];
    const args = ['langchain', baseURL(world), api.key, await thinking()];
    const steps = (await told(join(scripts, 'forced_tools.py'), args, thoughts)).map(
      (line) => JSON.parse(line) as Json,
    );
    const called = (name: string): unknown[] => [[name, { port: 'Hull' }]];
    expect(steps).to.deep.equal([
      { step: 'crew', captain: 'Mia' },
      { step: 'tide', calls: called('tide') },
      { step: 'tide streamed', calls: called('tide') },
      { step: 'any', calls: called('wind') },
      { step: 'any streamed', calls: called('wind') },
    ]);
  });

  it('Pydantic AI gets its output by a tool, as it asks for it unless told otherwise', async function () {
    await use(this, 'pydantic-ai-slim[openai]', '2.68.0');
    const output = (size: number | string): Thought => ({
      tool: 'final_result',
      arguments: { captain: 'Mia', size },
    });
    // what does not fit is returned to the model by the framework
    const thoughts = [
      output(3),
      { tool: 'harbour', arguments: { name: 'Hull' } },
      output(4),
      output(5),
      output('many'),
      output(6),
    ];
    const args = ['pydantic-ai', baseURL(world), api.key, await thinking()];
    const steps = (await told(join(scripts, 'forced_tools.py'), args, thoughts)).map(
      (line) => JSON.parse(line) as Json,
    );
    expect(steps).to.deep.equal([
      { step: 'output', captain: 'Mia', size: 3 },
      { step: 'with a tool', captain: 'Mia', size: 4 },
      { step: 'streamed', captain: 'Mia', size: 5 },
      { step: 'again', captain: 'Mia', size: 6 },
    ]);
  });

  it("OpenAI's client and agents speak the Responses API, with branches and tools", async () => {
    const thoughts: Thought[] = ['1.', 'red', 'blue', '2.'].map((text) => ({ text }));
    for (const text of ['High.', 'Low.']) thoughts.push({ tool: 'tide', arguments: { port: 'Hull' } }, { text });
    const args = [baseURL(world), api.key, await thinking()];
    const lines = await told(join(scripts, 'responses_client.py'), args, thoughts);
    const steps = lines.map((line) => JSON.parse(line) as Json);
    const items = ['ToolCallItem', 'ToolCallOutputItem', 'MessageOutputItem'];
    expect(steps).to.deep.equal([
      { step: 'first', text: '1.', status: 'completed' },
      { step: 'branches', texts: ['red', 'blue'], sessions: 2 },
      { step: 'stream', text: '2.', first: 'response.created', last: 'response.completed' },
      { step: 'retrieved', text: '2.' },
      { step: 'agents', text: 'High.', items },
      { step: 'agents streamed', text: 'Low.', events: true },
    ]);
  });

  it('LangGraph keeps its items in the store of the example', async () => {
    const lines = await told(join(scripts, 'langgraph_store.py'), [world.server().url, api.key], [], 'langgraph-store');
    expect(lines).to.deep.equal(['kept']);
  });

  it("OpenAI's agents keep their conversation in the session of the example, and run tools for an agent", async () => {
    const args = [world.server().url, api.key, await thinking()];
    const thoughts = ['High.', 'Low.'].flatMap((text) => [{ tool: 'tide', arguments: { port: 'Hull' } }, { text }]);
    const lines = await told(join(scripts, 'agents_session.py'), args, thoughts, 'openai-agents-session');
    expect(lines).to.deep.equal(['kept']);
  });

  const stories: Record<string, string[]> = {
    'langgraph-store/graph.py': [
      'mia: The kiln is at 1180 degrees. -> Noted.',
      'mia: How hot is the kiln? -> The kiln is at 1180 degrees.',
      'bo: How hot is the kiln? -> I do not know.',
    ],
    'openai-agents-session/chat.py': [
      'monday: The kiln is at 1180 degrees. -> Noted.',
      'monday: How hot is the kiln? -> 1180 degrees.',
      'friday: How hot is the kiln? -> I do not know.',
      'found in monday: user: The kiln is at 1180 degrees.',
    ],
  };
  for (const [example, story] of Object.entries(stories))
    it(`examples/${example} tells its story`, async () => {
      expect(await told(join(examples, example), [], [])).to.deep.equal(story);
    });

  // it is 1 GB to install
  if (process.env['TEST_FRAMEWORKS'] === 'all')
    it('CrewAI remembers and recalls with the tools of examples/crewai-tools', async function () {
      this.timeout(1_800_000);
      await use(this, 'crewai[a2a]', '1.15.30');
      expect(await told(join(examples, 'crewai-tools/crew.py'), [], [])).to.deep.equal([
        'Note that the kiln is at 1180 degrees. -> It is kept.',
        'Ask how hot the kiln is. -> The kiln is at 1180 degrees',
      ]);
    });
});
