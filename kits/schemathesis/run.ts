/**
 * Runs schemathesis (4.x, from PyPI) with all checks against this service, as its own document describes it:
 *
 *   npm run test:openapi -- [--examples N] [--schemathesis FILE] [-- ARGUMENTS OF `schemathesis run`]
 *
 * N is per operation and phase, 200 by default; CI takes 15. FILE is the program, else SCHEMATHESIS, else
 * `schemathesis` on PATH. To have it: python3 -m venv V && V/bin/pip install 'schemathesis>=4,<5', and then
 * --schemathesis V/bin/schemathesis. Exits as schemathesis does; with 2 where it cannot be run.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '../../packages/client/src/client.js';
import { startTestServer } from '../../test/helpers/server.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Streams end after a second; nothing is refused for being one of many. */
const env = {
  HIVEKEEP_STREAM_MAX_SECONDS: '1',
  HIVEKEEP_ADDRESS_REQUESTS_PER_MINUTE: '1000000',
  HIVEKEEP_ENTERPRISE_REQUESTS_PER_MINUTE: '1000000',
  HIVEKEEP_LOG_LEVEL: 'error',
};

async function main(): Promise<number> {
  const all = process.argv.slice(2);
  const cut = all.indexOf('--');
  const { values } = parseArgs({
    args: cut < 0 ? all : all.slice(0, cut),
    options: { examples: { type: 'string', default: '200' }, schemathesis: { type: 'string' } },
  });
  const program = values.schemathesis ?? process.env['SCHEMATHESIS'] ?? 'schemathesis';
  if (spawnSync(program, ['--version']).status !== 0) {
    process.stderr.write(
      `${program} cannot be run. To have it: python3 -m venv V && V/bin/pip install 'schemathesis>=4,<5', then --schemathesis V/bin/schemathesis\n`,
    );
    return 2;
  }
  const server = await startTestServer({ env });
  const scratch = mkdtempSync(join(tmpdir(), 'hivekeep-schemathesis-'));
  try {
    const code = await run(
      program,
      [
        '--config-file',
        join(here, 'schemathesis.toml'),
        'run',
        `${server.url}/openapi.json`,
        '--header',
        `Authorization: Bearer ${server.key}`,
        '--max-examples',
        values.examples,
        '--exclude-checks',
        'positive_data_acceptance',
        '--continue-on-failure',
        '--generation-database',
        'none',
        '--request-timeout',
        '60',
        ...(cut < 0 ? [] : all.slice(cut + 1)),
      ],
      scratch,
      { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: '1', ...(await ownThings(server)) },
    );
    if (server.stderr() !== '') process.stderr.write(`\nThe server logged:\n${server.stderr()}`);
    return code;
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * What hooks.py goes by: the key of the run (the only one there is yet), and an agent with a run that has asked
 * something.
 */
async function ownThings({ url: baseUrl, key }: { url: string; key: string }): Promise<Record<string, string>> {
  const hivekeep = createClient({ baseUrl, key });
  const keys = await hivekeep.keys.list().page();
  const { id } = await hivekeep.agents.spawn({ name: 'Ada', config: { multi_step: true } });
  const run = await hivekeep.runs.start(id, { input: 'Ask a human whether we may ship' });
  const own = { HIVEKEEP_OWN_KEY: keys.data[0]?.id, HIVEKEEP_OWN_AGENT: id, HIVEKEEP_OWN_RUN: run.id };
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => {
      if (value === undefined || value === '') throw new Error(`the server did not give ${name}`);
      return [name, value];
    }),
  );
}

const run = (program: string, args: readonly string[], cwd: string, more: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...more }, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? 1);
    });
  });

process.exitCode = await main();
