/**
 * A model that thinks for as long as the test wants: an OpenAI-compatible server (chat/completions) whose answers wait
 * for `release`. With it a run can be looked at while it is running, which the built-in reasoner is too quick for.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Thought = { text: string } | { tool: string; arguments: Record<string, string> };

export interface Thinker {
  baseUrl: string;
  /** Requests that wait for an answer. */
  readonly waiting: number;
  /** Every request's messages, as JSON. */
  readonly asked: readonly string[];
  /** Answers the request that has waited longest. */
  release(thought: Thought): void;
  close(): Promise<void>;
}

export async function startThinker(): Promise<Thinker> {
  const waiting: ((thought: Thought) => void)[] = [];
  const asked: string[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      asked.push(JSON.stringify((JSON.parse(Buffer.concat(chunks).toString()) as { messages: unknown }).messages));
      const answer = (thought: Thought): void => {
        const message =
          'text' in thought
            ? { role: 'assistant', content: thought.text }
            : {
                role: 'assistant',
                content: null,
                tool_calls: [
                  {
                    id: 'call_1',
                    type: 'function',
                    function: { name: thought.tool, arguments: JSON.stringify(thought.arguments) },
                  },
                ],
              };
        res.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            id: 'c',
            object: 'chat.completion',
            created: 0,
            model: 'slow',
            choices: [{ index: 0, finish_reason: 'text' in thought ? 'stop' : 'tool_calls', message }],
          }),
        );
      };
      waiting.push(answer);
      res.once('close', () => {
        const at = waiting.indexOf(answer);
        if (at >= 0) waiting.splice(at, 1);
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get waiting() {
      return waiting.length;
    },
    asked,
    release(thought) {
      const answer = waiting.shift();
      if (!answer) throw new Error('nobody waits for an answer');
      answer(thought);
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
