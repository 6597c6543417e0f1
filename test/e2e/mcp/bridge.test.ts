/** `hivekeep mcp` as a desktop client starts it: a program that speaks MCP on its standard input and output. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { cli } from '../../helpers/cli.js';
import { cleanEnvironment, mainFile } from '../../helpers/server.js';
import { type CuttingProxy, startCuttingProxy } from '../a2a/support/cutting-proxy.js';
import { done, type Person } from './support/clients.js';
import { mcpWorld } from './support/world.js';

const world = mcpWorld();
const { api, think, asking, mint, opened } = world;

describe('MCP: the bridge for desktop clients', function () {
  this.timeout(60_000);
  world.hooks();
  let wire: CuttingProxy;
  before(async () => {
    wire = await startCuttingProxy(() => world.server().url);
  });
  after(() => wire.close());

  const started = async (
    args: readonly string[],
    { mode = 'auto', key = api.key, person }: { mode?: 'auto' | 'legacy'; key?: string; person?: Person } = {},
  ): Promise<Client> => {
    const client = new Client(
      { name: 'desktop', version: '1' },
      { versionNegotiation: { mode }, ...(person && { capabilities: { elicitation: { form: {} } } }) },
    );
    if (person)
      client.setRequestHandler('elicitation/create', ({ params }) => person(params.message) as { action: 'decline' });
    await opened(client);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [mainFile, 'mcp', ...args],
        env: { ...cleanEnvironment({}), HIVEKEEP_URL: wire.url, HIVEKEEP_KEY: key },
      }),
    );
    return client;
  };

  it('serves an agent by its name, to clients of both revisions', async () => {
    const agent = await world.quick({ name: 'Bridged' });
    const modern = await started(['--agent', 'Bridged']);
    expect(modern.getNegotiatedProtocolVersion()).to.equal('2026-07-28');
    expect(await done(modern, 'remember', { content: 'Ünïcode is fine' })).to.include({ agent_id: agent });
    const legacy = await started(['--agent', agent], { mode: 'legacy' });
    expect(legacy.getNegotiatedProtocolVersion()).to.equal('2025-11-25');
    expect((await done(legacy, 'recall', { query: 'Ünïcode' }))['memories']).to.have.length(1);
    const { contents } = await modern.readResource({ uri: `agent://${agent}` });
    expect((contents[0] as { text: string }).text).to.include('Bridged');
  });

  it("serves an agent to the agent's token, and the workspace to a key", async () => {
    const agent = await world.quick();
    const limited = await started(['--agent', agent], { key: await mint(agent, ['agent:mcp', 'memory:read']) });
    expect((await limited.listTools()).tools.map(({ name }) => name)).to.deep.equal([
      'recall',
      'list_memories',
      'memory_history',
    ]);
    expect((await done(await started([]), 'list_agents'))['items']).to.not.equal([]);
  });

  for (const mode of ['auto', 'legacy'] as const)
    it(`asks the human what a run asks (${mode})`, async () => {
      const agent = await world.thinking();
      const person: Person = () => ({ action: 'accept', content: { answer: 'blue' } });
      const asked = done(await started(['--agent', agent], { person, mode }), 'ask_agent', { message: 'Paint it' });
      await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
      await think({ text: 'Done.' });
      expect(await asked).to.include({ status: 'completed', output: 'Done.' });
    });

  it('gets the answer of a run after cuts and a kill of the server, without starting another', async () => {
    const agent = await world.thinking();
    const client = await started(['--agent', agent]);
    const asked = client.callTool(
      { name: 'ask_agent', arguments: { message: 'Think long' } },
      { onprogress: () => undefined },
    );
    await asking();
    wire.cut();
    await world.killed();
    await think({ text: 'at last' });
    expect((await asked).structuredContent).to.include({ status: 'completed', output: 'at last' });
    expect((await api.page(`/v1/agent-constellations/${agent}/runs`)).pagination.total_count).to.equal(1);
  });

  it('says why it cannot serve, with 1', async () => {
    const env = { HIVEKEEP_URL: world.server().url };
    const refusals: [readonly string[], Record<string, string>, string][] = [
      [[], env, 'HIVEKEEP_KEY'],
      [['--agent', 'Nobody'], { ...env, HIVEKEEP_KEY: api.key }, 'there is no agent named Nobody'],
      [['--agent', 'Nobody'], { ...env, HIVEKEEP_KEY: 'at_x' }, 'by its id'],
      [['--agent', 'Nobody'], { HIVEKEEP_URL: 'http://127.0.0.1:1', HIVEKEEP_KEY: 'svc_x' }, 'no server answers'],
    ];
    for (const [args, environment, why] of refusals) {
      const { code, stdout, stderr } = await cli(['mcp', ...args], environment);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr.toLowerCase()).to.include(why.toLowerCase());
    }
  });
});
