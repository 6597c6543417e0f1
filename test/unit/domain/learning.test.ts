/** Which runs an agent learns from (src/domain/learning.ts). */
import { expect } from 'chai';
import type { RunRecord } from '../../../src/domain/agent-state.js';
import type { AgentConfig } from '../../../src/domain/inputs.js';
import { mayLearn } from '../../../src/domain/learning.js';

const run = (more: Partial<RunRecord> = {}): RunRecord =>
  ({ triggeredBy: 'api', forkedFrom: null, steps: 0, held: [], ...more }) as unknown as RunRecord;
const learns = (more: Partial<RunRecord>, config: AgentConfig = {}): boolean => mayLearn({ config }, run(more));

describe('domain: learning', () => {
  it('only from the first step of what a client asks itself (Learnt.N1)', () => {
    expect(learns({})).to.equal(true);
    for (const triggeredBy of ['a2a', 'message', 'fork'] as const) expect(learns({ triggeredBy })).to.equal(false);
    expect(learns({ steps: 1 })).to.equal(false);
    expect(learns({ forkedFrom: { runId: 'run_1', checkpointId: 'c', step: 1 } })).to.equal(false);
  });

  it('not where it is turned off, where actions need approval, or where memories may not be written (Learnt.N2)', () => {
    expect(learns({}, { memory: { learn: 'off' } })).to.equal(false);
    expect(learns({}, { memory: { conversation: 'off' } })).to.equal(false);
    expect(learns({}, { memory: { conversation: 7, learn: 'rules' } })).to.equal(true);
    expect(learns({}, { validation_gate: 'action' })).to.equal(false);
    expect(learns({}, { validation_gate: 'answer' })).to.equal(true);
    expect(learns({ powers: ['memory:read'] })).to.equal(false);
    expect(learns({ powers: ['memory:read', 'memory:write'] })).to.equal(true);
  });
});
