/**
 * Changes that name only what is new: "The project is called Falcon." "We changed the name to Eagle." What changes was
 * said before, so the new value is put into that statement, which the new one then supersedes. It is looked for in the
 * session, and without one among what was recalled. Where more than one statement may be meant, nothing is changed: an
 * answer then quotes both.
 */
import { type Fact, factOf } from '../../domain/facts.js';
import { family, pets } from '../../domain/people.js';
import { anyOf, wordsOf } from '../../domain/patterns.js';
import { timeOf } from '../../domain/times.js';
import type { RecalledMemory, StepContext } from '../port.js';
import { statementOf } from './correction.js';

const longest = 120;
/** Whatever has none of these tells of no change. */
const hinge = /\b(?:now|new|renamed|switched|moved|migrated|emigrated|relocated|changed)\b/i;
const someone = new RegExp(`^me$|\\b${anyOf(...family, ...pets)}$`);

type Groups = Readonly<Record<string, string | undefined>>;
interface Form {
  /** `to` is the new value, and `from` the old one. */
  pattern: RegExp;
  /** Whether it may be about this fact. */
  changes: (fact: Fact, groups: Groups) => boolean;
  /** Whether only what was said right before can tell what it is about. */
  needsContext?: (groups: Groups) => boolean;
}

const opening = `(?:${wordsOf('actually btw fyi update news so and but now')}[,:]? )*`;
const lately = '(?: now| yesterday| today| recently| (?:last|this) (?:week|month|year))?';
const weHave = "(?:we|i|they)(?: have|['’]ve)?(?: just| now)?";
const itIs = "it(?: is|['’]s| was| has been| got)(?: been)?(?: just)?(?: now)?";
const from = '(?: from (?<from>.{1,40}?))?';
const moved = wordsOf('moved migrated emigrated relocated');
const form = (...parts: readonly string[]): RegExp =>
  new RegExp(`^${opening}${anyOf(...parts)}(?<to>[\\p{L}\\d].{0,39}?)${lately}[\\s.!]*$`, 'iu');

const forms: readonly Form[] = [
  {
    pattern: form(
      `(?:${weHave} changed|${weHave} switched) (?:the|its|our) name${from} (?:to|into) `,
      `${weHave} (?:renamed it|call it)(?: (?:to|as|into))? `,
      `${itIs} (?:called|named|known as|renamed(?: to| as)?) `,
      "(?:the|its) (?:new )?name(?: is|['’]s|(?: was| has)?(?: been)? changed to)(?: now)? ",
    ),
    changes: ({ relation, subject }) => relation === 'name' && !someone.test(subject),
  },
  {
    pattern: form(
      `(?:${itIs}|it (?:has )?(?:changed|moved) to) (?:the )?(?<noun>${wordsOf('gate seat platform terminal locker desk')}) `,
    ),
    changes: ({ relation, subject }, { noun }) => relation === noun || (relation === 'value' && subject === noun),
  },
  {
    // "We moved to Bremen" tells of the speakers, and "to GitLab for the docs" of another use
    pattern: form(`${weHave} (?:switched|migrated|changed|moved(?= from))${from} to (?!.* for )`),
    changes: ({ relation }) => relation.startsWith('use for '),
    needsContext: (groups) => groups['from'] === undefined,
  },
  {
    // "My parents live in Rome." "They moved to Canada."
    pattern: form(`(?:they|he|she)(?: have| has|['’]ve|['’]s)?(?: just| now)? ${moved}${from} to `),
    changes: ({ relation, subject }, { to = '' }) =>
      relation === 'home' && subject !== 'me' && timeOf(to.toLowerCase()) === null,
    needsContext: () => true,
  },
];

interface Statement {
  text: string;
  fact: Fact;
}

/** What the input changes, as it would be said in full; null if it changes nothing, or that is not certain. */
export function changed(
  input: string,
  turns: StepContext['turns'],
  memories: readonly Pick<RecalledMemory, 'content'>[],
): string | null {
  if (input.length > longest || !hinge.test(input)) return null;
  for (const { pattern, changes, needsContext } of forms) {
    const groups: Groups | undefined = pattern.exec(input.trim())?.groups;
    if (!groups) continue;
    const may = ({ fact }: Statement): boolean =>
      changes(fact, groups) && (groups['from'] === undefined || fact.value === groups['from'].toLowerCase());
    const said = turns.flatMap(({ role, content }) => (role === 'user' ? [statementOf(content) ?? ''] : []));
    const alone = needsContext?.(groups) ?? false;
    const here = stated(alone ? said.slice(-1) : said).filter(may);
    const known = here.length > 0 || alone ? here : stated(memories.map(({ content }) => content)).filter(may);
    if (known.length > 0) return known[0] && known.length === 1 ? put(known[0], groups['to'] ?? '') : null;
  }
  return null;
}

/** The statements among the texts, of each subject and relation the last one. */
function stated(texts: readonly string[]): Statement[] {
  const found = new Map<string, Statement>();
  for (const content of texts) {
    // first, because a statement is short, and what is no statement may be long
    const fact = factOf(content);
    if (fact) found.set(`${fact.relation} ${fact.subject}`, { text: content.replace(/[\s.!]+$/, ''), fact });
  }
  return [...found.values()];
}

/** The statement with another value; null if it would not say the same of the same subject. */
function put({ text, fact }: Statement, to: string): string | null {
  const at = text.toLowerCase().lastIndexOf(fact.value);
  if (at < 0 || to.toLowerCase() === fact.value) return null;
  const said = `${text.slice(0, at)}${to}${text.slice(at + fact.value.length)}${fact.adds ? ' now' : ''}`;
  const now = factOf(said);
  return now && now.subject === fact.subject && now.relation === fact.relation ? said : null;
}
