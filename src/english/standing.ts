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
