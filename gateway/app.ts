/**
 * The Express application behind the entry: the endpoints, and the error responses for everything else. Requests for a
 * plain path take a short cut to their handler (entry.ts).
 */
import express, { type Express, type RequestHandler } from 'express';
import { HivekeepError } from '../src/domain/shared/errors.js';
import { DirectRoutes } from './entry.js';
import type { Endpoint, GatewayRequest, GatewayResponse, Method } from './http/prototypes.js';
import type { Responder } from './http/responder.js';
import { tracedRequest } from './http/traced.js';

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

type Handle = Endpoint['serve'];
/**
 * Requests are GatewayRequests that also have Express's methods (http/prototypes.ts), which Express's types cannot
 * express.
 */
const asExpress = (handle: Handle): RequestHandler =>
  ((req, res) => handle(req as unknown as GatewayRequest, res as unknown as GatewayResponse)) as RequestHandler;

export interface Application {
  app: Express;
  direct: DirectRoutes<Handle>;
}

/** Endpoints are compared in their order. Any other method of their paths is 405. */
export function buildApp(app: Express, endpoints: readonly Endpoint[]): Application {
  const direct = new DirectRoutes<Handle>();
  for (const [path, served] of byPath(endpoints)) {
    const at = app.route(path);
    const route = path.replaceAll('\\:', ':');
    for (const { method, serve } of served) {
      const named = { method, route };
      const handle: Handle = (req, res) => {
        nameRoute(req, route);
        if (method === 'DELETE') refuseSlash(req);
        return tracedRequest(req, res, named, serve);
      };
      at[method.toLowerCase() as Lowercase<Method>](asExpress(handle));
      direct.add(method, path, handle);
    }
    const methods = served.map(({ method }) => method);
    at.all(asExpress((req) => refuseMethod(req, route, methods)));
  }
  return { app, direct };
}

/** In the order of the table. */
export function byPath<R extends { readonly path: string }>(table: readonly R[]): Map<string, R[]> {
  const paths = new Map<string, R[]>();
  for (const route of table) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}

function nameRoute(req: GatewayRequest, path: string): void {
  if (req.exchange) req.exchange.route = path;
}

/** A path whose last name was lost on the way, as `/v1/agents/:id/sessions/..` loses it, must not delete what is left. */
function refuseSlash({ url = '' }: GatewayRequest): void {
  if (url.split('?', 1)[0]?.endsWith('/') === true)
    throw new HivekeepError('NOT_FOUND', 'there is nothing to delete at a path that ends with a slash');
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
