/**
 * What is published: the tarball installs in an empty folder, compiles nothing, and its command serves.
 */
import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildWhenNeeded, cleanEnvironment, projectRoot, rootKey, startTestServer } from '../helpers/server.js';

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

describe('the package', function () {
  this.timeout(240_000);
  let dir: string;

  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-package-'));
  });
  after(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  const npm = (cwd: string, ...args: string[]): Ran =>
    spawnSync('npm', args, { cwd, env: cleanEnvironment(), encoding: 'utf8' });

  it('installs elsewhere and serves', async function () {
    const packed = npm(projectRoot, 'pack', '--silent', '--pack-destination', dir);
    expect(packed.status, packed.stderr).to.equal(0);
    const tarball = readdirSync(dir).find((name) => /^hivekeep-.*\.tgz$/.test(name))!;
    writeFileSync(join(dir, 'package.json'), '{"name": "somebody", "private": true}');

    const installed = npm(dir, 'install', `./${tarball}`, '--prefer-offline', '--no-audit', '--no-fund');
    if (installed.status !== 0 && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(installed.stderr)) {
      process.stderr.write('      skipped: no package registry can be reached\n');
      this.skip();
    }
    expect(installed.status, installed.stderr).to.equal(0);

    const home = join(dir, 'node_modules', 'hivekeep');
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
    const shown = npm(dir, 'exec', '--no', '--', 'hivekeep', '--version');
    expect(shown).to.include({ status: 0, stdout: `${version}\n` });
    for (const file of ['README.md', 'DESIGN.md', 'LICENSE']) expect(existsSync(join(home, file)), file).to.equal(true);
    for (const folder of ['src', 'test', 'node_modules/typescript', 'dist/test'])
      expect(existsSync(join(home, folder)), folder).to.equal(false);

    const server = await startTestServer({ main: join(home, 'dist/gateway/main/main.js'), dir: join(dir, 'data') });
    try {
      expect((await fetch(`${server.url}/livez`)).status).to.equal(200);
    } finally {
      expect(await server.stop()).to.deep.equal({ code: 0, signal: null });
    }
  });

  it('is served by npm start, which builds only when it must and ends with a signal', async () => {
    buildWhenNeeded();
    const built = statSync(join(projectRoot, 'dist/gateway/main/main.js')).mtimeMs;
    const env = cleanEnvironment({
      HIVEKEEP_DATA_DIR: join(dir, 'started'),
      HIVEKEEP_PORT: '0',
      HIVEKEEP_LOG_FORMAT: 'json',
      HIVEKEEP_ROOT_KEY: rootKey,
    });
    const child = spawn('npm', ['start', '--silent'], { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    const errors: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    const ended = new Promise<void>((resolve) =>
      child.once('close', () => {
        resolve();
      }),
    );
    const ready = new Promise<string>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        lines.push(line);
        resolve(line);
      });
      void ended.then(() => {
        reject(new Error(`npm start ended:\n${errors.join('')}`));
      });
    });
    const { url, pid } = JSON.parse(await ready) as { url: string; pid: number };
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
    child.kill('SIGTERM'); // to npm, as a supervisor would send it: it must reach the server
    await ended;
    expect(() => process.kill(pid, 0), 'the server is gone').to.throw(/ESRCH/);
    expect(lines).to.have.length(1);
    expect(statSync(join(projectRoot, 'dist/gateway/main/main.js')).mtimeMs).to.equal(built);
  });
});
