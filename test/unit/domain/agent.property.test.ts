/**
 * Any sequence of commands keeps what invariants.ts says (Model.W2, counts, journals, JSON), on a state that is
 * frozen, and with restarts from what is stored in between; a refusal is a HivekeepError and nothing else is thrown.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { HivekeepError } from '../../../src/domain/shared/errors.js';
import type { SpawnInput } from '../../../src/domain/shared/inputs.js';
import { AgentWorld, nameOf } from './support/agent-world.js';
import { action, type Action } from './support/random-commands.js';

describe('domain: agents under any sequence of commands', () => {
  const spawn = fc.record(
    {
      wake_on_message: fc.boolean(),
      memory_quota: fc.option(fc.nat(5)),
      config: fc.record(
        { validation_gate: fc.constantFrom('none' as const, 'action' as const, 'answer' as const) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );

  const sequence = fc.array(action, { minLength: 10, maxLength: 60, size: 'max' });

  /** Does what the sequence says, and counts which commands were done, refusals and ends there were. */
  function play(input: Partial<SpawnInput>, actions: readonly Action[], reached = new Map<string, number>()): void {
    const world = new AgentWorld(input);
    const note = (what: string): void => {
      reached.set(what, (reached.get(what) ?? 0) + 1);
    };
    for (const act of actions) {
      const command = act(world);
      if (command === null) continue;
      if (command === 'restart') {
        world.restart();
        continue;
      }
      const before = world.state;
      try {
        world.do(command);
        note(nameOf(command));
      } catch (error) {
        if (!(error instanceof HivekeepError)) throw error;
        note(error.code);
        expect(world.state).to.equal(before);
      }
    }
    for (const run of world.runs) note(`${run.status} ${run.stopReason ?? ''}`.trim());
  }

  it('keeps the invariants', () => {
    fc.assert(
      fc.property(spawn, sequence, (input, actions) => {
        play(input, actions);
      }),
      { numRuns: 300 },
    );
  });

  it('goes everywhere: else the property says little', () => {
    const reached = new Map<string, number>();
    // one seed, as chance would leave out a rare one now and then
    for (const [input, actions] of fc.sample(fc.tuple(spawn, sequence), { numRuns: 300, seed: 42 }))
      play(input, actions, reached);
    const wanted = [
      'completed answer',
      'completed max_steps',
      'completed timeout',
      'timeout timeout',
      'failed',
      'cancelled',
      'paused',
      'pending',
      'running',
      'resume',
      'forkRun',
      'task',
      'setPush',
      'deletePush',
      'pushed',
      'deadLettered',
      'replayDeadLetter',
      'undelivered',
      'expire',
      'delete',
      'AGENT_INACTIVE',
      'RUN_NOT_RESUMABLE',
      'CONFLICT',
      'AGENT_BUSY',
      'NOT_FOUND',
      'QUOTA_EXCEEDED',
      'VALIDATION_ERROR',
    ];
    expect(
      wanted.filter((what) => !reached.has(what)),
      `not reached; reached: ${JSON.stringify([...reached])}`,
    ).to.deep.equal([]);
  });
});
