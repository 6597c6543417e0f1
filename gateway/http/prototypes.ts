/**
 * Express 5 calls Object.setPrototypeOf on every request and response, which makes V8 drop their hidden classes and
 * costs more than the rest of Express together (expressjs/express#5998). Here the HTTP server creates instances of
 * classes that already have Express's methods, and the application is told that these are its prototypes, so the call
 * has no effect.
 *
 * Invariants
 *  - The prototype of a request and of a response is the same before and after Express has handled it.
 *  - Express's own methods and getters work on them (req.ip, res.status).
 *  - A response has each header once, with the value that was given last.
 */
import express, { type Express } from 'express';
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Principal } from '../../src/service.js';

/** The record of one request while it is being served. */
export interface Exchange {
  /** `req_...` (docs/api.md 7.1). */
  readonly id: string;
  /** The client's own request id, if it sent a valid one. */
  readonly clientId: string | null;
  /** Monotonic clock, ms. */
  readonly startedAt: number;
  /** The path template, for metrics; `unmatched` until a route is found. */
  route: string;
  principal: Principal | null;
  /** The request has no effect, whatever its method, so its response may still be replaced by a refusal. */
  changesNothing?: boolean;
  /** The traceparent of its span, where it is traced (traced.ts). */
  trace?: string;
}

/**
 * A request of the gateway. All fields that Express, its router and the gateway add later are declared here, so that
 * all requests have one hidden class.
 */
export class GatewayRequest extends IncomingMessage {
  /** Set by the gateway before any other code sees the request. */
  exchange: Exchange | null = null;
  /** The client waits for 100 Continue before it sends its body. */
  awaitsContinue = false;
  params: Record<string, string> = noParams;
  res: unknown = undefined;
  next: unknown = undefined;
  baseUrl = '';
  originalUrl = '';
  route: unknown = undefined;
  /** Set by node's own constructor through `upgrade`, hence without a value of its own. */
  declare private leavesHttp: boolean;

  /**
   * Whether the connection leaves HTTP with this request. Node sets it where a client offers an upgrade, and reads it
   * to decide; only CONNECT and the handshake of a WebSocket do. Any other offer, such as that of h2c with each request
   * of `curl --http2`, is served as the plain request that it also is.
   */
  get upgrade(): boolean {
    return this.leavesHttp && (this.method === 'CONNECT' || isHandshake(this));
  }
  set upgrade(offered: boolean | null) {
    this.leavesHttp = offered === true;
  }
}

/** Of a WebSocket, where there is one. */
const isHandshake = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === webSocketPath;

const webSocketPath = '/v1/events';

const noParams: Record<string, string> = Object.freeze({});

/**
 * A response of the gateway. The headers that every response has are known long before its status. They wait here and
 * are written with the head in one call, which costs half of setting each of them and writing them then.
 */
export class GatewayResponse extends ServerResponse<GatewayRequest> {
  /** Names and values in turn, the form that node writes fastest. */
  readonly #shown: string[] = [];

  /** Sets a header of the head, unless the head is written with another of exactly this name. */
  show(name: string, value: string): void {
    put(this.#shown, name, value);
  }

  override getHeader(name: string): number | string | string[] | undefined {
    const at = placeOf(this.#shown, name);
    return at === -1 ? super.getHeader(name) : this.#shown[at + 1];
  }

  /** Takes headers as an object: of node's forms the only one that the gateway uses. */
  override writeHead(status: number, headers?: unknown): this {
    const all: unknown[] = this.#shown.slice();
    const given = headers as OutgoingHttpHeaders | undefined;
    for (const name in given) put(all, name, given[name]);
    return super.writeHead(status, all as string[]);
  }
}

function put(headers: unknown[], name: string, value: unknown): void {
  const at = placeOf(headers, name);
  if (at === -1) headers.push(name, value);
  else headers[at + 1] = value;
}

/** Only every second item is a name: a value may be any text that a client has sent. */
function placeOf(headers: readonly unknown[], name: string): number {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return i;
  return -1;
}

export interface ServerClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/** Creates the classes for one application and installs their prototypes in it. */
export function adoptPrototypes(app: Express): ServerClasses {
  class AppRequest extends GatewayRequest {
    constructor(socket: Socket) {
      super(socket);
    }
  }
  class AppResponse extends GatewayResponse {
    locals: unknown = undefined;
  }
  for (const [target, source] of [
    [AppRequest.prototype, express.request],
    [AppResponse.prototype, express.response],
  ] as const) {
    const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(source);
    Object.defineProperties(target, methods);
    Object.defineProperty(target, 'app', { configurable: true, enumerable: true, writable: true, value: app });
  }
  const own = app as unknown as { request: object; response: object };
  own.request = AppRequest.prototype;
  own.response = AppResponse.prototype;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as unknown as typeof ServerResponse };
}

/* What is served at a path, whatever its protocol. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  method: Method;
  /** A path template, with colons that begin no parameter escaped; one trailing slash is ignored, except by DELETE. */
  path: string;
  /** May throw or reject: the error is answered. */
  serve: (req: GatewayRequest, res: GatewayResponse) => void | Promise<void>;
}
