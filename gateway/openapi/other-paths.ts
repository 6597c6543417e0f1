/** Operations outside the REST API: A2A (docs/api.md 4.2), probes, metrics and this document. */
import { onBusy } from '../../src/domain/shared/vocabulary.js';
import { cardPaths } from '../a2a/card-routes.js';
import { agentPath } from '../a2a/address.js';
import { scopeOf } from '../a2a/exchange.js';
import { httpOperations, type HttpOperation } from '../a2a/http-json.js';
import { mcpAgentPath, mcpWorkspacePath } from '../mcp/endpoint.js';
import { completionsPath, modelsPath, responsesPath } from '../openai/routes.js';
import { pathParameters } from './parameters.js';
import { always, answer, events, jsonContent, notModified, refused, tag } from './responses.js';
import { templateOf } from './rest.js';
import {
  schemaRef,
  type JsonSchema,
  type OpenApiOperation,
  type Parameter,
  type Paths,
  type Response,
} from './types.js';

export const otherTags = [
  {
    name: 'A2A',
    description:
      'The Agent2Agent endpoint of each agent: versions 0.2, 0.3 and 1.0 over JSON-RPC and 1.0 over HTTP+JSON, with an API key or a token of the agent.',
  },
  {
    name: 'MCP',
    description:
      'Memories, runs and mailboxes as tools and resources of the Model Context Protocol (2026-07-28 and earlier), for assistants and editors.',
  },
  {
    name: 'OpenAI',
    description:
      'Agents as models of any client of OpenAI, whose base URL is then that of the service and `/v1/openai/v1`.',
  },
  { name: 'Service', description: 'Endpoints for operators and client authors. They need no key.' },
] as const;

/** A body of JSON, or the events of a stream with such bodies. */
const jsonOrStream = (one: string, event = one): NonNullable<Response['content']> => ({
  ...jsonContent(schemaRef(one)),
  ...events(schemaRef(event)),
});
const takes = (name: string): OpenApiOperation['requestBody'] => ({
  required: true,
  content: jsonContent(schemaRef(name)),
});
const needs = (scope: string): Pick<OpenApiOperation, 'security' | 'x-required-scope'> => ({
  security: [{ bearer: [scope] }],
  'x-required-scope': scope,
});

const a2aVersion: Parameter = {
  name: 'A2A-Version',
  in: 'header',
  description: 'The A2A version to use: 0.2, 0.3 (the default) or 1.0. JSON-RPC method names imply a version already.',
  schema: { type: 'string', pattern: '^$|^(0\\.2|0\\.3|1\\.0)(\\.\\d{1,9})?$' },
};
const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of the copy the client has.',
  schema: { type: 'string' },
};

const call: OpenApiOperation = {
  operationId: 'callAgent',
  tags: ['A2A'],
  summary: 'Call an agent over JSON-RPC.',
  description:
    '`message/send`, `message/stream`, `tasks/get`, `tasks/cancel`, `tasks/resubscribe`, push configurations. Reading needs the scope `agent:read`, sending `agent:spawn`, cancelling `agent:manage`.\n\nErrors of the protocol are JSON-RPC errors with status 200, malformed requests included. Streaming methods answer server-sent events whose `data` is a JSON-RPC response. A request without an id gets 204.',
  security: [{ bearer: [] }],
  parameters: [...pathParameters(agentPath), a2aVersion],
  requestBody: takes('JsonRpcRequest'),
  responses: {
    200: answer('The result, or an error of the protocol.', jsonOrStream('JsonRpcResponse')),
    204: answer('The request had no id.'),
    ...refused(400, 401, 403, 404, 429, 500, 503),
  },
};

const cards: Readonly<Record<string, readonly [operationId: string, summary: string]>> = {
  card: ['getCard', "Get an agent's card."],
  '': ['getCardAtAgent', "Get an agent's card at its own URL."],
  '.well-known/agent.json': ['getCardOf02', "Get an agent's card where clients of A2A 0.2 look for it."],
  '.well-known/agent-card.json': ['getCardOf03', "Get an agent's card where clients of A2A 0.3 and 1.0 look for it."],
};

function card(name: string): OpenApiOperation {
  const [operationId, summary] = cards[name] ?? [`getCard_${name}`, "Get an agent's card."];
  return {
    operationId,
    summary,
    tags: ['A2A'],
    description:
      'Needs the scope `agent:read`, unless the agent is public. With `A2A-Version: 1.0` the card is exactly that of 1.0.',
    ...needs('agent:read'),
    parameters: [...pathParameters(agentPath), a2aVersion, ifNoneMatch],
    responses: {
      200: answer('The card.', jsonContent(schemaRef('AgentCard')), tag),
      304: notModified,
      ...refused(...always, 404),
    },
  };
}

