/**
 * Where pushes arrive: an HTTP server that answers each path as the test says and keeps what came, in order. A path
 * for which nothing is said answers 200.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../api/support/client.js';

/** `hang` never answers. */
export type Manner = number | 'hang' | { redirect: string };

export interface Delivery {
  headers: IncomingHttpHeaders;
  body: Json;
  at: number;
}

export interface Receiver {
  /** For HIVEKEEP_PUSH_ALLOW. */
  host: string;
  url(path: string): string;
  /** How the next tries at a path are answered, one each; the last one given with `always` goes on for ever. */
  answer(path: string, ...manners: Manner[]): void;
  /** Answers every try at a path so, until something else is said; null is 200 again. */
  always(path: string, manner: Manner | null): void;
  /** Tries at a path, however answered. */
  tries(path: string): readonly Delivery[];
  /** Those that were answered 200. */
  taken(path: string): readonly Delivery[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const tries = new Map<string, Delivery[]>();
  const taken = new Map<string, Delivery[]>();
  const next = new Map<string, Manner[]>();
  const always = new Map<string, Manner>();
  const list = <T>(map: Map<string, T[]>, path: string): T[] => map.get(path) ?? (map.set(path, []), map.get(path)!);
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    const path = req.url ?? '';
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const delivery = {
        headers: req.headers,
        body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json,
        at: Date.now(),
      };
      const manner = list(next, path).shift() ?? always.get(path) ?? 200;
      list(tries, path).push(delivery);
      if (manner === 200) list(taken, path).push(delivery);
      reply(res, manner);
    });
    req.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    answer: (path, ...manners) => {
      list(next, path).push(...manners);
    },
    always: (path, manner) => {
      if (manner === null) always.delete(path);
      else always.set(path, manner);
    },
    tries: (path) => list(tries, path),
    taken: (path) => list(taken, path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function reply(res: ServerResponse, manner: Manner): void {
  if (manner === 'hang') return;
  if (typeof manner === 'number') res.writeHead(manner).end();
  else res.writeHead(307, { location: manner.redirect }).end();
}
