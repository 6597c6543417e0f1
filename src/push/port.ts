/**
 * The push notification port (docs/api.md 6.2, 7.2): checks where pushes may go, and makes one delivery attempt.
 * Timing, retries and order are decided by the outbox of the entity that pushes (actors/entities/push-outbox.ts).
 */
import type { PushItem } from '../domain/task/push.js';
import type { Release } from './lanes.js';

/** What is sent on behalf of an agent. The secret was sealed for that agent. */
export interface OutboundRequest {
  url: string;
  method?: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  secret?: { header: string; value: string };
  /** Of a POST. */
  body?: string;
  maxBytes: number;
}
export interface OutboundAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Rejects with a PushError beyond `maxBytes`. The connection is free when it was read or the signal is aborted. */
  body: AsyncIterable<Uint8Array>;
}

export interface Push {
  /**
   * Resolves if the URL may be registered; otherwise rejects with VALIDATION_ERROR that says why, with the path of the
   * field that holds it, which is `url` by default.
   */
  check(config: { url: string }, path?: string): Promise<void>;
  /**
   * Makes one attempt: checks the URL anew, connects to a checked address, follows no redirect. Resolves when the
   * receiver has responded with 2xx. Rejects with a PushError, which is `final` if further attempts would be refused as
   * well.
   */
  deliver(item: PushItem, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when a call of this workspace to this URL may be made, of which it gets its share (FairLanes.S1). Rejects
   * with a PushError, which is final, because nothing has gone out.
   */
  turn(workspace: string, url: string, signal: AbortSignal): Promise<Release>;
  /** Makes a request (POST) to such a URL for the agent of this id. Rejects with a PushError. */
  open(agent: string, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer>;
  /** Closes idle connections. */
  close(): Promise<void>;
}

export class PushError extends Error {
  override readonly name = 'PushError';
  constructor(
    message: string,
    readonly final = false,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
