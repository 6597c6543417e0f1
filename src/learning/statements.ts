/**
 * Finds the plain statements in what somebody says to an agent: sentences about the speaker or about a named thing that
 * are worth keeping as memories. It works by rules, without a model, and prefers to miss a statement over storing what
 * is none: only forms that are listed here are taken, and a text with any sign of a question, an instruction, hearsay,
 * doubt, negation, quotation or a joke is left alone. `test/unit/learning` measures it on labelled sentences.
 *
 *  Learning.L1 Whatever is found is a sentence of the text, or a clause of one that joins several, word for word,
 *     without an opening such as "FYI:".
 *  Learning.L2 Nothing is found in a text that asks to do something with it (translate, repeat, imagine), because what
 *     follows is material and not a statement.
 *  Learning.L3 A sentence that joins clauses ("My name is Tom and I live in Rome") is taken apart only if each of them
 *     is a plain statement by itself: what is doubted, asked or reported in one may extend to the others.
 *  Learning.L4 A sentence that says of something that it is over is kept only if it ends a memory; beside that it is
 *     talk like any other.
 */
import { onlyAsks } from '../domain/conversation.js';
import { endingOf, endingWords } from '../domain/endings.js';
import { doubtful, doubtfulMay, factOf, opener } from '../domain/facts.js';
import { anyOf, wordsOf } from '../domain/patterns.js';
import { acquaintances, children, family, pets, professions, siblings } from '../domain/people.js';
import { timeOf } from '../domain/times.js';
import { sentenceEnd } from '../sentences.js';

/** A longer text is a document, not a remark. */
const longestText = 2000;
const longestStatement = 200;
const longestSentence = 3 * longestStatement;
/** No more statements than these are taken from one text. */
export const mostStatements = 5;

const works = anyOf(
  wordsOf('translate proofread rewrite rephrase paraphrase summari[sz]e correct repeat recite say spell write draft'),
  wordsOf('compose continue complete imagine pretend suppose assume quote read type format classify analy[sz]e'),
  "act as|role-?play|give me|let['’]s (?:say|pretend|imagine|play)|once upon|for example|e\\.g|example",
);
const told = wordsOf('said says wrote writes asked replied title text song story poem');
/** Learning.L2. */
const material = new RegExp(
  anyOf(
    `(?:^|[.!?:\\n]\\s*)(?:please\\s+|can you\\s+|could you\\s+|now\\s+)?${works}\\b`,
    '^\\s*>|```',
    `\\b${told}\\b[^.!?\\n]{0,40}:`,
  ),
  'i',
);
const joking =
  /\b(?:lol|rofl|lmao|haha+|hehe+|jk|kidding|joking|joke)\b|[:;]-?[)DPp](?:\s|$)|\.{3}|…|\p{Extended_Pictographic}/u;
const greeting =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you)(?: there| all| everyone)?\s*[,!.:–-]+\s*)+/i;
const marked = /^(?:fyi|note|update|correction|heads up|news|for the record)\b/i;

const profession = anyOf(...professions, 'student');
const persuasion = wordsOf('vegetarian vegan diabetic pescatarian christian muslim buddhist hindu jew');
const role = anyOf(
  profession,
  ...family,
  ...acquaintances,
  ...pets,
  wordsOf('ceo cto cfo coo CEO CTO CFO COO lead director president chair head owner intern contact'),
  'team lead',
);
const kin = anyOf(...family, ...acquaintances, ...pets, 'best friend', wordsOf('boat company team band school'));
const count = anyOf(wordsOf('a an one two three four five six'), '\\d{1,2}');
const owned = anyOf(
  ...[...pets, ...children, ...siblings, 'car', 'bike', 'boat', 'house', 'flat'].map((word) => `${word}s?`),
  'children',
);
const instruments = wordsOf(
  'guitar violin piano cello drums flute bass trumpet saxophone harp chess tennis football soccer basketball golf',
  'handball hockey rugby volleyball bridge poker go',
);
const subjects = anyOf(
  wordsOf('biology chemistry physics law medicine history maths mathematics economics music art engineering'),
  wordsOf('philosophy psychology literature geography architecture linguistics'),
  'computer science',
);
const traits = anyOf(
  'left-handed|right-handed|colou?r-?blind|lactose intolerant',
  wordsOf('married divorced single retired pregnant'),
);
const looks = wordsOf('red blue green black white grey gray silver yellow old new small big');
const carMakes = 'an? [A-Z][\\w-]+(?: [A-Z\\d][\\w-]*)?';
const name = "[A-Z][\\p{L}'’-]+(?: [A-Z][\\p{L}'’.-]+){0,2}";
const thing =
  '(?!it\\b|this\\b|that\\b|you\\b|your\\b|how\\b|what\\b|when\\b|the way\\b|to\\b|mondays?\\b|my\\b)[\\p{L}-]+(?: [\\p{L}-]+){0,4}';
