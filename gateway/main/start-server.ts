/**
 * The composition root, together with embedded-backend.ts and clustered-backend.ts. It creates store, recall, reasoners
 * and bus for the actors, and passes the actors' service to the gateway.
 */
import type { AddressInfo } from 'node:net';
import { requestIdSource } from '../http/head.js';
import { type Limiter, createLimiter } from '../limits/limiter.js';
import type { Extend } from '../mcp/server.js';
import type { RedeemCode } from '../options.js';
import { createGateway, type Gateway } from '../server.js';
import { createStreams } from '../streams/streams.js';
import type { CardSigner } from '../../src/a2a/card-signature.js';
import { pushBody } from '../../src/a2a/push-body.js';
import type { Config } from '../../src/config/config.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import type { Keyring } from '../../src/secrets/keyring.js';
import { policyOf } from '../../src/limits/tiers.js';
import type { AccessTokens } from '../../src/oauth/access-tokens.js';
import { type Push, PushError } from '../../src/push/port.js';
import { createPush } from '../../src/push/push.js';
import { systemResolver, type Resolve } from '../../src/push/resolver.js';
import { createBuiltIn } from '../../src/reasoner/built-in/steps.js';
import { createAnthropic } from '../../src/reasoner/anthropic.js';
import { embeddingServer, modelServers } from '../../src/config/model-servers.js';
import { mcpCommands } from '../../src/config/mcp-commands.js';
import type { ModelServerOptions } from '../../src/reasoner/chat/reasoner.js';
import { createEmbedder } from '../../src/embeddings/openai.js';
import { Vectors } from '../../src/embeddings/vectors.js';
import { createOpenAi } from '../../src/reasoner/openai.js';
import { createResponses } from '../../src/reasoner/responses.js';
import type { Embedder } from '../../src/embeddings/port.js';
import type { ReasonerFor } from '../../src/reasoner/port.js';
import { modelPrices } from '../../src/config/prices.js';
import { createReasonerFor } from '../../src/reasoner/registry.js';
import { keepAudit } from '../../src/store/audit-retention.js';
import { keepSubjectUse } from '../../src/store/subject-use-retention.js';
import type { Store } from '../../src/store/port.js';
import type { Logger } from '../../src/telemetry/pino-log.js';
import type { Metrics } from '../../src/telemetry/metrics.js';
import { type Backend, type BackendOptions, holdMs, tiersOf } from './backend.js';
import { embeddedBackend } from './embedded-backend.js';
import type { System } from '../../src/base/system.js';
import { watchTlsFiles, type GivenTlsFiles } from '../cli/tls-files.js';

export interface ServerDeps extends System {
  config: Config;
  tls: GivenTlsFiles | null;
  store: Store;
  keyring: Keyring;
  /** Signs agent cards, if they are to be signed. */
  cardSigner?: CardSigner | null;
  log: Logger;
  metrics: Metrics;
  /** Replaces the configured reasoners. */
  reasonerFor?: ReasonerFor;
  /** Replaces the configured limits. */
  limiter?: Limiter;
  /** Redeems the code of a sign-in link (sign-in-link.ts). */
  redeemCode?: RedeemCode;
  /** Adds tools to the MCP endpoints, for the conformance kit. */
  extendMcp?: Extend;
  /** Resolves the names of push receivers instead of DNS. */
  resolve?: Resolve;
  /** Replaces the embedded backend, for a process of a cluster (clustered-backend.ts). */
  backendFor?: (options: BackendOptions) => Backend;
  /** What is done before the server is ready, and only if it can listen. */
  whenListening?: () => Promise<void>;
}

export interface RunningServer {
  /** The base URL with the actual port: http(s)://host:port. */
  readonly url: string;
  /** Drains within `config.shutdownSeconds`. Does not close the store. */
  stop(): Promise<void>;
}

/**
 * Resolves when commands are served. Rejects with the system error if it cannot listen, and with the backend's error if
 * that cannot start.
 */
