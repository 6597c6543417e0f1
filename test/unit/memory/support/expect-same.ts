import { expect } from 'chai';
import type { RecallHit } from '../../../../src/memory/port.js';
import type { NaiveHit } from './naive.js';

/**
 * The same hits. Sums in another order may differ in their last bit and so be rounded to the next ten-thousandth, and
 * then two hits change places.
 */
export function expectSame(found: readonly RecallHit[], expected: readonly NaiveHit[]): void {
  expect(found.length).to.equal(expected.length);
  const byId = new Map(expected.map((hit) => [hit.kind + hit.id, hit]));
  found.forEach((hit, i) => {
    expect(hit.score).to.be.closeTo(expected[i]?.score ?? NaN, 1.5e-4);
    const same = byId.get(hit.kind + hit.id);
    if (same)
      expect([hit.score, hit.relevance]).to.satisfy(
        ([s, r]: number[]) => close(s, same.score) && close(r, same.relevance),
      );
    else expect(hit.score).to.be.closeTo(expected.at(-1)?.score ?? NaN, 1.5e-4);
  });
}
const close = (a: number | undefined, b: number): boolean => Math.abs((a ?? NaN) - b) < 1.5e-4;
