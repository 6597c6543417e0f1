/**
 * Silent connections beyond the descriptors of the process: it goes on serving (gateway/limits/connections.ts,
 * gateway/main/start-server.ts).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { buildWhenNeeded, cleanEnvironment, mainFile } from '../helpers/server-process.js';
import { testTls } from '../integration/gateway/tls-fixture.js';

/** A start needs more than half of them for a moment, because Node opens the files of modules side by side. */
const descriptors = 320;
const silent = 400;

describe('black box: more silent connections than descriptors', function () {
  this.timeout(60_000);
  let dir: string;
  let child: ChildProcess;
  const sockets: Socket[] = [];
  before(function () {
    if (process.platform === 'win32') this.skip();
    buildWhenNeeded();
  });
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-descriptors-'));
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (child.kill('SIGKILL')) await ended;
    rmSync(dir, { recursive: true, force: true });
  });

  const start = (env: Record<string, string>): Promise<string> => {
    child = spawn('sh', ['-c', `ulimit -n ${descriptors} && exec "$0" "$1" serve`, process.execPath, mainFile], {
      env: cleanEnvironment({
        HIVEKEEP_PORT: '0',
        HIVEKEEP_DATA_DIR: join(dir, 'data'),
        HIVEKEEP_LOG_FORMAT: 'json',
        ...env,
      }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return new Promise((resolve, reject) => {
      child.once('close', () => reject(new Error('it ended instead of starting')));
      createInterface(child.stdout!).on('line', (line) => {
        const { event, url } = JSON.parse(line) as { event?: string; url?: string };
        if (event === 'ready' && url !== undefined) resolve(url);
      });
    });
  };
  const statusOf = (url: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { agent: false as const, rejectUnauthorized: false };
      (url.startsWith('https') ? secure : plain)(`${url}/livez`, options, (res) => {
        res.resume().on('end', () => resolve(res.statusCode));
      })
        .on('error', reject)
        .end();
    });

  for (const scheme of ['http', 'https'])
    it(`by ${scheme}, a new client is served`, async () => {
      const tls = { HIVEKEEP_TLS_CERT: join(dir, 'cert.pem'), HIVEKEEP_TLS_KEY: join(dir, 'key.pem') };
      writeFileSync(tls.HIVEKEEP_TLS_CERT, testTls.cert);
      writeFileSync(tls.HIVEKEEP_TLS_KEY, testTls.key);
      const url = await start(scheme === 'https' ? tls : {});
      const { port } = new URL(url);
      for (let i = 0; i < silent; i++) {
        const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
        sockets.push(socket.on('error', () => undefined).resume());
      }
      await Promise.all(
        sockets.map(
          (socket) => new Promise((resolve) => (socket.pending ? socket.once('ready', resolve) : resolve(null))),
        ),
      );
      for (let i = 0; i < 5; i++) expect(await statusOf(url)).to.equal(200);
    });
});
