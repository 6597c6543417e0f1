/**
 * Stands for a language model: an OpenAI-compatible server that follows a script, so that an example runs offline and
 * always the same. A real model takes its place with HIVEKEEP_OPENAI_BASE_URL.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Conversation {
  /** The name of the model that is asked. */
  model: string;
  messages: { role: string; content: string | null }[];
}
export interface Call {
  call: string;
  with: Record<string, unknown>;
}
/** What it says, or a call, or several at once. */
export type Reply = { say: string } | Call | readonly Call[];

export interface ScriptedModel {
  /** What HIVEKEEP_OPENAI_BASE_URL takes. */
  url: string;
  stop(): void;
}

export async function startModel(reply: (said: Conversation) => Reply | Promise<Reply>): Promise<ScriptedModel> {
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const asked = (await json(req)) as Conversation & {
      stream?: boolean;
      tool_choice?: { function?: { name: string } };
    };
    // asked what to remember of a conversation, it finds nothing
    const said = asked.tool_choice?.function?.name === 'facts' ? { say: '[]' } : await reply(asked);
    res.writeHead(200, { 'Content-Type': asked.stream ? 'text/event-stream' : 'application/json' });
    if (asked.stream) res.end(`data: ${JSON.stringify(chunk(said))}\n\ndata: [DONE]\n\n`);
    else res.end(JSON.stringify(completion(said)));
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

const callsIn = (said: Reply): readonly Call[] => ('say' in said ? [] : 'call' in said ? [said] : said);

const messageOf = (said: Reply): object =>
  'say' in said
    ? { role: 'assistant', content: said.say }
    : {
        role: 'assistant',
        content: null,
        tool_calls: callsIn(said).map(({ call: name, with: input }, index) => ({
          index,
          id: `call_${index + 1}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      };

const head = { id: 'chatcmpl-1', created: 0, model: 'scripted' };
const choice = (said: Reply): object => ({ index: 0, finish_reason: 'say' in said ? 'stop' : 'tool_calls' });

const completion = (said: Reply): object => ({
  ...head,
  object: 'chat.completion',
  choices: [{ ...choice(said), message: messageOf(said) }],
});
const chunk = (said: Reply): object => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ ...choice(said), delta: messageOf(said) }],
});
