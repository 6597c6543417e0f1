/** How long a run waits for models that are away: src/domain/run/model-outage.ts. */
import { expect } from 'chai';
import { nextWait } from '../../../src/domain/run/model-outage.js';

describe('domain: models that are away (ModelOutage.M1)', () => {
  const wait = (askedMs: number | null, spentMs = 0): number | null =>
    nextWait({ tries: 1, spentMs, retryAt: '' }, { usedMs: 0, askedMs }, 600_000)?.waitMs ?? null;

  it('waits for as long as the server asks, and fails at once where that is more than is left', () => {
    expect(wait(240_000)).to.equal(240_000);
    expect(wait(3_600_000)).to.equal(null);
    expect(wait(240_000, 400_000)).to.equal(null);
  });

  it('waits by itself for longer each time, up to what is left', () => {
    expect(wait(null)).to.equal(10_000);
    expect(wait(null, 595_000)).to.equal(5000);
    expect(wait(null, 600_000)).to.equal(null);
  });
});
