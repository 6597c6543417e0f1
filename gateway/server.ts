/**
 * The gateway: an HTTP(S) server that translates requests into calls of the service and contains no business rules.
 *
 * Invariants
 *  - Every response, even to input that is not HTTP, is JSON in the envelopes of docs/api.md 2.11 and 7.1, except for
 *    streams, /metrics and HEAD.
 *  - `close` stops accepting connections, lets requests in progress finish within the grace time, ends streams with a
 *    hint to reconnect, and leaves no socket open when it resolves.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Clock } from '../src/domain/shared/clock.js';
import { HivekeepError, invalid } from '../src/domain/shared/errors.js';
import { readsCard } from './a2a/card-routes.js';
import { peerPushRoute } from './a2a/peer-pushes.js';
import { keySetRoutes } from './a2a/signed-cards.js';
import { createPublicAgents, publicCardRoutes } from './a2a/public-cards.js';
import { a2aRoutes } from './a2a/routes.js';
import { buildApp, createApp, runApp } from './app.js';
import { type TrustFunction, createAuthenticator, isHttps, isSecure } from './auth/bearer.js';
import { CredentialWatch } from './auth/credential-watch.js';
import { answerBrokenHttp } from './broken-http.js';
import { begin, createEntry, pathOf } from './entry.js';
import { Connections, clientAddress } from './limits/connections.js';
import { FairShare, Intake, Turns, fairDefaults } from './limits/intake.js';
import { createCors, isLoopbackOrigin } from './http/cors.js';
import { BodyBudget } from './http/body.js';
import { createCursors } from './http/paging.js';
import { usualUpload } from './http/lines.js';
import { adoptPrototypes, type GatewayRequest, type GatewayResponse } from './http/prototypes.js';
import { Responses, createResponder, tooManyResponses } from './http/responder.js';
import { documentRoute } from './openapi/docs.js';
import { mcpRoutes } from './mcp/endpoint.js';
import { challengeOf, resourceRoutes } from './protected-resource.js';
import { openAiRoutes } from './openai/routes.js';
import { defaults, type GatewayOptions } from './options.js';
import { pageRoutes } from './pages/pages.js';
import { signInRoute } from './pages/sign-in.js';
import { createProbes } from './probes.js';
import { routes } from './rest/routes.js';
import { serveRoute } from './rest/route.js';
import { serverLimits, tlsOptions, type TlsFiles } from './server-options.js';
import { beginHandshake, isHandshake } from './streams/websocket.js';
import { endingStreams } from './streams/while-valid.js';

export interface Gateway {
  /** Not listening yet. */
  readonly server: Server;
  /**
   * New connections use this certificate; open ones keep theirs. Requires that `config.tls` was given. Throws, and
   * changes nothing, if certificate and key do not match.
   */
  renewTls(files: TlsFiles): void;
  /** Drains for at most `graceMs`, then closes the remaining connections. Resolves when all are closed. */
  close(graceMs: number): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { service, config, clock, metrics, requestIds, log, limiter } = options;
  const monotonic = options.monotonic ?? (() => performance.now());
  const bodyLimit = config.bodyLimit ?? defaults.bodyLimit;
  let draining = false;

  const app = createApp(config.trustedProxies ?? []);
  const trusts = app.get('trust proxy fn') as TrustFunction;
  const secure = (req: GatewayRequest): boolean => isSecure(req, config.plainHttp, trusts);
  const authenticator = createAuthenticator(service, clock, defaults.authCacheMs, options.accessTokens);
  const watch = new CredentialWatch(service, clock);
  const cors = createCors(config.corsOrigins ?? []);
  const https = (req: IncomingMessage): boolean => isHttps(req, trusts) ?? false;
  const responses = new Responses(clock, config.responseBudget);
  const responder = createResponder({
    log,
    metrics,
    clock,
    monotonic,
    bodyLimit,
    responses,
  });
  const streams = endingStreams(options.streams, watch, responder);
  const probes = createProbes({
    service,
    metrics,
    responder,
    monotonic,
    metricsToken: config.metricsToken,
    isDraining: () => draining,
    isStarted: options.isStarted ?? (() => true),
  });
  const probePaths = new Set(probes.map(({ path }) => path));
  const cursors = createCursors(config.cursorSecret);
  const addressOf = (req: IncomingMessage): string => clientAddress(req, trusts);
  const { publicCards } = config;
  const publicAgents = publicCards === undefined ? null : createPublicAgents({ publicCards, service, clock });
  const entryDeps = {
    authenticator,
    secure,
    addressOf,
    requestIds,
    monotonic,
    probes: probePaths,
    mayBePublic: (req: GatewayRequest) => publicAgents !== null && readsCard(req),
    limiter,
    https,
    cors,
  };
  const entry = createEntry(entryDeps);
  const connections = new Connections({
    perAddress: config.addressConnections ?? defaults.addressConnections,
    total: config.maxConnections ?? Infinity,
    trusts: (address) => trusts(address, 0),
    secured: config.tls !== undefined,
    clock,
    closed: onceAMinute(monotonic, (address) => {
      log.warn(
        { event: 'connections.limited', address },
        'there are too many open connections, so some that serve nothing are being closed',
      );
    }),
  });
  const ended = (credential: string): void => {
    authenticator.forget();
    watch.revoked(credential);
  };
  const deps = {
    service,
    responder,
    cursors,
    streams,
    ended,
    watch,
    addressOf,
    bodyLimit,
    messageLimit: bodyLimit + 4 * Math.ceil((config.filesLimit ?? 0) / 3),
    bodies: new BodyBudget(config.bodyBudget),
    modelApis: config.modelApis ?? new Map(),
    uploads: { ...usualUpload, ...config.uploads },
    log,
    publicUrl: config.publicUrl ?? '',
    oauthIssuer: config.oauthIssuer ?? null,
    takesAccessTokens: options.accessTokens !== undefined,
    cardSigner: options.cardSigner ?? null,
    publicAgents,
    allowedHosts: config.allowedHosts ?? [],
    clock,
    limiter,
    admitsOrigin: (origin: string) => isLoopbackOrigin(origin) || (cors?.isAllowed(origin) ?? false),
    extend: options.extendMcp,
  };
  const application = buildApp(app, [
    ...a2aRoutes(deps),
    peerPushRoute(deps),
    ...mcpRoutes(deps),
    ...openAiRoutes(deps),
    ...routes.map((route) => ({ method: route.method, path: route.path, serve: serveRoute(route, deps) })),
    ...probes,
    documentRoute(deps),
    signInRoute({ ...deps, redeem: options.redeemCode, https }),
    ...pageRoutes({ ...deps, folder: config.pagesFolder }),
    ...resourceRoutes(deps),
    ...keySetRoutes(deps),
    ...publicCardRoutes(deps),
  ]);

  const fair = new FairShare({ clock, monotonic, turns: new Turns({ monotonic, turnMs: 5 }), ...fairDefaults });
  const intake = new Intake(monotonic);
  const serve = (req: GatewayRequest, res: GatewayResponse): void => {
    const { authorization, 'x-api-key': apiKey } = req.headers;
    const keyed = authorization !== undefined || apiKey !== undefined;
    const connection = connections.began(req.socket, keyed);
    intake.began(req, res, () => connections.ended(connection, keyed));
    const exchange = begin(req, res, entryDeps);
    if (config.probesOnly && !probePaths.has(pathOf(req.url ?? '/'))) {
      responder.fail(req, res, onlyProbes());
      return;
    }
    entry(req, res, exchange, (refusal) => {
      const { principal } = exchange;
      if (principal !== null && refusal === undefined) connections.proved(req.socket, principal.workspace);
      if (refusal !== undefined) responder.fail(req, res, refusal, challengeOf(req, refusal, deps));
      // refused before it takes effect, because there would be no room for its response
      else if (principal !== null && responses.isFull(principal.workspace))
        responder.fail(req, res, tooManyResponses());
      else if (isHandshake(req) && cors?.admits(req) === false) responder.fail(req, res, foreignOrigin());
      else if (cors?.isPreflight(req)) responder.empty(req, res, 204, cors.preflightHeaders());
      else
        fair.enter(principal, res, () => {
          runApp(application, responder, req, res);
        });
    })?.catch((error: unknown) => responder.fail(req, res, error));
  };
  const limits = serverLimits(config.requestTimeoutMs ?? defaults.requestTimeoutMs);
  const classes = adoptPrototypes(app);
  const server = config.tls
    ? (createTlsServer({
        ...limits,
        ...classes,
        ...tlsOptions(config.tls),
        handshakeTimeout: limits.headersTimeout,
      }) as unknown as Server)
    : createServer({ ...limits, ...classes });
  server.maxHeadersCount = 0; // http/head.ts bounds the fields and refuses; node would silently drop some
  server.on('connection', (socket: Socket) => {
    connections.accepted(socket);
  });
  server.on('request', serve);
  server.on('checkContinue', (req: GatewayRequest, res: GatewayResponse) => {
    req.awaitsContinue = true;
    serve(req, res);
  });
  server.on('checkExpectation', serve); // the entry answers the Expect header
  answerBrokenHttp(server, clock, requestIds, () => limiter.uncounted());
  // only handshakes of WebSockets leave HTTP (http/prototypes.ts)
  server.on('upgrade', (req: GatewayRequest, socket: Socket, head: Buffer) => {
    const res = new classes.ServerResponse(req) as GatewayResponse;
    beginHandshake(req, res, socket, head);
    serve(req, res);
  });
  intake.watch(server, config.tls !== undefined);
  return {
    server,
    renewTls: (files) => (server as unknown as TlsServer).setSecureContext(tlsOptions(files)),
    close(graceMs) {
      draining = true;
      responder.drain();
      streams.close();
      return closeServer(server, graceMs, clock, connections);
    },
  };
}

const onlyProbes = (): HivekeepError =>
  new HivekeepError('NOT_FOUND', 'this process is a worker and serves probes only: send requests to a gateway');

const foreignOrigin = (): HivekeepError =>
  invalid({ path: 'Origin', message: 'must be one of those that HIVEKEEP_CORS_ORIGINS names' });

/** Calls `emit` for the first item, and then at most once a minute. */
function onceAMinute<T>(monotonic: () => number, emit: (item: T) => void): (item: T) => void {
  let next = -Infinity;
  return (item) => {
    if (monotonic() < next) return;
    next = monotonic() + 60_000;
    emit(item);
  };
}

/** How long a newly opened connection has before it counts as silent. */
const silentMs = 500;

function closeServer(server: Server, graceMs: number, clock: Clock, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const timers = [
      clock.after(Math.min(graceMs, silentMs), () => connections.closeSilent()),
      clock.after(graceMs, () => connections.closeAll()),
    ];
    server.close(() => {
      for (const cancel of timers) cancel();
      resolve();
    });
  });
}
