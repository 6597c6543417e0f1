import { expect } from 'chai';
import fc from 'fast-check';
import type { JournalEntry } from '../../../src/domain/agent/agent-state.js';
import { packEntry, unpackEntry } from '../../../src/domain/run/stored-run.js';
import { type RunEvent } from '../../../src/domain/model/model.js';
import { runStatuses, thoughtTypes } from '../../../src/domain/shared/vocabulary.js';

const time = fc.integer({ min: 0, max: 5 }).map((n) => `2026-11-21T10:00:00.00${n}Z`);
const identity = { runId: 'run_1', sessionId: 'sess_1', agent_id: 'agent_1' };
const text = fc.string({ maxLength: 12 });

type Bare = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'seq'> : never) : never;
const event: fc.Arbitrary<Bare> = fc.oneof(
  fc.record({
    at: time,
    type: fc.constant('status' as const),
    status: fc.constantFrom(...runStatuses),
    stopReason: fc.constantFrom(null, 'answer' as const),
    message: fc.option(text),
  }),
  fc.record({ at: time, type: fc.constant('answer' as const), content: fc.constantFrom('', 'yes', 'no') }),
  fc
    .record({
      at: time,
      type: fc.constant('thought' as const),
      thoughtType: fc.constantFrom(...thoughtTypes),
      content: text,
    })
    .map(({ at, type, thoughtType, content }) => ({
      at,
      type,
      thought: { id: 'tht_1', thoughtType, content, ...identity, step: 3, created_at: at },
    })),
);
const calls = fc.array(
  fc.record({
    tool: fc.constantFrom('answer' as const, 'recall' as const),
    arguments: fc.constantFrom<Record<string, string>>({}, { content: 'yes' }, { content: 'no' }),
    ok: fc.boolean(),
    result: text,
  }),
  { maxLength: 3 },
);
const entry: fc.Arbitrary<JournalEntry> = fc
  .record({
    firstSeq: fc.integer({ min: 1, max: 99 }),
    events: fc.array(event, { maxLength: 5 }),
    created_at: time,
    human: fc.option(
      fc.record({ step: fc.integer(), decision: fc.constantFrom(null, 'reject' as const), input: text }),
    ),
    checkpoint: fc.option(fc.record({ calls, output: fc.option(text), runtimeMs: fc.nat(), created_at: time })),
  })
  .map(({ firstSeq, events, created_at, human, checkpoint }) => ({
    id: 'ckpt_1',
    ...identity,
    step: 3,
    firstSeq,
    created_at,
    human,
    events: events.map((e, i) => ({ seq: firstSeq + i, ...e })),
    checkpoint: checkpoint && { id: 'ckpt_1', ...identity, step: 3, ...checkpoint },
  }));

describe('domain: journal entries as stored', () => {
  it('come back as they were, through JSON', () => {
    fc.assert(
      fc.property(entry, (e) => {
        expect(
          unpackEntry('ckpt_1', 'agent_1', JSON.parse(JSON.stringify(packEntry(e))) as ReturnType<typeof packEntry>),
        ).to.deep.equal(e);
      }),
      { numRuns: 500 },
    );
  });

  it('hold an answer once', () => {
    const content = 'a long answer '.repeat(50);
    const at = '2026-11-21T10:00:00.000Z';
    const packed = JSON.stringify(
      packEntry({
        id: 'ckpt_1',
        ...identity,
        step: 1,
        firstSeq: 1,
        created_at: at,
        human: null,
        events: [{ seq: 1, at, type: 'answer', content }],
        checkpoint: {
          id: 'ckpt_1',
          ...identity,
          step: 1,
          calls: [{ tool: 'answer', arguments: { content }, ok: true, result: 'answered' }],
          output: null,
          runtimeMs: 1,
          created_at: at,
        },
      }),
    );
    expect(packed.split(content)).to.have.length(2);
  });
});
