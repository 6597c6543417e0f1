/** The Python client, installed with pip from its folder: its own tests against a running server, and its types. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { install } from '../../helpers/python.js';
import { projectRoot } from '../../helpers/server-process.js';
import { asking, type ScriptedOpenAi, startScriptedOpenAi, usesWeather } from '../../helpers/scripted-openai.js';
import { startTestServer, type TestServer } from '../../helpers/server.js';

const run = promisify(execFile);
const source = join(projectRoot, 'clients/python');

/** A Python with what the client and its tests need, kept between runs; null where there is no Python 3.11. */
async function pythonWithClient(): Promise<string | null> {
  const newEnough = 'import sys; sys.exit(sys.version_info < (3, 11))';
  if ((await run('python3', ['-c', newEnough]).catch(() => null)) === null) return null;
  const version = createHash('sha256')
    .update(readFileSync(join(source, 'pyproject.toml')))
    .digest('hex')
    .slice(0, 12);
  const venv = join(projectRoot, 'node_modules/.cache/python-client', version);
  const python = join(venv, 'bin/python');
  if (existsSync(python)) return python;
  const making = `${venv}.${process.pid}`;
  mkdirSync(join(venv, '..'), { recursive: true });
  try {
    await install(making, '--editable', `${source}[test]`, 'mypy==2.4.1');
    renameSync(making, venv);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return python;
}

describe('the Python client', function () {
  this.timeout(300_000);
  let server: TestServer;
  let model: ScriptedOpenAi;
  let python: string;

  before(async function () {
    const found = await pythonWithClient();
    if (found === null) {
      process.stderr.write('skipped: there is no Python 3.11\n');
      return this.skip();
    }
    python = found;
    model = await startScriptedOpenAi();
    for (let n = 0; n < 2; n++) usesWeather(model);
    server = await startTestServer({ env: asking(model) });
  });
  after(async () => {
    await server?.stop();
    await model?.close();
  });

  const ran = async (...args: string[]): Promise<void> => {
    const env = { ...process.env, HIVEKEEP_URL: server.url, HIVEKEEP_KEY: server.key, PYTHONDONTWRITEBYTECODE: '1' };
    await run(python, args, { cwd: source, env }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${args.join(' ')}\n${error.stdout}${error.stderr}`);
    });
  };

  it('passes its own tests, none of them skipped', () => ran('-m', 'pytest', '-q', '-p', 'no:cacheprovider'));
  it('is typed throughout', () => ran('-m', 'mypy', '--cache-dir', '/dev/null', 'src', 'tests'));
});
