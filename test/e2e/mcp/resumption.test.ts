/** Calls whose connection is cut, as the official clients of 2025-11-25 come back to them (gateway/mcp/resumption.ts). */
import { expect } from 'chai';
import { startCuttingProxy, type CuttingProxy } from '../a2a/support/cutting-proxy.js';
import { onward } from '../a2a/support/world.js';
import { until, type Json } from '../api/support/client.js';
import { connect, connectSdk1, type Connection, type Person } from './support/clients.js';
import { postEarlier } from './support/wire.js';
import { mcpWorld } from './support/world.js';

const world = mcpWorld();
const { api, think, opened } = world;

interface Asking {
  callTool(
    call: { name: string; arguments: Json },
    options: { onprogress: (progress: { progress: number; message?: string }) => void },
  ): Promise<{ structuredContent?: unknown }>;
}

describe('MCP: calls that are cut', function () {
  this.timeout(30_000);
  world.hooks();
  let wire: CuttingProxy;
  // one for each test: a client must not go by a kept connection that the test before has cut
  beforeEach(async () => {
    wire = await startCuttingProxy(() => world.server().url);
  });
  afterEach(() => wire.close());

  const through = (agent: string, key = api.key): Connection => ({ url: `${wire.url}/mcp/agents/${agent}`, key });
  const clients: [string, (to: Connection, person?: Person) => Promise<Asking>][] = [
    ['the current client', (to, person) => opened(connect(to, { legacy: true, ...(person && { person }) }))],
    [
      'the client of the line before',
      async (to, person) => {
        const client = await opened(connectSdk1(to, person));
        return {
          callTool: (call, options) => client.callTool(call, undefined, options) as ReturnType<Asking['callTool']>,
        };
      },
    ],
  ];
  const toldOf = (told: readonly number[], events: number): Promise<number> =>
    until(
      async () => told.length,
      (n) => n >= events,
    );
  /** A stream as it is on the wire, until the test lets go of it or it ends. */
  const eventsOf = async (response: Response, enough: (text: string) => boolean): Promise<string> => {
    const reader = response.body!.getReader();
    let text = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += Buffer.from(read.value).toString();
      if (enough(text)) break;
    }
    await reader.cancel();
    return text;
  };
  const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? '');
  const resume = ({ url, key }: Connection, id: string, version = '2025-11-25'): Promise<Response> =>
    fetch(url, {
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        'mcp-protocol-version': version,
        ...(id !== '' && { 'last-event-id': id }),
      },
    });

  for (const [name, client] of clients) {
    it(`McpResumption.E2: ${name} gets the result of a call that was cut twice, and each event once`, async () => {
      const agent = await world.thinking();
      const told: number[] = [];
      const asked = (await client(through(agent))).callTool(
        { name: 'ask_agent', arguments: { message: 'What is the answer?' } },
        { onprogress: ({ progress }) => told.push(progress) },
      );
      await toldOf(told, 1);
      wire.cut();
      await think(onward);
      await toldOf(told, 3);
      wire.cut();
      await think({ text: 'forty-two' });
      expect((await asked).structuredContent).to.include({ status: 'completed', output: 'forty-two' });
      expect(told).to.deep.equal([...new Set(told)]);
      expect((await api.page(`/v1/agent-constellations/${agent}/runs`)).data).to.have.length(1);
    });

    it(`${name} gets the result of a call over a kill -9 of the server`, async () => {
      const agent = await world.thinking();
      const told: number[] = [];
      const asked = (await client(through(agent))).callTool(
        { name: 'ask_agent', arguments: { message: 'What is the answer?' } },
        { onprogress: ({ progress }) => told.push(progress) },
      );
      await toldOf(told, 1);
      await world.killed();
      await think({ text: 'still forty-two' });
      expect((await asked).structuredContent).to.include({ status: 'completed', output: 'still forty-two' });
    });

    it(`${name} is not asked a second time what it was asked before the cut`, async () => {
      const agent = await world.thinking();
      const questions: string[] = [];
      const asked = (
        await client(through(agent), (question) => {
          questions.push(question);
          setTimeout(() => wire.cut(), 50);
          return { action: 'accept', content: { answer: 'blue' } };
        })
      ).callTool({ name: 'ask_agent', arguments: { message: 'Paint it' } }, { onprogress: () => undefined });
      await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
      await think({ text: 'It is blue now.' });
      expect((await asked).structuredContent).to.include({ status: 'completed', output: 'It is blue now.' });
      expect(questions).to.have.length(1);
    });
  }

  it('McpResumption.E1: an id is good for the credential and the endpoint of its call, and for nothing else', async () => {
    const [agent, other] = [await world.thinking(), await world.quick()];
    const token = await world.mint(agent, ['agent:mcp', 'agent:spawn']);
    const stranger = await world.mint(agent, ['agent:mcp', 'agent:spawn', 'agent:read']);
    const call = { id: 'q', method: 'tools/call', params: { name: 'ask_agent', arguments: { message: 'Hm?' } } };
    const [id = ''] = idsIn(
      await eventsOf(await postEarlier(through(agent, token), call), (text) => text.includes('id: ')),
    );
    for (const [to, given, status] of [
      [through(agent, stranger), id, 400],
      [through(agent), id, 400],
      [through(other), id, 400],
      [{ url: `${wire.url}/mcp`, key: api.key }, id, 400],
      [through(agent, token), `${id}x`, 400],
      [through(agent, token), '', 405],
    ] as const)
      expect((await resume(to, given)).status).to.equal(status);
    expect((await resume(through(agent, token), id, '2026-07-28')).status).to.equal(405);
    await think({ text: 'here' });
    const text = await eventsOf(await resume(through(agent, token), id), () => false);
    expect(text).to.include('"output":"here"').and.include('"id":"q"');
  });

  it('before 2025-11-25 no event is without data, and progress has ids', async () => {
    const agent = await world.thinking();
    const to = through(agent);
    const call = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'ask_agent', arguments: { message: 'Hm?' }, _meta: { progressToken: 'p' } },
    };
    const posted = await fetch(to.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${to.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify(call),
    });
    const text = await eventsOf(posted, (so_far) => so_far.includes('"running"'));
    expect(text).not.to.match(/^data: ?$/m);
    await think({ text: 'here' });
    const rest = await eventsOf(await resume(to, idsIn(text).at(-1) ?? '', '2025-06-18'), () => false);
    expect(rest).to.include('"output":"here"').and.not.include('"running"');
  });
});
