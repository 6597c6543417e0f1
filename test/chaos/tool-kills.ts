/**
 * The service uses tools by HTTP and of an MCP server while it is killed with SIGKILL, round after round: when a call
 * has reached the tool and is not answered, when it has just been answered, when the model is asked, or at any moment.
 *
 *  - A call that must not repeat is made at most once; where the run's record says that it was done, exactly once.
 *  - One that may repeat is made until it is done, each time with the same key.
 *  - No call is forgotten: every run ends with a record of all of its calls, in their order, and of no others.
 */
import { expect } from 'chai';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { notKnown } from '../../src/domain/agent-tools.js';
import { listed, startMcpTools, text } from '../helpers/mcp-tools.js';
import { startTestServer, type TestServer } from '../helpers/server.js';
import { get, listAll, post, type Thing } from './client.js';
import { startModelServer, type ChatMessage, type Call } from './model-server.js';
import { Random } from './random.js';

const once = ['pay', 'shop.buy'];
const repeated = ['note', 'shop.set'];
const order = ['pay', 'shop.buy', 'note', 'shop.set'];
const steps = 2;

/** Every step but the last calls all tools, each with arguments of its own. */
function script(messages: readonly ChatMessage[]): Call[] {
  const unique = messages
    .flatMap(({ role, content }) => (role === 'user' ? (/^work (\S+)$/.exec(content ?? '')?.[1] ?? []) : []))
    .at(-1);
  const done = messages.filter((m) => m.tool_calls !== undefined).length;
  if (unique === undefined || done >= steps) return [{ name: 'answer', arguments: { content: 'done' } }];
  return order.map((name, n) => ({ name: name.replace('.', '_'), arguments: { u: `${unique}-${done}-${n}` } }));
}

type Moment = 'arrival' | 'answer' | 'model';

export interface Tally {
  rounds: number;
  runs: number;
  calls: number;
  /** Of those that must not repeat: done, and not known, with and without effect. */
  done: number;
  lost: { effect: number; none: number };
  /** Calls that were made more than once, as they may be. */
  again: number;
}

export async function toolKillRounds(rounds: number, seed: number): Promise<Tally> {
  const random = new Random(seed);
  /** The keys with which each call was made, by its `u`. */
  const made = new Map<string, unknown[]>();
  let armed: { moment: Moment; left: number; kill: () => void } | null = null;
  const reached = (moment: Moment): void => {
    if (armed?.moment !== moment || --armed.left > 0) return;
    armed.kill();
    armed = null;
  };
  const take = async (u: string, key: unknown): Promise<void> => {
    made.set(u, [...(made.get(u) ?? []), key]);
    reached('arrival');
    await pause(random.between(0, 8));
  };

  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { u } = JSON.parse(body) as { u: string };
      void take(u, request.headers['idempotency-key']).then(() => {
        response.end(`did ${u}`, () => {
          reached('answer');
        });
      });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  const mcp = await startMcpTools('stateless', {
    list: [listed('buy'), listed('set', { idempotentHint: true })],
    async call({ arguments: { u }, key }) {
      await take(String(u), key);
      setImmediate(() => {
        reached('answer');
      });
      return text(`did ${String(u)}`);
    },
  });
  const model = await startModelServer(() => {
    reached('model');
    return random.between(1, 10);
  }, script);
  const server = await startTestServer({
    env: {
      HIVEKEEP_OPENAI_BASE_URL: model.url,
      HIVEKEEP_PUSH_ALLOW: `${host},${mcp.host}`,
      HIVEKEEP_LOG_LEVEL: 'warn',
    },
  });
  try {
    const http = { kind: 'http', description: 'It does it.', url: `http://${host}/` };
    const tools = [
      { ...http, name: 'pay', keyed: false },
      { ...http, name: 'note' },
      { kind: 'mcp', name: 'shop', url: mcp.url, repeatable: ['set'] },
    ];
    const config = { model: 'openai/scripted', multi_step: true, tools };
    const agents: string[] = [];
    for (const name of ['Ada', 'Bo']) {
      const spawned = await post(server, '/v1/agents/spawn', { name, config });
      if (spawned.kind !== 'done') throw new Error('no agent');
      agents.push(spawned.data.id);
    }
    for (let round = 1; round <= rounds; round++) {
      const moment = random.pick(['arrival', 'arrival', 'answer', 'model', 'any'] as const);
      const killed = new Promise<void>((resolve) => {
        const kill = (): void => {
          server.kill('SIGKILL').then(() => {
            resolve();
          }, resolve);
        };
        if (moment === 'any') setTimeout(kill, random.between(5, 400));
        else armed = { moment, left: random.between(1, moment === 'model' ? 6 : 28), kill };
      });
      const begun = agents.flatMap((agent) =>
        ['a', 'b'].map((session) =>
          post(server, `/v1/agent-constellations/${agent}/runs`, {
            input: `work ${round}-${agent.slice(-4)}-${session}`,
            sessionId: `sess_${session}`,
          }),
        ),
      );
      await killed;
      await Promise.all(begun);
      await server.restart();
      await ended(server, agents);
    }
    const tally = await check(server, agents, made, rounds);
    expect(server.stderr(), 'the log').not.to.match(/"level":(50|60)|unhandled/i);
    return tally;
  } finally {
    await server.stop();
    await Promise.all([model.close(), mcp.close()]);
    http.closeAllConnections();
    http.close();
  }
}

