/**
 * Answers from memory: selects the memories to quote, word for word.
 *
 *  - What was said to somebody is knowledge only as far as it states something: a question or an order in a turn or a
 *    message is not quoted.
 *  - With what answers a question, everything is quoted that was said later about the same, or follows on it ("No, on
 *    Friday"): nobody knows which of them holds. More than one are told with their dates: first the best and its later
 *    changes, the newest of these first, and then the others.
 */
import { turnType } from '../../domain/run/conversation.js';
import { asksForAll, cut, endsAsQuestion, followsUp } from '../../english/sentences.js';
import { isWeak, mentions } from '../../english/wordings.js';
import { memoize } from '../../base/memoize.js';
import type { RecalledMemory, StepContext } from '../port.js';
import { type Read, type Told, bareOf, fitting, keywords, readMemory } from './fitting.js';
import { parseRequest } from './request.js';

export const mostQuotes = 5;
/** The maximum length of a quoted memory. */
const longestQuote = 4000;
/**
 * Memories below this share of the best one's relevance are considered off topic. It is higher for those that share no
 * word with the question: recall also finds what was said near a match, which may be about anything.
 */
const nearTheBest = { sharing: 0.5, other: 0.65 };

/** A longer text is a document. */
const longestSaid = 2000;
const statedIn = memoize((text: string): string => {
  const { units } = parseRequest(text);
  const stated = units.flatMap((unit) => (unit.kind === 'statement' ? [unit.text] : []));
  return stated.length === units.length ? text : stated.join(' ');
}, 256);

function knowledgeIn(memory: RecalledMemory): Read[] {
  const { type, content } = memory;
  if (type === 'episodic') return endsAsQuestion(content.trimEnd()) ? [] : [readMemory(memory)];
  if ((type !== turnType && type !== 'message') || content.length > longestSaid) return [readMemory(memory)];
  const stated = statedIn(content);
  return stated === '' ? [] : [readMemory(stated === content ? memory : { ...memory, content: stated })];
}

/** The memories that answer a question, best first, and then what was said later about the same. */
export function chosen(
  memories: readonly RecalledMemory[],
  question: string,
  most: number,
  turns: StepContext['turns'] = [],
): Read[] {
  const all = memories.flatMap(knowledgeIn);
  if (asksForAll(question)) return distinct(all, question).slice(0, most);
  const fit = fitting(all, question, turns);
  const best = fit.reduce((max, { memory }) => Math.max(max, memory.relevance), 0);
  let words: ReadonlySet<string> | undefined;
  // words are only looked at where they decide, because finding them is most of what an answer costs
  const nearEnough = ({ told, memory: { relevance } }: Read): boolean =>
    relevance >= best * nearTheBest.other ||
    (relevance >= best * nearTheBest.sharing && shared((words ??= keywords(question)), told) > 0);
  const found = distinct(fit.filter(nearEnough), question).slice(0, most);
  return found.length === 0 ? found : distinct([...found, ...saidLater(found, all)], question);
}

/** Without the question itself, and what repeats another. */
function distinct(found: readonly Read[], question: string): Read[] {
  const asked = bareOf(question);
  const out: Read[] = [];
  for (const each of found) {
    const { bare } = each.told;
    if (bare === '' || bare === asked) continue;
    const heard = each.memory.type === turnType || each.memory.type === 'message';
    if (!out.some(({ told: { bare: taken } }) => taken.includes(bare) || (heard && bare.includes(taken))))
      out.push(each);
  }
  return out;
}

/** In the order in which it was said. */
function saidLater(found: readonly Read[], all: readonly Read[]): Read[] {
  const dated = all.filter(({ memory: { at } }) => at !== undefined).sort((a, b) => newestFirst(b.memory, a.memory));
  const quoted = new Set(found);
  for (const [i, each] of dated.entries()) {
    const before = dated[i - 1];
    const earlier = dated.slice(0, i).filter((one) => quoted.has(one));
    if (earlier.some((one) => sameSubject(one.told, each.told) || (one === before && followsOn(one.told, each.told))))
      quoted.add(each);
  }
  return dated.filter((each) => quoted.has(each) && !found.includes(each));
}

const ofOneself = /^(?:i|my|we|our)\b/i;
const ofSomebodyElse = (earlier: Told, later: Told): boolean =>
  later.other !== null
    ? !mentions(earlier, later.other)
    : earlier.other !== null && ofOneself.test(later.text) && !mentions(later, earlier.other);

/** Whether what was said later has a word of it, and tells of nobody else. */
const sameSubject = (earlier: Told, later: Told): boolean =>
  [...earlier.terms].some((term) => later.terms.has(term) && !isWeak(term)) && !ofSomebodyElse(earlier, later);

const takesBack =
  /^(?:no|nope|not|sorry|oops|wait|actually|rather|correction|wrong|typo|hm+|hold on|scratch|make (?:it|that)|i mean(?:t)?|that was)\b/i;
