/**
 * The MCP endpoints (docs/mcp.md): `/mcp/agents/:id` for one agent, opened by a key or by a token of this agent with
 * the scope agent:mcp, and `/mcp` for a workspace, opened by a key. The official library speaks the protocol: the
 * revision 2026-07-28, and those before it without sessions, so that any process answers any request.
 *
 * Invariants
 *  - Checks run in this order: credential, agent of a token, scope agent:mcp, origin, media type, size,
 *     JSON, one message (or the id of the event from which a GET resumes), agent, scopes of the tool, its limits. The
 *     first failure is the answer, and nothing has taken effect by then.
 *  - 401, 403, 404 for the agent, 413, 415, 429 and 503 are plain HTTP with the envelope of docs/api.md
 *     7.1. Every other response is the library's: JSON-RPC, with the HTTP status that the protocol wants.
 *  - A caller lists and calls the tools that all their scopes allow, and no others.
 *  - A request is one message: batches would pass the limits, which count requests.
 *  - A web page may call only if its origin is allowed (http/cors.ts), or is this very machine. A page
 *     that has rebound its own name to this address is neither.
 */
import { getAgent } from '../../src/commands/agents.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import type { HivekeepError } from '../../src/domain/shared/errors.js';
import { type JsonRpcMessage, streamMessages } from '../../src/mcp/event-stream.js';
import type { Caller, Principal, Service } from '../../src/service.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import { checkedAgent } from '../a2a/address.js';
import { openAgent, requireGranted, requireScope, unauthenticated, withOrigin } from '../auth/bearer.js';
import { type BodyBudget, readBody } from '../http/body.js';
import type { Cursors } from '../http/paging.js';
import type { Endpoint, Exchange, GatewayRequest, GatewayResponse } from '../http/prototypes.js';
import { toHivekeepError } from '../http/error-envelope.js';
import { decodeInTurns, refuseUnsafe, requireJson } from '../http/json.js';
import type { Responder } from '../http/responder.js';
import { tracedMessage } from '../http/traced.js';
import { type Limiter, applyAdmission } from '../limits/limiter.js';
import type { SseFrame, Streams } from '../streams/port.js';
import { cutCallOf, type Followed, numbered } from './resumption.js';
import type { Extend } from './server.js';
import type { McpSession, Tool } from './tool.js';

export interface McpDeps {
  service: Service;
  responder: Responder;
  streams: Streams;
  cursors: Cursors;
  clock: Clock;
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  messageLimit: number;
  bodies: BodyBudget;
  limiter: Limiter;
  /** The client's address. */
  addressOf: (req: GatewayRequest) => string;
  /** Whether a web page of this origin may call. */
  admitsOrigin: (origin: string) => boolean;
  /** Adds tools, for tests. */
  extend?: Extend | undefined;
}

export const mcpAgentPath = '/mcp/agents/:id';
export const mcpWorkspacePath = '/mcp';

export function mcpRoutes(deps: McpDeps): Endpoint[] {
  const ofAgent = serve(deps, (principal, req) => {
    const agent = checkedAgent(req);
    const opened = openAgent(principal, agent);
    return { agent, caller: { ...(isToken(principal) ? requireGranted(opened, 'agent:mcp') : opened), agent } };
  });
  const ofWorkspace = serve(deps, (principal) => ({ agent: null, caller: requireScope(principal, null) }));
  return (['POST', 'GET'] as const).flatMap((method) => [
    { path: mcpAgentPath, method, serve: ofAgent },
    { path: mcpWorkspacePath, method, serve: ofWorkspace },
  ]);
}

const isToken = (principal: Principal): boolean => principal.kind === 'token';

type Open = (principal: Principal, req: GatewayRequest) => { agent: string | null; caller: Caller };

const serve =
  (deps: McpDeps, open: Open): Endpoint['serve'] =>
  (req, res) => {
    const { exchange } = req;
    const { principal = null } = exchange ?? {};
    if (exchange === null || principal === null) throw unauthenticated();
    return answer(deps, req, res, { ...open(principal, req), principal, exchange });
  };

interface Opened {
  agent: string | null;
  caller: Caller;
  principal: Principal;
  exchange: Exchange;
}

/**
 * Loaded with the first message: it takes longer than everything else that a start loads, and not every service needs
 * it.
 */
const mcp = async () => {
  const [library, server, resources, tasks, elicitation] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.js'),
    import('./resources.js'),
    import('./tasks.js'),
    import('./elicitation.js'),
  ]);
  return { ...server, ...resources, ...tasks, ...elicitation, createMcpHandler: library.createMcpHandler };
};

