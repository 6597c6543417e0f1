/** Keys in MongoDB: src/store/mongo/keys.ts. */
import { Buffer } from 'node:buffer';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  decoded,
  documentId,
  encoded,
  entityId,
  entityOfId,
  idOfDocument,
  sortKey,
} from '../../../src/store/mongo/keys.js';
import type { EntityRef } from '../../../src/store/port.js';

/** Any code units, halves of surrogate pairs too. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(0, 1, 2, 0x7f, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff),
      fc.integer({ min: 0, max: 0xffff }),
    ),
    { maxLength: 6 },
  )
  .map((units) => String.fromCharCode(...units));
const entity: fc.Arbitrary<EntityRef> = fc.record({
  workspace: text,
  kind: fc.constantFrom('agent' as const, 'hive' as const, 'workspace' as const),
  id: text,
});
const bytes = (key: string, other: string): number => Math.sign(Buffer.compare(Buffer.from(key), Buffer.from(other)));
const order = (x: string | number, y: string | number): number => (x < y ? -1 : x > y ? 1 : 0);

describe('store on MongoDB: keys', () => {
  it('what is sent is well-formed Unicode without NUL, and comes back as it was', () => {
    fc.assert(
      fc.property(text, (t) => {
        expect(encoded(t)).not.to.include('\0');
        expect(Buffer.from(encoded(t)).toString()).to.equal(encoded(t));
        expect(decoded(encoded(t))).to.equal(t);
      }),
      { numRuns: 1000 },
    );
  });

  it('entity and id come back from the _id of a head and of a document, and no two share one', () => {
    fc.assert(
      fc.property(entity, text, entity, text, (e, id, other, otherId) => {
        const own = documentId(entityId(e), id);
        expect(entityOfId(entityId(e))).to.deep.equal(e);
        expect(entityOfId(own)).to.deep.equal(e);
        expect(idOfDocument(own)).to.equal(id);
        expect(Buffer.from(own).toString()).to.equal(own);
        expect(own === documentId(entityId(other), otherId)).to.equal(
          JSON.stringify([e, id]) === JSON.stringify([other, otherId]),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('the bytes of sort keys are in the order of their values: texts by code unit, numbers by value, negative ones too', () => {
    const value = fc.oneof(text, fc.constantFrom('a', 'a\0', 'ab', '\ud83d\ude00', '\uffff', '\ue000'));
    const number = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    );
    fc.assert(
      fc.property(value, number, value, value, number, value, (a, n, id, b, m, otherId) => {
        expect(bytes(sortKey([a, n], id), sortKey([b, m], otherId))).to.equal(
          order(a, b) || order(n, m) || order(id, otherId),
        );
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(number, number, (n, m) => {
        expect(bytes(sortKey([n], 'x'), sortKey([m], 'x'))).to.equal(order(n, m));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses an id that is too long for a key', () => {
    expect(() => entityId({ workspace: 'w', kind: 'agent', id: 'x'.repeat(3000) })).to.throw(RangeError);
    expect(() => documentId('w\0a\0x', 'x'.repeat(3000))).to.throw(RangeError);
  });
});
