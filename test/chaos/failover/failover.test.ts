/** FAILOVERS says how many of each, FAILOVER_DELAYS the ms between two members, FAILOVER_FAULTS how the primary goes. */
import { expect } from 'chai';
import { failovers, faults, type Fault } from './failover.js';

const each = Number(process.env['FAILOVERS'] ?? 20);
const delays = (process.env['FAILOVER_DELAYS'] ?? '1,5,20').split(',').map(Number);
const kinds = (process.env['FAILOVER_FAULTS'] ?? faults.join()).split(',') as Fault[];
const told = (line: string): void => void process.stdout.write(`      ${line}\n`);

describe('The primary of a replica set goes, for long', function () {
  this.timeout(60_000 + each * 60_000);
  for (const fault of kinds)
    for (const delayMs of delays)
      it(`${fault}, ${each} times, ${delayMs} ms between two members (Failover.F1-F3)`, async function goes() {
        const report = await failovers({ failovers: each, delayMs, fault, told });
        if (report === null) return this.skip(); // no mongod on PATH
        const { lost, doubled, stale, stillMs } = report;
        const still = [...stillMs].sort((a, b) => a - b);
        told(
          `${fault} ${delayMs} ms: ${report.acknowledged} acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${stale.length} stale, ${report.failed} failed, ${report.rolledBack} writes of a primary alone undone, still for ${still[still.length >> 1]} ms in the middle, ${still.at(-1)} at most`,
        );
        expect({ lost, doubled }).to.deep.equal({ lost: [], doubled: [] });
        // clients still reach a primary that is cut off, until it notices (docs/cluster.md)
        if (fault !== 'cut' && fault !== 'rollback') expect(stale).to.deep.equal([]);
      });
});
