/** A stream of server-sent events of the REST API as a client reads it. */
import { expect } from 'chai';
import { type Api, type Json, until } from '../api/support/client.js';

export interface Events {
  /** Everything that came. */
  readonly text: string;
  /** The ids and the data of the events, in order. */
  readonly ids: number[];
  readonly data: Json[];
  readonly ended: boolean;
  /** What the service asked the client to wait before it comes back, ms; null where it did not. */
  readonly retryMs: number | null;
  /** Waits for the service to end it. */
  end(): Promise<void>;
  close(): void;
}

/** Resolves when the stream is open, and has been told so. */
export async function openEvents(api: Api, path: string, lastEventId?: number): Promise<Events> {
  const abort = new AbortController();
  const response = await fetch(api.url + path, {
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${api.key}`,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
    },
  });
  expect(response.status, path).to.equal(200);
  let text = '';
  let ended = false;
  const reading = (async () => {
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
    } catch {
      text += '<cut>';
    }
    ended = true;
  })();
  await until(
    async () => text,
    (now) => now !== '',
  );
  const fields = (name: string): string[] =>
    [...text.matchAll(new RegExp(`^${name}: ?(.*)$`, 'gm'))].map(([, value]) => value ?? '');
  return {
    get text() {
      return text;
    },
    get ids() {
      return fields('id').map(Number);
    },
    get data() {
      return fields('data').map((d) => JSON.parse(d) as Json);
    },
    get ended() {
      return ended;
    },
    get retryMs() {
      const last = fields('retry').at(-1);
      return last === undefined ? null : Number(last);
    },
    async end() {
      await until(
        async () => ended,
        (e) => e,
      );
      await reading;
      expect(text, 'how the stream ended').to.not.include('<cut>');
    },
    close: () => {
      abort.abort();
    },
  };
}