/** Put before a name: these words begin with a capital letter as names do, and name nobody. */
const notAName = `(?!${anyOf(
  '[Ii]t|[Tt]h(?:is|at|ere|ese|ose|ey)|[Tt]oday|[Ee]very\\w+|[Nn]o\\w*|[Ss]ome\\w+|[Hh]e|[Ss]he|[Ww]e|[Yy]ou\\w*',
  '[Ww]h\\w+|[Oo]ne|[Aa]ll|[Ll]et|[Pp]lease|[Yy]es|[Gg]ood|[Gg]reat|[Nn]ice',
)}\\b)`;
const namedOne = `${notAName}${name}`;

/** `i`: forms that are read without regard to case; the others contain names, which begin with a capital letter. */
const forms: readonly RegExp[] = [
  new RegExp(`^(?:i am|i['’]m) (?:an? )?(?:${profession}|${persuasion})$`, 'i'),
  new RegExp(`^(?:i am|i['’]m) ${traits}$`, 'i'),
  /^(?:i am|i['’]m) (?:allergic to|intolerant to) [\p{L}-]+(?: [\p{L}-]+){0,3}$/iu,
  new RegExp(`^(?:[Ii] am|[Ii]['’]m) (?:from|based in|born in|married to) (?!Mars\\b|Venus\\b)${name}$`, 'u'),
  new RegExp(`^[Ii] (?:was born|grew up) (?:in|on) (?:${name}|\\d{4})$`, 'u'),
  new RegExp(`^[Ii] speak ${name}(?:(?:,| and) ${name})*$`, 'u'),
  new RegExp(`^[Ii] drive (?:${carMakes})$`, 'u'),
  new RegExp(`^i work as an? ${profession}$`, 'i'),
  new RegExp(`^i work (?:for|at) (?:the|a) [\\p{L} ]{2,40}$`, 'iu'),
  new RegExp(`^i (?:have|own) ${count} (?:\\w+ )?${owned}(?: (?:called|named) \\p{L}+(?: \\p{L}+)?)?$`, 'iu'),
  new RegExp(`^i play (?:the )?${instruments}$`, 'i'),
  new RegExp(`^i prefer ${thing} (?:to|over) ${thing}$`, 'iu'),
  new RegExp(`^i (?:like|love|enjoy|hate|dislike) (?!talking|working with)${thing}$`, 'iu'),
  new RegExp(`^i study (?:[a-z]+ )?${subjects}$`, 'i'),
  new RegExp(`^[Mm]y (?:\\w+ )?${kin}(?:['’]s name is| is (?:called|named)) ${name}$`, 'u'),
  new RegExp(`^my (?:\\w+ )?${kin} is an? (?:${profession}|${persuasion})$`, 'i'),
  new RegExp(`^my ${wordsOf('car bike boat house flat phone laptop')} is an? ${looks} \\p{L}+(?: \\p{L}+)?$`, 'iu'),
  /^my (?:shoe|shirt|hat|ring|dress) size is \w{1,4}$/i,
  /^my (?:flight|train|bus|ferry|shift|class) (?:leaves|departs|arrives|starts|ends) (?:at|on) [\w:. ]{1,20}$/i,
  new RegExp(
    `^${namedOne} (?:is|was) (?:an?|the|our|my) (?:new |former |old )?${role}(?: (?:of|at|for|in) [\\p{L} ]{2,40})?$`,
    'u',
  ),
  new RegExp(`^${namedOne} is (?:allergic|intolerant) to [\\p{L}-]+(?: [\\p{L}-]+)?$`, 'u'),
  new RegExp(`^${namedOne} speaks ${name}$`, 'u'),
  new RegExp(`^${namedOne} (?:prefers|likes|loves|hates) ${thing}$`, 'u'),
  new RegExp(`^${namedOne} (?:costs|weighs|measures) \\d[\\w., ]{0,30}$`, 'u'),
  /^(?:the|our) [\p{L} -]{2,40} (?:costs|weighs|measures) \d[\w., ]{0,30}$/iu,
  new RegExp(`^[Tt]he [\\p{L} -]{2,40} takes place (?:in|at) ${name}$`, 'u'),
];
const states = anyOf(wordsOf('closed open cancel+ed postponed shut full booked offline online away due'), 'sold out');
/** Something is so during a time that is told. */
const timed = new RegExp(
  `^(?:the|our) [\\p{L}\\d -]{2,40} (?:is|will be|are) ${states} (?:on|until|till|from|in|at) (.{2,30})$`,
  'iu',
);
/** What is announced as news is taken in any plain form. */
const news =
  /^(?:the|our|my|[A-Z][\p{L}'’-]+) [\p{L}\d'’ -]{0,60}?\b(?:is|are|was|were|will be|has|have|moved|starts|ends)\b [^:]{2,80}$/u;
/** Every form has one of these words, and many texts have none. */
const hinge = new RegExp(
  `\\b${wordsOf(
    'is am are was were will has have be i my we our call lives? works? costs? weighs measures takes',
    'opens closes starts begins ends leaves arrives departs runs listens turned became becomes? speaks',
    'moved relocated postponed rescheduled delayed slipped shifted pushed changed prefers likes loves hates',
  )}\\b|['’][sm]\\b`,
  'i',
);
/** No statement begins like this, whatever follows. */
const asksOrTells = new RegExp(
  `^\\s*${wordsOf(
    'can could would should shall please what who whose when where why how which do does did is are am was were if',
    "tell give make let show write find help explain list you your it it['’]s he she they there thanks thank",
  )}\\b`,
  'i',
);
/** Where a sentence may join two statements: the second begins with a subject of its own. */
const joint = /(?:,? and(?: also)?|[,;])(?: that)? (?=(?:I|[Ww]e|[Mm]y|[Oo]ur|[Tt]he)\b|i\b|\p{Lu})/u;
/** What depends on another clause states nothing by itself. */
const dependent = new RegExp(
  `^${anyOf(
    wordsOf('once after before until till since as though although whereas where wherever whenever given provided'),
    wordsOf('so then both every each by'),
    'in case|now that|the (?:day|moment|time|way|fact|idea)',
  )}\\b`,
  'i',
);
const mostClauses = 6;
/** A move and similar with the time at which it happened. */
const lately = / (?:last (?:week|month|year)|yesterday|today|this (?:week|month|year)|recently|now)$/i;

/**
 * The text that was read last. A step reads the input of its run, and the decision on its report reads it again, mostly
 * right after.
 */
let last: { text: string; found: readonly string[] } = { text: '', found: [] };

/** The statements of a text, in their order. */
export function statementsIn(text: string): readonly string[] {
  if (text.length > longestText || !hinge.test(text) || onlyAsks(text)) return [];
  if (last.text !== text) last = { text, found: read(text) };
  return last.found;
}

const read = (text: string): readonly string[] => gathered(text, statementsOf);

/** What a text says to be over, in its order (Learning.L4). */
export const endingsIn = (text: string): readonly string[] =>
  text.length > longestText || !endingWords.test(text) || onlyAsks(text) ? [] : gathered(text, endingsOf);

/** The statements of a text, and what it says to be over, in its order: what is said behind an end begins after it. */
export const learnableIn = (text: string): readonly string[] =>
  endingsIn(text).length === 0
    ? statementsIn(text)
    : gathered(text, (sentence) => [...statementsOf(sentence), ...endingsOf(sentence)]);

function endingsOf(sentence: string): string[] {
  const said = sentence.trim();
  if (said.length > longestStatement || joking.test(said) || asksOrTells.test(said)) return [];
  const kept = said.replace(greeting, '').replace(opener, '').trim();
  return endingOf(kept) === null ? [] : [kept.charAt(0).toUpperCase() + kept.slice(1)];
}

/** What `of` finds in the sentences of a text. */
function gathered(text: string, of: (sentence: string) => readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    for (let at = 0; at < line.length && found.length < mostStatements;) {
      const end = sentenceEnd(line, at);
      for (const statement of of(line.slice(at, end)))
        if (!found.includes(statement) && found.length < mostStatements) found.push(statement);
      at = end;
    }
  }
  return found.length === 0 || material.test(text) ? [] : found;
}

/** The plain statements of one sentence: itself, or all the clauses that it joins (Learning.L3). */
export function statementsOf(sentence: string): string[] {
  if (sentence.length > longestSentence || asksOrTells.test(sentence) || !hinge.test(sentence)) return [];
  const whole = statementOf(sentence);
  if (whole !== null) return [whole];
  const said = sentence.trim();
  const opening = said.length - said.replace(greeting, '').replace(opener, '').length;
  const clauses = said.slice(opening).split(joint);
  if (clauses.length < 2 || clauses.length > mostClauses || joking.test(said)) return [];
  clauses[0] = said.slice(0, opening) + (clauses[0] ?? '');
  const found = clauses.map((clause) => (dependent.test(clause) ? null : statementOf(clause)));
  return found.every((statement) => statement !== null) ? found : [];
}

/** The sentences of a text that tell more than these statements, which were found in it; empty if none do. */
export function restOf(text: string, statements: readonly string[]): string {
  const rest: string[] = [];
  for (const line of text.split('\n'))
    for (let at = 0; at < line.length;) {
      const end = sentenceEnd(line, at);
      const sentence = line.slice(at, end).trim();
      at = end;
      if (sentence.split(/\s+/).length < fewestWords || onlyAsks(sentence)) continue;
      const found = [...statementsOf(sentence), ...endingsOf(sentence)];
      if (!found.some((statement) => statements.includes(statement))) rest.push(sentence);
    }
  return rest.join(' ');
}
/** Fewer are a greeting or thanks. */
const fewestWords = 3;

/** Whether a text says nothing beside these statements, which were found in it. */
export function isWhole(text: string, statements: readonly string[]): boolean {
  const letters = (t: string): number => t.match(/\p{L}/gu)?.length ?? 0;
  return letters(text) - statements.reduce((sum, s) => sum + letters(s), 0) <= 16;
}

/** The sentence as it is kept (Learning.L1), or null. */
function statementOf(sentence: string): string | null {
  const said = sentence.trim();
  if (said.length > longestStatement || joking.test(said)) return null;
  const polite = said.replace(greeting, '');
  const kept = polite.replace(opener, '').trim();
  const plain = kept
    .replace(/[.!\s]+$/, '')
    .replace(/\s+/g, ' ')
    .replace(lately, '');
  if (plain === '' || doubtful.test(plain) || doubtfulMay.test(plain) || /\d, \d, \d/.test(plain)) return null;
  const isNews = marked.test(polite) && news.test(plain);
  const time = timed.exec(plain)?.[1];
  const isTimed = time !== undefined && timeOf(time.toLowerCase()) !== null;
  if (!isNews && !isTimed && factOf(plain) === null && !forms.some((form) => form.test(plain))) return null;
  return kept.charAt(0).toUpperCase() + kept.slice(1);
}
