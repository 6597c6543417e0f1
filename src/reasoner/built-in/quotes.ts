/** Answers from memory: selects the memories to quote verbatim. */
import { asksForAll, followsUp, turnType } from '../../domain/conversation.js';
import type { RecalledMemory, StepContext } from '../port.js';
import { fitting } from './fitting.js';
import { bareOf, keywords, read, type Read, type Told } from './told.js';
import { cut, endsAsQuestion } from '../../sentences.js';

export const mostQuotes = 5;
/** The maximum length of a quoted memory. */
const longestQuote = 4000;
/**
 * Memories below this share of the best one's relevance are considered off topic. It is higher for those that share no
 * word with the question: recall also finds what was said near a match, which may be about anything. What tells an end
 * has few words of what it ends.
 */
const nearTheBest = { sharing: 0.5, other: 0.65, end: 0.25 };

/**
 * The memories that answer a question, best first: fitting (fitting.ts), close to the best one's relevance, without
 * duplicates. Messages that ask something are left out, as is the question itself if it was stored.
 */
export function chosen(
  memories: readonly RecalledMemory[],
  question: string,
  most: number,
  turns: StepContext['turns'] = [],
): Read[] {
  const out: Read[] = [];
  const taken: string[] = [];
  const asked = bareOf(question);
  let words: ReadonlySet<string> | undefined;
  const all = memories.map(read);
  const fit = asksForAll(question) ? all : fitting(all, question, turns);
  const best = fit.reduce((max, { memory }) => Math.max(max, memory.relevance), 0);
  // words are only looked at where they decide, because finding them is most of what an answer costs
  const nearEnough = ({ told, memory: { relevance } }: Read): boolean =>
    relevance >= best * nearTheBest.other ||
    (relevance >= best * nearTheBest.sharing && shared((words ??= keywords(question)), told) > 0) ||
    (relevance >= best * nearTheBest.end && told.tellsAnEnd);
  for (const each of fit) {
    if (out.length >= most) break;
    const { memory, told } = each;
    const text = told.bare;
    if (text === '' || text === asked || !nearEnough(each)) continue;
    if (memory.type === 'message' && endsAsQuestion(memory.content.trimEnd())) continue;
    const part = taken.findIndex((t) => memory.type === turnType && text.includes(t));
    if (part >= 0 && !taken.some((t, i) => i !== part && text.includes(t))) {
      // the turn says what was learnt from it, and more
      taken[part] = text;
      out[part] = each;
      continue;
    }
    if (taken.some((t) => t.includes(text) || (memory.type === 'message' && text.includes(t)))) continue;
    taken.push(text);
    out.push(each);
  }
  return out;
}

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
  const rest = memories.filter((memory) => !told.includes(read(memory).told.bare));
  return rest.length > 0 ? rest : memories;
}

/** From the memories recalled for several questions together, selects those that share words with this question. */
export function aboutThis(memories: readonly RecalledMemory[], question: string): RecalledMemory[] {
  const words = keywords(question);
  const scored = memories.map((memory) => ({ memory, n: shared(words, read(memory).told) }));
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

/** "From memory: ...", or null if nothing relevant is known. More than one are told with their dates, the newest first. */
export function fromMemory(
  memories: readonly RecalledMemory[],
  question: string,
  most: number,
  turns: StepContext['turns'] = [],
): string | null {
  const found = chosen(memories, question, most, turns).map(({ memory }) => memory);
  const [only] = found;
  if (only === undefined) return null;
  const quote = ({ content }: RecalledMemory): string => cut(content.trim(), longestQuote);
  if (found.length === 1) return `From memory: ${quote(only)}`;
  const line = (memory: RecalledMemory): string =>
    `- ${memory.at ? `${memory.at.slice(0, 10)}: ` : ''}${quote(memory)}`;
  const head = found.some(({ at }) => at) ? 'From memory, the newest first:' : 'From memory:';
  return [head, ...found.sort(newestFirst).map(line)].join('\n');
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
