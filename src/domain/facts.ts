/**
 * Reads a plain English statement as a fact: whose fact it is (subject) and what about it (relation), so that a newer
 * statement of the same subject and relation can supersede it. Only relations that have one value at a time are read
 * ("lives in", "the code of ... is"), and only statements that leave no doubt: anything hedged, negated, reported,
 * conditional or composed is no fact here.
 *
 * Every pattern is anchored or bounded and the text is short, so reading takes linear time.
 */
import { anyOf, wordsOf } from './patterns.js';
import { children, colleagues, friends, partners, pets, relatives, siblings } from './people.js';
import { timeOf, times } from './times.js';

export interface Fact {
  subject: string;
  relation: string;
  /** What is said of it, in lower case. */
  value: string;
  /** Further relations that end with this fact: a launch that moved to Friday is no longer in June either. */
  ends: readonly string[];
  /**
   * It may stand beside what was said before: "We use Linear for planning" does not say that Trello is gone, as "We use
   * Linear for planning now" does.
   */
  adds?: true;
}

const longest = 120;
/** Every pattern needs one of these words, and most texts have none. */
const hinge = new RegExp(
  `\\b${wordsOf(
    'am is are be lives? living works? working costs? opens closes starts begins ends leaves arrives departs',
    'moved moves relocated postponed rescheduled pushed delayed brought shifted changed slipped renamed',
    'runs listens turned becomes? became call use by place happens to',
  )}\\b|['’][sm]\\b`,
  'i',
);
/** Words before a statement that add nothing to it. */
export const opener = new RegExp(
  `^(?:${anyOf(
    wordsOf('actually fyi btw correction update news note now so well ok okay and but also no'),
    'by the way|heads up|just so you know|for the record',
    'as of (?:now|today)|from now on|starting (?:now|today)',
  )}\\b\\s*[,:;–-]*\\s*)+`,
  'i',
);
const conditions = wordsOf('if unless whether when while because except than');
const hedges = wordsOf(
  'maybe perhaps probably possibly likely might could would should almost',
  'think thinks thought believe believes guess suppose assume imagine pretend wish hope hopes hopefully',
);
const hearsay = wordsOf(
  'said says say told tells according claims claimed heard hear',
  'apparently reportedly supposedly allegedly rumou?rs?',
);
const negations = anyOf(wordsOf('not never nobody nothing neither nor'), 'no longer', 'used to');
const joiners = wordsOf('or and but either');
const jokes = wordsOf('kidding joking');
/** Signs that a text is not plainly stated: quotes, conditions, hedges, hearsay, negations, several clauses. */
export const doubtful = new RegExp(
  `["“”«»‘?\\n;]|(?:^|\\s)'|\\b${anyOf(conditions, hedges, hearsay, negations, joiners, jokes)}\\b|n['’]t\\b`,
  'i',
);
const beforeTheMonth = wordsOf('in on to until till by from for of since this next last early late mid before after');
/** "May" is the month after these words, and otherwise a verb that expresses doubt. */
export const doubtfulMay = new RegExp(`(?<!\\b(?:${beforeTheMonth}|\\d{1,2}(?:st|nd|rd|th)?))[ -]may\\b(?! \\d)`, 'i');
const titles = /\b(dr|mr|mrs|ms|st)\. /gi;
const nowWords = /\s+(?:now|currently|again|instead|today|at the moment|these days)(?=\s|$)/gi;
const pronoun = new RegExp(
  `^${wordsOf(
    'it he she they we you this that these those there here who what which i let please',
    'someone somebody everyone everything everybody something one all some both each',
  )}\\b`,
);
/** With a verb in it, what stands before the verb that was read is a clause and not a subject. */
const verb = new RegExp(
  `\\b${anyOf(
    wordsOf('that which is are was were has have will tell ask wrote asked remember remind note'),
    wordsOf('make set keep let put move send share forget to'),
    'of course',
  )}\\b`,
);
/** People of whom one may have several: without a name it is not certain that two statements mean the same one. */
const several = new RegExp(
  `^my (?:\\w+ ){0,2}${anyOf(
    ...siblings,
    ...children,
    ...relatives,
    ...colleagues,
    ...friends,
    ...pets,
    wordsOf('pet book car bike plant student client customer'),
  )}\\b(?! \\p{L})`,
  'u',
);

