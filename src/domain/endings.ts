/**
 * Reads a plain English statement as the end of something that was so: "I no longer work at Acme", "I quit my job",
 * "Amy and I broke up". It says what it ends in the terms of facts.ts, or by the text in which that was said, and like
 * there only what leaves no doubt is read.
 *
 * Every pattern is anchored and the text is short, so reading takes linear time.
 */
import { doubtful, doubtfulMay, factOf, opener, speakerName, subjectOf } from './facts.js';
import { anyOf, wordsOf } from './patterns.js';
import { partners as words } from './people.js';
import { timeOf } from './times.js';

export interface Ending {
  /** Subjects, each with a relation that ends. */
  facts: readonly { subject: string; relation: string }[];
  /** What had to be said of them, in lower case; null if it ends whatever it was. */
  value: string | null;
  /** Ways to say that it was so. */
  texts: readonly string[];
}

const longest = 120;
/** Every ending has one of these, and most texts have none. */
export const endingWords = new RegExp(
  `\\b${anyOf(
    'no longer|any ?more|any longer',
    wordsOf('quit left lost resigned retired fired divorced separated died'),
    'laid off|let go|made redundant|gave up|(?:broke|split|broken) up|moved (?:out|away)|passed away',
  )}\\b`,
  'i',
);
/** When it ended, which makes no difference to what did. Only a time may follow the last of these words. */
const lately = new RegExp(
  ` ${anyOf(
    'yesterday|today|recently|now|already|for good|in the end',
    `(?:last|this|earlier this) ${wordsOf(
      'week weekend month year spring summer autumn fall winter morning afternoon evening night',
      '(?:mon|tues|wednes|thurs|fri|satur|sun)day january february march april may june july august',
      'september october november december',
    )}`,
    '(?:an? |\\w+ )?(?:weeks?|months?|years?|days?) ago',
    '(?:in|on|since|back in) ([\\w ]{1,20})',
  )}$`,
  'i',
);
/** Of what ended that long ago without being named, nobody can tell whether it is what is so now. */
const longAgo = /\b(?:19|20)\d{2}$|\b(?:last year|years? ago)$/i;

const haveJust = "(?: have| has|['’]ve|['’]s)?(?: just| finally| recently)?";
/** Not another than the present one: "my first job", "my weekend job". */
const theJob = '(?:my|his|her|their|the|our) (?:current |present |day )?(?:job|position|post)';
const somebody = "((?:my )?[\\p{L}][\\p{L}'’-]*(?: (?!ha(?:s|ve)\\b|just\\b)[\\p{L}][\\p{L}'’-]*)?)";
const leftTheJob = `${anyOf('quit', 'left', 'lost', 'resigned from', 'retired from', 'gave up')} ${theJob}`;
const wasDismissed = '(?:was|were|got|have been|has been) (?:just )?(?:fired|laid off|let go|made redundant)';
const jobs: readonly RegExp[] = [
  new RegExp(`^${somebody}${haveJust} (?:${leftTheJob}|${wasDismissed})(?: (?:at|with|from|by) (.{1,40}))?$`, 'iu'),
  new RegExp(`^${somebody}${haveJust} (?:quit|left|resigned from|retired from) (?!my\\b|the\\b)(.{1,40})$`, 'iu'),
  new RegExp(`^${somebody}${haveJust} (?:resigned|retired)$`, 'iu'),
];
const employment = ['employer', 'job', 'job title', 'title', 'role'];

const movedOut = new RegExp(`^${somebody}${haveJust} moved (?:out of|away from) (.{1,40})$`, 'iu');

/** Each as it may be written. */
const partners = words.flatMap((word) => (word === 'fianc[eé]e?' ? ['fiance', 'fiancé', 'fiancee', 'fiancée'] : word));
const really = '(?:(?:just|now|finally|recently|officially|legally) )?';
const parted = anyOf(
  `(?:${haveJust} )?(?:broke up|broken up|split up|separated|divorced)`,
  `(?:got|are|were|have|have been) ${really}(?:divorced|separated|broken up|split up)`,
  '(?:are|were) no longer (?:together|married|a couple|engaged)',
  "(?:are not|aren['’]t) (?:together|married|a couple|engaged) (?:any ?more|any longer)",
);
const whom = "(my [\\p{L}]+|[\\p{L}][\\p{L}'’-]*(?: [\\p{L}][\\p{L}'’-]*)?)";
const breakUps: readonly RegExp[] = [
  new RegExp(`^${whom} and (?:i|me) ${parted}$`, 'iu'),
  new RegExp(`^(?:me|i) and ${whom} ${parted}$`, 'iu'),
  new RegExp(
    `^i(?: have|['’]ve)?(?: just| finally)? (?:(?:broke|broken|split) up with|divorced|separated from) ${whom}$`,
    'iu',
  ),
  new RegExp(`^i(?: am|['’]m)? (?:got )?(?:divorced|separated) from ${whom}$`, 'iu'),
];
const gotDivorced = new RegExp(`^i${haveJust} got ${really}divorced$`, 'i');
const spouses: readonly string[] = ['wife', 'husband', 'spouse'];
const status = 'marital status';

const death = new RegExp(`^${somebody}${haveJust} (?:died|passed away)$`, 'iu');
/** What nobody says of the dead, as it can be asked for by whom it was said of. */
const ofTheLiving = ['home', 'age', ...employment];

