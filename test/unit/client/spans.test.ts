/** What the page of a run makes of its journal: what it spent its time on. */
import { expect } from 'chai';
import type { Checkpoint, Run, RunEvent } from '../../../packages/console/src/lib/api.js';
import { spansOf } from '../../../packages/console/src/pages/run/spans.js';

const at = (ms: number): string => new Date(ms).toISOString();
const run = (started: number | null): Run =>
  ({ created_at: at(0), started_at: started === null ? null : at(started) }) as Run;
const status = (ms: number, to: Run['status'], decision?: object): RunEvent =>
  ({ type: 'status', at: at(ms), status: to, ...(decision && { decision }) }) as RunEvent;
const thought = (ms: number, step: number, more: object = {}): RunEvent =>
  ({ type: 'thought', at: at(ms), thought: { step, thoughtType: 'insight', ...more } }) as RunEvent;
const checkpoint = (ms: number, step: number, runtimeMs: number): Checkpoint =>
  ({ created_at: at(ms), step, runtimeMs, calls: [] }) as unknown as Checkpoint;
const told = (...given: Parameters<typeof spansOf>): unknown[] =>
  spansOf(...given).map(({ kind, from, to, called, work }) => [kind, from, to, called, work]);

describe('the spans of a run', () => {
  it('are its steps, each from the end of the one before it, with its calls apart', () => {
    const events = [status(0, 'running'), thought(400, 1), thought(1200, 2), status(1200, 'completed')];
    expect(told(run(0), events, [checkpoint(500, 1, 450), checkpoint(1200, 2, 1100)], 9999)).to.deep.equal([
      ['step', 0, 500, 400, 450],
      ['step', 500, 1200, null, 650],
    ]);
  });

  it('are its waits, for its turn and for a person, which are not counted as work', () => {
    const decision = { decision: 'approve' };
    const events = [
      status(2000, 'running'),
      thought(2300, 1),
      status(2300, 'paused'),
      status(8000, 'running', decision),
      thought(8100, 2),
    ];
    expect(told(run(2000), events, [checkpoint(8000, 1, 300), checkpoint(8100, 2, 390)], 9999)).to.deep.equal([
      ['turn', 0, 2000, null, null],
      ['step', 2000, 2300, null, 300],
      ['pause', 2300, 8000, null, null],
      ['step', 8000, 8100, null, 90],
    ]);
  });

  it('go on until now where it still waits', () => {
    expect(told(run(null), [], [], 500)).to.deep.equal([['turn', 0, 500, null, null]]);
    const paused = [status(0, 'running'), thought(10, 1), status(10, 'paused')];
    expect(told(run(0), paused, [], 700)).to.deep.equal([
      ['step', 0, 10, null, null],
      ['pause', 10, 700, null, null],
    ]);
  });

  it('leave out thoughts that announce a call or repeat its result, which stands with the call', () => {
    const events = [
      status(0, 'running'),
      thought(5, 1, { thoughtType: 'goal' }),
      thought(5, 1, { thoughtType: 'action', tool: 'remember' }),
      thought(5, 1, { thoughtType: 'recall' }),
      thought(9, 2, { thoughtType: 'result' }),
      thought(9, 2, { thoughtType: 'recall', found: 2 }),
    ];
    const kept = spansOf(run(0), events, [], 9).map(({ thoughts }) => thoughts.map(({ thoughtType }) => thoughtType));
    expect(kept).to.deep.equal([['goal'], ['recall']]);
  });
});
