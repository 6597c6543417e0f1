import { expect } from 'chai';
import fc from 'fast-check';
import { createCursors } from '../../../gateway/http/paging.js';
import { HivekeepError } from '../../../src/domain/shared/errors.js';

const cursors = createCursors(Buffer.alloc(32, 1));
const position = fc.array(
  fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
  ),
  { maxLength: 4 },
);

function refused(cursor: string, binding: string, by = cursors): boolean {
  try {
    by.read(cursor, binding);
    return false;
  } catch (error) {
    return error instanceof HivekeepError && error.code === 'VALIDATION_ERROR';
  }
}

describe('cursors', () => {
  it('give back the position, for their own binding', () => {
    fc.assert(
      fc.property(position, fc.string(), (at, binding) => {
        expect(cursors.read(cursors.sign(at, binding), binding)).to.deep.equal(at);
      }),
    );
  });
  it('are refused for every other binding', () => {
    fc.assert(
      fc.property(position, fc.string(), fc.string(), (at, a, b) => {
        fc.pre(a !== b);
        expect(refused(cursors.sign(at, a), b)).to.equal(true);
      }),
    );
  });
  it('are refused when any character is changed, left out or added', () => {
    fc.assert(
      fc.property(
        position,
        fc.nat(),
        fc.constantFrom(...'AZaz09-_.=+/ '),
        fc.constantFrom('change', 'drop', 'add'),
        (at, where, character, how) => {
          const cursor = cursors.sign(at, 'list');
          const i = where % cursor.length;
          const changed =
            cursor.slice(0, i) + (how === 'drop' ? '' : character) + cursor.slice(how === 'add' ? i : i + 1);
          fc.pre(changed !== cursor);
          expect(refused(changed, 'list')).to.equal(true);
        },
      ),
      { numRuns: 500 },
    );
  });
  it('are refused whatever is made up', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (made) => {
        expect(refused(made, 'list')).to.equal(true);
      }),
    );
  });
  it('cannot move a character between position and binding', () => {
    const cursor = cursors.sign(['a'], 'bc');
    const [payload = '', mac = ''] = cursor.split('.');
    expect(refused(`${payload.slice(0, -1)}.${mac}`, `${payload.slice(-1)}bc`)).to.equal(true);
  });
  it('are refused by another secret', () =>
    expect(refused(cursors.sign(['a'], 'x'), 'x', createCursors(Buffer.alloc(32, 2)))).to.equal(true));
});
