import { expect } from 'chai';
import { backoffMs } from '../../../src/domain/shared/clock.js';

describe('the wait before another try', () => {
  it('doubles from failure to failure, up to the longest, however often it fails', () => {
    const waits = [1, 2, 3, 4, 5, 5000].map((failures) => backoffMs({ firstMs: 100, longestMs: 1000 }, failures));
    expect(waits).to.deep.equal([100, 200, 400, 800, 1000, 1000]);
  });

  it('is shorter by chance, by no more than its jitter', () => {
    const waits = [0, 0.5, 1].map((chance) =>
      backoffMs({ firstMs: 100, longestMs: 150, jitter: 0.4 }, 2, () => chance),
    );
    expect(waits).to.deep.equal([150, 120, 90]);
  });
});
