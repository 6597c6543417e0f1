/**
 * Parses an input or a message into units. A line is parsed sentence by sentence; after a colon the rest of the line is
 * content, verbatim (and if nothing follows it, the lines up to the next empty one). A plain sentence after an
 * instruction on the same line belongs to that instruction, so that nothing to be remembered is lost.
 */
import { parseSentence, type Unit } from './grammar.js';
import { instructionsIn } from './joined.js';
import { itemsIn, joinedIn } from './listed.js';
import { withoutOpening } from './politeness.js';
import { sentenceEnd } from '../../english/sentences.js';

export type Task = Exclude<Unit, { kind: 'steps' }>;
type Instruction = Extract<Unit, { kind: 'remember' | 'send' | 'share' | 'ask' | 'say' }>;

export interface Request {
  units: readonly Task[];
  /** "Work in 5 steps". */
  steps: number | null;
  /** The number of units beyond the bound, which are not executed. */
  dropped: number;
  /** The text was longer than what is searched for instructions; the rest counts as plain text. */
  unread: boolean;
}

/** Each unit may become a write of one commit. */
export const mostUnits = 50;
/**
 * Only this many sentences are searched for instructions: they stand at the beginning, and the parser blocks the event
 * loop.
 */
export const mostSentences = 1000;
const mostLines = 2000;
/** Marks a text as another agent's answer, which is read but neither followed nor replied to. */
export const answerMark = 'Re: ';
export const isAnswer = (text: string): boolean => text.startsWith(answerMark.trimEnd());

const bullet = /^(?:[-*•]|\d{1,3}[.)])\s+/;

export function parseRequest(text: string): Request {
  if (text.trim() === '') return { units: [], steps: null, dropped: 0, unread: false };
  if (isAnswer(text))
    return { units: [{ kind: 'statement', text: text.trim() }], steps: null, dropped: 0, unread: false };
  const end = endOfLines(text, mostLines);
  return new Reader(text.slice(0, end).split(/\r?\n/), text.slice(end)).read();
}

/** The position at which the first `most` lines end. */
function endOfLines(text: string, most: number): number {
  let at = -1;
  for (let lines = 0; lines < most; lines++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

class Reader {
  private readonly units: Task[] = [];
  private steps: number | null = null;
  private dropped = 0;
  private sentences = 0;
  private at = 0;

  /** `rest` follows the parsed lines and is not searched. */
  constructor(
    private readonly lines: readonly string[],
    private rest: string,
  ) {}

  read(): Request {
    while (this.at < this.lines.length && this.sentences < mostSentences)
      this.line((this.lines[this.at++] ?? '').trim().replace(bullet, ''));
    const rest = [...this.lines.slice(this.at), this.rest].join('\n').trim();
    if (rest !== '') this.take({ kind: 'statement', text: rest }, null);
    this.divide();
    const units = this.units.some(({ kind }) => kind !== 'chat')
      ? this.units.filter(({ kind }) => kind !== 'chat')
      : this.units.slice(0, 1);
    return { units, steps: this.steps, dropped: this.dropped, unread: rest !== '' };
  }

  /** Whatever is to be remembered becomes as many units as it lists memories. */
  private divide(): void {
    for (const unit of this.units.splice(0)) {
      if (unit.kind !== 'remember') this.add(unit);
      else {
        const { listed, ...rest } = unit;
        const items = listed === 'joined' ? joinedIn(unit.text) : itemsIn(unit.text, listed === 'announced');
        for (const content of items) this.add({ ...rest, text: content });
      }
    }
  }

  private line(line: string): void {
    let open: Instruction | null = null;
    for (let at = 0; at < line.length;) {
      const end = sentenceEnd(line, at);
      const sentence = line.slice(at, end).trim();
      if (sentence !== '' && ++this.sentences > mostSentences) {
        this.rest = `${[line.slice(at), ...this.lines.slice(this.at)].join('\n')}${this.rest}`;
        this.at = this.lines.length;
        return;
      }
      if (sentence !== '') {
        const parsed = parseSentence(sentence, open !== null);
        const whole = parsed.takesLine ? parseSentence(line.slice(at).trim(), open !== null) : parsed;
        if (whole.unit.kind === 'steps' && this.steps === null) {
          this.steps = whole.unit.steps;
          if (whole.unit.rest !== '') this.line(whole.unit.rest);
          return;
        }
        if (!whole.takesLine && isInstruction(whole.unit)) {
          open = this.each(instructionsIn(sentence), open);
          at = end;
          continue;
        }
        // A second "work in N steps" is ignored, which also ends the nesting.
        open = this.take(whole.unit.kind === 'steps' ? { kind: 'statement', text: sentence } : whole.unit, open);
        if (whole.takesLine) return;
      }
      at = end;
    }
  }

  /** Adds the instructions that one sentence holds. */
  private each(parts: readonly string[], open: Instruction | null): Instruction | null {
    let last = open;
    const { asked } = withoutOpening(parts[0] ?? '');
    for (const part of parts) {
      const { unit } = parseSentence(part, last !== null, asked);
      if (unit.kind !== 'steps') last = this.take(unit, last);
    }
    return last;
  }

  /**
   * Adds a unit, or appends a continuation to the preceding instruction. Returns the unit that may still be continued.
   */
  private take(unit: Task, open: Instruction | null): Instruction | null {
    if (unit.kind === 'statement') {
      const before = open ?? this.units.at(-1);
      if (open) open.text += ` ${unit.text}`;
      else if (before?.kind === 'statement') before.text += `\n${unit.text}`;
      else this.add(unit);
      return open;
    }
    const filled = this.filled(unit);
    if (filled) this.add(filled);
    return filled && isInstruction(filled) ? filled : null;
  }

  private add(unit: Task): void {
    if (this.units.length < mostUnits) this.units.push(unit);
    else this.dropped++;
  }

  /** A unit whose content begins on the next line; null if there is no content. */
  private filled(unit: Task): Task | null {
    if (!('text' in unit) || unit.text.trim() !== '') return unit;
    const block: string[] = [];
    while (this.at < this.lines.length && (this.lines[this.at] ?? '').trim() !== '')
      block.push(this.lines[this.at++] ?? '');
    return block.length === 0 ? null : { ...unit, text: block.join('\n').trim() };
  }
}

/** Whether a plain sentence that follows on the same line belongs to it. */
const isInstruction = (unit: Unit): unit is Instruction =>
  unit.kind === 'remember' ||
  unit.kind === 'send' ||
  unit.kind === 'share' ||
  unit.kind === 'ask' ||
  unit.kind === 'say';
