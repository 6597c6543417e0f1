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
}

interface Event {
  type?: unknown;
  index?: unknown;
  message?: { usage?: object };
  content_block?: { type?: unknown; text?: unknown; name?: unknown; input?: unknown };
  delta?: { type?: unknown; text?: unknown; partial_json?: unknown; stop_reason?: unknown };
  usage?: object;
}

export function anthropicPieces(writing: Writing): Assembler {
  const blocks: Block[] = [];
  const byIndex = new Map<unknown, Block>();
  let usage: object = {};
  let reason: unknown;
  let over = false;

  const begin = (index: unknown, { type, text, name, input }: NonNullable<Event['content_block']>): void => {
    const answers = type === 'tool_use' && name === 'answer' && !blocks.some((block) => block.answers);
    const block: Block = { type: String(type), text: '', name, input, json: '', answers };
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
        if (delta?.type === 'text_delta') say(current, delta.text);
        else if (delta?.type === 'input_json_delta' && typeof delta.partial_json === 'string') {
          current.json += delta.partial_json;
          writing.arguments(delta.partial_json, current.answers);
        }
      } else if (type === 'message_delta') {
        reason = delta?.stop_reason;
        // What this event leaves out or does not know has been told by the first.
        for (const [name, count] of Object.entries<unknown>({ ...counted }))
          if (count !== null) usage = { ...usage, [name]: count };
      } else if (type === 'message_stop') over = true;
    },
    whole: () =>
      over
        ? {
            content: blocks.map(({ type, text, name, input, json }) =>
              type === 'tool_use' ? { type, name, input: json === '' ? input : json } : { type, text },
            ),
            stop_reason: reason,
            ...('input_tokens' in usage && { usage }),
          }
        : null,
  };
}
