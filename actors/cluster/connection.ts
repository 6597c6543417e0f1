/**
 * This process's end of the messages between processes (wire-format.ts), shared by requests to actors (router.ts) and
 * searches (remote-search.ts). It numbers requests, so that an answer matches only one of them, parses incoming
 * messages, and passes each to the part that it belongs to.
 *
 * An unreadable message is counted and dropped (src/bus/unreadable.ts).
 */
import type { Transport } from '../../src/bus/transport.js';
import { UnreadableMessages } from '../../src/bus/unreadable.js';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { type HivekeepError, unavailable } from '../../src/domain/shared/errors.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import { readWire, type WireMessage } from './wire-format.js';

/** Sends one kind of request, receives the answers, and serves the requests of that kind from other processes. */
export interface ConnectionUser {
  /** Returns false if the message is neither a request of this kind nor the answer to a pending one. Must not throw. */
  received(from: string, message: WireMessage): boolean;
  /** Called when messages to this instance no longer have a reader. */
  gone(instance: string): void;
}

export interface ConnectionStats {
  /** Requests that other processes have sent. */
  received: number;
  malformed: number;
}

export interface ClusterConnection {
  /** The name of this process. */
  readonly self: string;
  /** Returns an id that no other request of this process has. */
  nextId(): number;
  /** Never waits and never throws; the message may be lost (src/bus/transport.ts). */
  send(to: string, wire: unknown): void;
  /** Passes incoming messages to this user from now on. */
  attach(user: ConnectionUser): void;
  /** Call this with each message that the transport delivers. */
  received(from: string, wire: unknown): void;
  gone(instance: string): void;
  stats(): ConnectionStats;
}

export function createConnection(
  transport: Pick<Transport, 'self' | 'send'>,
  clock: MonotonicClock,
  log: Pick<Logger, 'warn'>,
): ClusterConnection {
  const users: ConnectionUser[] = [];
  const malformed = new UnreadableMessages(log, () => clock.elapsed());
  let received = 0;
  let lastId = 0;

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
        malformed.add(from, 'no message between processes'); // what it says may be a user's
        return;
      }
      if (message.kind === 'ask' || message.kind === 'search') received++;
      for (const user of users) if (user.received(from, message)) return;
    },
    gone(instance) {
      for (const user of users) user.gone(instance);
    },
    stats: () => ({ received, malformed: malformed.count }),
  };
}

/** The error for new and pending requests when this process shuts down. */
export const shuttingDown = (): HivekeepError =>
  unavailable('this process is shutting down', { details: { reason: 'Stopping' } });
