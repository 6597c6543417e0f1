/** POST /v1/memories through the whole gateway, over a service that answers at once: what the gateway itself costs. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { requestIdSource } from '../../gateway/http/request-id.js';
import { createGateway } from '../../gateway/server.js';
import { scopes } from '../../src/domain/vocabulary.js';
import type { Principal, Service } from '../../src/service.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import type { Bench, Row } from './harness.js';
import type { LoadResult } from './gateway-load.js';

const connections = 50;
const warmMs = 1500;
const measureMs = 4000;
const rounds = 2;

async function measure(server: Server, path: string, status: number): Promise<LoadResult> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const loader = fileURLToPath(new URL('./gateway-load.js', import.meta.url));
  const child = spawn(process.execPath, [loader, ...[port, connections, warmMs, measureMs, status].map(String), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  await once(child, 'exit');
  server.closeAllConnections();
  server.close();
  const result = JSON.parse(out) as LoadResult;
  if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers from ${path}`);
  return result;
}

function nodeEcho(): Server {
  return createServer((req, res) => {
    const chunks: Buffer[] = [];
    req
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const text = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
      });
  });
}

function expressEcho(): Server {
  const app = express();
  app.use(express.json());
  app.post('/echo', (req, res) => {
    res.json(req.body);
  });
  return createServer(app);
}

function gatewayServer(): Server {
  const principal: Principal = {
    kind: 'key',
    workspace: 'default',
    key: 'key_bench',
    tier: 'enterprise',
    scopes: new Set(scopes),
  };
  const hash = createHash('sha256').update('svc_live_bench').digest('hex');
  const at = new Date().toISOString();
  const createMemory: Service['createMemory'] = (_caller, input) =>
    Promise.resolve({
      id: 'mem_01k00000000000000000000000',
      type: input.type,
      content: input.content,
      agent_id: null,
      hive_id: null,
      shared_by: null,
      sessionId: null,
      subject: null,
      position: null,
      importance: null,
      occurred_at: '2026-01-01T00:00:00.000Z',
      speaker: null,
      source: null,
      supersedes: null,
      superseded_by: null,
      valid_until: null,
      times_seen: 1,
      last_seen_at: at,
      metadata: input.metadata ?? {},
      expires_at: null,
      created_at: at,
      updated_at: at,
    });
  const service = {
    authenticate: (asked: string) => Promise.resolve(asked === hash ? principal : null),
    createMemory,
  } as unknown as Service;
  const nothing = (): void => undefined;
  return createGateway({
    service,
    config: { plainHttp: true, cursorSecret: randomBytes(32) },
    log: { debug: nothing, warn: nothing, error: nothing },
    metrics: createMetrics(),
    clock: { now: Date.now, after: () => nothing },
    requestIds: requestIdSource(randomBytes),
    streams: {
      runEvents: () => Promise.resolve(),
      workspaceEvents: () => Promise.resolve(),
      frames: () => Promise.resolve(),
      close: nothing,
    },
  }).server;
}

/** The better of two rounds: on a shared machine the worse one measures the neighbours. */
async function best(make: () => Server, path: string, status: number): Promise<LoadResult> {
  const results: LoadResult[] = [];
  for (let i = 0; i < rounds; i++) results.push(await measure(make(), path, status));
  return results.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
}

export const bench: Bench = {
  name: `gateway: POST /v1/memories over HTTP, service answers at once, ${connections} connections, one request in flight on each`,
  async run(): Promise<Row[]> {
    const bare = await best(nodeEcho, '/echo', 200);
    const theirs = await best(expressEcho, '/echo', 200);
    const ours = await best(gatewayServer, '/v1/memories', 201);
    const latency = `p50 ${ours.p50.toFixed(2)} ms, p99 ${ours.p99.toFixed(2)} ms; server in one process, load generator in another, every answer checked; no store behind it, no log line per request`;
    return [
      {
        what: 'against node:http JSON echo',
        figure: ours.perSecond,
        unit: 'requests/s',
        baseline: { what: 'node:http', figure: bare.perSecond },
        target: '>= 15,000/s',
        met: ours.perSecond >= 15_000,
        note: latency,
      },
      {
        what: 'against express with express.json and res.json',
        figure: ours.perSecond,
        unit: 'requests/s',
        baseline: { what: 'express', figure: theirs.perSecond },
      },
    ];
  },
};
