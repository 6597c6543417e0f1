/**
 * Checks answers and the arguments of tools by a JSON Schema that a client or a server gave.
 *
 *  OutputSchema.O1 Neither reading a schema nor checking a value by it takes more than `mostSteps`, whatever they are:
 *     patterns that backtrack, references that branch at every level, and schemas that are themselves are given up. It
 *     is counted and not timed, so that a busy machine refuses no good schema. Nothing is fetched.
 *  - Schemas are read one in a turn of the event loop, whoever gives them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutputSchema } from '../domain/shared/output-schema.js';
import { memoize } from '../base/memoize.js';
import { Semaphore } from '../base/semaphore.js';
import { NoSchema, StepLimit, Validator } from './validator.js';

/**
 * Where this was measured, the steps of one check took 5 to 16 ms of CPU at most, and up to 85 in the first ones after a
 * start, whose code is not compiled yet.
 */
export const mostSteps = { read: 100_000, check: 250_000 } as const;
/** Schemas kept as they were read. */
const kept = 64;

/** Returns why the value, which is called so in the reasons, does not fit; null if it does. */
export type OutputCheck = (value: unknown, called?: string) => string | null;

/** It is no schema, or too costly. */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
}

const turns = new Semaphore(1);

/** Rejects with SchemaProblem. */
export function outputCheck(schema: OutputSchema): Promise<OutputCheck> {
  const text = JSON.stringify(schema);
  return turns.during(async () => {
    if (!read.knows(text)) await nextTurn();
    return read(text);
  });
}

const read = memoize(
  (text: string): OutputCheck => {
    const { $schema: _, ...schema } = JSON.parse(text) as OutputSchema;
    const validator = bounded(mostSteps.read, (steps) => new Validator(schema, steps));
    if (validator === null) throw new SchemaProblem('takes too long to read');
    return (value, called = 'the answer') => {
      const reasons = bounded(mostSteps.check, (steps) => validator.reasons(value, called, steps));
      if (reasons === null) return `${called} takes too long to check`;
      return reasons.length === 0 ? null : [...new Set(reasons)].join('; ');
    };
  },
  kept,
  Infinity,
);

/** Null if it needs more steps, or is nested deeper than can be followed. */
function bounded<T>(most: number, work: (steps: StepLimit) => T): T | null {
  try {
    return work(new StepLimit(most));
  } catch (error) {
    if (error instanceof StepLimit || error instanceof RangeError) return null;
    if (error instanceof NoSchema) throw new SchemaProblem(`is no JSON Schema of 2020-12: ${error.message}`);
    throw error;
  }
}
