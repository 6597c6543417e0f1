/**
 * Checks of models as mocha tests. `MODEL=long` also runs those that take minutes; `MODEL=steps` prints the
 * counterexample of everything that is expected to break, to read how a guard that was left out is missed.
 */
import { expect } from 'chai';
import { explore, type Model, type Result } from './checker.js';

const mode = process.env['MODEL'];

/** Every invariant holds in every state, and from each all work can be finished. */
export function holds<S>(name: string, model: () => Model<S>, long = false): void {
  if (long && mode !== 'long') return;
  it(name, function () {
    this.timeout(long ? 900_000 : 120_000);
    const { broken } = explore(model());
    expect([...broken.keys()], counterexamples(broken)).to.deep.equal([]);
  });
}

/** The named invariant breaks: what was left out is needed. */
export function breaks<S>(invariant: string, name: string, model: () => Model<S>): void {
  it(`${invariant} breaks ${name}`, function () {
    this.timeout(120_000);
    const { states, broken } = explore(model(), invariant);
    const steps = broken.get(invariant);
    expect(steps, `${invariant} holds in all ${states} states. ${counterexamples(broken)}`).to.not.equal(undefined);
    if (mode === 'steps') process.stdout.write(`${numbered(steps!)}\n`);
  });
}

const counterexamples = (broken: Result['broken']): string =>
  [...broken].map(([name, steps]) => `${name} is broken by\n${numbered(steps)}`).join('\n');
const numbered = (steps: readonly string[]): string => steps.map((step, i) => `        ${i + 1}. ${step}`).join('\n');
