/** A server that has just been started: how soon it serves, and how its first requests compare with later ones. */
import { connect } from 'node:net';
import { type Bench, percentile, type Row } from './harness.js';
import { messageSend, post } from './load.js';
import { api, type BenchServer, key, startEcho, startHivekeep } from './servers.js';

const connections = 10;
const first = 1000;
const later = 20_000;
const rounds = 5;
const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The latencies of `count` requests, in the order of their answers. */
function latencies(port: number, count: number, request: (n: number) => Buffer): Promise<number[]> {
  const took: number[] = [];
  let sent = 0;
  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let at = 0;
      let text = '';
      const send = (): void => {
        if (sent >= count) {
          socket.destroy();
          resolve();
          return;
        }
        at = performance.now();
        text = '';
        socket.write(request(sent++));
      };
      socket
        .on('connect', send)
        .on('error', reject)
        .on('data', (chunk) => {
          text += chunk.toString('latin1');
          const end = text.indexOf('\r\n\r\n');
          const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
          if (end === -1 || text.length < end + 4 + length) return;
          if (!/^HTTP\/1.1 20[01] /.test(text)) reject(new Error(text.slice(0, 500)));
          took.push(performance.now() - at);
          send();
        });
    });
  return Promise.all(Array.from({ length: connections }, client)).then(() => took);
}

interface Start {
  servingMs: number;
  firstP99: number;
  laterP99: number;
}

async function measured(
  start: () => Promise<BenchServer>,
  requests: (server: BenchServer) => Promise<(n: number) => Buffer>,
): Promise<Start> {
  const began = performance.now();
  const server = await start();
  const servingMs = performance.now() - began;
  try {
    const request = await requests(server);
    const cold = await latencies(server.port, first, request);
    const all = await latencies(server.port, later, request);
    return { servingMs, firstP99: percentile(cold, 0.99), laterP99: percentile(all.slice(-later / 2), 0.99) };
  } finally {
    await server.stop();
  }
}

const content = 'The harbour office opens at eight, and the pilot boat leaves at a quarter past on weekdays.';
const question = 'When does the harbour office open?';

/** Memories, messages over REST and A2A, and reads, in turns. */
async function mixed(server: BenchServer): Promise<(n: number) => Buffer> {
  const { data } = await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'bench' });
  const memory = post('/v1/memories', key, { type: 'semantic', content });
  const message = post(`/v1/agents/${data.id}/message`, key, { content: question });
  const read = Buffer.from(
    `GET /v1/agents/${data.id} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  const send = (n: number): Buffer =>
    post(`/api/v1/a2a/agents/${data.id}`, key, messageSend(n, `m-${n}-${Math.random()}`, question));
  return (n) => [memory, message, read][n % 4] ?? send(n);
}

export const bench: Bench = {
  name: `start: a server process that has just been started, ${connections} connections, memories, messages (REST and A2A) and reads in turns`,
  async run(): Promise<Row[]> {
    const ours: Start[] = [];
    const echo: Start[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await measured(() => startHivekeep(), mixed));
      const body = post('/echo', key, { content });
      echo.push(
        await measured(
          () => startEcho('durable'),
          () => Promise.resolve(() => body),
        ),
      );
    }
    const of = (starts: readonly Start[], field: keyof Start): number => median(starts.map((start) => start[field]));
    const ratio = (starts: readonly Start[]): number =>
      median(starts.map(({ firstP99, laterP99 }) => firstP99 / laterP99));
    return [
      {
        what: 'from the start of the process to serving',
        figure: of(ours, 'servingMs'),
        unit: 'ms',
        baseline: { what: 'durable echo', figure: of(echo, 'servingMs') },
        target: '<= 1,000 ms',
        met: of(ours, 'servingMs') <= 1000,
      },
      {
        what: `p99 of the first ${first} requests against the later one`,
        figure: ratio(ours),
        unit: 'times',
        baseline: { what: 'durable echo', figure: ratio(echo) },
        target: '< 5 times',
        met: ratio(ours) < 5,
        note: `${of(ours, 'firstP99').toFixed(1)} and ${of(ours, 'laterP99').toFixed(1)} ms; medians of ${rounds} starts`,
      },
    ];
  },
};
