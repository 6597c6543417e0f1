/** Processes of one cluster on a real Redis. */
import { randomUUID } from 'node:crypto';
import {
  createRedisTransport,
  type RedisTransport,
  type RedisTransportOptions,
} from '../../../src/bus/redis/transport.js';
import type { Transport } from '../../../src/bus/transport.js';
import type { RedisClient } from '../../../src/redis/connect.js';
import type { TransportWorld } from './suite.js';

interface Log {
  lines: string[];
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

function logger(): Log {
  const lines: string[] = [];
  const add = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { lines, info: add, warn: add };
}

export interface RedisWorld extends TransportWorld {
  log: Log;
  open(options?: Partial<RedisTransportOptions>): RedisTransport;
  inbox(transport: Transport): string;
}

/** Transports under a prefix of their own; `hand` writes what no transport would. */
export function redisWorld(url: string, hand: RedisClient): RedisWorld {
  const prefix = `hk:${randomUUID()}:`;
  const made: Transport[] = [];
  const log = logger();
  const open = (options: Partial<RedisTransportOptions> = {}): RedisTransport => {
    const transport = createRedisTransport({ url, prefix, self: randomUUID(), log, ...options });
    made.push(transport);
    return transport;
  };
  return {
    log,
    open,
    inbox: (transport: Transport) => `${prefix}in:{${transport.self}}`,
    transport: () => open(),
    write: async (to: string, text: string) => {
      await hand.xadd(`${prefix}in:{${to}}`, '*', 'v', '1', 'f', 'somebody', 'm', text);
    },
    unreadable: (transport: Transport) => (transport as RedisTransport).stats().unreadable,
    close: async () => {
      await Promise.all(made.map((transport) => transport.close()));
    },
  };
}
