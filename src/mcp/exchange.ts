/**
 * Requests to a server over streamable HTTP, by the guard of src/push. The SDK is given the one message that answers its
 * request, and never the stream that it came in: what else a server says there is bounded and answered here.
 *
 *  - Redirects are not followed, and a stream of what a server may say by itself is not opened: it would be a connection
 *    for each agent and server, and what it tells is asked for from time to time.
 *  McpExchange.X1 A server's own requests are answered one at a time: a ping is, anything else is refused.
 *  McpExchange.X2 A stream that ended before the answer is asked for again from its last event, as the server says but
 *     not before `again` ms, and no longer than somebody waits for the answer.
 */
import type { McpServer } from '../domain/agent/agent-tools.js';
import type { Clock } from '../domain/shared/clock.js';
import { timeLimit } from '../push/attempt.js';
import { PushError, type OutboundAnswer, type OutboundRequest, type Push } from '../push/port.js';
import { AnswerStream, type StreamMessage as Message } from './answer-stream.js';
import { most, refuseLarge } from './bounds.js';
import type { McpAgentRef } from './port.js';

export interface McpExchangeDeps {
  push: Push;
  agent: McpAgentRef;
  server: McpServer;
  clock: Clock;
  /** Why there was no answer, in the words of the guard. */
  broke: (error: PushError) => void;
  /** The server says that it has other tools now. */
  changed: () => void;
}

/** How long a message that has no answer may take, and a stream to end after the answer, so that it can be reused (ms). */
const briefMs = 10_000;
const lingerMs = 1000;
/** The pause before a stream is asked for again (ms). */
const again = { least: 1000, most: 30_000 };

type Headers = Record<string, string>;
interface Wait {
  signal: AbortSignal;
  giveUp: () => void;
}

const isAnswer = (message: Message): boolean => message.result !== undefined || message.error !== undefined;
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

export function createExchange({
  push,
  agent,
  server: { secret },
  clock,
  broke,
  changed,
}: McpExchangeDeps): typeof fetch {
  /** By the id of the request. Where the protocol has it, a request is given up by a message of its own. */
  const waiting = new Map<unknown, AbortController>();

  const open = (
    request: Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> =>
    push.open(
      agent.id,
      {
        ...request,
        ...(secret?.value !== undefined && { secret: { header: secret.header, value: secret.value } }),
        maxBytes: most.bytes,
      },
      signal,
    );

  /** Sends what is not waited for. */
  async function tell(request: Parameters<typeof open>[0], outer: AbortSignal): Promise<Response> {
    const limit = timeLimit(clock, briefMs, outer);
    try {
      const { status, headers, body } = await limit.race(open(request, limit.signal));
      const content = await limit.race(whole(body));
      return new Response(bodiless.has(status) ? null : content, { status, headers: known(headers) });
    } finally {
      limit.end();
    }
  }

  async function ask(url: string, headers: Headers, body: string, id: unknown, wait: Wait): Promise<Response> {
    const { signal } = wait;
    const answer = await open({ url, method: 'POST', headers, body }, signal);
    const { status } = answer;
    if (status >= 300 && status <= 399) {
      await whole(answer.body);
      throw new PushError('the server redirects, which is not followed', true);
    }
    const type = String(answer.headers['content-type'] ?? '');
    if (status !== 200 || !/^text\/event-stream\b/i.test(type)) {
      const content = await whole(answer.body);
      refuseLarge(content);
      return new Response(bodiless.has(status) ? null : one(content, id), { status, headers: known(answer.headers) });
    }
    const told = await streamed(answer, { url, headers: forOthers(headers) }, id, wait);
    return new Response(told, {
      status,
      headers: [...known(answer.headers).filter(([name]) => name !== 'content-type'), json],
    });
  }

  /** The message of the stream that answers the request. */
  async function streamed(
    first: OutboundAnswer,
    { url, headers }: { url: string; headers: Headers },
    id: unknown,
    { signal, giveUp }: Wait,
  ): Promise<string> {
    const stream = new AnswerStream();
    let requests = 0;
    for (let answer = first; ;) {
      const messages = stream.messagesOf(answer.body);
      for (let next = await messages.next(); next.done !== true; next = await messages.next()) {
        const { text, message } = next.value;
        if (isAnswer(message)) {
          if (message.id !== id) continue;
          const stop = clock.after(lingerMs, giveUp);
          void readOff(messages).finally(stop);
          return text;
        }
        if (message.method === 'notifications/tools/list_changed') changed();
        if (message.method === undefined || message.id === undefined) continue;
        if (++requests > most.requests) throw new PushError(`the server asks for more than ${most.requests} things`);
        const said =
          message.method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } };
        const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...said });
        await tell({ url, method: 'POST', headers, body }, signal);
      }
      if (stream.lastId === undefined) throw new PushError('the connection was closed before there was an answer');
      await paused(clock, stream.retryMs, signal);
      const resumed = { ...headers, accept: 'text/event-stream', 'last-event-id': stream.lastId };
      delete (resumed as Headers)['content-type'];
      answer = await open({ url, method: 'GET', headers: resumed }, signal);
      if (answer.status !== 200) {
        await whole(answer.body);
        throw new PushError('the connection was closed before there was an answer');
      }
    }
  }

  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = (init.method ?? 'GET') as NonNullable<OutboundRequest['method']>;
    if (method === 'GET') return new Response(null, { status: 405 });
    const outer = init.signal ?? new AbortController().signal;
    const body = typeof init.body === 'string' ? init.body : '{}';
    const sent = JSON.parse(body) as Message;
    try {
      if (method === 'DELETE') return await tell({ url, method, headers }, outer);
      if (sent.method === 'notifications/cancelled') waiting.get(sent.params?.requestId)?.abort();
      if (sent.id === undefined || isAnswer(sent)) return await tell({ url, method, headers, body }, outer);
      const given = new AbortController();
      waiting.set(sent.id, given);
      try {
        const signal = AbortSignal.any([outer, given.signal]);
        const giveUp = (): void => {
          given.abort();
        };
        return await ask(url, headers, body, sent.id, { signal, giveUp });
      } finally {
        waiting.delete(sent.id);
      }
    } catch (error) {
      if (error instanceof PushError) broke(error);
      throw error;
    }
  };
}

const json: [string, string] = ['content-type', 'application/json'];

/** The headers of a request without those that describe its one message. */
const forOthers = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^mcp-(method|name|param-.*)$/.test(name)));

const known = (headers: OutboundAnswer['headers']): [string, string][] =>
  ['content-type', 'mcp-session-id', 'www-authenticate'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });

async function whole(body: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readOff(messages: AsyncGenerator<unknown>): Promise<void> {
  try {
    while ((await messages.next()).done !== true);
  } catch {
    // the answer is there already
  }
}

/** Of several messages, which revisions before 2025-06-18 may answer with, the one for this request. */
function one(content: Buffer<ArrayBuffer>, id: unknown): Buffer<ArrayBuffer> | string {
  if (!/^\s*\[/.test(content.toString('latin1', 0, 64))) return content;
  try {
    const all = JSON.parse(content.toString('utf8')) as (Message | null)[];
    const found = all.find((message) => message !== null && message.id === id && isAnswer(message));
    return found ? JSON.stringify(found) : content.subarray(0, 0);
  } catch {
    return content;
  }
}

function paused(clock: Clock, retryMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.min(Math.max(retryMs, again.least), again.most), () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
