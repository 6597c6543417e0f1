import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { OutputSchema } from '../../../src/domain/shared/output-schema.js';
import { mostSteps, outputCheck, SchemaProblem } from '../../../src/output-schema/check.js';
import { patternOf } from '../../../src/output-schema/pattern.js';
import { StepLimit, Validator } from '../../../src/output-schema/validator.js';
import { turn } from '../../helpers/turn.js';
import { anySchema, anyValue } from './schemas.js';

const object = (properties: object, more: object = {}): OutputSchema => ({ type: 'object', properties, ...more });
const free = { spend: () => undefined };

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
    expect(check({ price: '1', size: 'X', more: 1 })).to.equal(
      '/price must be number; /size must be equal to one of the allowed values (["S","M"]); the answer must NOT have additional properties ("more")',
    );
    expect(check('no object')).to.equal('the answer must be object');
  });

  const refused: [string, object, RegExp][] = [
    ['an unknown type', object({ a: { type: 'strin' } }), /is no JSON Schema.*\/properties\/a\/type/],
    ['a reference to elsewhere', object({ a: { $ref: 'https://example.com/a' } }), /can't resolve reference/],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/a' } }), /can't resolve reference #\/\$defs\/a/],
    ['a pattern that is none', object({ a: { pattern: '(' } }), /\/properties\/a .*Invalid regular expression/],
    ['a pattern that is too large', object({ a: { pattern: '((((ab){99}){99}){99})' } }), /pattern that is too large/],
    ['copies of nothing', object({ a: { pattern: '(?:(?:){999999999}){999999999}' } }), /takes too long to read/],
    ['endless copies of a group', object({ a: { pattern: '(){999999999,}' } }), /too long to read|too large/],
    [
      'many patterns that a few characters make large',
      object(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`a${i}`, { pattern: `(abc){${1000 + i}}` }]))),
      /takes too long to read/,
    ],
    ['a schema that is none', object({ a: 1 }), /\/properties\/a must be object,boolean/],
    ['a number that is none', object({ a: { maxLength: -1 } }), /\/properties\/a\/maxLength must be an integer >= 0/],
  ];
  for (const [name, schema, why] of refused)
    it(`${name} is refused`, async () => {
      const error: unknown = await outputCheck(schema as OutputSchema).catch((e: unknown) => e);
      expect(error).to.be.instanceOf(SchemaProblem).with.property('message').that.matches(why);
    });

  const twice = { properties: { x: { $ref: '#/$defs/a' } }, required: ['x'] };
  const nested = (depth: number): object => (depth === 0 ? {} : { x: nested(depth - 1) });
  const tooCostly = 'the answer takes too long to check';
  /** Beyond the limit only by what one thing costs that is counted at once. */
  const all = mostSteps.check + 1000;
  const costly: [name: string, OutputSchema, unknown, told: string | null, steps: number][] = [
    [
      'a pattern that backtracks',
      object({ s: { pattern: '^(a+)+$' } }),
      { s: `${'a'.repeat(60)}!` },
      '/s must match pattern "^(a+)+$"',
      4000,
    ],
    [
      'one with a reference',
      object({ s: { pattern: '^((a|aa)+)+\\1$' } }),
      { s: `${'a'.repeat(60)}!` },
      tooCostly,
      all,
    ],
    ['one in a lookahead', object({ s: { pattern: '^(?=(a|aa)+$)' } }), { s: `${'a'.repeat(60)}!` }, tooCostly, all],
    [
      'references that branch',
      { type: 'object', $ref: '#/$defs/a', $defs: { a: { anyOf: [twice, { ...twice, title: 'b' }] } } },
      nested(60),
      tooCostly,
      all,
    ],
    [
      'items that are all compared',
      object({ s: { uniqueItems: true } }),
      { s: Array.from({ length: 20_000 }, (_, i) => ({ i })) },
      null,
      80_000,
    ],
    ['a schema that is itself', { type: 'object', $ref: '#' }, {}, tooCostly, 6000],
    ['a value without end', object({ s: { const: {} } }), { s: deep(100_000) }, tooCostly, all],
  ];
  for (const [name, schema, value, told, steps] of costly)
    it(`OutputSchema.O1: ${name} is ${told === tooCostly ? 'given up' : 'checked'}, and the next check is as any`, async () => {
      expect((await outputCheck(schema))(value)).to.equal(told);
      expect(stepsOf(schema, value), 'steps').to.be.within(1, steps);
      expect((await outputCheck(object({})))({ a: 1 })).to.equal(null);
    });

  it('are read one in a turn, whoever gives them', async () => {
    const order: number[] = [];
    let turns = 0;
    const schemas = Array.from({ length: 20 }, (_, i) => object({ [`only here ${i}`]: {} }));
    const all = Promise.all(
      schemas.map(async (schema) => {
        await outputCheck(schema);
        order.push(turns);
      }),
    );
    for (let ended = false; !ended; turns++) {
      void all.then(() => (ended = true));
      await turn();
    }
    expect(new Set(order)).to.have.length(20);
  });

  const open = { properties: { a: {} } };
  for (const [what, schema, value, fits] of [
    ['beside it', { ...open, unevaluatedProperties: false }, { a: 1 }, true],
    ['nowhere', { ...open, unevaluatedProperties: false }, { b: 1 }, false],
    ['in a part', { allOf: [open], unevaluatedProperties: false }, { a: 1 }, true],
    [
      'in a part that does not fit',
      { anyOf: [{ ...open, required: ['b'] }, {}], unevaluatedProperties: false },
      { a: 1 },
      false,
    ],
    ['beside the part that asks', { ...open, allOf: [{ unevaluatedProperties: false }] }, { a: 1 }, false],
    ['by a reference', { $ref: '#/$defs/o', $defs: { o: open }, unevaluatedProperties: false }, { a: 1 }, true],
  ] as const)
    it(`know which properties were evaluated: ${what}`, async () => {
      const check = await outputCheck({ type: 'object', ...schema });
      expect(check(value)).to.equal(
        fits ? null : `the answer must NOT have unevaluated properties ("${Object.keys(value)[0]}")`,
      );
    });

  it('say of any value what another validator says of it', () => {
    const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
    return fc.assert(
      fc.asyncProperty(anySchema, fc.array(anyValue, { minLength: 4, maxLength: 8 }), async (schema, values) => {
        const other = new Ajv2020(options).compile(structuredClone(schema));
        const check = await outputCheck(schema);
        for (const value of values) {
          const says = saidBy(other, value);
          if (says !== null) expect(check(value) === null, JSON.stringify({ schema, value })).to.equal(says);
        }
      }),
      { numRuns: 100 },
    );
  });
});

