/** Readiness while the store takes no writes (actors/write-health.ts). */
import { expect } from 'chai';
import { WriteHealth } from '../../../actors/write-health.js';
import { ManualClock } from '../bus/support.js';
import { turn } from '../../helpers/turn.js';

describe('the health of writes', () => {
  let trials = 0;
  let failing = true;
  let clock: ManualClock;
  let health: WriteHealth;
  beforeEach(() => {
    trials = 0;
    failing = true;
    clock = new ManualClock();
    const trialWrite = async (): Promise<void> => {
      trials++;
      if (failing) throw new Error('full');
    };
    health = new WriteHealth({ trialWrite }, clock);
  });
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await turn();
  };

  it('is a problem from the first commit that fails, and tries no write before', async () => {
    expect(health.problem()).to.equal(null);
    health.committed('conflict');
    await pass(60_000);
    expect([health.problem(), trials]).to.deep.equal([null, 0]);
    health.committed('failed');
    expect(health.problem()).to.equal('the data store cannot be written');
  });

  it('ends with a trial write that takes effect, without any request', async () => {
    health.committed('failed');
    for (let i = 0; i < 3; i++) await pass(2000);
    expect([health.problem() === null, trials]).to.deep.equal([false, 3]);
    failing = false;
    await pass(2000);
    expect(health.problem()).to.equal(null);
    await pass(60_000);
    expect(trials).to.equal(4);
  });

  it('ends with a commit that takes effect, and not with a conflict', async () => {
    health.committed('failed');
    health.committed('conflict');
    expect(health.problem()).not.to.equal(null);
    health.committed('committed');
    expect(health.problem()).to.equal(null);
    await pass(60_000);
    expect(trials).to.equal(0);
  });

  it('tries nothing more when it is stopped', async () => {
    health.committed('failed');
    health.stop();
    await pass(60_000);
    expect(trials).to.equal(0);
  });
});
