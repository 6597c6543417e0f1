/**
 * The streams as the routes see them. A route authenticates, opens an iterable of events and hands it over with the
 * request; framing, heartbeats, slow readers and the end of the stream are handled behind this port.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { WorkspaceEvent } from '../../src/domain/model.js';
import type { Principal } from '../../src/service.js';
import type { Admission } from '../limits/port.js';

/**
 * One frame of server-sent events; `data` is sent as JSON, or else `text` as it is. A2A events have no event name (A2A
 * 1.0, 9.4.2).
 */
export interface SseFrame {
  id?: string;
  event?: string;
  data?: unknown;
  text?: string;
}

/** What is said at the end of a stream that does not end with its source. */
export interface Endings {
  /** A failure after the first byte. Default: an event `error` with the envelope of docs/api.md 7.1. */
  failed?: (error: unknown) => SseFrame;
  /** The stream has lasted as long as streams may. Default: nothing. */
  aged?: () => SseFrame;
}

export interface Streams {
  /**
   * Writes the items of `source` to `res` as server-sent events until they end, the reader disconnects or is too slow, or
   * the stream's maximum duration is reached; then ends the response and resolves. `frameOf` encodes an item, or returns
   * null to skip it. Headers already set on `res` (such as X-Request-Id) are kept. Returns the iterator when it stops
   * early. An error before the first byte rejects, and the caller answers it as any other error; a later error is sent
   * within the stream.
   */
  frames<T>(
    req: IncomingMessage,
    res: ServerResponse,
    source: AsyncIterable<T>,
    frameOf: (item: T) => SseFrame | null,
    endings?: Endings,
  ): Promise<void>;
  /** Takes over the server's WebSocket upgrades; its requests are GatewayRequests. */
  attach(server: Server, upgrades: Upgrades): void;
  /** Ends every open stream with a hint to reconnect, because the gateway is shutting down. */
  close(): void;
}

/** What a WebSocket upgrade needs from the gateway. */
export interface Upgrades {
  /** False if plain HTTP is refused for this peer: the answer is then 403 HTTPS_REQUIRED, and the token is not read. */
  secure(req: IncomingMessage): boolean;
  /**
   * Resolves a raw credential (svc_... or at_...); null if unknown. The caller checks its kind and scope (agent:read).
   */
  authenticate(credential: string): Principal | null | Promise<Principal | null>;
  open(caller: Principal, signal: AbortSignal): AsyncIterable<WorkspaceEvent>;
  /** False for a web page whose origin is not allowed (http/cors.ts). If absent, every origin is. */
  admits?(req: IncomingMessage): boolean;
  /** Whether a request used HTTPS; decides about headers such as HSTS. If absent, none did. */
  https?(req: IncomingMessage): boolean;
  /** Generates a `req_...` id for the envelope of a refusal. */
  requestId(): string;
  /** The limits that upgrades count against; none if absent. */
  readonly limits?: UpgradeLimits;
}

export interface UpgradeLimits {
  /** Counts against the principal, or against the client's address if there is none. */
  admit(req: IncomingMessage, principal: Principal | null, id: string): Admission | Promise<Admission>;
  uncounted(): Admission['headers'];
}
