/** The file of HIVEKEEP_PRICES: what it gives, and that a mistake in it is a sentence. */
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../src/config/config.js';
import { modelPrices } from '../../../src/config/prices.js';

describe('prices of models', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-prices-'));
  });
  after(() => {
    rmSync(dir, { recursive: true });
  });
  const file = (content: unknown): string => {
    const path = join(dir, 'prices.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  };

  it('are by model, and there are none without a file', () => {
    expect(modelPrices({ prices: null }).size).to.equal(0);
    const prices = modelPrices({
      prices: file({ 'openai/a': { input: 2, output: 8 }, 'local/b': { input: 0, cached_input: 0, output: 0 } }),
    });
    expect(prices.get('openai/a')).to.deep.equal({ input: 2, cachedInput: 2, output: 8 });
    expect(prices.get('local/b')).to.deep.equal({ input: 0, cachedInput: 0, output: 0 });
  });
  for (const [wrong, content] of [
    ['no server', { a: { input: 1, output: 1 } }],
    ['a negative price', { 'openai/a': { input: -1, output: 1 } }],
    ['another field', { 'openai/a': { input: 1, output: 1, thought: 1 } }],
    ['no output', { 'openai/a': { input: 1 } }],
  ] as const)
    it(`with ${wrong} are refused`, () => {
      expect(() => modelPrices({ prices: file(content) })).to.throw(ConfigError, /HIVEKEEP_PRICES/);
    });
});
