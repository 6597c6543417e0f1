/** Holds real answers to the document: status, headers, media type, body, events. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { createDocument } from '../../gateway/openapi/document.js';
import type {
  Header,
  JsonSchema,
  OpenApiOperation,
  Reference,
  Response as Described,
} from '../../gateway/openapi/types.js';
import { routes } from '../../gateway/rest/routes.js';
import { results } from '../../src/domain/model/model.js';

const document = createDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'all', components: document.components });

const compiled = new Map<JsonSchema, ValidateFunction>();
function allows(schema: JsonSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const made = ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"all#/components/')) as object,
  );
  compiled.set(schema, made);
  return made;
}

const component = <T>(given: T | Reference, kind: 'headers' | 'responses'): T =>
  typeof given === 'object' && given !== null && '$ref' in given
    ? (document.components[kind][given.$ref.split('/').at(-1)!] as T)
    : given;

const operations = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      operation,
      form: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      parameters: path.split('{').length,
    })),
  )
  .sort((a, b) => a.parameters - b.parameters);

const operationOf = (method: string, path: string): OpenApiOperation | undefined =>
  operations.find((o) => o.method === method.toLowerCase() && o.form.test(path))?.operation;

function checkHeaders(headers: Headers, described: Described, what: string): void {
  for (const [name, given] of Object.entries(described.headers ?? {})) {
    const header: Header = component(given, 'headers');
    const value = headers.get(name);
    if (value === null) {
      expect(header.required, `${what}: ${name} is missing`).not.to.equal(true);
      continue;
    }
    const valid = allows(header.schema)(header.schema.type === 'integer' ? Number(value) : value);
    expect(valid, `${what}: ${name} is ${value}`).to.equal(true);
  }
}

function checkValue(value: unknown, schema: JsonSchema, what: string): void {
  const check = allows(schema);
  expect(check(value), `${what}: ${JSON.stringify(check.errors)} in ${JSON.stringify(value)}`).to.equal(true);
}

/** Nothing that the schemas do not name: zod drops what they do not know. */
function checkExact(operationId: string, body: { data?: unknown }, what: string): void {
  const route = routes.find((r) => r.operationId === operationId);
  if (!route || body.data === undefined) return;
  for (const item of [body.data].flat()) expect(results[route.result].parse(item), what).to.deep.equal(item);
}

const eventsIn = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice(6)) as unknown);

/** Those of the document that are no routes of REST. */
export const otherOperations: readonly string[] = operations
  .map(({ operation }) => operation.operationId)
  .filter((id) => !routes.some((route) => route.operationId === id));

/**
 * Fails where this is not an answer that the document has for the operation. What is at no path of the document, or asked
 * by another method, is not looked at; a stream is, as far as it was read.
 */
export function expectDocumented(
  method: string,
  url: string,
  response: Response,
  text: string,
): OpenApiOperation | undefined {
  const path = new URL(url).pathname;
  const operation = operationOf(method, path);
  if (operation === undefined) return undefined;
  const what = `${method} ${path} ${response.status}`;
  const given = operation.responses[String(response.status)];
  if (given === undefined) throw new Error(`${what} is not documented: ${text}`);
  const described: Described = component(given, 'responses');
  checkHeaders(response.headers, described, what);
  checkContent(operation, described, response, text, what);
  return operation;
}

/** Fetches, and fails where the answer is not one that the document has; notes the operations that succeeded. */
export function conformingFetch(succeeded: Set<string>): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await fetch(request);
    const text = await response.text();
    const operation = expectDocumented(request.method, request.url, response, text);
    if (operation === undefined) throw new Error(`the document has no ${request.method} ${request.url}`);
    if (response.ok) succeeded.add(operation.operationId);
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
  };
}

function checkContent(
  operation: OpenApiOperation,
  described: Described,
  response: Response,
  text: string,
  what: string,
): void {
  if (described.content === undefined) {
    expect(text, what).to.equal('');
    return;
  }
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const media = described.content[type];
  if (media === undefined) throw new Error(`${what}: ${type} is not documented`);
  const { schema } = media;
  if (type === 'text/event-stream') {
    for (const event of eventsIn(text))
      checkValue(event, schema.properties!['data']!['contentSchema'] as JsonSchema, what);
    return;
  }
  if (type !== 'application/json') return;
  const body = JSON.parse(text) as { data?: unknown };
  checkValue(body, schema, what);
  if (response.ok) checkExact(operation.operationId, body, what);
  for (const [name, { parameters }] of Object.entries(described.links ?? {})) {
    for (const [parameter, expression] of Object.entries(parameters))
      expect(valueAt(expression, body), `${what}: ${parameter} of the link ${name}`).to.match(/^[a-z]+_\w+$/);
  }
}

/** Of a runtime expression of the response's body. */
const valueAt = (expression: string, body: unknown): unknown =>
  expression
    .replace('$response.body#/', '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
