/** Running a kit: its virtual environment, pytest, and what its report says. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** With kit_plugin.py. */
const here = fileURLToPath(new URL('.', import.meta.url));

/** Resolves to the exit code; a process that a signal ended counts as failed. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? 1);
    });
  });
}

/** A virtual environment beside the kit's own files, with what it needs from PyPI. Left as it is where there is one. */
export async function prepare(folder: string): Promise<string> {
  const venv = join(folder, '.venv');
  const python = join(venv, 'bin', 'python');
  if (existsSync(python)) return python;
  if ((await run('python3', ['-m', 'venv', venv])) !== 0)
    throw new Error('python3 could not make a virtual environment');
  if ((await run(python, ['-m', 'pip', 'install', '--quiet', '-e', folder])) !== 0)
    throw new Error('pip could not install what the kit needs');
  return python;
}

export type Outcome = 'passed' | 'failed' | 'skipped' | 'xfailed';
export interface TestResult {
  name: string;
  outcome: Outcome;
  reason: string;
}
export interface KitRun {
  exitCode: number;
  results: TestResult[];
}

/** Runs pytest in the kit's folder against the proxy, without leaving anything there, and reads its JUnit report. */
export async function runPytest(
  python: string,
  folder: string,
  proxy: string,
  args: readonly string[],
): Promise<KitRun> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-kit-report-'));
  const report = join(dir, 'report.xml');
  try {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: here, KIT_PROXY: proxy };
    const exitCode = await run(
      python,
      [
        '-m',
        'pytest',
        '-p',
        'no:cacheprovider',
        '-p',
        'kit_plugin',
        '--tb=short',
        '-q',
        `--junitxml=${report}`,
        ...args,
      ],
      { cwd: folder, env },
    );
    return { exitCode, results: existsSync(report) ? readReport(readFileSync(report, 'utf8')) : [] };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** pytest's own JUnit XML: a `testcase` holds a `failure`, `error` or `skipped` element, or nothing. */
export function readReport(xml: string): TestResult[] {
  return [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, attributes = '', content = '']) => {
      const name = `${attribute(attributes, 'classname')}.${attribute(attributes, 'name')}`;
      const [, element, inner = ''] = /<(failure|error|skipped)\b([^>]*)>/.exec(content) ?? [];
      const reason = attribute(inner, 'message');
      if (element === undefined) return { name, outcome: 'passed', reason: '' };
      if (element !== 'skipped') return { name, outcome: 'failed', reason };
      return { name, outcome: attribute(inner, 'type') === 'pytest.xfail' ? 'xfailed' : 'skipped', reason };
    },
  );
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': '\n' };

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return value.replace(/&(#?\w+);/g, (whole, entity: string) => entities[entity] ?? whole);
}
