/** Renders schemas on the page: a type in one line, the fields of an object as a table, named schemas as links. */
import { escape, inline } from './html.js';
import type { JsonSchema } from './types.js';

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
export const anchorOf = (name: string): string => `schema-${name}`;

/** A type as HTML, for example `string`, `Agent`, `array of Memory`, `"asc" or "desc"`. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return `<a href="#${escape(anchorOf(name))}">${escape(name)}</a>`;
  }
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escape(JSON.stringify(value))}</code>`).join(' or ');
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.map(typeOf).join(' or ');
  const types = schema.type === undefined ? [] : [schema.type].flat();
  return types.length === 0 ? 'anything' : types.map((type) => typed(type, schema)).join(' or ');
}

function typed(type: string, schema: JsonSchema): string {
  if (type === 'array') return `array of ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`;
  if (type === 'object' && schema.properties === undefined && typeof schema.additionalProperties === 'object') {
    const values = typeOf(schema.additionalProperties);
    return values === 'anything' ? 'object' : `object of ${values}`;
  }
  return escape(schema.format === undefined || type === 'null' ? type : `${type} (${schema.format})`);
}

const bounds: readonly (readonly [keyword: string, say: (value: string) => string])[] = [
  ['default', (v) => `default ${v}`],
  ['minimum', (v) => `at least ${v}`],
  ['maximum', (v) => `at most ${v}`],
  ['minLength', (v) => `${v} or more characters`],
  ['maxLength', (v) => `at most ${v} characters`],
  ['minItems', (v) => `${v} or more items`],
  ['maxItems', (v) => `at most ${v} items`],
];

/** The bounds of a schema, in words. Bounds that only state the safe integer range are left out. */
export function boundsOf(schema: JsonSchema): string {
  return bounds
    .flatMap(([keyword, say]) => {
      const value = schema[keyword];
      return value === undefined || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
        ? []
        : [say(typeof value === 'string' ? value : JSON.stringify(value))];
    })
    .join(', ');
}

/** One row of a table of fields or parameters. `place` is the location of a parameter (path, query or header). */
export function row(name: string, schema: JsonSchema, required: boolean, description: string, place?: string): string {
  const limits = boundsOf(schema);
  return (
    `<tr><td><code>${escape(name)}</code>${required ? ' <b>required</b>' : ''}${place === undefined ? '' : `<br><small>${place}</small>`}</td>` +
    `<td>${typeOf(schema)}${limits === '' ? '' : `<br><small>${escape(limits)}</small>`}</td><td>${inline(description)}${fieldsOf(schema)}</td></tr>`
  );
}

/** A table of the fields of an object, of the items of an array, or of the alternatives of a union. */
export function fieldsOf(schema: JsonSchema): string {
  if (schema.items !== undefined) return fieldsOf(schema.items);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined)
    return branches
      .map(fieldsOf)
      .filter((fields) => fields !== '')
      .join('<p>or</p>');
  if (schema.properties === undefined) return '';
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties).map(([name, field]) =>
    row(name, field, required.has(name), field.description ?? ''),
  );
  return `<table>${rows.join('')}</table>`;
}
