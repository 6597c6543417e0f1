/** Which reasoner a model's name gives, and what is said where there is none. */
import { expect } from 'chai';
import { createReasonerFor } from '../../../src/reasoner/registry.js';
import { type Reasoner, ReasonerError, type StepProposal } from '../../../src/reasoner/port.js';
import { contextOf } from './support.js';

const named = (name: string): Reasoner => ({ name, next: () => ({ thoughts: [], calls: [] }) });
const refusal = (act: () => unknown): ReasonerError => {
  try {
    act();
  } catch (e) {
    if (e instanceof ReasonerError) return e;
    throw e;
  }
  throw new Error('it should have failed');
};

describe('reasoner registry', () => {
  const builtIn = named('built-in');
  const full = createReasonerFor({ builtIn, servers: new Map([['openai', (m) => named(`openai/${m}`)]]) });
  const bare = createReasonerFor({ builtIn });

  it('absent or built-in: the built-in one', () => {
    for (const m of [undefined, 'built-in']) expect(bare(m)).to.equal(builtIn);
  });
  it('openai/<name>: by name, slashes included', () => {
    expect(full('openai/meta/llama-3').name).to.equal('openai/meta/llama-3');
  });

  it('a list asks the next one where one is away, refuses for its own reasons or is not configured', async () => {
    const failing =
      (fault: ReasonerError['fault'], retryAfterMs: number | null = null): (() => never) =>
      () => {
        throw Object.assign(new ReasonerError('refused', `${fault} it is`), { fault, retryAfterMs, usage });
      };
    const usage = { requests: 1, inputTokens: 5, cachedInputTokens: 0, outputTokens: 1 };
    const answer = { calls: [{ tool: 'answer' as const, arguments: { content: 'hi' } }], thoughts: [], usage };
    const models: Record<string, () => StepProposal> = {
      away: failing('away', 90_000),
      soon: failing('away', 30_000),
      server: failing('server'),
      request: failing('request'),
      good: () => answer,
    };
    const of = createReasonerFor({
      builtIn,
      servers: new Map([['x', (m) => ({ name: m, next: models[m] ?? (() => answer) })]]),
    });
    const ask = async (...names: string[]): Promise<StepProposal | ReasonerError> => {
      try {
        return await of(names.map((name) => `${name === 'none' ? 'none' : 'x'}/${name}`)).next(
          contextOf({}),
          new AbortController().signal,
        );
      } catch (error) {
        return error as ReasonerError;
      }
    };
    const good = await ask('away', 'server', 'none', 'good', 'request');
    expect(good).to.deep.include({
      calls: answer.calls,
      usage: { ...usage, requests: 3, inputTokens: 15, outputTokens: 3 },
    });
    expect((good as StepProposal).thoughts[0]?.content).to.match(/away it is; server it is; .*HIVEKEEP_MODELS/);
    expect(await ask('good', 'away')).to.deep.equal(answer);
    for (const [names, fault, retryAfterMs] of [
      [['away', 'server', 'soon'], 'away', 30_000],
      [['server', 'none'], 'server', null],
      [['away', 'request', 'good'], 'request', null],
    ] as const)
      expect(await ask(...names), String(names)).to.include({ fault, retryAfterMs });
  });

  for (const [model, says] of [
    ['openai/gpt-x', 'HIVEKEEP_OPENAI_BASE_URL'],
    ['anthropic/claude', 'HIVEKEEP_ANTHROPIC_API_KEY'],
    ['local/llama', 'HIVEKEEP_MODELS'],
    ['openai/', 'not known'],
    ['llama', 'not known'],
  ] as const) {
    it(`${model} without a server is not_configured`, () => {
      const error = refusal(() => bare(model));
      expect(error.code).to.equal('not_configured');
      expect(error.message).to.contain(says).and.to.contain(`"${model}"`);
    });
  }
});
