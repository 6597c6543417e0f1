/**
 * Server-sent events read with fetch, since EventSource cannot send a key. When a stream breaks off it is opened again
 * with the id of the last event, so that the reader misses nothing and sees nothing twice.
 */
import { parseEvents, type SseEvent } from '../../../client/src/events.js';
import { reach, refused, type Query } from './api.js';
import { ApiError, isTemporary } from './errors.js';

export interface FollowOptions {
  path: string;
  query?: Query;
  signal: AbortSignal;
  onEvent: (event: SseEvent) => void;
  /** `live`: connected; `lost`: will be tried again; `ended`: the service has told everything. */
  onState: (state: StreamState) => void;
  /** Whether this event is the last one, so that the end of the stream is no failure. */
  isLast?: (event: SseEvent) => boolean;
  /** The last event that the reader has. */
  after?: string | null;
}

export type StreamState = 'connecting' | 'live' | 'lost' | 'ended';

const pauses = [500, 1000, 2000, 4000, 8000];

/** Resolves when the stream has ended or was aborted. Rejects with ApiError if the service refuses it for good. */
export async function follow(options: FollowOptions): Promise<void> {
  const { path, query, signal, onEvent, onState, isLast } = options;
  let after = options.after ?? null;
  let failures = 0;
  onState('connecting');
  while (!signal.aborted) {
    let done = false;
    try {
      const response = await reach('GET', path, {
        ...(query && { query }),
        signal,
        headers: { accept: 'text/event-stream', ...(after !== null && { 'Last-Event-ID': after }) },
      });
      onState('live');
      for await (const event of parseEvents(response)) {
        failures = 0;
        if (event.event === 'error') {
          if (event.data.includes('UNAUTHENTICATED')) refused();
          break;
        }
        if (event.id !== undefined) after = event.id;
        onEvent(event);
        if (isLast?.(event)) done = true;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && !isTemporary(error)) throw error;
    }
    if (signal.aborted) return;
    if (done) {
      onState('ended');
      return;
    }
    onState('lost');
    await pause(pauses[Math.min(failures++, pauses.length - 1)] ?? 8000, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const now = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', now, { once: true });
    addEventListener('online', now, { once: true });
  });
}
