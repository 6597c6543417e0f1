/**
 * Server-sent events read with fetch, since EventSource cannot send a key. When a stream breaks off it is opened again
 * with the id of the last event, so that the reader misses nothing and sees nothing twice.
 */
import { reach, refused, type Query } from './api.js';
import { ApiError, isTemporary } from './errors.js';

export interface StreamEvent {
  id: string | null;
  event: string;
  data: string;
}

export interface FollowOptions {
  path: string;
  query?: Query;
  signal: AbortSignal;
  onEvent: (event: StreamEvent) => void;
  /** `live`: connected; `lost`: will be tried again; `ended`: the service has told everything. */
  onState: (state: StreamState) => void;
  /** Whether this event is the last one, so that the end of the stream is no failure. */
  isLast?: (event: StreamEvent) => boolean;
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
        headers: { Accept: 'text/event-stream', ...(after !== null && { 'Last-Event-ID': after }) },
      });
      if (!response.ok) {
        const error = new ApiError(response.status, await response.json().catch(() => null), null);
        if (response.status === 401) refused();
        throw error;
      }
      onState('live');
      for await (const event of events(response)) {
        failures = 0;
        if (event.event === 'error') {
          if (event.data.includes('UNAUTHENTICATED')) refused();
          break;
        }
        if (event.id !== null) after = event.id;
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

/** The events of a response; comments and unknown fields are skipped. */
export async function* events(response: Response): AsyncGenerator<StreamEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let id: string | null = null;
  let event = 'message';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield { id, event, data: data.join('\n') };
          event = 'message';
          data = [];
          continue;
        }
        const colon = line.indexOf(':');
        const field = colon === -1 ? line : line.slice(0, colon);
        const text = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'data') data.push(text);
        else if (field === 'id') id = text;
        else if (field === 'event') event = text;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
