/** Renders the document as one HTML page: chapters, operations, schemas. It has no script and loads nothing. */
import { escape, inline, prose } from './html.js';
import { anchorOf, fieldsOf, row, typeOf } from './page-schema.js';
import { style } from './style.js';
import type { Document, JsonSchema, MediaType, Operation, Parameter, Reference, Response } from './types.js';

interface Placed {
  path: string;
  method: string;
  operation: Operation;
}

export function renderPage(document: Document): string {
  const { info, tags, components } = document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ path, method, operation })),
  );
  const of = (tag: string): Placed[] => operations.filter(({ operation }) => operation.tags.includes(tag));
  const schemas = Object.entries(components.schemas);
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(info.title)} ${escape(info.version)}</title><style>${style}</style></head><body>` +
    `<nav><b>${escape(info.title)} ${escape(info.version)}</b>${tags.map(({ name }) => `<details open><summary><a href="#${anchor(name)}">${escape(name)}</a></summary><ul>${of(name).map(link).join('')}</ul></details>`).join('')}` +
    `<details><summary><a href="#schemas">Schemas</a></summary><ul>${schemas.map(([name]) => `<li><a href="#${anchorOf(name)}">${escape(name)}</a></li>`).join('')}</ul></details></nav>` +
    `<main><h1>${escape(info.title)} <small>${escape(info.version)}</small></h1>${prose(info.description)}<p><a href="openapi.json">openapi.json</a> is this page for machines (OpenAPI ${escape(document.openapi)}, ${escape(info.license.name)}).</p>` +
    tags
      .map(
        ({ name, description }) =>
          `<section><h2 id="${anchor(name)}">${escape(name)}</h2>${prose(description)}${of(name)
            .map((placed) => article(placed, document))
            .join('')}</section>`,
      )
      .join('') +
    `<section><h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => schemaArticle(name, schema)).join('')}</section></main></body></html>`
  );
}

const anchor = (tag: string): string => `tag-${escape(tag)}`;
const badge = (method: string): string => `<span class="${escape(method)}">${escape(method.toUpperCase())}</span>`;
const link = ({ method, operation }: Placed): string =>
  `<li><a href="#${escape(operation.operationId)}">${badge(method)} ${escape(operation.summary.replace(/[.?]$/, ''))}</a></li>`;

function article({ path, method, operation }: Placed, document: Document): string {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const rows = parameters.map((given) => parameter(resolve(given, document.components.parameters))).join('');
  return (
    `<article id="${escape(operationId)}"><h3>${badge(method)} <code>${escape(path)}</code></h3><p><b>${inline(summary)}</b></p>${prose(description)}` +
    (rows === '' ? '' : `<h4>Parameters</h4><table>${rows}</table>`) +
    (requestBody === undefined
      ? ''
      : `<h4>Body${requestBody.required ? '' : ' (may be left out)'}</h4>${contents(requestBody.content)}`) +
    `<h4>Answers</h4><dl>${Object.entries(responses)
      .map(([status, given]) => answer(status, given, document))
      .join('')}</dl></article>`
  );
}

const parameter = ({ name, in: place, required = false, schema, description }: Parameter): string =>
  row(name, schema, required, description, place);

function answer(status: string, given: Response | Reference, document: Document): string {
  const { description, content } = resolve(given, document.components.responses);
  // what all error responses have in common is described once, with the schema of errors
  return `<dt>${escape(status)}</dt><dd>${inline(description)}${Number(status) < 300 && content !== undefined ? contents(content) : ''}</dd>`;
}

function contents(content: Readonly<Record<string, MediaType>>): string {
  return Object.entries(content)
    .map(([type, media]) => {
      const { schema } = media;
      const data = schema.properties?.['data']?.['contentSchema'] as JsonSchema | undefined;
      return `<p><code>${escape(type)}</code>: ${data === undefined ? `${typeOf(schema)}</p>${fieldsOf(schema)}` : `events of ${typeOf(data)}</p>`}`;
    })
    .join('');
}

const schemaArticle = (name: string, schema: JsonSchema): string =>
  `<article id="${anchorOf(name)}"><h3>${escape(name)}</h3>${prose(schema.description ?? '')}${schema.properties === undefined && schema.anyOf === undefined ? `<p>${typeOf(schema)}</p>` : ''}${fieldsOf(schema)}</article>`;

function resolve<T extends object>(given: T | Reference, components: Readonly<Record<string, T>>): T {
  if (!('$ref' in given)) return given;
  const found = components[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`the document has no ${given.$ref}`);
  return found;
}
