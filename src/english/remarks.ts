/** What a text that somebody said does: it tells or asks, follows on what was said before, or says nothing. */
import { firstBytes } from '../domain/bounded.js';
import type { SaidTurn } from '../domain/agent-state.js';
import type { Remark } from '../domain/vocabulary.js';

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
