/**
 * Everyday talk has several words for one thing: who asks "where do I live?" means "I moved to Paris", too. Each group
 * below has the words that tell, or ask for, the same. What stands behind a colon are kinds of it: who asks for pets
 * means dogs and cats, and who asks for the dog means what was said of a pet, but not of the cat. A group after "="
 * is a relation that people have: a memory of Ana that says nothing of pets is no answer to "Does Ana have a pet?"
 *
 *  - Other wordings only find what the words of a query would have found if it had been put in another way: they add
 *    candidates at a lower weight, and take none away.
 *  - Some questions are answered only by certain forms: "How old am I?" by "I'm 34", "What is my name?" not by "My
 *    dog's name is Rex". Any other is answered by what has a word that it is about, or another wording of one.
 *  - Who is "from Chile" says so in words that are in every text, and by a name: such a text is found as one of an
 *    origin.
 */
import { anyOf, wordsOf } from './patterns.js';
import { pets, professions } from './people.js';
import { memoize } from '../base/memoize.js';
import { parseQuery } from '../memory/query.js';
import { termOf } from '../memory/tokenizer.js';

const lines = `
= live reside home address city town base settle move relocate
= job work profession occupation career employ employer employee company : ${professions.join(' ')}
= spouse marry partner : wife husband
wedding marry
girlfriend : break split separate
boyfriend : break split separate
wife : divorce separate split
husband : divorce separate split
boss manager supervisor
colleague coworker teammate
= kid child : son daughter boy girl baby twin
parent : mother mum mom father dad
mother mum mom
father dad
grandmother grandma granny
grandfather grandpa granddad
= sibling : brother sister
= pet animal : ${pets.join(' ')} puppy kitten budgie goldfish turtle
dog puppy
cat kitten
= car vehicle drive park
bike bicycle cycle
flat apartment
= phone telephone mobile call reach contact : email
= email mail
color colour
= favorite favourite like love enjoy prefer best
= like love enjoy prefer hobby : play
= dislike hate
= allergic allergy allergies intolerant
= language speak fluent
= born birthday birth
name call rename
price cost expensive pay rent fee charge worth
money budget fund
eat food meal diet : vegetarian vegan
= drink : coffee tea beer wine
film movie
holiday vacation trip travel
fly flight plane
leave depart departure
arrive arrival
start begin
end finish stop
meeting appointment
see appointment visit
launch release ship deliver
deadline due
owner belong responsible maintain
lead leader head
staff employee team people
medicine medication pill drug take
= study degree major university college
school attend
= tall height
= weigh weight heavy
buy purchase bought
photo picture
sick ill
shop store
shoe size wear
use switch migrate
place room venue location
open close hour
`;

interface Form {
  asks: RegExp;
  /** What the question is about, in words of the groups above or in words that only an answer has. */
  words: string;
  /** Whether a text has what an answer has; omitted if any of the words will do. */
  told?: (text: string) => boolean;
  /** Whether the words are as good as words of the question; otherwise they only widen what may be an answer. */
  meant?: true;
}

const number = anyOf(
  '\\d{1,3}',
  `${wordsOf('twenty thirty forty fifty sixty seventy eighty ninety')}(?:-\\w{3,5})?`,
  '\\w{3,5}teen',
  wordsOf('one two three four five six seven eight nine ten eleven twelve'),
);
/** What follows a number that is no age. */
const unit = anyOf(
  "[ap]\\.?m|k[mg]|percent|o['’]clock",
  wordsOf('euros? dollars? minutes? hours? days? weeks? months?'),
);
const noAge = `(?! ?${unit}\\b|[:.,]\\d| ?[%€$])`;
const either = (...alternatives: readonly string[]): RegExp => new RegExp(anyOf(...alternatives), 'i');
const matching = (...alternatives: readonly string[]): ((text: string) => boolean) => {
  const pattern = either(...alternatives);
  return (text) => pattern.test(text);
};
const ages = Array.from({ length: 110 }, (_, n) => n + 1).join(' ');

