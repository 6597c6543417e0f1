/** `hivekeep serve`: how it starts, what it says, how it refuses, how it ends. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cli } from '../helpers/cli.js';
import {
  buildWhenNeeded,
  cleanEnvironment,
  mainFile,
  rootKey,
  startTestServer,
  type TestServer,
} from '../helpers/server.js';

describe('hivekeep serve', function () {
  this.timeout(60_000);
  let server: TestServer | undefined;
  let dir: string;

  before(buildWhenNeeded);
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-serve-'));
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    rmSync(dir, { recursive: true, force: true });
  });

  /** What a start prints on standard output up to its last line, with SIGTERM after that. */
  function startLines(env: Record<string, string>): Promise<{ lines: string[]; code: number | null }> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [mainFile, 'serve'], {
        env: cleanEnvironment({ HIVEKEEP_DATA_DIR: join(dir, 'data'), HIVEKEEP_PORT: '0', ...env }),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        if (/"event":"ready"|Ctrl\+C stops it/.test(out)) child.kill('SIGTERM');
      });
      child.once('error', reject);
      child.once('close', (code) => {
        resolve({ lines: out.trimEnd().split('\n'), code });
      });
    });
  }

  it('answers by the time that its last line is out', async () => {
    server = await startTestServer();
    expect((await fetch(`${server.url}/livez`)).status).to.equal(200);
    expect(server.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  const mayKeep = 'enableCompileCache' in module ? it : undefined; // Node 22.8 or newer
  mayKeep?.('keeps what Node has compiled with the caches of its user', async () => {
    const caches = join(dir, 'caches');
    const { code } = await startLines({
      XDG_CACHE_HOME: caches,
      HIVEKEEP_ROOT_KEY: rootKey,
      HIVEKEEP_LOG_FORMAT: 'json',
    });
    expect(code).to.equal(0);
    expect(readdirSync(caches)).to.deep.equal(['hivekeep']);
    expect(readdirSync(join(caches, 'hivekeep'), { recursive: true }).length).to.be.above(10);
  });

  it('prints JSON for machines: where the first key is, once, then ready as its last line', async () => {
    const first = await startLines({ HIVEKEEP_LOG_FORMAT: 'json' });
    const parsed = first.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed.map((line) => line['event'])).to.deep.equal(['first_key', 'ready']);
    expect(parsed[0]!['file']).to.equal(join(dir, 'data', 'first-key'));
    expect(parsed[1]).to.include.keys('url', 'version', 'pid');
    expect(first.code).to.equal(0);
    const second = await startLines({ HIVEKEEP_LOG_FORMAT: 'json' });
    expect(second.lines.map((line) => (JSON.parse(line) as { event: string }).event)).to.deep.equal(['ready']);
  });

  it('keeps the first key in a file of mode 0600 that nobody else reads, and out of logs unless asked', async () => {
    const quiet = await startLines({ HIVEKEEP_LOG_FORMAT: 'pretty' });
    const file = join(dir, 'data', 'first-key');
    const key = readFileSync(file, 'utf8').trim();
    expect(key).to.match(/^svc_live_[0-9A-Za-z]{40}$/);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(quiet.lines.join('\n')).to.include(file).and.not.to.include(key);
    expect(quiet.lines.find((line) => line.includes('curl'))).to.include(`Bearer $(cat ${file})`);
    rmSync(join(dir, 'data'), { recursive: true });
    const asked = await startLines({ HIVEKEEP_LOG_FORMAT: 'json', HIVEKEEP_FIRST_KEY_TO_LOG: 'true' });
    expect(asked.lines[0]).to.match(/"key":"svc_live_[0-9A-Za-z]{40}"/);
  });

  it('keeps data in a folder of mode 0700 with files of mode 0600, and the secret key beside it, outside of a copy', async () => {
    await startLines({ HIVEKEEP_LOG_FORMAT: 'json' });
    const folder = join(dir, 'data');
    const modes = (): Record<string, string> =>
      Object.fromEntries(
        [folder, `${folder}.key`, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => [
          relative(dir, path),
          (statSync(path).mode & 0o777).toString(8),
        ]),
      );
    const expected = {
      data: '700',
      'data.key': '600',
      'data/data.mdb': '600',
      'data/first-key': '600',
      'data/hivekeep.json': '600',
      'data/lock.mdb': '600',
      'data/recall': '700',
    };
    expect(modes()).to.deep.equal(expected);
    // a folder that was opened to others is closed at the next start
    for (const path of Object.keys(expected))
      if (path !== 'data/recall') chmodSync(join(dir, path), path === 'data' ? 0o755 : 0o644);
    chmodSync(`${folder}.key`, 0o600);
    chmodSync(join(folder, 'first-key'), 0o600);
    await startLines({ HIVEKEEP_LOG_FORMAT: 'json' });
    expect(modes()).to.deep.equal(expected);
  });

  it('prints sentences for people: where the first key is, a command to type, where it serves', async () => {
    const { lines } = await startLines({ HIVEKEEP_LOG_FORMAT: 'pretty' });
    expect(lines[0]).to.include(join(dir, 'data', 'first-key'));
    expect(lines.at(-1)).to.match(
      /^hivekeep \S+ serves on http:\/\/127\.0\.0\.1:\d+ with its data in .*; Ctrl\+C stops it\.$/,
    );
  });

  it('never prints a root key that it was given', async () => {
    const { lines } = await startLines({ HIVEKEEP_LOG_FORMAT: 'pretty', HIVEKEEP_ROOT_KEY: rootKey });
    expect(lines.join('\n')).not.to.include(rootKey);
    expect(lines.join('\n')).to.include('$HIVEKEEP_ROOT_KEY');
  });

  it('works beside the command line: keys made and revoked there open and close the running server', async () => {
    server = await startTestServer();
    const url = `${server.url}/v1/agents`;
    const env = { HIVEKEEP_DATA_DIR: server.dir, HIVEKEEP_PORT: new URL(server.url).port };
    const status = async (key: string): Promise<number> =>
      (await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status;
    expect(await status(server.key)).to.equal(200);
    expect((await cli(['workspace', 'create', 'acme', '--tier', 'team'], env)).code).to.equal(0);
    const made = await cli(['key', 'create', '--workspace', 'acme', '--mode', 'live', '--name', 'beside'], env);
    const key = made.stdout.trim();
    expect(await status(key)).to.equal(200);
    const id = /key_\w+/.exec((await cli(['key', 'list', '--workspace', 'acme'], env)).stdout)![0];
    expect((await cli(['key', 'revoke', id], env)).code).to.equal(0);
    for (const revoked = performance.now(); ;) {
      const asked = performance.now();
      if ((await status(key)) === 401) break;
      expect(asked - revoked, 'asked so long after the revocation, and not refused').to.be.below(2000);
      await wait(100);
    }
    expect((await cli(['doctor'], env)).stdout)
      .to.match(/^ok {4}data: the store opens .*\(2 workspaces\)$/m)
      .and.match(/^ok {4}port: a server on .* is ready$/m);
  });

  it('shows its figures, by route and not by what clients made up', async () => {
    server = await startTestServer();
    await fetch(`${server.url}/v1/agents/agent_made_up`, { headers: { Authorization: `Bearer ${server.key}` } });
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text)
      .to.include('hivekeep_http_requests_total')
      .and.include('hivekeep_commits_total')
      .and.include('hivekeep_actors_active')
      .and.not.include('made_up');
  });

  describe('refuses to start with a sentence and exit code 1', () => {
    const refuse = async (env: Record<string, string>, sentence: RegExp): Promise<void> => {
      const { code, stdout, stderr } = await cli(['serve'], {
        HIVEKEEP_DATA_DIR: join(dir, 'data'),
        HIVEKEEP_PORT: '0',
        HIVEKEEP_LOG_LEVEL: 'silent',
        ...env,
      });
      expect(stderr)
        .to.match(sentence)
        .and.match(/^hivekeep: [^\n]+\n$/);
      expect({ code, stdout: stdout.includes('svc_live_') || stdout.includes('ready') }).to.deep.equal({
        code: 1,
        stdout: false,
      });
    };

    it('when the port is in use', async () => {
      const taken = await new Promise<Server>((resolve) => {
        const s = createServer().listen(0, '127.0.0.1', () => {
          resolve(s);
        });
      });
      const { port } = taken.address() as AddressInfo;
      try {
        await refuse(
          { HIVEKEEP_PORT: String(port), HIVEKEEP_ROOT_KEY: rootKey },
          new RegExp(`Something listens on 127\\.0\\.0\\.1 port ${port} already: stop it, or set HIVEKEEP_PORT`),
        );
      } finally {
        taken.close();
      }
    });

    it('and keeps the first key for the start that succeeds', async () => {
      await refuse({ HIVEKEEP_HOST: '192.0.2.1', HIVEKEEP_TRUSTED_PROXIES: '10.0.0.1' }, /192\.0\.2\.1/);
      expect((await startLines({ HIVEKEEP_LOG_FORMAT: 'json' })).lines[0]).to.include('"event":"first_key"');
    });

    it('when the address is not of this machine', () =>
      refuse(
        { HIVEKEEP_HOST: '192.0.2.1', HIVEKEEP_ROOT_KEY: rootKey, HIVEKEEP_TRUSTED_PROXIES: '10.0.0.1' },
        /192\.0\.2\.1 is no address of this machine/,
      ));

    it('when another server uses the data folder', async () => {
      server = await startTestServer();
      await refuse({ HIVEKEEP_DATA_DIR: server.dir }, /another|in use|already/i);
    });

    it('when the data folder is corrupt', async () => {
      mkdirSync(join(dir, 'data'));
      writeFileSync(join(dir, 'data', 'data.mdb'), Buffer.alloc(64 * 1024, 7));
      await refuse({}, /data/);
    });

    it("when the data folder is somebody else's", async () => {
      mkdirSync(join(dir, 'data'));
      writeFileSync(join(dir, 'data', 'thesis.txt'), 'years of work');
      await refuse({}, /data/);
    });

    it('when the certificate cannot be read', () =>
      refuse(
        { HIVEKEEP_TLS_CERT: 'none.pem', HIVEKEEP_TLS_KEY: 'none.pem' },
        /HIVEKEEP_TLS_CERT names a file that cannot be read: none\.pem/,
      ));
  });

  describe('ends', () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      it(`with 0 on ${signal}, and can be started again on the same data`, async () => {
        server = await startTestServer();
        expect(await server.kill(signal)).to.deep.equal({ code: 0, signal: null });
        await server.restart();
        expect((await fetch(`${server.url}/livez`)).status).to.equal(200);
      });
    }

    it('at once on a second signal, though a request is in progress; a signal that comes twice at once is one', async () => {
      server = await startTestServer();
      const { port } = new URL(server.url);
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rootKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
        );
      });
      socket.on('error', () => undefined);
      // the server says so when it waits for the body
      expect(
        await new Promise<string>((resolve) =>
          socket.once('data', (chunk: Buffer) => {
            resolve(chunk.toString());
          }),
        ),
      ).to.match(/^HTTP\/1\.1 100 /);
      socket.write('{');
      process.kill(server.pid, 'SIGTERM');
      process.kill(server.pid, 'SIGTERM');
      const early = await Promise.race([server.kill('SIGINT'), wait(700)]);
      expect(early, 'it drains').to.equal(undefined);
      expect(await server.kill('SIGTERM')).to.deep.equal({ code: 143, signal: null });
      socket.destroy();
    });

    it('with 0 also when nobody is left to read what it prints and logs', async () => {
      const child = spawn(process.execPath, [mainFile, 'serve'], {
        env: cleanEnvironment({
          HIVEKEEP_DATA_DIR: join(dir, 'data'),
          HIVEKEEP_PORT: '0',
          HIVEKEEP_LOG_FORMAT: 'json',
          HIVEKEEP_LOG_LEVEL: 'trace',
        }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const ready = await new Promise<string>((resolve) =>
        child.stdout.on('data', (chunk: Buffer) => {
          if (chunk.includes('"ready"')) resolve(chunk.toString());
        }),
      );
      const { url } = JSON.parse(ready.trim().split('\n').at(-1)!) as { url: string };
      child.stdout.destroy();
      child.stderr.destroy();
      await wait(50);
      expect((await fetch(`${url}/v1/agents`)).status).to.equal(401);
      child.kill('SIGTERM');
      const code = await Promise.race([ended, wait(10_000, 'still there', { ref: false })]);
      child.kill('SIGKILL');
      expect(code).to.equal(0);
    });

    it('with SIGKILL too: the lock of a dead server stops nobody', async () => {
      server = await startTestServer();
      await server.restart();
      expect((await fetch(`${server.url}/livez`)).status).to.equal(200);
    });
  });
});
