/** What the gateway is created with: its settings as plain values, and its collaborators as interfaces. */
import type { ModelApi } from '../src/config/model-servers.js';
import type { CardSigner } from '../src/a2a/card-signature.js';
import type { AccessTokens } from '../src/oauth/access-tokens.js';
import type { Clock } from '../src/domain/shared/clock.js';
import type { Service } from '../src/service.js';
import type { Limiter } from './limits/limiter.js';
import type { Extend } from './mcp/server.js';
import type { TlsFiles } from './server-options.js';
import type { Streams } from './streams/port.js';
import type { Logger } from '../src/telemetry/logger-port.js';

/** How slow a sender or reader of a body may be that is not held in memory (Lines.T1, T2). */
export interface LeastPace {
  bytesPerSecond: number;
  graceMs: number;
}

/** Bounds on a body that is read as it comes (Lines.T1). */
export interface UploadBounds extends LeastPace {
  /** In bytes. */
  most: number;
}

export interface GatewayConfig {
  /** Largest request body in bytes; a larger one is 413. Default 1 MiB. */
  bodyLimit?: number;
  /** What files may add to the bodies that bring messages to agents, in bytes of the files. Default none. */
  filesLimit?: number;
  /** Bounds on the bodies of imports (http/lines.ts). */
  uploads?: Partial<UploadBounds>;
  /**
   * Bytes kept of all bodies that are still arriving; beyond it requests are 503. Default 256 MiB
   * (http/body.ts).
   */
  bodyBudget?: number;
  /**
   * Bytes held by responses that wait for slow readers; beyond it requests are 503 (http/responder.ts). Default
   * 256 MiB.
   */
  responseBudget?: number;
  /** Whether plain HTTP is served: on a loopback address, or where the operator wants it. */
  plainHttp: boolean;
  /**
   * Proxies whose X-Forwarded-* headers are trusted: addresses, networks, or the names `loopback`, `linklocal`,
   * `uniquelocal`.
   */
  trustedProxies?: readonly string[];
  /** The URL under which clients reach the service, without a trailing slash. If absent, Location headers are paths. */
  publicUrl?: string;
  /** The authorization server that clients are told of (RFC 9728). If absent, they are told of none. */
  oauthIssuer?: string;
  /** The workspace whose public agents everybody is told of. If absent, nobody is. */
  publicCards?: string;
  /** Signs cursors; at least 16 bytes, and the same in every process that serves the same clients. */
  cursorSecret: Uint8Array;
  /** Serves HTTPS with this certificate and key (PEM); `Gateway.renewTls` replaces them. */
  tls?: TlsFiles;
  /** Origins of web pages that may read responses (http/cors.ts), or `*`. Default none. */
  corsOrigins?: readonly string[];
  /** Serves only probes and metrics: for a worker of a cluster, whose clients use its gateways. Default false. */
  probesOnly?: boolean;
  /**
   * Open connections of one address without a valid credential; beyond it the oldest of them is closed. Default 256.
   */
  addressConnections?: number;
  /**
   * Host names, with or without a port, accepted in the URLs of agent cards if `publicUrl` is absent. Loopback names
   * are always accepted.
   */
  allowedHosts?: readonly string[];
  /** The APIs of the model servers, by name. Default: chat completions. */
  modelApis?: ReadonlyMap<string, ModelApi>;
  /** The bearer token that /metrics requires. If absent, it requires none. */
  metricsToken?: string;
  /** The folder of the built pages. Default: dist/pages of this package. */
  pagesFolder?: string;
  /** Open connections in total (limits/connections.ts). Default: unbounded. */
  maxConnections?: number;
  /** How long a client may take to send a whole request, ms; only tests change it. Default 30 s. */
  requestTimeoutMs?: number;
}

export interface MetricsSink {
  /**
   * `route` is a path template of the route table (`/v1/agents/:id`) or `unmatched`, never a path chosen by a client.
   */
  request(route: string, method: string, status: number, seconds: number | null): void;
  /** A request was answered with this error. */
  refused?(code: string): void;
  /** The whole registry in the Prometheus text format. */
  text(): Promise<string>;
}

/** The key that a code was exchanged for. */
export interface SignedIn {
  id: string;
  key: string;
  expires_at: string;
}

/** Redeems a code; null if it is unknown, used or too old. `from` is the client's address. */
export type RedeemCode = (code: string, from: string) => Promise<SignedIn | null>;

export interface GatewayOptions {
  service: Service;
  config: GatewayConfig;
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  metrics: MetricsSink;
  clock: Clock;
  /** Generates request ids that start with `req_` (docs/api.md 7.1); see http/head.ts. */
  requestIds: () => string;
  /** False while a start has more to do, during which the process is not ready. Default: it is started. */
  isStarted?: () => boolean;
  streams: Streams;
  /** Redeems the code of a sign-in link of the console. Default: there are no such links. */
  redeemCode?: RedeemCode;
  /** Adds tools and resources to the MCP endpoints, for tests with the official conformance kit. */
  extendMcp?: Extend;
  /** Signs agent cards. If absent, they are not signed. */
  cardSigner?: CardSigner;
  /** Checks the access tokens of `config.oauthIssuer`. If absent, none are taken. */
  accessTokens?: AccessTokens;
  limiter: Limiter;
  /** A monotonic clock in ms, for durations. Default: performance.now. */
  monotonic?: () => number;
}

export const defaults = {
  bodyLimit: 1024 * 1024,
  /** How long a result of `service.authenticate` is cached; the service allows 2000 ms at most. */
  authCacheMs: 1000,
  addressConnections: 256,
  requestTimeoutMs: 30_000,
} as const;
