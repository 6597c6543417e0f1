import { expect } from 'chai';
import fc from 'fast-check';
import { maxDepth, parseObject } from '../../../gateway/http/json.js';
import { HivekeepError } from '../../../src/domain/errors.js';

const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }));

function depthOf(value: unknown): number {
  return value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
const hasNul = (value: unknown): boolean => JSON.stringify(value).includes('\\u0000');
const attempt = (text: string | Buffer): unknown => {
  try {
    return parseObject(Buffer.from(text as string));
  } catch (error) {
    return error;
  }
};

describe('parseObject', () => {
  it('gives what JSON.parse gives for anything storable', () => {
    fc.assert(
      fc.property(objects, (value) => {
        fc.pre(!hasNul(value) && !JSON.stringify(value).includes('__proto__'));
        expect(attempt(JSON.stringify(value))).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 300 },
    );
  });
  it('refuses NUL and lone surrogates wherever they stand', () => {
    fc.assert(
      fc.property(objects, fc.constantFrom('\0', '\ud800', '\udfff'), fc.boolean(), (value, bad, asKey) => {
        const made = asKey ? { ...value, deep: [{ [`x${bad}`]: 1 }] } : { ...value, deep: [{ x: `y${bad}` }] };
        expect(attempt(JSON.stringify(made))).to.be.instanceOf(HivekeepError);
      }),
    );
  });
  it('counts depth as nesting, not as brackets', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 130 }),
        fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', ']') }),
        (depth, noise) => {
          let value: unknown = noise;
          for (let i = 1; i < depth; i++) value = i % 2 ? [value] : { inner: value };
          const made = { [`k${noise}`]: value };
          expect(attempt(JSON.stringify(made)) instanceof HivekeepError).to.equal(depthOf(made) > maxDepth);
        },
      ),
    );
  });
  it('never throws anything else, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, text) => {
        for (const body of [Buffer.from(bytes), Buffer.from(`{"a":${text}}`), Buffer.from(text)]) {
          try {
            parseObject(body);
          } catch (error) {
            expect(error).to.be.instanceOf(HivekeepError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
