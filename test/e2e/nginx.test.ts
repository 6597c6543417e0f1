/**
 * nginx in front of the service, as deploy/nginx/nginx.conf has it: streams, WebSockets, uploads, waits longer than
 * nginx waits, and a gateway that is away. What is changed in the file is where it listens, where the gateways are, whose
 * names only Docker resolves, and where it keeps its own files.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import type { Service } from '../../src/service.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import { rootKey as gatewayKey, startGateway } from '../helpers/gateway.js';
import { projectRoot, rootKey, startTestServer, type TestServer } from '../helpers/server.js';
import { testTls } from '../integration/gateway/tls-fixture.js';

const installed = spawnSync('nginx', ['-v']).error === undefined;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });

interface Front {
  port: number;
  stop(): Promise<void>;
}

/** nginx in front of these gateways; `readTimeout` in place of how long it waits for more of an answer. */
async function startNginx(gateways: readonly number[], readTimeout?: string): Promise<Front> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-nginx-'));
  chmodSync(dir, 0o755);
  writeFileSync(join(dir, 'cert.pem'), testTls.cert);
  writeFileSync(join(dir, 'key.pem'), testTls.key);
  const port = await freePort();
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${dir}/${of};`);
  let text = readFileSync(join(projectRoot, 'deploy/nginx/nginx.conf'), 'utf8');
  const replace = (from: RegExp, to: string): void => {
    expect(text, String(from)).to.match(from);
    text = text.replace(from, to);
  };
  replace(/pid \S+;/, `pid ${dir}/pid; error_log ${dir}/error.log; daemon off;`);
  replace(/http \{/, `http { access_log off; ${own.join(' ')}`);
  replace(/resolver [^;]*;/, '');
  replace(/listen 8443 ssl;/, `listen 127.0.0.1:${port} ssl;`);
  replace(/\/etc\/nginx\/tls\/cert\.pem/, `${dir}/cert.pem`);
  replace(/\/etc\/nginx\/tls\/key\.pem/, `${dir}/key.pem`);
  for (const [i, at] of gateways.entries())
    replace(new RegExp(`server gateway-${i + 1}:8420 resolve`), `server 127.0.0.1:${at}`);
  if (readTimeout) replace(/proxy_read_timeout \S+;/, `proxy_read_timeout ${readTimeout};`);
  writeFileSync(join(dir, 'nginx.conf'), text);
  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  await listening(child, port);
  return {
    port,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += String(chunk)));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
    const answer = await ask(port, 'GET', '/metrics').catch(() => null);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Answer {
  status: number;
  text: string;
}
function ask(
  port: number,
  method: string,
  path: string,
  body?: string,
  { type = 'application/json', key = rootKey } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request(
      {
        ...{ host: 'localhost', port, method, path, ca: testTls.cert },
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) },
      },
      (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => (text += chunk));
        res.on('end', () => {
          resolve({ status: res.statusCode ?? 0, text });
        });
        res.on('error', reject);
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}
const dataOf = ({ text }: Answer): Record<string, unknown> =>
  (JSON.parse(text) as { data: Record<string, unknown> }).data;

(installed ? describe : describe.skip)('black box: behind nginx, as it is deployed', function suite() {
  this.timeout(60_000);
  let server: TestServer;
  let front: Front;
  before(async () => {
    server = await startTestServer({ env: { HIVEKEEP_TRUSTED_PROXIES: '127.0.0.1' } });
    // the second gateway is away
    front = await startNginx([Number(new URL(server.url).port), await freePort()]);
  });
  after(async () => {
    await front.stop();
    await server.stop();
  });

  it('every request is answered while one gateway is away, and figures are not shown', async () => {
    for (let n = 0; n < 10; n++) expect((await ask(front.port, 'GET', '/v1/me')).status).to.equal(200);
    expect((await ask(front.port, 'GET', '/metrics')).status).to.equal(404);
  });

  it('an event of a stream comes when it happens, over SSE and over a WebSocket', async () => {
    const events = new Promise<string>((resolve, reject) => {
      const req = request(
        {
          ...{ host: 'localhost', port: front.port, path: '/v1/events', ca: testTls.cert },
          headers: { authorization: `Bearer ${rootKey}` },
        },
        (res) => {
          res.setEncoding('utf8');
          let text = '';
          res.on('data', (chunk: string) => {
            text += chunk;
            if (!text.includes('agent.created')) return;
            resolve(text);
            req.destroy();
          });
          opened();
        },
      );
      req.on('error', reject);
      req.end();
    });
    let opened = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => (opened = resolve));
    const ws = new WebSocket(`wss://localhost:${front.port}/v1/events`, {
      ca: testTls.cert,
      headers: { authorization: `Bearer ${rootKey}` },
    });
    const told = new Promise<string>((resolve, reject) => {
      ws.on('message', (data: Buffer) => {
        if (String(data).includes('agent.created')) resolve(String(data));
      });
      ws.on('error', reject);
    });
    await Promise.all([isOpen, new Promise((resolve) => ws.once('open', resolve))]);
    const made = await ask(front.port, 'POST', '/v1/agents/spawn', JSON.stringify({ name: 'Ada' }));
    expect(made.status).to.equal(201);
    expect(await events).to.include(String(dataOf(made)['id']));
    expect(await told).to.include(String(dataOf(made)['id']));
    ws.terminate();
  });

  it('what is too long is refused by the gateway in JSON, and an import may be longer than any other body', async () => {
    const long = await ask(front.port, 'POST', '/v1/agents/spawn', JSON.stringify({ name: 'x'.repeat(4_000_000) }));
    expect(long.status).to.equal(413);
    expect(JSON.parse(long.text)).to.have.property('error');
    const lines = `${JSON.stringify({ record: 'memory', data: { content: 'x'.repeat(1_000_000) } })}\n`.repeat(12);
    const taken = await ask(front.port, 'POST', '/v1/import', lines, { type: 'application/x-ndjson' });
    expect(taken.status, 'it is read, and is no export').to.equal(400);
    expect(taken.text).to.include('VALIDATION_ERROR');
  });

  it('an export is read while it is written, and taken in again', async () => {
    const copy = await ask(front.port, 'GET', '/v1/export');
    expect(copy.status).to.equal(200);
    const taken = await ask(front.port, 'POST', '/v1/import', copy.text, { type: 'application/x-ndjson' });
    expect(taken.status, taken.text).to.equal(200);
  });
});