/** The attributes that a thing or a person can have, by the values that they take. */
const only = (...alternatives: readonly string[]): RegExp => new RegExp(`^${anyOf(...alternatives)}$`);
const numeric = only(
  wordsOf('code pin price cost budget age port version number size weight height temperature limit rate headcount'),
  wordsOf('salary score fee rent quota capacity discount distance length width speed population'),
  '(?:phone|telephone|room|account) number',
);
const temporal = only(
  wordsOf('deadline birthday date time day departure arrival'),
  '(?:due|start|end|launch|release) date|(?:start|end) time',
);
const nominal = only(
  wordsOf(
    'name surname nickname capital address email e-mail password passphrase colou?r venue location room title job',
  ),
  wordsOf('role timezone currency status state language nationality employer hometown theme topic slogan motto url'),
  'website|wifi|wi-fi|branch|home address|email address|job title|time zone|home town',
  '(?:favou?rite|preferred) [\\w ]{2,30}',
);
const personal = only(
  ...partners,
  wordsOf('owner manager boss lead leader ceo cto cfo director head president chair coach teacher doctor dentist'),
  wordsOf('lawyer assistant contact host captain author supervisor landlord'),
);
/** Where somebody has to go, told by a code such as "B2". Of one speaker "my gate" and "the gate" are the same. */
const coded = only(wordsOf('gate seat platform terminal locker desk carriage'));
const code = /^(?:[a-z]+ )?(?=[a-z]{0,3}-?\d)[a-z]{0,3}-?\d{1,4}-?[a-z]?$/;
const attributes: readonly RegExp[] = [numeric, temporal, nominal, personal, coded];

const judgement = new RegExp(
  `^${anyOf(
    wordsOf('too very so really still quite rather pretty great good bad nice cool easy hard important wrong right'),
    wordsOf('fine ok okay here there in on at of to for from with about like just only more less what why how'),
    'a bit|going|being|getting',
  )}\\b`,
);
const number = new RegExp(
  `\\d|\\b${wordsOf(
    'one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty',
    'hundred thousand million zero',
  )}\\b`,
);
const wordCount = (text: string): number => text.split(' ').length;
const isCapital = (text: string): boolean => /^(?:the |an? )?\p{Lu}/u.test(text);

/** Whether this is a value that the attribute can have. `value` is in lower case, `written` as it was written. */
function suits(attribute: string, value: string, written: string): boolean {
  if (value === '' || judgement.test(value)) return false;
  if (numeric.test(attribute)) return number.test(value) && wordCount(value) <= 5;
  if (temporal.test(attribute)) return timeOf(value.replace(/^(?:in|on|at|by) /, '')) !== null;
  if (personal.test(attribute)) return isCapital(written) && wordCount(value) <= 4;
  if (coded.test(attribute)) return code.test(value) && (!value.includes(' ') || value.startsWith(`${attribute} `));
  return nominal.test(attribute) && wordCount(value) <= 6;
}

/** Splits "gate code" into the thing and its attribute; null if it does not end with an attribute. */
function attributeOf(phrase: string): { thing: string; attribute: string } | null {
  const words = phrase.split(' ');
  const favourite = words.findIndex((w) => /^(?:favou?rite|preferred)$/.test(w));
  const lengths = favourite >= 0 ? [words.length - favourite] : [2, 1];
  for (const n of lengths) {
    const attribute = words.slice(-n).join(' ');
    if (n <= words.length && attributes.some((list) => list.test(attribute)))
      return {
        thing: words.slice(0, -n).join(' '),
        attribute: attribute.replace('colour', 'color').replace('favourite', 'favorite'),
      };
  }
  return null;
}

