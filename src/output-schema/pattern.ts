/**
 * Regular expressions (ECMAScript with the flag u) that are matched in counted steps. Those of the platform backtrack
 * for as long as a text makes them, and can only be stopped by a clock, which says something else on every machine.
 *
 *  - A pattern is read in counted steps, too, because a few characters of it may stand for many: each copy of what is
 *    repeated is one, also of what is empty, and each instruction is several.
 *  - States from which a match has failed are remembered, so that a pattern without references to its own groups takes
 *    at most a number of steps that grows with its length times that of the text: `^(a+)+$` is as any other.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Counts what is done, and throws when it is too much. */
export interface Steps {
  spend(steps: number): void;
}

/** Whether the pattern occurs in the text. */
export type Pattern = (text: string, steps: Steps) => boolean;

/** It is none, or too large. The message continues "the pattern". */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem';
}

const mostInstructions = 10_000;
/** Of reading a schema: what an instruction takes, in time and in memory, beside what else is counted there. */
const stepsOfInstruction = 8;
/** Copies of what is repeated a number of times; a single character is counted instead. */
const fewCopies = 8;
/** States are remembered from so many steps on, as most matches need fewer. */
const memoAfter = 2048;
const mostMemoBits = 1 << 24;

type Test = (codePoint: number) => boolean;

/** All of one shape, as the loop of a match reads them without end. */
interface Instruction {
  op: 'char' | 'run' | 'split' | 'jump' | 'save' | 'moved' | 'edge' | 'look' | 'same' | 'match';
  /** Of one character. */
  test: Test;
  /** Whether it looks at what is before, as in a lookbehind. */
  back: boolean;
  /** Where it goes on, and where else. */
  to: number;
  other: number;
  /** How often. */
  min: number;
  max: number;
  greedy: boolean;
  /** The number of its register, or of its place among the splits. */
  n: number;
  negated: boolean;
  holds: (text: string, at: number) => boolean;
  groups: readonly number[];
}

const never = (): boolean => false;

const instruction = (op: Instruction['op'], given: Partial<Instruction>): Instruction => ({
  op,
  test: given.test ?? never,
  back: given.back ?? false,
  to: given.to ?? 0,
  other: given.other ?? 0,
  min: given.min ?? 0,
  max: given.max ?? 0,
  greedy: given.greedy ?? true,
  n: given.n ?? 0,
  negated: given.negated ?? false,
  holds: given.holds ?? never,
  groups: given.groups ?? [],
});

/** Throws PatternProblem, and what `reading` throws. */
export function patternOf(source: string, reading: Steps): Pattern {
  let tree: AST.Pattern;
  try {
    new RegExp(source, 'u'); // its sentences are known better
    tree = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    throw new PatternProblem(`is none: ${(error as Error).message.slice(0, 200)}`);
  }
  const { code, registers, splits, refers } = new Compiler(reading).compile(tree);
  return (text, steps) => {
    const match = new Match(code, text, registers, refers ? 0 : splits, steps);
    for (let at = 0; at <= text.length; at += isPair(text, at) ? 2 : 1) if (match.run(0, at)) return true;
    return false;
  };
}

const isPair = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff;

class Compiler {
  private readonly code: Instruction[] = [];
  private readonly groups = new Map<AST.CapturingGroup, number>();
  private registers = 0;
  private splits = 0;
  private refers = false;
  private readonly tests = new Map<AST.Element, Test>();

  constructor(private readonly steps: Steps) {}

  compile({ alternatives }: AST.Pattern) {
    this.alternatives(alternatives, false);
    this.add('match');
    return { code: this.code, registers: this.registers, splits: this.splits, refers: this.refers };
  }

  private get here(): number {
    return this.code.length;
  }

  private add(op: Instruction['op'], given: Partial<Instruction> = {}): Instruction {
    if (this.here >= mostInstructions) throw new PatternProblem('is too large');
    this.steps.spend(stepsOfInstruction);
    const made = instruction(op, { to: this.here + 1, ...given });
    this.code.push(made);
    return made;
  }

  private split(greedy: boolean): (other: number) => void {
    const made = this.add('split', { n: this.splits++, other: this.here + 1 });
    return (other) => {
      if (greedy) made.other = other;
      else made.to = other;
    };
  }

