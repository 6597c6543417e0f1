/**
 * Splits plain text into lines and sentences. Linear in the length of any text, because inputs may be as long as a
 * mailbox message and this blocks the event loop.
 */
import { firstBytes } from '../domain/shared/bounded.js';
import type { SaidTurn } from '../domain/agent/agent-state.js';
import type { Remark } from '../domain/shared/vocabulary.js';

/** The first `max` characters, with an ellipsis if there were more. Never splits a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const half = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, half ? max - 1 : max)}…`;
}

/** Shortens a text to one line, for thoughts and for naming it in an answer. */
export const brief = (text: string, max = 160): string =>
  cut(
    text
      .slice(0, max * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  ).toWellFormed();

const space = /\s/;
const closers = new Set(['"', "'", '”', '’', ')', ']', '»']);
const abbreviations: ReadonlySet<string> = new Set(
  'dr mr mrs ms prof st no vs etc e.g i.e approx inc ltd co jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
);
const longestAbbreviation = 6;

/** Whether the full stop at `at` ends an abbreviation or a list number rather than a sentence. */
function abbreviates(line: string, start: number, at: number): boolean {
  let from = at;
  while (from > start && at - from <= longestAbbreviation && !space.test(line.charAt(from - 1))) from--;
  const word = line.slice(from, at).toLowerCase();
  return abbreviations.has(word) || (from === start && /^\d+$/.test(word));
}

/** The end (exclusive) of the sentence that begins at `start`. */
export function sentenceEnd(line: string, start: number): number {
  for (let i = start; i < line.length; i++) {
    const c = line.charAt(i);
    if (c === '。' || c === '！' || c === '？') return i + 1;
    if (c !== '.' && c !== '!' && c !== '?') continue;
    let end = i + 1;
    while (end < line.length && closers.has(line.charAt(end))) end++;
    if (end < line.length && !space.test(line.charAt(end))) {
      i = end - 1;
      continue;
    }
    let next = end;
    while (next < line.length && space.test(line.charAt(next))) next++;
    if (c === '.' && next < line.length && (abbreviates(line, start, i) || /\p{Ll}/u.test(line.charAt(next)))) {
      i = next - 1;
      continue;
    }
    return end;
  }
  return line.length;
}

const question = /[?？]["'”’)\]»]*$/;
export const endsAsQuestion = (sentence: string): boolean => question.test(sentence.slice(-8));

/* What a text that somebody said does: it tells or asks, follows on what was said before, or says nothing. */

const endsAsking = /[?？]["'”’)\]]{0,3}$/;
/** In a text that does not end with spaces. */
const sentenceBefore = /[.!。！\n]./s;
const beginsAsking =
  /^(?:and |so |but |then |ok,? |hey,? |please,? )?(?:who|whom|whose|what|when|where|why|which|how|recall|tell me|do you (?:know|remember))\b/i;

/** Whether a text asks and says nothing beside. */
export function onlyAsks(text: string): boolean {
  const said = text.trim();
  return (
    (endsAsking.test(said.slice(-4)) || beginsAsking.test(said)) && !sentenceBefore.test(said.slice(0, -1).trimEnd())
  );
}

/** "Do not remember this: ...", "forget about ..." */
const declinesMemory =
  /^(?:(?:please|now|ok|and|(?:can|could|would) you),? )*(?:forget|unlearn)\b|\b(?:do not|don['’]t|never) (?:remember|memori[sz]e|store|save|keep|note|record|write down)\b/i;

/**
 * A text of one word, such as a greeting, tells nothing that a later conversation could need. In a script without
 * spaces between words that is one of fewer than six characters.
 */
const isSmallTalk = (text: string): boolean =>
  text.length < 40 && !/\S\s+\S/.test(text) && (text.match(withoutSpaces)?.length ?? 0) < 6;
const withoutSpaces =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

/** What a text is to those who look for what was said. */
export const remarkOf = (text: string): Remark =>
  isSmallTalk(text) ? 'nothing' : onlyAsks(text) || declinesMemory.test(text) ? 'aside' : 'tells';

/** A search that follows up on what was said looks for the words of these turns, too, as far as they fit. */
const lookedBack = 2;
const lookedBackBytes = 400;
const refersBack =
  /^(?:and|but|so|or|also|then|why|how so|really|what about|how about|what else|anything else|more)\b|\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|there|that one|this one|those|these|the (?:same|other|first|second|last) one)\b/i;
/** A longer text tells what it is about. */
const longestFollowUp = 200;

/** Whether a text can only be understood together with what was said before it. */
export const followsUp = (text: string): boolean => text.length <= longestFollowUp && refersBack.test(text.trim());

const wantsAll =
  /^(?:(?:hi|hello|hey|ok|okay|so|now|please|and|can you|could you|would you|will you)[\s,.!]+)*(?:(?:(?:tell|show|give) me|list|recall|recite|summari[sz]e|say)\s+(?:everything|all|what(?:ever)?|(?:all )?(?:of )?your memor(?:y|ies))|what(?: all| else)? (?:do|can|have) you (?:know|remember|recall|learn(?:ed|t)?|been told|stored?)|what(?:['’]s| is) (?:there )?in your memory|everything you (?:know|remember)|do you (?:know|remember) anything)(?:\s+(?:(?:that|of it)\s+)?(?:you(?:['’]ve| have)?|know|remember|recall|learned|been told|stored|memories|facts|things|there is|in your memory))*(?:\s+(?:so far|about (?:me|us)|by now|already|now|please))*[\s?.!]*$/i;

/** Whether a text asks for all that is known rather than for anything in particular. */
export const asksForAll = (text: string): boolean => text.length <= longestFollowUp && wantsAll.test(text.trim());

/** What to look for in memory for this text: the text, with the turns before it if it refers to them. */
export function lookedFor(text: string, turns: readonly Pick<SaidTurn, 'content'>[]): string {
  if (turns.length === 0 || !followsUp(text)) return text;
  const before = turns.slice(-lookedBack).map(({ content }) => firstBytes(content, lookedBackBytes));
  return [text, ...before].join('\n');
}

/**
 * What somebody says is always to be done, and what somebody prefers: "Always include version numbers when I ask about
 * libraries.", "I prefer short answers". A profile keeps it word for word (docs/recall.md). Only English is recognised,
 * in the first `readCharacters` of a text, and all regular expressions run in linear time.
 */
const readCharacters = 4096;
/** What of a passage is kept, in characters. */
const longest = 160;
/** How many passages of one text are kept. */
const most = 4;

/** What comes before an order: "Please, from now on always ...". */
const opening = String.raw`(?:(?:please|and|so|also|oh|by the way|remember|from now on|going forward|in (?:the )?future),? ){0,3}`;
/** What follows "always" or "never" in talk that orders nothing: "Never tried it?", "Always happy to help.". */
const noOrder =
  'been|had|was|were|felt|thought|wanted|knew|known|loved|heard|seen|saw|did|tried|met|happy|here|glad|good|great|nice|fun|staying|on|in|up|a|an|the|mind|too|so';
const order = new RegExp(
  String.raw`^${opening}(?:always|never|make sure to always)\s+(?!(?:${noOrder})\b)[a-z]+|\b(?:from now on|whenever I ask|(?:when|every time|any time) I ask)\b`,
  'iu',
);
const preference =
  /\b(?:I(?:['’]d| would)? (?:\w+ )?prefer|my preference (?:is|for)|(?:user|[A-Z]\w+|he|she) prefers)\b/;

/** Where a passage may begin or end. */
const ends = /(?<=[.!?])\s+|\n+/u;

/** Whether a text says something of this kind. */
export const isStanding = (text: string): boolean => standingIn(text, 1).length > 0;

/** Whether a passage says how something is to be done, and not only what is preferred. */
export const isOrder = (passage: string): boolean => order.test(passage);

/** The sentences of a text that say it, each cut to what stands around its words. */
export function standingIn(text: string, limit = most): string[] {
  const read = text.slice(0, readCharacters);
  if (!/always|never|prefer|now on|I ask/i.test(read)) return [];
  const found: string[] = [];
  for (const part of read.split(ends)) {
    const said = part.trim();
    const at = order.exec(said)?.index ?? preference.exec(said)?.index;
    if (at === undefined) continue;
    found.push(around(said, at));
    if (found.length === limit) break;
  }
  return found;
}

/** As much of a long sentence as may be kept, from the clause on in which the words stand. */
function around(said: string, at: number): string {
  if (said.length <= longest) return said;
  const clause = Math.max(said.lastIndexOf(',', at), said.lastIndexOf(';', at)) + 1;
  const from = said.length - clause <= longest ? said.length - longest : clause;
  const kept = said.slice(from, from + longest).trim();
  return `${from > 0 ? '… ' : ''}${kept}${from + longest < said.length ? ' …' : ''}`.toWellFormed();
}
