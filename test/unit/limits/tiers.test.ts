import { expect } from 'chai';
import { tierLimits } from '../../../src/limits/tiers.js';

describe('limits of the tiers', () => {
  const tiers = tierLimits({ requestsPerMinute: 1_000_000, searchesPerMinute: 500_000, concurrent: 10_000 });

  /** Spec 8.1 and 8.2; searches have the same ratio of burst, rounded down. */
  const table = [
    ['free', 100, 150, 50, 75, 5],
    ['pro', 1000, 1500, 500, 750, 25],
    ['team', 5000, 7500, 2500, 3750, 100],
    ['enterprise', 1_000_000, 1_500_000, 500_000, 750_000, 10_000],
    ['sandbox', 50, 75, 25, 37, 2],
  ] as const;
  for (const [tier, limit, burst, searches, searchBurst, concurrent] of table) {
    it(tier, () =>
      expect(tiers[tier]).to.deep.equal({
        requests: { limit, burst },
        searches: { limit: searches, burst: searchBurst },
        concurrent,
      }),
    );
  }

  it('an operator may set enterprise low: one a minute is one at once', () => {
    expect(tierLimits({ requestsPerMinute: 1, searchesPerMinute: 3, concurrent: 1 }).enterprise).to.deep.equal({
      requests: { limit: 1, burst: 1 },
      searches: { limit: 3, burst: 4 },
      concurrent: 1,
    });
  });
});
