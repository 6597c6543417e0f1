/** The official Python clients of both lines against a running server (docs/mcp.md). */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pythonWith } from '../../helpers/python.js';
import { startCuttingProxy } from '../a2a/support/cutting-proxy.js';
import { a2aWorld } from '../a2a/support/world.js';
import { until, type Json } from '../api/support/client.js';

const script = fileURLToPath(new URL('python/client.py', import.meta.url));

const clients = [
  { release: '2.3.0', mode: 'auto', version: '2026-07-28' },
  { release: '2.3.0', mode: 'legacy', version: '2025-11-25' },
  { release: '1.30.0', mode: '1', version: '2025-11-25' },
] as const;

const world = a2aWorld();
const { api, think } = world;

describe('MCP: the official Python clients', function () {
  this.timeout(60_000);
  world.hooks();

  for (const { release, mode, version } of clients)
    it(`mcp ${release} of ${version} uses an agent, answers what its run asks, and comes back to a call that was cut`, async function () {
      this.timeout(300_000);
      const found = await pythonWith('mcp', release);
      if ('missing' in found) {
        process.stderr.write(`skipped: ${found.missing}\n`);
        this.skip();
      }
      const agent = await world.thinking();
      const wire = await startCuttingProxy(() => world.server().url);
      after(() => wire.close());
      const child = spawn(found.python, [script, `${wire.url}/mcp/agents/${agent}`, api.key, mode]);
      const told: Json[] = [];
      let raised = '';
      createInterface(child.stdout).on('line', (line) => told.push(JSON.parse(line) as Json));
      child.stderr.on('data', (chunk: Buffer) => (raised += chunk.toString()));
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      if (version === '2025-11-25') {
        await until(
          async () => told.some(({ step }) => step === 'progress'),
          (begun) => begun,
        );
        wire.cut();
      }
      await think({ tool: 'ask_human', arguments: { question: 'Red or blue?' } });
      await think({ text: 'It is blue now.' });
      expect(await ended, raised).to.equal(0);

      const step = (name: string): Json | undefined => told.find((each) => each['step'] === name);
      expect(step('connected')).to.include({ version });
      expect(step('tools')?.['names']).to.include.members(['ask_agent', 'recall', 'remember']);
      expect(step('recalled')).to.include({ own: true });
      expect(step('read')).to.include({ text: 'Mia likes tea' });
      expect(told.filter((each) => each['step'] === 'progress').map((each) => each['message'])).to.include('running');
      expect(step('question')?.['message']).to.include('Red or blue?');
      expect(step('asked')).to.include({ status: 'completed', output: 'It is blue now.' });
    });
});
