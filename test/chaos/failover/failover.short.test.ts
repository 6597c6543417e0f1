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

  it('and undoes what it took while it was cut off: nothing that was acknowledged was among it (Failover.F1, F2)', async function rollback() {
    this.timeout(300_000);
    const report = await failovers({ failovers: 1, delayMs: 5, fault: 'rollback' });
    if (report === null) return this.skip(); // no mongod on PATH
    const { lost, doubled, rolledBack } = report;
    expect({ lost, doubled }).to.deep.equal({ lost: [], doubled: [] });
    expect(rolledBack, 'the primary took writes, and has undone them').to.be.greaterThan(0);
  });
});
