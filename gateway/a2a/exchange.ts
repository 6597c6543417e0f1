/**
 * Serves one request at an agent's A2A endpoint, whatever its binding: JSON-RPC (routes.ts) and HTTP+JSON
 * (http-json.ts) read the request and write the answer, and everything between is here.
 *
 * Invariants
 *  - Checks run in this order: credential, agent of a token, media type, size, JSON, envelope, method, version, scope,
 *    params. The first failure is the answer, and nothing has taken effect by then.
 *  - 401, 403, 404 for an agent that does not exist (or is outside the credential's reach), 429 and 503 are said before
 *    the protocol: over JSON-RPC in the envelope of docs/api.md 7.1, over HTTP+JSON as a google.rpc.Status
 *    (http/responder.ts). Every other response is the binding's.
 *  - An internal error is answered without details, and logged with the request's id.
 */
import { getAgent } from '../../src/commands/agents.js';
import type { ServerResponse } from 'node:http';
import { extendedCard, requestedExtensions } from '../../src/a2a/card.js';
import type { CardSigner } from '../../src/a2a/card-signature.js';
import type { A2aOperation } from '../../src/a2a/methods.js';
import { RpcError } from '../../src/a2a/rpc.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { Scope } from '../../src/domain/shared/vocabulary.js';
import type { Caller, Service } from '../../src/service.js';
import { openAgent, requireGranted, withOrigin } from '../auth/bearer.js';
import { type BodyBudget, ClientGone, readBody } from '../http/body.js';
import type { Cursors } from '../http/paging.js';
import type { Endpoint, GatewayRequest } from '../http/prototypes.js';
import { toHivekeepError } from '../http/error-envelope.js';
import { requireJson } from '../http/json.js';
import type { Responder } from '../http/responder.js';
import type { Streams } from '../streams/port.js';
import { checkedAgent, urlOfAgent, type PublicAddress } from './address.js';
import { type Binding, type RpcRequest, inTurns } from './binding.js';
import { signed } from './signed-cards.js';
import { isPlain, toRpcError } from './errors.js';
import { type RpcContext, operations } from './operations.js';
import { lastSeen, openAgain, openSent, sendOnly, writeTask } from './task-stream.js';

export interface EndpointDeps extends PublicAddress {
  /** Null: cards are not signed. */
  cardSigner: CardSigner | null;
  service: Service;
  responder: Responder;
  streams: Streams;
  cursors: Cursors;
  /** The client's address. */
  addressOf: (req: GatewayRequest) => string;
  messageLimit: number;
  bodies: BodyBudget;
}

/** The scope that each operation requires. */
export const scopeOf: Readonly<Record<A2aOperation, Scope>> = {
  card: 'agent:read',
  get: 'agent:read',
  list: 'agent:read',
  subscribe: 'agent:read',
  getPush: 'agent:read',
  listPush: 'agent:read',
  send: 'agent:spawn',
  stream: 'agent:spawn',
  setPush: 'agent:spawn',
  deletePush: 'agent:spawn',
  cancel: 'agent:manage',
};

type Bind = (responder: Responder, req: GatewayRequest, res: ServerResponse) => Binding;

/** The handler of requests that are read and answered as `bind` says. */
export const serveExchange =
  (deps: EndpointDeps, bind: Bind): Endpoint['serve'] =>
  (req, res) => {
    const agent = checkedAgent(req);
    const caller = openAgent(req.exchange?.principal ?? null, agent);
    return new Exchange(deps, req, res, caller, agent, bind(deps.responder, req, res)).answer();
  };

/** A signal that is aborted when the client leaves, or has left, before it has its answer. */
function goneWith(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** One request and its response. */
class Exchange {
  constructor(
    private readonly deps: EndpointDeps,
    private readonly req: GatewayRequest,
    private readonly res: ServerResponse,
    private readonly caller: Caller,
    private readonly agent: string,
    private readonly binding: Binding,
  ) {}

  async answer(): Promise<void> {
    try {
      const request = this.binding.read(await inTurns(await this.body()), (operation) => {
        requireGranted(this.caller, scopeOf[operation]);
      });
      await this.serve(request);
    } catch (error) {
      await this.fail(error);
    }
  }

  private body(): Promise<Buffer> {
    requireJson(this.req.headers);
    return readBody(this.req, this.res, this.deps.messageLimit, this.deps.bodies);
  }

  private async serve({ operation, codec, params }: RpcRequest): Promise<void> {
    if (this.req.exchange && scopeOf[operation] === 'agent:read') this.req.exchange.changesNothing = true;
    const { service, cursors } = this.deps;
    const agent = this.agent;
    const caller =
      scopeOf[operation] === 'agent:read' ? this.caller : withOrigin(this.caller, this.req, this.deps.addressOf);
    const { headers } = this.req;
    const extensions = requestedExtensions(headers['a2a-extensions'] ?? headers['x-a2a-extensions']);
    if (extensions.size > 0) this.res.setHeader('A2A-Extensions', [...extensions].join(', '));
    const context: RpcContext = {
      service,
      cursors,
      caller,
      agent,
      codec,
      params,
      extensions,
      gone: () => goneWith(this.res),
      begun: () => {
        this.binding.keepAlive();
      },
      card: async () => {
        const about = await service.execute(caller, getAgent, { id: agent }, {});
        const url = urlOfAgent(this.req, this.deps, agent);
        return signed(this.req, this.deps, extendedCard(codec.version, about, url), about, url);
      },
    };
    if (operation === 'stream' || operation === 'subscribe') await this.stream(context, operation);
    else this.binding.result(await operations[operation](context));
  }

  private async stream(context: RpcContext, operation: 'stream' | 'subscribe'): Promise<void> {
    if (this.binding.silent) {
      if (operation === 'stream') await sendOnly(context);
      else context.codec.readId(context.params);
      this.binding.result(null);
      return;
    }
    const stream =
      operation === 'stream'
        ? await openSent(context)
        : await openAgain(context, lastSeen(this.req.headers['last-event-id']));
    await writeTask(this.deps, this.req, this.res, this.binding, context, stream);
  }

  private async fail(thrown: unknown): Promise<void> {
    const { responder } = this.deps;
    const req = this.req;
    const res = this.res;
    const { asked } = this.binding;
    if (thrown instanceof ClientGone || res.headersSent || res.destroyed) {
      responder.fail(req, res, thrown);
      return;
    }
    if (thrown instanceof RpcError) {
      this.binding.failure(thrown, null);
      return;
    }
    const error = toHivekeepError(thrown);
    if (isPlain(error) || (error.code === 'NOT_FOUND' && (await this.isMissingAgent()))) {
      responder.fail(req, res, error);
      return;
    }
    responder.defect(req, error, asked.operation);
    if (this.binding.silent) this.binding.result(null);
    else this.binding.failure(toRpcError(error, asked), error);
  }

  /** Whether the error means that the agent was not found, rather than one of its tasks. */
  private async isMissingAgent(): Promise<boolean> {
    try {
      await this.deps.service.execute(this.caller, getAgent, { id: this.agent }, {});
    } catch (error) {
      return error instanceof HivekeepError && error.code === 'NOT_FOUND';
    }
    return false;
  }
}
