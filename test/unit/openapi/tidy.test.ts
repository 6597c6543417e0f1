import { expect } from 'chai';
import { z } from 'zod';
import { tidy } from '../../../gateway/openapi/tidy.js';
import type { JsonSchema } from '../../../gateway/openapi/types.js';

const tidied = (schema: z.ZodType): JsonSchema => tidy(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);

describe('tidy', () => {
  it('makes a type and null one schema of two types, the null among its values', () => {
    expect(tidied(z.enum(['a', 'b']).nullable().describe('either'))).to.deep.equal({
      type: ['string', 'null'],
      enum: ['a', 'b', null],
      description: 'either',
    });
  });

  it('keeps what is one of several', () => {
    expect(tidied(z.union([z.string(), z.int().min(1).max(9)]))).to.deep.equal({
      anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1, maximum: 9 }],
    });
  });

  it('drops what says nothing, at any depth, and what is a word of JSON Schema only by its place', () => {
    const schema = z.object({
      anyOf: z.array(z.record(z.string(), z.string().min(0))),
      minLength: z.number().optional(),
    });
    expect(tidied(schema)).to.deep.equal({
      type: 'object',
      required: ['anyOf'],
      properties: {
        anyOf: { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
        minLength: { type: 'number' },
      },
    });
  });
});
