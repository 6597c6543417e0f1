import { expect } from 'chai';
import fc from 'fast-check';
import type { RunRecord } from '../../../src/domain/agent/agent-state.js';
import { packRun, unpackRun, type PackedRun } from '../../../src/domain/run/stored-run.js';
import { runStatuses } from '../../../src/domain/shared/vocabulary.js';

const time = fc.integer({ min: 0, max: 2 }).map((n) => `2026-11-21T10:00:00.00${n}Z`);
const count = fc.integer({ min: 0, max: 2 });
const outcome = { tool: 'recall' as const, arguments: { query: 'boats' }, ok: true, result: 'two' };
/** Every field there is, so that one that is forgotten in either direction is missed. */
const fields: { [K in keyof Required<RunRecord>]: fc.Arbitrary<Required<RunRecord>[K]> } = {
  id: fc.constant('run_1'),
  agent_id: fc.constant('agent_1'),
  status: fc.constantFrom(...runStatuses),
  stopReason: fc.constantFrom(null, 'answer' as const),
  triggeredBy: fc.constant('api' as const),
  sessionId: fc.constant('sess_1'),
  subject: fc.constant('ana'),
  input: fc.string({ maxLength: 5 }),
  output: fc.option(fc.string({ maxLength: 5 })),
  error: fc.option(fc.constant({ code: 'internal', message: 'no' })),
  waitingFor: fc.option(fc.constant({ kind: 'human' as const, question: 'so?', action: null })),
  maxSteps: count,
  maxRuntimeSeconds: count,
  steps: count,
  forkedFrom: fc.option(fc.constant({ runId: 'run_0', checkpointId: 'ckpt_0', step: 1 })),
  created_at: time,
  updated_at: time,
  started_at: fc.option(time),
  ended_at: fc.option(time),
  nextSeq: count,
  runtimeMs: count,
  budgetFromStep: count,
  budgetFromMs: count,
  held: fc.constantFrom([], [{ tool: 'answer' as const, arguments: { content: 'yes' } }]),
  done: fc.constantFrom([], [outcome]),
  approved: fc.boolean(),
  partial: fc.option(fc.constant('so far')),
  messageId: fc.option(fc.constant('msg_1')),
  hops: count,
  budget: count,
  consulted: fc.array(
    fc.record({
      id: fc.constantFrom('mem_1', 'run_0.input', 'run_0.1'),
      type: fc.constantFrom('semantic', 'conversation', 'message'),
      relevance: fc.constantFrom(0.5, 1),
    }),
    { maxLength: 2 },
  ),
  entryId: fc.option(fc.constant('ckpt_1')),
  statusAt: time,
  statusSeq: count,
  usage: fc.constant({ requests: 1, inputTokens: 2, cachedInputTokens: 1, outputTokens: 3, cost: 0.25 }),
  budgetFromUsage: fc.constant({ requests: 1, inputTokens: 2, cachedInputTokens: 1, outputTokens: 3 }),
  lastStep: fc.constant(true as const),
  powers: fc.constant(['memory:read' as const]),
  trace: fc.constant('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
  restarts: fc.constant({ count: 1, process: 'p' }),
  calling: fc.constant(true as const),
  modelOutage: fc.constant({ tries: 1, spentMs: 5000, retryAt: '2026-11-21T10:00:00.000Z' }),
  parts: fc.constant([{ kind: 'text' as const, text: 'yes' }]),
  messages: fc.constant([{ messageId: 'm', role: 'user' as const }]),
  overrides: fc.constant({ model: 'openai/x', output_schema: null }),
  trusted: fc.constant(true),
  said: fc.constant('so'),
  metadata: fc.constant({ order: 1 }),
  contextId: fc.constant('c'),
  progress: fc.constant('short' as const),
  files: fc.constant([{ sha256: 'a'.repeat(64), size: 3, mediaType: 'image/png' }]),
  begunBy: fc.constant('tok_1'),
  push: fc.constant([{ id: 'p', url: 'https://example.com', version: '1.0' as const }]),
  opens: fc.constant(true as const),
  earlier: fc.constant([{ role: 'user' as const, content: 'hi' }]),
  chain: fc.constant('abc'),
  passing: fc.constant(true as const),
  results: fc.constant([outcome]),
  noted: fc.constant(true as const),
  studied: fc.constant(true as const),
  later: fc.constant(true as const),
  unheeded: fc.constant(['run_1.input']),
  turns: fc.constant({}),
  forks: fc.constant(1),
  journalRemoved: fc.constant('partly' as const),
  parent: fc.constant({ agent_id: 'agent_0', runId: 'run_0' }),
  owes: fc.constant({ call: 'run_0.1.1', via: ['agent_0'] }),
  handed: fc.constant({ agent_id: 'agent_2', name: 'Bo', session: 's' }),
  handedAt: time,
  tree: fc.constant({ most: { tokens: 5 }, used: { tokens: 1, micros: 0 } }),
  asked: fc.constant([{ id: 'run_1.1.1', agent_id: 'agent_2', name: 'Bo', came: { ok: true, result: 'yes' } }]),
};
const optional = [
  'parent',
  'owes',
  'asked',
  'earlier',
  'chain',
  'passing',
  'results',
  'usage',
  'budgetFromUsage',
  'lastStep',
  'budget',
  'powers',
  'trace',
  'restarts',
  'calling',
  'modelOutage',
  'parts',
  'messages',
  'overrides',
  'trusted',
  'said',
  'metadata',
  'contextId',
  'progress',
  'files',
  'begunBy',
  'push',
  'opens',
  'noted',
  'studied',
  'later',
  'unheeded',
  'turns',
  'forks',
  'journalRemoved',
] as const satisfies readonly (keyof RunRecord)[];
const always = (Object.keys(fields) as (keyof RunRecord)[]).filter((name) => !optional.some((each) => each === name));
const run = fc.record(fields, { requiredKeys: always }) as fc.Arbitrary<RunRecord>;

describe('domain: runs as stored', () => {
  const throughJson = (body: unknown): RunRecord =>
    unpackRun({
      id: 'run_1',
      entity: { id: 'agent_1' },
      body: JSON.parse(JSON.stringify(body)) as PackedRun,
    });

  it('come back as they were, through JSON', () => {
    fc.assert(
      fc.property(run, (r) => {
        expect(throughJson(packRun(r))).to.deep.equal(r);
      }),
      { numRuns: 1000 },
    );
  });

  it('keep what lists are made of', () => {
    fc.assert(
      fc.property(run, (r) => {
        const { status, sessionId, updated_at } = r;
        expect(packRun({ ...r, contextId: 'c', opens: true, turns: {} })).to.include({
          status,
          sessionId,
          updated_at,
          contextId: 'c',
          opens: true,
        });
      }),
      { numRuns: 20 },
    );
  });
});
