/** Answers that are waited for longer than proxies wait (docs/api.md 10.1; gateway/http/responder.ts; McpRuns.M5). */
import { expect } from 'chai';
import type { Clock } from '../../../src/domain/shared/clock.js';
import { unavailable } from '../../../src/domain/shared/errors.js';
import type { Run } from '../../../src/domain/model/model.js';
import type { Service } from '../../../src/service.js';
import { fixtures } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';
import { clientInfo, revision } from '../../e2e/mcp/support/wire.js';

/** Timers of ten seconds and more are fired by the test. */
function handClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  let timers: { at: number; fn: () => void }[] = [];
  return {
    now: () => Date.now(),
    after(ms, fn) {
      if (ms < 10_000) {
        const timer = setTimeout(fn, ms).unref();
        return () => clearTimeout(timer);
      }
      const timer = { at: now + ms, fn };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    pass(ms) {
      now += ms;
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers = timers.filter((each) => each !== timer);
        timer.fn();
      }
    },
  };
}

interface Wire {
  name: string;
  path: string;
  body: object;
  headers?: Record<string, string>;
  /** The service, whose answer comes when `come` settles. */
  /** `getRun` is the answer of that command. */
  service: (come: Promise<void>, begun: () => void) => Partial<Service> & { getRun?: () => Promise<Run> };
  /** What the answer has once it came. */
  has: string;
}
const { run, task } = fixtures;
const running = { ...run, status: 'running', stopReason: null, ended_at: null, output: null } as Run;
const tasks = (come: Promise<void>, told: () => void): Partial<Service> => ({
  sendTask: async (_caller, _agent, _input, _gone, begun) => {
    begun?.();
    told();
    await come;
    return task;
  },
});
const wires: readonly Wire[] = [
  {
    name: 'a direct message',
    path: '/v1/agents/agent_1/message',
    body: { content: 'hello' },
    service: (come, told) => ({
      messageAgent: async (_caller, _agent, _input, begun) => {
        begun?.();
        told();
        await come;
        return { run_id: 'run_1' } as Awaited<ReturnType<Service['messageAgent']>>;
      },
    }),
    has: '"run_id":"run_1"',
  },
  {
    name: 'message/send of A2A',
    path: '/api/v1/a2a/agents/agent_1',
    body: {
      jsonrpc: '2.0',
      id: 7,
      method: 'message/send',
      params: {
        message: { role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'hello' }] },
        configuration: { blocking: true },
      },
    },
    service: tasks,
    has: '"jsonrpc":"2.0","id":7,"result"',
  },
  {
    name: 'message:send of A2A over HTTP+JSON',
    path: '/api/v1/a2a/agents/agent_1/message:send',
    body: { message: { role: 'ROLE_USER', messageId: 'm', parts: [{ text: 'hello' }] } },
    service: tasks,
    has: '"task"',
  },
  {
    name: 'a chat completion',
    path: '/v1/openai/v1/chat/completions',
    body: { model: 'agent_1', messages: [{ role: 'user', content: 'hello' }] },
    service: (come, told) => ({
      startRun: async () => running,
      getRun: async () => run,
      runEvents: async () => {
        told();
        return (async function* () {
          await come;
          yield* [];
        })();
      },
    }),
    has: '"object":"chat.completion"',
  },
  ...(['ask_agent', 'get_run'] as const).map((name) => mcpCall(name)),
];

/** A call of MCP 2026-07-28 that follows a run, and wants no progress. */
function mcpCall(name: 'ask_agent' | 'get_run', _meta: object = {}): Wire {
  const method = 'tools/call';
  return {
    name: `${name} of MCP`,
    path: '/mcp/agents/agent_1',
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      'mcp-name': name,
    },
    body: {
      jsonrpc: '2.0',
      id: 7,
      method,
      params: {
        name,
        arguments: { ...(name === 'ask_agent' ? { message: 'hello' } : { run_id: run.id }), wait_seconds: 540 },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': clientInfo,
          'io.modelcontextprotocol/clientCapabilities': {},
          ..._meta,
        },
      },
    },
    service: (come, told) => {
      let ended = false;
      return {
        converse: async () => ({ run: running, answers: null }),
        getRun: async () => (ended ? run : running),
        runEvents: async () => {
          told();
          return (async function* () {
            await come;
            ended = true;
            yield* [];
          })();
        },
      };
    },
    has: '"jsonrpc":"2.0","id":7',
  };
}

