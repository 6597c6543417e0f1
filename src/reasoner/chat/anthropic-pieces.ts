/** The events of a streamed message of Anthropic's Messages API. */
import type { Assembler, Writing } from './stream.js';

interface Block {
  type: string;
  text: string;
  name: unknown;
  /** The arguments of a call: as the block began with them, and as JSON text. */
  input: unknown;
  json: string;
  /** Whether it is the first call of `answer`. */
  answers: boolean;
  /** A thought as it began, whose texts grow. */
  whole: Record<string, unknown>;
}

/** By which pieces thoughts grow. */
const growing: Readonly<Record<string, string>> = { thinking_delta: 'thinking', signature_delta: 'signature' };

interface Event {
  type?: unknown;
  index?: unknown;
  message?: { usage?: object };
  content_block?: { type?: unknown; text?: unknown; name?: unknown; input?: unknown };
  delta?: Record<string, unknown>;
  usage?: object;
}

export function anthropicPieces(writing: Writing): Assembler {
  const blocks: Block[] = [];
  const byIndex = new Map<unknown, Block>();
  let usage: object = {};
  let reason: unknown;
  let over = false;

  const begin = (index: unknown, given: NonNullable<Event['content_block']>): void => {
    const { type, text, name, input } = given;
    const answers = type === 'tool_use' && name === 'answer' && !blocks.some((block) => block.answers);
    const block: Block = { type: String(type), text: '', name, input, json: '', answers, whole: { ...given } };
    if (block.type === 'text') {
      if (blocks.some((before) => before.type === 'text')) writing.text('\n');
      say(block, text);
    } else if (block.type === 'tool_use') writing.call(String(name));
    blocks.push(block);
    byIndex.set(index, block);
  };
  const say = (block: Block, text: unknown): void => {
    if (typeof text !== 'string') return;
    block.text += text;
    writing.text(text);
  };

  return {
    add(piece) {
      const { type, index, message, content_block: block, delta, usage: counted } = (piece ?? {}) as Event;
      if (type === 'message_start') usage = { ...message?.usage };
      else if (type === 'content_block_start' && block) begin(index, block);
      else if (type === 'content_block_delta') {
        const current = byIndex.get(index);
        if (!current) return;
        const { type: kind, text, partial_json: json } = delta ?? {};
        const grows = growing[String(kind)];
        if (kind === 'text_delta') say(current, text);
        else if (kind === 'input_json_delta' && typeof json === 'string') {
          current.json += json;
          writing.arguments(json, current.answers);
        } else if (grows !== undefined && typeof delta?.[grows] === 'string') {
          const before = current.whole[grows];
          current.whole[grows] = (typeof before === 'string' ? before : '') + delta[grows];
          writing.count(delta[grows]);
        }
      } else if (type === 'message_delta') {
        reason = delta?.['stop_reason'];
        // What this event leaves out or does not know has been told by the first.
        for (const [name, count] of Object.entries<unknown>({ ...counted }))
          if (count !== null) usage = { ...usage, [name]: count };
      } else if (type === 'message_stop') over = true;
    },
    whole: () =>
      over
        ? {
            content: blocks.map(({ type, text, name, input, json, whole }) =>
              type === 'tool_use'
                ? { type, name, input: json === '' ? input : json }
                : type === 'text'
                  ? { type, text }
                  : whole,
            ),
            stop_reason: reason,
            ...('input_tokens' in usage && { usage }),
          }
        : null,
  };
}
