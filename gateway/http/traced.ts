/**
 * Requests are told as spans (src/telemetry/tracing.ts), once they were let in: whoever has no credential begins no trace.
 * The span of a request lasts until its response is over.
 */
import { type Attributes, beginSpan, isTracing, readTraceparent, traceNow } from '../../src/telemetry/tracing.js';
import type { GatewayRequest, GatewayResponse } from './prototypes.js';

type Serve = (req: GatewayRequest, res: GatewayResponse) => void | Promise<void>;

/** Serves a request of this route. */
export function tracedRequest(
  req: GatewayRequest,
  res: GatewayResponse,
  { method, route }: { method: string; route: string },
  serve: Serve,
): void | Promise<void> {
  const { exchange } = req;
  if (!isTracing() || exchange?.principal == null) return serve(req, res);
  const { traceparent } = req.headers;
  const parent = readTraceparent(traceparent) && (traceparent as string);
  return untilClosed(
    res,
    `${method} ${route}`,
    parent,
    {
      'http.request.method': method,
      'http.route': route,
      'url.path': (req.url ?? '').split('?', 1)[0]?.slice(0, 256),
      'hivekeep.workspace.id': exchange.principal.workspace,
      'hivekeep.request.id': exchange.id,
    },
    (trace) => {
      if (trace !== '') exchange.trace = trace;
      return serve(req, res);
    },
  );
}

/** Serves a message of MCP: `_meta` of its parameters says to which trace it belongs, or else the request does. */
export function tracedMessage<T>(
  res: GatewayResponse,
  message: { method: string; name: string; body: object },
  serve: () => T,
): T {
  if (!isTracing()) return serve();
  const { method, name, body } = message;
  const { params } = body as { params?: { _meta?: { traceparent?: unknown } | null } | null };
  const given = params?._meta?.traceparent;
  const parent = readTraceparent(given) ? (given as string) : (traceNow() ?? null);
  if (parent === null) return serve();
  const attributes = { 'mcp.method.name': method, ...(method === 'tools/call' && { 'gen_ai.tool.name': name }) };
  return untilClosed(res, `${method}${name === '' ? '' : ` ${name}`}`.slice(0, 200), parent, attributes, serve);
}

function untilClosed<T>(
  res: GatewayResponse,
  name: string,
  parent: string | null,
  attributes: Attributes,
  serve: (trace: string) => T,
): T {
  return beginSpan({ name, kind: 'server', parent, attributes }, (begun) => {
    if (begun.traceparent !== '')
      res.once('close', () => {
        const { statusCode } = res;
        begun.set({ 'http.response.status_code': statusCode });
        begun.end(statusCode >= 500 ? String(statusCode) : undefined);
      });
    return serve(begun.traceparent);
  });
}