const wasChanged = wordsOf('changed set moved raised lowered increased reduced cut bumped upgraded renamed');
const is = anyOf(
  "is|are|['’]s|will be|is going to be|becomes|became|has become",
  `(?:has |have |was |were )?(?:been )?${wasChanged} to`,
);
const subjectPart = "((?:the |our |my |this )?[\\p{L}\\d][\\p{L}\\d'’-]*(?: [\\p{L}\\d][\\p{L}\\d'’-]*){0,4}?)";
const thing = "((?:the |our |my |this )[\\p{L}\\d][\\p{L}\\d '’-]{1,50}?)";
const wasMoved = wordsOf('moved moves postponed rescheduled pushed delayed shifted changed slipped');
const place = new RegExp(
  `^${wordsOf('room building floor hall house lab office warehouse hangar dock pier gate platform zone aisle')}\\b`,
);
const isPlace = (value: string, written: string): boolean =>
  wordCount(value) <= 4 && (isCapital(written) || place.test(value));

/** What a pattern found: its groups ('' for one that did not match), and any of them as it was written. */
interface Found {
  groups: readonly string[];
  written: (value: string) => string;
  /** The speaker is named, so there may be others who say "my". */
  ofSeveral: boolean;
}
interface Read {
  subject: string;
  relation: string;
  value: string;
  ends?: readonly string[];
  adds?: true;
}
/** A form of a statement, in lower case. */
interface Form {
  pattern: RegExp;
  /** If its value does not suit it, the forms after it are tried. */
  mayBeAnother?: true;
  read: (found: Found) => Read | null;
}

