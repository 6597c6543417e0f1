/** Renders the document as one HTML page: chapters, operations, schemas. It has no script and loads nothing. */
import { escape, inline, prose } from './html.js';
import { anchorOf, fieldsOf, row, typeOf } from './page-schema.js';
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

/** The stylesheet of /docs; its hash is in the page's Content-Security-Policy. */
export const style = `:root{color-scheme:light dark;--line:#8884;--soft:#8881;--link:#0a58ca}@media(prefers-color-scheme:dark){:root{--link:#7ab7ff}}
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:18rem minmax(0,1fr);font:15px/1.5 system-ui,sans-serif}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);font-size:13px}nav ul{list-style:none;margin:.2rem 0 .8rem;padding:0}nav li{padding:.1rem 0}
main{max-width:62rem;padding:1rem 2rem 4rem}a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
h2{margin-top:3rem;border-bottom:1px solid var(--line)}article{margin:1.5rem 0;padding:.2rem 1.2rem 1rem;border:1px solid var(--line);border-radius:8px}article:target{border-color:var(--link)}
h3{overflow-wrap:anywhere}h4{margin:1.2rem 0 .4rem}code{font:13px ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:4px}
table{border-collapse:collapse;width:100%;margin:.4rem 0}td{vertical-align:top;padding:.35rem .6rem;border-top:1px solid var(--line);overflow-wrap:anywhere}td:first-child{width:26%}td:nth-child(2){width:26%}
td b{color:#c2410c;font-weight:500;font-size:12px}small{opacity:.7}dl{display:grid;grid-template-columns:3rem 1fr;gap:.3rem .6rem;margin:0}dt{font-weight:600}dd{margin:0}dd p{margin:.3rem 0}
.get,.post,.put,.patch,.delete{display:inline-block;min-width:3.6em;text-align:center;padding:0 .35em;border-radius:4px;color:#fff;font:600 11px/1.6 ui-monospace,monospace}
.get{background:#0b6e4f}.post{background:#1d4ed8}.put{background:#92400e}.patch{background:#7c3aed}.delete{background:#b91c1c}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}`;
