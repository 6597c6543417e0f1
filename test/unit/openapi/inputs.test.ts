/**
 * The schemas of what clients send against the checks that the server makes. What the server takes, the document must
 * allow; what the document allows, the server must take, but for what JSON Schema has no word for, which is listed
 * here.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import type { z } from 'zod';
import { createDocument } from '../../../gateway/openapi/document.js';
import { routes } from '../../../gateway/rest/routes.js';
import * as inputs from '../../../src/domain/shared/inputs.js';
import * as workspaceInputs from '../../../src/domain/workspace/workspace-inputs.js';

const { components } = createDocument();
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'all', components });

const bodies = new Map<string, { schema: z.ZodType; allows: ValidateFunction }>();
for (const route of routes) {
  const found =
    'body' in route && Object.entries({ ...inputs, ...workspaceInputs }).find(([, value]) => value === route.body);
  if (!found) continue;
  const name = found[0].charAt(0).toUpperCase() + found[0].slice(1);
  bodies.set(name, { schema: route.body, allows: ajv.compile({ $ref: `all#/components/schemas/${name}` }) });
}

/** Why the server may refuse what the document allows: the document says these in words. */
const inWords =
  /at most \d+ bytes|well-formed Unicode|in the years 0000|time zone of the IANA database|left out without cron|characters together/;

const values = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    1,
    100,
    101,
    3600,
    3601,
    -1,
    0.5,
    2.5,
    1e300,
    '',
    ' ',
    'a',
    'Ada',
    'semantic',
    '1st',
    'a b',
    'n'.repeat(64),
    'n'.repeat(65),
    'n'.repeat(128),
    'n'.repeat(129),
    'n'.repeat(200),
    'n'.repeat(201),
    'é'.repeat(150),
    'a\0b',
    '\ud800',
    'built-in',
    'openai/gpt',
    'openai/',
    'active',
    'terminated',
    'approve',
    'enqueue',
    'live',
    'none',
    'answer',
    'agent_1',
    '2030-01-31T12:00:00Z',
    '2030-02-30T12:00:00Z',
    '2030-01-31T12:00:00+02:00',
    '2030-01-31',
    '2030-01-31t12:00:00z',
    '9999-12-31T23:59:59-12:00',
    [],
    ['a'],
    ['a', 'a'],
    ['agent:read'],
    ['agent:write'],
    [1],
    Array.from({ length: 101 }, (_, i) => `hive_${i}`),
    {},
    { a: 1 },
    { a: { b: null } },
    { '': 1 },
    { 'a\0': 1 },
    { model: 'built-in' },
    { model: 5 },
    { model: null },
    { max_steps: 0 },
    { memory: { recall_limit: 51 } },
    { memory: { min_relevance: null } },
    { memory: null },
    { other: [1] },
  ),
  fc.jsonValue(),
);

/** Fields that the schema knows, mostly, with values that mean something somewhere. */
function bodyOf(name: string): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], oneOf: [either] = [] } = components.schemas[name]!;
  const known = Object.keys(properties);
  const whole = fc.dictionary(fc.constantFrom(...known, 'unknown'), values, { maxKeys: 4 });
  const sound = fc.record(
    Object.fromEntries([...required, ...(either?.required ?? [])].map((field) => [field, sample(field)])),
  );
  return fc.tuple(sound, whole, fc.boolean()).map(([base, over, keep]) => (keep ? { ...base, ...over } : over));
}
const sample = (field: string): fc.Arbitrary<unknown> =>
  fc.constant(
    {
      type: 'semantic',
      mode: 'test',
      scopes: ['agent:read'],
      checkpoint: 1,
      paused: true,
      max_tokens: 500,
      events: ['run.failed'],
      memories: [{ type: 'semantic', content: 'some text' }],
    }[field] ?? 'some text',
  );

describe('schemas of bodies', () => {
  it('are those of every route that takes one with fields', () => {
    expect([...bodies.keys()].sort()).to.deep.equal(
      Object.keys(components.schemas)
        .filter((name) => /(Input|Patch)$/.test(name))
        .sort(),
    );
    expect(bodies.size).to.equal(29);
  });

  for (const [name, { schema, allows }] of bodies) {
    it(`${name} allows what the server takes, and no more than can be said`, () => {
      let taken = 0;
      let refused = 0;
      fc.assert(
        fc.property(bodyOf(name), (body) => {
          const parsed = schema.safeParse(body);
          const allowed = allows(body);
          if (parsed.success) {
            taken++;
            expect(allowed, JSON.stringify(allows.errors)).to.equal(true);
            return;
          }
          refused++;
          if (allowed)
            for (const issue of parsed.error.issues) expect(issue.message, JSON.stringify(issue)).to.match(inWords);
        }),
        { numRuns: 400 },
      );
      // neither side went untried
      expect(Math.min(taken, refused), `${taken} taken, ${refused} refused`).to.be.greaterThan(10);
    });
  }

  it('say a name that is too long in characters, and leave one that is too long in bytes to the server', () => {
    const { schema, allows } = bodies.get('HiveInput')!;
    expect(allows({ name: 'n'.repeat(200) })).to.equal(true);
    expect(allows({ name: 'n'.repeat(201) })).to.equal(false);
    expect(allows({ name: 'é'.repeat(150) })).to.equal(true);
    expect(schema.safeParse({ name: 'é'.repeat(150) }).success).to.equal(false);
  });
});
