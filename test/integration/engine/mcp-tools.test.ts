/** Tools of MCP servers. AgentTools.T2 and T3: real servers of the official SDKs, of both revisions. */
import { deleteAgent, getAgent, spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentTool } from '../../../src/domain/agent/agent-tools.js';
import { exportLines } from '../../../src/transfer/export.js';
import type { McpCommand } from '../../../src/mcp/commands.js';
import type { Push } from '../../../src/push/port.js';
import { answers, call, caller, does, eventually, type Script, pushTo } from '../../helpers/engine.js';
import {
  type Kind,
  listed,
  type McpToolServer,
  type SeenCall,
  startMcpTools,
  text,
  type Tools,
} from '../../helpers/mcp-tools.js';
import { overStores, runIn, type Running } from './kit.js';
import { cancelRun } from '../../../src/commands/runs.js';
import { listCheckpoints } from '../../../src/commands/journals.js';

/** Calls the tools that the input names; `list` first asks what is offered, as a model is told of it. */
const script: Script = async ({ transcript, run: { input }, offered }, signal) => {
  if (transcript.length > 0)
    return answers(
      transcript
        .flat()
        .map(({ ok, result }) => `${ok} ${result}`)
        .join('; '),
    );
  const { tools, problems } = (await offered?.(signal)) ?? { tools: [], problems: [] };
  if (input === 'list') return answers([...tools.map(({ name }) => name), ...problems].join('; '));
  return does(...input.split(' ').map((name, n) => call('use_tool', { name, input: JSON.stringify({ n }) })));
};

