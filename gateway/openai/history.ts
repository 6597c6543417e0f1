/**
 * The history that a client of OpenAI sends with each request (docs/api.md 4.5), which is the conversation so far, as
 * far as it is no new input.
 *
 *  - A conversation is known by a chain of hashes: each run has that of the history which it was told. A request is of
 *    the session whose newest run was told all but the last of what its user has said, and has answered what the
 *    assistant is said to have. An edited history has no such run, and begins another session.
 *  - Instructions are no part of it: clients put the time and more into them.
 *  - What a client does not say itself in this request is data: it is told to the reasoner as turns, of which nothing
 *    is learnt.
 */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { keptResults } from '../../src/domain/run/conversation.js';
import { invalid } from '../../src/domain/shared/errors.js';
import type { ToolOutcome } from '../../src/domain/model/model.js';
import type { RetoldTurn } from '../../src/domain/run/records.js';
import type { ToldHistory } from '../../src/service.js';
import { type OpenAiMessage, textOfMessage } from './messages.js';

/** The most bytes of earlier messages that are retold, the newest of them. */
const mostRetold = 32 * 1024;
/** Messages that are hashed in one turn of the event loop. */
const slice = 256;

export interface History {
  /** Where the user has said what is said now. */
  last: number;
  said: string;
  /** The hash of all that was said, up to that. */
  chain: string;
  /** By which the session is found; null where the user has said nothing before. */
  before: Omit<ToldHistory, 'subject'> | null;
}

/** Throws what is wrong with the order of the messages. */
export async function historyIn(messages: readonly OpenAiMessage[]): Promise<History> {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const after = messages.findIndex(({ role }, i) => i > last && role === 'assistant');
  if (last === -1) throw invalid({ path: 'messages', message: 'must have a message of the user' });
  if (after !== -1)
    throw invalid({ path: `messages.${after}.role`, message: 'must not follow the last message of the user' });
  let chain = '';
  let before: { chain: string; answer: string } | null = null;
  for (const [i, message] of messages.slice(0, last + 1).entries()) {
    if (i % slice === slice - 1) await setImmediate();
    const said = textOfMessage(message).trim();
    if (message.role === 'user') {
      chain = linked(chain, message, said);
      if (i < last) before = { chain, answer: '' };
    } else if (message.role === 'assistant' && said !== '') {
      if (before) before.answer = said;
      chain = linked(chain, message, said);
    }
  }
  return { last, said: textOfMessage(messages[last]), chain, before };
}

const linked = (chain: string, { role, content }: OpenAiMessage, said: string): string => {
  const others = Array.isArray(content) ? content.filter(({ type }) => type !== 'text') : [];
  const link = JSON.stringify(others.length === 0 ? [chain, role, said] : [chain, role, said, others]);
  return hash('sha256', link, 'base64url');
};

/** What was said before the last message of the user, as far as it is told, the oldest first. */
export function retold(messages: readonly OpenAiMessage[], last: number): RetoldTurn[] {
  const turns: RetoldTurn[] = [];
  const calls = new Map<string, Record<string, string>>();
  let results: ToolOutcome[] = [];
  for (const message of messages.slice(0, last)) {
    const content = textOfMessage(message).trim();
    for (const { id, function: called } of message.tool_calls ?? [])
      calls.set(id ?? '', { name: called.name, input: called.arguments });
    if (message.role === 'tool')
      results.push({
        tool: 'use_tool',
        arguments: calls.get(message.tool_call_id ?? '') ?? { name: 'tool', input: '{}' },
        ok: true,
        result: content,
      });
    if (content === '' || (message.role !== 'user' && message.role !== 'assistant')) continue;
    const kept = message.role === 'assistant' ? keptResults(results) : undefined;
    turns.push({ role: message.role === 'user' ? 'user' : 'agent', content, ...(kept && { results: kept }) });
    results = [];
  }
  return newest(turns);
}

function newest(turns: readonly RetoldTurn[]): RetoldTurn[] {
  let left = mostRetold;
  let from = turns.length;
  for (const turn of turns.toReversed()) {
    left -= Buffer.byteLength(JSON.stringify(turn));
    if (left < 0) break;
    from--;
  }
  return turns.slice(from);
}

const openWebUiTask = /^### Task:\s[\s\S]*(<chat_history>|### Chat History:|### Output:)/;
const taskNames = /^(\w+_generation|function_calling)$/;

/**
 * Whether the request asks for something about a conversation: Open WebUI has titles, tags, follow-ups and queries made
 * so, and says it in the metadata, in a header, or by the form of its prompts alone.
 */
export function isAboutConversation(
  metadata: Record<string, unknown> | null | undefined,
  header: string | string[] | undefined,
  said: string,
): boolean {
  const task = metadata?.['task'];
  return (
    (typeof task === 'string' && taskNames.test(task)) ||
    (typeof header === 'string' && taskNames.test(header)) ||
    openWebUiTask.test(said)
  );
}
