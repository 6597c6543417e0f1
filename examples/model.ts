/**
 * Stands for a language model: an OpenAI-compatible server that follows a script, so that an example runs offline and
 * always the same. A real model takes its place with HIVEKEEP_OPENAI_BASE_URL.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Conversation {
  messages: { role: string; content: string | null }[];
}
export type Reply = { say: string } | { call: string; with: Record<string, unknown> };

export interface ScriptedModel {
  /** What HIVEKEEP_OPENAI_BASE_URL takes. */
  url: string;
  stop(): void;
}

export async function startModel(reply: (said: Conversation) => Reply | Promise<Reply>): Promise<ScriptedModel> {
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const asked = (await json(req)) as Conversation & { tool_choice?: { function?: { name: string } } };
    // asked what to remember of a conversation, it finds nothing
    const said = asked.tool_choice?.function?.name === 'facts' ? { say: '[]' } : await reply(asked);
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(completion(said)));
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const completion = (said: Reply): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'scripted',
  choices: [
    'say' in said
      ? { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: said.say } }
      : {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: 'call_1',
                type: 'function',
                function: { name: said.call, arguments: JSON.stringify(said.with) },
              },
            ],
          },
        },
  ],
});
