/** Which reasoner a model's name gives, and what is said where there is none. */
import { expect } from 'chai';
import { createReasonerFor } from '../../../src/reasoner/registry.js';
import { type Reasoner, ReasonerError } from '../../../src/reasoner/port.js';

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
