/** The wording of tool calls: about to be done, done, failed, not allowed. */
import { wasRejected } from '../../domain/gates.js';
import type { ToolCall, ToolOutcome } from '../../domain/model.js';
import type { ToolName } from '../../domain/vocabulary.js';
import { fromMemory, mostQuotes, readRecall } from './quotes.js';
import { brief, endsAsQuestion } from '../../english/sentences.js';

type Call = Pick<ToolCall, 'tool' | 'arguments'>;
const shown = 300;
const argument = (call: Call, name: string): string => brief(call.arguments[name] ?? '', shown);

/** [what is being done, what was done, what could not be done] */
const words: Record<ToolName, (c: Call) => readonly [string, string, string]> = {
  recall: (c) => [
    `I am recalling: ${argument(c, 'query')}`,
    `Recalled: ${argument(c, 'query')}`,
    `recall "${argument(c, 'query')}"`,
  ],
  remember: (c) => [
    `I am remembering: ${argument(c, 'content')}`,
    `Remembered: ${argument(c, 'content')}`,
    `remember "${argument(c, 'content')}"`,
  ],
  update_memory: (c) => [
    `I am remembering ${argument(c, 'content')} in place of: ${argument(c, 'memory')}`,
    `Remembered: ${argument(c, 'content')}`,
    `change "${argument(c, 'memory')}"`,
  ],
  forget: (c) => [
    `I am forgetting: ${argument(c, 'memory')}`,
    `Forgotten: ${argument(c, 'memory')}`,
    `forget "${argument(c, 'memory')}"`,
  ],
  send_message: (c) => [
    `I am writing to ${argument(c, 'to')}: ${argument(c, 'content')}`,
    `Wrote to ${argument(c, 'to')}: ${argument(c, 'content')}`,
    `write to ${argument(c, 'to')} "${argument(c, 'content')}"`,
  ],
  share_with_hive: (c) => [
    `I am sharing with ${argument(c, 'hive_id')}: ${argument(c, 'content')}`,
    `Shared with ${argument(c, 'hive_id')}: ${argument(c, 'content')}`,
    `share "${argument(c, 'content')}"`,
  ],
  ask_human: (c) => [
    `I am asking a human: ${argument(c, 'question')}`,
    `Asked a human: ${argument(c, 'question')}`,
    `ask a human "${argument(c, 'question')}"`,
  ],
  answer: () => ['I am answering.', 'Answered.', 'give that answer'],
  use_tool: (c) => [
    `I am using ${argument(c, 'name')}: ${argument(c, 'input')}`,
    `Used ${argument(c, 'name')}: ${argument(c, 'input')}`,
    `use ${argument(c, 'name')} with ${argument(c, 'input')}`,
  ],
};

export const doing = (call: Call): string => words[call.tool](call)[0];

/** An outcome in one sentence; that of a recall includes what it found. */
export function told(outcome: ToolOutcome): string {
  if (wasRejected(outcome))
    return `A human did not let me ${words[outcome.tool](outcome)[2]}${reason(outcome.result)}.`;
  if (!outcome.ok) return `I could not ${words[outcome.tool](outcome)[2]}: ${brief(outcome.result, shown)}.`;
  return outcome.tool === 'recall'
    ? recalled(outcome.arguments['query'] ?? '', outcome.result)
    : words[outcome.tool](outcome)[1];
}

const reason = (result: string): string => {
  const why = brief(result.replace(/^rejected:?\s*/, ''), shown);
  return why === '' ? '' : ` ("${why}")`;
};

export const recalled = (query: string, result: string): string =>
  headed(query, fromMemory(readRecall(result), query, mostQuotes) ?? nothingKnown);
export const nothingKnown = 'I know nothing about that yet.';

/** Nothing is forgotten that only might be meant. */
export const wordForWord = (content: string): string =>
  `I forget only what is named word for word: say "forget: ${content}" and I will.`;

/** The same where nobody would say all of it again. */
export const byItsId = (id: string, content: string): string =>
  `I forget only what is named: say "forget: ${id}" and I will forget what begins with "${brief(content)}".`;

/** An answer under the question that it belongs to. */
export function headed(question: string, answer: string): string {
  const head = brief(question, shown);
  return endsAsQuestion(head) ? `${head} ${answer}` : `${head}: ${answer}`;
}

export const help =
  'I answer from memory, and understand: "remember that ...", "forget that ...", "correct that ... to ...", "what do you know about ...?", "tell <agent>: ...", "share with the hive: ...", "ask a human whether ...", "say: ...", "work in 5 steps: ...".';
