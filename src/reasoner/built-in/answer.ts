/** Composes the answer of a run: each request with its outcome, in the order of the requests. */
import { isRecalled } from '../../domain/run/conversation.js';
import { asksForAll, brief, cut, remarkOf } from '../../english/sentences.js';
import { readMemory, unknownIn } from './fitting.js';
import { wordingOf } from '../../domain/memory/identities.js';
import type { ToolOutcome } from '../../domain/model/model.js';
import type { StepContext } from '../port.js';
import { type HumanWords, type Item, type Ledger, type AnswerWork, saidBefore, saidHere } from './items.js';
import { type Orders, answerMark, isAnswer, mostSentences, mostUnits, parseRequest } from './request.js';
import { aboutThis, chosen, fromMemory, mostQuotes, readRecall, untold } from './quotes.js';
import { SaidText } from '../../english/wordings.js';
import { isForeign, onlyEnglish } from './small-talk.js';
import { byItsId, doing, headed, help, nothingAbout, nothingKnown, told, wordForWord } from './wording.js';

/** An item with the outcome of each of its calls; null if a call has none yet, because this very step makes it. */
export interface Tracked extends Item {
  outcomes: readonly (ToolOutcome | null)[];
}

export interface Account {
  context: StepContext;
  orders: Orders;
  input: { work: AnswerWork; items: readonly Tracked[] };
  /** Messages of this step. */
  inbox: readonly { message: StepContext['messages'][number]; work: AnswerWork }[];
  ledger: Ledger;
  human: HumanWords;
  /** False if no step is left in which a human's answer could be used. */
  mayAsk: boolean;
}

/** How many memories an answer to a question for everything quotes. */
const mostOfAll = 20;
/** A memory has to be this relevant to be told for a text that asks nothing. */
const nearStatement = 0.35;

export const mayI = 'May I answer: ';
const longestAnswer = 200_000;
/** Nobody says again what is longer. */
const longestNamed = 300;

/** Never returns an empty text. */
export function compose(account: Account): string {
  const { context, orders, human, ledger } = account;
  const parts: string[] = [];
  if (ledger.rejectedAnswer()) parts.push(`Changed, because a human rejected the last answer${quotedGuidance(human)}.`);
  parts.push(...reports(account, account.input.work, account.input.items));
  // whoever else has asked is told nothing of the agent's mail
  if (context.run.triggeredBy === 'message') {
    for (const { message, work } of account.inbox)
      parts.push(
        `Message from ${message.from ?? 'an unknown sender'}: ${onMessage(account, message.content, work).join('\n')}`,
      );
    for (const outcome of ledger.rest()) parts.push(told(outcome));
  }
  for (const { question, answer } of human.answers)
    if (!question.startsWith(mayI))
      parts.push(`A human was asked "${brief(question)}" and said: ${answer.trim() || '(nothing)'}`);
  for (const { rejected, text } of human.guidance)
    if (!rejected && text.trim() !== '') parts.push(`A human added: ${brief(text, 300)}`);
  const said = parts.filter((p) => p.trim() !== '');
  const kept = orders.sentences === null ? said : said.slice(0, orders.sentences);
  return cut(
    kept.join('\n') || (context.run.input.trim() === '' ? 'Nothing was asked.' : 'Read.'),
    longestAnswer,
  ).toWellFormed();
}

function quotedGuidance(human: HumanWords): string {
  const last = human.guidance.at(-1);
  return last?.rejected && last.text.trim() !== '' ? ` ("${brief(last.text, 300)}")` : '';
}

/** The lines of the answer for each item that has something to report. */
function reports(account: Account, work: AnswerWork, items: readonly Tracked[]): string[] {
  const parts: string[] = [];
  const several = work.questions > 1 || items.some((i) => i.unit.kind !== 'recall' && i.unit.kind !== 'statement');
  for (const item of items) parts.push(...report(account, work, item, several));
  if (work.request.dropped > 0)
    parts.push(`Only the first ${mostUnits} instructions were done; ${work.request.dropped} were left out.`);
  if (work.request.unread && work.request.units.some((u) => u.kind !== 'statement'))
    parts.push(`Only the first ${mostSentences} sentences were looked through for instructions.`);
  const statement = items.find((i) => i.unit.kind === 'statement')?.unit;
  const explicit = work.request.units.some((u) => u.kind !== 'statement');
  if (statement?.kind !== 'statement' || explicit) return parts;
  if (isAnswer(statement.text)) return parts;
  if (parts.length > 0) return parts;
  const { text } = statement;
  const known = lookedUp(account, text);
  if (known !== null) return [inEnglish(account, text, known)];
  const kept = isRecalled(text, account.context.agent.config, remarkOf)
    ? 'Ask me about it at any time.'
    : 'I know nothing about it yet; say "remember that ..." and I will.';
  return [inEnglish(account, text, `I have read "${brief(text)}". ${kept}`)];
}

