/**
 * The pieces of a streamed chat completion. Tolerated, because servers differ: calls without an index or id, several
 * calls under one index, arguments as an object, usage with any piece.
 */
import { spokenContent } from './spoken.js';
import type { Assembler, Writing } from './stream.js';

interface Call {
  id: unknown;
  function: { name: string; arguments: string };
  /** Whether it is the first call of `answer`. */
  answers: boolean;
}

interface Piece {
  choices?: {
    index?: unknown;
    finish_reason?: unknown;
    delta?: { content?: unknown; refusal?: unknown; tool_calls?: CallPiece[] | null };
  }[];
  usage?: unknown;
}
interface CallPiece {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown };
}

export function openAiPieces(writing: Writing): Assembler {
  let content = '';
  let refusal = '';
  let finish: unknown = null;
  let usage: unknown;
  const calls: Call[] = [];
  const byIndex = new Map<unknown, Call>();

  const callOf = ({ index, id, function: said }: CallPiece): Call | undefined => {
    const known = index === undefined ? calls.at(-1) : byIndex.get(index);
    const name = said?.name;
    const isNew = known === undefined || (typeof id === 'string' && id !== '' && known.id !== id);
    if (typeof name !== 'string' || name === '' || !isNew) return known;
    const answers = name === 'answer' && !calls.some((call) => call.answers);
    const call = { id, function: { name, arguments: '' }, answers };
    calls.push(call);
    byIndex.set(index, call);
    writing.call(name);
    return call;
  };

  return {
    add(piece) {
      const { choices, usage: counted } = (piece ?? {}) as Piece;
      if (counted) usage = counted;
      const choice = Array.isArray(choices) ? choices[0] : undefined;
      if (!choice || (choice.index ?? 0) !== 0) return;
      const { delta } = choice;
      const said = spokenContent.safeParse(delta?.content);
      if (said.success) {
        content += said.data;
        writing.text(said.data);
      }
      if (typeof delta?.refusal === 'string') {
        refusal += delta.refusal;
        writing.count(delta.refusal);
      }
      for (const part of Array.isArray(delta?.tool_calls) ? delta.tool_calls : []) {
        const call = callOf(part);
        const given = part.function?.arguments;
        if (!call || given === undefined || given === null) continue;
        const text = typeof given === 'string' ? given : JSON.stringify(given);
        call.function.arguments += text;
        writing.arguments(text, call.answers);
      }
      if (choice.finish_reason) finish = choice.finish_reason;
    },
    whole: () =>
      finish === null
        ? null
        : {
            choices: [
              {
                finish_reason: finish,
                message: {
                  content,
                  refusal,
                  tool_calls: calls.map(({ function: said }) => ({ function: said })),
                },
              },
            ],
            ...(usage !== undefined && { usage }),
          },
  };
}
