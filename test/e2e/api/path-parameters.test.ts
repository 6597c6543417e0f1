/**
 * Names in paths: each parameter of every route takes whatever its names may have, percent-encoded, over the wire and
 * by the client of packages/client (that for Python has the same table in clients/python/tests/test_server.py). `.` and
 * `..`, which fetch, curl and proxies resolve as steps in the path, are names of nothing on any wire.
 */
import { expect } from 'chai';
import { request } from 'node:http';
import { createClient } from '../../../packages/client/src/client.js';
import { routes } from '../../../gateway/rest/routes.js';
import { listed, type McpToolServer, startMcpTools, text } from '../../helpers/mcp-tools.js';
import { rpcOf, say, say1 } from '../a2a/support/rpc.js';
import { startReceiver, type Receiver } from '../a2a/support/receiver.js';
import { tell } from './support/answers.js';
import { served, type Json } from './support/client.js';
import { bodyOf, fill, parametersOf, pathWith, type Things } from './support/things.js';

const names = ['a.b', 'a/b', 'a@b', 'a b', 'ü', '%2F', '🐝', '...', '?'];
const steps = ['.', '..'];

let receiver: Receiver;
let tools: McpToolServer;
const { api, hooks } = served(async () => {
  receiver = await startReceiver();
  receiver.always('/gone', 500);
  tools = await startMcpTools('stateless', { list: names.map((name) => listed(name)), call: ({ name }) => text(name) });
  return {
    env: {
      HIVEKEEP_PUSH_ALLOW: `${receiver.host},${tools.host}`,
      HIVEKEEP_PUSH_TRIES: '1',
      HIVEKEEP_ADDRESS_REQUESTS_PER_MINUTE: '100000',
    },
  };
});
let things: Things;

/** A request whose path goes out exactly as it is written here. */
const raw = (method: string, path: string, body?: unknown): Promise<{ status: number; body: { error?: Json } }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' };
    const asked = request({ hostname, port, path, method, headers, agent: false }, (res) => {
      let said = '';
      res.on('data', (chunk: Buffer) => (said += chunk.toString()));
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          body: said.startsWith('{') ? (JSON.parse(said) as { error?: Json }) : {},
        }),
      );
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });

const remember = (more: Json): Promise<Json> =>
  api.one('POST', '/v1/memories', { type: 'semantic', content: 'x', agent_id: things.loner, ...more }, 201);
const kept = async (filter: string): Promise<number> =>
  (await api.page(`/v1/memories?agent_id=${things.loner}&${filter}`)).pagination.total_count;

