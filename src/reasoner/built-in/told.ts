/**
 * What the parts of an answer read of the text of a memory. Each is found when it is first needed, and kept for the
 * texts that were used last, because the memories that are asked for again and again are few.
 */
import { anyOf, wordsOf } from '../../english/patterns.js';
import { pets, relations } from '../../english/people.js';
import { Said } from '../../english/wordings.js';
import { memoize } from '../../base/memoize.js';
import type { RecalledMemory } from '../port.js';

/** Whom people speak of by what they are to them. */
export const people = anyOf(...[...relations, ...pets].map((word) => `${word}s?`), 'children');
/** Words before a statement that add nothing to it. */
const opening =
  /^(?:(?:actually|fyi|btw|correction|update|news|note|now|so|well|ok|okay|and|but|also|no)\b[\s,:;–-]*)+/i;
const thirdPerson = /^(?:and |but )?(?:he|she|it|they|his|her|its|their)\b/i;
const does = wordsOf('lives works likes loves hates prefers speaks plays drives studies moved');
/** What is told of somebody else begins with that person. */
const ofAnother = new RegExp(
  `^${anyOf(
    `(?:[Mm]y|[Oo]ur) (?:\\w+ )?(${people})\\b`,
    "([\\p{L}-]+)['’]s \\p{L}",
    `(?!${wordsOf('We They I It She He')}\\b)(\\p{Lu}[\\p{L}-]+) ` +
      `${anyOf(does, 'was born', 'is (?:an?|the|allergic|married|from|\\d)')}\\b`,
  )}`,
  'u',
);
function toldOf(content: string): string | null {
  const found = ofAnother.exec(content.replace(opening, ''));
  return found ? (found[1] ?? found[2] ?? found[3] ?? null) : null;
}

/** "My husband Jan", "My husband is called Jan", "Jan is my husband". */
const named = new RegExp(
  anyOf(
    `\\b(?:[Mm]y|[Oo]ur) (?:\\w+ )?(${people})(?:,| is called| is named|['’]s name is| is)? (\\p{Lu}\\p{Ll}+)`,
    `\\b(\\p{Lu}\\p{Ll}+) is (?:my|our) (?:\\w+ )?(${people})\\b`,
  ),
  'u',
);
/** How much of a text is searched for a name. */
const longestNaming = 300;

interface Named {
  /** "husband" */
  who: Said;
  /** "Jan" */
  name: string;
}

function namedIn(content: string): Named | null {
  const found = named.exec(content.slice(0, longestNaming));
  const who = found?.[1] ?? found?.[4];
  return who === undefined ? null : { who: new Said(who), name: found?.[2] ?? found?.[3] ?? '' };
}

/** A text as it is compared with others. */
export const bareOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[.!?\s]$/, '');

/** Words that do not tell which of several questions a memory belongs to. */
const common: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be been but by can could did do does for from had has have he her his how i if ' +
    'in into is it its know me my of on or our please remember recall she should so tell that the their them there ' +
    'they this to us was we were what when where which who whom whose why will with would you your'
  ).split(' '),
);

/** The number of characters of a text whose words are considered. */
const longestLooked = 4000;

/** `match`, because `matchAll` makes an object of each word: these were a tenth of what a message allocates. */
const wordsIn = (text: string): readonly string[] =>
  text
    .slice(0, longestLooked)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of a text that tell what it is about. */
export function keywords(text: string): Set<string> {
  const out = new Set<string>();
  for (const word of wordsIn(text)) if (!common.has(word)) out.add(stem(word));
  return out;
}

/** Handles plural and possessive only, because recall has found the memories already. */
const stem = (word: string): string => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word);

/** How many texts are kept at most, twice. */
const kept = 1024;

export class Told extends Said {
  private known: {
    bare?: string;
    keywords?: ReadonlySet<string>;
    other?: string | null;
    named?: Named | null;
  } = {};

  get bare(): string {
    return (this.known.bare ??= bareOf(this.text));
  }
  get keywords(): ReadonlySet<string> {
    return (this.known.keywords ??= keywords(this.text));
  }
  /** The person whom it is told of, if that is not its speaker. */
  get other(): string | null {
    const { other = toldOf(this.text) } = this.known;
    return (this.known.other = other);
  }
  /** Somebody whom it gives a name to. */
  get named(): Named | null {
    const { named = namedIn(this.text) } = this.known;
    return (this.known.named = named);
  }
  get inThirdPerson(): boolean {
    return thirdPerson.test(this.text);
  }
}

const toldIn = memoize((text) => new Told(text), kept);

/** A memory with what is read of its text. */
export interface Read<M = RecalledMemory> {
  memory: M;
  told: Told;
}
export const read = <M extends { content: string }>(memory: M): Read<M> => ({ memory, told: toldIn(memory.content) });
