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

/**
 * The memories that say different things about the same, the newest first, or all if one of them tells an end. Memories
 * without a time are left out, because nobody could tell which of them holds.
 */
function contradictions(found: readonly Read[]): Read[] {
  const dated = found.filter(({ memory }) => memory.at !== undefined);
  const facts: { each: Read; fact: NonNullable<Told['fact']> }[] = [];
  for (const each of dated) if (each.told.fact) facts.push({ each, fact: each.told.fact });
  const disputed = facts
    .filter(({ fact: a }) =>
      facts.some(
        ({ fact: b }) =>
          a !== b &&
          a.subject === b.subject &&
          (a.relation === b.relation || a.ends.includes(b.relation) || b.ends.includes(a.relation)),
      ),
    )
    .map(({ each }) => each);
  const end = dated.length > 1 ? dated.filter(({ told }) => told.tellsAnEnd) : [];
  const all = end.length > 0 ? new Set([...disputed, ...dated]) : disputed;
  return [...all].sort((a, b) => ((a.memory.at ?? '') < (b.memory.at ?? '') ? 1 : -1));
}

const dayOf = ({ memory: { at = '' } }: Read): string => at.slice(0, 10);

const quoting = 'From memory: ';
/** The only memory that an answer quotes, if it says nothing else. */
export const quoteIn = (answer: string): string | null =>
  answer.startsWith(quoting) && !answer.includes('\n') ? answer.slice(quoting.length) : null;

/** "From memory: ...", or null if nothing relevant is known. */
export function fromMemory(
  memories: readonly RecalledMemory[],
  question: string,
  most: number,
  turns: StepContext['turns'] = [],
): string | null {
  const found = chosen(memories, question, most, turns);
  const quote = ({ memory: { content } }: Read): string => cut(content.trim(), longestQuote);
  const disputed = contradictions(found);
  if (disputed.length > 0) {
    const rest = found.filter((each) => !disputed.includes(each));
    const lines = [...disputed.map((each) => `${dayOf(each)}: ${quote(each)}`), ...rest.map(quote)];
    return `From memory, the newest first:\n${lines.map((line) => `- ${line}`).join('\n')}`;
  }
  const quotes = found.map(quote);
  if (quotes.length === 0) return null;
  return quotes.length === 1
    ? `${quoting}${quotes[0] ?? ''}`
    : `From memory:\n${quotes.map((q) => `- ${q}`).join('\n')}`;
}

const scoreAtEnd = / \(relevance ([01]\.\d\d)\)(?:\n|$)/g;

/** Parses the result of a `recall` call into memories: each is followed by its relevance. */
export function readRecall(result: string): RecalledMemory[] {
  const out: RecalledMemory[] = [];
  let from = 0;
  for (const match of result.matchAll(scoreAtEnd)) {
    const content = result.slice(from, match.index);
    out.push({ id: '', type: '', content, relevance: Number(match[1]) });
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
