/** A2A at rest and at work: thousands of open streams, and pushes to one receiver. */
import { createServer } from 'node:http';
import { connect, type Socket, type AddressInfo } from 'node:net';
import { type Bench, percentile, type Row } from './harness.js';
import { messageSend } from './load.js';
import { api, type BenchServer, key, startHivekeep } from './servers.js';

const streams = 5000;
const agents = 100;
const tasks = 1000;
const rounds = 5;

interface Sent {
  result: { id: string };
}
const send = (server: BenchServer, agent: string, n: number, more: object = {}): Promise<Sent> =>
  api(server, 'POST', `/api/v1/a2a/agents/${agent}`, messageSend(n, `m-${n}`, 'When does the office open?', more));

/** In batches, so that no queue of the server's grows over its bound. */
async function inBatches<T>(
  all: readonly T[],
  width: number,
  each: (item: T, i: number) => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < all.length; i += width)
    await Promise.all(all.slice(i, i + width).map((item, j) => each(item, i + j)));
}

async function spawn(server: BenchServer, n: number, config: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < n; i++)
    ids.push(
      (await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: `bench ${i}`, config })).data.id,
    );
  return ids;
}

/**
 * Every task waits for approval with one stream of its run open; then each is approved, and tells two changes. The
 * latency is from the change's own time (before its commit) to its arrival here.
 */
async function openStreams(): Promise<Row[]> {
  const server = await startHivekeep();
  try {
    const ids = await spawn(server, agents, { validation_gate: 'answer' });
    const waiting: { agent: string; task: string }[] = [];
    await inBatches(
      Array.from({ length: streams }, (_, i) => ids[i % agents] ?? ''),
      50,
      async (agent, i) => {
        waiting.push({ agent, task: (await send(server, agent, i)).result.id });
      },
    );
    const before = server.anon();
    const latencies: number[] = [];
    const sockets: Socket[] = [];
    let ended = 0;
    await inBatches(
      waiting,
      100,
      ({ agent, task }) =>
        new Promise<void>((resolve) => {
          const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
          sockets.push(socket);
          let open = false;
          socket
            .on('error', () => undefined)
            .on('data', (chunk) => {
              const now = Date.now();
              const text = chunk.toString();
              for (const frame of text.split('\n\n')) {
                const at = open && frame.includes('event: status') ? /"at":"([^"]+)"/.exec(frame)?.[1] : undefined;
                if (at !== undefined) latencies.push(now - Date.parse(at));
                if (frame.includes('"status":"completed"')) ended++;
                if (!frame.includes('"status":"paused"')) continue;
                open = true;
                resolve();
              }
            });
          socket.write(
            `GET /v1/agent-constellations/${agent}/runs/${task}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`,
          );
        }),
    );
    const perStream = ((server.anon() - before) * 1024) / streams;
    await inBatches(waiting, 20, ({ agent, task }) =>
      api(server, 'POST', `/v1/agent-constellations/${agent}/runs/${task}/resume`, { decision: 'approve' }),
    );
    for (let i = 0; i < 500 && ended < streams; i++)
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    if (ended !== streams) throw new Error(`${ended} of ${streams} streams came to their end`);
    for (const socket of sockets) socket.destroy();
    return [
      {
        what: `${streams} open streams, each with two changes: time to the client, p99`,
        figure: percentile(latencies, 0.99),
        unit: 'ms',
        target: '<= 100 ms',
        met: percentile(latencies, 0.99) <= 100,
        note: `p50 ${percentile(latencies, 0.5)} ms; the commit is in it; 20 approvals under way at a time, from this process`,
      },
      {
        what: 'memory of an open stream',
        figure: perStream,
        unit: 'KB',
        target: '<= 20 KB',
        met: perStream <= 20,
        note: "growth of the server's RssAnon while 5,000 streams of runs are opened, its side of the sockets in the kernel not counted",
      },
    ];
  } finally {
    await server.stop();
  }
}

/**
 * Tasks with a config each, so that a line of every config is open; the receiver is in this process and answers 200 at
 * once.
 */
async function pushes(): Promise<Row[]> {
  let got = 0;
  const times: number[] = [];
  const receiver = createServer((req, res) => {
    req.resume().on('end', () => {
      got++;
      times.push(performance.now());
      res.writeHead(200, { 'Content-Length': 0 }).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    receiver.once('listening', resolve);
  });
  const { port } = receiver.address() as AddressInfo;
  const server = await startHivekeep(undefined, { HIVEKEEP_PUSH_ALLOW: `127.0.0.1:${port}` });
  try {
    const ids = await spawn(server, 20, { validation_gate: 'answer' });
    const waiting: { agent: string; task: string }[] = [];
    let n = 0;
    const push = (): object => ({
      configuration: { pushNotificationConfig: { url: `http://127.0.0.1:${port}/hook`, token: 't' } },
    });
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) {
      waiting.length = 0;
      await inBatches(
        Array.from({ length: tasks }, (_, i) => ids[i % ids.length] ?? ''),
        50,
        async (agent) => {
          waiting.push({ agent, task: (await send(server, agent, ++n, push())).result.id });
        },
      );
      await until(() => got === 2 * tasks);
      got = 0;
      times.length = 0;
      await inBatches(waiting, 50, ({ agent, task }) =>
        api(server, 'POST', `/v1/agent-constellations/${agent}/runs/${task}/resume`, { decision: 'approve' }),
      );
      await until(() => got === 2 * tasks);
      rates.push((2 * tasks) / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000));
      got = 0;
    }
    const rate = percentile(rates, 0.5);
    return [
      {
        what: `push deliveries to one receiver, ${tasks} configs`,
        figure: rate,
        unit: 'deliveries/s',
        target: '>= 1,500/s',
        met: rate >= 1500,
        note: `median of ${rounds} rounds; what causes them (approvals over REST) and the receiver are in the time, and in one process with it`,
      },
    ];
  } finally {
    await server.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
}

async function until(done: () => boolean): Promise<void> {
  for (let i = 0; i < 3000 && !done(); i++)
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  if (!done()) throw new Error('it did not come to its end');
}

export const bench: Bench = {
  name: 'a2a streams and pushes: one server process, clients and receiver in another',
  run: async () => [...(await openStreams()), ...(await pushes())],
};
