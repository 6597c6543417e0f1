/** What a command says that a failing store has stopped. */
import { expect } from 'chai';
import { sentences, stoppedByStore } from '../../../gateway/cli/failure.js';
import { StoreError } from '../../../src/store/port.js';

describe('a command that a failing store has stopped', () => {
  it('says what is wrong, and that the same command goes on', () => {
    for (const reason of ['io', 'unknown', 'full'] as const)
      expect(
        sentences(stoppedByStore('The migration', new StoreError(reason, 'Nothing listens at x: start it.'))),
      ).to.deep.equal([
        'The migration stopped. Nothing listens at x: start it. Then run the same command again: it goes on where it stopped.',
      ]);
  });

  it('promises nothing where it would not', () => {
    const different = new StoreError('corrupt', 'The agent a is not the same in the target.');
    expect(stoppedByStore('The migration', different)).to.equal(different);
  });
});