const refersBack = /\b(?:it|he|him|she|her|they|them|that (?:one|was|is))\b/i;
const fewWords = 5;
const longestRemark = 120;
/** Whether a text is understood only with what was said right before it. */
const followsOn = (earlier: Told, later: Told): boolean => {
  const { text } = later;
  if (text.length > longestRemark) return false;
  if (takesBack.test(text)) return true;
  return !ofSomebodyElse(earlier, later) && (refersBack.test(text) || text.trim().split(/\s+/).length <= fewWords);
};

/**
 * For a question that follows up on the last answer, leaves out what that answer has told already, unless nothing else
 * is known.
 */
export function untold(
  memories: readonly RecalledMemory[],
  question: string,
  turns: StepContext['turns'],
): readonly RecalledMemory[] {
  const last = turns.at(-1);
  if (last?.role !== 'agent' || !followsUp(question)) return memories;
  const told = last.content.toLowerCase();
  const rest = memories.filter((memory) => !told.includes(readMemory(memory).told.bare));
  return rest.length > 0 ? rest : memories;
}

/** From the memories recalled for several questions together, selects those that share words with this question. */
export function aboutThis(memories: readonly RecalledMemory[], question: string): RecalledMemory[] {
  const words = keywords(question);
  const scored = memories.map((memory) => ({ memory, n: shared(words, readMemory(memory).told) }));
  return scored
    .filter((s) => s.n > 0)
    .sort((a, b) => b.n - a.n || b.memory.relevance - a.memory.relevance)
    .map((s) => s.memory);
}

/** What was said in this very input has no time yet, and is the newest. */
const newestFirst = (a: RecalledMemory, b: RecalledMemory): number => {
  const [x, y] = [a.at ?? '~', b.at ?? '~'];
  return x < y ? 1 : x > y ? -1 : 0;
};

/** How much of what the earlier one is about a later change of it says again, where no word says that it changes. */
const shareOfChange = 0.5;
const saysChange =
  /\b(?:now|new|since|instead|(?:no|any) ?(?:longer|more)|these days|from (?:now|today)|moved?|gave up|switch(?:ed)?|swap(?:ped)?|replaced?|changed?|became)\b/i;

/** Whether a later text may say what has become of an earlier one. */
function changes(earlier: Told, later: Told): boolean {
  if (ofSomebodyElse(earlier, later)) return false;
  const about = [...earlier.terms].filter((term) => !isWeak(term));
  const again = about.filter((term) => later.terms.has(term)).length;
  return again > 0 && (again >= about.length * shareOfChange || saysChange.test(later.text));
}

/** The best and its later changes, the newest of these first, and then the others as they come. */
function bestFirst(found: readonly Read[]): Read[] {
  const [best] = found;
  if (best === undefined) return [];
  const lead = [best];
  const later = found.filter((one) => newestFirst(one.memory, best.memory) < 0);
  let before = best;
  for (const one of later.sort((a, b) => newestFirst(b.memory, a.memory))) {
    if (changes(best.told, one.told) || (lead.includes(before) && followsOn(before.told, one.told))) lead.push(one);
    before = one;
  }
  return [...lead.reverse(), ...found.filter((one) => !lead.includes(one))];
}

/** "From memory: ...", or null if nothing relevant is known. Several are told with their dates. */
export function fromMemory(
  memories: readonly RecalledMemory[],
  question: string,
  most: number,
  turns: StepContext['turns'] = [],
): string | null {
  const all = chosen(memories, question, most, turns);
  const told = asksForAll(question) ? all.sort((a, b) => newestFirst(a.memory, b.memory)) : bestFirst(all);
  const found = told.slice(0, most).map(({ memory }) => memory);
  const [only] = found;
  if (only === undefined) return null;
  const quote = ({ content }: RecalledMemory): string => cut(content.trim(), longestQuote);
  if (found.length === 1) return `From memory: ${quote(only)}`;
  const line = (memory: RecalledMemory): string =>
    `- ${memory.at ? `${memory.at.slice(0, 10)}: ` : ''}${quote(memory)}`;
  const isByTime = found.every((one, i) => i === 0 || newestFirst(found[i - 1] ?? one, one) <= 0);
  const head = isByTime && found.some(({ at }) => at) ? 'From memory, the newest first:' : 'From memory:';
  return [head, ...found.map(line)].join('\n');
}

const behindEach = / \((?:(\d{4}-\d\d-\d\dT[\d:.]+Z), )?relevance ([01]\.\d\d)\)(?:\n|$)/g;

/** Parses the result of a `recall` call into memories: each is followed by its time and its relevance. */
export function readRecall(result: string): RecalledMemory[] {
  const out: RecalledMemory[] = [];
  let from = 0;
  for (const match of result.matchAll(behindEach)) {
    const content = result.slice(from, match.index);
    out.push({ id: '', type: '', content, relevance: Number(match[2]), ...(match[1] && { at: match[1] }) });
    from = match.index + match[0].length;
  }
  return out;
}

/** How many of the words a text has. */
function shared(words: ReadonlySet<string>, { keywords }: Told): number {
  let n = 0;
  for (const word of words) if (keywords.has(word)) n++;
  return n;
}
