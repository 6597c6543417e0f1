/** Whatever tools are called, a model knows each by a name of its own that servers of models take. */
import { expect } from 'chai';
import fc from 'fast-check';
import { wireName, wireNames } from '../../../src/reasoner/chat/wire-names.js';

const taken = /^[a-zA-Z0-9_-]{1,64}$/;
const names = fc.uniqueArray(
  fc.oneof(
    fc.stringMatching(/^[a-z]{1,3}[._-][a-z./_]{0,3}$/),
    fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }),
    fc.stringMatching(/^[a-z_.]{60,140}$/),
    fc.constantFrom(
      'a_b',
      'a.b',
      'a..b',
      'a_b_2',
      'recall',
      '.',
      '..',
      'x'.repeat(64),
      'x'.repeat(65),
      `${'x'.repeat(64)}.`,
    ),
  ),
  { maxLength: 40 },
);

describe('Names of tools on the wire', () => {
  it('are taken, each its own and none of others, and stay as they are where they can', () => {
    fc.assert(
      fc.property(names, fc.subarray(['recall', 'a_b', 'x']), (given, others) => {
        const wire = wireNames(given, others);
        expect([...wire.keys()].sort()).to.deep.equal([...given].sort());
        const made = [...wire.values()];
        expect(new Set([...made, ...others]).size).to.equal(made.length + others.length);
        for (const [name, as] of wire) {
          expect(as).to.match(taken);
          expect(wireName(name)).to.match(taken);
          if (taken.test(name) && !others.includes(name)) expect(as).to.equal(name);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('read as the names do', () => {
    expect([
      ...wireNames(['files.read_file', 'files_read_file', 'files.read file', 'recall'], ['recall']),
    ]).to.deep.equal([
      ['files_read_file', 'files_read_file'],
      ['files.read_file', 'files_read_file_2'],
      ['files.read file', 'files_read_file_3'],
      ['recall', 'recall_2'],
    ]);
  });
});
