/** A collector that takes traces by OTLP over HTTP, as protobuf or JSON, and keeps them as the tests read them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { inTime } from './in-time.js';
import { patient } from './patience.js';

export interface SeenSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parent: string;
  startMs: number;
  endMs: number;
  failed: boolean;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
}

export interface Collector {
  readonly url: string;
  readonly spans: SeenSpan[];
  /** Of each request. */
  readonly headers: Record<string, unknown>[];
  /** Resolves when a span of this name is there, and `isIt` holds of it. */
  span(name: string | RegExp, isIt?: (span: SeenSpan) => boolean): Promise<SeenSpan>;
  close(): Promise<void>;
}

/** The settings of a service that tells its traces here, as soon as they are there. */
export const tellingTo = ({ url }: Pick<Collector, 'url'>): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '20',
});

export async function startCollector(): Promise<Collector> {
  const spans: SeenSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  let told: () => void = () => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      const type = request.headers['content-type'] ?? '';
      headers.push(request.headers);
      spans.push(...(type.includes('json') ? spansOfJson(JSON.parse(body.toString()) as Json) : spansOf(body)));
      response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '');
      told();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    span(name, isIt = () => true) {
      const isNamed = (span: SeenSpan): boolean =>
        typeof name === 'string' ? span.name === name : name.test(span.name);
      const wanted = async (): Promise<SeenSpan> => {
        for (;;) {
          const found = spans.find((span) => isNamed(span) && isIt(span));
          if (found) return found;
          await new Promise<void>((resolve) => {
            told = resolve;
          });
        }
      };
      const what = (): string => `no span ${String(name)} among ${JSON.stringify(spans.map((one) => one.name))}`;
      return inTime(patient(10_000), wanted(), what);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/* Protobuf, as far as a trace needs it: the fields of a message, each with its number. */

type Field = [number: number, value: number | bigint | Buffer];

function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const [number, wire] = [key >> 3, key & 7];
    if (wire === 0) yield [number, varint()];
    else if (wire === 1) {
      yield [number, bytes.readBigUInt64LE(at)];
      at += 8;
    } else if (wire === 5) {
      yield [number, bytes.readUInt32LE(at)];
      at += 4;
    } else {
      const length = Number(varint());
      yield [number, bytes.subarray(at, at + length)];
      at += length;
    }
  }
}

const all = (bytes: Buffer, wanted: number): Buffer[] =>
  [...fieldsOf(bytes)].flatMap(([number, value]) => (number === wanted && Buffer.isBuffer(value) ? [value] : []));
const one = (bytes: Buffer, wanted: number): Field[1] | undefined =>
  [...fieldsOf(bytes)].find(([number]) => number === wanted)?.[1];
const text = (bytes: Buffer, wanted: number, encoding: BufferEncoding = 'utf8'): string =>
  all(bytes, wanted)[0]?.toString(encoding) ?? '';

function valueOf(any: Buffer): unknown {
  for (const [number, value] of fieldsOf(any)) {
    if (number === 1) return (value as Buffer).toString();
    if (number === 2) return value === 1n;
    if (number === 3) return Number(BigInt.asIntN(64, value as bigint));
    if (number === 4) {
      const eight = Buffer.alloc(8);
      eight.writeBigUInt64LE(value as bigint);
      return eight.readDoubleLE();
    }
    if (number === 5) return all(value as Buffer, 1).map(valueOf);
  }
  return null;
}

const attributesOf = (pairs: readonly Buffer[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map((pair) => [text(pair, 1), valueOf(all(pair, 2)[0] ?? Buffer.alloc(0))]));

const ms = (nanos: unknown): number => Number(BigInt(nanos as bigint) / 1000n) / 1000;

const spansOf = (body: Buffer): SeenSpan[] =>
  all(body, 1).flatMap((ofResource) =>
    all(ofResource, 2).flatMap((ofScope) =>
      all(ofScope, 2).map((span) => ({
        name: text(span, 5),
        kind: Number(one(span, 6) ?? 0),
        traceId: text(span, 1, 'hex'),
        spanId: text(span, 2, 'hex'),
        parent: text(span, 4, 'hex'),
        startMs: ms(one(span, 7)),
        endMs: ms(one(span, 8)),
        failed: all(span, 15).some((status) => one(status, 3) === 2n),
        attributes: attributesOf(all(span, 9)),
        resource: attributesOf(all(ofResource, 1).flatMap((resource) => all(resource, 1))),
      })),
    ),
  );

interface Pair {
  key: string;
  value: Record<string, unknown>;
}
interface Json {
  resourceSpans: {
    resource: { attributes: Pair[] };
    scopeSpans: {
      spans: {
        name: string;
        kind: number;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        status: { code?: number };
        attributes: Pair[];
      }[];
    }[];
  }[];
}

const pairs = (given: readonly Pair[]): Record<string, unknown> =>
  Object.fromEntries(given.map(({ key, value }) => [key, Object.values(value)[0]]));

const spansOfJson = ({ resourceSpans }: Json): SeenSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId = '', startTimeUnixNano, endTimeUnixNano, ...span }) => ({
        name,
        kind,
        traceId,
        spanId,
        parent: parentSpanId,
        startMs: ms(startTimeUnixNano),
        endMs: ms(endTimeUnixNano),
        failed: span.status.code === 2,
        attributes: pairs(span.attributes),
        resource: pairs(resource.attributes),
      })),
    ),
  );