const mostTopicWords = 4;
const speaks = /^(?:i|we|you|he|she|it|they)\b/i;
/** Whether a text may state nothing: a topic ("door code"), or what may be a question in another language. */
export const mayBeTopic = (text: string): boolean =>
  isForeign(text) || (!speaks.test(text) && text.trim().split(/\s+/, mostTopicWords + 1).length <= mostTopicWords);

/** What is known of a text that may be a topic, if a memory says all of it. */
function lookedUp({ context, orders }: Account, text: string): string | null {
  if (!mayBeTopic(text)) return null;
  const foreign = isForeign(text);
  const topic = new SaidText(text);
  const near = context.memories.filter(({ content, relevance }) => {
    const { terms } = new SaidText(content);
    return relevance >= nearStatement && (foreign || [...topic.terms].every((term) => terms.has(term)));
  });
  return fromMemory(near, text, orders.sentences ?? mostQuotes, context.turns);
}

/** Says once in a conversation that other languages are not understood. */
function inEnglish({ context }: Account, text: string, answer: string): string {
  const told = context.turns.some(({ role, content }) => role === 'agent' && content.includes(onlyEnglish));
  return !told && isForeign(text) ? `${onlyEnglish}\n${answer}` : answer;
}

function report(account: Account, work: AnswerWork, item: Tracked, several: boolean): string[] {
  const { context, orders } = account;
  const { unit } = item;
  if (item.problem !== null) return [item.problem];
  switch (unit.kind) {
    case 'recall': {
      const memories = [...saidHere(work, item), ...untold(knownFor(context, work, item), unit.text, context.turns)];
      const most = orders.sentences ?? (asksForAll(unit.text) ? mostOfAll : mostQuotes);
      const answer =
        fromMemory(memories, unit.text, most, context.turns) ??
        nothingAbout(unknownIn(memories.map(readMemory), unit.text));
      return [inEnglish(account, unit.text, several ? headed(unit.text, answer) : answer)];
    }
    case 'forgetAbout': {
      const [found] = chosen(context.memories, unit.text, 1, context.turns);
      const named = context.memories.find(({ id }) => id === found?.memory.id);
      return [named ? howToForget(named) : nothingKnown];
    }
    case 'say':
      return [unit.text];
    case 'chat':
      return [unit.reply];
    case 'cannot':
      return [`I cannot do that: "${brief(unit.text)}". ${help}`];
    case 'said':
      return [saidBefore(context.turns)];
    case 'identity':
      return [
        `I am ${context.agent.name}${context.agent.description.trim() === '' ? '.' : `: ${context.agent.description.trim()}`}`,
      ];
    case 'help':
      return [help];
    case 'statement':
      return [];
    // Human decisions about it are reported with the human's answers.
    case 'ask':
      return item.outcomes[0] ? [] : account.mayAsk ? [] : [`No step was left to ask a human: ${brief(unit.text)}`];
    case 'remember':
    case 'correct':
    case 'forget':
    case 'send':
    case 'share':
      return item.calls.map((call, i) => {
        const outcome = item.outcomes[i];
        return outcome ? told(outcome) : doing(call);
      });
    default:
      return unit satisfies never;
  }
}

/** The words that make the agent forget this memory: what it says, or its id where that is longer than an order. */
function howToForget({ id, content }: StepContext['memories'][number]): string {
  const [unit, ...more] = parseRequest(`forget: ${content}`).units;
  const isOne = more.length === 0 && unit?.kind === 'forget' && wordingOf(unit.text) === wordingOf(content);
  return isOne && content.length <= longestNamed ? wordForWord(content) : byItsId(id, content);
}

/** The memories that answer a question: its own recall, or else the recall for the input as a whole. */
function knownFor(context: StepContext, work: AnswerWork, item: Tracked): StepContext['memories'] {
  const unit = item.unit;
  const outcome = item.outcomes[0];
  const own = outcome?.ok ? readRecall(outcome.result) : [];
  if (own.length > 0 || unit.kind !== 'recall') return own;
  return work.questions === 1 ? context.memories : aboutThis(context.memories, unit.text);
}

/** The sentences with which the answer reports on a message that this step has read. */
function onMessage(account: Account, content: string, work: AnswerWork): string[] {
  const parts = reports(
    account,
    work,
    work.items.map((item) => ({ ...item, outcomes: [] })),
  );
  const asks = work.items.some((i) => i.unit.kind === 'ask');
  return parts.length > 0 ? parts : [asks ? "it needs a human's answer." : `"${brief(content)}" read.`];
}

/**
 * The reply to a message, for its sender: marked as a reply, so that it is read there and not followed as an
 * instruction. The effects of standing orders are left out.
 */
export const replyTo = (account: Account, content: string, work: AnswerWork): string =>
  cut(
    `${answerMark}${brief(content)} — ${onMessage(account, content, { ...work, items: work.items.slice(0, work.request.units.length) }).join('\n')}`,
    longestAnswer,
  ).toWellFormed();
