/**
 * A model server (chat/completions) that thinks for a few milliseconds, so that steps are in progress when the service
 * is killed, and whose replies depend on the request alone, so that a step that runs again says the same:
 *   input "work U"           three steps, each remembering "U step N", then an answer
 *   mail "relay AGENT U"     a message "token U" to AGENT; then an answer
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: unknown[];
}
export interface Call {
  name: string;
  arguments: Record<string, string>;
}
/** What the model says to a conversation: always the same to the same. */
export type Script = (messages: readonly ChatMessage[]) => Call[];

export interface ModelServer {
  url: string;
  close(): Promise<void>;
}

export async function startModelServer(thinkMs: () => number, script: Script = repliesTo): Promise<ModelServer> {
  const server = createServer((req, res) => {
    bodyOf(req).then(
      (text) =>
        setTimeout(() => {
          const { messages } = JSON.parse(text) as { messages: ChatMessage[] };
          res.setHeader('content-type', 'application/json').end(
            JSON.stringify({
              choices: [
                {
                  finish_reason: 'tool_calls',
                  message: { content: null, tool_calls: script(messages).map(toolCall) },
                },
              ],
            }),
          );
        }, thinkMs()),
      () => {
        res.destroy();
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

export const stepsOfWork = 3;

/** The mail that this step is told of, in what was said and returned since the last step. */
export function newMail(messages: readonly ChatMessage[]): string[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return since
    .flatMap(({ content }) => (content ?? '').split('New messages in your mailbox:').slice(1))
    .map((mail) => mail.split('</service>')[0] ?? '');
}

export function repliesTo(messages: readonly ChatMessage[]): Call[] {
  const work = messages
    .map((m) => /^work (\S+)$/m.exec(m.role === 'user' ? (m.content ?? '') : ''))
    .find((found) => found !== null);
  const relays = newMail(messages).flatMap((mail) => [...mail.matchAll(/"content":"relay (\S+) ([^\s"]+)"/g)]);
  if (relays.length > 0)
    return relays.map(([, to = '', unique = '']) => ({
      name: 'send_message',
      arguments: { to, content: `token ${unique}` },
    }));
  const steps = messages.filter((m) => m.tool_calls !== undefined).length;
  if (work && steps < stepsOfWork)
    return [{ name: 'remember', arguments: { content: `${work[1] ?? ''} step ${steps + 1}` } }];
  return [{ name: 'answer', arguments: { content: 'done' } }];
}

const toolCall = (call: Call, i: number): object => ({
  id: `c${i}`,
  type: 'function',
  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
});

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}
