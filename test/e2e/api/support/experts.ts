/**
 * Models of agents that work together: an OpenAI-compatible server whose model `lead` asks all experts that its input
 * names ("ask A,B: QUESTION") and then says what they said, while any other answers "heard: QUESTION". It takes a moment.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Said {
  role: string;
  content: string | null;
}

export async function startExperts(momentMs: number): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { model, messages, tool_choice } = JSON.parse(Buffer.concat(chunks).toString()) as {
        model: string;
        messages: Said[];
        tool_choice?: { function?: { name: string } };
      };
      const message = tool_choice?.function?.name === 'facts' ? { content: '{}' } : next(model, messages);
      const choices = [
        {
          index: 0,
          finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
          message: { role: 'assistant', ...message },
        },
      ];
      setTimeout(() => {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model, choices }));
      }, momentMs);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function next(model: string, messages: readonly Said[]): object {
  const said = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const asks = /ask (\S+): (.*)$/m.exec(said);
  if (model !== 'lead' || !asks) return { content: `heard: ${said.split('\n').at(-1) ?? ''}` };
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  if (told.length > 0) return { content: told.join('; ') };
  const calls = (asks[1] ?? '').split(',').map((agent, n) => ({
    id: `call_${n}`,
    type: 'function',
    function: { name: 'ask_agent', arguments: JSON.stringify({ agent, question: asks[2] }) },
  }));
  return { content: null, tool_calls: calls };
}
