/** A table of names behaves as a map with counts, whatever is taken and released. */
import { expect } from 'chai';
import fc from 'fast-check';
import { StringTable } from '../../../src/memory/columns.js';

const name = fc.oneof(
  fc.constantFrom('', 'a', 'parade', 'caf\u00e9', '\u6771\u4eac', '\ud800', '\ud83d\ude00 x', 'a'.repeat(70)),
  fc.integer({ min: 0, max: 400 }).map((n) => `name ${n}`),
);

describe('a table of names', () => {
  it('numbers and uses, also after it was stored and restored', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.boolean()), { maxLength: 600 }), (steps) => {
        let table = new StringTable();
        const uses = new Map<string, { number: number; count: number }>();
        for (const [i, [each, take]] of steps.entries()) {
          const known = uses.get(each);
          if (take) {
            const number = table.take(each);
            if (known) expect(number).to.equal(known.number);
            uses.set(each, { number, count: (known?.count ?? 0) + 1 });
          } else if (known) {
            expect(table.release(known.number)).to.equal(known.count === 1);
            if (known.count === 1) uses.delete(each);
            else known.count--;
          }
          if (i % 100 !== 99) continue;
          const restored = new StringTable();
          restored.restore(table.image());
          table = restored;
        }
        expect(table.size).to.equal(uses.size);
        expect(new Set([...uses.values()].map(({ number }) => number)).size).to.equal(uses.size);
        for (const [each, { number, count }] of uses) {
          expect(table.find(each)).to.equal(number);
          expect(table.uses(number)).to.equal(count);
          expect(table.name(number)).to.equal(each);
        }
      }),
      { numRuns: 100 },
    );
  });
});
