/** Sentences that hold several instructions: "remember that the gate is open and tell Ana that it is". */
import { parseSentence } from './grammar.js';
import { endsAsQuestion } from '../../english/sentences.js';

/** Spaces are bounded, because a search for an unbounded run of them begins anew at each of them. */
const joint =
  /(?:,?\s{1,8}and(?:\s{1,8}(?:then|also|please)){0,3}|\s{0,8};|,?\s{1,8}then|,\s{0,8}(?:please|also))\s{1,8}(?=(?:(?:please|also)\s{1,8}){0,3}(?:remember|note|keep in mind|do(?:n['’]t| not) forget|tell|ask|send|write|share|recall|who|what|when|where|why|which|how)\b)/gi;
/** Somebody who must, will or wants to do something goes on doing it after "and", unless the clause has ended. */
const goesOn =
  /\b(?:i|we|you|he|she|they|everyone|somebody|someone)(?:['’](?:ll|d)|\s{1,8}(?:must|should|will|shall|would|could|can|might|may|need|want|have|has|had|wants|needs|am going|are going|is going|asked|promised|agreed))\b/i;
const lastClause = (text: string): string => text.slice(Math.max(text.lastIndexOf(','), text.lastIndexOf(';')) + 1);
/** A delegated instruction may hold further ones, which are for the recipient. */
const delegated = /^(?:remember|note|tell|ask|send|share|write|forget)\b/i;
const mostJoints = 10;
/** Places that may join two instructions, of which each is looked at as a whole. */
const mostPlaces = 20;

/**
 * Splits "remember that ... and tell Ana that ..." into its instructions. A sentence is split where what stands before
 * an "and" is an instruction that may end there, and an instruction or a question follows.
 */
export function instructionsIn(sentence: string): string[] {
  let rest = sentence;
  const out: string[] = [];
  for (let n = 0; n < mostJoints; n++) {
    const at = splitAt(rest);
    if (at === null) break;
    out.push(rest.slice(0, at.end));
    rest = rest.slice(at.next);
  }
  return [...out, rest];
}

function splitAt(sentence: string): { end: number; next: number } | null {
  let places = 0;
  for (const match of sentence.matchAll(joint)) {
    if (++places > mostPlaces) return null;
    const left = sentence.slice(0, match.index);
    const next = match.index + match[0].length;
    const right = sentence.slice(next);
    if (goesOn.test(lastClause(left)) || !endsThere(left) || !beginsAnother(right)) continue;
    return { end: match.index, next };
  }
  return null;
}

function endsThere(left: string): boolean {
  const { unit, takesLine } = parseSentence(left, false);
  if (takesLine) return false;
  if (unit.kind === 'send' || unit.kind === 'share') return !delegated.test(unit.text);
  return unit.kind === 'remember' || unit.kind === 'forget' || unit.kind === 'chat' || unit.kind === 'identity';
}

const marked = /^(?:(?:please|also)\s{1,8}){0,3}(?:\S+\s{1,8}){1,6}?(?:that|to|whether|about)\b|^[^:]{1,80}:/i;
const asksMe = /^(?:(?:please|also)\s+)*(?:tell|remind|show) me\b/i;

function beginsAnother(right: string): boolean {
  const { unit } = parseSentence(right, false);
  switch (unit.kind) {
    case 'recall':
      return endsAsQuestion(right) || asksMe.test(right);
    case 'remember':
    case 'forget':
    case 'send':
    case 'share':
    case 'ask':
      return marked.test(right);
    default:
      return false;
  }
}
