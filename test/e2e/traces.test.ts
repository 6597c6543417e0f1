/**
 * Traces, as a collector sees them that is named by the standard variables (docs/operations.md): one trace through the
 * agents that a request sets to work, and on to whoever they ask; nothing of what is said, and nothing without a collector.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type FakePeer, completed, startFakePeer } from '../helpers/a2a-peer.js';
import { type McpToolServer, listed, startMcpTools, text } from '../helpers/mcp-tools.js';
import { type Collector, type SeenSpan, startCollector, tellingTo } from '../helpers/otlp-collector.js';
import { pythonWith } from '../helpers/python.js';
import { asking, type ScriptedOpenAi, startScriptedOpenAi } from '../helpers/scripted-openai.js';
import { buildWhenNeeded, end, launch, mainFile, rootKey, type Running } from '../helpers/server-process.js';

const run = promisify(execFile);
const given = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${given.traceId}-${given.spanId}-01`;
type Json = Record<string, unknown>;

describe('black box: traces', function suite() {
  this.timeout(120_000);
  let folder: string;
  let collector: Collector;
  let model: ScriptedOpenAi;
  let server: Running | null = null;
  const errors: string[] = [];
  /** What others were sent, at any path. */
  let others: Server;
  let seen: { path: string; headers: IncomingHttpHeaders }[];

  before(() => buildWhenNeeded());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hivekeep-traces-'));
    collector = await startCollector();
    model = await startScriptedOpenAi();
    seen = [];
    others = createServer((request, response) => {
      request.resume().on('end', () => {
        seen.push({ path: request.url ?? '', headers: request.headers });
        response.writeHead(200, { 'content-type': 'text/plain' }).end('sunny');
      });
    });
    await new Promise<void>((done) => others.listen(0, '127.0.0.1', done));
  });
  afterEach(async () => {
    if (server) await end(server, 'SIGKILL');
    server = null;
    errors.length = 0;
    await Promise.all([collector.close(), model.close()]);
    others.closeAllConnections();
    others.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (): string => `127.0.0.1:${(others.address() as AddressInfo).port}`;
  async function start(more: Record<string, string> = tellingTo(collector), allowed: string[] = []): Promise<void> {
    const env = {
      HIVEKEEP_PORT: '0',
      HIVEKEEP_DATA_DIR: join(folder, 'data'),
      HIVEKEEP_ROOT_KEY: rootKey,
      HIVEKEEP_LOG_FORMAT: 'json',
      HIVEKEEP_LOG_LEVEL: 'debug',
      HIVEKEEP_PUSH_ALLOW: [at(), ...allowed].join(','),
      ...asking(model),
      ...more,
    };
    server = await launch(mainFile, env, errors, []);
  }
  async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Json> {
    const response = await fetch(`${server?.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const told = await response.text();
    expect(response.status, told).to.be.lessThan(300);
    const answer = told.startsWith('{') ? (JSON.parse(told) as Json) : {};
    return (answer['data'] ?? answer) as Json;
  }
  const spawn = async (name: string, config: object = {}): Promise<string> =>
    String((await post('/v1/agents/spawn', { name, config }))['id']);
  const lines = (): Json[] =>
    errors
      .join('')
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Json] : []));
  /** The names from this span up to the one that began the trace here. */
  function path(span: SeenSpan): string[] {
    const above = collector.spans.find(({ spanId }) => spanId === span.parent);
    return [span.name, ...(above ? path(above) : [])];
  }
  const idOf = (header: unknown): string => String(header).slice(3, 35);

  it('go from a request through steps, models, tools, memories and other agents, without what is said', async () => {
    await start();
    await spawn('Bob');
    const tool = {
      kind: 'http',
      name: 'weather',
      description: 'of a city',
      url: `http://${at()}/weather`,
      reads_only: true,
    };
    const ana = await spawn('Ana', { model: 'openai/gpt-x', multi_step: true, tools: [tool] });
    await post('/v1/webhooks', { url: `http://${at()}/hook`, events: ['run.completed'] });
    model.queue(
      {
        completion: {
          id: 'c1',
          model: 'gpt-x-2026',
          usage: { prompt_tokens: 70, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 20 } },
          choices: [
            {
              finish_reason: 'tool_calls',
              message: {
                role: 'assistant',
                content: null,
                tool_calls: [
                  ['remember', { content: 'The boat is emerald.', type: 'semantic' }],
                  ['weather', { city: 'Oslotown' }],
                  ['ask_agent', { agent: 'Bob', question: 'Say: echo: violet' }],
                ].map(([name, args], i) => ({
                  id: `call_${i}`,
                  type: 'function',
                  function: { name, arguments: JSON.stringify(args) },
                })),
              },
            },
          ],
        },
      },
      { text: 'crimson' },
    );
    const answer = await post(`/v1/agents/${ana}/message`, { content: 'magenta, please' }, { traceparent });
    expect(answer['response']).to.equal('crimson');

    const root = await collector.span('POST /v1/agents/:id/message');
    expect(root).to.include({ traceId: given.traceId, parent: given.spanId, kind: 2, failed: false });
    expect(root.attributes).to.include({ 'http.route': '/v1/agents/:id/message', 'http.response.status_code': 200 });
    expect(root.resource).to.include({ 'service.name': 'hivekeep' });
    const chat = await collector.span('chat gpt-x', ({ attributes }) => attributes['gen_ai.response.id'] === 'c1');
    expect(path(chat)).to.deep.equal(['chat gpt-x', 'step', 'invoke_agent Ana', root.name]);
    expect(chat.attributes).to.include({
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-x',
      'gen_ai.response.model': 'gpt-x-2026',
      'gen_ai.usage.input_tokens': 70,
      'gen_ai.usage.cache_read.input_tokens': 20,
      'gen_ai.usage.output_tokens': 5,
    });
    const below = ['step', 'invoke_agent Ana', root.name];
    expect(path(await collector.span('search_memory', ({ parent }) => parent === chat.parent))).to.deep.equal([
      'search_memory',
      ...below,
    ]);
    expect(path(await collector.span('execute_tool remember'))).to.deep.equal(['execute_tool remember', ...below]);
    expect(path(await collector.span('execute_tool weather'))).to.deep.equal(['execute_tool weather', ...below]);
    expect(path(await collector.span('create_memory'))).to.deep.equal(['create_memory', 'commit', ...below]);
    const bob = await collector.span('invoke_agent Bob');
    expect(path(bob)).to.deep.equal(['invoke_agent Bob', 'send ask', ...below]);
    expect(path(await collector.span('send answer'))).to.include.members(['invoke_agent Bob', root.name].slice(1));
    await collector.span('push event', ({ traceId }) => traceId === given.traceId);
    expect(collector.spans.filter(({ traceId }) => traceId === given.traceId).every((one) => !one.failed)).to.equal(
      true,
    );

    // whoever was asked on the way was told of the trace, and of no more than that
    expect(model.requests.map(({ headers }) => idOf(headers['traceparent']))).to.deep.equal([
      given.traceId,
      given.traceId,
    ]);
    const weather = seen.find(({ path: of }) => of === '/weather')?.headers;
    const tooling = await collector.span('execute_tool weather');
    expect(weather?.['traceparent']).to.equal(`00-${given.traceId}-${tooling.spanId}-01`);
    expect(idOf(seen.find(({ path: of }) => of === '/hook')?.headers['traceparent'])).to.equal(given.traceId);
    for (const { headers } of seen) expect(headers).to.not.have.any.keys('baggage', 'tracestate');

    const told = JSON.stringify(collector.spans);
    for (const said of ['emerald', 'Oslotown', 'violet', 'crimson', 'magenta', 'sunny'])
      expect(told).to.not.include(said);
    for (const { attributes } of collector.spans) expect(Object.keys(attributes).length).to.be.lessThan(32);

    const line = lines().find(
      ({ event, route }) => event === 'request.completed' && route === '/v1/agents/:id/message',
    );
    expect(line).to.include({ trace_id: given.traceId, span_id: root.spanId });
  });

  it('go on to servers of MCP and to peers, and come in by MCP and A2A', async () => {
    let key: unknown;
    const tools: McpToolServer = await startMcpTools('modern', {
      list: [listed('find', { readOnlyHint: true })],
      call: (call) => {
        key = call.key;
        return text('found');
      },
    });
    const peer: FakePeer = await startFakePeer();
    peer.on((request) => request.result({ task: completed('t1', 'high tide') }));
    try {
      await start(tellingTo(collector), [tools.host, peer.host]);
      const ana = await spawn('Ana', {
        model: 'openai/gpt-x',
        multi_step: true,
        tools: [
          { kind: 'mcp', name: 'shop', url: tools.url, reads_only: true },
          { kind: 'a2a', name: 'harbour', card: peer.card, reads_only: true },
        ],
      });
      model.queue(
        { calls: [{ name: 'shop_find', arguments: {} }] },
        { calls: [{ name: 'harbour', arguments: { message: 'When?' } }] },
        { text: 'done' },
      );
      const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'go' }] };
      const asked = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
      await post(`/api/v1/a2a/agents/${ana}`, asked, { traceparent, 'a2a-version': '1.0' });
      await collector.span('invoke_agent Ana');
      expect(key).to.be.a('string');
      const used = await collector.span(/^execute_tool shop/);
      expect(used.traceId).to.equal(given.traceId);
      expect(tools.headers.map((headers) => headers['traceparent'])).to.include(
        `00-${given.traceId}-${used.spanId}-01`,
      );
      const sent = await collector.span('send peer');
      expect(peer.seen[0]?.headers['traceparent']).to.equal(`00-${given.traceId}-${sent.spanId}-01`);

      const other = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
      const call = {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: {
          name: 'remember',
          arguments: { content: 'The quay is long.' },
          _meta: { traceparent: `00-${other.traceId}-${other.spanId}-01`, baggage: 'a=b' },
        },
      };
      await post(`/mcp/agents/${ana}`, call, {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      });
      const served = await collector.span('tools/call remember');
      expect(served).to.include({ traceId: other.traceId, parent: other.spanId, kind: 2 });
      expect(path(await collector.span('create_memory', ({ traceId }) => traceId === other.traceId))).to.include(
        'tools/call remember',
      );
    } finally {
      await Promise.all([tools.close(), peer.close()]);
    }
  });

  it('go on in the next process', async () => {
    await start();
    const ana = await spawn('Ana', { model: 'openai/gpt-x' });
    model.queue({ hang: true });
    await post(`/v1/agent-constellations/${ana}/runs`, { input: 'go' }, { traceparent });
    await model.received(1);
    if (server) await end(server, 'SIGKILL');
    model.queue({ text: 'done' });
    await start();
    const told = await collector.span('invoke_agent Ana');
    expect(told).to.include({ traceId: given.traceId });
    const step = await collector.span('step');
    expect(step).to.include({ traceId: given.traceId, parent: told.spanId });
    expect(model.requests.map(({ headers }) => idOf(headers['traceparent']))).to.deep.equal([
      given.traceId,
      given.traceId,
    ]);
  });

  it('say what was said where that is asked for, in JSON, with headers and names of the operator', async () => {
    await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=blue',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'keeper',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    const ana = await spawn('Ana', { model: 'openai/gpt-x' });
    model.queue({ text: 'crimson' });
    await post(`/v1/agents/${ana}/message`, { content: 'x'.repeat(20_000) });
    const chat = await collector.span('chat gpt-x');
    expect(chat.attributes['gen_ai.output.messages']).to.include('crimson');
    expect(String(chat.attributes['gen_ai.input.messages']).length).to.equal(8192);
    expect(chat.resource).to.include({ 'service.name': 'keeper', 'deployment.environment.name': 'test' });
    expect(collector.headers[0]).to.include({ 'x-team': 'blue' });
  });

  it('are as the conventions for generative AI have it, by a kit for them', async function () {
    const found = await pythonWith('pytest-genai-semconv', '0.1.0');
    if ('missing' in found) {
      if (process.env['CI'] !== undefined) throw new Error(found.missing);
      this.skip();
    }
    await start();
    const ana = await spawn('Ana', { model: 'openai/gpt-x', multi_step: true });
    model.queue({ calls: [{ name: 'remember', arguments: { content: 'A.', type: 'semantic' } }] }, { text: 'done' });
    await post(`/v1/agents/${ana}/message`, { content: 'go' });
    await collector.span('invoke_agent Ana');
    await collector.span('create_memory');
    const spans = collector.spans.filter(({ attributes }) => 'gen_ai.operation.name' in attributes);
    const operations = new Set(spans.map(({ attributes }) => attributes['gen_ai.operation.name']));
    expect([...operations]).to.include.members([
      'chat',
      'invoke_agent',
      'execute_tool',
      'search_memory',
      'create_memory',
    ]);
    const file = join(folder, 'spans.json');
    writeFileSync(file, JSON.stringify(spans));
    const checks = `
import json, sys
from types import SimpleNamespace
from pytest_genai_semconv import assertions
kinds = {1: 'INTERNAL', 2: 'SERVER', 3: 'CLIENT', 4: 'PRODUCER'}
for one in json.load(open(sys.argv[1])):
    span = SimpleNamespace(name=one['name'], kind=SimpleNamespace(name=kinds[one['kind']]), attributes=one['attributes'])
    assertions.assert_genai_span_compliant(span)
    profile = assertions._resolve_profile(span)
    if profile: assert not assertions._collect_profile_violations(span, profile, check_span_name=True), one
`;
    await run(found.python, ['-c', checks, file]);
  });

  it('are not told where the operator samples none, and others are told nothing', async () => {
    await start({ ...tellingTo(collector), OTEL_TRACES_SAMPLER: 'always_off' });
    const ana = await spawn('Ana', { model: 'openai/gpt-x' });
    model.queue({ text: 'done' });
    await post(`/v1/agents/${ana}/message`, { content: 'go' }, { traceparent });
    expect(model.requests[0]?.headers).to.not.have.property('traceparent');
    if (server) await end(server, 'SIGTERM');
    expect(collector.spans).to.deep.equal([]);
  });

  it('are not begun by whoever has no credential, nor by what is no traceparent', async () => {
    await start();
    const refused = await fetch(`${server?.url}/v1/agents`, { headers: { traceparent } });
    expect(refused.status).to.equal(401);
    await fetch(`${server?.url}/readyz`, { headers: { traceparent } });
    await post('/v1/agents/spawn', { name: 'A' }, { traceparent: `00-${'0'.repeat(32)}-${given.spanId}-01` });
    await collector.span('POST /v1/agents/spawn', ({ parent }) => parent === '');
    if (server) await end(server, 'SIGTERM');
    expect(collector.spans.some(({ traceId }) => traceId === given.traceId)).to.equal(false);
  });

  it('disturb nothing where the collector is away, and the log says so once', async () => {
    const { url } = collector;
    await collector.close();
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10', OTEL_BSP_MAX_QUEUE_SIZE: '20' });
    const ana = await spawn('Ana');
    for (let i = 0; i < 100; i++) await post(`/v1/agents/${ana}/message`, { content: `Say: echo: ${i}` });
    const ended = await end(server as Running, 'SIGTERM');
    expect(ended.code).to.equal(0);
    expect(lines().filter(({ event }) => event === 'traces.problem').length).to.be.lessThan(2);
    collector = await startCollector();
  });

  it('cost nothing without a collector: no part of the SDK is loaded', async () => {
    const script = `
const { createRequire } = await import('node:module');
process.argv[2] = 'serve';
await import(${JSON.stringify(mainFile.replace('main.js', 'serve.js'))});
const loaded = Object.keys(createRequire(${JSON.stringify(mainFile)}).cache);
console.log(loaded.filter((one) => /@opentelemetry.(sdk|exporter|otlp|resources|core)/.test(one)).length, loaded.length > 0);
`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout.trim()).to.equal('0 true');
    await start({});
    const ana = await spawn('Ana', { model: 'openai/gpt-x' });
    model.queue({ text: 'done' });
    await post(`/v1/agents/${ana}/message`, { content: 'go' }, { traceparent });
    expect(model.requests[0]?.headers).to.not.have.property('traceparent');
    expect(lines().some((line) => 'trace_id' in line)).to.equal(false);
  });
});
