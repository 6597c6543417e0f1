/** An operation as a request to copy: for curl, TypeScript and Python. */

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  minimum?: number;
  format?: string;
  pattern?: string;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
}

type Content = Readonly<Record<string, { schema?: Schema; example?: unknown }>>;

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  security?: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

export interface Document {
  servers: readonly { url: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

export interface Sample {
  language: string;
  text: string;
}

export function samplesOf(api: Document, url: string, path: string, method: string): readonly Sample[] {
  const operation = api.paths[path]?.[method];
  if (operation === undefined) return [];
  const json = operation.requestBody?.content['application/json'];
  const body = json?.example ?? (json?.schema === undefined ? undefined : exampleOf(api, json.schema, 'required'));
  const keyed = operation.security === undefined || operation.security.length > 0;
  const streams = Object.values(operation.responses).some(
    ({ content }) => content?.['text/event-stream'] !== undefined,
  );
  const request = { method: method.toUpperCase(), url: url + path, body, keyed, streams: streams && method === 'get' };
  return [
    { language: 'curl', text: curl(request) },
    { language: 'TypeScript', text: typescript(request) },
    { language: 'Python', text: python(request) },
  ];
}

interface Request {
  method: string;
  /** With `{name}` for what the reader fills in. */
  url: string;
  body: unknown;
  keyed: boolean;
  streams: boolean;
}

function curl({ method, url, body, keyed, streams }: Request): string {
  const text = body === undefined ? '' : JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return [
    `curl ${streams ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}'${url}'`,
    ...(keyed ? ['-H "Authorization: Bearer $HIVEKEEP_KEY"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${text}'`]),
  ].join(' \\\n  ');
}

const inner = (of: unknown): string => JSON.stringify(of, null, 2).replaceAll('\n', '\n  ');

function typescript({ method, url, body, keyed, streams }: Request): string {
  const headers = [
    ...(keyed ? ['Authorization: `Bearer ${process.env.HIVEKEEP_KEY}`'] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${inner(body)}),`]),
  ];
  const call = options.length === 0 ? `fetch('${url}')` : `fetch('${url}', {\n  ${options.join('\n  ')}\n})`;
  return streams
    ? `const response = await ${call};
for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) console.log(piece);`
    : `const response = await ${call};
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
}

function python({ method, url, body, keyed, streams }: Request): string {
  const call = [
    `"${method}",`,
    `"${url}",`,
    ...(keyed ? [`headers={"Authorization": f"Bearer {os.environ['HIVEKEEP_KEY']}"},`] : []),
    ...(body === undefined ? [] : [`json=${inner(body).replaceAll(/\b(true|false|null)\b(?=,?\n|$)/g, pythonWord)},`]),
  ].join('\n  ');
  const imports = keyed ? 'import os\n\nimport httpx\n' : 'import httpx\n';
  return streams
    ? `${imports}\nwith httpx.stream(\n  ${call}\n) as response:\n  for line in response.iter_lines():\n    print(line)`
    : `${imports}\nresponse = httpx.request(\n  ${call}\n)\nresponse.raise_for_status()\nprint(response.json())`;
}

const pythonWord = (word: string): string => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word;

/**
 * What the schema takes, with its own examples where it has some: `required` leaves out every field that may be left
 * out, `all` has each of them.
 */
export function exampleOf(api: Document, schema: Schema, fields: 'required' | 'all', depth = 0): unknown {
  const below = (inner: Schema): unknown => exampleOf(api, inner, fields, depth + 1);
  if (schema.$ref !== undefined) {
    const named = api.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named === undefined || depth > 5 ? {} : below(named);
  }
  const given = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(below)) as unknown;
  const one = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (one !== undefined) return below(one);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => fields === 'all' || schema.required?.includes(name))
          .map(([name, field]) => [name, below(field)]),
      );
    case 'array':
      return schema.items === undefined ? [] : [below(schema.items)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return textLike(schema);
  }
}

function textLike({ format, pattern }: Schema): string {
  if (format === 'date-time') return '2026-05-12T08:30:00.000Z';
  const prefix = /^\^\(?([a-z]+_)/.exec(pattern ?? '')?.[1];
  return prefix === undefined ? 'text' : `${prefix}01h2x3`;
}

/** Gives every JSON body of the document an example: those that Swagger UI makes of patterns are noise. */
export function addExamples(api: Document): void {
  const give = (content: Content | undefined, fields: 'required' | 'all'): void => {
    const json = content?.['application/json'];
    if (json?.schema !== undefined) json.example ??= exampleOf(api, json.schema, fields);
  };
  for (const { requestBody, responses } of Object.values(api.paths).flatMap((methods) => Object.values(methods))) {
    give(requestBody?.content, 'required');
    for (const { content } of Object.values(responses)) give(content, 'all');
  }
}
