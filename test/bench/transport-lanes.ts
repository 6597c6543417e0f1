/**
 * The two ways between processes that transport.bench.ts compares: ours, and one entry a message with a consumer group.
 */
import { randomUUID } from 'node:crypto';
import { createRedisTransport } from '../../src/bus/redis/transport.js';
import { connectRedis } from '../../src/redis/connect.js';

export type LaneKind = 'batched' | 'group';

export interface Lane {
  readonly self: string;
  start(received: (from: string, message: unknown) => void): Promise<void>;
  send(to: string, message: unknown): void;
  close(): Promise<void>;
}

const prefix = 'hk:bench:';
const quiet = { info: () => undefined, warn: () => undefined };

export function openLane(kind: LaneKind, url: string): Lane {
  if (kind === 'group') return groupLane(url);
  const transport = createRedisTransport({ url, prefix, self: randomUUID(), log: quiet });
  return {
    self: transport.self,
    start: (received) => transport.start({ received, gone: () => undefined }),
    send: (to, message) => transport.send(to, message),
    close: () => transport.close(),
  };
}

/** As it is commonly done: XADD for each message (pipelined by the client), XREADGROUP, XACK. */
function groupLane(url: string): Lane {
  const self = randomUUID();
  const key = (name: string): string => `${prefix}group:{${name}}`;
  const writer = connectRedis(url, 'bench-write', quiet);
  const reader = connectRedis(url, 'bench-read', quiet, { autoPipelining: false });
  let closed = false;
  const read = async (received: (from: string, message: unknown) => void): Promise<void> => {
    while (!closed) {
      const reply = (await reader
        .xreadgroup('GROUP', 'g', 'c', 'COUNT', 256, 'BLOCK', 1000, 'STREAMS', key(self), '>')
        .catch(() => null)) as [string, [string, string[]][]][] | null;
      for (const [, entries] of reply ?? []) {
        for (const [, [, from, , text]] of entries) received(from ?? '', JSON.parse(text ?? 'null'));
        void writer.xack(key(self), 'g', ...entries.map(([id]) => id)).catch(() => undefined);
      }
    }
  };
  return {
    self,
    start: async (received) => {
      await writer.xgroup('CREATE', key(self), 'g', '$', 'MKSTREAM');
      void read(received);
    },
    send: (to, message) => {
      writer.xadd(key(to), 'MAXLEN', '~', 10_000, '*', 'f', self, 'm', JSON.stringify(message)).catch(() => undefined);
    },
    close: async () => {
      closed = true;
      await writer.del(key(self)).catch(() => 0);
      reader.disconnect();
      writer.disconnect();
    },
  };
}
