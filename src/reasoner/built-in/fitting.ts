/**
 * Whether a memory fits a question: recall finds what shares words with it, or stands beside what does, and not all of
 * that answers it. What does not fit is not quoted, because an honest "I know nothing about that" beats the birthday of
 * somebody else.
 *
 *  - A memory fits only if it has a word that the question is about, or another wording of it (wordings.ts).
 *  - A question about somebody ("my sister", "Ana's") is answered by what mentions that person, or by what only says
 *    "she"; one about the client itself not by what is told of somebody else.
 *  - "What is my email?" is answered by what says email, not by anything else about "my", and "What is my ferritin
 *    value?" by what says ferritin, or the value without saying which, not by a value that is another one.
 *  - Where a question is for a relation of people ("Does Eva have kids?"), not just anything about them fits, but what
 *    says it, or half of what else the question is about.
 *  - What meets more of a short question than other memories do is quoted without these. The more topics a question
 *    has, the less their number tells: a long memory meets many of them and may answer none.
 *  - For a question in another language only the first and the last of these hold, because which words name people is
 *    known of English alone.
 */
import { anyOf, wordsOf } from '../../english/patterns.js';
import { pets, relations } from '../../english/people.js';
import {
  SaidText,
  answersTo,
  asksForAForm,
  countTopics,
  isAttitude,
  isRelation,
  mentions,
  topicsOf,
} from '../../english/wordings.js';
import { memoize } from '../../base/memoize.js';
import type { RecalledMemory, StepContext } from '../port.js';
import { followsUp, lookedFor } from '../../english/sentences.js';
import { termOf } from '../../memory/tokenizer.js';
import { isForeign } from './small-talk.js';

/*
 * What the parts of an answer read of the text of a memory. Each is found when it is first needed, and kept for the
 * texts that were used last, because the memories that are asked for again and again are few.
 */

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
  who: SaidText;
  /** "Jan" */
  name: string;
}

