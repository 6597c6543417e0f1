/**
 * What the gateway adds to MCP: limits, which are those of REST. The protocol itself is tested by its clients
 * (test/e2e/mcp).
 */
import { expect } from 'chai';
import type { ZodType } from 'zod';
import { once } from 'node:events';
import type { FoundMemory, Run } from '../../../src/domain/model/model.js';
import type { FoundItems } from '../../../src/service.js';
import type { AccessTokens } from '../../../src/oauth/access-tokens.js';
import { createLimiter } from '../../../gateway/limits/limiter.js';
import { createInMemoryLimits } from '../../../src/limits/in-memory.js';
import { policyOf, tierLimits } from '../../../src/limits/tiers.js';
import { agentEndpoint, workspaceEndpoint } from '../../../gateway/mcp/server.js';
import { streamMessages } from '../../../src/mcp/event-stream.js';
import { postEarlier, sessionOf } from '../../e2e/mcp/support/wire.js';
import { realClock } from '../../helpers/engine.js';
import { fixtures } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { RawClient } from './raw-client.js';

/** The events of a run to which nothing happens. */
async function* untilAborted(signal: AbortSignal): AsyncGenerator<never> {
  if (!signal.aborted) await once(signal, 'abort');
}

describe('MCP at the gateway', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());

  const call = async (
    name: string,
    given: object,
    method = 'tools/call',
  ): Promise<{ status: number; limit: string | null; code?: string }> => {
    const { status, headers, text } = await gateway.ask(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, params: { name, arguments: given } },
      { accept: 'application/json, text/event-stream' },
    );
    const code = status === 200 ? undefined : (JSON.parse(text) as { error: { code: string } }).error.code;
    return { status, limit: headers.get('x-ratelimit-limit'), ...(code !== undefined && { code }) };
  };

  /** Starts a gateway with two searches for each key. */
  const twoSearches = async (): Promise<void> => {
    const tiers = tierLimits({ requestsPerMinute: 1000, searchesPerMinute: 500, concurrent: 10 });
    gateway = await startGateway({
      options: {
        limiter: createLimiter({
          keys: createInMemoryLimits({ holdMs: 30_000 }),
          addresses: createInMemoryLimits({ holdMs: 30_000 }),
          clock: realClock,
          holdMs: 30_000,
          tiers: Object.fromEntries(
            Object.entries(tiers).map(([tier, limits]) => [tier, { ...limits, searches: { limit: 2, burst: 2 } }]),
          ) as typeof tiers,
          address: policyOf(1000),
        }),
      },
    });
  };

  it('counts recall against the searches of the key, and other tools against its requests alone', async () => {
    await twoSearches();
    expect((await call('recall', { query: 'tea' })).status).to.equal(200);
    expect((await call('recall', { query: 'tea' })).status).to.equal(200);
    expect(await call('recall', { query: 'tea' })).to.deep.equal({
      status: 429,
      limit: '2',
      code: 'RATE_LIMIT_EXCEEDED',
    });
    expect((await call('get_usage', {})).status).to.equal(200);
  });

  it('counts the prompt that searches against them, too', async () => {
    await twoSearches();
    const asked = (): ReturnType<typeof call> => call('what_is_known', { topic: 'tea' }, 'prompts/get');
    expect([(await asked()).status, (await asked()).status]).to.deep.equal([200, 200]);
    expect(await asked()).to.include({ status: 429, limit: '2' });
    expect((await call('no_prompt', {}, 'prompts/get')).status).to.equal(200);
  });

  it('says of a search that it is partial, in REST and in the result of `recall`', async () => {
    const hits: FoundItems<FoundMemory> = [{ ...fixtures.memory, relevance: 0.5 }];
    hits.partial = true;
    gateway = await startGateway({ service: { searchMemories: () => Promise.resolve(hits) } });
    const rest = await gateway.ask('POST', '/v1/memories/search', { query: 'tea' });
    expect(rest.body).to.include({ partial: true });
    const { text } = await gateway.ask(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'recall', arguments: { query: 'tea' } } },
      { accept: 'application/json, text/event-stream' },
    );
    expect(text).to.include('"partial":true');
  });

  it('tells nothing of what fails inside while a prompt is made, and logs it', async () => {
    const service = { searchMemories: () => Promise.reject(new TypeError('secret of the inside')) };
    gateway = await startGateway({ service });
    const { text } = await gateway.ask(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'what_is_known', arguments: { topic: 'tea' } } },
      { accept: 'application/json, text/event-stream' },
    );
    expect(text).to.include('-32603').and.not.include('secret');
    expect(gateway.errors).to.have.length(1);
  });

  it('a question that nobody answers in 540 s ends its call with the paused run', async () => {
    const waitingFor = { id: 'run_1-3', kind: 'human' as const, question: 'Red or blue?', action: null };
    const paused: Run = { ...fixtures.run, status: 'paused', waitingFor };
    let followed: AbortSignal | undefined;
    let timeIsUp = (): void => expect.fail('nothing waits for 540 s');
    gateway = await startGateway({
      service: {
        converse: () => Promise.resolve({ run: paused, answers: null }),
        runEvents: (_caller, _agent, _id, _after, signal) => {
          followed = signal;
          return Promise.resolve(untilAborted(signal!));
        },
      },
      commands: { getRun: () => Promise.resolve(paused) },
      options: {
        clock: {
          ...realClock,
          after(ms, fn) {
            if (ms === 540_000) timeIsUp = fn;
            return ms === 540_000 ? () => undefined : realClock.after(ms, fn);
          },
        },
      },
    });
    const to = { url: `${gateway.url}/mcp/agents/agent_1`, key: rootKey };
    const session = await sessionOf(to, { elicitation: {} });
    const params = { name: 'ask_agent', arguments: { message: 'Paint it' } };
    const call = await postEarlier(to, { id: 5, method: 'tools/call', params }, session);
    const told = streamMessages(call.body!)[Symbol.asyncIterator]();
    expect((await told.next()).value).to.include({ method: 'elicitation/create' });
    timeIsUp();
    const value: unknown = (await told.next()).value;
    expect(value).to.have.nested.property('result.structuredContent.status', 'paused');
    expect(JSON.stringify(value)).to.include('has not answered yet');
    expect(followed?.aborted, 'its events are not followed any more').to.equal(true);
  });

  describe('arguments', () => {
    const told = (text: string): unknown => {
      const line = text.split('\n').find((each) => each.startsWith('data: {')) ?? '';
      return JSON.parse(line.slice('data: '.length));
    };
    const asked = async (path: string, method: string, params: object): Promise<unknown> =>
      told(
        (
          await gateway.ask(
            'POST',
            path,
            { jsonrpc: '2.0', id: 1, method, params },
            { accept: 'application/json, text/event-stream' },
          )
        ).text,
      );
    const memory_id = 'mem_1';
    const run_id = 'run_1';
    const hive_id = 'hive_1';
    /** The least that each tool is called with. */
    const least: Readonly<Record<string, object>> = {
      recall: { query: 'tea' },
      remember: { content: 'tea' },
      list_memories: {},
      memory_history: { memory_id },
      update_memory: { memory_id, content: 'tea' },
      forget: { memory_id },
      share_with_hive: { hive_id, content: 'tea' },
      ask_agent: { message: 'tea?', images: [{ data: '', mimeType: 'image/png' }] },
      start_run: { input: 'tea' },
      get_run: { run_id },
      list_runs: {},
      resume_run: { run_id, results: [{ id: 'call_1', content: 'tea' }] },
      cancel_run: { run_id },
      send_message: { to: 'agent_2', content: 'tea' },
      read_mailbox: {},
      get_agent: {},
      list_agents: {},
      spawn_agent: { name: 'Bo', config: { memory: {} } },
      list_hives: {},
      create_hive: { name: 'Lab' },
      join_hive: { hive_id },
      leave_hive: { hive_id },
      get_usage: {},
    };
    const inside: Readonly<Record<string, object>> = {
      ask_agent: { images: [{ data: '', mimeType: 'image/png', type: null }] },
      resume_run: { results: [{ id: 'call_1', content: 'tea', error: null }] },
      spawn_agent: { config: { memory: { recall_limit: null }, model: null, tools: null } },
    };

    for (const endpoint of [workspaceEndpoint, agentEndpoint]) {
      const at = endpoint === agentEndpoint ? '/mcp/agents/agent_1' : '/mcp';
      it(`${at}: null is no value of an optional argument, and none that a required one takes`, async () => {
        const { agent, memory, run, message } = fixtures;
        gateway = await startGateway({
          service: {
            memoryHistory: () => Promise.resolve({ items: [memory], next: null, total: 1 }),
            shareMemory: () => Promise.resolve(memory),
            resumeRun: () => Promise.resolve(run),
          },
          commands: {
            listRuns: () => Promise.resolve({ items: [run], next: null, total: 1 }),
            cancelRun: () => Promise.resolve(run),
            spawnAgent: () => Promise.resolve(agent),
            sendMessage: () => Promise.resolve(message),
            joinHive: () => Promise.resolve(agent),
            leaveHive: () => Promise.resolve(),
          },
        });
        for (const [name, { tool, input }] of endpoint.tools) {
          const given = {
            ...least[name],
            ...(at === '/mcp' && tool.forAgent === 'required' && { agent_id: 'agent_1' }),
          };
          const called = async (args: object): Promise<{ calls: unknown; answer: unknown }> => {
            gateway.calls.length = 0;
            const answer = await asked(at, 'tools/call', { name, arguments: args });
            const calls = gateway.calls.filter(
              ({ method }) => method !== 'authenticate' && (method !== 'getAgent' || name === 'get_agent'),
            );
            // each request has an id of its own
            const said = JSON.stringify(calls).replaceAll(/"req_\w+"/g, '"req_"');
            return { calls: JSON.parse(said) as unknown, answer };
          };
          const without = await called(given);
          expect(without.calls, name).to.be.an('array').that.is.not.empty;
          const absent = Object.keys(input.shape).filter((key) => !(key in given));
          const nulls = Object.fromEntries(absent.map((key) => [key, null]));
          expect(await called({ ...given, ...nulls, ...inside[name] }), name).to.deep.equal(without);
          for (const key of Object.keys(given).filter(
            (each) => !(input.shape as Record<string, ZodType>)[each]?.safeParse(undefined).success,
          )) {
            const { answer, calls } = await called({ ...given, [key]: null });
            expect(calls, `${name} ${key}`).to.deep.equal([]);
            expect(JSON.stringify(answer), `${name} ${key}`).to.include('VALIDATION_ERROR').and.include(key);
          }
        }
      });
    }

    it('null stays what it is where anything may be said', async () => {
      gateway = await startGateway();
      const metadata = { colour: null };
      await asked('/mcp', 'tools/call', { name: 'remember', arguments: { content: 'tea', metadata } });
      expect(JSON.stringify(gateway.calls)).to.include('"metadata":{"colour":null}');
    });

    it('a model is told of all tools in 3,000 tokens of four characters, and what it is told is taken', async () => {
      gateway = await startGateway();
      for (const [path, most] of [
        ['/mcp', 12_000],
        ['/mcp/agents/agent_1', 9_500],
      ] as const) {
        const { result } = (await asked(path, 'tools/list', {})) as { result: { tools: Record<string, unknown>[] } };
        const shown = result.tools.map(({ name, description, inputSchema }) =>
          JSON.stringify({ name, description, inputSchema }),
        );
        expect(shown.join('').length, path).to.be.at.most(most);
      }
      const { tool } = workspaceEndpoint.tools.get('spawn_agent')!;
      const usual = {
        name: 'Bo',
        description: 'Helps',
        config: {
          model: 'openai/gpt-5',
          instructions: 'Be brief.',
          multi_step: true,
          max_steps: 5,
          validation_gate: 'action',
          output_schema: { type: 'object' },
        },
        hives: ['hive_1'],
        wake_on_message: true,
        metadata: { team: 'red' },
      };
      for (const schema of [tool.told!, tool.input]) expect(schema.parse(usual)).to.deep.equal(usual);
      expect(Object.keys(usual)).to.have.members(Object.keys(tool.told!.shape));
    });
  });

  describe('the authorization server', () => {
    const agents = '/mcp/agents/agent_1';
    const refused = (path: string): Promise<globalThis.Response> =>
      fetch(gateway.url + path, { method: 'POST', headers: { authorization: 'Bearer svc_live_wrong' } });

    it('names no authorization server by itself', async () => {
      gateway = await startGateway();
      for (const path of ['/mcp', agents]) {
        expect((await fetch(`${gateway.url}/.well-known/oauth-protected-resource${path}`)).status).to.equal(404);
        const { status, headers } = await refused(path);
        expect([status, headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer realm="hivekeep"']);
      }
    });

    it('refuses a host that it may not name, in words for what was asked', async () => {
      gateway = await startGateway({ config: { oauthIssuer: 'https://login.example.com/' } });
      const client = new RawClient(gateway.port);
      const path = '/.well-known/oauth-protected-resource/mcp';
      const answer = await client
        .send(`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
        .answer();
      expect(answer.status).to.equal(400);
      expect(answer.body).to.include('HIVEKEEP_ALLOWED_HOSTS').and.not.include('agent card');
    });

    it('tells which one the operator has named, and of which endpoint', async () => {
      const oauthIssuer = 'https://login.example.com/';
      gateway = await startGateway({ config: { oauthIssuer } });
      for (const path of ['/mcp', agents]) {
        const challenge = (await refused(path)).headers.get('www-authenticate');
        const metadata = /^Bearer realm="hivekeep", error="invalid_token", resource_metadata="([^"]+)"$/.exec(
          challenge ?? '',
        )?.[1];
        const answer = await fetch(metadata ?? 'no metadata');
        expect(answer.status).to.equal(200);
        expect(await answer.json()).to.deep.equal({
          resource: gateway.url + path,
          authorization_servers: [oauthIssuer],
          bearer_methods_supported: ['header'],
          resource_name: 'hivekeep',
        });
      }
      expect((await refused('/v1/agents')).headers.get('www-authenticate')).to.equal('Bearer realm="hivekeep"');
      const nothing = await fetch(`${gateway.url}/mcp`, { method: 'POST' });
      expect(nothing.headers.get('www-authenticate')).to.match(/^Bearer realm="hivekeep", resource_metadata=/);
    });

    it('tells the scopes to ask for where it takes access tokens, and that a token was refused where one came', async () => {
      gateway = await startGateway({
        config: { oauthIssuer: 'https://login.example.com/' },
        options: { accessTokens: { verify: () => Promise.resolve(null) } as unknown as AccessTokens },
      });
      for (const path of ['/mcp', agents, '/v1/agents'])
        for (const authorization of [undefined, 'Bearer eyJ.e30.x']) {
          const answer = await fetch(gateway.url + path, {
            method: 'POST',
            ...(authorization !== undefined && { headers: { authorization } }),
          });
          const challenge = answer.headers.get('www-authenticate') ?? '';
          expect(challenge.includes('error="invalid_token"'), path).to.equal(authorization !== undefined);
          const [, scope = ''] = /scope="([^"]*)"/.exec(challenge) ?? [];
          const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
          const named = (await (await fetch(metadata)).json()) as { scopes_supported: string[] };
          expect(scope.split(' '), path).to.deep.equal(named.scopes_supported).and.include('agent:spawn');
        }
    });
  });
});
