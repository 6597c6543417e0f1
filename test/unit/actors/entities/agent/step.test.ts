/**
 * One step up to what the reasoner proposes (actors/entities/agent/step.ts): at once where it can be, never throwing,
 * reading and changing nothing.
 */
import type { AgentSnapshot } from '../../../../../src/domain/shared/snapshots.js';
import { TimeAway } from '../../../../../actors/entities/outages.js';
import { expect } from 'chai';
import { proposeStep } from '../../../../../actors/entities/agent/step.js';
import type { StepInput } from '../../../../../actors/entities/agent/step-recall.js';
import type { EntityDeps } from '../../../../../actors/entities/deps.js';
import type { LiveRun, StepReport, StoredMessage } from '../../../../../src/domain/agent/agent-state.js';
import type { Recall, RecallHit, RecallQuery } from '../../../../../src/memory/port.js';
import { ReasonerError, type StepContext, type StepProposal } from '../../../../../src/reasoner/port.js';
import type { Store } from '../../../../../src/store/port.js';
import { answers, call, does } from '../../../../helpers/engine.js';
import { entity } from '../writer-kit.js';

interface Given {
  hits?: RecallHit[] | Promise<RecallHit[]>;
  think?: (c: StepContext, signal: AbortSignal) => StepProposal | Promise<StepProposal>;
  slowStore?: boolean;
  agent?: object;
  record?: object;
  messages?: Partial<StoredMessage>[];
}

const hive = { workspace: 'w', kind: 'hive' as const, id: 'h1' };
const hit = (id: string, relevance = 0.5, space = entity, kind: RecallHit['kind'] = 'memory'): RecallHit => ({
  space,
  kind,
  id,
  relevance,
  score: relevance,
});

const at = '2026-01-01T00:00:00.000Z';

function bench(given: Given = {}): {
  take(): ReturnType<typeof proposeStep>;
  queries: RecallQuery[];
  contexts: StepContext[];
  log: string[];
} {
  const queries: RecallQuery[] = [];
  const contexts: StepContext[] = [];
  const log: string[] = [];
  const names: Record<string, string[]> = { Bob: ['bob'], Twin: ['twin1', 'twin2'] };
  const maybe = <T>(value: T): T | Promise<T> => (given.slowStore ? Promise.resolve(value) : value);
  const store = {
    get: (_e: unknown, kind: string, id: string) =>
      maybe(
        id === 'deleted'
          ? null
          : { entity, kind, id, body: { type: 'note', content: `content of ${id}`, created_at: at } },
      ),
    head: (e: { id: string }) =>
      maybe(e.id === 'bob' ? { entity: e, deleted: false, snapshot: { name: 'Bob' } } : null),
    list: (q: { by?: string }) =>
      Promise.resolve({
        items: (names[q.by ?? ''] ?? []).map((id) => ({ id, entity, body: {}, position: [id] })),
        next: null,
      }),
  } as unknown as Store;
  const world = {
    store,
    clock: { now: () => 5 },
    quota: { take: () => null, takeFor: () => null },
    bounds: { storageExceeded: () => null },
    modelBudgets: { usedUp: () => null },
    learning: {},
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (_f: object, m: string) => {
        log.push(m);
      },
    },
    recall: {
      search: (q: RecallQuery) => {
        queries.push(q);
        return given.hits ?? [];
      },
    } as Partial<Recall> as Recall,
    defaults: { maxSteps: 10, maxRuntimeSeconds: 300, messageBudget: 1000 },
    reasonerFor: (model: string | undefined) => {
      if (model === 'openai/none') throw new ReasonerError('not_configured', 'set HIVEKEEP_OPENAI_BASE_URL');
      return {
        name: 'test',
        next: (c: StepContext, signal: AbortSignal) => {
          contexts.push(c);
          return (given.think ?? (() => answers('ok')))(c, signal);
        },
      };
    },
  } as unknown as EntityDeps;
  const input: StepInput = {
    entity,
    agent: {
      id: 'a',
      name: 'A',
      description: '',
      config: {},
      hives: [],
      ...given.agent,
    } as Partial<AgentSnapshot> as AgentSnapshot,
    live: {
      record: {
        id: 'run1',
        input: 'the question',
        sessionId: 's',
        triggeredBy: 'api',
        messageId: null,
        steps: 4,
        budgetFromStep: 3,
        maxSteps: 10,
        held: [],
        ...given.record,
      },
      transcript: [],
      humanInputs: [],
    } as unknown as LiveRun,
    messages: (given.messages ?? []) as StoredMessage[],
    turns: [],
  };
  return {
    take: () => proposeStep(world, input, new AbortController().signal, new TimeAway({ elapsed: () => 0 })),
    queries,
    contexts,
    log,
  };
}

const callsOf = (report: StepReport): unknown[] => (report.ok ? [...report.calls] : [report.error]);

