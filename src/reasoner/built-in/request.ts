/**
 * Parses an input or a message into units. A line is parsed sentence by sentence; after a colon the rest of the line is
 * content, verbatim (and if nothing follows it, the lines up to the next empty one). A plain sentence after an
 * instruction on the same line belongs to that instruction, so that nothing to be remembered is lost.
 */
import { type Unit, numberOf, parseSentence, plain, stepsOf } from './grammar.js';
import { instructionsIn } from './joined.js';
import { itemsIn, joinedIn } from './listed.js';
import { withoutOpening } from './politeness.js';
import { sentenceEnd } from '../../english/sentences.js';

export type RequestedTask = Exclude<Unit, { kind: 'steps' }>;
type Instruction = Extract<Unit, { kind: 'remember' | 'send' | 'share' | 'ask' | 'say' }>;

export interface Request {
  units: readonly RequestedTask[];
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
  private readonly units: RequestedTask[] = [];
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
  private take(unit: RequestedTask, open: Instruction | null): Instruction | null {
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

  private add(unit: RequestedTask): void {
    if (this.units.length < mostUnits) this.units.push(unit);
    else this.dropped++;
  }

  /** A unit whose content begins on the next line; null if there is no content. */
  private filled(unit: RequestedTask): RequestedTask | null {
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

/*
 * Standing orders: lines of `config.instructions` that the built-in reasoner understands. Other lines (a persona, a
 * style) are ignored, so that the same instructions can serve a language model.
 */

export interface Orders {
  /** Store every input and message, verbatim, as an episodic memory. */
  rememberAll: boolean;
  /** Share stored memories with the hive. */
  shareLearned: boolean;
  /** Agents to which every input and message is forwarded. */
  forwardTo: readonly string[];
  replyToSender: boolean;
  askFirst: boolean;
  /** The maximum number of quoted memories and reports in an answer. */
  sentences: number | null;
  steps: number | null;
}

const whenever =
  /^(?:when|whenever|if|each time|every time)\s+you\s+(?:get|receive|read|are sent)\s+(?:a|an|any)\s+(?:message|mail)\s*,?\s*/i;
const always = /^(?:always|never fail to)\s+/i;
const remembers =
  /^(?:remember|keep|store|save|note)\s+(?:everything|(?:every|all|each)(?:\s+\w+)?\s+(?:messages?|inputs?)|what you are told)\b/i;
const shares = /^share\s+(?:what(?:ever)?\s+you\s+learn|everything(?:\s+you\s+learn)?|what\s+you\s+remember)\b/i;
const forwards =
  /^(?:forward|pass on)\s+(?:everything|(?:every|all|each)\s+messages?)\s+(?:on\s+)?to\s+["“]?([^"”]{1,200})["”]?$/i;
const replies =
  /^(?:reply|answer|write back|respond)\s+(?:to\s+)?(?:the\s+sender|senders|every\s+(?:message|sender)|all\s+messages)\b/i;
const asks =
  /^(?:ask|check with|consult)\s+(?:an?|the|my)\s+(?:human|person|operator)\s+before\s+(?:answering|you\s+answer|every\s+answer)\b/i;
const lengths =
  /^(?:answer|reply|respond)\s+(?:briefly|in\s+(?:at most\s+)?(?:a single|(\d|one|two|three))\s+sentences?)\b/i;

const longestOrder = 300;
const mostForwards = 10;

export function parseOrders(instructions: string): Orders {
  const orders = {
    rememberAll: false,
    shareLearned: false,
    forwardTo: [] as string[],
    replyToSender: false,
    askFirst: false,
    sentences: null as number | null,
    steps: null as number | null,
  };
  for (const line of instructions.split(/\r?\n/)) {
    const text = line.trim().replace(/^(?:[-*•]|\d{1,3}[.)])\s+/, '');
    for (let at = 0; at < text.length;) {
      const end = sentenceEnd(text, at);
      if (end - at <= longestOrder) addOrder(orders, text.slice(at, end).trim().replace(/[.!]$/, ''));
      at = end;
    }
  }
  return orders;
}

function addOrder(
  orders: { -readonly [K in keyof Orders]: K extends 'forwardTo' ? string[] : Orders[K] },
  sentence: string,
): void {
  const s = plain(plain(sentence).replace(whenever, '').replace(always, ''));
  const forward = forwards.exec(s);
  const length = lengths.exec(s);
  if (remembers.test(s)) orders.rememberAll = true;
  else if (shares.test(s)) orders.shareLearned = true;
  else if (forward && orders.forwardTo.length < mostForwards) orders.forwardTo.push((forward[1] ?? '').trim());
  else if (replies.test(s)) orders.replyToSender = true;
  else if (asks.test(s)) orders.askFirst = true;
  else if (length) orders.sentences = Math.max(1, numberOf(length[1] ?? '1'));
  else orders.steps = stepsOf(s)?.steps ?? orders.steps;
}
