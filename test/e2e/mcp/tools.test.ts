/**
 * Servers of the official Python SDK, of both lines, as tools of an agent (docs/tools.md): by streamable HTTP, and by
 * stdio as commands of the operator. The server is the example of that page.
 */
import { expect } from 'chai';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonWith } from '../../helpers/python.js';
import { projectRoot } from '../../helpers/server.js';
import { a2aWorld } from '../a2a/support/world.js';
import { type Json, until } from '../api/support/client.js';

const page = readFileSync(join(projectRoot, 'docs/tools.md'), 'utf8');
const [, example = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? [];
const [, agent = ''] = /```json\n(\{\n {2}"name": "Librarian"[\s\S]*?)```/.exec(page) ?? [];

/** The example as it is written for the line before. */
const earlier = example
  .replace('from mcp.server import MCPServer', 'from mcp.server.fastmcp import FastMCP as MCPServer')
  .replace('read_only_hint', 'readOnlyHint')
  .replace(
    "server.run('streamable-http', port=",
    "server.settings.port = int(sys.argv[1]); server.run('streamable-http') # ",
  );

const servers = [
  { release: '2.3.0', text: example },
  { release: '1.30.0', text: earlier },
];

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });

const dir = mkdtempSync(join(tmpdir(), 'hivekeep-shelf-'));
const ports = new Map<string, number>();
const pythons = new Map<string, string>();
const world = a2aWorld(async () => {
  const commands: Json = {};
  for (const { release, text } of servers) {
    const found = await pythonWith('mcp', release);
    if ('missing' in found) process.stderr.write(`skipped: ${found.missing}\n`);
    else pythons.set(release, found.python);
    ports.set(release, await freePort());
    const file = join(dir, `shelf-${release}.py`);
    writeFileSync(file, text);
    commands[`shelf-${release.replaceAll('.', '-')}`] = {
      command: pythons.get(release) ?? 'none',
      args: [file, 'stdio'],
    };
  }
  const file = join(dir, 'commands.json');
  writeFileSync(file, JSON.stringify(commands));
  return {
    HIVEKEEP_MCP_COMMANDS: file,
    HIVEKEEP_PUSH_ALLOW: [...ports.values()].map((port) => `127.0.0.1:${port}`).join(),
  };
});
const { api, think } = world;

describe('MCP: servers of the official Python SDK as tools', function () {
  this.timeout(300_000);
  world.hooks();
  const children: ChildProcess[] = [];
  after(() => {
    for (const child of children) child.kill();
    rmSync(dir, { recursive: true, force: true });
  });

  for (const { release } of servers)
    for (const transport of ['streamable HTTP', 'stdio'])
      it(`mcp ${release} by ${transport}: what reads is called at once, what acts when it is approved`, async function () {
        const python = pythons.get(release);
        if (python === undefined) this.skip();
        const port = String(ports.get(release));
        const input = JSON.parse(agent.replace('gpt-5', 'slow').replace('8765', port)) as { config: { tools: Json[] } };
        if (transport === 'stdio')
          input.config.tools = [
            { kind: 'mcp', name: 'shelf', command: `shelf-${release.replaceAll('.', '-')}`, annotations: 'trusted' },
          ];
        else {
          children.push(spawn(python, [join(dir, `shelf-${release}.py`), port], { stdio: 'ignore' }));
          await until(
            () =>
              fetch(`http://127.0.0.1:${port}/`).then(
                () => true,
                () => false,
              ),
            (there) => there,
            60_000,
          );
        }
        const id = String((await api.one('POST', '/v1/agents/spawn', input, 201))['id']);
        const path = `/v1/agent-constellations/${id}/runs`;
        const begin = async (): Promise<string> => String((await api.one('POST', path, { input: 'Dune?' }, 202))['id']);
        const run = (of: string): Promise<Json> => api.one('GET', `${path}/${of}`);
        const settled = (of: string, status: string): Promise<Json> =>
          until(
            () => run(of),
            (found) => found['status'] === status,
          );
        // the server may take its time to start
        await until(
          async () => {
            const first = await begin();
            await think({ text: 'later' });
            await settled(first, 'completed');
            return world.thinker().asked.at(-1) ?? '';
          },
          (asked) => !asked.includes('The tools of shelf are not there now'),
          60_000,
        );
        const of = await begin();
        await think({ calls: [{ tool: 'shelf_count', arguments: { title: 'Dune' } }] });
        await think({ tool: 'shelf_take', arguments: { title: 'Dune' } });
        expect(world.thinker().asked.at(-1)).to.match(/"content":"[^"]*3/);
        const { waitingFor } = await settled(of, 'paused');
        expect((waitingFor as { action: Json }).action).to.deep.equal({
          tool: 'use_tool',
          arguments: { name: 'shelf.take', input: '{"title":"Dune"}' },
        });
        await api.one('POST', `${path}/${of}/resume`, { decision: 'approve' }, 202);
        await think({ tool: 'shelf_take', arguments: { title: 'Emma' } });
        await settled(of, 'paused');
        await api.one('POST', `${path}/${of}/resume`, { decision: 'approve' }, 202);
        await think({ text: 'One copy of Dune is yours.' });
        const told = world.thinker().asked.at(-1) ?? '';
        expect(told).to.include('took Dune');
        expect(told.match(/failed: [^"]*/)?.[0]).to.include('Error executing tool take');
        expect((await settled(of, 'completed'))['output']).to.equal('One copy of Dune is yours.');
      });
});
