/**
 * Any sequence of commands keeps what invariants.ts says (U1-U4, B1-B3, W2, counts, journals, JSON), on a state that is
 * frozen, and with restarts from what is stored in between; a refusal is a HivekeepError and nothing else is thrown.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { HivekeepError } from '../../../src/domain/errors.js';
import { AgentWorld } from './support/agent-world.js';
import { action } from './support/random-commands.js';

describe('domain: agents under any sequence of commands', () => {
  const spawn = fc.record({ wake_on_message: fc.boolean(), memory_quota: fc.option(fc.nat(5)), config: fc.record({ validation_gate: fc.constantFrom('none' as const, 'action' as const, 'answer' as const) }, { requiredKeys: [] }) }, { requiredKeys: [] });

  it('keeps the invariants', () => {
    const reached = new Map<string, number>(), note = (what: string): void => { reached.set(what, (reached.get(what) ?? 0) + 1); };
    fc.assert(fc.property(spawn, fc.array(action, { minLength: 10, maxLength: 60 }), (input, actions) => {
      const world = new AgentWorld(input);
      for (const act of actions) {
        const command = act(world);
        if (command === null) continue;
        if (command === 'restart') { world.restart(); continue; }
        const before = world.state;
        try { world.do(command); note(command.type); } catch (error) {
          if (!(error instanceof HivekeepError)) throw error;
          note(error.code);
          expect(world.state).to.equal(before);
        }
      }
      for (const run of world.runs) note(`${run.status} ${run.stopReason ?? ''}`.trim());
    }), { numRuns: 400 });
    // the sequences must have gone everywhere, or the property says little
    const wanted = ['completed answer', 'completed max_steps', 'completed timeout', 'timeout timeout', 'failed', 'cancelled', 'paused', 'pending', 'running', 'resume', 'fork', 'undelivered', 'expire', 'delete', 'AGENT_INACTIVE', 'RUN_NOT_RESUMABLE', 'CONFLICT', 'AGENT_BUSY', 'NOT_FOUND', 'QUOTA_EXCEEDED', 'VALIDATION_ERROR'];
    expect(wanted.filter((what) => !reached.has(what)), `not reached; reached: ${JSON.stringify([...reached])}`).to.deep.equal([]);
  });
});
