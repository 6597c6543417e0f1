/**
 * The gateway: an HTTP(S) server that translates requests into calls of the service, and knows no business rule.
 *
 * Invariants
 *  1. Every answer is JSON in the envelopes of spec 2.11 and 7.1 (streams, /metrics and HEAD aside), also to what is not HTTP.
 *  2. `close` takes no new connection, lets requests in flight finish within its time, ends streams with a hint to
 *     come back, and leaves no socket behind when it resolves.
 */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Clock } from '../src/domain/clock.js';
import { HivekeepError, invalid } from '../src/domain/errors.js';
import { a2aRoutes } from './a2a/routes.js';
import { buildApp, createApp, runApp } from './app.js';
import { createAuthenticator } from './auth/bearer.js';
import { isSecure, type TrustFunction } from './auth/https-only.js';
import { begin, createEntry } from './entry.js';
import { clientAddress } from './limits/address.js';
import { createCursors } from './http/cursor.js';
import { adoptPrototypes, type GatewayRequest } from './http/prototypes.js';
import { createResponder, rawErrorResponse } from './http/responder.js';
import { createDocs } from './openapi/docs.js';
import { defaults, type GatewayOptions } from './options.js';
import { createProbes } from './probes.js';
import { routes } from './rest/routes.js';
import { watchSilentConnections } from './silent-connections.js';

export interface Gateway {
  /** Not listening yet. */
  readonly server: Server;
  /** Drains for at most `graceMs`, then closes what is left. Resolves when every connection is gone. */
  close(graceMs: number): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { service, config, clock, metrics, streams, requestIds, log, limiter } = options;
  const monotonic = options.monotonic ?? (() => performance.now());
  const bodyLimit = config.bodyLimit ?? defaults.bodyLimit;
  let draining = false;

  const app = createApp(config.trustedProxies ?? []);
  const trusts = app.get('trust proxy fn') as TrustFunction;
  const secure = (req: GatewayRequest): boolean => isSecure(req, config.loopback, trusts);
  const authenticator = createAuthenticator(service, clock, config.authCacheMs ?? defaults.authCacheMs);
  const responder = createResponder({ log, metrics, clock, monotonic, bodyLimit });
  const probes = createProbes(service, metrics, responder, () => draining);
  const cursors = createCursors(config.cursorSecret);
  const addressOf = (req: IncomingMessage): string => clientAddress(req, trusts);
  const entryDeps = { authenticator, secure, addressOf, requestIds, monotonic, probes: new Set(probes.keys()), limiter };
  const entry = createEntry(entryDeps);
  const deps = { service, responder, cursors, streams, authenticator, bodyLimit, log, publicUrl: config.publicUrl ?? '' };
  buildApp(app, new Map([...probes, ...createDocs(deps)]), routes, a2aRoutes(deps), deps);

  const serve = (req: GatewayRequest, res: ServerResponse): void => {
    entry(req, res, begin(req, res, entryDeps), (refusal) => {
      if (refusal === undefined) runApp(app, responder, req, res);
      else responder.fail(req, res, refusal);
    })?.catch((error: unknown) => responder.fail(req, res, error));
  };
  const limits = serverLimits(config.requestTimeoutMs ?? defaults.requestTimeoutMs);
  const classes = adoptPrototypes(app);
  const server = config.tls ? createTlsServer({ ...limits, ...classes, cert: asTls(config.tls.cert), key: asTls(config.tls.key) }) as unknown as Server : createServer({ ...limits, ...classes });
  server.on('request', serve);
  server.on('checkContinue', (req: GatewayRequest, res: ServerResponse) => { req.awaitsContinue = true; serve(req, res); });
  server.on('checkExpectation', serve); // the entry refuses what is expected
  answerBrokenHttp(server, requestIds, () => limiter?.uncounted() ?? {});
  streams.attach?.(server, {
    path: '/v1/events', requestId: requestIds, secure: (req) => secure(req as GatewayRequest),
    authenticate: (credential) => authenticator.fromCredential(credential),
    open: (caller, signal) => service.workspaceEvents(caller, signal),
    ...(limiter !== undefined && { limits: {
      admit: (req, principal, id) => (principal === null ? limiter.admitAddress(addressOf(req)) : limiter.admit(req, principal, id)),
      uncounted: () => limiter.uncounted(),
    } }),
  });
  const endSilent = watchSilentConnections(server);
  return {
    server,
    close(graceMs) {
      draining = true;
      responder.drain();
      streams.close();
      return closeServer(server, graceMs, clock, endSilent);
    },
  };
}

const asTls = (pem: string | Uint8Array): string | Buffer => (typeof pem === 'string' ? pem : Buffer.from(pem));

/** Set on purpose: slow senders are cut, idle connections outlive those of common proxies (60 s), and none ends after some number of requests. */
function serverLimits(requestTimeout: number): ServerOptions {
  return {
    requestTimeout, headersTimeout: Math.min(15_000, requestTimeout), connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024, noDelay: true,
    // a missing Host is answered with the envelope (entry.ts), not with node's empty 400
    requireHostHeader: false,
  };
}

/** What never becomes a request still gets the envelope: bad HTTP, headers too long, a request that takes too long, CONNECT. */
function answerBrokenHttp(server: Server, requestIds: () => string, headers: () => Readonly<Record<string, string>>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const current = (socket as { _httpMessage?: ServerResponse<IncomingMessage> | null })._httpMessage;
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent === true) { socket.destroy(); return; }
    // the request before it was whole and is being served: its answer must not be mistaken for this one's, so the connection ends after it
    if (current?.req.complete) { current.shouldKeepAlive = false; return; }
    socket.end(rawErrorResponse(invalid({ path: '', message: httpMistakes[error.code ?? ''] ?? 'must be valid HTTP/1.1' }), requestIds(), headers()));
  });
  server.on('connect', (_req: unknown, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.end(rawErrorResponse(new HivekeepError('METHOD_NOT_ALLOWED', 'CONNECT is not allowed: this is no proxy', { details: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' } }), requestIds(), headers()));
  });
}

const httpMistakes: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'headers must be at most 16384 bytes',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request was not complete in time',
};

/** A connection that was just opened has so long to send what it was opened for. */
const silentMs = 500;

function closeServer(server: Server, graceMs: number, clock: Clock, endSilent: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timers = [clock.after(Math.min(graceMs, silentMs), endSilent), clock.after(graceMs, () => server.closeAllConnections())];
    server.close(() => {
      for (const cancel of timers) cancel();
      resolve();
    });
  });
}
