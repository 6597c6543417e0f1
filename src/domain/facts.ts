/**
 * Reads a plain English statement as a fact: whose fact it is (subject) and what about it (relation), so that a newer
 * statement of the same subject and relation can supersede it. Only relations that have one value at a time are read
 * ("lives in", "the code of ... is"), and only statements that leave no doubt: anything hedged, negated, reported,
 * conditional or composed is no fact here.
 *
 * Every pattern is anchored or bounded and the text is short, so reading takes linear time.
 */
export interface Fact {
  subject: string;
  relation: string;
  /** Further relations that end with this fact: a launch that moved to Friday is no longer in June either. */
  ends: readonly string[];
}

const longest = 120;
/** Every pattern needs one of these words, and most texts have none. */
const hinge =
  /\b(?:is|are|be|lives?|living|moved|moves|relocated|works?|working|costs?|opens|closes|starts|begins|ends|leaves|arrives|departs|postponed|rescheduled|pushed|delayed|brought|shifted|changed|slipped|runs|listens|turned|becomes?|became|call|by|place|happens|to)\b|['’][sm]\b/i;
/** Words before a statement that add nothing to it. */
export const opener =
  /^(?:(?:actually|fyi|btw|by the way|correction|update|news|note|heads up|just so you know|for the record|as of (?:now|today)|from now on|starting (?:now|today)|now|so|well|ok|okay|and|but|also|no)\b\s*[,:;–-]*\s*)+/i;
/** Signs that a text is not plainly stated: quotes, conditions, hedges, hearsay, negations, several clauses. */
export const doubtful =
  /["“”«»‘?\n;]|(?:^|\s)'|\b(?:if|unless|whether|when|while|because|maybe|perhaps|probably|possibly|likely|might|could|would|should|think|thinks|thought|believe|believes|guess|suppose|assume|imagine|pretend|wish|hope|hopes|hopefully|said|says|say|told|tells|according|claims|claimed|heard|hear|apparently|reportedly|supposedly|allegedly|rumou?rs?|not|never|no longer|nobody|nothing|neither|nor|or|and|but|except|than|almost|either|used to|kidding|joking)\b|n['’]t\b/i;
/** "May" is the month after these words, and otherwise a verb that expresses doubt. */
export const doubtfulMay =
  /(?<!\b(?:in|on|to|until|till|by|from|for|of|since|this|next|last|early|late|mid|before|after|\d{1,2}(?:st|nd|rd|th)?))[ -]may\b(?! \d)/i;
const titles = /\b(dr|mr|mrs|ms|st)\. /gi;
const nowWords = /\s+(?:now|currently|again|instead|today|at the moment|these days)(?=\s|$)/gi;
const pronoun =
  /^(?:it|he|she|they|we|you|this|that|these|those|there|here|who|what|which|someone|somebody|everyone|everything|everybody|something|one|all|some|both|each|i|let|please)\b/;
/** With a verb in it, what stands before the verb that was read is a clause and not a subject. */
const verb =
  /\b(?:that|which|is|are|was|were|has|have|will|tell|ask|wrote|asked|remember|remind|note|make|set|keep|let|put|move|send|share|forget|to|of course)\b/;
/** People of whom one may have several: without a name it is not certain that two statements mean the same one. */
const several =
  /^my (?:\w+ ){0,2}(?:sister|brother|friend|colleague|coworker|cousin|kid|son|daughter|child|dog|cat|pet|aunt|uncle|neighbou?r|teammate|niece|nephew|book|car|bike|plant|student|client|customer)\b(?! \p{L})/u;

const month =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?';
const nth = '\\d{1,2}(?:st|nd|rd|th)?';
const clock = /^(?:\d{1,2}(?:[:.]\d{2})?\s?(?:am|pm|a\.m\.|p\.m\.|o['’]clock|h)?|noon|midnight|half past \w+)$/;
const weekday = /^(?:next |this |the coming )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/;
const date = new RegExp(
  `^(?:(?:the )?(?:beginning|start|middle|end|first week|last week) of |early |late |mid[- ]?|next |this )?(?:the )?(?:(?:${nth}(?: of)? )?${month}(?: ${nth})?(?:,? \\d{4})?|\\d{4}-\\d{2}(?:-\\d{2})?|\\d{1,2}[./]\\d{1,2}(?:[./]\\d{2,4})?|(?:19|20)\\d{2}|q[1-4](?: \\d{4})?|${nth}|(?:week|month|year|spring|summer|autumn|fall|winter)(?: \\d{4})?|tomorrow|today|tonight)$`,
);
const times = ['when:date', 'when:weekday', 'when:clock'] as const;

export function timeOf(value: string): (typeof times)[number] | null {
  if (/^(?:19|20)\d{2}$/.test(value)) return 'when:date';
  if (clock.test(value)) return 'when:clock';
  if (weekday.test(value)) return 'when:weekday';
  return date.test(value) ? 'when:date' : null;
}

const numeric =
  /^(?:code|pin|price|cost|budget|age|port|version|number|phone number|telephone number|room number|account number|size|weight|height|temperature|limit|rate|headcount|salary|score|fee|rent|quota|capacity|discount|distance|length|width|speed|population)$/;
const temporal =
  /^(?:deadline|birthday|due date|date|time|day|start date|end date|launch date|release date|start time|end time|departure|arrival)$/;
const nominal =
  /^(?:name|surname|nickname|capital|address|home address|email|e-mail|email address|password|passphrase|colou?r|venue|location|room|title|job|job title|role|time zone|timezone|currency|status|state|language|nationality|employer|hometown|home town|theme|topic|slogan|motto|url|website|wifi|wi-fi|branch|(?:favou?rite|preferred) [\w ]{2,30})$/;
const personal =
  /^(?:owner|manager|boss|lead|leader|ceo|cto|cfo|director|head|president|chair|coach|teacher|wife|husband|partner|spouse|assistant|contact|host|captain|author|supervisor|landlord|doctor|dentist|lawyer)$/;
const judgement =
  /^(?:too|very|so|really|still|quite|a bit|rather|pretty|great|good|bad|nice|cool|easy|hard|important|wrong|right|fine|ok|okay|here|there|in|on|at|of|to|for|from|with|about|like|just|only|more|less|what|why|how|going|being|getting)\b/;
const number =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|zero)\b/;
const wordsIn = (text: string): number => text.split(' ').length;
const isCapital = (text: string): boolean => /^(?:the |an? )?\p{Lu}/u.test(text);

/** Whether this is a value that the attribute can have. `value` is in lower case, `written` as it was written. */
function suits(attribute: string, value: string, written: string): boolean {
  if (value === '' || judgement.test(value)) return false;
  if (numeric.test(attribute)) return number.test(value) && wordsIn(value) <= 5;
  if (temporal.test(attribute)) return timeOf(value.replace(/^(?:in|on|at|by) /, '')) !== null;
  if (personal.test(attribute)) return isCapital(written) && wordsIn(value) <= 4;
  return nominal.test(attribute) && wordsIn(value) <= 6;
}

/** Splits "gate code" into the thing and its attribute; null if it does not end with an attribute. */
function attributeOf(phrase: string): { thing: string; attribute: string } | null {
  const words = phrase.split(' ');
  const favourite = words.findIndex((w) => /^(?:favou?rite|preferred)$/.test(w));
  const lengths = favourite >= 0 ? [words.length - favourite] : [2, 1];
  for (const n of lengths) {
    const attribute = words.slice(-n).join(' ');
    if (n <= words.length && [numeric, temporal, nominal, personal].some((list) => list.test(attribute)))
      return {
        thing: words.slice(0, -n).join(' '),
        attribute: attribute.replace('colour', 'color').replace('favourite', 'favorite'),
      };
  }
  return null;
}

const is =
  "(?:is|are|['’]s|will be|is going to be|(?:has |have |was |were )?(?:been )?(?:changed|set|moved|raised|lowered|increased|reduced|cut|bumped|upgraded|renamed) to|becomes|became|has become)";
const attributed = new RegExp(
  `^(?:the|our|my|this) ([\\w'’ -]{2,60}?) (?:of|for) (?:the |our |this )?([\\w'’ -]{2,50}?) ${is} (.{1,60})$`,
);
const possessed = new RegExp(
  `^((?:the |our |my )?[\\p{L}\\d-]+(?: [\\p{L}\\d-]+){0,3})['’]s? ([\\w -]{2,40}?) ${is} (.{1,60})$`,
  'u',
);
const owned = new RegExp(`^(the|our|my|this) ([\\w'’ -]{2,60}?) ${is} (.{1,60})$`);
const subjectPart = "((?:the |our |my |this )?[\\p{L}\\d][\\p{L}\\d'’-]*(?: [\\p{L}\\d][\\p{L}\\d'’-]*){0,4}?)";
const timed = new RegExp(
  `^${subjectPart} (?:is|are|will be|will take place|takes place|happens|is happening|['’]s)(?: held| due| scheduled| planned| set)? (?:in|on|at|for|by) (.{1,40})$`,
  'u',
);
const moved = new RegExp(
  `^${subjectPart} (?:has |have |had |was |were |is |are |got |will be )?(?:been )?(?:moved|moves|postponed|rescheduled|pushed|pushed back|delayed|brought forward|shifted|changed|slipped)(?: from .{1,30}?)? (?:to|until|till) (.{1,40})$`,
  'u',
);
const opening = new RegExp(
  `^${subjectPart} (opens|closes|starts|begins|ends|leaves|arrives|departs) (?:at|on) (.{1,30})$`,
  'u',
);
const lives = new RegExp(
  `^(?:${subjectPart} lives|(i|we) live|(i)(?: am|['’]m) living|(we)(?: are|['’]re) living) (?:in|at) (.{1,50})$`,
  'u',
);
const settled = new RegExp(
  `^(?:${subjectPart}|(i|we)) (?:has |have |['’]ve )?(?:just )?(?:moved|relocated) to (.{1,50})$`,
  'u',
);
const works = new RegExp(`^(?:${subjectPart} works|(i) work|(i)(?: am|['’]m) working) (?:at|for) (.{1,50})$`, 'u');
const located = /^((?:the|our) [\p{L}\d -]{2,50}?) (?:is|are|will be)(?: located| held)? (?:in|at) (.{1,40})$/u;
const costs = new RegExp(`^${subjectPart} costs? (.{1,30})$`, 'u');
const port = new RegExp(`^${subjectPart} (?:runs|listens|is running|is listening) on (port \\d{1,5})$`, 'u');
const aged = new RegExp(
  `^(?:${subjectPart} (?:is|['’]s|turned)|(i)(?: am|['’]m| turned)) (\\d{1,3})(?: years old)?$`,
  'u',
);
const named = /^(?:i am called|i['’]m called|call me|my name(?: is|['’]s)|i go by) (.{1,50})$/;
const run = new RegExp(`^${subjectPart} (?:is|will be) (owned|led|managed|run|headed|hosted) by (.{1,40})$`, 'u');

const place = /^(?:room|building|floor|hall|house|lab|office|warehouse|hangar|dock|pier|gate|platform|zone|aisle)\b/;

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
  return read(written.toLowerCase(), written, speaker?.trim().toLowerCase() ?? 'me');
}

/** `s` and `written` have the same length, because lower case of the letters that the patterns accept keeps it. */
function read(s: string, written: string, me: string): Fact | null {
  if (s.length !== written.length) return null;
  const tail = (value: string): string => written.slice(written.length - value.length);
  const fact = (subject: string, relation: string, ends: readonly string[] = []): Fact | null => {
    const name = subjectOf(subject, me);
    return name === null ? null : { subject: name, relation, ends };
  };
  let m: RegExpExecArray | null;
  if ((m = named.exec(s))) return isCapital(tail(m[1] ?? '')) ? fact('i', 'name') : null;
  if ((m = attributed.exec(s))) {
    const phrase = attributeOf(m[1] ?? '');
    const value = m[3] ?? '';
    if (phrase?.thing === '' && suits(phrase.attribute, value, tail(value))) return fact(m[2] ?? '', phrase.attribute);
  }
  if ((m = possessed.exec(s))) {
    const phrase = attributeOf(m[2] ?? '');
    const value = m[3] ?? '';
    if (phrase && suits(phrase.attribute, value, tail(value)))
      return fact([m[1], phrase.thing].filter(Boolean).join(' '), phrase.attribute);
  }
  if ((m = owned.exec(s))) {
    const phrase = attributeOf(m[2] ?? '');
    const value = m[3] ?? '';
    if (phrase && suits(phrase.attribute, value, tail(value)))
      return m[1] === 'my' && phrase.thing === ''
        ? fact('i', phrase.attribute)
        : phrase.thing === ''
          ? fact(phrase.attribute, 'value')
          : fact(`${m[1] === 'my' ? 'my ' : ''}${phrase.thing}`, phrase.attribute);
  }
  if ((m = moved.exec(s))) {
    const when = timeOf((m[2] ?? '').replace(/^(?:in|on|at) /, ''));
    if (when)
      return fact(m[1] ?? '', when, when === 'when:clock' ? [] : times.filter((t) => t !== when && t !== 'when:clock'));
  }
  if ((m = timed.exec(s))) {
    const when = timeOf(m[2] ?? '');
    if (when) return fact(m[1] ?? '', when);
  }
  if ((m = opening.exec(s))) {
    const when = timeOf(m[3] ?? '');
    return when ? fact(m[1] ?? '', `${(m[2] ?? '').replace('begins', 'starts')}:${when}`) : null;
  }
  if ((m = lives.exec(s)))
    return isPlace(m[5] ?? '', tail(m[5] ?? '')) ? fact(m[1] ?? m[2] ?? m[3] ?? m[4] ?? '', 'home') : null;
  if ((m = settled.exec(s))) {
    const subject = m[1] ?? m[2] ?? '';
    if (!isPlace(m[3] ?? '', tail(m[3] ?? ''))) return null;
    return /^(?:the|our|this) /.test(subject) ? fact(subject, 'where') : fact(subject, 'home');
  }
  if ((m = works.exec(s))) return isCapital(tail(m[4] ?? '')) ? fact(m[1] ?? m[2] ?? m[3] ?? '', 'employer') : null;
  if ((m = located.exec(s))) return isPlace(m[2] ?? '', tail(m[2] ?? '')) ? fact(m[1] ?? '', 'where') : null;
  if ((m = costs.exec(s))) return number.test(m[2] ?? '') ? fact(m[1] ?? '', 'price') : null;
  if ((m = port.exec(s))) return fact(m[1] ?? '', 'port');
  if ((m = aged.exec(s))) return fact(m[1] ?? m[2] ?? '', 'age');
  if ((m = run.exec(s))) return isCapital(tail(m[3] ?? '')) ? fact(m[1] ?? '', `${m[2] ?? ''} by`) : null;
  return null;
}

const isPlace = (value: string, written: string): boolean =>
  wordsIn(value) <= 4 && (isCapital(written) || place.test(value));

/** The subject in one spelling; null for one that does not say what it means. */
function subjectOf(phrase: string, me: string): string | null {
  if (phrase === 'i') return me;
  if (phrase === 'we') return `${me}:we`;
  if (several.test(phrase)) return null;
  const name = phrase.replace(/^(?:the|our|this) /, '').replace(/^my /, `${me}:`);
  return name === '' || pronoun.test(name) || verb.test(name) ? null : name;
}