describe('A step', () => {
  it('answers at once, without a promise, when recall, store and reasoner do', () => {
    const { take, contexts } = bench({ hits: [hit('m1')] });
    const report = take();
    expect(report).not.to.be.instanceOf(Promise);
    expect(report).to.deep.include({
      ok: true,
      consulted: [{ id: 'm1', type: 'note', content: 'content of m1', relevance: 0.5, at }],
    });
    expect(contexts[0]).to.deep.include({ step: 2, maxSteps: 10 });
  });

  for (const [what, given] of [
    ['recall', { hits: Promise.resolve([hit('m1')]) }],
    ['the store', { hits: [hit('m1')], slowStore: true }],
    ['the reasoner', { hits: [hit('m1')], think: () => Promise.resolve(answers('ok')) }],
  ] as const) {
    it(`waits for ${what}, with the same result`, async () => {
      const report = bench(given as Given).take();
      expect(report).to.be.instanceOf(Promise);
      expect(await report).to.deep.equal(bench({ hits: [hit('m1')] }).take());
    });
  }

  it("looks in the agent's own context and its hives, as its configuration says", () => {
    const { take, queries } = bench({
      agent: { hives: ['h1'], config: { memory: { recall_limit: 2, min_relevance: 0.3 } } },
    });
    void take();
    expect(queries).to.deep.equal([
      {
        query: 'the question',
        spaces: [
          { ...entity, subject: null },
          { ...hive, subject: null },
        ],
        limit: 2,
        minRelevance: 0.3,
        now: 5,
      },
    ]);
  });

  it('looks for nothing with a recall_limit of 0', () => {
    const { take, queries } = bench({ agent: { config: { memory: { recall_limit: 0 } } } });
    void take();
    expect(queries).to.deep.equal([]);
  });

  it('leaves out what was deleted meanwhile, and the messages that it has in hand anyway', async () => {
    const { take } = bench({
      hits: [hit('deleted'), hit('msg1', 0.9, entity, 'message'), hit('msg0', 0.8, entity, 'message'), hit('m1')],
      messages: [{ id: 'msg1', content: 'hello' }],
      record: { triggeredBy: 'message', messageId: 'msg0' },
    });
    const report = await take();
    expect(report.ok && report.consulted.map((m) => m.id)).to.deep.equal(['m1']);
  });

  it('is about the messages that woke it while it reads these, and of what it was asked otherwise', () => {
    const woken = { triggeredBy: 'message', messageId: 'msg1', input: 'wake' };
    const first = bench({
      record: woken,
      messages: [
        { id: 'msg1', content: 'wake' },
        { id: 'msg2', content: 'and more' },
      ],
    });
    const later = bench({ record: woken });
    void first.take();
    void later.take();
    expect([first.queries[0]?.query, later.queries[0]?.query]).to.deep.equal(['wake\nand more', 'wake']);
  });

  it("a reasoner's own error is the run's, with its code", async () => {
    for (const think of [
      (): never => {
        throw new ReasonerError('unreachable', 'no answer');
      },
      () => Promise.reject(new ReasonerError('unreachable', 'no answer')),
    ]) {
      expect(await bench({ think }).take()).to.deep.equal({
        ok: false,
        error: { code: 'unreachable', message: 'no answer' },
      });
    }
    expect(await bench({ agent: { config: { model: 'openai/none' } } }).take()).to.deep.equal({
      ok: false,
      error: { code: 'not_configured', message: 'set HIVEKEEP_OPENAI_BASE_URL' },
    });
  });

  it('any other error is a defect: said in the log, not to the client', async () => {
    for (const given of [
      {
        think: () => {
          throw new TypeError('secret detail');
        },
      },
      { think: () => Promise.reject(new TypeError('secret detail')) },
      { hits: Promise.reject(new Error('secret detail')) },
    ] as Given[]) {
      const { take, log } = bench(given);
      const report = await take();
      expect(report).to.deep.include({ ok: false });
      expect(JSON.stringify(report)).not.to.contain('secret');
      expect(log).to.deep.equal(['a step failed']);
    }
  });

  it('finds whom a message is for by id, or by a name that only one agent has', async () => {
    const send = (to: string): ReturnType<typeof call> => call('send_message', { to, content: 'x' });
    const report = await bench({ think: () => does(send('bob'), send(' Bob '), send('Twin'), send('Nobody')) }).take();
    expect(
      callsOf(report).map((c) => {
        const { to, problem } = c as { to: unknown; problem: string | null };
        return [to, problem];
      }),
    ).to.deep.equal([
      [{ id: 'bob', name: 'Bob' }, null],
      [{ id: 'bob', name: 'Bob' }, null],
      [null, 'more than one agent is called "Twin"; use its id'],
      [null, 'there is no agent "Nobody"'],
    ]);
  });

  it('finds the hive to share with: the one it is in, or the one named', () => {
    const share = (hives: string[], more: Record<string, string> = {}): unknown =>
      callsOf(
        bench({
          agent: { hives },
          think: () => does(call('share_with_hive', { content: 'x', ...more })),
        }).take() as StepReport,
      ).map((c) => {
        const { hive: h, problem } = c as { hive: unknown; problem: string | null };
        return h ?? problem;
      })[0];
    expect([
      share(['h1']),
      share([]),
      share(['h1', 'h2']),
      share(['h1', 'h2'], { hive_id: 'h2' }),
      share(['h1'], { hive_id: 'h9' }),
    ]).to.deep.equal([
      'h1',
      'the agent is in no hive',
      'the agent is in 2 hives; name one of h1, h2',
      'h2',
      'the agent is not in hive h9',
    ]);
  });

  it('a step that says more than one commit should hold fails with that reason', async () => {
    const think = () => does(...Array.from({ length: 5 }, () => call('remember', { content: 'ä'.repeat(250_000) })));
    const report = await bench({ think }).take();
    expect(report).to.have.nested.property('error.code', 'too_large');
    expect(report).to.have.nested.property('error.message').that.contains('2.4 MiB');
  });

  it('gives what a recall call finds as text', async () => {
    const recall = { think: () => does(call('recall', { query: 'zebra' })) };
    expect(callsOf(await bench({ ...recall, hits: [hit('m1', 0.75)] }).take())).to.deep.equal([
      {
        tool: 'recall',
        arguments: { query: 'zebra' },
        found: [{ id: 'm1', text: 'content of m1 (2026-01-01T00:00:00.000Z, relevance 0.75)' }],
      },
    ]);
    expect(callsOf(await bench(recall).take())).to.deep.include({
      tool: 'recall',
      arguments: { query: 'zebra' },
      found: [],
    });
  });
});
