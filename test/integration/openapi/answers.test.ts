/**
 * Every operation, by a typed fetch, the real gateway and the real engine: what is answered is what the document says.
 */
import { expect } from 'chai';
import { createLimiter } from '../../../gateway/limits/limiter.js';
import { createStreams } from '../../../gateway/streams/streams.js';
import { createInMemoryLimits } from '../../../src/limits/in-memory.js';
import { policyOf, tierLimits } from '../../../src/limits/tiers.js';
import type { Service } from '../../../src/service.js';
import { PushError, type Push } from '../../../src/push/port.js';
import {
  answers,
  call,
  caller as engineCaller,
  does,
  eventually,
  realClock,
  testEngine,
  type Script,
  type TestEngine,
} from '../../helpers/engine.js';
import { keyPrincipal } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type Setup, type TestGateway } from '../../helpers/gateway.js';
import { allOperations, conformingFetch, type Seen } from './conformance.js';
import { typedFetch, type TypedFetch } from './typed-fetch.js';

/** Takes any address, and reaches none. */
const deadPush: Push = {
  check: () => Promise.resolve(),
  deliver: () => Promise.reject(new PushError('answered 410', true)),
  open: () => Promise.reject(new PushError('answered 410', true)),
  close: () => Promise.resolve(),
};

const script: Script = ({ run, step, memories }) => {
  if (run.input === 'ask' && step === 1) return does(call('ask_human', { question: 'may I?' }));
  if (run.input === 'note' && step === 1)
    return {
      thoughts: [{ thoughtType: 'goal', content: 'to note it' }],
      calls: [call('remember', { content: 'noted', type: 'semantic' })],
    };
  return answers(memories.map((m) => m.content).join(' ') || 'nothing');
};

const limiterOf = (address: number) =>
  createLimiter({
    keys: createInMemoryLimits({ holdMs: 30_000 }),
    addresses: createInMemoryLimits({ holdMs: 30_000 }),
    clock: realClock,
    holdMs: 30_000,
    tiers: tierLimits({ requestsPerMinute: 100_000, searchesPerMinute: 50_000, concurrent: 100 }),
    address: policyOf(address),
  });

const gatewayOf = ({ options, ...setup }: Setup, address = 1000): Promise<TestGateway> =>
  startGateway({
    ...setup,
    options: {
      limiter: limiterOf(address),
      streams: createStreams({
        clock: realClock,
        log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
      }),
      ...options,
    },
  });

