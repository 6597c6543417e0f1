/**
 * The Express application behind the entry: the probes, the route table, and the error responses for everything else.
 * Requests for a plain path of the table take a short cut to their handler (direct-routes.ts).
 */
import express, { type Express, type RequestHandler, type Router } from 'express';
import { HivekeepError } from '../src/domain/errors.js';
import type { A2aRoute } from './a2a/routes.js';
import type { GatewayRequest, GatewayResponse } from './http/prototypes.js';
import type { McpRoute } from './mcp/endpoint.js';
import type { Responder } from './http/responder.js';
import type { OpenAiRoute } from './openai/routes.js';
import type { PageRoute } from './pages/pages.js';
import type { Probe } from './probes.js';
import { DirectRoutes } from './direct-routes.js';
import type { Method, Route } from './rest/route.js';
import { byPath } from './rest/routes.js';
import { serveRoute, type RouteDeps } from './rest/serve-route.js';

/** Creates an Express application with its automatic features (ETag, X-Powered-By, query parsing) turned off. */
export function createApp(trustedProxies: readonly string[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.set('trust proxy', [...trustedProxies]);
  return app;
}

/** May throw or reject: the error is answered. */
type Handle = (req: GatewayRequest, res: GatewayResponse) => unknown;
/**
 * Requests are GatewayRequests that also have Express's methods (http/prototypes.ts), which Express's types cannot
 * express.
 */
const asExpress = (handle: Handle): RequestHandler =>
  ((req, res) => handle(req as unknown as GatewayRequest, res as unknown as GatewayResponse)) as RequestHandler;

export function buildApp(
  app: Express,
  probes: ReadonlyMap<string, Probe>,
  pages: readonly PageRoute[],
  table: readonly Route[],
  a2a: readonly A2aRoute[],
  others: readonly (McpRoute | OpenAiRoute)[],
  deps: RouteDeps,
): Application {
  const direct = new DirectRoutes<Handle>();
  // a router of their own, so that other requests compare a single path
  const agents = express.Router({ caseSensitive: true });
  for (const [path, routes] of byPath(a2a))
    serveAt(
      agents,
      direct,
      path,
      routes.map(({ method, serve }) => ({ method, handle: serve })),
      path.slice(a2aRoot.length),
    );
  app.use(a2aRoot, agents);
  for (const [path, routes] of byPath(others))
    serveAt(
      app,
      direct,
      path,
      routes.map(({ method, serve }) => ({ method, handle: serve })),
    );
  for (const [path, routes] of byPath(table))
    serveAt(
      app,
      direct,
      path,
      routes.map((route) => ({ method: route.method, handle: serveRoute(route, deps) })),
    );
  const open: PageRoute[] = [...probes].map(([path, serve]) => ({ method: 'GET', path, serve }));
  for (const { method, path, serve } of [...open, ...pages])
    serveAt(app, direct, path, [
      {
        method,
        handle: (req, res) => {
          nameRoute(req, path);
          return serve(req, res);
        },
      },
    ]);
  return { app, direct };
}

export interface Application {
  app: Express;
  direct: DirectRoutes<Handle>;
}

const a2aRoot = '/api/v1/a2a';

interface Served {
  method: Method;
  handle: Handle;
}

/** Registers the methods of one path; any other method is 405. `below` is the path relative to the router. */
function serveAt(
  router: Express | Router,
  direct: DirectRoutes<Handle>,
  path: string,
  served: readonly Served[],
  below = path,
): void {
  const at = router.route(below);
  for (const { method, handle } of served) {
    at[method.toLowerCase() as Lowercase<Method>](asExpress(handle));
    direct.add(method, path, handle);
  }
  at.all(
    asExpress((req) => {
      refuseMethod(
        req,
        path,
        served.map(({ method }) => method),
      );
    }),
  );
}

function nameRoute(req: GatewayRequest, path: string): void {
  if (req.exchange) req.exchange.route = path;
}

function refuseMethod(req: GatewayRequest, path: string, methods: readonly string[]): never {
  nameRoute(req, path);
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  throw new HivekeepError('METHOD_NOT_ALLOWED', `${req.method ?? 'this method'} is not allowed here: use ${allow}`, {
    details: { allow },
  });
}

/**
 * Runs a request through the application. An unmatched request is 404, and errors are answered in the envelope, never
 * with Express's HTML page.
 */
export function runApp(
  { app, direct }: Application,
  responder: Responder,
  req: GatewayRequest,
  res: GatewayResponse,
): void {
  const found = direct.find(req.method ?? '', req.url ?? '');
  if (found !== null) {
    req.params = found.params;
    runHandle(found.handle, responder, req, res);
    return;
  }
  const done = (error?: unknown): void =>
    responder.fail(req, res, error ?? new HivekeepError('NOT_FOUND', 'there is nothing at this path'));
  (app as unknown as (req: GatewayRequest, res: GatewayResponse, next: typeof done) => void)(req, res, done);
}

function runHandle(handle: Handle, responder: Responder, req: GatewayRequest, res: GatewayResponse): void {
  try {
    const done = handle(req, res);
    if (done instanceof Promise) done.catch((error: unknown) => responder.fail(req, res, error));
  } catch (error) {
    responder.fail(req, res, error);
  }
}