export async function startServer({
  config,
  tls,
  store,
  keyring,
  cardSigner = null,
  log,
  metrics,
  clock,
  ids,
  randomBytes,
  reasonerFor = reasoners(config, metrics),
  limiter,
  redeemCode,
  extendMcp,
  resolve = systemResolver({ timeoutMs: 2000, tries: 2 }),
  backendFor = embeddedBackend,
  whenListening,
}: ServerDeps): Promise<RunningServer> {
  const embedder = embedderOf(config);
  const heartbeatMs = config.heartbeatSeconds * 1000;
  const graceMs = config.shutdownSeconds * 1000;
  const push = counted(pushes(config, resolve, { log, clock }), metrics);
  const streams = createStreams({ clock, log, heartbeatMs, maxMs: config.streamMaxSeconds * 1000 });
  metrics.observeGauge('hivekeep_streams_open', 'Event streams and WebSockets that are open.', () => streams.open);
  const backend = backendFor({
    config,
    store,
    log,
    metrics,
    clock,
    ids,
    randomBytes,
    keyring,
    mcp: { commands: mcpCommands(config), annotations: config.mcpAnnotations },
    deps: {
      reasonerFor,
      ...(embedder && { vectors: new Vectors({ embedder, clock, log }) }),
      push,
      learning: { atOnce: config.learnAtOnce, servers: placesOf(config) },
      pushRetry: { tries: config.pushTries, firstPauseMs: config.pushRetrySeconds * 1000 },
      defaults: {
        maxSteps: config.runMaxSteps,
        maxRuntimeSeconds: config.runMaxSeconds,
        messageBudget: config.messageBudget,
        modelOutageMs: config.modelOutageSeconds * 1000,
        journalMs: config.journalDays * 24 * 3600 * 1000,
        contextOfTask: config.a2aContext,
      },
    },
  });
  const accessTokens = await accessTokensOf(config, clock, log);
  let isStarted = false;
  const gateway = createGateway({
    service: backend.service,
    isStarted: () => isStarted,
    log,
    metrics,
    clock,
    requestIds: requestIdSource(randomBytes),
    limiter: limiter ?? limiterOf(config, backend.limits, clock),
    streams,
    ...(redeemCode && { redeemCode }),
    ...(cardSigner && { cardSigner }),
    ...(accessTokens && { accessTokens }),
    ...(extendMcp && { extendMcp }),
    config: {
      bodyLimit: config.bodyMaxBytes,
      filesLimit: config.filesMaxBytes,
      uploads: { most: config.importMaxBytes },
      modelApis: new Map([...modelServers(config).values()].map(({ name, speaks }) => [name, speaks])),
      plainHttp: config.loopback || config.plainHttp === 'true',
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      cursorSecret: keyring.derive('cursors'),
      ...(config.publicUrl !== null && { publicUrl: config.publicUrl }),
      ...(config.publicCards !== null && { publicCards: config.publicCards }),
      ...(config.oauthIssuer !== null && { oauthIssuer: config.oauthIssuer }),
      ...(tls && { tls }),
      allowedHosts: config.allowedHosts,
      ...(config.metricsToken !== null && { metricsToken: config.metricsToken }),
      addressConnections: config.addressConnections,
      maxConnections: config.maxConnections ?? connectionsLeft(),
      probesOnly: config.role === 'worker',
    },
  });
  try {
    await backend.start();
    await listening(gateway, config);
    await whenListening?.();
    isStarted = true;
  } catch (error) {
    await backend.stop(0);
    await push.close();
    throw error;
  }
  const endTlsWatch =
    tls === null
      ? () => undefined
      : watchTlsFiles({ settings: config, current: tls, clock, log, renew: (files) => gateway.renewTls(files) });
  const endAuditSweep = keepAudit(store, clock, config.auditDays * 24 * 3600 * 1000, (err) => {
    log.warn({ event: 'audit.sweep_failed', err }, 'Old records of the audit could not be removed; it is tried again.');
  });
  const endUseSweep = keepSubjectUse(store, clock, (err) => {
    log.warn({ event: 'usage.sweep_failed', err }, 'Usage of old months could not be removed; it is tried again.');
  });
  return {
    url: urlOf(gateway, config, tls !== null),
    async stop() {
      endAuditSweep();
      endUseSweep();
      const deadline = clock.elapsed() + graceMs;
      endTlsWatch();
      // waiting requests must not use up the time for committing pending decisions
      await Promise.all([gateway.close(graceMs * 0.8), backend.handOver(graceMs)]);
      await backend.stop(Math.max(0, deadline - clock.elapsed()));
      await push.close();
    },
  };
}