/** `speaker` is who says "I", as in `factOf`. */
export function endingOf(content: string, speaker: string | null = null): Ending | null {
  if (content.length > longest || !endingWords.test(content)) return null;
  const text = content
    .trim()
    .replace(opener, '')
    .replace(/[.!\s]+$/, '')
    .replace(/\s+/g, ' ')
    .replace(/’/g, "'");
  const when = lately.exec(text);
  const said = when && (when[1] === undefined || timeOf(when[1].toLowerCase())) ? text.slice(0, when.index) : text;
  const ending =
    brokenUp(said, speaker) ?? jobEnded(said, speaker) ?? movedAway(said, speaker) ?? lifeEnded(said, speaker);
  if (ending !== null) return ending.value === null && longAgo.test(text) ? null : ending;
  return negated(text, speaker);
}

const plain = (text: string): boolean => !doubtful.test(text) && !doubtfulMay.test(text);

function brokenUp(said: string, speaker: string | null): Ending | null {
  const me = speakerName(speaker);
  const of = (relations: readonly string[]): Ending['facts'] =>
    relations.flatMap((relation) => [
      { subject: me, relation },
      { subject: `${me}:${relation}`, relation: 'name' },
    ]);
  if (gotDivorced.test(said))
    return { facts: [...of(spouses), { subject: me, relation: status }], value: null, texts: [] };
  const who = breakUps.map((form) => form.exec(said)?.[1]).find((found) => found !== undefined);
  // "and" joins no clauses here
  if (who === undefined || !plain(who) || /^(?:we|you|they|he|she|it)\b/i.test(who)) return null;
  const named = /^my (.+)$/i.exec(who)?.[1]?.toLowerCase();
  if (named !== undefined) {
    if (!partners.includes(named)) return null;
    const facts = spouses.includes(named) ? [...of([named]), { subject: me, relation: status }] : of([named]);
    return { facts, value: null, texts: [] };
  }
  const texts = [
    ...['married', 'engaged'].flatMap((what) => [...iAm(`${what} to ${who}`), `${who} and I are ${what}`]),
    ...partners.map((partner) => `${who} is my ${partner}`),
  ];
  return { facts: of(partners), value: who.toLowerCase(), texts };
}

/** Each as it may be written. */
const iAm = (what: string): string[] => ["I'm", 'I’m', 'I am'].map((form) => `${form} ${what}`);

function lifeEnded(said: string, speaker: string | null): Ending | null {
  const who = plain(said) ? death.exec(said)?.[1]?.toLowerCase() : undefined;
  const subject = who === undefined || who === 'i' ? null : subjectOf(who, speakerName(speaker));
  return subject === null
    ? null
    : { facts: ofTheLiving.map((relation) => ({ subject, relation })), value: null, texts: [] };
}

function jobEnded(said: string, speaker: string | null): Ending | null {
  if (!plain(said)) return null;
  const found = jobs.map((form) => form.exec(said)).find((match) => match !== null);
  const subject = found && subjectOf((found[1] ?? '').toLowerCase(), speakerName(speaker));
  if (!found || !subject) return null;
  const value = found[2]?.toLowerCase() ?? null;
  const relations = value === null ? employment : ['employer'];
  return { facts: relations.map((relation) => ({ subject, relation })), value, texts: [] };
}

function movedAway(said: string, speaker: string | null): Ending | null {
  const found = plain(said) ? movedOut.exec(said) : null;
  const subject = found && subjectOf((found[1] ?? '').toLowerCase(), speakerName(speaker));
  return subject
    ? { facts: [{ subject, relation: 'home' }], value: found?.[2]?.toLowerCase() ?? null, texts: [] }
    : null;
}

/** "I no longer live in Rome", "Ana doesn't live in Rome any more": ends what the same words without it say. */
function negated(said: string, speaker: string | null): Ending | null {
  const was = affirmed(said);
  if (was === null || !plain(was)) return null;
  const fact = factOf(was, speaker);
  const long = was.replace(/^(i)'m\b/i, '$1 am').replace(/^(we)'re\b/i, '$1 are');
  const short = long.replace(/^(i) am\b/i, "$1'm").replace(/^(we) are\b/i, "$1're");
  return {
    facts: fact === null ? [] : [{ subject: fact.subject, relation: fact.relation }],
    value: fact?.value ?? null,
    texts: [...new Set([long, short, short.replace("'", '’')])],
  };
}

const noLonger = /^(.{1,60}?) no longer (.{2,80})$/i;
const notAnyMore =
  /^(.{1,60}?)(?: (am|is|are)|( do| does)|('m|'re|'s))?(?: not|(n't)) (.{2,80}?) (?:any ?more|any longer)$/i;

/** What is no longer so, as it was said when it was; null if nothing is. */
function affirmed(said: string): string | null {
  const plainly = noLonger.exec(said);
  if (plainly) return `${plainly[1] ?? ''} ${plainly[2] ?? ''}`;
  const found = notAnyMore.exec(said.replace(/\b(do|does|is|are)n't\b/i, '$1 not'));
  if (!found) return null;
  const [, who = '', be, auxiliary, contracted, , rest = ''] = found;
  if (be !== undefined) return `${who} ${be} ${rest}`;
  if (contracted !== undefined) return `${who}${contracted} ${rest}`;
  if (auxiliary === undefined) return null;
  return `${who} ${auxiliary.toLowerCase() === ' does' ? thirdPerson(rest) : rest}`;
}

/** "live in Rome" as it is said of her: "lives in Rome". */
const thirdPerson = (words: string): string =>
  words.replace(/^\S+/, (verb) => (/(?:s|sh|ch|x|z|o)$/i.test(verb) ? `${verb}es` : `${verb}s`));
