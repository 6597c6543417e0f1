/**
 * What the routes ask of the streams, and nothing more: a route authenticates, opens an iterable of events and hands it
 * over with the request; framing, heartbeats, slow readers and the end of a stream are this port's side.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { RunEvent, WorkspaceEvent } from '../../src/domain/model.js';
import type { Principal } from '../../src/service.js';
import type { Admission } from '../limits/port.js';

/** One frame of server-sent events; `data` is sent as JSON. A2A's events have no name (A2A 1.0, 9.4.2). */
export interface SseFrame {
  id?: string;
  event?: string;
  data: unknown;
}

export interface Streams {
  /**
   * Writes the run's events to `res` as server-sent events (`id` is the event's seq, `event` its type) until they end,
   * the reader is gone or too slow, or the stream's time is up; then ends the response and resolves. Headers that are
   * already set on `res` (X-Request-Id and others) are kept. Returns the iterator when it stops early. An error before the first byte rejects,
   * and the caller answers it as any other error; a later one is told in the stream.
   */
  runEvents(req: IncomingMessage, res: ServerResponse, events: AsyncIterable<RunEvent>): Promise<void>;
  /** The same for the workspace's live events, which have no ids: they are not stored, so there is nothing to go on from. */
  workspaceEvents(req: IncomingMessage, res: ServerResponse, events: AsyncIterable<WorkspaceEvent>): Promise<void>;
  /**
   * The same for any other source: `frameOf` says how an item is told, null leaves it out. `errorFrameOf` says how a
   * failure after the first byte is told; without it, as an event `error` with the envelope of docs/api.md 7.1.
   */
  frames<T>(
    req: IncomingMessage,
    res: ServerResponse,
    source: AsyncIterable<T>,
    frameOf: (item: T) => SseFrame | null,
    errorFrameOf?: (error: unknown) => SseFrame,
  ): Promise<void>;
  /** Takes over the server's WebSocket upgrades. Without it, upgrade requests are served as plain requests. */
  attach?(server: Server, upgrades: Upgrades): void;
  /** Ends every open stream with a hint to reconnect: the gateway is shutting down. */
  close(): void;
}

/** What a WebSocket upgrade needs of the gateway. */
export interface Upgrades {
  /** The path on which workspace events are given out. */
  readonly path: string;
  /** False where plain HTTP is refused for this peer: answer 403 HTTPS_REQUIRED before reading a token. */
  secure(req: IncomingMessage): boolean;
  /** A raw credential (svc_... or at_...) to who it is; null when unknown. The caller checks kind and scope (agent:read). */
  authenticate(credential: string): Principal | null | Promise<Principal | null>;
  open(caller: Principal, signal: AbortSignal): AsyncIterable<WorkspaceEvent>;
  /** False for a web page whose origin may not (http/cors.ts). Absent: every one may. */
  admits?(req: IncomingMessage): boolean;
  /** Whether a request came by HTTPS, for the headers that say so. Absent: none did. */
  https?(req: IncomingMessage): boolean;
  /** A fresh `req_...` id for a refusal's envelope. */
  requestId(): string;
  /** What upgrades count against; absent: nothing. */
  readonly limits?: UpgradeLimits;
}

export interface UpgradeLimits {
  /** Of who asks, or of the address where that is nobody known. */
  admit(req: IncomingMessage, principal: Principal | null, id: string): Admission | Promise<Admission>;
  uncounted(): Admission['headers'];
}
