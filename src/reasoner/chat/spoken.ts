/**
 * What a model says, without what it thinks aloud: some servers send thoughts as parts of another type, others leave
 * them in the text, at its beginning, between marks that differ by model. The beginning of a thought may stand in the
 * prompt, so that only its end is in the text; or the text has several channels, of which the last is what is said.
 */
import { z } from 'zod';

const channel = '<|channel|>final<|message|>';
/** How thoughts begin and end. */
const marks: readonly (readonly [opening: string, closing: string])[] = [
  ['<think>', '</think>'],
  ['<thought>', '</thought>'],
  ['<thinking>', '</thinking>'],
  ['[THINK]', '[/THINK]'],
  ['<|channel|>', channel],
  ['<|start|>assistant<|channel|>', channel],
];
/** The end of a thought without a beginning has a line to itself, as nobody would write it. */
const lonely = /(?:^|\n)[^\S\n]*<\/(?:think|thought|thinking)>[^\S\n]*(?=\n)/;
const longestLonely = '\n</thinking>\n'.length + 16;
const ended = /<\|(?:end|return|call)\|>\s*$/;

/** The content of a message: text, or a list of parts of which texts count. */
export const spokenContent = z.union([
  z.string(),
  z
    .array(z.object({ type: z.string(), text: z.unknown().optional() }))
    .transform((parts) =>
      parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join(''),
    ),
]);

/** What is said in text that arrives in pieces. */
export class Spoken {
  private rest = '';
  private state: 'silent' | 'thinking' | 'speaking' = 'silent';
  private closing = '';
  /** The end of what was said, in which the end of a thought may have begun. */
  private tail = '';
  /** What was said before the latest piece was a thought. */
  voided = false;

  /** Returns what the piece adds. */
  add(piece: string): string {
    this.voided = false;
    if (this.state === 'speaking') return this.speaking(piece);
    this.rest += piece;
    if (this.state === 'silent') {
      const begun = this.rest.trimStart();
      const mark = marks.find(([opening]) => begun.startsWith(opening));
      if (!mark) {
        if (marks.some(([opening]) => opening.startsWith(begun))) return '';
        // what continues a text may begin with a space
        return this.speak(this.rest);
      }
      [, this.closing] = mark;
      this.state = 'thinking';
    }
    const end = this.rest.indexOf(this.closing);
    if (end >= 0) return this.speak(this.rest.slice(end + this.closing.length).trimStart());
    this.rest = this.rest.slice(1 - this.closing.length);
    return '';
  }

  private speak(text: string): string {
    this.state = 'speaking';
    this.rest = '';
    return this.speaking(text);
  }

  private speaking(piece: string): string {
    const all = this.tail + piece;
    const end = lonely.exec(all);
    this.tail = all.slice(-longestLonely);
    if (!end) return piece;
    this.voided = true;
    this.tail = '';
    return all.slice(end.index + end[0].length).trimStart();
  }
}

/** What is said in the whole text. Text that is nothing but the beginning of a thought is what is said. */
export function spoken(text: string): string {
  const all = new Spoken();
  const said = all.add(text).replace(ended, '');
  return said === '' && !marks.some(([opening]) => text.trimStart().startsWith(opening)) ? text : said;
}