async function ended(server: TestServer, agents: readonly string[]): Promise<void> {
  for (const end = Date.now() + 60_000; ;) {
    const live: string[] = [];
    for (const agent of agents) {
      const { items } = await listAll(server, `/v1/agent-constellations/${agent}/runs`);
      live.push(...items.flatMap((run) => (run['status'] === 'completed' ? [] : JSON.stringify(run))));
    }
    if (live.length === 0) return;
    if (Date.now() > end) expect.fail(`has not ended: ${live.join()}`);
    await pause(20);
  }
}

interface Outcome {
  tool: string;
  arguments: Record<string, string>;
  ok: boolean;
  result: string;
}

async function check(
  server: TestServer,
  agents: readonly string[],
  made: ReadonlyMap<string, unknown[]>,
  rounds: number,
): Promise<Tally> {
  const tally: Tally = { rounds, runs: 0, calls: 0, done: 0, lost: { effect: 0, none: 0 }, again: 0 };
  const recorded = new Set<string>();
  for (const agent of agents)
    for (const { id, input } of (await listAll(server, `/v1/agent-constellations/${agent}/runs`)).items) {
      tally.runs++;
      const run: Thing = await get(server, `/v1/agent-constellations/${agent}/runs/${id}`);
      expect(run, JSON.stringify(run)).to.include({ status: 'completed', stopReason: 'answer', output: 'done' });
      const { items } = await listAll(server, `/v1/agent-constellations/${agent}/checkpoints?runId=${id}`);
      const calls = items
        .flatMap((checkpoint) => checkpoint['calls'] as Outcome[])
        .filter((c) => c.tool === 'use_tool');
      const unique = String(input).replace('work ', '');
      const wanted = Array.from({ length: steps }, (_, step) =>
        order.map((name, n) => [name, `${unique}-${step}-${n}`]),
      );
      expect(
        calls.map((call) => [call.arguments['name'], (JSON.parse(call.arguments['input'] ?? '') as { u: string }).u]),
        `the record of ${id}`,
      ).to.deep.equal(wanted.flat());
      for (const [i, [name = '', u = '']] of wanted.flat().entries()) {
        const { ok, result } = calls[i] as Outcome;
        const keys = made.get(u) ?? [];
        const told = `${name} ${u} of ${id}: made ${keys.length} times, ${ok} ${result}`;
        tally.calls++;
        recorded.add(u);
        if (repeated.includes(name)) {
          expect([ok, result], told).to.deep.equal([true, `did ${u}`]);
          expect(keys.length, told).to.be.greaterThan(0);
          expect(new Set(keys).size, told).to.equal(1);
          if (keys.length > 1) tally.again++;
          continue;
        }
        expect(once, told).to.include(name);
        expect(keys.length, told).to.be.lessThan(2);
        if (ok) {
          expect([keys.length, result], told).to.deep.equal([1, `did ${u}`]);
          tally.done++;
        } else {
          expect(result, told).to.equal(notKnown);
          tally.lost[keys.length === 1 ? 'effect' : 'none']++;
        }
      }
    }
  expect(
    [...made.keys()].filter((u) => !recorded.has(u)),
    'calls that no record has',
  ).to.deep.equal([]);
  return tally;
}