(installed ? describe : describe.skip)('black box: an answer that nginx would not wait for', function suite() {
  this.timeout(30_000);
  it('is kept alive by white space, and is whole in the end; without it nginx gives up', async () => {
    const clock = handClock();
    let come = (): void => undefined;
    const service: Partial<Service> = {
      messageAgent: async (_caller, _agent, _input, begun) => {
        begun?.();
        await new Promise<void>((resolve) => (come = resolve));
        return { run_id: 'run_1' } as Awaited<ReturnType<Service['messageAgent']>>;
      },
    };
    const gateway = await startGateway({ service, options: { clock, monotonic: () => 0 } });
    const front = await startNginx([gateway.port, gateway.port], '2s');
    const asked = (): Promise<Answer> =>
      ask(front.port, 'POST', '/v1/agents/agent_1/message', JSON.stringify({ content: 'hello' }), { key: gatewayKey });
    try {
      expect((await asked()).status, 'nobody keeps it alive').to.equal(504);
      let isThere = false;
      const answer = asked().finally(() => (isThere = true));
      // three times as long as nginx waits; the gateway's seconds pass more quickly here
      const until = Date.now() + 6000;
      while (!isThere && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        clock.pass(50_000);
      }
      expect(isThere, 'it is still waited for').to.equal(false);
      come();
      const { status, text } = await answer;
      expect(status).to.equal(200);
      expect(text).to.match(/^\s+\{/);
      expect((JSON.parse(text) as { data: object }).data).to.include({ run_id: 'run_1' });
    } finally {
      await front.stop();
      await gateway.stop();
    }
  });
});

/** Timers of ten seconds and more are fired by the test. */
function handClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  let timers: { at: number; fn: () => void }[] = [];
  return {
    now: () => Date.now(),
    after(ms, fn) {
      if (ms < 10_000) {
        const timer = setTimeout(fn, ms).unref();
        return () => {
          clearTimeout(timer);
        };
      }
      const timer = { at: now + ms, fn };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    pass(ms) {
      now += ms;
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers = timers.filter((each) => each !== timer);
        timer.fn();
      }
    },
  };
}
