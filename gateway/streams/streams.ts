/** The streams of the gateway (port.ts): server-sent events and WebSockets. */
import type { Clock } from '../../src/domain/shared/clock.js';
import { logEnd, Pump } from './pump.js';
import type { Streams } from './port.js';
import { pumpSse, requestIdOf } from './sse.js';
import { isHandshake, pumpWebSocket } from './websocket.js';
import { Turns } from '../limits/intake.js';
import type { Logger } from '../../src/telemetry/logger-port.js';

export interface StreamsOptions {
  clock: Clock;
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  /** ms between heartbeats. Default 15 s. */
  heartbeatMs?: number;
  /** ms that a stream may last. Default 10 min (docs/api.md 8.5). */
  maxMs?: number;
  tuning?: Partial<StreamsTuning>;
}

/** Values that only tests change. */
export interface StreamsTuning {
  /** A reader that takes nothing for this many ms is cut off at the next heartbeat. Default: one heartbeat. */
  stallMs: number;
  /** ms that a connection has to close after its stream ended. */
  goodbyeMs: number;
  /** ms after which a client should reconnect. */
  retryMs: number;
  /** Open streams of all kinds in this process; further ones are refused with 503. */
  maxStreams: number;
  /** Returns a number from 0 to 1, to spread reconnects. */
  random: () => number;
  turns: Turns;
}
const usualTuning: Omit<StreamsTuning, 'stallMs' | 'turns'> = {
  goodbyeMs: 5000,
  retryMs: 2000,
  maxStreams: 20_000,
  random: Math.random,
};

export interface OpenStreams extends Streams {
  /** The number of open streams. */
  readonly open: number;
}

export function createStreams(options: StreamsOptions): OpenStreams {
  const { clock, log, heartbeatMs = 15_000, maxMs = 600_000 } = options;
  const { random, retryMs, ...limits } = {
    ...usualTuning,
    stallMs: heartbeatMs,
    turns: new Turns({ monotonic: () => performance.now(), turnMs: 5 }),
    ...options.tuning,
  };
  const pump = new Pump({ clock, heartbeatMs, maxMs, ...limits });

  return {
    async frames(req, res, source, frameOf, endings) {
      const ended = await (isHandshake(req)
        ? pumpWebSocket(pump, req, source, frameOf)
        : pumpSse(pump, req, res, source, frameOf, { retryMs, random, ...endings }));
      logEnd(log, ended, requestIdOf(res));
    },
    get open() {
      return pump.open;
    },
    close: () => pump.close(),
  };
}
