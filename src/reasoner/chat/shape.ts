/**
 * Puts a chat as this model of this server takes it (habits.ts), before a codec writes it.
 *
 *  Shape.R1 Roles alternate: what follows on the same side is one message, its texts joined by an empty line. Only
 *     results of tools stand beside each other, behind the calls that they belong to.
 *  Shape.R2 What a model has handed out goes back to no other model and no other server.
 *  - Where tools are not offered, earlier calls are told in text, and a tool that has to be called becomes the form of
 *    the text. Where the text is to be of a form, no tools are offered beside it.
 */
import type { Habits } from './habits.js';
import type { Chat, ChatMessage, ContentPart } from './chat.js';

/** By which an API is told of the form of a text. Where it takes none, a tool that has to be called stands for it. */
const formats = ['response_format', 'text'];

/** `from` is the model's name with its server's. */
export function shaped(chat: Chat, habits: Habits, from: string): Chat {
  const { model, tools, system, turns = 0, toolChoice, temperature, maxOutputTokens, reasoning } = chat;
  const { parallelCalls, sampling } = chat;
  const told = chat.messages.map((message) => ofThis(message, from));
  const inWords = habits.calls === 'text' ? told.flatMap(asText) : told;
  const rules: ChatMessage[] = habits.system === 'user' && system !== '' ? [{ role: 'user', content: system }] : [];
  const before = merged([...rules, ...inWords.slice(0, turns)]).length;
  const messages = merged([...rules, ...inWords]);
  const holds = !formats.some((name) => habits.without.includes(name));
  const inForm = !habits.tools || habits.choice === 'form';
  const format = holds ? (chat.format ?? (inForm ? wantedOf(chat) : undefined)) : undefined;
  const offered = habits.tools && format === undefined;
  const only = offered && habits.choice === 'required' && typeof toolChoice === 'object' ? toolChoice.name : null;
  const choice = only !== null ? 'required' : offered ? toolChoice : undefined;
  return {
    model,
    tools: !offered ? [] : only === null ? tools : tools.filter(({ function: { name } }) => name === only),
    system: rules.length > 0 ? '' : system,
    messages,
    // a turn that the run goes on in the same role is no longer as it was
    turns: before > 0 && messages[before - 1]?.role === 'user' ? before - 1 : before,
    ...(choice !== undefined && { toolChoice: choice }),
    ...(parallelCalls === false && { parallelCalls }),
    ...(sampling && { sampling }),
    ...(format !== undefined && { format }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens: Math.min(maxOutputTokens, habits.mostTokens) }),
    ...(reasoning && { reasoning }),
  };
}

/** The schema of what the tool that has to be called takes. */
function wantedOf({ toolChoice, tools }: Chat): Chat['format'] {
  if (toolChoice === undefined || typeof toolChoice === 'string') return undefined;
  return tools.find(({ function: { name } }) => name === toolChoice.name)?.function.parameters;
}

/** Shape.R2. */
function ofThis(message: ChatMessage, from: string): ChatMessage {
  if (message.role !== 'assistant' || message.kept === undefined || message.kept.from === from) return message;
  const { kept: _, ...rest } = message;
  return rest;
}

/** Earlier calls and their results in plain words. */
function asText(message: ChatMessage): ChatMessage[] {
  if (message.role === 'tool') return [{ role: 'user', content: `Result:\n${message.content}` }];
  if (message.role === 'user' || !message.tool_calls) return [message];
  const calls = message.tool_calls.map(({ function: { name, arguments: given } }) => `[${name} ${given}]`);
  return [{ role: 'assistant', content: [...(message.content ? [message.content] : []), ...calls].join('\n') }];
}

/** Shape.R1. */
function merged(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === 'user' && message.role === 'user')
      out[out.length - 1] = { role: 'user', content: together(last.content, message.content) };
    else if (last?.role === 'assistant' && message.role === 'assistant' && !last.tool_calls)
      out[out.length - 1] = { ...message, content: [last.content, message.content].filter(Boolean).join('\n\n') };
    else out.push(message);
  }
  return out;
}

type Content = string | readonly ContentPart[];
const partsOf = (content: Content): readonly ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function together(a: Content, b: Content): Content {
  if (typeof a === 'string' && typeof b === 'string') return `${a}\n\n${b}`;
  return [...partsOf(a), ...partsOf(b)];
}

/** The messages with something that the service says last. It stands in the message that is there already (Shape.R1). */
export function saidLast(messages: readonly ChatMessage[], text: string): readonly ChatMessage[] {
  const last = messages.at(-1);
  if (last?.role === 'tool') return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${text}` }];
  return [...messages, { role: 'user', content: text }];
}
