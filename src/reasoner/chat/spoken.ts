/**
 * What a model says, without what it thinks aloud: some servers send thoughts as parts of another type, others leave
 * them in the text, between <think> and </think> at its beginning.
 */
import { z } from 'zod';

const opening = '<think>';
const closing = '</think>';

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

  /** Returns what the piece adds. */
  add(piece: string): string {
    if (this.state === 'speaking') return piece;
    this.rest += piece;
    if (this.state === 'silent') {
      const begun = this.rest.trimStart();
      if (opening.startsWith(begun)) return '';
      // what continues a text may begin with a space
      if (!begun.startsWith(opening)) return this.speak(this.rest);
      this.state = 'thinking';
    }
    const end = this.rest.indexOf(closing);
    if (end >= 0) return this.speak(this.rest.slice(end + closing.length).trimStart());
    this.rest = this.rest.slice(1 - closing.length);
    return '';
  }

  private speak(text: string): string {
    this.state = 'speaking';
    this.rest = '';
    return text;
  }
}

/** What is said in the whole text. Text that is nothing but the beginning of a thought is what is said. */
export function spoken(text: string): string {
  const all = new Spoken();
  const said = all.add(text);
  return said === '' && !text.trimStart().startsWith(opening) ? text : said;
}