/** The data of an answer that must have some. */
async function got<T>(asked: Promise<{ data?: { data: T }; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await asked;
  if (data === undefined) throw new Error(`${response.url} ${response.status}: ${JSON.stringify(error)}`);
  return data.data;
}

/** The gateway's principal is made up, and is no key in the store. */
const anyKey = async (service: Pick<Service, 'listKeys'>): Promise<string> =>
  (await service.listKeys(engineCaller, { sort: 'created_at', order: 'asc', limit: 1 })).items[0]!.id;

describe('answers as documented', () => {
  let gateway: TestGateway;
  let bed: TestEngine;
  let hivekeep: TypedFetch;
  const seen: Seen = { succeeded: new Set(), statuses: new Set() };
  before(async () => {
    bed = await testEngine(undefined, script, { push: deadPush });
    const { authenticate: _, ...service } = bed.engine.service;
    gateway = await gatewayOf({
      service: { ...service, me: async (caller) => service.me({ ...caller, key: await anyKey(service) }) },
    });
    hivekeep = typedFetch(gateway.url, rootKey, conformingFetch(seen));
  });
  after(async () => {
    await gateway.stop();
    await bed.engine.stop(0);
  });

  const spawn = (name: string, more: object = {}) =>
    got(hivekeep.POST('/v1/agents/spawn', { body: { name, ...more } }));

  it('agents and hives', async () => {
    const hive = await got(hivekeep.POST('/v1/hives', { body: { name: 'crew', metadata: { a: [1] } } }));
    await got(hivekeep.GET('/v1/hives', { params: { query: { page_size: 1, sort: 'updated_at', order: 'asc' } } }));
    const agent = await spawn('Ada', {
      config: { model: 'built-in', temperature: 0.5, memory: { recall_limit: 3 }, own: { b: null } },
      hives: [hive.id],
      metadata: { c: 'd' },
      wake_on_message: false,
      memory_quota: 10,
      maxRuntimeSeconds: 60,
    });
    const path = { id: agent.id };
    await got(hivekeep.GET('/v1/agents', { params: { query: { limit: 5, offset: 0 } } }));
    expect(
      await got(hivekeep.GET('/v1/agents', { params: { query: { name: 'ad', status: 'active' } } })),
    ).to.have.length(1);
    expect((await got(hivekeep.GET('/v1/agents/{id}', { params: { path } }))).config['own']).to.deep.equal({ b: null });
    await got(hivekeep.PUT('/v1/agents/{id}', { params: { path }, body: { ...agent, description: 'poet' } }));
    expect(
      await got(
        hivekeep.PATCH('/v1/agents/{id}', { params: { path }, body: { memory_quota: null, config: { own: null } } }),
      ),
    ).to.include({ description: 'poet', memory_quota: null });
    const other = await spawn('Bob');
    await got(
      hivekeep.POST('/v1/hives/{id}/agents', { params: { path: { id: hive.id } }, body: { agent_id: other.id } }),
    );
    expect(await got(hivekeep.GET('/v1/hives/{id}/agents', { params: { path: { id: hive.id } } }))).to.have.length(2);
    await got(
      hivekeep.POST('/v1/hives/{id}/memories', {
        params: { path: { id: hive.id } },
        body: { type: 'semantic', content: 'shared', agent_id: agent.id, importance: 1 },
      }),
    );
    expect((await got(hivekeep.GET('/v1/hives/{id}/memories', { params: { path: { id: hive.id } } })))[0]).to.include({
      shared_by: agent.id,
    });
    await got(
      hivekeep.DELETE('/v1/hives/{id}/agents/{agentId}', { params: { path: { id: hive.id, agentId: other.id } } }),
    );
    expect(await got(hivekeep.DELETE('/v1/agents/{id}', { params: { path: { id: other.id } } }))).to.deep.equal({
      id: other.id,
      deleted: true,
    });
    await got(hivekeep.PATCH('/v1/hives/{id}', { params: { path: { id: hive.id } }, body: { name: 'fleet' } }));
    expect((await got(hivekeep.GET('/v1/hives/{id}', { params: { path: { id: hive.id } } }))).memory_count).to.equal(1);
    await got(hivekeep.DELETE('/v1/hives/{id}', { params: { path: { id: hive.id } } }));
  });

  it('memories', async () => {
    const agent = await spawn('Mem');
    const memory = await got(
      hivekeep.POST('/v1/memories', {
        body: {
          type: 'semantic',
          content: 'the launch is on 12 May',
          agent_id: agent.id,
          sessionId: 'talk',
          importance: 0.5,
          expires_at: '2099-01-31T12:00:00+01:00',
          metadata: { e: 1 },
        },
      }),
    );
    await got(hivekeep.POST('/v1/memories', { body: { type: 'episodic', content: 'of the workspace' } }));
    const batch = await got(
      hivekeep.POST('/v1/memories/batch', {
        body: {
          memories: [
            { type: 'semantic', content: 'the kiln is hot', agent_id: agent.id },
            { type: 'semantic', content: 'of nobody', agent_id: 'agent_none' },
          ],
        },
      }),
    );
    expect(batch).to.include({ created: 1, failed: 1 });
    const path = { id: memory.id };
    await got(
      hivekeep.GET('/v1/memories', { params: { query: { agent_id: agent.id, type: 'semantic', sessionId: 'talk' } } }),
    );
    expect(await got(hivekeep.GET('/v1/memories', { params: { query: { metadata: '{"e":1}' } } }))).to.have.length(1);
    await got(hivekeep.GET('/v1/memories/{id}', { params: { path } }));
    const later = await got(
      hivekeep.POST('/v1/memories', {
        body: { type: 'semantic', content: 'the launch moved to 13 May', agent_id: agent.id, supersedes: memory.id },
      }),
    );
    expect(later.supersedes).to.equal(memory.id);
    const history = await got(hivekeep.GET('/v1/memories/{id}/history', { params: { path } }));
    expect(history.map((m) => m.id)).to.have.members([memory.id, later.id]);
    await got(hivekeep.PATCH('/v1/memories/{id}', { params: { path }, body: { valid_until: null } }));
    await got(hivekeep.PATCH('/v1/memories/{id}', { params: { path }, body: { expires_at: null, importance: null } }));
    const found = await got(
      hivekeep.POST('/v1/memories/search', {
        body: { query: 'when is the launch on 12', agent_id: agent.id, include_superseded: true },
      }),
    );
    expect(found[0]).to.include({ id: memory.id });
    const context = await got(
      hivekeep.POST('/v1/context', { body: { agent_id: agent.id, query: 'when is the launch', max_tokens: 500 } }),
    );
    expect(context.items.map(({ id }) => id)).to.include(memory.id);
    await got(hivekeep.DELETE('/v1/memories/{id}', { params: { path } }));
    const ana = { agent_id: agent.id, subject: 'ana' };
    await got(hivekeep.POST('/v1/memories', { body: { type: 'semantic', content: 'the quay is hers', ...ana } }));
    await got(
      hivekeep.DELETE('/v1/agents/{id}/subjects/{subject}', { params: { path: { id: agent.id, subject: 'ana' } } }),
    );
  });

  it('runs', async () => {
    const { id } = await spawn('Run', { config: { multi_step: true } });
    const path = { id };
    await got(hivekeep.POST('/v1/memories', { body: { type: 'semantic', content: 'tea is green', agent_id: id } }));
    expect(
      (
        await got(
          hivekeep.POST('/v1/agents/{id}/message', {
            params: { path, header: { 'Idempotency-Key': 'once' } },
            body: { content: 'is tea green' },
          }),
        )
      ).memories_consulted,
    ).to.have.length(1);
    await got(
      hivekeep.POST('/v1/agent-constellations/{id}/runs', { params: { path }, body: { input: 'note', maxSteps: 5 } }),
    );
    const asking = await got(
      hivekeep.POST('/v1/agent-constellations/{id}/runs', { params: { path }, body: { input: 'ask' } }),
    );
    const at = { id, runId: asking.id };
    const statusOf = async (runId: string) =>
      (await got(hivekeep.GET('/v1/agent-constellations/{id}/runs/{runId}', { params: { path: { id, runId } } })))
        .status;
    await eventually(async () => (await statusOf(asking.id)) === 'paused', 'the question');
    await got(
      hivekeep.POST('/v1/agent-constellations/{id}/runs/{runId}/resume', {
        params: { path: at },
        body: { input: 'yes' },
      }),
    );
    const { data: events } = await hivekeep.GET('/v1/agent-constellations/{id}/runs/{runId}/events', {
      params: { path: at },
      parseAs: 'text',
    });
    expect(events).to.include('event: answer');
    const seeing = { path: { id: (await spawn('See', { config: { model: 'openai/x' } })).id } };
    const image = { filename: 'a.png', mediaType: 'image/png', bytes: 'iVBORw0KGgo=' };
    const { files } = await got(
      hivekeep.POST('/v1/agent-constellations/{id}/runs', { params: seeing, body: { input: 'see', files: [image] } }),
    );
    expect(
      await got(
        hivekeep.GET('/v1/agent-constellations/{id}/files/{sha256}', {
          params: { path: { ...seeing.path, sha256: files[0]?.sha256 ?? '' } },
        }),
      ),
    ).to.deep.include({ bytes: image.bytes, size: 8 });
    const forked = await got(
      hivekeep.POST('/v1/agent-constellations/{id}/runs/{runId}/fork', {
        params: { path: at },
        body: { checkpoint: 1 },
      }),
    );
    await eventually(async () => (await statusOf(forked.id)) === 'completed', 'the fork');
    expect(
      (await got(hivekeep.GET('/v1/agent-constellations/{id}/runs', { params: { path } }))).map(
        (run) => run.triggeredBy,
      ),
    ).to.include('fork');
    expect(
      (
        await got(
          hivekeep.GET('/v1/runs', {
            params: { query: { agent_id: id, status: 'completed', created_after: '2020-01-01T00:00:00Z' } },
          }),
        )
      ).map((run) => run.status),
    ).to.include('completed');
    expect(
      await got(hivekeep.GET('/v1/agent-constellations/{id}/thoughts', { params: { path, query: { limit: 50 } } })),
    ).not.to.have.length(0);
    expect(
      (await got(hivekeep.GET('/v1/agent-constellations/{id}/checkpoints', { params: { path } }))).flatMap(
        (c) => c.calls,
      ),
    ).not.to.have.length(0);
    const own = 'my session/ä';
    await got(hivekeep.POST('/v1/agents/{id}/message', { params: { path }, body: { content: 'hi', sessionId: own } }));
    const sessions = await got(hivekeep.GET('/v1/agents/{id}/sessions', { params: { path } }));
    expect(sessions).not.to.have.length(0);
    expect(await got(hivekeep.GET('/v1/sessions', {}))).to.deep.include(sessions[0]);
    const session = { params: { path: { id, sessionId: own } } };
    expect(await got(hivekeep.GET('/v1/agents/{id}/sessions/{sessionId}/turns', session))).not.to.have.length(0);
    expect(await got(hivekeep.DELETE('/v1/agents/{id}/sessions/{sessionId}', session))).to.include({ id: own });
    await got(
      hivekeep.POST('/v1/agent-constellations/{id}/messages', {
        params: { path },
        body: { content: 'hi', from: 'me', metadata: { f: 1 } },
      }),
    );
    expect((await got(hivekeep.GET('/v1/mailbox/traffic'))).pairs).to.deep.equal([
      { from: 'external', to: id, count: 1 },
    ]);
    const [mail] = await got(hivekeep.GET('/v1/agent-constellations/{id}/messages', { params: { path } }));
    await got(
      hivekeep.DELETE('/v1/agent-constellations/{id}/messages/{messageId}', {
        params: { path: { id, messageId: mail!.id } },
      }),
    );
    await got(
      hivekeep.DELETE('/v1/agent-constellations/{id}/runs/{runId}', { params: { path: { id, runId: forked.id } } }),
    );
  });

  it('the workspace', async () => {
    const { id } = await spawn('Own');
    const path = { id };
    const token = await got(
      hivekeep.POST('/v1/agent-constellations/{id}/tokens', {
        params: { path },
        body: { name: 'peer', scopes: ['agent:read'], expires_at: '2099-01-31T12:00:00Z' },
      }),
    );
    expect(token.token).to.match(/^at_/);
    await got(hivekeep.GET('/v1/agent-constellations/{id}/tokens', { params: { path } }));
    await got(
      hivekeep.DELETE('/v1/agent-constellations/{id}/tokens/{tokenId}', {
        params: { path: { id, tokenId: token.id } },
      }),
    );
    const at = { params: { path } };
    const schedule = await got(
      hivekeep.POST('/v1/agents/{id}/schedules', { ...at, body: { cron: '30 9 * * 1-5', input: 'report' } }),
    );
    expect(schedule.next_times).to.have.length(5);
    await got(hivekeep.GET('/v1/agents/{id}/schedules', at));
    const one = { params: { path: { id, scheduleId: schedule.id } } };
    await got(hivekeep.GET('/v1/agents/{id}/schedules/{scheduleId}', one));
    await got(hivekeep.PATCH('/v1/agents/{id}/schedules/{scheduleId}', { ...one, body: { paused: true } }));
    await got(hivekeep.DELETE('/v1/agents/{id}/schedules/{scheduleId}', one));
    const ring = { kind: 'http' as const, name: 'ring', description: '', url: 'https://tools.example.com/' };
    await got(hivekeep.PATCH('/v1/agents/{id}', { ...at, body: { config: { tools: [ring] } } }));
    const tried = { params: { path: { id, toolName: 'ring' } }, body: {} };
    expect((await got(hivekeep.POST('/v1/agents/{id}/tools/{toolName}/try', tried))).ok).to.equal(false);
    const key = await got(hivekeep.POST('/v1/keys', { body: { name: 'ci', mode: 'test' } }));
    await got(hivekeep.GET('/v1/keys'));
    expect((await got(hivekeep.GET('/v1/audit'))).map((record) => record.action)).to.deep.equal([
      'key.created',
      'tool.called',
      'token.revoked',
      'token.created',
    ]);
    expect((await got(hivekeep.GET('/v1/me'))).key.name).to.equal('ci');
    await got(hivekeep.DELETE('/v1/keys/{id}', { params: { path: { id: key.id } } }));
    await got(hivekeep.GET('/v1/usage'));
    expect((await got(hivekeep.GET('/v1/usage/alerts'))).thresholds).to.deep.equal([80, 95]);
    await got(hivekeep.PUT('/v1/usage/alerts', { body: { thresholds: [50] } }));
    const hook = { url: 'https://hooks.example.com/hive', events: ['run.completed' as const], agent_id: id };
    const webhook = await got(hivekeep.POST('/v1/webhooks', { body: hook }));
    expect(webhook.secret).to.match(/^whsec_/);
    const its = { params: { path: { id: webhook.id } } };
    await got(hivekeep.GET('/v1/webhooks'));
    await got(hivekeep.GET('/v1/webhooks/{id}', its));
    await got(hivekeep.PATCH('/v1/webhooks/{id}', { ...its, body: { enabled: false } }));
    await got(hivekeep.POST('/v1/webhooks/{id}/rotate', its));
    await got(hivekeep.POST('/v1/webhooks/{id}/test', its));
    await got(hivekeep.DELETE('/v1/webhooks/{id}', its));
    const { data: lines } = await hivekeep.GET('/v1/export', { parseAs: 'text' });
    expect(lines).to.match(/^{"record":"export".*\n{"record":"end".*\n$/s);
    const report = await got(
      hivekeep.POST('/v1/import', {
        params: { query: { new_ids: 'copy' } },
        body: lines!,
        bodySerializer: (text) => text,
        headers: { 'content-type': 'application/x-ndjson' },
      }),
    );
    expect(report.added['agent']).to.be.above(0);
    const first = typedFetch(gateway.url, rootKey, conformingFetch(seen, 1));
    const events = first.GET('/v1/events', { params: { query: { types: 'agent' } }, parseAs: 'text' });
    let told = false;
    void events.then(() => {
      told = true;
    });
    await eventually(async () => {
      if (!told) await spawn('Seen');
      return told;
    }, 'an event');
    expect((await events).data).to.include('event: agent.created');
  });

  it('the mixed company of A2A', async () => {
    const { id } = await spawn('Peer');
    const path = { id };
    const say = (method: 'message/send' | 'message/stream' | 'tasks/cancel', messageId: string) =>
      hivekeep.POST('/api/v1/a2a/agents/{id}', {
        params: { path },
        parseAs: 'text',
        body: {
          jsonrpc: '2.0',
          id: 1,
          method,
          params: {
            message: { kind: 'message', role: 'user', messageId, parts: [{ kind: 'text', text: 'go' }] },
            configuration: { pushNotificationConfig: { url: 'https://hooks.example/a' } },
          },
        },
      });
    expect((await say('message/send', 'm-1')).data).to.include('"kind":"task"');
    expect((await say('message/stream', 'm-2')).data).to.include('data: {"jsonrpc"');
    expect((await say('tasks/cancel', 'm-3')).data).to.include('"error"');
    for (const at of [
      '/api/v1/a2a/agents/{id}/card',
      '/api/v1/a2a/agents/{id}/.well-known/agent.json',
      '/api/v1/a2a/agents/{id}/.well-known/agent-card.json',
    ] as const) {
      for (const version of ['0.3', '1.0'] as const)
        expect((await hivekeep.GET(at, { params: { path, header: { 'A2A-Version': version } } })).data?.name).to.equal(
          'Peer',
        );
    }
    const [dead] = await eventually(async () => {
      const letters = await got(hivekeep.GET('/v1/push/dead-letters'));
      return letters.length > 0 && letters;
    }, 'a dead letter');
    await got(hivekeep.POST('/v1/push/dead-letters/{id}/replay', { params: { path: { id: dead!.id } } }));
  });

  it('A2A over HTTP+JSON', async () => {
    const { id: quick } = await spawn('Quick');
    const { id: held } = await spawn('Held', { config: { validation_gate: 'answer' } });
    const ask = async (agent: string, method: string, at: string, body?: object): Promise<string> => {
      const request = new Request(`${gateway.url}/api/v1/a2a/agents/${agent}/${at}`, {
        method,
        headers: {
          ...{ authorization: `Bearer ${rootKey}`, 'a2a-version': '1.0' },
          ...(body && { 'content-type': 'application/a2a+json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await conformingFetch(seen)(request)).text();
    };
    const message = (messageId: string) => ({
      message: { messageId, role: 'ROLE_USER', parts: [{ text: 'go' }] },
    });
    const { task } = JSON.parse(await ask(held, 'POST', 'message:send', message('h-1'))) as { task: { id: string } };
    expect(await ask(quick, 'POST', 'message:stream', message('h-2'))).to.include('TASK_STATE_COMPLETED');
    for (const at of [`tasks/${task.id}`, 'tasks', 'extendedAgentCard']) await ask(held, 'GET', at);
    const configs = `tasks/${task.id}/pushNotificationConfigs`;
    await ask(held, 'POST', configs, { id: 'p', url: 'https://hooks.example/a' });
    for (const at of [configs, `${configs}/p`]) expect(await ask(held, 'GET', at)).to.include('hooks.example');
    await ask(held, 'DELETE', `${configs}/p`);
    const streams = ['GET', 'POST'].map((method) => ask(held, method, `tasks/${task.id}:subscribe`));
    const followed = (): boolean => gateway.calls.filter(({ method }) => method === 'followTask').length >= 2;
    await eventually(async () => followed(), 'two followers');
    expect(await ask(held, 'POST', `tasks/${task.id}:cancel`, {})).to.include('TASK_STATE_CANCELED');
    for (const stream of await Promise.all(streams)) expect(stream).to.include(task.id);
  });

  it('MCP, of both revisions', async () => {
    const { id } = await spawn('Tooled');
    const header = { Accept: 'application/json, text/event-stream' };
    const message = (method: string, params: Record<string, unknown>, requestId?: number) => ({
      params: { path: { id } },
      headers: header,
      parseAs: 'text' as const,
      body: { jsonrpc: '2.0' as const, method, params, ...(requestId !== undefined && { id: requestId }) },
    });
    const call = (name: string, given: object) => message('tools/call', { name, arguments: given }, 1);
    const agent = '/mcp/agents/{id}';
    expect((await hivekeep.POST(agent, message('tools/list', {}, 1))).data).to.include('data: {"result":{"tools"');
    expect((await hivekeep.POST(agent, message('notifications/initialized', {}))).response.status).to.equal(202);
    expect((await hivekeep.POST(agent, call('remember', { content: 'tea' }))).data).to.include('"agent_id"');
    expect((await hivekeep.POST(agent, call('recall', { query: 'tea' }))).data).to.include('"relevance"');
    expect((await hivekeep.POST('/mcp', { ...call('get_usage', {}), params: {} })).data).to.include('"storage"');
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const modern = message('tools/list', { _meta: envelope }, 1);
    modern.headers = { ...header, ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' } };
    expect((await hivekeep.POST(agent, modern)).data).to.match(/^\{"result":\{"tools"/);
    expect((await hivekeep.POST(agent, { ...modern, headers: header })).response.status).to.equal(400);
  });

  it('OpenAI, whole and in chunks', async () => {
    const { id } = await spawn('Model');
    const completions = '/v1/openai/v1/chat/completions';
    const body = { model: id, messages: [{ role: 'user' as const, content: 'hello' }] };
    expect((await hivekeep.POST(completions, { body })).data).to.have.nested.property('hivekeep.status', 'completed');
    const streamed = await hivekeep.POST(completions, { body: { ...body, stream: true }, parseAs: 'text' });
    expect(streamed.data).to.match(/\ndata: \[DONE\]\n\n$/);
    expect((await hivekeep.POST(completions, { body: { ...body, model: 'nobody' } })).response.status).to.equal(404);
    expect((await hivekeep.GET('/v1/openai/v1/models')).data?.data.map((model) => model.id)).to.include(id);
  });

  it('what needs no key', async () => {
    expect((await hivekeep.GET('/livez')).data).to.deep.equal({ status: 'ok' });
    expect((await hivekeep.GET('/readyz')).data).to.deep.equal({ status: 'ready' });
    expect((await hivekeep.GET('/metrics', { parseAs: 'text' })).data).to.include('# HELP');
    expect((await hivekeep.GET('/openapi.json')).data).to.include({ openapi: '3.1.0' });
    expect((await hivekeep.GET('/docs', { parseAs: 'text' })).data).to.match(/^<!doctype html>/);
  });

  it('of what its state, or an earlier request, does not allow', async () => {
    const { id } = await spawn('End');
    const path = { id };
    await got(hivekeep.PATCH('/v1/agents/{id}', { params: { path }, body: { status: 'terminated' } }));
    expect(
      (await hivekeep.POST('/v1/agents/{id}/message', { params: { path }, body: { content: 'hi' } })).error?.error.code,
    ).to.equal('AGENT_INACTIVE');
    const make = (name: string) =>
      hivekeep.POST('/v1/hives', { params: { header: { 'Idempotency-Key': 'a-hive' } }, body: { name } });
    const first = await got(make('one'));
    const again = await make('one');
    expect(again.data?.data).to.deep.equal(first);
    expect(again.response.headers.get('idempotent-replayed')).to.equal('true');
    expect((await make('two')).error?.error.code).to.equal('IDEMPOTENCY_MISMATCH');
    expect([...seen.statuses]).to.include.members([409, 422]);
  });

  it('leave no operation out', () => {
    expect([...seen.succeeded].sort()).to.deep.equal([...allOperations].sort());
  });
});

describe('refusals as documented', () => {
  const seen: Seen = { succeeded: new Set(), statuses: new Set() };
  let gateway: TestGateway;
  const fail = (): never => {
    throw new Error('of ours');
  };
  before(async () => {
    gateway = await gatewayOf(
      {
        credentials: { svc_live_weak: keyPrincipal(['memory:read']) },
        service: { getHive: fail, ready: () => ({ ready: false, reason: 'starting' }) },
      },
      4,
    );
  });
  after(() => gateway.stop());

  const ask = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    conformingFetch(seen)(
      new Request(gateway.url + path, {
        method,
        body,
        headers: {
          authorization: `Bearer ${rootKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      }),
    );

  const refusals: readonly [status: number, what: string, () => Promise<Response>][] = [
    [400, 'a field that is wrong', () => ask('POST', '/v1/hives', '{"name":5}')],
    [400, 'a page that is too large', () => ask('GET', '/v1/agents?page_size=101')],
    [400, 'a cursor of no list', () => ask('GET', '/v1/memories?cursor=a.b')],
    [
      400,
      'a card of no version',
      () => ask('GET', '/api/v1/a2a/agents/agent_1/card', undefined, { 'a2a-version': '7' }),
    ],
    [401, 'no key', () => ask('GET', '/v1/agents', undefined, { authorization: '' })],
    [401, 'no key for A2A', () => ask('POST', '/api/v1/a2a/agents/agent_1', '{}', { authorization: '' })],
    [
      403,
      'a scope that is missing',
      () => ask('GET', '/v1/agents', undefined, { authorization: 'Bearer svc_live_weak' }),
    ],
    [404, 'what cannot be an id', () => ask('GET', '/v1/memories/a.b')],
    [
      413,
      'a body that is too large',
      () => ask('POST', '/v1/memories', JSON.stringify({ type: 'semantic', content: 'x'.repeat(1024 * 1024) })),
    ],
    [
      415,
      'a body that is no JSON',
      () => ask('POST', '/v1/hives', 'name=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    [500, 'a fault of ours', () => ask('GET', '/v1/hives/hive_1')],
    [503, 'a server that starts', () => ask('GET', '/readyz')],
    [
      429,
      'too many from one address',
      async () => {
        for (let i = 0; i < 20; i++) {
          const answer = await ask('GET', '/openapi.json');
          if (answer.status === 429) return answer;
        }
        throw new Error('none was refused');
      },
    ],
  ];
  for (const [status, what, asked] of refusals) {
    it(`${status}: ${what}`, async () => {
      expect((await asked()).status).to.equal(status);
    });
  }
});
