/**
 * What an open stream costs: a thousand followed runs over real sockets, whose clients live in another process, against
 * a thousand bare responses.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { runFrame } from '../../gateway/streams/events.js';
import { createStreams } from '../../gateway/streams/streams.js';
import { createInProcessBus } from '../../src/bus/in-process.js';
import { followRun } from '../../src/bus/run-events.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import { status, topic } from '../unit/bus/support.js';
import { until } from './streams-support.js';

const streams = 1000;
const clock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms).unref();
    return () => clearTimeout(timer);
  },
};
const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens the streams and says how many have sent something. */
const clientProgram = `
  const net = require('node:net');
  let open = 0;
  for (let i = 0; i < ${streams}; i++) {
    const socket = net.connect(Number(process.argv[1]), '127.0.0.1');
    socket.write('GET /' + i + ' HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer svc_live_0123456789012345678901234567\\r\\nAccept: text/event-stream\\r\\n\\r\\n');
    socket.once('data', () => { if (++open === ${streams}) process.stdout.write('open'); });
  }
  process.stdin.on('end', () => process.exit(0)).resume();
`;

/**
 * Bytes of heap and buffers for each stream. The resident size of the process is too noisy to be divided by a thousand.
 */
async function measure(serve: (req: IncomingMessage, res: ServerResponse) => void): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const used = (): number => {
    gc();
    gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const before = used();
  const client = spawn(process.execPath, ['-e', clientProgram, String((server.address() as AddressInfo).port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(client.stdout, 'data');
  const after = used();
  client.stdin.end();
  await once(client, 'exit');
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return (after - before) / streams;
}

describe('the memory of open streams', () => {
  it('stays below 20 KB each', async function () {
    this.timeout(60_000);
    const bare = await measure((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write('retry: 2000\n');
    });
    const bus = createInProcessBus();
    const open = createStreams({ clock, log });
    const measured = await measure((req, res) => {
      const read = async (after: number) => ({ events: after === 0 ? [status(1, 'running')] : [], gone: false });
      void open.frames(
        req,
        res,
        followRun({
          bus,
          read,
          topic: { ...topic, run: `run${req.url ?? ''}` },
          lastSeq: 0,
          signal: new AbortController().signal,
          clock,
          pollMs: 15_000,
          buffer: 256,
        }),
        runFrame,
      );
    });
    await until('all are let go', () => open.open === 0);
    const kb = (bytes: number): string => (bytes / 1024).toFixed(1);
    process.stdout.write(
      `      ${streams} open streams: ${kb(measured)} KB of heap and buffers each (bare responses: ${kb(bare)})\n`,
    );
    expect(measured).to.be.below(20 * 1024);
  });
});
