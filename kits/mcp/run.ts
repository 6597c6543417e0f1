/**
 * Runs the official conformance kit of MCP against this service (docs/mcp.md):
 *
 *   npm run test:mcp-kit [-- --kit FILE] [--node FILE] [--results FOLDER] [--log LEVEL]
 *
 * The kit is taken from the registry, with a Node that it runs on, unless FILEs are given: the kit's `dist/index.js`,
 * and a Node from version 22. The service is the real composition with one agent, and with what the kit asks a server
 * for (fixture.ts). A proxy sends the token, which the kit cannot. Prints what each revision requires and what of it
 * passed, and exits with 1 if anything failed that is expected to pass.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startProxy } from '../a2a/proxy.js';
import { startService } from '../a2a/service.js';
import { kitAgent } from './agent.js';
import { kitFixture } from './fixture.js';

const kit = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** Scenarios that do not apply, by revision; docs/mcp.md says why. */
const notServed: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [],
  '2025-11-25': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
};

const { values } = parseArgs({
  options: {
    kit: { type: 'string' },
    node: { type: 'string' },
    log: { type: 'string', default: 'warn' },
    results: { type: 'string' },
  },
});

function command(url: string, revision: string): [string, string[]] {
  const asked = ['server', '--url', url, '--requirements', revision];
  if (values.results !== undefined) asked.push('-o', `${values.results}/${revision}`);
  return values.kit === undefined
    ? ['npx', ['--yes', '-p', 'node@24', '-p', kit, 'conformance', ...asked]]
    : [values.node ?? process.execPath, [values.kit, ...asked]];
}

function output(url: string, revision: string): Promise<string> {
  const [program, args] = command(url, revision);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', () => {
      resolve(told);
    });
  });
}

const service = await startService(kitAgent, false, values.log, kitFixture);
const agentPath = service.agentPath.replace('/api/v1/a2a/', '/mcp/');
const proxy = await startProxy({ target: service.url, agentPath, token: service.key, anonymous: [] });
try {
  for (const [revision, excepted] of Object.entries(notServed)) {
    const told = await output(proxy.origin, revision);
    process.stdout.write(told.slice(told.indexOf('=== SUMMARY ===')));
    const unscored = new Set(Array.from(told.matchAll(/^ {2}[✓✗] (\S+) \(/gm), ([, name]) => name));
    const scored = Array.from(told.matchAll(/^([✓✗]) (\S+): /gm), ([, mark, name = '']) => ({
      name,
      ok: mark === '✓',
    })).filter(({ name }) => !unscored.has(name));
    const wrong = scored.filter(({ name, ok }) => ok === excepted.includes(name)).map(({ name }) => name);
    const passed = scored.filter(({ ok }) => ok).length;
    process.stdout.write(
      `${revision}: ${passed} of ${scored.length} required scenarios passed; not served: ${excepted.join(', ') || 'none'}; not as expected: ${wrong.join(', ') || 'none'}\n\n`,
    );
    if (wrong.length > 0 || scored.length === 0) process.exitCode = 1;
  }
} finally {
  await proxy.close();
  await service.stop();
}
