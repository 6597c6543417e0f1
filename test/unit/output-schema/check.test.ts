import { expect } from 'chai';
import type { OutputSchema } from '../../../src/domain/output-schema.js';
import { outputCheck, SchemaProblem } from '../../../src/output-schema/check.js';

const object = (properties: object, more: object = {}): OutputSchema => ({ type: 'object', properties, ...more });

describe('output schemas', function () {
  this.timeout(60_000);

  it('tell what does not fit, by its place', async () => {
    const check = await outputCheck(
      object(
        { price: { type: 'number' }, size: { enum: ['S', 'M'] } },
        { required: ['price'], additionalProperties: false },
      ),
    );
    expect(check({ price: 1, size: 'S' })).to.equal(null);
    expect(check({ price: '1', size: 'X', more: 1 })).to.match(
      /additional properties \("more"\); \/price must be number; \/size must be equal .* \(\["S","M"\]\)/,
    );
    expect(check('no object')).to.equal('the answer must be object');
  });

  const refused: [string, object, RegExp][] = [
    ['an unknown type', object({ a: { type: 'strin' } }), /is no JSON Schema.*\/properties\/a\/type/],
    ['a reference to elsewhere', object({ a: { $ref: 'https://example.com/a' } }), /can't resolve reference/],
    ['a pattern that is none', object({ a: { pattern: '(' } }), /Invalid regular expression/],
  ];
  for (const [name, schema, why] of refused)
    it(`${name} is refused`, async () => {
      const error: unknown = await outputCheck(schema as OutputSchema).catch((e: unknown) => e);
      expect(error).to.be.instanceOf(SchemaProblem).with.property('message').that.matches(why);
    });

  const twice = { properties: { x: { $ref: '#/$defs/a' } }, required: ['x'] };
  const nested = (depth: number): object => (depth === 0 ? {} : { x: nested(depth - 1) });
  const costly: [string, OutputSchema, unknown][] = [
    ['a pattern that backtracks', object({ s: { pattern: '^(a+)+$' } }), { s: `${'a'.repeat(60)}!` }],
    [
      'references that branch',
      { type: 'object', $ref: '#/$defs/a', $defs: { a: { anyOf: [twice, { ...twice, title: 'b' }] } } },
      nested(60),
    ],
    [
      'items that are all compared',
      object({ s: { uniqueItems: true } }),
      { s: Array.from({ length: 100_000 }, (_, i) => ({ i })) },
    ],
    ['a schema that is itself', { type: 'object', $ref: '#' }, {}],
  ];
  for (const [name, schema, value] of costly)
    it(`OutputSchema.O1: ${name} is given up, and the next check is as any`, async () => {
      expect((await outputCheck(schema))(value)).to.equal('the answer takes too long to check');
      expect((await outputCheck(object({})))({ a: 1 })).to.equal(null);
    });
});