overStores('Tools of MCP servers', (bed) => {
  let push: Push;
  let servers: McpToolServer[];
  let tools: Tools;
  let seen: SeenCall[];
  let waiting: ((said: string) => void)[];
  beforeEach(() => {
    servers = [];
    seen = [];
    waiting = [];
    tools = {
      list: [listed('look', { readOnlyHint: true }), listed('set', { idempotentHint: true }), listed('buy')],
      call: (made) => {
        seen.push(made);
        return new Promise((resolve) => {
          waiting.push((said) => {
            resolve(text(said));
          });
        });
      },
    };
  });
  afterEach(async () => {
    await push.close();
    await Promise.all(servers.map((server) => server.close()));
  });

  const nth = (n: number): Promise<(said: string) => void> => eventually(async () => waiting[n - 1], `call ${n}`);
  const serve = async (kind: Kind): Promise<McpToolServer> => {
    const server = await startMcpTools(kind, tools);
    servers.push(server);
    return server;
  };
  const started = async (
    more: { commands?: ReadonlyMap<string, McpCommand>; annotations?: 'trusted' | 'ignored' } = {},
  ) => {
    push = pushTo(servers.map(({ host }) => host));
    const mcp = { commands: new Map<string, McpCommand>(), annotations: 'trusted' as const, ...more };
    return [await bed.start(script, { push, mcp }), () => bed.start(script, { push, mcp })] as const;
  };
  const spawned = async (e: Running, config: object): Promise<string> =>
    (await e.service.execute(caller, spawnAgent, {}, { name: 'Ada', config: { multi_step: true, ...config } })).id;
  const run = async (e: Running, agent: string, input: string): Promise<string> =>
    (await e.service.startRun(caller, agent, { input })).id;
  const outputOf = async (e: Running, agent: string, input: string): Promise<string> =>
    String((await runIn(e, agent, await run(e, agent, input), 'completed')).output);
  const at = ({ url }: McpToolServer, more: object = {}): AgentTool => ({ kind: 'mcp', name: 'shop', url, ...more });

  for (const kind of ['modern', 'stateless', 'sessions'] as const)
    it(`are called with a key and a secret, which nothing shows (${kind})`, async () => {
      const server = await serve(kind);
      const [e] = await started();
      const secret = { header: 'Authorization', value: 'Bearer s3cr3t' };
      const agent = await spawned(e, { tools: [at(server, { secret })] });
      expect(await outputOf(e, agent, 'list')).to.equal('shop.look; shop.set; shop.buy');
      const id = await run(e, agent, 'shop.look shop.buy');
      (await nth(1))('there it is');
      (await nth(2))('bought');
      expect((await runIn(e, agent, id, 'completed')).output).to.contain('true there it is; true bought');
      expect(seen).to.deep.equal([
        { name: 'look', arguments: { n: 0 }, key: `${id}.1.1` },
        { name: 'buy', arguments: { n: 1 }, key: `${id}.1.2` },
      ]);
      expect(new Set(server.headers.map(({ authorization }) => authorization))).to.deep.equal(
        new Set(['Bearer s3cr3t']),
      );
      const shown = [JSON.stringify(await e.service.execute(caller, getAgent, { id: agent }, {}))];
      for await (const line of exportLines(bed.store, { workspace: 'default', credentials: true, now: 0 }))
        shown.push(line);
      expect(shown.join()).to.include('"Authorization"').and.not.include('"value"').and.not.include('s3cr3t');
    });

  for (const [name, more, again] of [
    ['look', {}, true],
    ['set', {}, true],
    ['buy', {}, false],
    ['buy', { repeatable: ['buy'] }, true],
    ['set', { repeatable: false }, false],
    ['look', { reads_only: ['set'] }, false],
  ] as const)
    it(`after a kill in the middle, ${name} with ${JSON.stringify(more)} is ${again ? '' : 'not '}made again`, async () => {
      const server = await serve('stateless');
      const [e, restart] = await started();
      const agent = await spawned(e, { tools: [at(server, more)] });
      const id = await run(e, agent, `shop.${name} shop.look`);
      await nth(1);
      e.kill();
      tools.list = []; // what the server claims by now changes nothing of the call
      const next = await restart();
      if (again) (await nth(2))('done');
      (await nth(again ? 3 : 2))('seen');
      const came = again ? 'true done' : 'false it is not known whether this took effect';
      expect((await runIn(next, agent, id, 'completed')).output).to.contain(`${came}; true seen`);
      expect(seen.map((made) => made.key)).to.deep.equal([...(again ? [1, 1] : [1]), 2].map((n) => `${id}.1.${n}`));
    });

  it('AgentTools.T3: wait for approval with the gate `action`, but what only reads, where the server says so and is trusted', async () => {
    const server = await serve('stateless');
    const [e] = await started();
    const agent = await spawned(e, { tools: [at(server)], validation_gate: 'action' });
    const id = await run(e, agent, 'shop.look shop.buy');
    (await nth(1))('seen');
    const { waitingFor } = await runIn(e, agent, id, 'paused');
    expect(waitingFor?.action?.arguments).to.deep.equal({ name: 'shop.buy', input: '{"n":1}' });
    await e.service.resumeRun(caller, agent, id, { decision: 'approve' });
    (await nth(2))('bought');
    expect((await runIn(e, agent, id, 'completed')).output).to.contain('true seen; true bought');
    // the operator trusts no server: then it waits, unless the agent trusts this one
    await e.engine.stop(0);
    const [careful] = await started({ annotations: 'ignored' });
    const trusting = await spawned(careful, {
      tools: [at(server, { annotations: 'trusted' })],
      validation_gate: 'action',
    });
    await run(careful, trusting, 'list shop.look');
    (await nth(3))('seen');
    const other = await spawned(careful, { tools: [at(server)], validation_gate: 'action' });
    await runIn(careful, other, await run(careful, other, 'shop.look'), 'paused');
    const sure = await spawned(careful, { tools: [at(server, { reads_only: true })], validation_gate: 'action' });
    await run(careful, sure, 'shop.buy');
    await nth(4);
  });

  it('are those that `allow` names, also when the server changes them', async () => {
    const server = await serve('sessions');
    const [e] = await started();
    const agent = await spawned(e, { tools: [at(server, { allow: ['buy', 'gone'] })] });
    expect(await outputOf(e, agent, 'list')).to.equal('shop.buy; shop: gone: is not offered');
    expect(await outputOf(e, agent, 'shop.look')).to.contain('false there is no tool shop.look');
    expect(seen).to.have.length(0);
    tools.list = [listed('gone')];
    tools.call = () => {
      throw new Error('no such tool');
    };
    expect(await outputOf(e, agent, 'shop.buy'))
      .to.contain('false the server answered: ')
      .and.contain('no such tool');
    expect(await outputOf(e, agent, 'list')).to.equal('shop.gone; shop: buy: is not offered');
  });

  it('go over a new session where the server forgot the one that there was, and are made once', async () => {
    const server = await serve('sessions');
    const [e] = await started();
    const agent = await spawned(e, { tools: [at(server)] });
    expect(await outputOf(e, agent, 'list')).to.contain('shop.buy');
    server.forget();
    const id = await run(e, agent, 'shop.buy');
    (await nth(1))('bought');
    expect((await runIn(e, agent, id, 'completed')).output).to.contain('true bought');
    expect(seen).to.have.length(1);
  });

  it('that hang, die, redirect, answer 10 MB or lie are told to the reasoner', async () => {
    const server = await serve('stateless');
    const [e] = await started();
    const agent = await spawned(e, { tools: [at(server, { timeout_seconds: 1 })] });
    expect(await outputOf(e, agent, 'list')).to.contain('shop.buy');
    const unknown = 'it is not known whether this took effect';
    const outcome = async (name: string, more: Partial<Tools> | McpToolServer['instead']): Promise<string> => {
      if (typeof more === 'function') server.instead = more;
      else Object.assign(tools, more);
      const output = await outputOf(e, agent, `shop.${name}`);
      server.instead = () => false;
      return output;
    };
    expect(await outcome('buy', {})).to.contain(`false no answer within 1 s; ${unknown}`);
    expect(await outcome('look', {})).to.match(/false no answer within 1 s$/);
    const long = text('x'.repeat(10 * 1024 * 1024));
    expect(await outcome('buy', { call: () => long })).to.contain(
      `false the answer is longer than 1048576 bytes; ${unknown}`,
    );
    expect(await outcome('look', { call: () => text('x'.repeat(500_000)) })).to.match(/longer than 262144 bytes$/);
    expect(
      await outcome('buy', (_, response) => {
        response.destroy();
        return true;
      }),
    ).to.contain(`false the connection was closed before there was an answer; ${unknown}`);
    expect(
      await outcome('buy', (_, response) => {
        response.writeHead(307, { location: server.url }).end();
        return true;
      }),
    ).to.contain('false the server redirects, which is not followed');
    expect(
      await outcome('buy', (_, response) => {
        response.writeHead(503).end('later');
        return true;
      }),
    ).to.contain('false the server answered 503: later');
    for (const said of ['<html>', '{"jsonrpc":"2.0","id":77}', '{'])
      expect(
        await outcome('buy', (_, response) => {
          response
            .writeHead(200, { 'content-type': said.startsWith('<') ? 'text/html' : 'application/json' })
            .end(said);
          return true;
        }),
        said,
      ).to.contain('false the server answered, but not as the protocol has it');
    expect(await outcome('buy', { call: () => ({ ...text('broke'), isError: true }) })).to.contain('false broke');
  });

  it('have schemas that are schemas, of a size that is bearable', async () => {
    const server = await serve('modern');
    let nested: object = {};
    for (let n = 0; n < 20; n++) nested = { properties: { a: nested } };
    tools.list = [
      listed('good'),
      listed('typed', {}, { inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }),
      listed('large', {}, { inputSchema: { type: 'object', description: 'x'.repeat(40_000) } }),
      listed('deep', {}, { inputSchema: { type: 'object', ...nested } }),
      listed('far', {}, { inputSchema: { type: 'object', $ref: 'https://example.com/schema' } }),
      { name: 'bare', inputSchema: { type: 'object' } },
    ];
    const [e] = await started();
    const agent = await spawned(e, { tools: [at(server)] });
    const told = await outputOf(e, agent, 'list');
    expect(told).to.match(
      /^shop\.good; shop\.bare; shop: typed: its schema .*; shop: large: .* 32768 .*; shop: deep: .* 32 levels .*; shop: far: .* nothing is fetched/,
    );
  });

  it('of a server that is away fail no run, and are there when it is back', async () => {
    const server = await serve('stateless');
    const [e] = await started();
    const agent = await spawned(e, { tools: [at(server)] });
    server.instead = (_, response) => {
      response.destroy();
      return true;
    };
    expect(await outputOf(e, agent, 'list')).to.equal('shop: the connection was closed before there was an answer');
    expect(await outputOf(e, agent, 'shop.look')).to.contain(
      'false the connection was closed before there was an answer',
    );
  });

  it('of a run that is cancelled hear so, and are in its last checkpoint', async () => {
    const server = await serve('stateless');
    const [e] = await started();
    const agent = await spawned(e, { tools: [at(server)] });
    const id = await run(e, agent, 'shop.buy');
    await nth(1);
    await e.service.execute(caller, cancelRun, { id: agent, runId: id });
    const [last] = (
      await e.service.execute(caller, listCheckpoints, { id: agent }, { runId: id, page: { limit: 5 } as never })
    ).items;
    expect(last?.calls[0]).to.include({ ok: false, result: 'it is not known whether this took effect' });
  });

  it('are nowhere that the guard refuses, and run no command but those of the operator', async () => {
    const [e] = await started({
      commands: new Map([['mine', { command: 'true', args: [], env: {}, workspaces: ['other'] }]]),
    });
    const refusal = (tool: object): Promise<unknown> =>
      e.service.execute(caller, spawnAgent, {}, { name: 'Bo', config: { tools: [tool as AgentTool] } }).then(
        () => 'taken',
        (error: unknown) => (error as Error).message,
      );
    expect(await refusal({ kind: 'mcp', name: 'x', url: 'http://10.0.0.1/' })).to.equal(
      'config.tools.0.url: must be an https URL',
    );
    for (const command of ['sh', 'mine'])
      expect(await refusal({ kind: 'mcp', name: 'x', command })).to.equal(
        'config.tools.0.command: must be a command that the operator has configured for this workspace (HIVEKEEP_MCP_COMMANDS)',
      );
  });

  describe('by stdio', () => {
    let dir: string;
    beforeEach(() => {
      dir = mkdtempSync(join(tmpdir(), 'hivekeep-mcp-'));
    });
    afterEach(() => {
      rmSync(dir, { recursive: true, force: true });
    });
    const program = fileURLToPath(new URL('../../helpers/mcp-tools.ts', import.meta.url));

    for (const line of ['1', '2'])
      it(`are called in a process of the agent's own, which may die (line ${line} of the SDK)`, async function () {
        this.timeout(60_000);
        const calls = join(dir, 'calls');
        const command = { command: process.execPath, args: ['--import', 'tsx', program, line, calls], env: {} };
        const [e] = await started({ commands: new Map([['tools', command]]) });
        const agent = await spawned(e, { tools: [{ kind: 'mcp', name: 'shop', command: 'tools' }] });
        await eventually(async () => (await outputOf(e, agent, 'list')).startsWith('shop.look; shop.change; shop.die'));
        const [, pid] =
          /true look by (\d+); true change by \1$/.exec(await outputOf(e, agent, 'shop.look shop.change')) ?? [];
        expect(pid).to.be.a('string');
        expect(await outputOf(e, agent, 'shop.die')).to.contain(
          'false the connection was closed before there was an answer; it is not known whether this took effect',
        );
        const [, next] = /true look by (\d+)$/.exec(await outputOf(e, agent, 'shop.look')) ?? [];
        expect(next).to.be.a('string').and.not.equal(pid);
        const other = await spawned(e, { tools: [{ kind: 'mcp', name: 'shop', command: 'tools' }] });
        const [, theirs] = /true look by (\d+)$/.exec(await outputOf(e, other, 'shop.look')) ?? [];
        expect(theirs).to.be.a('string').and.not.equal(next);
        const lives = (which: string | undefined): boolean => {
          try {
            return process.kill(Number(which), 0);
          } catch {
            return false;
          }
        };
        await e.service.execute(caller, deleteAgent, { id: other });
        await eventually(async () => !lives(theirs), 'the end of the process');
        expect(lives(next)).to.equal(true);
        const made = readFileSync(calls, 'utf8')
          .trim()
          .split('\n')
          .map((each) => each.split(' ')[0]);
        expect(made).to.deep.equal(['look', 'change', 'die', 'look', 'look']);
      });
  });
});