const summaries: Readonly<Record<HttpOperation['operation'], string>> = {
  send: 'Send a message over HTTP+JSON.',
  stream: 'Send a message over HTTP+JSON, and follow its task.',
  list: 'List tasks over HTTP+JSON.',
  get: 'Get a task over HTTP+JSON.',
  cancel: 'Cancel a task over HTTP+JSON.',
  subscribe: 'Follow a task over HTTP+JSON.',
  setPush: 'Add a push configuration over HTTP+JSON.',
  getPush: 'Get a push configuration over HTTP+JSON.',
  listPush: 'List push configurations over HTTP+JSON.',
  deletePush: 'Delete a push configuration over HTTP+JSON.',
  card: 'Get the extended card over HTTP+JSON.',
};
const a2aJson = (name: string): NonNullable<Response['content']> => ({
  'application/a2a+json': { schema: schemaRef(name) },
});

const plainRefusals = {
  401: 'The key or token is missing or invalid.',
  403: 'The credential lacks a scope.',
  429: 'Too many requests, or a quota is used up.',
  500: 'A fault of the service.',
  503: 'The service cannot handle the request for now.',
} as const;

function httpCall({ method, path, operation }: HttpOperation): OpenApiOperation {
  const scope = scopeOf[operation];
  const streams = operation === 'stream' || operation === 'subscribe';
  const failed = (description: string): Response => answer(description, a2aJson('A2aError'));
  return {
    operationId: `a2a_${operation}${method === 'GET' && operation === 'subscribe' ? '_get' : ''}`,
    tags: ['A2A'],
    summary: summaries[operation],
    description: `A2A 1.0, 11. Needs the scope \`${scope}\`. What it takes and answers is specified there.`,
    ...needs(scope),
    parameters: [...pathParameters(`${agentPath}/${path}`), a2aVersion],
    ...(method === 'POST' && {
      requestBody: {
        required: operation === 'send' || operation === 'stream' || operation === 'setPush',
        content: a2aJson('A2aObject'),
      },
    }),
    responses: {
      200: answer('The result.', streams ? events(schemaRef('A2aObject')) : a2aJson('A2aObject')),
      ...Object.fromEntries(Object.entries(plainRefusals).map(([status, why]) => [status, failed(why)])),
      400: failed('The request is not valid, or cannot be done.'),
      404: failed('There is no such task, or no such agent.'),
      409: failed('The agent is busy.'),
    },
  };
}

export function a2aPaths(): Paths {
  const paths: Paths = {};
  for (const each of httpOperations) {
    const at = templateOf(`${agentPath}/${each.path}`);
    paths[at] = { ...paths[at], [each.method.toLowerCase()]: httpCall(each) };
  }
  for (const name of cardPaths.keys()) {
    const at = templateOf(agentPath) + (name === '' ? '' : `/${name}`);
    paths[at] = { ...(name === '' && { post: call }), get: card(name) };
  }
  return paths;
}

/** MCP answers some refusals itself, with the status that it wants. */
const refusedByEither = (description: string): Response =>
  answer(description, jsonContent({ anyOf: [schemaRef('McpResponse'), schemaRef('Error')] }));

const mcp = (path: string, operationId: string, summary: string, opens: string): OpenApiOperation => ({
  operationId,
  tags: ['MCP'],
  summary,
  description: `${opens} The scopes of the credential decide which tools there are: docs/mcp.md has them all. Each request carries one message. GET with Last-Event-ID resumes the stream of a call. If there is something to report before the result, such as progress, the response is a stream.`,
  security: [{ bearer: [] }],
  ...(path.includes(':') && { parameters: pathParameters(path) }),
  requestBody: takes('McpRequest'),
  responses: {
    200: answer('The result, or an error of the protocol.', jsonOrStream('McpResponse')),
    202: answer('The notification was accepted.'),
    400: refusedByEither('The message is malformed, or of a revision that is not served.'),
    403: refusedByEither('The credential lacks a scope, or the web page may not call.'),
    404: refusedByEither('There is no such agent, or no such method.'),
    406: refusedByEither('Accept does not name both application/json and text/event-stream.'),
    500: refusedByEither('A fault of the service.'),
    ...refused(401, 413, 415, 429, 503),
  },
});

export const mcpPaths: Paths = {
  [templateOf(mcpAgentPath)]: {
    post: mcp(
      mcpAgentPath,
      'callAgentTools',
      'Use an agent over MCP.',
      'Opened by an API key, and by a token of the agent with the scope `agent:mcp`.',
    ),
  },
  [mcpWorkspacePath]: {
    post: mcp(mcpWorkspacePath, 'callWorkspaceTools', 'Use the workspace over MCP.', 'Opened by an API key.'),
  },
};

const failedAsOpenAi = (...statuses: readonly number[]): Record<string, Response> =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      answer('An error in the form that clients of OpenAI read.', jsonContent(schemaRef('OpenAiError'))),
    ]),
  );

