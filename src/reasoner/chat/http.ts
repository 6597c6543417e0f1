/**
 * How a chat is put to a server: one POST in the form of the server's API, whose reply comes at once or as a stream of
 * events. Only the headers that are named here are sent, and nothing is taken from the environment.
 */
import { createParser } from 'eventsource-parser';
import { boundedFetch } from './bounded-fetch.js';
import type { Habits } from './habits.js';
import type { Chat } from './chat.js';
import type { ModelServer } from './server.js';
import { ServerProblem, Unfinished, Unreachable } from './problems.js';
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
  /** The chat, shaped already (shape.ts), as a request to the server at this address. */
  body(chat: Chat, habits: Habits, baseUrl: string): Record<string, unknown>;
  /** Puts together what a stream has said. */
  pieces(writing: Writing): Assembler;
  /** A reply of this API as a chat completion. What is no reply is returned as it is. */
  completion(reply: unknown): unknown;
}

/** What the operator has a server sent beside what its API wants. */
export interface Additions {
  headers?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, string>> | undefined;
  extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** Posts requests, and reads what comes: at once, or as a stream. */
export function completing(
  api: Api,
  {
    baseUrl,
    apiKey,
    maxBytes,
    additions,
  }: { baseUrl: string; apiKey: string | null; maxBytes: number; additions: Additions },
): ModelServer['complete'] {
  const send = boundedFetch(maxBytes);
  const query = new URLSearchParams(additions.query).toString();
  const url = `${baseUrl.replace(/\/$/, '')}/${api.hint.endpoint}${query === '' ? '' : `?${query}`}`;
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'hivekeep',
    ...api.headers(apiKey),
    ...additions.headers,
  };
  return async (body, signal, progress) => {
    const sent = JSON.stringify(body);
    const response = await send(url, { method: 'POST', headers, body: sent, signal }).catch((cause: unknown) => {
      throw new Unreachable('there is no response', { cause });
    });
    const type = (response.headers.get('content-type') ?? '').toLowerCase();
    if (!response.ok) {
      const told = await response.text();
      throw new ServerProblem(parsedJson(told) ?? told, response.status, response.headers);
    }
    const pieces = (): Assembler => api.pieces(new Writing(maxBytes, progress.listener));
    if (response.body && type.startsWith('text/event-stream'))
      return whole(api.completion(await assembled(response.body, pieces(), progress)));
    const text = await response.text();
    if (/^\s*(?:data|event):/.test(text))
      return whole(api.completion(await assembled(new Blob([text]).stream(), pieces(), progress)));
    if (/[/+]json\b/.test(type)) return whole(api.completion(withoutError(JSON.parse(text))));
    return type === '' ? whole(api.completion(withoutError(parsedJson(text) ?? text))) : api.completion(text);
  };
}

/** Throws where the server has broken the reply off. */
function whole(completion: unknown): unknown {
  if (endsWithError(completion)) throw new Unfinished('the model has come to no end');
  return completion;
}

function endsWithError(said: unknown): boolean {
  const { choices } = (said ?? {}) as { choices?: { finish_reason?: unknown }[] };
  return Array.isArray(choices) && choices[0]?.finish_reason === 'error';
}

/** Some name the error beside the end, as OpenRouter does: unless the model is asked too often, it is of this reply. */
function brokenOff(piece: unknown): ServerProblem {
  const problem = new ServerProblem(piece);
  const isBusy = /rate.?limit|overload|quota/i.test(`${problem.code} ${problem.message}`);
  return endsWithError(piece) && !isBusy ? new Unfinished(piece) : problem;
}

/** Some servers tell an error where a reply is expected. */
function withoutError(reply: unknown): unknown {
  const { error, choices } = (reply ?? {}) as { error?: unknown; choices?: unknown };
  const [choice] = Array.isArray(choices) ? (choices as { error?: unknown }[]) : [];
  const told = error ?? choice?.error;
  if (typeof told !== 'object' || told === null) return reply;
  const { code, status } = told as { code?: unknown; status?: unknown };
  const [number] = [code, status].filter((given) => typeof given === 'number' && given >= 400 && given < 600);
  throw new ServerProblem({ error: told }, number as number | undefined);
}

/** The reply of which a stream has the pieces. */
async function assembled(body: ReadableStream<Uint8Array>, assembler: Assembler, progress: Progress): Promise<unknown> {
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (data === '[DONE]') assembler.end?.();
      if (data === '' || data === '[DONE]') return;
      const piece: unknown = JSON.parse(data);
      if (event === 'error' || (piece as { error?: unknown } | null)?.error) throw brokenOff(piece);
      assembler.add(piece);
    },
  });
  for await (const bytes of body) {
    progress.alive();
    parser.feed(decoder.decode(bytes, { stream: true }));
  }
  parser.feed('\n\n'); // not every server ends its last event
  const reply = assembler.whole();
  if (reply === null) throw new Error('the stream ended before the reply did');
  return reply;
}
