/** Corrections of what was said just before: what is certainly one, and what only looks like it. */
import { expect } from 'chai';
import { corrected } from '../../../src/reasoner/built-in/correction.js';

const after = (said: string, then: string): string | null => corrected(then, [{ role: 'user', content: said, at: '' }]);

describe('corrections', () => {
  it('replace a name or a time by another', () => {
    expect(after('My sister lives in Rome.', 'No, Paris.')).to.equal('My sister lives in Paris');
    expect(after('The deadline is March 15.', 'No. March 20.')).to.equal('The deadline is March 20');
  });
  for (const then of ['No. Thanks.', 'Sorry. Hello.', 'No! Wrong.'])
    it(`are not taken from a sentence of one word: ${then}`, () => {
      expect(after('My sister lives in Rome.', then)).to.equal(null);
    });
});
