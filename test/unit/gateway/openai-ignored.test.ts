/** Which fields of a request of OpenAI's clients have no effect (gateway/openai/ignored.ts). */
import { expect } from 'chai';
import { chatFields, ignoredOf, responseFields } from '../../../gateway/openai/ignored.js';

describe('Fields of clients of OpenAI without effect', () => {
  const apis = new Map([
    ['anthropic', 'anthropic'],
    ['mine', 'responses'],
    ['openai', 'openai'],
  ] as const);
  const request = { model: 'a', top_p: 0.5, stop: ['x'], seed: 7, presence_penalty: 1, logprobs: true };
  const penalties = ['presence_penalty', 'seed'];
  const cases: readonly [model: string | string[] | undefined, ignored: string[]][] = [
    ['openai/m', ['logprobs']],
    ['other/m', ['logprobs']],
    ['anthropic/m', ['logprobs', ...penalties]],
    ['mine/m', ['logprobs', ...penalties, 'stop']],
    [
      ['anthropic/m', 'openai/m'],
      ['logprobs', ...penalties],
    ],
    [undefined, ['logprobs', ...penalties, 'stop', 'top_p']],
  ];
  for (const [model, ignored] of cases)
    it(`of an agent on ${JSON.stringify(model) ?? 'the built-in reasoner'}: ${ignored.join(', ')}`, () => {
      const config = model === undefined ? {} : { model };
      expect(ignoredOf(request, { config }, chatFields, apis)).to.deep.equal(ignored);
    });

  it('what says nothing beyond what happens anyway is not named', () => {
    const harmless = { model: 'a', input: 'x', truncation: 'auto', include: [], store: false, service_tier: 'flex' };
    expect(ignoredOf(harmless, { config: {} }, responseFields, apis)).to.deep.equal(['service_tier']);
  });
});
