/**
 * Corrections of what was said just before: "The deadline is March 15." "No, it's March 20." The correction names only
 * what is different, so it is put into the sentence that it corrects, in the place of a value of its kind: a weekday
 * for a weekday, a number for a number, a name for a name. After a question, what its answer quoted is corrected. Where
 * that is not certain, nothing is corrected.
 */
import { onlyAsks } from '../../domain/conversation.js';
import { factOf, opener } from '../../domain/facts.js';
import { timeOf } from '../../domain/times.js';
import type { StepContext } from '../port.js';
import { endsAsQuestion } from '../../sentences.js';
import { quoteIn } from './quotes.js';
import { parseRequest } from './request.js';
import { smallTalk } from './small-talk.js';

const longest = 120;
const objection =
  /^(?:(?:no|nope|sorry|oops|wait|actually|correction|my (?:bad|mistake)|i was wrong|hold on)\b[\s,.:;!–-]*)+/i;
const says =
  /^(?:(?:it|that|this|he|she|they)(?:['’](?:s|re)| is| are| was| should be| must be)|i mean(?:t)?|(?:please )?make (?:it|that)|rather)\s+/i;
const nowIs = /^(?:it(?:['’]s| is) now|now it(?:['’]s| is))\s+/i;
const meant = /^(?:i mean(?:t)?|make (?:it|that))\s/i;
const preposition = /^(?:on|in|at|to|by)\s+/i;
const remark = /(?:,? (?:not|instead of|rather than) .{1,40}|,? (?:sorry|actually|instead|please|now))?[\s.!]*$/i;
const number = /^\d[\d.,:/-]*$/;
/** "B2", "14C". */
const code = /^(?=[a-z]*\d)\d{0,4}[a-z]{1,3}-?\d{0,4}[a-z]?$/i;
/** Words that begin with a capital letter after an objection, and name nothing. */
const noValue = /^(?:wrong|never|stop|please|not|yes|maybe|really|what|why|wait|don['’]t)\b[^\p{L}]*$/iu;
const capital = /^\p{Lu}[\p{L}'’-]*$/u;

/** What the input corrects, as it should have been said; null if it corrects nothing. */
export function corrected(input: string, turns: StepContext['turns']): string | null {
  if (input.length > longest) return null;
  const text = input.trim();
  const rest = text.replace(objection, '');
  if ((rest === text && !meant.test(text) && !nowIs.test(text)) || smallTalk(text) !== null || noValue.test(rest))
    return null;
  const value = rest.replace(nowIs, '').replace(says, '').replace(remark, '');
  const before = saidBefore(turns);
  if (value === '' || before === null) return null;
  const words = before.split(' ');
  const bare = value.replace(preposition, '').split(' ');
  const kind = kindOf(bare);
  // "It's now Friday" may tell what day it is, "It's now C3" cannot
  if (kind === null || (nowIs.test(rest) && kind !== 'code')) return null;
  // "No. Thanks.": at the beginning of a sentence any word has a capital
  if (kind === 'name' && value === rest.replace(remark, '') && /[.!]\s*$/.test(text.slice(0, -rest.length)))
    return null;
  // the last value of this kind, and the longest that ends there
  for (let end = words.length; end > 1; end--)
    for (let start = Math.max(1, end - 4); start < end; start++) {
      if (kindOf(words.slice(start, end)) !== kind) continue;
      const from = preposition.test(value) && preposition.test(`${words[start - 1] ?? ''} `) ? start - 1 : start;
      const put = preposition.test(value) && from === start ? bare.join(' ') : value;
      const said = [...words.slice(0, from), put, ...words.slice(end)].join(' ');
      return said === before ? null : said;
    }
  return null;
}

/** The statement before, or the only one that an answer to a question quoted. */
function saidBefore(turns: StepContext['turns']): string | null {
  const asked = turns.findLast(({ role }) => role === 'user')?.content ?? '';
  const last = turns.at(-1);
  if (last?.role !== 'agent' || !endsAsQuestion(asked.trimEnd())) return statementOf(asked);
  const quoted = statementOf(quoteIn(last.content) ?? '');
  return quoted !== null && factOf(quoted) !== null ? quoted : null;
}

function kindOf(words: readonly string[]): string | null {
  const text = words.join(' ').toLowerCase();
  if (words.length > 4 || preposition.test(`${text} `)) return null;
  const time = timeOf(text);
  // "15" may be a day or any other number
  if (time !== null && !number.test(text)) return time;
  if (words.length === 1 && number.test(text)) return 'number';
  if (words.length === 1 && code.test(text)) return 'code';
  return words.length <= 3 && words.every((word) => capital.test(word)) ? 'name' : null;
}

/** A single plain statement, said as such or with "remember that". */
export function statementOf(text: string): string | null {
  if (text.length > longest || onlyAsks(text)) return null;
  const { units } = parseRequest(text);
  const [unit] = units;
  if (units.length !== 1 || unit === undefined) return null;
  const said = unit.kind === 'remember' ? unit.content : unit.kind === 'statement' ? unit.text : '';
  const statement = said
    .replace(opener, '')
    .replace(/[\s.!]+$/, '')
    .replace(/\s+/g, ' ');
  return statement === '' || /[?\n]|[.!] /.test(statement.replace(/\b(?:dr|mr|mrs|ms|st)\. /gi, '')) ? null : statement;
}
