/** Reads the content out of the arguments of an `answer` call while they arrive as pieces of JSON. */

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const special = /["\\]/g;
const opening = /^\s*\{\s*"content"\s*:\s*"/;
/** Longer than any opening that a server writes: what has not begun by then is not shown. */
const longestOpening = 256;

export class AnswerContent {
  /** What has arrived and cannot be read yet. */
  private rest = '';
  private state: 'before' | 'within' | 'over' = 'before';

  /** Returns the text that the piece adds. Nothing is returned for what is not JSON of the expected form. */
  add(piece: string): string {
    if (this.state === 'over') return '';
    this.rest += piece;
    if (this.state === 'before') {
      const begins = opening.exec(this.rest);
      if (!begins) {
        if (this.rest.length > longestOpening) this.end();
        return '';
      }
      this.rest = this.rest.slice(begins[0].length);
      this.state = 'within';
    }
    return this.read();
  }

  private read(): string {
    const from = this.rest;
    let out = '';
    let at = 0;
    while (at < from.length) {
      special.lastIndex = at;
      const next = special.exec(from)?.index ?? from.length;
      out += from.slice(at, next);
      at = next;
      if (from[at] === '"') {
        this.end();
        return out;
      }
      if (at === from.length) break;
      const length = from[at + 1] === 'u' ? 6 : 2;
      if (at + length > from.length) break;
      const escaped = from.slice(at + 1, at + length);
      out += escaped.length === 1 ? (escapes[escaped] ?? escaped) : String.fromCharCode(parseInt(escaped.slice(1), 16));
      at += length;
    }
    this.rest = from.slice(at);
    return out;
  }

  private end(): void {
    this.state = 'over';
    this.rest = '';
  }
}
