/**
 * This process's end of the messages between processes (wire-format.ts), shared by requests to actors (router.ts) and
 * searches (remote-search.ts). It numbers requests, so that an answer matches only one of them, parses incoming
 * messages, and passes each to the part that it belongs to.
 *
 * An unreadable message is counted and dropped. The log reports it at most every ten seconds.
 */
import type { Transport } from '../../src/bus/transport.js';
import type { MonotonicClock } from '../../src/domain/clock.js';
import { type HivekeepError, unavailable } from '../../src/domain/errors.js';
import type { Logger } from '../../src/telemetry/logger.js';
import { readWire, type WireMessage } from './wire-format.js';

/** Sends one kind of request, takes its answers, and serves those of other processes. */
export interface ConnectionUser {
  /** Returns false where the message is no request of this kind, nor the answer to one that waits. Must not throw. */
  received(from: string, message: WireMessage): boolean;
  /** Nobody reads what is sent to this process. */
  gone(instance: string): void;
}

export interface ConnectionStats {
  /** Requests of other processes. */
  received: number;
  malformed: number;
}

export interface Connection {
  /** The name of this process. */
  readonly self: string;
  /** A number that no other request of this process has. */
  nextId(): number;
  /** Never waits and never throws; the message may be lost (src/bus/transport.ts). */
  send(to: string, wire: unknown): void;
  /** From now on this one is told what arrives. */
  attach(user: ConnectionUser): void;
  /** To be called with what the transport delivers. */
  received(from: string, wire: unknown): void;
  gone(instance: string): void;
  stats(): ConnectionStats;
}

const warnEveryMs = 10_000;

export function createConnection(
  transport: Pick<Transport, 'self' | 'send'>,
  clock: MonotonicClock,
  log: Pick<Logger, 'warn'>,
): Connection {
  const users: ConnectionUser[] = [];
  const counts: ConnectionStats = { received: 0, malformed: 0 };
  let lastId = 0;
  let warnedAt = -Infinity;

  function malformed(from: string): void {
    counts.malformed++;
    const now = clock.elapsed();
    if (now - warnedAt < warnEveryMs) return;
    warnedAt = now;
    log.warn({ event: 'bus.message_unreadable', from }, 'dropped an unreadable message from another process');
  }

  return {
    self: transport.self,
    nextId: () => ++lastId,
    send: (to, wire) => {
      transport.send(to, wire);
    },
    attach: (user) => {
      users.push(user);
    },
    received(from, wire) {
      const message = readWire(wire);
      if (message === null) {
        malformed(from);
        return;
      }
      if (message.kind === 'ask' || message.kind === 'search') counts.received++;
      for (const user of users) if (user.received(from, message)) return;
    },
    gone(instance) {
      for (const user of users) user.gone(instance);
    },
    stats: () => ({ ...counts }),
  };
}

/** What a request is refused with, and one that still waits is answered with, when this process ends. */
export const shuttingDown = (): HivekeepError =>
  unavailable('this process is shutting down', { details: { reason: 'Stopping' } });
