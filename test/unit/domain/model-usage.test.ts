import { expect } from 'chai';
import type { Counts } from '../../../src/domain/shared/draft.js';
import { countModelUsage, lastingCounts, modelUsageIn } from '../../../src/domain/agent/budgets.js';

const used = { requests: 1, inputTokens: 20, cachedInputTokens: 10, outputTokens: 3 };
const twice = { requests: 2, inputTokens: 40, cachedInputTokens: 20, outputTokens: 6 };

describe('The usage of models by month', () => {
  it('counts in the month of its time, and keeps the month before alone of the others', () => {
    const months = [8, 9, 9, 10].map((month) => Date.UTC(2026, month, 2));
    const counts = months.reduce((sums, ms) => countModelUsage(sums, used, ms), { memories: 4 } as Counts);
    expect(modelUsageIn(counts, '2026-11')).to.deep.equal(used);
    expect(modelUsageIn(counts, '2026-10')).to.deep.equal(twice);
    expect(Object.keys(counts).filter((name) => name.includes('2026-09'))).to.deep.equal([]);
    expect(lastingCounts(counts)).to.have.all.keys(Object.keys(counts).filter((name) => name !== 'memories'));
  });
});
