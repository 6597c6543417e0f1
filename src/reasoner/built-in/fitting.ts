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
import { followsUp, lookedFor } from '../../english/remarks.js';
import { anyOf, wordsOf } from '../../english/patterns.js';
import { termOf } from '../../memory/tokenizer.js';
import {
  answersTo,
  asksForAForm,
  countTopics,
  isAttitude,
  isRelation,
  mentions,
  Said,
  topicsOf,
} from '../../english/wordings.js';
import type { RecalledMemory, StepContext } from '../port.js';
import { isForeign } from './small-talk.js';
import { people, type Read, type Told } from './told.js';

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
  const asked = new Said(text);
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
  const topics = people === '' ? asked : asked.filter((topic) => !mentions(new Said(topic), people));
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