/** Taken where the operator says whose workspace they are for. */
async function accessTokensOf(
  { oauthIssuer, oauthWorkspace, ...config }: Config,
  clock: Clock,
  log: Logger,
): Promise<AccessTokens | null> {
  if (oauthIssuer === null || oauthWorkspace === null) return null;
  const trusted = {
    issuer: oauthIssuer,
    jwksUrl: config.oauthJwksUrl,
    audience: config.oauthAudience ?? config.publicUrl ?? '',
    scopeClaim: config.oauthScopeClaim,
    workspace: oauthWorkspace,
    agents: config.oauthAgents,
    ownTasks: config.oauthTasks === 'own',
  };
  // loaded only where access tokens are taken
  const { createAccessTokens } = await import('../../src/oauth/access-tokens.js');
  return createAccessTokens(trusted, { clock, log });
}

function pushes(config: Config, resolve: Resolve, { log, clock }: Pick<ServerDeps, 'log' | 'clock'>): Push {
  return createPush({
    allow: config.pushAllow,
    resolve,
    bodyOf: (item) =>
      'task' in item
        ? pushBody(item.config.version, item.task)
        : { contentType: 'application/json', body: JSON.stringify(item.event) },
    timeoutMs: config.pushTimeoutSeconds * 1000,
    maxResponseBytes: 64 * 1024,
    userAgent: 'hivekeep',
    log,
    clock,
  });
}

function counted(push: Push, metrics: Metrics): Push {
  return {
    ...push,
    async deliver(item, signal) {
      const ended = metrics.push();
      try {
        await push.deliver(item, signal);
        ended('delivered');
      } catch (error) {
        ended(error instanceof PushError && error.final ? 'refused' : 'failed');
        throw error;
      }
    },
  };
}

function reasoners(config: Config, metrics: Metrics): ReasonerFor {
  const heard: Pick<ModelServerOptions, 'onCall' | 'onLesson' | 'observeWaiting'> = {
    onCall: (...call) => {
      metrics.modelCall(...call);
    },
    onLesson: (_told, of) => {
      metrics.modelLesson(of);
    },
    observeWaiting: (server, waiting) => {
      metrics.observeWaiting(server, waiting);
    },
  };
  const makers = { openai: createOpenAi, responses: createResponses, anthropic: createAnthropic };
  const prices = modelPrices(config);
  const servers = [...modelServers(config).values()].map((server) => {
    const { speaks, timeoutMs, silenceMs, contextWindow, ...options } = server;
    // a silence is looked for at intervals, and lasts for two of them at most
    const tuning = { timeoutMs, stallMs: silenceMs / 2 };
    const made = makers[speaks]({ ...options, ...heard, tuning, contextWindow: contextWindow ?? undefined, prices });
    return [server.name, made] as const;
  });
  return createReasonerFor({ builtIn: createBuiltIn(), servers: new Map(servers) });
}

/** Null where HIVEKEEP_EMBEDDINGS is off. */
function embedderOf(config: Config): Embedder | null {
  const found = embeddingServer(config);
  return found && createEmbedder(found.server, found.model);
}

function limiterOf(config: Config, { keys, addresses }: Backend['limits'], clock: Clock): Limiter {
  return createLimiter({
    keys,
    addresses,
    clock,
    holdMs,
    tiers: tiersOf(config),
    address: policyOf(config.addressRequestsPerMinute),
    probe: policyOf(config.addressProbesPerMinute),
  });
}

/**
 * Connections that may wait to be accepted: as many as the system allows (net.core.somaxconn on Linux). Node's own 511
 * is less than what can come while a turn lasts, and what finds the queue full waits for seconds and may be reset.
 */
const longestQueue = 65_535;

const listening = ({ server }: Gateway, { host, port }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, longestQueue, () => {
      server.off('error', reject);
      resolve();
    });
  });

function urlOf({ server }: Gateway, { host }: Config, secure: boolean): string {
  const { port } = server.address() as AddressInfo;
  return `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Open files for the store, the log, other servers, models, push receivers and anything else that the process opens.
 */
const reserved = 64;

/** Three quarters of the process's limit on open files, less a fixed reserve; infinite without a limit. */
function connectionsLeft(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const files = report.userLimits?.open_files?.soft ?? 'unlimited';
  return files === 'unlimited' ? Infinity : Math.max(16, Math.floor((files - reserved) * 0.75));
}

/** How many requests servers work on at a time, where that is said. */
const placesOf = (config: Config): Map<string, number> =>
  new Map([...modelServers(config).values()].flatMap(({ name, atOnce }) => (atOnce === null ? [] : [[name, atOnce]])));