const ownName = either(
  '\\bmy (?:full |first |last |middle )?(?:name|surname|nickname)\\b',
  "\\bcall(?:s|ed)? me\\b|\\bi go by\\b|\\bi(?: am|['’]m) (?:called|named)\\b",
);
const time = wordsOf('jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun next tomorrow noon');
const atHome = either(
  `\\b${wordsOf('live[sd]? living resides? home address based settled stays? staying')}\\b`,
  `\\b(?:mov(?:ed?|es|ing)|relocat(?:ed?|es|ing))\\b(?: \\w+){0,3}? (?:to|in|into)\\b(?! (?:\\d|${time}))`,
);
const whichPlace = '\\b(?:which|what) (?:city|town|country|place)\\b';
const disliking = anyOf(
  'dislikes?|hate[sd]?|detests?|loathes?|avoids?|allergic',
  "can(?:no|['’])?t (?:stand|bear|eat|drink)|never (?:eats?|drinks?)|no longer (?:likes?|eats?|drinks?)",
  `(?:not|n['’]t)(?: \\w+){0,2}? ${wordsOf('like love enjoy eat drink stand fan fond into')}`,
);

const forms: readonly Form[] = [
  {
    asks: /\bhow old\b|\bage\b/i,
    words: `old age turn born ${ages}`,
    told: matching(
      "(?:\\b(?:am|is|are|be|turn(?:s|ed)?|turning|aged)|['’](?:m|s|re)) " +
        `(?:now |already |just |only |almost )?${number}\\b${noAge}`,
      '\\byears? old\\b|\\b(?:age|born)\\b',
    ),
  },
  {
    asks: /\b(?:my name|who am i[\s?.!]*$|am i called|i['’]m called|people call me)(?!\w)/i,
    words: 'name call hi hello hey',
    told: (text) => ownName.test(text) || /\b[Ii](?: am|['’]m) \p{Lu}/u.test(text),
  },
  {
    asks: either(
      '\\bwhere\\b.{1,40}\\b(?:live|living|based|reside|home)\\b',
      `${whichPlace}.{1,40}\\b(?:live|living|based|(?:am|is|are) .{1,30} in[\\s?.!]*$)`,
      '\\b(?:my|our) (?:home )?address\\b',
    ),
    words: 'live reside home address base settle move relocate',
    told: (text) => atHome.test(text),
  },
  {
    asks: either(
      "(?:['’]s|\\b(?:my|your|his|her|their|our|what|which)) (?:current |new |present |old )?" +
        '(?:job|profession|occupation|career)[\\s?.!]*$',
      '\\bfor a living\\b|\\bwhere\\b.{1,40}\\b(?:work|employed)\\b',
    ),
    words: 'job',
    told: (text) => mentions(new SaidText(text), 'job'),
  },
  {
    asks: either(
      '\\bwhere\\b.{1,40}\\bborn\\b|\\bwhere\\b.{1,20}\\bfrom[\\s?.!]*$|\\bcome from\\b',
      `${whichPlace}.{1,20}\\bfrom\\b`,
    ),
    words: 'born grow origin',
    told: matching('\\b(?:born|grew up|from)\\b'),
  },
  {
    asks: /\b(?:dislike|hate|(?:don|doesn)['’]?t (?:\w+ ){1,3}(?:like|eat|drink))\b/i,
    words: 'dislike',
    told: matching(`\\b${disliking}\\b`),
    meant: true,
  },
  { asks: /\bhow (?:much|expensive)\b/i, words: 'price budget' },
];

const comesFrom =
  /\b(?:[Ii](?: am|['’]m) (?:originally )?from [\p{L}]|(?:is|are|was|comes?|came|originally) from \p{Lu})/u;
/** A word under which a text is found, beside its own; null if there is none. */
export const alsoFoundBy = (text: string): string | null =>
  text.includes(' from ') && comesFrom.test(text) ? 'origin' : null;

/** Terms that many questions have and that tell little of what they are about. */
const weak: ReadonlySet<string> = new Set(
  (
    'name call number list favourite favorite best kind type sort thing time date day year please tell know remind ' +
    'remember say said mention anything something everything now'
  )
    .split(' ')
    .map(termOf),
);

/** By term: the words of its other wordings. */
const others = new Map<string, Set<string>>();
const relations = new Set<string>();
for (const line of lines.trim().split('\n')) {
  const [general = [], kinds = []] = line
    .replace(/^= /, '')
    .split(' : ')
    .map((words) => words.split(' '));
  if (line.startsWith('= ')) for (const word of [...general, ...kinds]) relations.add(termOf(word));
  for (const word of general) add(word, [...general, ...kinds]);
  for (const word of kinds) add(word, general);
}

function add(word: string, more: readonly string[]): void {
  const term = termOf(word);
  const known = others.get(term) ?? new Set();
  for (const other of more) if (other !== word) known.add(other);
  others.set(term, known);
}

/** Questions are short: a longer text says by itself what it is about. */
const longestQuestion = 300;
/** A question is read by several parts of one answer. */
const questions = 64;

/** A question with what its words ask for. */
interface Question {
  forms: readonly Form[];
  /** The terms of the question and of the words that its forms stand for. */
  terms: readonly string[];
  topics: readonly string[];
}
const questionOf = memoize((text): Question => {
  const asked = text.length > longestQuestion ? [] : forms.filter(({ asks }) => asks.test(text));
  const withWords = (of: readonly Form[]): string[] => parseQuery([text, ...of.map(({ words }) => words)].join(' '));
  const meant = asked.filter((form) => form.meant);
  return { forms: asked, terms: withWords(asked), topics: withWords(meant).filter((term) => !weak.has(term)) };
}, questions);

/** A text with its terms, which are found once. */
export class SaidText {
  private found: ReadonlySet<string> | undefined;
  constructor(readonly text: string) {}
  get terms(): ReadonlySet<string> {
    return (this.found ??= new Set(parseQuery(this.text)));
  }
}

/** The words to look for beside those of the question; empty if there are none. */
export function otherWordings(question: string): string {
  if (question.length > longestQuestion) return '';
  const more = new Set<string>();
  const { forms, terms } = questionOf(question);
  for (const { words } of forms) more.add(words);
  for (const term of terms) for (const other of others.get(term) ?? []) more.add(other);
  return [...more].join(' ');
}

/** By term: the terms of its other wordings. */
const otherTerms = new Map(Array.from(others, ([term, words]) => [term, Array.from(words, termOf)]));

/** Whether a text has this term, or another wording of it. */
const has = ({ terms }: SaidText, term: string): boolean =>
  terms.has(term) || otherTerms.get(term)?.some((other) => terms.has(other)) === true;

/** Whether a text has any of these words, or another wording of one. */
export const mentions = (said: SaidText, words: string): boolean => termsOf(words).some((term) => has(said, term));
const termsOf = memoize<readonly string[]>(parseQuery, questions);

/** A test of texts that may be an answer to a question, as far as words tell. */
export function answersTo(question: string): (said: SaidText) => boolean {
  const { forms, terms } = questionOf(question);
  const told = forms.filter((form) => form.told !== undefined);
  if (told.length > 0) return ({ text }) => told.some((form) => form.told?.(text));
  if (terms.length === 0) return () => true;
  const strong = terms.filter((term) => !weak.has(term));
  const wanted = strong.length > 0 ? strong : terms;
  return (said) => wanted.some((term) => has(said, term));
}

/** Whether a question is answered by certain forms only. */
export const asksForAForm = (question: string): boolean =>
  questionOf(question).forms.some(({ told }) => told !== undefined);

/** The words of a question that tell what it is about, in the form in which they are compared. */
export const topicsOf = (question: string): readonly string[] => questionOf(question).topics;

/** Whether a term tells little of what a text is about. */
export const isWeak = (term: string): boolean => weak.has(term);

export const isRelation = (topic: string): boolean => relations.has(topic);

const attitudes = new Set('like love enjoy prefer hate dislike'.split(' ').map(termOf));
/** "Do I like spinach?" is answered by "I hate spinach", too. */
export const isAttitude = (topic: string): boolean => attitudes.has(topic);

/** How many of the topics a text has, in whatever wording. */
export const countTopics = (said: SaidText, topics: readonly string[]): number =>
  topics.filter((topic) => has(said, topic)).length;
