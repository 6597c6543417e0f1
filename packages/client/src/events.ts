/**
 * Streams of server-sent events that outlive their connections: after a cut the client comes back with Last-Event-ID
 * and misses nothing that the service keeps (docs/api.md 6.4).
 */
import { ApiError, ConnectionError } from './errors.js';
import { backoff, passing, type Request, type Transport } from './transport.js';

export interface SseEvent {
  id?: string;
  event?: string;
  data: string;
}

export interface FollowOptions {
  signal?: AbortSignal;
  /** Goes on behind the event of this number. */
  after?: number;
}

const maxDelayMs = 15_000;
/** Heartbeats come every 15 s: a connection that has been silent for three of them is dead. */
const silenceMs = 45_000;

/**
 * Events of type T until `isLast` of one. Comes back after every cut, and while the service is away or busy, for as long
 * as it is iterated. Rejects with ApiError where the service refuses, and with the reason of the signal.
 */
export async function* follow<T>(
  transport: Transport,
  request: Request,
  { signal, after }: FollowOptions,
  isLast: (event: T) => boolean,
  deadAfterMs = silenceMs,
): AsyncGenerator<T, void> {
  let lastId = after === undefined ? undefined : String(after);
  for (let attempt = 1; ; attempt++) {
    const headers = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) };
    try {
      const response = await transport.open({ ...request, headers, ...(signal && { signal }) });
      for await (const { id, event, data } of parseEvents(response, deadAfterMs)) {
        if (event === 'error') throw refusal(data);
        if (id !== undefined) lastId = id;
        attempt = 1;
        const parsed = JSON.parse(data) as T;
        yield parsed;
        if (isLast(parsed)) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ConnectionError || isPassing(error))) throw error;
    }
    await transport.pause(backoff(attempt, maxDelayMs), signal);
  }
}

const isPassing = (error: unknown): boolean => error instanceof ApiError && passing.has(error.status);

/** The error that a stream ends with: a reader that may not go on is told so in the stream. */
function refusal(data: string): ApiError {
  const body = JSON.parse(data) as { error?: { status?: number } };
  return new ApiError(body.error?.status ?? 500, body);
}

/** Rejects with ConnectionError when the connection is cut; ends when the stream ends, or is dead. */
export async function* parseEvents(response: Response, deadAfterMs = silenceMs): AsyncGenerator<SseEvent, void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let event: Partial<SseEvent> = {};
  try {
    for (;;) {
      const dead = setTimeout(() => void reader.cancel().catch(() => undefined), deadAfterMs);
      const { done, value } = await reader
        .read()
        .catch((cause: unknown) => {
          throw new ConnectionError('the stream broke off', { cause });
        })
        .finally(() => clearTimeout(dead));
      if (done) return;
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') addLine(event, line);
        else {
          if (event.data !== undefined) yield event as SseEvent;
          event = {};
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function addLine(event: Partial<SseEvent>, line: string): void {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`;
  else if (name === 'id' || name === 'event') event[name] = value;
}
