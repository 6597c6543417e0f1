/**
 * What a model hands out for its next request (docs/reasoners.md) comes back to it, over a restart, and is shown at no
 * door: REST, streams, A2A in all versions, MCP, OpenAI, exports.
 */
import { expect } from 'chai';
import { a2aWorld } from '../a2a/support/world.js';
import { until, type Json } from '../api/support/client.js';

const world = a2aWorld();
const { api, think, thinking } = world;
const secret = 'sealed-4711';

describe('What a model hands out is shown at no door', function () {
  this.timeout(60_000);
  world.hooks();

  it('REST, event streams, A2A 0.2, 0.3 and 1.0, MCP, chat completions, responses, and exports', async () => {
    const model = await thinking();
    const key = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' };
    const doors: string[] = [];
    /** What is answered at an address, which is kept for the end. */
    const read = async (path: string, body?: object, headers = {}): Promise<Json> => {
      const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const accept = 'application/json, text/event-stream';
      const response = await fetch(`${world.server().url}${path}`, {
        ...init,
        headers: { accept, ...key, ...headers },
      });
      const text = await response.text();
      expect(response.status, `${path}: ${text}`).to.equal(200);
      doors.push(text);
      return path.endsWith('/responses') ? (JSON.parse(text) as Json) : {};
    };
    const asked = read('/v1/openai/v1/responses', { model, input: 'When does it close?', background: true });
    const { hivekeep, id } = (await asked) as unknown as { hivekeep: { run_id: string }; id: string };
    await think({ tool: 'recall', arguments: { query: 'pier' }, reasoning: secret });
    await world.asking();
    expect(world.thinker().asked.at(-1)).to.include(secret);
    await world.killed();
    await world.asking();
    expect(world.thinker().asked.at(-1), 'after kill -9').to.include(secret);
    await think({ text: 'At nine.', reasoning: secret });
    const run = `/v1/agent-constellations/${model}/runs/${hivekeep.run_id}`;
    await until(
      () => api.one('GET', run),
      ({ status }) => status === 'completed',
    );

    await read(run);
    for (const list of ['runs', 'thoughts', 'checkpoints']) await read(`/v1/agent-constellations/${model}/${list}`);
    await read(`${run}/events`, undefined, { accept: 'text/event-stream' });
    await read(`/v1/openai/v1/responses/${id}`);
    const rpc = { jsonrpc: '2.0', id: 1, params: { id: hivekeep.run_id } };
    const a2a = `/api/v1/a2a/agents/${model}`;
    await read(a2a, { ...rpc, method: 'tasks/get' });
    await read(a2a, { ...rpc, method: 'GetTask' }, { 'A2A-Version': '1.0' });
    await read(a2a, { ...rpc, method: 'tasks/resubscribe' });
    const chat = read('/v1/openai/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Thanks.' }] });
    await think({ text: 'You are welcome.', reasoning: secret });
    await chat;
    const call = { name: 'get_run', arguments: { run_id: hivekeep.run_id } };
    await read(`/mcp/agents/${model}`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    await read('/v1/export', undefined, { accept: '*/*' });

    expect(doors.filter((text) => text.includes('At nine.')).length).to.be.greaterThan(6);
    expect(doors.filter((text) => text.includes(secret))).to.deep.equal([]);
  });
});
