/** The document tells of every field, of every parameter and of every operation what it means. */
import { expect } from 'chai';
import { createDocument } from '../../../gateway/openapi/document.js';
import type { JsonSchema } from '../../../gateway/openapi/types.js';

const document = createDocument();

/** The fields below a schema that say nothing, as paths; a field that is another named schema is described by that. */
function* silent(schema: JsonSchema, path: string): Generator<string> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const at = `${path}.${name}`;
    if (!field.$ref && !isSaid(field)) yield at;
    yield* silent(field, at);
  }
  if (schema.items) yield* silent(schema.items, `${path}[]`);
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* silent(branch, path);
  if (typeof schema.additionalProperties === 'object') yield* silent(schema.additionalProperties, `${path}.*`);
}

/** What is said of the form of many fields tells nothing of the meaning of one. */
const formOnly = /^(At most \d+ bytes|Not blank|ISO 8601|Any keys and values)/;
/**
 * A constant, such as the `type` of an event, says what it is by itself; of a field that may be null the other branch.
 */
const isSaid = ({ description, const: constant, anyOf = [] }: JsonSchema): boolean =>
  constant !== undefined ||
  (description !== undefined && /^\S.*[.)]$/s.test(description.trim()) && !formOnly.test(description)) ||
  anyOf.some(isSaid);

describe('every field of the document says what it means', () => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    it(name, () => {
      expect([...silent(schema, name)]).to.deep.equal([]);
    });

  it('bodies and parameters of operations', () => {
    const said = (description: string | undefined): boolean => /\S.*[.)]$/s.test(description ?? '');
    for (const methods of Object.values(document.paths))
      for (const { operationId, parameters = [], requestBody } of Object.values(methods)) {
        for (const given of parameters)
          if (!('$ref' in given)) expect(said(given.description), `${operationId} ${given.name}`).to.equal(true);
        for (const { schema } of Object.values(requestBody?.content ?? {}))
          expect([...silent(schema, operationId)]).to.deep.equal([]);
      }
  });
});