const conversationHeaders: readonly Parameter[] = [
  {
    name: 'X-Hivekeep-Session',
    in: 'header',
    description: 'The session, which takes precedence over `user`.',
    schema: { type: 'string', maxLength: 128 },
  },
  {
    name: 'X-Hivekeep-Subject',
    in: 'header',
    description: 'Whom the run is for, such as an end user, by a name of your own.',
    schema: { type: 'string', maxLength: 128 },
  },
  {
    name: 'X-Hivekeep-On-Busy',
    in: 'header',
    description: 'What becomes of it where its session is busy, as `on_busy` of a run.',
    schema: { type: 'string', enum: [...onBusy] },
  },
];

export const openAiPaths: Paths = {
  [completionsPath]: {
    post: {
      operationId: 'createChatCompletion',
      tags: ['OpenAI'],
      summary: 'Ask an agent as a model of OpenAI.',
      description:
        'Needs the scope `agent:spawn`. The session is that of the header, or of `user`; without either it is known by the history. With `stream` the answer comes as server-sent events, the last of which is `[DONE]`.',
      ...needs('agent:spawn'),
      parameters: conversationHeaders,
      requestBody: takes('OpenAiChatRequest'),
      responses: {
        200: answer('The answer of the agent, or what its run asks.', jsonOrStream('OpenAiCompletion', 'OpenAiChunk')),
        ...failedAsOpenAi(400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503),
      },
    },
  },
  [responsesPath]: {
    post: {
      operationId: 'createResponse',
      tags: ['OpenAI'],
      summary: "Ask an agent over OpenAI's Responses API.",
      description:
        'Needs the scope `agent:spawn`. The session is that of `previous_response_id`, of the header or of `user`; without any of them it is known by the history. With `stream` the answer comes as server-sent events.',
      ...needs('agent:spawn'),
      parameters: conversationHeaders,
      requestBody: takes('OpenAiResponseRequest'),
      responses: {
        200: answer('The answer of the agent, or what its run asks.', jsonOrStream('OpenAiResponse', 'OpenAiEvent')),
        ...failedAsOpenAi(400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503),
      },
    },
  },
  [templateOf(`${responsesPath}/:id`)]: {
    get: {
      operationId: 'getResponse',
      tags: ['OpenAI'],
      summary: "Get a response of OpenAI's Responses API.",
      description: 'Needs the scope `agent:read`. It is the run as it is now.',
      ...needs('agent:read'),
      parameters: pathParameters(`${responsesPath}/:id`),
      responses: {
        200: answer('The response.', jsonContent(schemaRef('OpenAiResponse'))),
        ...failedAsOpenAi(400, 401, 403, 404, 429, 500, 503),
      },
    },
  },
  [templateOf(`${modelsPath}/:id`)]: {
    get: {
      operationId: 'getModel',
      tags: ['OpenAI'],
      summary: 'Get an agent as a model of OpenAI.',
      description: 'Needs the scope `agent:read`.',
      ...needs('agent:read'),
      parameters: pathParameters(`${modelsPath}/:id`),
      responses: {
        200: answer('The model.', jsonContent(schemaRef('OpenAiModel'))),
        ...failedAsOpenAi(400, 401, 403, 404, 429, 500, 503),
      },
    },
  },
  [modelsPath]: {
    get: {
      operationId: 'listModels',
      tags: ['OpenAI'],
      summary: 'List the agents as models of OpenAI.',
      description: 'Needs the scope `agent:read`.',
      ...needs('agent:read'),
      responses: {
        200: answer('The models.', jsonContent(schemaRef('OpenAiModels'))),
        ...failedAsOpenAi(400, 401, 403, 429, 500, 503),
      },
    },
  },
};

const open = (
  operationId: string,
  summary: string,
  mediaType: string,
  schema: JsonSchema,
  more: Partial<OpenApiOperation['responses']> = {},
  withTag = false,
): Record<string, OpenApiOperation> => ({
  get: {
    operationId,
    summary,
    tags: ['Service'],
    security: [],
    ...(withTag && { parameters: [ifNoneMatch] }),
    responses: {
      200: answer(summary, { [mediaType]: { schema } }, withTag ? tag : {}),
      ...(withTag && { 304: notModified, ...refused(400, 403, 429) }),
      ...refused(500),
      ...more,
    },
  },
});

const status = (value: string): JsonSchema => ({
  type: 'object',
  properties: { status: { type: 'string', const: value } },
  required: ['status'],
});

export const servicePaths: Paths = {
  '/livez': open('getLiveness', 'Is it alive?', 'application/json', status('ok'), refused(429)),
  '/readyz': open('getReadiness', 'Does it serve commands?', 'application/json', status('ready'), refused(429, 503)),
  '/metrics': open(
    'getMetrics',
    "Its numbers, in Prometheus' text format. Where HIVEKEEP_METRICS_TOKEN is set, it has to be sent as a bearer token.",
    'text/plain',
    { type: 'string' },
    refused(401, 429),
  ),
  '/openapi.json': open('getOpenApi', 'This document.', 'application/json', { type: 'object' }, {}, true),
  '/docs': open('getDocs', 'This document as a page.', 'text/html', { type: 'string' }, {}, true),
};
