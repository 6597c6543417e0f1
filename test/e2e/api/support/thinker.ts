/**
 * A model that thinks for as long as the test wants: an OpenAI-compatible server (chat/completions) whose answers wait
 * for `release`. With it a run can be looked at while it is running, which the built-in reasoner is too quick for. Asked
 * what to learn, it knows nothing, at once.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  tool: string;
  arguments: Record<string, unknown>;
}
type Answer = ({ text: string } | Call | { calls: readonly Call[] }) & {
  usage?: object;
  /** What it hands out beside them, for its next request. */
  reasoning?: string;
};
/** `refuses`: the request is refused (400) for this reason. */
export type Thought = Answer | { refuses: string };

/** The message of the assistant. */
function messageOf(thought: Answer): { content: string | null; tool_calls?: object[]; reasoning_content?: string } {
  const beside = thought.reasoning === undefined ? {} : { reasoning_content: thought.reasoning };
  if ('text' in thought) return { content: thought.text, ...beside };
  const calls = 'calls' in thought ? thought.calls : [thought];
  return {
    content: null,
    ...beside,
    tool_calls: calls.map(({ tool: name, arguments: input }, index) => ({
      index,
      id: `call_${index + 1}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

export interface Thinker {
  baseUrl: string;
  /** Requests that wait for an answer. */
  readonly waiting: number;
  /** Every request's messages, as JSON. */
  readonly asked: readonly string[];
  /** Writes a part of the answer to the request that has waited longest. */
  write(text: string): void;
  /** Breaks the connection of the request that has waited longest. */
  cut(): void;
  /** Answers the request that has waited longest, with what has not been written yet. */
  release(thought: Thought): void;
  close(): Promise<void>;
}

export async function startThinker(): Promise<Thinker> {
  const waiting: { answer(thought: Thought): void; write(text: string): void; cut(): void }[] = [];
  const asked: string[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        messages: unknown;
        tool_choice?: { function?: { name: string } };
      };
      const learns = body.tool_choice?.function?.name === 'facts';
      if (!learns) asked.push(JSON.stringify(body.messages));
      let streams = false;
      const piece = (delta: object, finish: string | null = null): void => {
        if (!streams) res.writeHead(200, { 'content-type': 'text/event-stream' });
        streams = true;
        const choices = [{ index: 0, delta, finish_reason: finish }];
        res.write(
          `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'slow', choices })}\n\n`,
        );
      };
      const write = (text: string): void => {
        piece({ content: text });
      };
      const answer = (thought: Thought): void => {
        if ('refuses' in thought) {
          res.writeHead(400, { 'content-type': 'application/json' });
          res.end(JSON.stringify({ error: { message: thought.refuses, type: 'invalid_request_error' } }));
          return;
        }
        const finish = 'text' in thought ? 'stop' : 'tool_calls';
        const message = messageOf(thought);
        if (streams) {
          piece(message);
          piece({}, finish);
          res.end('data: [DONE]\n\n');
          return;
        }
        const choices = [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }];
        const completion = { id: 'c', object: 'chat.completion', created: 0, model: 'slow', choices };
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end(JSON.stringify({ ...completion, usage: thought.usage }));
      };
      if (learns) {
        answer({ text: '[]' });
        return;
      }
      const request = { answer, write, cut: () => void res.destroy() };
      waiting.push(request);
      res.once('close', () => {
        const at = waiting.indexOf(request);
        if (at >= 0) waiting.splice(at, 1);
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const first = (): (typeof waiting)[number] => {
    const [request] = waiting;
    if (!request) throw new Error('nobody waits for an answer');
    return request;
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get waiting() {
      return waiting.length;
    },
    asked,
    write(text) {
      first().write(text);
    },
    cut() {
      first().cut();
    },
    release(thought) {
      const request = first();
      waiting.shift();
      request.answer(thought);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
