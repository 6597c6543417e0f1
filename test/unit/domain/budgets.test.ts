/** Budgets in tokens and in money, of runs and of months (docs/api.md 8.6). Budgets.C1 to C3: src/domain/agent/budgets.ts. */
import { expect } from 'chai';
import type { ModelUsage } from '../../../src/domain/model/model.js';
import { addModelUsage, costOf, countModelUsage, modelUsageIn } from '../../../src/domain/agent/budgets.js';
import type { ResolvedCall } from '../../../src/domain/agent/agent-state.js';
import { AgentWorld, type Command } from './support/agent-world.js';
import { answer, oneAtATime, patches, recall, resume, start } from './support/commands.js';
import { given } from './support/given.js';

const used = (tokens: number, cost?: number): ModelUsage => ({
  requests: 1,
  inputTokens: tokens - 1,
  cachedInputTokens: 0,
  outputTokens: 1,
  ...(cost !== undefined && { cost }),
});
/** A step that has used this. */
const step =
  (calls: readonly ResolvedCall[], usage: ModelUsage): Command =>
  (w: AgentWorld) => ({
    type: 'step',
    runId: w.running.record.id,
    attempt: w.running.attempt,
    usedMs: 5,
    report: { ok: true, thoughts: [], calls, consulted: [], usage },
  });
const perRun = (budget: object) => ({ config: { budget } });

describe('domain: budgets of model usage', () => {
  it('costs are exact in millionths, of what prices are known', () => {
    const price = { input: 2.5, cachedInput: 0.25, output: 10 };
    const cost = costOf(price, { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 100 });
    expect(cost).to.equal(0.0026);
    let sum: ModelUsage | undefined;
    for (let i = 0; i < 1000; i++) sum = addModelUsage(sum, used(10, 0.1));
    expect(sum?.cost).to.equal(100);
    expect(addModelUsage(used(1), used(2))).to.not.have.property('cost');
    expect(addModelUsage(used(1), used(2, 0.5)).cost).to.equal(0.5);
    const month = Date.parse('2026-11-28T00:00:00Z');
    const counts = [used(5, 0.25), used(5), used(5, 0.5)].reduce((all, one) => countModelUsage(all, one, month), {});
    expect(modelUsageIn(counts, '2026-11')).to.include({ cost: 0.75, inputTokens: 12 });
    expect(modelUsageIn(countModelUsage({}, used(5), month), '2026-11')).to.not.have.property('cost');
  });

  for (const [what, budget, usage] of [
    ['tokens', { tokens_per_run: 100 }, used(100)],
    ['money', { cost_per_run: 0.5 }, used(1, 0.5)],
  ] as const)
    it(`Budgets.C1: a run that has used its ${what} has one step more, and can be resumed`, () => {
      given(perRun(budget), start())
        .when(step([recall('x')], used(2, 0.1)))
        .then((w) => {
          expect(w.run()).to.not.have.property('lastStep');
        })
        .when(step([recall('x')], usage))
        .then((w) => {
          expect(w.run()).to.include({ status: 'running', lastStep: true });
        })
        .when(step([recall('y')], used(2)))
        .then((w) => {
          expect(w.run()).to.include({ status: 'completed', stopReason: 'budget', steps: 3 });
          expect(w.run()).to.not.have.property('lastStep');
        })
        .when(resume(), step([recall('x')], used(2, 0.1)))
        .then((w) => {
          expect(w.run(), 'with a fresh budget').to.include({ status: 'running' });
          expect(w.run()).to.not.have.property('lastStep');
        });
    });
  it('an answer within the last step is the answer', () => {
    given(perRun({ tokens_per_run: 10 }), start())
      .when(step([recall('x')], used(50)), step([answer('so far')], used(50)))
      .then((w) => {
        expect(w.run()).to.include({ status: 'completed', stopReason: 'answer', output: 'so far' });
      });
  });
  it('Budgets.C2: no run begins in a month that is used up; what waits goes on, and the limit can be raised', () => {
    given({ config: { ...oneAtATime.config, budget: { cost_per_month: 1 } } }, start('first'), start('second'))
      .when(step([recall('x')], used(10, 1.5)))
      .when(start('third'))
      .refused('QUOTA_EXCEEDED', (error) => {
        expect(error.details).to.deep.include({ limit: 1, used: 1.5, scope: 'budget', budget: 'cost_per_month' });
      })
      .when(step([answer()], used(10)), step([answer()], used(10)))
      .then((w) => {
        expect(w.runs.map(({ status }) => status)).to.deep.equal(['completed', 'completed']);
      })
      .when(patches({ config: { budget: { cost_per_month: 2 } } }), start('third'))
      .then((w) => {
        expect(w.runs).to.have.length(3);
      });
  });
  it('Budgets.C3: each percentage of a month is told once', () => {
    const w = new AgentWorld({ config: { budget: { tokens_per_month: 100 } } });
    w.do(start());
    const told = (tokens: number): unknown[] => {
      const { effects } = w.do(step([recall('x')], used(tokens)));
      return effects.flatMap((effect) =>
        effect.type === 'announce' && effect.event.type === 'usage.alert' ? [effect.event.data['percent']] : [],
      );
    };
    expect([told(79), told(1), told(10), told(30), told(5)]).to.deep.equal([[], [80], [], [95], []]);
  });
});
