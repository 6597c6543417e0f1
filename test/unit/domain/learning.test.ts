/** Which runs an agent's model learns from (src/domain/agent/learning.ts). */
import { expect } from 'chai';
import type { RunRecord } from '../../../src/domain/agent/agent-state.js';
import type { AgentConfig } from '../../../src/domain/agent/agent-config.js';
import { learnsFrom } from '../../../src/domain/agent/learning.js';

const run = (more: Partial<RunRecord> = {}): RunRecord =>
  ({ triggeredBy: 'api', forkedFrom: null, ...more }) as unknown as RunRecord;
const asked: AgentConfig = { model: 'openai/test', memory: { learn: 'model' } };
const learns = (more: Partial<RunRecord>, config: AgentConfig = {}): boolean =>
  learnsFrom({ config: { ...asked, ...config } }, run(more));

describe('domain: learning', () => {
  it('only from what a client says itself (Learnt.N1)', () => {
    expect(learns({})).to.equal(true);
    for (const triggeredBy of ['a2a', 'message', 'fork'] as const) expect(learns({ triggeredBy })).to.equal(false);
    expect(learns({ forkedFrom: { runId: 'run_1', checkpointId: 'c', step: 1 } })).to.equal(false);
  });

  it('by a model unless it is not to, whatever waits for approval, and not where memories may not be written (Learnt.N2)', () => {
    expect(learns({}, { model: 'built-in' })).to.equal(false);
    expect(learns({}, { memory: {} })).to.equal(true);
    expect(learns({}, { memory: { learn: 'off' } })).to.equal(false);
    expect(learns({}, { memory: { conversation: 'off', learn: 'model' } })).to.equal(false);
    expect(learns({}, { memory: { conversation: 7, learn: 'model' } })).to.equal(true);
    expect(learns({}, { validation_gate: 'action' })).to.equal(true);
    expect(learns({}, { validation_gate: 'answer' })).to.equal(true);
    expect(learns({ powers: ['memory:read'] })).to.equal(false);
    expect(learns({ powers: ['memory:read', 'memory:write'] })).to.equal(true);
  });
});
