/** The memory of an agent for any language model of the Vercel AI SDK, as a middleware. */
import type { LanguageModelMiddleware } from 'ai';
import type { Client } from '../../packages/client/src/client.js'; // elsewhere: from '@hivekeep/client'

export interface MemoryOptions {
  hivekeep: Client;
  /** The id of the agent whose memory it is. */
  agent: string;
  /** The conversation that is written down. */
  session: string;
  /** How much of what is known a prompt is given. */
  maxTokens?: number;
}

type Wrap = Required<LanguageModelMiddleware>;
type Prompt = Parameters<Wrap['transformParams']>[0]['params']['prompt'];
type Piece = Awaited<ReturnType<Wrap['wrapStream']>>['stream'] extends ReadableStream<infer T> ? T : never;

/** What the user has just said; null where the last message is another one, such as the result of a tool. */
function justSaid(prompt: Prompt): string | null {
  const last = prompt.at(-1);
  if (last?.role !== 'user') return null;
  return last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function hivekeepMemory({ hivekeep, agent, session, maxTokens = 1000 }: MemoryOptions): LanguageModelMiddleware {
  const keep = async (prompt: Prompt, answer: string): Promise<void> => {
    const said = [
      { speaker: 'user', content: justSaid(prompt) },
      { speaker: 'assistant', content: answer },
    ];
    const memories = said.flatMap(({ speaker, content }) =>
      content ? [{ agent_id: agent, sessionId: session, type: 'episodic', speaker, content }] : [],
    );
    if (memories.length > 0) await hivekeep.memories.createMany({ memories });
  };
  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      const query = justSaid(params.prompt);
      if (!query) return params;
      const { text } = await hivekeep.memories.context({ agent_id: agent, query, max_tokens: maxTokens });
      return text === '' ? params : { ...params, prompt: [{ role: 'system', content: text }, ...params.prompt] };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      await keep(params.prompt, result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
      return result;
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream();
      let answer = '';
      const kept = new TransformStream<Piece, Piece>({
        transform(piece, out) {
          if (piece.type === 'text-delta') answer += piece.delta;
          out.enqueue(piece);
        },
        flush: () => keep(params.prompt, answer),
      });
      return { stream: stream.pipeThrough(kept), ...rest };
    },
  };
}
