/**
 * The streams as the routes see them. A route authenticates, opens an iterable of events and hands it over with the
 * request; framing, heartbeats, slow readers and the end of the stream are handled behind this port.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

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
   * Writes the items of `source` to `res` as server-sent events, or to the WebSocket that the request asks for, until
   * they end, the reader disconnects or is too slow, or the stream's maximum duration is reached; then ends the
   * response and resolves. `frameOf` encodes an item, or returns null to skip it. Headers already set on `res` (such as
   * X-Request-Id) are kept. Returns the iterator when it stops early. An error before the first byte rejects, and the
   * caller answers it as any other error; a later error is sent within the stream.
   */
  frames<T>(
    req: IncomingMessage,
    res: ServerResponse,
    source: AsyncIterable<T>,
    frameOf: (item: T) => SseFrame | null,
    endings?: Endings,
  ): Promise<void>;
  /** Ends every open stream with a hint to reconnect, because the gateway is shutting down. */
  close(): void;
}
