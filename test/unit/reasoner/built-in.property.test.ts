/** For any text at all: any text is answered, and the same context gives the same proposal. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { ToolCall } from '../../../src/domain/model/model.js';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import { contextOf, runAll, think, type Given } from './support.js';

const words = [
  'remember',
  'that',
  'tell',
  'Bob',
  ':',
  '.',
  '?',
  '\n',
  'ask a human',
  'whether',
  'share',
  'with the hive',
  'say:',
  'Re:',
  '"',
  'agent_1',
  'about',
  'when',
  'reply to the sender',
  'every message',
  'forward',
  'to',
  'ask a human before answering',
  'always',
  'answer in one sentence',
  '- ',
  'x',
  '12',
  '🐝',
];
const grammatical = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 25 })
  .map((a) => a.join(' '));
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }).map((s) => s.replaceAll('\0', '')),
  grammatical,
);
const inSteps = /\bsteps?\b/i;
const memories = fc.array(
  fc.record({
    id: fc.constant('mem_1'),
    type: fc.constantFrom('semantic', 'message'),
    content: anyText,
    relevance: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 5 },
);
const messages = fc.array(
  fc.record({
    id: fc.constant('msg_1'),
    from: fc.option(fc.constantFrom('agent_ana', 'agent_me', 'someone')),
    content: anyText,
    reply_to: fc.constant(null),
  }),
  { maxLength: 3 },
);
const given: fc.Arbitrary<Given> = fc.record({
  input: anyText,
  instructions: anyText,
  memories,
  messages,
  hives: fc.subarray(['hive_1', 'hive_2']),
  multi: fc.boolean(),
  maxSteps: fc.integer({ min: 1, max: 8 }),
});

function keepsContract(calls: readonly ToolCall[]): void {
  expect(calls).not.to.have.length(0);
  const ends = calls.findIndex((c) => c.tool === 'answer' || c.tool === 'ask_human');
  if (ends >= 0) expect(ends, 'nothing follows answer or ask_human').to.equal(calls.length - 1);
  for (const value of calls.flatMap((c) => Object.values(c.arguments))) {
    expect(value.trim(), JSON.stringify(calls)).not.to.equal('');
    expect(value.isWellFormed()).to.equal(true);
  }
}

describe('built-in reasoner: for any input, instructions, memories and messages', () => {
  const reasoner = createBuiltIn();

  it('proposes the same twice, and keeps the contract', () => {
    fc.assert(
      fc.property(given, (g) => {
        const context = contextOf(g);
        const first = think(reasoner, context);
        expect(think(createBuiltIn(), context)).to.deep.equal(first);
        keepsContract(first.calls);
        for (const t of first.thoughts) {
          expect(t.content.trim()).not.to.equal('');
          expect(t.content.isWellFormed()).to.equal(true);
        }
      }),
      { numRuns: 600 },
    );
  });

  it('answers by the last step of the budget, whatever fails or a human rejects on the way', () => {
    const outcomes = fc.array(fc.constantFrom('ok', 'fails', 'rejected'), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(given, outcomes, anyText, (g, script, said) => {
        fc.pre(![g.input, g.instructions, said].some((t) => inSteps.test(t ?? '')));
        let n = 0;
        let m = 0;
        // A rejected answer takes a step of its own, which no reasoner can prevent.
        const ran = runAll(reasoner, g, () => ({ ok: script[n++ % script.length] !== 'fails', result: 'result' }), {
          onCall: (c) => (c.tool !== 'answer' && c.tool !== 'recall' && rejects(script, m++) ? said : null),
          onQuestion: () => said,
        });
        for (const step of ran.steps) keepsContract(step.calls);
        // A rejection at the last step leaves none to answer in.
        const lastRejected =
          ran.transcript.at(-1)?.at(-1)?.result.startsWith('rejected') === true && ran.transcript.length === g.maxSteps;
        if (!lastRejected) expect(ran.answer).to.be.a('string').and.not.equal('');
      }),
      { numRuns: 600 },
    );
  });
});

const rejects = (script: readonly string[], n: number): boolean => script[n % script.length] === 'rejected';
