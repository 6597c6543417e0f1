/** Any JSON Schema, and any value that is small enough to fit one now and then. */
import fc from 'fast-check';

const value = fc.letrec((tie) => ({
  v: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, -1, 1.5, 3, '', 'a', 'ab', 'abc', 'b'),
    fc.array(tie('v'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'aa'), tie('v'), { maxKeys: 3 }),
  ),
})).v;
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const { schema } = fc.letrec((tie) => {
  const s = tie('schema');
  const props = fc.dictionary(fc.constantFrom('a', 'b', 'c'), s, { maxKeys: 2, minKeys: 1 });
  const n = fc.integer({ min: 0, max: 3 });
  const o: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(
      fc.constantFrom(...types),
      fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
    ),
    enum: fc.uniqueArray(value, {
      minLength: 1,
      maxLength: 3,
      comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    }),
    const: value,
    minimum: n,
    maximum: n,
    exclusiveMinimum: n,
    exclusiveMaximum: n,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: n,
    maxLength: n,
    pattern: fc.constantFrom('a', '^a', 'b$', '^$', '.b'),
    minItems: n,
    maxItems: n,
    uniqueItems: fc.boolean(),
    minProperties: n,
    maxProperties: n,
    required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    items: s,
    prefixItems: fc.array(s, { minLength: 1, maxLength: 2 }),
    contains: s,
    minContains: n,
    maxContains: n,
    properties: props,
    patternProperties: fc.dictionary(fc.constantFrom('a', '^b'), s, { maxKeys: 1 }),
    additionalProperties: s,
    propertyNames: s,
    allOf: fc.array(s, { minLength: 1, maxLength: 2 }),
    anyOf: fc.array(s, { minLength: 1, maxLength: 2 }),
    oneOf: fc.array(s, { minLength: 1, maxLength: 2 }),
    not: s,
    if: s,
    then: s,
    else: s,
    dependentRequired: fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      { maxKeys: 1 },
    ),
    dependentSchemas: props,
    $ref: fc.constantFrom('#/$defs/x', '#/$defs/y', '#z'),
  };
  const keys = Object.keys(o);
  return {
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc
        .uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 4 })
        .chain((ks) => fc.record(Object.fromEntries(ks.map((k) => [k, o[k]!])))),
    ),
  };
});

const isAlone = (given: unknown): boolean => !JSON.stringify(given).includes('$ref');
const plain = (given: unknown): unknown => JSON.parse(JSON.stringify(given));

export const anyValue = value.map(plain);
export const anySchema = fc
  .tuple(
    schema,
    schema.filter((x) => typeof x === 'object' && isAlone(x)),
    schema.filter(isAlone),
  )
  .map(
    ([whole, x, y]) =>
      plain({
        ...(typeof whole === 'object' ? whole : { not: whole !== true }),
        $defs: { x, y, z: { $anchor: 'z', ...(x as object) } },
      }) as Record<string, unknown>,
  );
