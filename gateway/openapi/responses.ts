/** Generates the responses of operations: the successful one, and every error that the operation can return. */
import { errorCodes, type ErrorCode } from '../../src/domain/shared/errors.js';
import { results } from '../../src/domain/model/model.js';
import { statusOf } from '../http/error-envelope.js';
import { linesType } from '../http/lines.js';
import { takesKey, type Route } from '../rest/route.js';
import type { Schemas } from './schemas.js';
import {
  eventOf,
  schemaRef,
  type Header,
  type JsonSchema,
  type Link,
  type MediaType,
  type Reference,
  type Response,
} from './types.js';

export const sharedHeaders = {
  RequestId: {
    required: true,
    description: 'The id of this request, also found in the log.',
    schema: { type: 'string', pattern: '^req_' },
  },
  ClientRequestId: {
    description: 'The X-Request-Id sent by the client, if it is valid.',
    schema: { type: 'string' },
  },
  RateLimitLimit: { required: true, description: 'The limit of requests per minute.', schema: { type: 'integer' } },
  RateLimitRemaining: {
    required: true,
    description: 'The number of requests left; 0 while a burst is being used.',
    schema: { type: 'integer' },
  },
  RateLimitReset: {
    required: true,
    description: 'When the limit is fully replenished, in seconds since 1970.',
    schema: { type: 'integer' },
  },
  RateLimitPolicy: {
    required: true,
    description: 'The limit and its window in seconds.',
    schema: { type: 'string', pattern: '^\\d+;w=\\d+$' },
  },
  RetryAfter: {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  Location: { required: true, description: 'The URL of the created resource.', schema: { type: 'string' } },
  Replayed: {
    description: '`true` if this is the response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  Authenticate: {
    required: true,
    description: 'How to authenticate, or which scope is missing.',
    schema: { type: 'string' },
  },
  ETag: {
    required: true,
    description: 'The version of the resource, for If-None-Match and, on agents and blocks, If-Match.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;

const header = (name: keyof typeof sharedHeaders): Reference => ({ $ref: `#/components/headers/${name}` });

/** Headers of every response. */
const everywhere: Readonly<Record<string, Reference>> = {
  'X-Request-Id': header('RequestId'),
  'X-Client-Request-Id': header('ClientRequestId'),
  'X-RateLimit-Limit': header('RateLimitLimit'),
  'X-RateLimit-Remaining': header('RateLimitRemaining'),
  'X-RateLimit-Reset': header('RateLimitReset'),
  'X-RateLimit-Policy': header('RateLimitPolicy'),
};

const meanings: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'the request is invalid; `details.issues` lists the fields',
  UNSUPPORTED_VERSION: 'X-Service-Version names a version other than v1',
  UNAUTHENTICATED: 'the key or token is missing or invalid',
  INSUFFICIENT_SCOPE: 'the credential lacks the scope in `details.required_scope`',
  QUOTA_EXCEEDED: 'a quota is used up',
  HTTPS_REQUIRED: 'plain HTTP is served on loopback only',
  NOT_FOUND: 'the resource does not exist, or belongs to another workspace',
  METHOD_NOT_ALLOWED: 'the path does not support this method; Allow lists those it does',
  CONFLICT: 'the current state of the resource does not allow it',
  AGENT_INACTIVE: 'the agent is inactive or terminated',
  RUN_NOT_RESUMABLE: 'the run is in progress, or has ended for good',
  AGENT_BUSY: 'the agent has a run in progress and `on_busy` is `reject`, or too many runs are queued',
  PRECONDITION_FAILED: 'the resource has changed since the ETag in If-Match',
  PAYLOAD_TOO_LARGE: 'the body is larger than the server accepts (1 MiB by default)',
  UNSUPPORTED_MEDIA_TYPE: 'the body is not application/json in UTF-8',
  IDEMPOTENCY_MISMATCH: 'the Idempotency-Key was used before with a different body',
  RATE_LIMIT_EXCEEDED: 'too many requests per minute',
  CONCURRENCY_LIMIT_EXCEEDED: 'too many concurrent requests',
  INTERNAL_ERROR: 'an internal error of the service',
  UNAVAILABLE: 'the service is temporarily unable to handle the request',
};

const names = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyMismatch',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
} as const;
type Refusal = keyof typeof names;
const refusals = Object.keys(names).map(Number) as Refusal[];

const moreHeaders: Readonly<Partial<Record<Refusal, Readonly<Record<string, Reference>>>>> = {
  401: { 'WWW-Authenticate': header('Authenticate') },
  429: { 'Retry-After': header('RetryAfter') },
  503: { 'Retry-After': header('RetryAfter') },
};

type Content = Readonly<Record<string, MediaType>>;
export const jsonContent = (schema: JsonSchema): Content => ({ 'application/json': { schema } });

/** A response, with the headers of every response. */
export const answer = (
  description: string,
  content?: Content,
  headers: Readonly<Record<string, Reference>> = {},
): Response => ({ description, headers: { ...everywhere, ...headers }, ...(content && { content }) });

/** Error responses, by component name. */
export const sharedResponses: Readonly<Record<string, Response>> = Object.fromEntries(
  refusals.map((status) => [
    names[status],
    answer(
      errorCodes
        .filter((code) => statusOf[code] === status)
        .map((code) => `${code}: ${meanings[code]}.`)
        .join(' '),
      jsonContent(schemaRef('Error')),
      moreHeaders[status],
    ),
  ]),
);

export const refused = (...statuses: readonly Refusal[]): Record<string, Reference> =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${names[status]}` }]));

/** Statuses that every operation with authentication can return. */
export const always = [400, 401, 403, 429, 500, 503] as const;

export function responsesOf(
  route: Route,
  schemas: Schemas,
  links: Readonly<Record<string, Link>>,
): Record<string, Response | Reference> {
  return {
    ...success(route, schemas.of(results[route.result]), links),
    ...refused(...refusals.filter((status) => canMeet(route, status))),
  };
}

function canMeet(route: Route, status: Refusal): boolean {
  const sends = route.kind === 'write' || route.kind === 'ask' || route.kind === 'upload';
  switch (status) {
    case 404:
      return sends || route.path.includes(':') || (route.kind !== 'stream' && Object.keys(route.filter).length > 0);
    case 409:
      return route.kind === 'write' || route.kind === 'upload' || route.kind === 'remove';
    case 412:
      return route.conditional === true;
    case 413:
    case 415:
      return sends;
    case 422:
      return takesKey(route);
    default:
      return true;
  }
}

function success(route: Route, result: JsonSchema, links: Readonly<Record<string, Link>>): Record<string, Response> {
  const one = jsonContent({ type: 'object', properties: { data: result }, required: ['data'] });
  switch (route.kind) {
    case 'read':
      return route.tagged
        ? { 200: answer('As asked.', one, tag), 304: notModified }
        : { 200: answer('As asked.', one) };
    case 'remove':
      return { 200: answer('As asked.', one) };
    case 'list':
      return { 200: answer('A page.', jsonContent(page(result))) };
    case 'stream':
      return { 200: answer('Events, until the stream ends.', events(result)) };
    case 'download':
      return {
        200: answer('Lines of JSON, until the record `end`.', { [linesType]: { schema: linesSchema(result) } }),
      };
    case 'upload':
      return { 200: answer('Done.', one) };
    case 'ask':
      return {
        200: route.many ? answer('What was found, best first.', jsonContent(found(result))) : answer('Done.', one),
      };
    case 'write': {
      const headers = {
        ...(route.tagged && tag),
        ...(route.location && { Location: header('Location') }),
        ...(takesKey(route) && { 'Idempotent-Replayed': header('Replayed') }),
      };
      const made = (description: string): Response => ({
        ...answer(description, one, headers),
        ...(Object.keys(links).length > 0 && { links }),
      });
      return {
        ...(route.wasThere && { 200: made('It was there before.') }),
        [route.status]: made({ 200: 'Done.', 201: 'Made.', 202: 'Begun.' }[route.status]),
      };
    }
  }
}

/** Lines of which each is such a value. */
export const linesSchema = (line: JsonSchema): JsonSchema => ({
  type: 'string',
  description: 'Lines of JSON, each with its newline.',
  contentMediaType: 'application/json',
  contentSchema: line,
});

/** Events with such data. */
export const events = (data: JsonSchema): Content => ({ 'text/event-stream': { schema: eventOf(data) } });

export const tag = { ETag: header('ETag') };
export const notModified = answer('Unchanged since the ETag given in If-None-Match.', undefined, tag);

const page = (items: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema => ({
  type: 'object',
  properties: { data: { type: 'array', items }, pagination: schemaRef('Pagination'), ...more },
  required: ['data', 'pagination'],
});
const found = (items: JsonSchema): JsonSchema =>
  page(items, {
    partial: {
      type: 'boolean',
      description:
        'Present and true if a worker did not answer in time or is still reading what it holds, in a search of the whole workspace.',
    },
    words_only: {
      type: 'boolean',
      description:
        'Present and true if the server of embeddings did not say what the query means, so that memories were found by its words.',
    },
  });
