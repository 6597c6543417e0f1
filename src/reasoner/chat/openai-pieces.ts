/**
 * The pieces of a streamed chat completion. Tolerated, because servers differ: calls without an index or id, several
 * calls under one index, arguments as an object, usage with any piece, an end that is told by `[DONE]` alone. What is
 * not read here, such as thoughts and signatures, is put together as it came (openai.ts).
 */
import { spokenContent } from './spoken.js';
import { parsedJson } from './storable.js';
import type { Assembler, Writing } from './stream.js';

interface Call {
  id: unknown;
  more: Fields;
  function: { name: string; arguments: string };
  /** Whether it is the first call of `answer`. */
  answers: boolean;
}

interface Piece {
  choices?: {
    index?: unknown;
    finish_reason?: unknown;
    delta?: Fields & { content?: unknown; refusal?: unknown; tool_calls?: CallPiece[] | null };
  }[];
  usage?: unknown;
}
type Fields = Record<string, unknown>;
interface CallPiece extends Fields {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown };
}

/** Fields of a message that no other part reads. */
function addTo(fields: Fields, more: Fields, read: ReadonlySet<string>, count: (text: string) => void): void {
  for (const [name, value] of Object.entries(more)) {
    if (read.has(name) || value === null || value === undefined) continue;
    const before = fields[name];
    fields[name] =
      typeof value === 'string' && typeof before === 'string'
        ? before + value
        : Array.isArray(value) && Array.isArray(before)
          ? joined(before as Fields[], value as Fields[])
          : value;
    count(typeof value === 'string' ? value : JSON.stringify(value));
  }
}

const grows: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

/** A list whose last item may be continued by the first of the next piece: one of the same type and index. */
function joined(before: readonly Fields[], more: readonly Fields[]): Fields[] {
  const out = [...before];
  for (const item of more) {
    const last = out.at(-1);
    if (!last || last['type'] !== item['type'] || last['index'] !== item['index'] || item['index'] === undefined) {
      out.push(item);
      continue;
    }
    const whole: Fields = { ...last };
    for (const [name, value] of Object.entries(item))
      if (value !== null)
        whole[name] =
          grows.has(name) && typeof value === 'string' && typeof whole[name] === 'string' ? whole[name] + value : value;
    out[out.length - 1] = whole;
  }
  return out;
}

const readOfMessage: ReadonlySet<string> = new Set(['role', 'content', 'refusal', 'tool_calls']);
const readOfCall: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);

/** Whether the arguments of a call are there: what comes next without saying of which call it is begins another. */
const isWhole = ({ function: { arguments: given } }: Call): boolean => given !== '' && parsedJson(given) !== undefined;

export function openAiPieces(writing: Writing): Assembler {
  let content = '';
  let refusal = '';
  let finish: unknown = null;
  let usage: unknown;
  const more: Fields = {};
  const calls: Call[] = [];
  const byIndex = new Map<unknown, Call>();

  const callOf = ({ index, id, function: said }: CallPiece): Call | undefined => {
    const known = index === undefined ? calls.at(-1) : byIndex.get(index);
    const name = said?.name;
    const named = typeof id === 'string' && id !== '';
    const isNew = known === undefined || (named ? known.id !== id : isWhole(known));
    if (typeof name !== 'string' || name === '' || !isNew) return known;
    const answers = name === 'answer' && !calls.some((call) => call.answers);
    const call: Call = { id, more: {}, function: { name, arguments: '' }, answers };
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
      const count = (text: string): void => {
        writing.count(text);
      };
      if (delta) addTo(more, delta, readOfMessage, count);
      for (const part of Array.isArray(delta?.tool_calls) ? delta.tool_calls : []) {
        const call = callOf(part);
        if (call) addTo(call.more, part, readOfCall, count);
        const given = part.function?.arguments;
        if (!call || given === undefined || given === null) continue;
        const text = typeof given === 'string' ? given : JSON.stringify(given);
        call.function.arguments += text;
        writing.arguments(text, call.answers);
      }
      if (choice.finish_reason) finish = choice.finish_reason;
    },
    end: () => {
      if (content !== '' || calls.length > 0) finish ??= 'stop';
    },
    whole: () =>
      finish === null
        ? null
        : {
            choices: [
              {
                finish_reason: finish,
                message: {
                  ...more,
                  content,
                  refusal,
                  tool_calls: calls.map(({ function: said, more: fields }) => ({ ...fields, function: said })),
                },
              },
            ],
            ...(usage !== undefined && { usage }),
          },
  };
}
