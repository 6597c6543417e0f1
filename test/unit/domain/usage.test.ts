/** Months and limits of the memory quota (docs/api.md 8.1, 8.4). */
import { expect } from 'chai';
import fc from 'fast-check';
import { tiers } from '../../../src/domain/shared/vocabulary.js';
import { cycleOf, monthAt, monthlyLimit, workspaceQuotaExceeded } from '../../../src/domain/workspace/usage.js';

describe('domain: usage', () => {
  it('the limits are those of docs/api.md 8.1; the sandbox has its own', () => {
    expect(tiers.map((tier) => monthlyLimit(tier))).to.deep.equal([1_000, 50_000, 500_000, null]);
    expect(monthlyLimit('sandbox')).to.equal(100);
  });

  it('a month is that of UTC, from its first millisecond to its last, in whatever order one asks', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
            fc
              .constantFrom('2026-12-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z', '2024-02-29T12:00:00.000Z')
              .map((t) => new Date(t)),
          ),
          { minLength: 1, maxLength: 20 },
        ),
        (times) => {
          for (const time of times) {
            const month = monthAt(time.getTime());
            const { start, end } = cycleOf(month);
            expect(month).to.equal(time.toISOString().slice(0, 7));
            expect(start <= time.toISOString() && time.toISOString() < end).to.equal(true);
            expect([monthAt(Date.parse(end)), monthAt(Date.parse(end) - 1)]).to.deep.equal([end.slice(0, 7), month]);
          }
        },
      ),
    );
    expect(cycleOf('2026-12')).to.deep.equal({ start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' });
  });

  it('a refusal says which quota, how much of it is used, and until when', () => {
    const error = workspaceQuotaExceeded({ month: '2026-12', limit: 1000, used: 1000 });
    expect(error.message).to.equal("the workspace's quota of 1000 memories in 2026-12 is used up");
    expect(error.details).to.deep.equal({
      limit: 1000,
      used: 1000,
      cycle: { start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' },
      scope: 'workspace',
    });
  });
});
