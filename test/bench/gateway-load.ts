/**
 * The load generator of gateway.bench.ts, as a program of its own so that it has the other core: raw keep-alive
 * sockets, one request in flight on each, every answer checked. Prints one line of JSON.
 *
 *   node gateway-load.js <port> <connections> <ms to warm up> <ms to measure> <status expected> <path>
 */
import { connect } from 'node:net';
import { pathToFileURL } from 'node:url';
import { percentile } from './harness.js';

export interface LoadResult {
  perSecond: number;
  wrong: number;
  p50: number;
  p99: number;
}

const body = JSON.stringify({
  type: 'semantic',
  content: 'The harbour office opens at eight, and the pilot boat leaves at a quarter past on weekdays.',
  metadata: { source: 'bench', page: 12 },
});

function run([port = 0, connections = 0, warmMs = 0, measureMs = 0, status = 0]: number[], path: string): void {
  const request = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer svc_live_bench\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const expected = Buffer.from(`HTTP/1.1 ${status} `);
  const mark = Buffer.from('content-length: ');
  const split = Buffer.from('\r\n\r\n');
  const latencies: number[] = [];
  let measuring = false;
  let answers = 0;
  let wrong = 0;

  function client(): void {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let pending: Buffer | null = null;
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket
      .on('connect', send)
      .on('error', () => {
        wrong++;
      })
      .on('data', (chunk) => {
        const data: Buffer = pending ? Buffer.concat([pending, chunk]) : chunk;
        const headerEnd = data.indexOf(split);
        if (headerEnd === -1) {
          pending = data;
          return;
        }
        const length = lengthOf(data, headerEnd, mark);
        if (data.length < headerEnd + 4 + length) {
          pending = data;
          return;
        }
        pending = null;
        // the whole answer: the status asked for, exactly as long as it says, and JSON from brace to brace
        const ok =
          data.subarray(0, expected.length).equals(expected) &&
          data.length === headerEnd + 4 + length &&
          data[headerEnd + 4] === 0x7b &&
          data[data.length - 1] === 0x7d;
        if (!ok) wrong++;
        if (measuring) {
          answers++;
          if (latencies.length < 400_000) latencies.push(performance.now() - sentAt);
        }
        send();
      });
  }
  for (let i = 0; i < connections; i++) client();
  setTimeout(() => {
    measuring = true;
  }, warmMs);
  setTimeout(() => {
    const result: LoadResult = {
      perSecond: answers / (measureMs / 1000),
      wrong,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
  }, warmMs + measureMs);
}

function lengthOf(data: Buffer, headerEnd: number, mark: Buffer): number {
  let at = data.indexOf(mark);
  if (at === -1 || at > headerEnd) at = data.toString('latin1', 0, headerEnd).toLowerCase().indexOf('content-length: ');
  return at === -1 ? NaN : parseInt(data.toString('latin1', at + mark.length, at + mark.length + 8), 10);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [path = '/', ...numbers] = process.argv.slice(2).reverse();
  run(numbers.reverse().map(Number), path);
}