const forms: readonly Form[] = [
  {
    pattern: /^(?:i am called|i['’]m called|call me|my name(?: is|['’]s)|i go by) (.{1,50})$/,
    read: ({ groups: [value = ''], written }) =>
      isCapital(written(value)) ? { subject: 'i', relation: 'name', value } : null,
  },
  {
    // "the manager of Ana is Carol"
    mayBeAnother: true,
    pattern: new RegExp(
      `^(?:the|our|my|this) ([\\w'’ -]{2,60}?) (?:of|for) (?:the |our |this )?([\\w'’ -]{2,50}?) ${is} (.{1,60})$`,
    ),
    read({ groups: [what = '', subject = '', value = ''], written }) {
      const phrase = attributeOf(what);
      if (phrase?.thing !== '' || !suits(phrase.attribute, value, written(value))) return null;
      return { subject, relation: phrase.attribute, value };
    },
  },
  {
    // "Ana's manager is Carol"
    mayBeAnother: true,
    pattern: new RegExp(
      `^((?:the |our |my )?[\\p{L}\\d-]+(?: [\\p{L}\\d-]+){0,3})['’]s? ([\\w -]{2,40}?) ${is} (.{1,60})$`,
      'u',
    ),
    read({ groups: [whose = '', what = '', value = ''], written }) {
      const phrase = attributeOf(what);
      if (!phrase || !suits(phrase.attribute, value, written(value))) return null;
      return { subject: [whose, phrase.thing].filter(Boolean).join(' '), relation: phrase.attribute, value };
    },
  },
  {
    // "the gate code is 4512", "my manager is Carol"
    mayBeAnother: true,
    pattern: new RegExp(`^(the|our|my|this) ([\\w'’ -]{2,60}?) ${is} (.{1,60})$`),
    read({ groups: [whose, what = '', value = ''], written, ofSeveral }) {
      const phrase = attributeOf(what);
      if (!phrase || !suits(phrase.attribute, value, written(value))) return null;
      const { thing: of, attribute: relation } = phrase;
      if (of !== '') return { subject: `${whose === 'my' ? 'my ' : ''}${of}`, relation, value };
      return whose === 'my' && (ofSeveral || !coded.test(relation))
        ? { subject: 'i', relation, value }
        : { subject: relation, relation: 'value', value };
    },
  },
  {
    // "the launch moved to June"
    mayBeAnother: true,
    pattern: new RegExp(
      `^${subjectPart} (?:has |have |had |was |were |is |are |got |will be )?(?:been )?` +
        `${anyOf(wasMoved, 'pushed back', 'brought forward')}(?: from .{1,30}?)? (?:to|until|till) (.{1,40})$`,
      'u',
    ),
    read({ groups: [subject = '', value = ''] }) {
      const when = timeOf(value.replace(/^(?:in|on|at) /, ''));
      if (when === null) return null;
      const ends = when === 'when:clock' ? [] : times.filter((t) => t !== when && t !== 'when:clock');
      return { subject, relation: when, value, ends };
    },
  },
  {
    // "the launch is in May"
    mayBeAnother: true,
    pattern: new RegExp(
      `^${subjectPart} (?:is|are|will be|will take place|takes place|happens|is happening|['’]s)` +
        `(?: held| due| scheduled| planned| set)? (?:in|on|at|for|by) (.{1,40})$`,
      'u',
    ),
    read({ groups: [subject = '', value = ''] }) {
      const when = timeOf(value);
      return when && { subject, relation: when, value };
    },
  },
  {
    // "the gate closes at 8"
    pattern: new RegExp(
      `^${subjectPart} (opens|closes|starts|begins|ends|leaves|arrives|departs) (?:at|on) (.{1,30})$`,
      'u',
    ),
    read({ groups: [subject = '', does = '', value = ''] }) {
      const when = timeOf(value);
      return when && { subject, relation: `${does.replace('begins', 'starts')}:${when}`, value };
    },
  },
  {
    pattern: new RegExp(
      `^(?:${subjectPart} lives|(i|we|my (?:grand)?parents) live|(i)(?: am|['’]m) living|(we)(?: are|['’]re) living)` +
        ' (?:in|at) (.{1,50})$',
      'u',
    ),
    read: ({ groups: [who, live, amLiving, areLiving, value = ''], written }) =>
      isPlace(value, written(value))
        ? { subject: who || live || amLiving || areLiving || '', relation: 'home', value }
        : null,
  },
  {
    pattern: new RegExp(
      `^(?:${subjectPart}|(i|we)) (?:has |have |['’]ve )?(?:just )?(?:moved|relocated|emigrated) to (.{1,50})$`,
      'u',
    ),
    read({ groups: [who, me, value = ''], written }) {
      if (!isPlace(value, written(value))) return null;
      const subject = who || me || '';
      return { subject, relation: /^(?:the|our|this) /.test(subject) ? 'where' : 'home', value };
    },
  },
  {
    pattern: new RegExp(`^(?:${subjectPart} works|(i) work|(i)(?: am|['’]m) working) (?:at|for) (.{1,50})$`, 'u'),
    read: ({ groups: [who, work, amWorking, value = ''], written }) =>
      isCapital(written(value)) ? { subject: who || work || amWorking || '', relation: 'employer', value } : null,
  },
  {
    pattern: /^((?:the|our) [\p{L}\d -]{2,50}?) (?:is|are|will be)(?: located| held)? (?:in|at) (.{1,40})$/u,
    read: ({ groups: [subject = '', value = ''], written }) =>
      isPlace(value, written(value)) ? { subject, relation: 'where', value } : null,
  },
  {
    pattern: new RegExp(`^${subjectPart} costs? (.{1,30})$`, 'u'),
    read: ({ groups: [subject = '', value = ''] }) =>
      number.test(value) ? { subject, relation: 'price', value } : null,
  },
  {
    pattern: new RegExp(`^${subjectPart} (?:runs|listens|is running|is listening) on (port \\d{1,5})$`, 'u'),
    read: ({ groups: [subject = '', value = ''] }) => ({ subject, relation: 'port', value }),
  },
  {
    pattern: new RegExp(
      `^(?:${subjectPart} (?:is|['’]s|turned)|(i)(?: am|['’]m| turned)) (\\d{1,3})(?: years old)?$`,
      'u',
    ),
    read: ({ groups: [who, me, value = ''] }) => ({ subject: who || me || '', relation: 'age', value }),
  },
  {
    pattern: /^(?:i am|i['’]m) ((?:married|engaged)(?: to .{1,40})?|single|divorced|widowed)$/,
    read: ({ groups: [value = ''] }) => ({
      subject: 'i',
      relation: 'marital status',
      value,
      ends: /^(?:married|engaged)/.test(value) ? [] : ['wife', 'husband', 'spouse'],
    }),
  },
  {
    // "the project is called Falcon", "the project was renamed to Eagle"
    pattern: new RegExp(`^${thing} (?:is|was|has been|got) (?:called|named|renamed(?: to| as)?) (.{1,40})$`, 'u'),
    read: nameOf,
  },
  {
    // "we changed the name of the project from Falcon to Eagle"
    pattern: new RegExp(
      `^(?:we|i) (?:have |just )?(?:renamed|changed the name of) ${thing} (?:from .{1,30} )?(?:to|as|into) (.{1,40})$`,
      'u',
    ),
    read: nameOf,
  },
  {
    pattern: /^we use (([\p{L}\d][\p{L}\d .+#-]{0,30}) for (?:the |our )?([\p{L}\d][\p{L}\d -]{0,30}))$/u,
    read: ({ groups: [all = '', value = '', end = ''], written }) =>
      isCapital(written(all)) ? { subject: 'we', relation: `use for ${end}`, value, adds: true } : null,
  },
  {
    pattern: new RegExp(`^${subjectPart} (?:is|will be) (owned|led|managed|run|headed|hosted) by (.{1,40})$`, 'u'),
    read: ({ groups: [subject = '', does = '', value = ''], written }) =>
      isCapital(written(value)) ? { subject, relation: `${does} by`, value } : null,
  },
];

function nameOf({ groups: [subject = '', value = ''], written }: Found): Read | null {
  const name = /^\p{Lu}/u.test(written(value).replace(/^the /i, '')) && wordCount(value) <= 3;
  return name ? { subject, relation: 'name', value } : null;
}

/** `speaker` is who says "I"; without it, all statements of one context in the first person are of one person. */
export function factOf(content: string, speaker: string | null = null): Fact | null {
  if (content.length > longest || !hinge.test(content)) return null;
  const text = content
    .trim()
    .replace(opener, '')
    .replace(/[.!\s]+$/, '')
    .replace(/\s+/g, ' ')
    .replace(titles, '$1 ');
  if (
    doubtful.test(text) ||
    doubtfulMay.test(` ${text}`.slice(1)) ||
    /[.!]\s/.test(text.replace(/\b(?:a\.m|p\.m)\.\s/gi, ''))
  )
    return null;
  const written = text.replace(nowWords, ' ').replace(/\s+/g, ' ').trim();
  return factIn(written.toLowerCase(), written, speakerName(speaker), /\b(?:now|instead|currently)\b/i.test(text));
}

const nobody = 'me';
export const speakerName = (speaker: string | null): string => speaker?.trim().toLowerCase() ?? nobody;

/** `s` and `written` have the same length, because lower case of the letters that the patterns accept keeps it. */
function factIn(s: string, written: string, me: string, isNow: boolean): Fact | null {
  if (s.length !== written.length) return null;
  const tail = (value: string): string => written.slice(written.length - value.length);
  for (const { pattern, read, mayBeAnother } of forms) {
    const match = pattern.exec(s);
    if (!match) continue;
    const groups = match.slice(1).map((group) => group ?? '');
    const found = read({ groups, written: tail, ofSeveral: me !== nobody });
    if (found === null && mayBeAnother) continue;
    if (found === null) return null;
    const subject = subjectOf(found.subject, me);
    if (subject === null) return null;
    const { relation, value, ends = [], adds } = found;
    return { subject, relation, value, ends, ...(adds && !isNow && { adds }) };
  }
  return null;
}

/** The subject in one spelling; null for one that does not say what it means. */
export function subjectOf(phrase: string, me: string): string | null {
  if (phrase === 'i') return me;
  if (phrase === 'we') return `${me}:we`;
  if (several.test(phrase)) return null;
  const name = phrase.replace(/^(?:the|our|this) /, '').replace(/^my /, `${me}:`);
  return name === '' || pronoun.test(name) || verb.test(name) ? null : name;
}
