import { expect } from 'chai';
import { failovers } from './failover.js';

describe('The primary of a replica set goes', () => {
  it('right after an acknowledgement, 3 times: nothing is lost, doubled or read too late (Failover.F1-F3)', async function kill() {
    this.timeout(300_000);
    const report = await failovers({ failovers: 3, delayMs: 5, fault: 'kill' });
    if (report === null) return this.skip(); // no mongod on PATH
    const { lost, doubled, stale } = report;
    expect({ lost, doubled, stale }).to.deep.equal({ lost: [], doubled: [], stale: [] });
  });
});