/** As the gateway loads the server of MCP, later than the rest, so that both mean the same class. */
async function away(toMcp: boolean): Promise<Error> {
  const errors = toMcp ? await import('../../../src/domain/shared/errors.js') : { unavailable };
  return errors.unavailable('the store is away');
}

describe('gateway: answers that are waited for', () => {
  let gateway: TestGateway;
  let clock: ReturnType<typeof handClock>;
  afterEach(() => gateway.stop());

  /** A request whose answer comes when the test says so, from when its run has begun. */
  async function asked({ path, body, headers, service }: Wire) {
    clock = handClock();
    let come = (): void => undefined;
    let fail = (_error: Error): void => undefined;
    const coming = new Promise<void>((resolve, reject) => {
      come = resolve;
      fail = reject;
    });
    let told = (): void => undefined;
    const begun = new Promise<void>((resolve) => (told = resolve));
    const { getRun, ...methods } = service(coming, () => setImmediate(told));
    gateway = await startGateway({
      service: methods,
      commands: { ...(getRun && { getRun }) },
      options: { clock, monotonic: () => 0 },
    });
    const response = fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    await begun;
    return { response, come, fail };
  }

  for (const wire of wires) {
    it(`${wire.name}: has a Content-Length where it comes in time`, async () => {
      const { response, come } = await asked(wire);
      clock.pass(49_999);
      come();
      const answer = await response;
      expect(answer.status).to.equal(200);
      const text = await answer.text();
      expect(answer.headers.get('content-length')).to.equal(String(Buffer.byteLength(text)));
      expect(text).to.include(wire.has).and.not.match(/^\s/);
    });

    it(`${wire.name}: is kept alive by white space after 50 seconds, and is whole JSON in the end`, async () => {
      const { response, come } = await asked(wire);
      clock.pass(50_000);
      const answer = await response; // its head is there
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.match(/^application\/(a2a\+)?json/);
      expect(answer.headers.get('x-accel-buffering')).to.equal('no');
      expect(answer.headers.get('x-request-id')).to.match(/^req_/);
      clock.pass(25_000);
      clock.pass(25_000);
      come();
      const text = await answer.text();
      expect(text)
        .to.match(/^ {3}\{/)
        .and.include(wire.has);
      expect(JSON.parse(text)).to.be.an('object');
      clock.pass(25_000);
      expect(gateway.counted.map(({ status }) => status)).to.deep.equal([200]);
    });

    // a call of MCP says in its body what went wrong, and its status stays 200
    const saysItInItsBody = wire.name.endsWith('of MCP');
    it(`${wire.name}: ${saysItInItsBody ? 'says' : 'is cut by'} what goes wrong after its head`, async () => {
      const { response, fail } = await asked(wire);
      clock.pass(50_000);
      const answer = await response;
      fail(await away(saysItInItsBody));
      const text = await answer.text().catch(() => 'cut');
      if (saysItInItsBody) expect(JSON.parse(text)).to.have.nested.property('result.isError', true);
      else expect(text).to.equal('cut');
    });

    it(`${wire.name}: says what goes wrong before its head`, async () => {
      const { response, fail } = await asked(wire);
      fail(await away(saysItInItsBody));
      const answer = await response;
      expect(answer.status).to.equal(saysItInItsBody ? 200 : 503);
      expect(await answer.text()).to.include('the store is away');
    });
  }

  it('a call of MCP that wants progress is a stream from when it waits, however long nothing happens', async () => {
    const wire = mcpCall('ask_agent', { progressToken: 'p' });
    const { response, come } = await asked(wire);
    const answer = await response;
    expect(answer.headers.get('content-type')).to.match(/^text\/event-stream/);
    come();
    const text = await answer.text();
    expect(text).to.include(wire.has).and.not.include('hivekeep/followed').and.not.match(/^id:/m);
  });

  it('a chat completion whose run fails after its head says so in its body', async () => {
    const wire = wires.find(({ name }) => name === 'a chat completion')!;
    const failed = { ...run, status: 'failed', output: null, error: { code: 'x', message: 'the model is gone' } };
    const { response, come } = await asked({
      ...wire,
      service: (...how) => ({ ...wire.service(...how), getRun: async () => failed as unknown as Run }),
    });
    clock.pass(50_000);
    const answer = await response;
    come();
    expect(answer.status).to.equal(200);
    expect(JSON.parse(await answer.text())).to.have.property('error');
  });
});
