/** What the gateway is given: its settings as plain values, and the parts that it talks to as interfaces. */
import type { Clock } from '../src/domain/clock.js';
import type { Service } from '../src/service.js';
import type { Limiter } from './limits/port.js';
import type { TlsFiles } from './server-options.js';
import type { Streams } from './streams/port.js';
import type { Logger } from '../src/telemetry/logger.js';

export interface GatewayConfig {
  /** Largest request body in bytes; more is 413. Default 1 MiB. */
  bodyLimit?: number;
  /** What is kept of all bodies that are still arriving, in bytes; more is 503. Default 256 MiB (http/body-budget.ts). */
  bodyBudget?: number;
  /** What responses hold that wait for their readers, in bytes; more is 503 (http/response-budget.ts). Default 256 MiB. */
  responseBudget?: number;
  /** True when the server is bound to a loopback address: only then is plain HTTP served. */
  loopback: boolean;
  /** Addresses, networks or the names `loopback`, `linklocal`, `uniquelocal` whose X-Forwarded-* headers are believed. */
  trustedProxies?: readonly string[];
  /** Where clients reach the service, without a slash at its end. Absent: Location headers are paths. */
  publicUrl?: string;
  /** Signs cursors, at least 16 bytes. The same in every process that serves the same clients. */
  cursorSecret: Uint8Array;
  /** How long an answer of `service.authenticate` may be used again, 0 to 2000 ms. Default 1000. */
  authCacheMs?: number;
  /** Serves HTTPS with this certificate and key (PEM); `Gateway.renewTls` replaces them. */
  tls?: TlsFiles;
  /** Origins of web pages that may read what is answered to them (http/cors.ts), or `*`. Default none. */
  corsOrigins?: readonly string[];
  /** Serves nothing but the probes and metrics: a worker of a cluster, whose clients ask its gateways. Default false. */
  probesOnly?: boolean;
  /** How long a client may take to send a whole request, ms. Default 30,000. */
  requestTimeoutMs?: number;
  /** Connections of one address without a valid credential; beyond it its oldest is closed. Default 256. */
  addressConnections?: number;
  /** Names, with or without a port, under which clients may reach an agent whose card is made without `publicUrl`. Loopback ones need not be named. */
  allowedHosts?: readonly string[];
  /** What /metrics asks for as a bearer token. Absent: nothing. */
  metricsToken?: string;
  /** Connections in all (limits/connections.ts). Default: no bound. */
  maxConnections?: number;
}

export interface MetricsSink {
  /** `route` is a path template of the table (`/v1/agents/:id`), or `unmatched`: never what a client made up. */
  request(route: string, method: string, status: number, seconds: number | null): void;
  /** The whole registry in Prometheus' text format. */
  text(): Promise<string>;
}

export interface GatewayOptions {
  service: Service;
  config: GatewayConfig;
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  metrics: MetricsSink;
  clock: Clock;
  /** Fresh ids, each starting with `req_` (docs/api.md 7.1); see http/request-id.ts. */
  requestIds: () => string;
  streams: Streams;
  /** Default: no limits, and no headers that tell of any. */
  limiter?: Limiter;
  /** Milliseconds that never go back, for durations. Default: performance.now. */
  monotonic?: () => number;
}

export const defaults = {
  bodyLimit: 1024 * 1024,
  authCacheMs: 1000,
  requestTimeoutMs: 30_000,
  addressConnections: 256,
} as const;