describe('names in paths', function suite() {
  this.timeout(120_000);
  hooks();
  before(async () => {
    things = await fill(api, 'named', receiver.url('/gone'));
  });
  after(async () => {
    await receiver?.close();
    await tools?.close();
  });

  describe('that clients choose', () => {
    for (const name of names) {
      const encoded = encodeURIComponent(name);
      it(`${name}: a session is read and deleted, a subject erased, over the wire and by the client`, async () => {
        const { sessions } = createClient({ baseUrl: api.url, key: api.key });
        const own = `/v1/agents/${things.loner}`;
        const erase: [what: string, erase: (id: string) => Promise<unknown>][] = [
          ['sessionId', () => api.one('DELETE', `${own}/sessions/${encoded}`)],
          ['sessionId', (id) => sessions.delete(things.loner, id)],
          ['subject', () => api.one('DELETE', `${own}/subjects/${encoded}`)],
          ['subject', (id) => sessions.deleteSubject(things.loner, id)],
        ];
        for (const [what, by] of erase) {
          await remember({ [what]: name });
          expect(await kept(`${what}=${encoded}`)).to.equal(1);
          if (what === 'sessionId')
            await api.one('POST', `${own}/message`, { content: 'hello', sessionId: name, subject: 'somebody' });
          if (what === 'sessionId')
            expect((await api.page(`${own}/sessions/${encoded}/turns`)).data).to.not.have.length(0);
          expect(await by(name)).to.include({ id: name, deleted: true });
          expect(await kept(`${what}=${encoded}`)).to.equal(0);
        }
      });

      it(`${name}: a tool of that name at its server is tried`, async () => {
        const { tools: client } = createClient({ baseUrl: api.url, key: api.key });
        const { id } = await api.one(
          'POST',
          '/v1/agents/spawn',
          { name: 'user of tools', config: { tools: [{ kind: 'mcp', name: 'far', url: tools.url }] } },
          201,
        );
        const path = `/v1/agents/${String(id)}/tools/${encodeURIComponent(`far.${name}`)}/try`;
        expect(await api.one('POST', path, {})).to.include({ ok: true, result: name });
        expect(await client.try(String(id), `far.${name}`, {})).to.include({ ok: true, result: name });
      });
    }
  });

  it('which are there for no name: each parameter of every route is 404, and nothing else is asked for', async () => {
    const before = await api.page('/v1/agents?page_size=100');
    for (const route of routes)
      for (const { name: parameter } of parametersOf(route.path))
        for (const name of [...names, ...steps]) {
          const segment = encodeURIComponent(name);
          const path = pathWith(route.path, (kind, each) => (each === parameter ? segment : things[kind]));
          const { status, body } = await raw(route.method, path, bodyOf(route, things));
          const said = `${route.method} ${path}: ${status} ${JSON.stringify(body)}`;
          const asksForNobody =
            route.operationId === 'deleteSubject' && parameter === 'subject' && names.includes(name);
          if (parameter === 'scheduleName' && names.includes(name)) expect(status, said).to.equal(200);
          else if (asksForNobody || parameter === 'sessionId') expect(status, said).to.be.oneOf([200, 404]);
          else expect(body.error, said).to.include({ code: 'NOT_FOUND' });
        }
    expect(await api.page('/v1/agents?page_size=100')).to.deep.equal(before);
  });

  for (const step of steps)
    describe(`${step}, which is none`, () => {
      const message = `must not be "." or "..", which no path can name`;
      const refused = async (method: string, path: string, body: Json, field: string): Promise<void> => {
        const { details } = await api.refused(method, path, body, 'VALIDATION_ERROR');
        expect(details['issues']).to.deep.equal([{ path: field, message }]);
      };

      it('is refused as a session and as a subject wherever REST takes one', async () => {
        const { agent, loner, hive } = things;
        const own = `/v1/agent-constellations/${agent}`;
        const memory = { type: 'semantic', content: 'x' };
        for (const field of ['sessionId', 'subject']) {
          const named = { [field]: step };
          await refused('POST', `/v1/agents/${agent}/message`, { content: 'hello', ...named }, field);
          await refused('POST', `${own}/runs`, { input: 'hello', ...named }, field);
          await refused('POST', `/v1/agents/${agent}/schedules`, { every: 60, input: 'hello', ...named }, field);
          await refused('POST', '/v1/memories', { ...memory, ...named }, field);
          await refused('POST', '/v1/memories/batch', { memories: [{ ...memory, ...named }] }, `memories.0.${field}`);
          await refused('POST', `/v1/hives/${hive}/memories`, { ...memory, agent_id: agent, ...named }, field);
          await refused('POST', '/v1/memories/search', { query: 'x', agent_id: loner, ...named }, field);
          await refused('POST', '/v1/context', { agent_id: loner, max_tokens: 10, ...named }, field);
        }
        await refused('POST', `${own}/messages`, { content: 'hello', subject: step }, 'subject');
      });

      it('is refused as a session and as a subject by the endpoint for clients of OpenAI', async () => {
        const asked = { model: things.agent, messages: [{ role: 'user', content: 'hello' }] };
        const ask = async (more: Json, headers: Record<string, string>): Promise<string> => {
          const url = `${api.url}/v1/openai/v1/chat/completions`;
          const answer = await tell(url, 'POST', `Bearer ${api.key}`, { ...asked, ...more }, headers);
          expect(answer.status, answer.text).to.equal(400);
          return answer.text;
        };
        expect(await ask({ user: step }, {})).to.include('user');
        expect(await ask({}, { 'x-hivekeep-session': step })).to.include('X-Hivekeep-Session');
        expect(await ask({}, { 'x-hivekeep-subject': step })).to.include('X-Hivekeep-Subject');
      });

      it('is refused as a context, a task and a push configuration by every version of A2A', async () => {
        const rpc = rpcOf(() => api.url, things.agent, api.key);
        const v1 = { 'a2a-version': '1.0' };
        const config = { url: receiver.url('/gone'), id: step };
        const of02 = { 'a2a-version': '0.2' };
        const asked: [method: string, params: Json, headers?: Record<string, string>][] = [
          ['message/send', say('hello', { contextId: step }), of02],
          ['message/send', say('hello', { contextId: step })],
          ['message/send', say('hello', { taskId: step })],
          ['tasks/get', { id: step }],
          ['tasks/pushNotificationConfig/set', { taskId: things.run, pushNotificationConfig: config }],
          ['SendMessage', say1('hello', { contextId: step }), v1],
          ['ListTasks', { contextId: step }, v1],
          ['CreateTaskPushNotificationConfig', { taskId: things.run, ...config }, v1],
        ];
        for (const [method, params, headers] of asked)
          expect((await rpc.refused(method, params, -32602, headers)).message, method).to.include(message);
        const answer = await raw('GET', `/api/v1/a2a/agents/${things.agent}/tasks/${step}`);
        expect(answer.status).to.equal(400);
      });

      it('is refused by the client, before it asks', async () => {
        const { sessions, hives } = createClient({ baseUrl: api.url, key: api.key });
        for (const by of [
          () => sessions.delete(things.loner, step),
          () => sessions.deleteSubject(things.loner, step),
          () => hives.leave(things.hive, step),
        ])
          expect(by).to.throw(TypeError, 'must not be "." or ".."');
      });

      it('deletes nothing when a program asks for it, which asks for what is above', async () => {
        for (const path of [
          `/v1/agents/${things.agent}/sessions/${step}`,
          `/v1/agents/${things.agent}/subjects/${step}`,
          `/v1/hives/${things.hive}/agents/${step}`,
          `/v1/memories/${things.memory}/${step === '.' ? '.' : `x/${step}`}`,
        ]) {
          const headers = { authorization: `Bearer ${api.key}` };
          const { status } = await fetch(api.url + path, { method: 'DELETE', headers });
          expect(status, path).to.be.oneOf([404, 405]);
        }
        await api.one('GET', `/v1/agents/${things.agent}`);
        await api.one('GET', `/v1/hives/${things.hive}`);
        await api.one('GET', `/v1/memories/${things.memory}`);
      });
    });
});
