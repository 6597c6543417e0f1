/**
 * How a chat is put to a server: one POST in the form of the server's API, whose reply comes at once or as a stream of
 * events. Only the headers that are named here are sent, and nothing is taken from the environment.
 */
import { createParser } from 'eventsource-parser';
import { boundedFetch } from './bounded-fetch.js';
import type { Chat, ModelServer } from './server.js';
import { parsedJson } from './storable.js';
import { type Assembler, type Progress, Writing } from './stream.js';

/** An API by which models are asked. */
export interface Api {
  /** By which `config.model` and the settings name its vendor, and the vendor's own server. */
  name: 'openai' | 'anthropic';
  baseUrl: string;
  /** Where below an address chats are posted to, and what errors say of how that address is written. */
  hint: { endpoint: string; address: string };
  headers(apiKey: string | null): Readonly<Record<string, string>>;
  /** The chat as a request. `official`: to the vendor's own server. */
  body(chat: Chat, stream: boolean, official: boolean): object;
  /** Puts together what a stream has said. */
  pieces(writing: Writing): Assembler;
  /** A reply of this API as a chat completion. What is no reply is returned as it is. */
  completion(reply: unknown): unknown;
}

/** No response has come. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** What a server tells of an error: by its status, or without one in the middle of a stream. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  readonly code: string;
  constructor(
    /** The body, or what the event said. */
    told: unknown,
    readonly status?: number,
    readonly headers: Headers = new Headers(),
  ) {
    const { error = told } = (told ?? {}) as { error?: unknown };
    const { message = error, type, code } = (error ?? {}) as { message?: unknown; type?: unknown; code?: unknown };
    super(typeof message === 'string' ? message : JSON.stringify(message));
    this.code = [type, code].filter((word) => typeof word === 'string').join(' ');
  }
}

/**
 * Asks for a stream, unless none is wanted or the server has refused one and then answered without: some servers do not
 * stream, or not with tools, or do not know an option of it.
 */
export function completing(
  api: Api,
  {
    baseUrl,
    apiKey,
    maxBytes,
    streams,
  }: { baseUrl: string | null; apiKey: string | null; maxBytes: number; streams: boolean },
): ModelServer['complete'] {
  const send = boundedFetch(maxBytes);
  const url = `${(baseUrl ?? api.baseUrl).replace(/\/$/, '')}/${api.hint.endpoint}`;
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'hivekeep',
    ...api.headers(apiKey),
  };
  const ask = async (chat: Chat, stream: boolean, signal: AbortSignal, progress: Progress): Promise<unknown> => {
    const body = JSON.stringify(api.body(chat, stream, baseUrl === null));
    const response = await send(url, { method: 'POST', headers, body, signal }).catch((cause: unknown) => {
      throw new Unreachable('there is no response', { cause });
    });
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok) {
      const told = await response.text();
      throw new ServerProblem(parsedJson(told) ?? told, response.status, response.headers);
    }
    if (response.body && type.startsWith('text/event-stream'))
      return assembled(response.body, api.pieces(new Writing(maxBytes, progress.listener)), progress);
    const text = await response.text();
    return /[/+]json\b/.test(type) ? JSON.parse(text) : text;
  };
  let asksForStreams = streams;
  return async (chat, signal, progress) => {
    if (asksForStreams)
      try {
        return api.completion(await ask(chat, true, signal, progress));
      } catch (error) {
        if (!refusesStreams(error)) throw error;
      }
    const reply = await ask(chat, false, signal, progress);
    asksForStreams = false;
    return api.completion(reply);
  };
}

/** The reply of which a stream has the pieces. */
async function assembled(body: ReadableStream<Uint8Array>, assembler: Assembler, progress: Progress): Promise<unknown> {
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (data === '' || data === '[DONE]') return;
      const piece: unknown = JSON.parse(data);
      if (event === 'error' || (piece as { error?: unknown } | null)?.error) throw new ServerProblem(piece);
      progress.alive();
      assembler.add(piece);
    },
  });
  for await (const bytes of body) parser.feed(decoder.decode(bytes, { stream: true }));
  parser.feed('\n\n'); // not every server ends its last event
  const reply = assembler.whole();
  if (reply === null) throw new Error('the stream ended before the reply did');
  return reply;
}

const mayRefuseStreams: ReadonlySet<number | undefined> = new Set([400, 405, 415, 422, 500, 501]);

/** Servers refuse a stream by an error that speaks of it. */
const refusesStreams = (error: unknown): boolean =>
  error instanceof ServerProblem && mayRefuseStreams.has(error.status) && /\bstream/i.test(error.message);
