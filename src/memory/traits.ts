/**
 * What the text of a memory says about itself, independently of any query: who speaks, whether it asks a question,
 * whether it refers to the speaker, whether it mentions a time or a number, and whether it says how
 * something is always to be done, as a profile keeps it. Determined once, when the memory is indexed. Only English words are recognised.
 *
 * Only the first `readCharacters` of a text are examined, and all regular expressions run in linear time.
 */
import { nameKey } from '../domain/facets.js';
import { isStanding } from '../english/standing.js';

const readCharacters = 4096;

/** The bits of a memory's traits. */
export const ASKS = 1;
export const SAYS_I = 2;
/** A profile keeps some of it (english/standing.ts). */
export const PROFILED = 4;
export const TELLS_TIME = 8;
export const TELLS_NUMBER = 16;
export const ENDS_ASKING = 32;
/** Says how something is always to be done, or what somebody prefers. */
export const STANDS = 64;
/** What an assistant said to a person. */
export const BY_ASSISTANT = 128;

const firstPerson = /\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b/;
const time =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|recently|this (?:morning|summer|winter|spring|fall)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|day|night|week|weekend|month|year|\d{4})s?\b/i;
const number =
  /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple|few|several|many|every)\b/i;

const standing =
  /\b(?:always|never|from now on|every time)\b[^.?!]{0,200}\b(?:when|if|whenever)\b|\bI(?:'d| would)? (?:prefer|like|love|hate|rather)\b/i;
/** Names under which assistants are kept. */
const assistants: ReadonlySet<string> = new Set([
  'assistant',
  'ai',
  'ai assistant',
  'agent',
  'bot',
  'chatbot',
  'model',
]);

/** `Name: ` at the start, of at most three words, the first of which is capitalised or in a script without capitals. */
const leadingName =
  /^[\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}.'_-]{0,39}(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'_-]{0,39}){0,2}(?=: )/u;

export interface Traits {
  /** In the form of `nameKey`; null if nobody is named. */
  speaker: string | null;
  bits: number;
}

/**
 * `speaker` is the memory's own field for who said it; if it is null, a leading `Name: ` determines the speaker.
 * `byAssistant`: it is known that an assistant said it.
 */
export function traitsOf(content: string, speaker: string | null, byAssistant = false): Traits {
  const read = content.slice(0, readCharacters);
  const leading = leadingName.exec(read)?.[0];
  const said = leading === undefined ? read : read.slice(leading.length + 1);
  let bits = 0;
  if (said.includes('?')) bits |= ASKS;
  if (firstPerson.test(said)) bits |= SAYS_I;
  if (time.test(said)) bits |= TELLS_TIME;
  if (number.test(said)) bits |= TELLS_NUMBER;
  if (standing.test(said)) bits |= STANDS;
  if (content.trimEnd().endsWith('?')) bits |= ENDS_ASKING;
  const name = speaker ?? leading;
  const key = name === undefined ? null : nameKey(name);
  if (byAssistant || (key !== null && assistants.has(key))) bits |= BY_ASSISTANT;
  else if (isStanding(said)) bits |= PROFILED;
  return { speaker: key, bits };
}
