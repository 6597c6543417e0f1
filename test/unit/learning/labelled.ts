/** The labelled sentences of statements.txt, and how well the rules tell them apart. */
import { readFileSync } from 'node:fs';
import { statementsIn } from '../../../src/learning/statements.js';

export interface Measured {
  sentences: number;
  /** The share of what was taken that is worth keeping, and the share of what is worth keeping that was taken. */
  precision: number;
  recall: number;
  /** What was taken and should not have been. */
  wrong: string[];
}

export function measure(file: URL): Measured {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[+-] /.test(line))
    .map((line) => ({ wanted: line.startsWith('+'), text: line.slice(2) }));
  const taken = lines.filter(({ text }) => statementsIn(text).length > 0);
  const right = taken.filter((l) => l.wanted).length;
  return {
    sentences: lines.length,
    precision: right / taken.length,
    recall: right / lines.filter((l) => l.wanted).length,
    wrong: taken.filter((l) => !l.wanted).map((l) => l.text),
  };
}
