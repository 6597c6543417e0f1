/** The part of OpenAPI 3.1 that the document uses. */

export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  default?: unknown;
  [keyword: string]: unknown;
}

export interface Reference {
  $ref: string;
}
export interface MediaType {
  schema: JsonSchema;
}
export interface Header {
  description: string;
  required?: boolean;
  schema: JsonSchema;
}
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: JsonSchema;
}
export interface Response {
  description: string;
  headers?: Readonly<Record<string, Header | Reference>>;
  content?: Readonly<Record<string, MediaType>>;
  links?: Readonly<Record<string, Link>>;
}
/** `parameters` are runtime expressions that take values from a response. */
export interface Link {
  operationId: string;
  parameters: Readonly<Record<string, string>>;
}
export interface RequestBody {
  required: boolean;
  description?: string;
  content: Readonly<Record<string, MediaType>>;
}

export interface OpenApiOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  /** An empty list makes the operation public. */
  security: readonly Readonly<Record<string, readonly string[]>>[];
  'x-required-scope'?: string;
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: RequestBody;
  /** By status. */
  responses: Readonly<Record<string, Response | Reference>>;
}

/** By path template, `/v1/agents/{id}`; then by method, in lower case. */
export type Paths = Record<string, Record<string, OpenApiOperation>>;

export interface Document {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Paths;
  components: {
    schemas: Readonly<Record<string, JsonSchema>>;
    parameters: Readonly<Record<string, Parameter>>;
    headers: Readonly<Record<string, Header>>;
    responses: Readonly<Record<string, Response>>;
    securitySchemes: Readonly<Record<string, object>>;
  };
}

/** The schema of one event of a `text/event-stream`, which is the convention before OpenAPI 3.2. `data` is JSON. */
export const eventOf = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data'],
  properties: {
    id: { type: 'string' },
    event: { type: 'string' },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
  },
});

export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
