/** The wording of tool calls: about to be done, done, failed, not allowed. */
import { remainingIn, wasRejected } from '../../domain/run/tools.js';
import type { ToolCall, ToolOutcome } from '../../domain/model/model.js';
import type { ToolName } from '../../domain/shared/vocabulary.js';
import { fromMemory, mostQuotes, readRecall } from './quotes.js';
import { brief, endsAsQuestion } from '../../english/sentences.js';

type Call = Pick<ToolCall, 'tool' | 'arguments'>;
const shown = 300;
const argument = (call: Call, name: string): string => brief(call.arguments[name] ?? '', shown);

/** The words for a call: that it is being made, that it was made, and what could not be done. */
type Wording = readonly [doing: string, done: string, todo: string];
const about = (call: Call, name: string, doing: string, done: string, todo: string): Wording => {
  const said = argument(call, name);
  return [`I am ${doing}: ${said}`, `${done}: ${said}`, `${todo} "${said}"`];
};
const words: Record<ToolName, (c: Call) => Wording> = {
  recall: (c) => about(c, 'query', 'recalling', 'Recalled', 'recall'),
  remember: (c) => about(c, 'content', 'remembering', 'Remembered', 'remember'),
  update_memory: (c) => [
    `I am remembering ${argument(c, 'content')} in place of: ${argument(c, 'memory')}`,
    `Remembered: ${argument(c, 'content')}`,
    `change "${argument(c, 'memory')}"`,
  ],
  forget: (c) => about(c, 'memory', 'forgetting', 'Forgotten', 'forget'),
  block_replace: (c) => about(c, 'label', 'changing the block', 'Changed the block', 'change the block'),
  block_append: (c) => about(c, 'label', 'adding to the block', 'Added to the block', 'add to the block'),
  send_message: (c) => {
    const to = argument(c, 'to');
    return about(c, 'content', `writing to ${to}`, `Wrote to ${to}`, `write to ${to}`);
  },
  share_with_hive: (c) => {
    const hive = argument(c, 'hive_id');
    return about(c, 'content', `sharing with ${hive}`, `Shared with ${hive}`, 'share');
  },
  ask_agent: (c) => {
    const agent = argument(c, 'agent');
    return about(c, 'question', `asking ${agent}`, `Asked ${agent}`, `ask ${agent}`);
  },
  hand_off: (c) => {
    const agent = argument(c, 'agent');
    return about(c, 'reason', `handing over to ${agent}`, `Handed over to ${agent}`, `hand over to ${agent}`);
  },
  spawn_agent: (c) => {
    const name = argument(c, 'name');
    return about(c, 'instructions', `spawning ${name}`, `Spawned ${name}`, `spawn ${name}`);
  },
  ask_human: (c) => about(c, 'question', 'asking a human', 'Asked a human', 'ask a human'),
  answer: () => ['I am answering.', 'Answered.', 'give that answer'],
  use_tool: (c) => {
    const name = argument(c, 'name');
    const [doing, done] = about(c, 'input', `using ${name}`, `Used ${name}`, '');
    return [doing, done, `use ${name} with ${argument(c, 'input')}`];
  },
};

export const doing = (call: Call): string => words[call.tool](call)[0];

/** An outcome in one sentence; that of a recall includes what it found. */
export function told(outcome: ToolOutcome): string {
  if (wasRejected(outcome))
    return `A human did not let me ${words[outcome.tool](outcome)[2]}${reason(outcome.result)}.`;
  if (!outcome.ok) return `I could not ${words[outcome.tool](outcome)[2]}: ${brief(outcome.result, shown)}.`;
  if (outcome.tool === 'recall') return recalled(outcome.arguments['query'] ?? '', outcome.result);
  const done = words[outcome.tool](outcome)[1];
  const remains =
    outcome.tool === 'forget' || outcome.tool === 'update_memory' ? remainingIn(outcome.result) : undefined;
  return remains === undefined ? done : `${done}\nWhat says the same and remains: ${brief(remains, shown)}.`;
}

const reason = (result: string): string => {
  const why = brief(result.replace(/^rejected:?\s*/, ''), shown);
  return why === '' ? '' : ` ("${why}")`;
};

export const recalled = (query: string, result: string): string =>
  headed(query, fromMemory(readRecall(result), query, mostQuotes) ?? nothingKnown);
export const nothingKnown = 'I know nothing about that yet.';
/** `what`: what was asked for, where something like it is known; else null. */
export const nothingAbout = (what: string | null): string =>
  what === null ? nothingKnown : `I know nothing about "${brief(what)}" yet.`;

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
