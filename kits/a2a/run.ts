/**
 * Runs one of the official A2A conformance kits against this service (docs/a2a.md):
 *
 *   npm run test:a2a-kit -- FOLDER [--prepare] [--python FILE] [--log LEVEL] [-- PYTEST ARGUMENTS]
 *
 * FOLDER holds a2a-tck at tag v0.2.5, or at branch 0.3.x or 1.0-dev; which one is seen from its files. `--prepare`
 * makes FOLDER/.venv with what the kit needs. Prints what passed, failed and was skipped, and exits as pytest does.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { kitIn, kitNames, type Kit } from './kits.js';
import { startProxy } from './proxy.js';
import { type KitRun, type Outcome, prepare, runPytest } from './pytest.js';
import { createScriptedAgent } from './scripted-agent.js';
import { startService } from './service.js';

/** Twice the kits' streaming timeout of 2 s, and some more for slow machines. */
const longTaskMs = 5000;

const usage = 'usage: npm run test:a2a-kit -- FOLDER [--prepare] [--python FILE] [--log LEVEL] [-- PYTEST ARGUMENTS]\n';

const options = {
  prepare: { type: 'boolean' },
  python: { type: 'string' },
  log: { type: 'string', default: 'warn' },
} as const;

/** Null where the arguments are none that usage names. What stands behind `--` is pytest's. */
function argumentsOf(all: readonly string[]) {
  const cut = all.indexOf('--');
  const own = cut < 0 ? all : all.slice(0, cut);
  try {
    const { values, positionals } = parseArgs({ args: [...own], allowPositionals: true, options });
    return positionals.length === 1 && positionals[0] !== undefined
      ? { ...values, given: positionals[0], extra: all.slice(own.length + 1) }
      : null;
  } catch {
    return null;
  }
}

/** Exit codes are pytest's; 2 where it cannot be started. */
async function main(): Promise<number> {
  const asked = argumentsOf(process.argv.slice(2));
  if (!asked) return refused(usage);
  const folder = resolve(asked.given);
  const kit = kitIn(folder);
  if (!kit)
    return refused(
      `${folder} holds none of the kits ${kitNames.join(', ')}; a checkout of branch main is none of them\n`,
    );
  const python = asked.prepare ? await prepare(folder) : (asked.python ?? join(folder, '.venv/bin/python'));
  if (!existsSync(python)) return refused(`there is no ${python}: give --prepare, or --python FILE\n`);
  const result = await against(kit, asked.log, (origin) =>
    runPytest(python, folder, origin, [...kit.command(origin), ...asked.extra]),
  );
  print(kit, result);
  return result.exitCode;
}

function refused(text: string): number {
  process.stderr.write(text);
  return 2;
}

async function against(kit: Kit, logLevel: string, work: (origin: string) => Promise<KitRun>): Promise<KitRun> {
  const service = await startService(createScriptedAgent({ longTaskMs }), kit.multiStep, logLevel);
  try {
    const proxy = await startProxy({
      target: service.url,
      agentPath: service.agentPath,
      token: service.key,
      ...kit.proxy,
    });
    try {
      return await work(proxy.origin);
    } finally {
      await proxy.close();
    }
  } finally {
    await service.stop();
  }
}

function print({ name }: Kit, { results }: KitRun): void {
  const count = (outcome: Outcome): number => results.filter((r) => r.outcome === outcome).length;
  const lines = [
    `a2a-tck ${name}: ${count('passed')} passed, ${count('failed')} failed, ${count('xfailed')} expected failures, ${count('skipped')} skipped`,
  ];
  for (const { name: test, outcome, reason } of results)
    if (outcome === 'failed') lines.push(`  failed ${test}: ${reason.split('\n')[0] ?? ''}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

process.exitCode = await main();
