/**
 * What the rules of learning take of the labelled sentences, and what reading one costs (src/learning/statements.ts).
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { statementsIn } from '../../src/learning/statements.js';
import { measure } from '../unit/learning/labelled.js';
import type { Bench, Row } from './harness.js';

const file = pathToFileURL(resolve('test/unit/learning/statements.txt'));
const rounds = 50;

export const bench: Bench = {
  name: 'learning: plain statements by rules, of labelled sentences',
  run(): Promise<Row[]> {
    const { sentences, precision, recall, wrong } = measure(file);
    const texts = readFileSync(file, 'utf8').split('\n');
    const began = process.cpuUsage();
    for (let i = 0; i < rounds; i++) for (const text of texts) statementsIn(text);
    const { user, system } = process.cpuUsage(began);
    return Promise.resolve([
      {
        what: 'worth keeping, of those taken',
        figure: precision * 100,
        unit: '%',
        target: '> 95 %',
        met: precision > 0.95,
        note: `${sentences} sentences${wrong.length === 0 ? '' : `; wrongly taken: ${wrong.join(' | ')}`}`,
      },
      { what: 'taken, of those worth keeping', figure: recall * 100, unit: '%' },
      { what: 'reading a message', figure: (user + system) / rounds / texts.length, unit: 'us of CPU' },
    ]);
  },
};
