import { expect } from 'chai';
import fc from 'fast-check';
import { maxDepth, maxElements, parseObject, validate } from '../../../gateway/http/json.js';
import { routes } from '../../../gateway/rest/routes.js';
import { HivekeepError, type Issue } from '../../../src/domain/shared/errors.js';

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

describe('Bodies of many values', () => {
  const issuesOf = (thrown: unknown): Issue[] =>
    thrown instanceof HivekeepError ? (thrown.details['issues'] as Issue[]) : [];
  const numbers = (n: number): string => Array.from({ length: n }, () => '0').join(',');

  it('have at most 20,000 values and names, however they are nested, and text does not count', () => {
    // the two brackets and the one name count as well
    expect(attempt(`{"a":[${numbers(maxElements - 2)}]}`)).to.have.property('a');
    expect(attempt(`{"a":${JSON.stringify(','.repeat(maxElements * 2))}}`)).to.have.property('a');
    for (const text of [
      `{"a":[${numbers(maxElements)}]}`,
      `{"a":[${'[],'.repeat(maxElements / 2)}0]}`,
      `{"a":[${'{},'.repeat(maxElements / 2)}0]}`,
      `{${Array.from({ length: maxElements / 2 + 1 }, (_, i) => `"${i}":0`).join(',')}}`,
    ])
      expect(issuesOf(attempt(text))[0]?.message).to.match(
        /^must have at most 20000 values and names of fields, and has \d+$/,
      );
  });

  const bodies = routes.flatMap((route) => ('body' in route ? [[route.path, route] as const] : []));
  const many = {
    'a long list of nonsense': Array.from({ length: maxElements }, () => 7),
    'a long list of lists': Array.from({ length: maxElements }, () => []),
    'an object of many fields': Object.fromEntries(Array.from({ length: maxElements }, (_, i) => [`\0${i}`, [i]])),
  };
  for (const [path, { method, body }] of bodies)
    it(`${method} ${path}: where there is too much of something, nothing of it is looked at`, () => {
      const fields = Object.keys((body as { shape?: object }).shape ?? {});
      for (const field of [...fields, 'unknown'])
        for (const [what, value] of Object.entries(many)) {
          const parsed = body.safeParse({ [field]: value });
          expect(parsed.error?.issues.length ?? 0, `${field}: ${what}`).to.be.lessThan(10);
        }
    });

  it('are told of at most 20 mistakes', () => {
    const { body } = bodies.find(([path]) => path === '/v1/agents/spawn')?.[1] ?? { body: null };
    if (!body) throw new Error('there is no such route');
    try {
      validate(body, many['an object of many fields']);
      throw new Error('not refused');
    } catch (error) {
      expect(issuesOf(error)).to.have.length(20);
    }
  });
});
