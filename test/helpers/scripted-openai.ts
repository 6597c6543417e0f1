/**
 * An OpenAI-compatible server that answers what the test queued, in order, and records what it was sent. A request for
 * which nothing is queued gets a 500 that says so.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedCall {
  name: string;
  arguments: unknown;
}

export type ScriptedReply =
  | { text: string }
  | { calls: readonly ScriptedCall[]; text?: string; finish?: string }
  /** The completion's JSON as it is. */
  | { completion: unknown }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Server-sent events as they are written; then the end, a cut connection, or nothing more. */
  | { sse: readonly string[]; then?: 'cut' | 'hang' }
  /** Accepts the request and never answers. */
  | { hang: true }
  /** Sends headers and half of a body, and never the rest. */
  | { hangBody: true }
  /** Closes the connection without an answer, or in the middle of the body. */
  | { cut: 'before' | 'body' }
  | { waitMs: number; then: ScriptedReply };

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: {
      role: string;
      content: string | null;
      tool_calls?: { id: string; function: { name: string; arguments: string } }[];
      tool_call_id?: string;
    }[];
    tools: { function: { name: string } }[];
    tool_choice?: unknown;
    temperature?: number;
    stream?: boolean;
    stream_options?: unknown;
  };
  /** Resolves when the client closes the connection before it has its answer. */
  dropped: Promise<void>;
}

export interface ScriptedOpenAi {
  /** Ends in /v1. */
  baseUrl: string;
  requests: SeenRequest[];
  queue(...replies: ScriptedReply[]): void;
  /** Resolves when the `n`th request (from 1) has come in. */
  received(n: number): Promise<SeenRequest>;
  close(): Promise<void>;
}

/** The settings of a server that asks this one. */
export const asking = ({ baseUrl }: ScriptedOpenAi): Record<string, string> => ({
  HIVEKEEP_OPENAI_BASE_URL: baseUrl,
  HIVEKEEP_OPENAI_API_KEY: 'sk-test',
});

/** The model uses a tool `weather` twice in a reply, of Oslo and of Rome, and answers then. */
export const usesWeather = (model: ScriptedOpenAi): void => {
  const of = (city: string): ScriptedCall => ({ name: 'weather', arguments: { city } });
  model.queue({ calls: [of('Oslo'), of('Rome')] }, { text: 'clear' });
};

export async function startScriptedOpenAi(): Promise<ScriptedOpenAi> {
  const replies: ScriptedReply[] = [];
  const requests: SeenRequest[] = [];
  const waiting: { n: number; resolve: (r: SeenRequest) => void }[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const dropped = new Promise<void>((resolve) => {
      res.once('close', () => {
        if (!res.writableFinished) resolve();
      });
    });
    const seen: SeenRequest = {
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as SeenRequest['body'],
      dropped,
    };
    requests.push(seen);
    for (const w of waiting.splice(0))
      if (requests.length >= w.n) w.resolve(requests[w.n - 1] ?? seen);
      else waiting.push(w);
    send(res, replies.shift() ?? { status: 500, body: '{"error":{"message":"nothing is queued"}}' }, timers);
  };
  const server = createServer((req, res) => {
    handle(req, res).catch(() => {
      res.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    queue: (...more) => {
      replies.push(...more);
    },
    received: (n) => {
      const r = requests[n - 1];
      return r
        ? Promise.resolve(r)
        : new Promise((resolve) => {
            waiting.push({ n, resolve });
          });
    },
    close: () => {
      for (const t of timers) clearTimeout(t);
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
    },
  };
}

function send(res: ServerResponse, reply: ScriptedReply, timers: Set<NodeJS.Timeout>): void {
  const json = (value: unknown): void => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  if ('hang' in reply) return;
  if ('sse' in reply) {
    res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const write = ([next, ...rest]: readonly string[]): void => {
      if (next !== undefined)
        res.write(next, () => {
          write(rest);
        });
      else if (reply.then === 'cut') res.destroy();
      else if (reply.then !== 'hang') res.end();
    };
    write(reply.sse);
    return;
  }
  if ('waitMs' in reply) {
    timers.add(
      setTimeout(() => {
        send(res, reply.then, timers);
      }, reply.waitMs),
    );
    return;
  }
  if ('hangBody' in reply) {
    res.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":[');
    return;
  }
  if ('cut' in reply) {
    if (reply.cut === 'before') {
      res.destroy();
      return;
    }
    res.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":[', () => {
      res.destroy();
    });
    return;
  }
  if ('status' in reply) {
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body ?? '');
    return;
  }
  if ('completion' in reply) {
    json(reply.completion);
    return;
  }
  const calls = 'calls' in reply ? reply.calls : [];
  json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [
      {
        index: 0,
        finish_reason: ('finish' in reply ? reply.finish : undefined) ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          ...(calls.length > 0 && {
            tool_calls: calls.map((c, i) => ({
              id: `call_${i}`,
              type: 'function',
              function: {
                name: c.name,
                arguments: typeof c.arguments === 'string' ? c.arguments : JSON.stringify(c.arguments),
              },
            })),
          }),
        },
      },
    ],
  });
}
