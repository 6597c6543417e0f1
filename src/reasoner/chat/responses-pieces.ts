/** The events of a streamed response of OpenAI's Responses API. Its last event has the whole. */
import { ServerProblem } from './problems.js';
import type { Assembler, Writing } from './stream.js';

interface Event {
  type?: unknown;
  output_index?: unknown;
  delta?: unknown;
  item?: { type?: unknown; name?: unknown };
  response?: { output?: unknown; error?: unknown };
}

const over: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);

export function responsesPieces(writing: Writing): Assembler {
  const items: unknown[] = [];
  let answer: unknown;
  let answers = false;
  let whole: object | null = null;

  return {
    add(piece) {
      const { type, output_index: index, delta, item, response } = (piece ?? {}) as Event;
      if (type === 'response.failed') throw new ServerProblem({ error: response?.error ?? 'the response has failed' });
      if (type === 'response.output_item.added' && item?.type === 'function_call') {
        writing.call(String(item.name));
        if (item.name === 'answer' && !answers) {
          answers = true;
          answer = index;
        }
      } else if (type === 'response.output_text.delta' && typeof delta === 'string') writing.text(delta);
      else if (type === 'response.function_call_arguments.delta' && typeof delta === 'string')
        writing.arguments(delta, answers && index === answer);
      else if (type === 'response.output_item.done' && item) {
        if (item.type === 'reasoning') writing.count(JSON.stringify(item));
        items.push(item);
      } else if (over.has(type) && response) {
        const { output } = response;
        whole = { ...response, output: Array.isArray(output) && output.length > 0 ? output : items };
      }
    },
    whole: () => whole,
  };
}