async function answer(deps: McpDeps, req: GatewayRequest, res: GatewayResponse, opened: Opened): Promise<void> {
  const { service, responder, cursors, clock, log } = deps;
  const { agent, caller, exchange } = opened;
  const { origin } = req.headers;
  if (origin !== undefined && !deps.admitsOrigin(origin)) {
    const refusal = rpcError(
      null,
      -32600,
      'web pages of this origin may not call: HIVEKEEP_CORS_ORIGINS names those that may',
    );
    responder.text(req, res, 403, jsonType, JSON.stringify(refusal));
    return;
  }
  const message = await messageOf(deps, req, res, opened);
  if ('refusal' in message) {
    responder.text(req, res, 400, jsonType, JSON.stringify(message.refusal));
    return;
  }
  if (agent !== null && !isToken(opened.principal)) await service.execute(caller, getAgent, { id: agent }, {});
  const { createMcpHandler, createMcpServer, agentEndpoint, workspaceEndpoint, prompts, ...tasks } = await mcp();
  if (tasks.wantsUnknownTasks(message.body)) {
    const { id = null } = message.body as { id?: unknown };
    const refusal = rpcError(id, -32021, 'notifications of tasks are for clients that know tasks', tasks.needsTasks);
    responder.text(req, res, 400, jsonType, JSON.stringify(refusal));
    return;
  }
  const method = methodOf(message.body);
  const { tools } = agent === null ? workspaceEndpoint : agentEndpoint;
  const name = nameOf(message.body);
  const called: Called | undefined =
    method === 'tools/call'
      ? tools.get(name)?.tool
      : method === 'prompts/get'
        ? prompts.get(name)
        : tasks.taskMethods.get(method);
  if (called !== undefined) {
    for (const scope of called.scopes) requireGranted(caller, scope);
    const refusal = called.search === true ? await countSearch(deps, req, res, opened.principal) : undefined;
    if (refusal !== undefined) throw refusal;
  }
  if (called === undefined ? method !== '' : called.annotations.readOnlyHint === true) exchange.changesNothing = true;

  const requestId = exchange.id;
  const session: McpSession = {
    service,
    cursors,
    clock,
    caller: { ...withOrigin(caller, req, deps.addressOf), byModel: true },
    agent,
    requestId,
    method,
    resumed: message.followed,
    canBeAsked: tasks.canBeAsked(req.headers[tasks.sessionHeader], cursors, opened),
    keepAlive: () => responder.keepAlive(req, res, 200, plainJson),
    failed: (error, operation) => responder.defect(req, error, operation),
  };
  if (await tasks.takeAnswer(session, message.body)) {
    responder.text(req, res, 202, jsonType, '');
    return;
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const handler = createMcpHandler(() => createMcpServer(session, deps.extend), {
    keepAliveMs: 0,
    onerror: (error) => log.debug({ event: 'mcp.refused', err: error, request_id: requestId }, 'mcp'),
  });
  const response = await tracedMessage(res, { method, name, body: message.body }, () =>
    handler.fetch(webRequest(req, gone.signal), { parsedBody: message.body }),
  );
  const begun = response.status === 200 ? tasks.elicitationSession(message.body, cursors, opened) : null;
  if (begun !== null) res.setHeader(tasks.sessionHeader, begun);
  await send(deps, req, res, response, message.body, opened);
}

const jsonType = 'application/json; charset=utf-8';
/** As the library has it. */
const plainJson = 'application/json';

/** The message that the request brings, or the call whose stream it resumes. */
async function messageOf(
  deps: McpDeps,
  req: GatewayRequest,
  res: GatewayResponse,
  opened: Opened,
): Promise<{ refusal: JsonRpcMessage } | { body: object; followed?: Followed }> {
  if (req.method !== 'POST') return cutCallOf(req, deps.cursors, opened);
  requireJson(req.headers);
  return read(await readBody(req, res, deps.messageLimit, deps.bodies));
}

/** The message in the body, or the JSON-RPC error of a body that holds none. */
async function read(bytes: Buffer): Promise<{ body: object } | { refusal: JsonRpcMessage }> {
  let id: unknown = null;
  try {
    const json = await decodeInTurns(bytes);
    const { value } = json;
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      return { refusal: rpcError(null, -32600, 'the body must be one JSON-RPC message: batches are not supported') };
    id = (value as { id?: unknown }).id ?? null;
    refuseUnsafe(json);
    return { body: value };
  } catch (thrown) {
    const error = toHivekeepError(thrown);
    if (error.code !== 'VALIDATION_ERROR') throw error;
    const known = typeof id === 'string' ? id.isWellFormed() : typeof id === 'number';
    return { refusal: rpcError(known ? id : null, id === null ? -32700 : -32602, error.message) };
  }
}

const rpcError = (id: unknown, code: number, message: string, data?: object): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
});

function methodOf(body: object): string {
  const { method } = body as { method?: unknown };
  return typeof method === 'string' ? method : '';
}

/** What is known of an operation before it begins. */
type Called = Pick<Tool, 'scopes' | 'annotations' | 'search'>;

/** What a call names: a tool, or a prompt. */
function nameOf(body: object): string {
  const { params } = body as { params?: { name?: unknown } | null };
  return typeof params?.name === 'string' ? params.name : '';
}

async function countSearch(
  { limiter }: McpDeps,
  req: GatewayRequest,
  res: GatewayResponse,
  principal: Principal,
): Promise<HivekeepError | undefined> {
  const admission = await limiter.admitSearch(principal);
  return admission.refusal && applyAdmission(req, res, admission);
}

/** What the library needs of the request; the credential is not part of it. */
function webRequest({ method, headers }: GatewayRequest, signal: AbortSignal): Request {
  const needed = Object.entries(headers).filter(
    ([name]) => name.startsWith('mcp-') || name === 'accept' || name === 'content-type',
  );
  const resumes = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  return new Request('http://hivekeep.invalid/mcp', {
    method: 'POST',
    headers: {
      ...Object.fromEntries(needed.map(([name, value]) => [name, String(value)])),
      ...(method !== 'POST' && resumes),
    },
    signal,
  });
}

async function send(
  { responder, streams, cursors }: McpDeps,
  req: GatewayRequest,
  res: GatewayResponse,
  response: Response,
  body: { id?: unknown },
  opened: Opened,
): Promise<void> {
  const type = response.headers.get('content-type') ?? jsonType;
  if (response.body === null || !type.startsWith('text/event-stream')) {
    responder.text(req, res, response.status, type, await response.text());
    return;
  }
  const failed = (thrown: unknown): SseFrame => ({
    data: rpcError(body.id ?? null, -32603, toHivekeepError(thrown).message),
  });
  const frameOf = numbered(body, req.headers['mcp-protocol-version'], cursors, opened);
  await streams.frames(req, res, streamMessages(response.body), frameOf, { failed });
}