  private alternatives(all: readonly AST.Alternative[], back: boolean): void {
    const ends: Instruction[] = [];
    all.forEach(({ elements }, i) => {
      const isLast = i === all.length - 1;
      const next = isLast ? null : this.split(true);
      for (const element of back ? elements.toReversed() : elements) this.element(element, back);
      if (!next) return;
      ends.push(this.add('jump'));
      next(this.here);
    });
    for (const end of ends) end.to = this.here;
  }

  private element(node: AST.Element, back: boolean): void {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        this.add('char', { test: this.testOf(node), back });
        return;
      case 'Group':
        if (node.modifiers) throw new PatternProblem('has modifiers, which are not known here');
        this.alternatives(node.alternatives, back);
        return;
      case 'CapturingGroup': {
        const register = this.registersOf(node);
        this.add('save', { n: register + (back ? 1 : 0) });
        this.alternatives(node.alternatives, back);
        this.add('save', { n: register + (back ? 0 : 1) });
        return;
      }
      case 'Backreference':
        this.refers = true;
        this.add('same', { groups: [node.resolved].flat().map((group) => this.registersOf(group)), back });
        return;
      case 'Assertion':
        this.assertion(node);
        return;
      case 'Quantifier':
        this.repeat(node, back);
    }
  }

  private registersOf(group: AST.CapturingGroup): number {
    const known = this.groups.get(group) ?? this.registers;
    if (known === this.registers) this.registers += 2;
    this.groups.set(group, known);
    return known;
  }

  private assertion(node: AST.Assertion): void {
    switch (node.kind) {
      case 'start':
        this.add('edge', { holds: (_, at) => at === 0 });
        return;
      case 'end':
        this.add('edge', { holds: (text, at) => at === text.length });
        return;
      case 'word':
        this.add('edge', { holds: (text, at) => (isWord(text, at - 1) === isWord(text, at)) === node.negate });
        return;
      case 'lookahead':
      case 'lookbehind': {
        const look = this.add('look', { negated: node.negate, other: this.here + 1 });
        this.alternatives(node.alternatives, node.kind === 'lookbehind');
        this.add('match');
        look.to = this.here;
      }
    }
  }

  private repeat({ element, min, max, greedy }: AST.Quantifier, back: boolean): void {
    const isOne = element.type === 'Character' || element.type === 'CharacterSet' || element.type === 'CharacterClass';
    if (isOne && (min > fewCopies || (max !== Infinity && max > fewCopies))) {
      const most = max === Infinity ? min : max;
      this.add('run', { test: this.testOf(element), back, min, max: most, greedy });
      if (max === Infinity) this.loop(element, greedy, back);
      return;
    }
    for (let i = 0; i < min; i++) this.copy(element, back);
    if (max === Infinity) {
      this.loop(element, greedy, back);
      return;
    }
    const skips: ((other: number) => void)[] = [];
    for (let i = min; i < max; i++) {
      skips.push(this.split(greedy));
      this.copy(element, back);
    }
    for (const skip of skips) skip(this.here);
  }

  private copy(element: AST.QuantifiableElement, back: boolean): void {
    this.steps.spend(1);
    this.element(element, back);
  }

  /** Copies have one. */
  private testOf(node: Character): Test {
    const known = this.tests.get(node) ?? testOf(node);
    this.tests.set(node, known);
    return known;
  }

  private loop(element: AST.QuantifiableElement, greedy: boolean, back: boolean): void {
    const begin = this.here;
    const leave = this.split(greedy);
    if (isOne(element)) this.element(element, back);
    else {
      // what has matched nothing is not repeated
      const register = this.registers++;
      this.add('save', { n: register });
      this.element(element, back);
      this.add('moved', { n: register });
    }
    this.add('jump', { to: begin });
    leave(this.here);
  }
}

const isOne = (node: AST.Element): node is AST.Character | AST.CharacterSet | AST.CharacterClass =>
  node.type === 'Character' || node.type === 'CharacterSet' || node.type === 'CharacterClass';

const isWord = (text: string, at: number): boolean => at >= 0 && at < text.length && /\w/.test(text.charAt(at));

type Character = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

/** Looks at one character only, so that the expressions of the platform cost what they should. */
function testOf(node: Character): Test {
  if (node.type === 'Character') return (codePoint) => codePoint === node.value;
  const one = new RegExp(`^${node.raw}$`, 'u');
  const ascii = new Int8Array(128).fill(-1);
  return (codePoint) => {
    if (codePoint >= 128) return one.test(String.fromCodePoint(codePoint));
    if (ascii[codePoint] === -1) ascii[codePoint] = one.test(String.fromCharCode(codePoint)) ? 1 : 0;
    return ascii[codePoint] === 1;
  };
}