function namedIn(content: string): Named | null {
  const found = named.exec(content.slice(0, longestNaming));
  const who = found?.[1] ?? found?.[4];
  return who === undefined ? null : { who: new SaidText(who), name: found?.[2] ?? found?.[3] ?? '' };
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

export class Told extends SaidText {
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
export const readMemory = <M extends { content: string }>(memory: M): Read<M> => ({
  memory,
  told: toldIn(memory.content),
});

/** Whose something is: "my sister's", "Ana's", "the dog's". */
const possessor = new RegExp(
  `(?<![\\p{L}\\p{N}])(?!${wordsOf(
    'what who where when how that it he she there here let today tomorrow yesterday',
  )}['’])([\\p{L}][\\p{L}-]+)['’]s?(?= \\p{L})`,
  'giu',
);
const anybody = new RegExp(`\\b(?:my|our|the|his|her|their) (?:\\w+ )?(${people})\\b`, 'i');
const person = new RegExp(anybody, 'gi');
/** A name in mid-sentence. After "in" and the like it is that of a place. */
const name = /(?<!\b(?:in|at|to|from|near) )(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}+/gu;
/** Each possessor and each name has one of these, which are much quicker to look for. */
const apostrophe = /['’]/;
const capital = / \p{Lu}/u;
const noName = new RegExp(
  `^${anyOf(
    `${wordsOf('I Mon Tues Wednes Thurs Fri Satur Sun')}(?:day)?s?`,
    wordsOf('January February March April May June July August September October November December'),
    wordsOf('English German French Spanish Christmas Easter OK'),
  )}$`,
);
const pronoun = /\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|there)\b/i;
const personal = /\b(?:he|him|his|she|hers?)\b/i;
const several = /[.!?]\s+\S|\n/;
const shouted = /^[^\p{Ll}]*$/u;
const asksWho = /^(?:and |so |but )?who\b/i;
const firstPerson = /\b(?:i|me|my|mine|we|our|us|i['’]\w+)\b/i;
const asksWhether = /^(?:and |so |but )?(?:is|are|am|was|were|do|does|did|has|have|had|can|will|would|should)\b/i;
const timeOrNumber = new RegExp(
  `\\b${anyOf(
    '\\d[\\d:.,]*',
    wordsOf('(?:jan|febr)uary march april may june july august (?:sept|nov|dec)ember october'),
    `${wordsOf('mon tues wednes thurs fri satur sun')}days?`,
  )}\\b`,
  'gi',
);
const attribute = '([\\p{L}\\d-]+(?: [\\p{L}\\d-]+){0,3}?)';
const behind = wordsOf(
  'now again called held located due over back planned scheduled like made built kept stored hidden parked used sold',
  'served open closed going happening about at by for from in of on to with',
);
/** What "What is my email address?" asks for. */
const asksFor = new RegExp(
  `^(?:.{0,30}?\\b)?(?:what|who|when|where|which)(?:['’]?s| is| are| was| were) ` +
    `(?:(?:my|our|his|her|their|the) )?(?:[\\p{L}-]+['’]s? )?${attribute}(?: ${behind})*[\\s?.!]*$`,
  'iu',
);

/** Whoever a text is about. Of "my sister's birthday" that is the sister, of "Is my sister in Rome?" she is, too. */
function peopleIn(text: string): string[] {
  const possessors = apostrophe.test(text) ? Array.from(text.matchAll(possessor), ([, who = '']) => who) : [];
  const capitals = capital.test(text) && !shouted.test(text) ? Array.from(text.matchAll(name), ([word]) => word) : [];
  const named = [...possessors, ...capitals.filter((word) => !noName.test(word))];
  if (named.length > 0 || !anybody.test(text)) return named;
  return Array.from(text.matchAll(person), ([, who = '']) => who);
}

type Test = (said: Told) => boolean;
type Found = Read<Pick<RecalledMemory, 'content' | 'byMeaning'>>;

/** Longer texts, and those of several sentences, leave open what in them a memory would answer. */
const longestQuestion = 300;

/** The memories that fit a question, in their order. What was found by its meaning fits whatever its words are. */
export function fitting<M extends Found>(
  memories: readonly M[],
  question: string,
  turns: StepContext['turns'] = [],
): readonly M[] {
  if (memories.length === 0) return memories;
  const asked = question.trim();
  const fits = (test: Test): M[] => memories.filter(({ memory, told }) => memory.byMeaning === true || test(told));
  if (asked.length > longestQuestion || several.test(asked)) return fits(answersTo(asked));
  if (isForeign(asked)) return closest(fits(answersTo(asked)), topicsOf(asked));
  const followUp = followsUp(asked) && (pronoun.test(asked) || topicsOf(asked).length === 0);
  const people = peopleAsked(asked, turns, memories);
  // a follow-up is understood with what was said before
  const text = followUp ? lookedFor(asked, turns) : asked;
  const topics = topicsAsked(asked);
  const tests = [answersTo(text), ofThePeople(asked, text, people)];
  if (!followUp && !asksForAForm(asked)) tests.push(saysTheAttribute(asked), saysTheRelation(asked, topics, people));
  const found = fits((said) => tests.every((test) => test(said)));
  return followUp ? found : closest(found, topics);
}

/** Whoever the question is about: by the words of the question, and by the names that memories tell for these. */
function peopleAsked(question: string, turns: StepContext['turns'], memories: readonly Found[]): string {
  let about = peopleIn(question);
  if (about.length === 0 && personal.test(question))
    about = turns.slice(-2).flatMap(({ content }) => peopleIn(content.slice(0, longestQuestion)));
  if (about.length === 0) return '';
  const names = memories.flatMap(({ told: { named } }) =>
    named && mentions(named.who, about.join(' ')) ? [named.name] : [],
  );
  return [...about, ...names].join(' ');
}

function ofThePeople(question: string, text: string, people: string): Test {
  if (people !== '') return (said) => said.inThirdPerson || mentions(said, people);
  if (!firstPerson.test(question) || asksWho.test(question)) return () => true;
  const asked = new SaidText(text);
  return ({ other }) => other === null || mentions(asked, other);
}

function saysTheAttribute(question: string): Test {
  const attribute = asksFor.exec(question)?.[1] ?? '';
  const words = topicsOf(attribute);
  const last = words.at(-1);
  if (last === undefined) return () => true;
  const which = rated.test(attribute) ? [] : words.slice(0, -1);
  // "ferritin: 80" has a value without saying so
  const enough = [last, ...words.filter(isRelation), ...(measures.has(last) ? which : [])];
  return (said) =>
    countTopics(said, enough) > 0 && (which.length === 0 || countTopics(said, which) > 0 || !isOther(said.text, last));
}

const measures: ReadonlySet<string> = new Set(
  'value level amount score result count reading size weight height price rate'.split(' ').map(termOf),
);
/** "our most important customer", which somebody else may call the biggest. */
const rated = /\b(?:most|least|\p{L}{2,}est)\b/iu;
const oneWord = /[\p{L}\p{N}]+/gu;
/** Words before a thing that do not tell which one it is. */
const anyOne: ReadonlySet<string> = new Set('new old current own main right correct actual full real usual'.split(' '));

/** Whether a text has the thing only with a word before it that tells which one it is: "a good value". */
function isOther(text: string, thing: string): boolean {
  let before = '';
  let other = false;
  for (const [word] of text.slice(0, longestRead).toLowerCase().matchAll(oneWord)) {
    if (termOf(word) === thing) {
      if (termOf(before) === '' || anyOne.has(before)) return false;
      other = true;
    }
    before = word;
  }
  return other;
}
const longestRead = 4000;

/**
 * What a question asks for in several words ("ferritin value"), where these memories tell of another such thing; null
 * if they do not, or it asks otherwise.
 */
export function unknownIn(memories: readonly Found[], question: string): string | null {
  const asked = question.trim();
  const attribute = asked.length > longestQuestion || isForeign(asked) ? undefined : asksFor.exec(asked)?.[1];
  const words = topicsOf(attribute ?? '');
  const last = words.at(-1);
  if (attribute === undefined || last === undefined || words.length < 2 || rated.test(attribute)) return null;
  return memories.some(({ told }) => countTopics(told, [last]) > 0) ? attribute : null;
}

function saysTheRelation(question: string, asked: readonly string[], people: string): Test {
  const topics = people === '' ? asked : asked.filter((topic) => !mentions(new SaidText(topic), people));
  const relations = topics.filter(isRelation);
  if (relations.length === 0 || (people === '' && !firstPerson.test(question))) return () => true;
  const others = topics.filter((topic) => !isRelation(topic));
  const enough = Math.ceil(others.length / 2);
  return (said) => countTopics(said, relations) > 0 || (enough > 0 && countTopics(said, others) >= enough);
}

/**
 * The topics that an answer has to meet. A question of whether something is so is answered by what is so, so neither
 * its time or number counts, nor whether it is liked.
 */
function topicsAsked(question: string): readonly string[] {
  if (!asksWhether.test(question)) return topicsOf(question);
  const topics = topicsOf(question.replace(timeOrNumber, ' '));
  const others = topics.filter((topic) => !isAttitude(topic));
  return others.length > 0 ? others : topics;
}

/** Questions with more topics are not short. */
const mostTopics = 3;

function closest<M extends Found>(found: readonly M[], topics: readonly string[]): readonly M[] {
  if (found.length < 2 || topics.length > mostTopics) return found;
  const counts = found.map(({ told }) => countTopics(told, topics));
  const most = Math.max(...counts);
  return found.filter(({ memory }, i) => memory.byMeaning === true || counts[i] === most);
}