/**
 * What the other validator says; null where it breaks: Ajv 8 does where `unevaluatedProperties` may have to know of
 * `patternProperties` in an `anyOf`.
 */
function saidBy(other: (value: unknown) => boolean, value: unknown): boolean | null {
  try {
    return other(value);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** How many steps a check by the schema takes, until it is given up. */
function stepsOf(schema: OutputSchema, value: unknown): number {
  let spent = 0;
  const limit = new StepLimit(mostSteps.check);
  const steps = {
    spend(more: number): void {
      spent += more;
      limit.spend(more);
    },
  };
  try {
    new Validator(schema, free).reasons(value, 'the answer', steps);
  } catch (error) {
    if (!(error instanceof StepLimit || error instanceof RangeError)) throw error;
  }
  return spent;
}

function deep(levels: number): unknown {
  let value: unknown = {};
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

describe('patterns of schemas', () => {
  const patterns = [
    ...['^a+$', 'a|b|', '^(a+)+$', '^(?!.*foo).*$', '(?<=a)b', '(?<!a)b', '(a)\\1', '^(?:(\\w)(\\d))+$', '\\bfoo\\b'],
    ...['^.{2,5}$', '^.{10,}$', '^\\p{L}{3,}$', '[^abc]', '^[a-z]{1,20}?x', '(?=.*\\d)(?=.*[a-z]).{4,8}$', '(a*)*b'],
    ...['(a|aa)+$', '^(?<y>\\d{4})-\\k<y>$', '', '^$', 'x*?y', '(?<=(\\d+))x', '(?<=\\1(a))b', '^(a?){9}a{9}$', '😀+'],
    ...['^.$', '\\u{1F600}', '[😀-😂]{1,3}$', '^(?:a|b|c){12,14}$', '(?:){3}a', '(?!)', '(z)((a+)?(b+)?(c))*\\2'],
  ];
  const text = fc.oneof(
    fc.constantFrom('', 'aaaaaaaaaaaaaaaaaaaaaa', '2020-2020', 'zaacbbbcac', '1a2b3c', 'Passw0rd'),
    fc.array(fc.constantFrom(...'aabbc1 2foo😀xyé\n-'), { maxLength: 24 }).map((all) => all.join('')),
  );
  for (const source of patterns)
    it(`/${source}/u matches what it matches elsewhere`, () => {
      const [pattern, other] = [patternOf(source, free), new RegExp(source, 'u')];
      fc.assert(
        fc.property(text, (given) => pattern(given, free) === other.test(given)),
        { numRuns: 150 },
      );
    });

  it('without references take steps by the length of the text', () => {
    for (const [source, given] of [
      ['^(a+)+$', 'a'],
      ['\\s+$', ' '],
      ['^(\\w+\\s?)*$', 'abc '],
      ['(a|aa|aaa)+b', 'a'],
    ] as const) {
      const needed = [2000, 4000].map((length) => {
        let steps = 0;
        patternOf(source, free)(`${given.repeat(length / given.length)}!`, { spend: (more) => (steps += more) });
        return steps;
      });
      expect(needed[1], source).to.be.below(2.2 * (needed[0] as number));
    }
  });
});