class Match {
  private readonly registers: Int32Array;
  private memo: Uint32Array | undefined;
  private taken = 0;

  constructor(
    private readonly code: readonly Instruction[],
    private readonly text: string,
    registers: number,
    /** Those at which states are remembered. */
    private readonly splits: number,
    private readonly steps: Steps,
  ) {
    this.registers = new Int32Array(registers).fill(-1);
  }

  /** Whether the code matches from here. Inside of a lookaround, states that have led to its end are visited again. */
  run(from: number, start: number, remembers = true): boolean {
    // what to go back to, three numbers each: where the code goes on, from where in the text, and which other places
    // there are up to a last one; or -1, a register, and what it held
    const choices: number[] = [];
    let pc = from;
    let at = start;
    for (;;) {
      const now = this.code[pc] as Instruction;
      this.step(1);
      let holds = true;
      pc = now.to;
      switch (now.op) {
        case 'match':
          return true;
        case 'char':
          at = this.next(at, now.test, now.back);
          holds = at >= 0;
          break;
        case 'run': {
          let least = -1;
          let most = at;
          let count = 0;
          for (let to = at; to >= 0 && count <= now.max; to = this.next(to, now.test, now.back), count++) {
            most = to;
            if (count === now.min) least = to;
          }
          this.step(count);
          holds = least >= 0;
          const last = now.greedy ? least : most;
          at = now.greedy ? most : least;
          if (holds && last !== at) choices.push(pc, this.nearer(at, last), last);
          break;
        }
        case 'split':
          holds = !remembers || this.isNew(now.n, at);
          if (holds) choices.push(now.other, at, at);
          break;
        case 'jump':
          break;
        case 'save':
          choices.push(-1, now.n, this.registers[now.n] as number);
          this.registers[now.n] = at;
          break;
        case 'moved':
          holds = this.registers[now.n] !== at;
          break;
        case 'edge':
          holds = now.holds(this.text, at);
          break;
        case 'look':
          holds = this.run(now.other, at, false) !== now.negated;
          break;
        case 'same':
          at = this.same(at, now.groups, now.back);
          holds = at >= 0;
      }
      if (holds) continue;
      pc = -1;
      while (pc < 0) {
        if (choices.length === 0) return false;

        const last = choices.pop() as number;
        at = choices.pop() as number;
        pc = choices.pop() as number;
        if (pc < 0) this.registers[at] = last;
        else if (at !== last) choices.push(pc, this.nearer(at, last), last);
      }
    }
  }

  /** A character from `at` towards `to`. */
  private nearer(at: number, to: number): number {
    if (to > at) return at + (isPair(this.text, at) ? 2 : 1);
    return at - (at > 1 && isPair(this.text, at - 2) ? 2 : 1);
  }

  /** Behind the next character, or before the last; -1 if it does not fit. */
  private next(at: number, test: Test, back: boolean): number {
    if (back) {
      if (at === 0) return -1;
      const to = this.nearer(at, -1);
      return test(this.text.codePointAt(to) as number) ? to : -1;
    }
    if (at === this.text.length) return -1;
    const codePoint = this.text.codePointAt(at) as number;
    return test(codePoint) ? at + (codePoint > 0xffff ? 2 : 1) : -1;
  }

  private same(at: number, groups: readonly number[], back: boolean): number {
    const group = groups.find((register) => (this.registers[register + 1] as number) >= 0);
    if (group === undefined) return at;
    const said = this.text.slice(this.registers[group], this.registers[group + 1]);
    this.step(said.length >> 3);
    if (back) return this.text.slice(0, at).endsWith(said) ? at - said.length : -1;
    return this.text.startsWith(said, at) ? at + said.length : -1;
  }

  private isNew(split: number, at: number): boolean {
    if (this.taken < memoAfter) return true;
    const bits = this.splits * (this.text.length + 1);
    if (bits === 0 || bits > mostMemoBits) return true;
    this.memo ??= new Uint32Array((bits >> 5) + 1);
    const bit = split * (this.text.length + 1) + at;
    const word = this.memo[bit >> 5] as number;
    if ((word & (1 << (bit & 31))) !== 0) return false;
    this.memo[bit >> 5] = word | (1 << (bit & 31));
    return true;
  }

  private step(steps: number): void {
    this.taken += steps;
    this.steps.spend(steps);
  }
}
