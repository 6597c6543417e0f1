/** Generates the parameters of operations: path, query and headers. */
import { defaultPage, maxOffset, maxPage, orders, sorts, type Paging } from '../http/paging.js';
import { takesKey, type Route } from '../rest/route.js';
import type { Schemas } from './schemas.js';
import type { JsonSchema, Parameter, Reference } from './types.js';

const whole = (minimum: number, maximum: number): JsonSchema => ({ type: 'integer', minimum, maximum });
const query = (name: string, description: string, schema: JsonSchema): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

/** Parameters shared by many operations, by component name. */
export const sharedParameters = {
  PageSize: query('page_size', 'The number of items per page.', { ...whole(1, maxPage), default: defaultPage }),
  Cursor: query(
    'cursor',
    'The `next_cursor` of the previous page. Cursors are opaque; a cursor of another list, filter or order is rejected with 400.',
    { type: 'string', minLength: 1, maxLength: 2048 },
  ),
  Sort: query(
    'sort',
    'The field to sort by. `relevance` sorts like `created_at`, and so does `updated_at` for items that never change.',
    { type: 'string', enum: [...sorts], default: sorts[0] },
  ),
  Order: query('order', 'Newest first (`desc`) or oldest first (`asc`).', {
    type: 'string',
    enum: [...orders],
    default: orders[0],
  }),
  MailboxOrder: query(
    'order',
    'Newest first (`desc`) or oldest first (`asc`). By default unread messages come first, and the newest first within each group.',
    { type: 'string', enum: [...orders] },
  ),
  Limit: query(
    'limit',
    'An alias of `page_size`, for paging by `offset`. It cannot be combined with `page_size`.',
    whole(1, maxPage),
  ),
  Offset: query(
    'offset',
    'The number of items to skip. It cannot be combined with `cursor`. Unlike cursors, offsets shift when items are created or deleted meanwhile.',
    whole(0, maxOffset),
  ),
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    description:
      'Makes it safe to retry the request. For 24 hours, the same key and body at the same path return the first response, with `Idempotent-Replayed: true`. A different body is rejected with 422. While the first request is in progress, a retry waits for its outcome.',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    schema: { type: 'string', pattern: '^\\d{0,15}$' },
    description:
      'The `id` of the last event received; the stream continues after it. Browsers send it automatically when they reconnect.',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description:
      'ETags, separated by commas. If the settings of the agent, or the block, have changed since, the request is rejected with 412; other activity does not count. `*` matches any version.',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'The ETag of the copy the client has. If it is still current, the response is 304.',
  },
  LastEventIdQuery: query(
    'lastEventId',
    'The same as Last-Event-ID, for clients that cannot set headers. If both are given, the header wins.',
    { type: 'string', pattern: '^\\d{0,15}$' },
  ),
} as const satisfies Record<string, Parameter>;

const shared = (name: keyof typeof sharedParameters): Reference => ({ $ref: `#/components/parameters/${name}` });

const filterNotes: Readonly<Record<string, string>> = {
  cascade: 'Whether everything that the key minted is revoked too, and what that minted.',
  agent_id: 'Only those of this agent.',
  hive_id: 'Only those of this hive.',
  type: 'Only those of this type.',
  sessionId: 'Only those of this session.',
  runId: 'Only those of this run.',
  thoughtType: 'Only thoughts of this type.',
};

/** The parameters that the service does not name (route.ts). */
const chosen: Readonly<Record<string, string>> = {
  sessionId: '^(?!\\.{1,2}$)[^\\u0000]{1,128}$',
  subject: '^(?!\\.{1,2}$)[^\\u0000]{1,128}$',
  toolName: '^(?!\\.{1,2}$)[^\\u0000]{1,200}$',
};

/** Ids in paths; a malformed id is 404. */
export function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/(?<=\/):(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: `The id of ${idOf(path, name)}.`,
    schema: { type: 'string', pattern: chosen[name] ?? '^[A-Za-z0-9_-]{1,128}$' },
  }));
}

function idOf(path: string, name: string): string {
  if (name !== 'id') return `the ${name.replace(/Id$/, '')}`;
  const thing = /([a-z-]+)\/:id/.exec(path)?.[1] ?? '';
  return things[thing] ?? 'the thing';
}

const things: Readonly<Record<string, string>> = {
  agents: 'the agent',
  'agent-constellations': 'the agent',
  memories: 'the memory',
  hives: 'the hive',
  keys: 'the key',
  'dead-letters': 'the dead letter',
};

export const parametersOf = (route: Route, schemas: Schemas): (Parameter | Reference)[] => [
  ...pathParameters(route.path),
  ...Object.entries(route.filter).map(([name, schema]) => filter(name, schemas.of(schema))),
  ...(route.kind === 'list' ? paging(route.paging) : []),
  ...(route.kind === 'stream' && route.resumable ? [shared('LastEventId'), shared('LastEventIdQuery')] : []),
  ...(takesKey(route) ? [shared('IdempotencyKey')] : []),
  ...(route.conditional ? [shared('IfMatch')] : []),
  ...(route.kind === 'read' && route.tagged ? [shared('IfNoneMatch')] : []),
];

/**
 * Uses the filter's own description if it has one; the general description of text, about bytes, does not help here.
 */
function filter(name: string, { description, ...schema }: JsonSchema): Parameter {
  return query(name, filterNotes[name] ?? description ?? '', schema);
}

const paging = ({ offset, ownLimit, ownOrder }: Paging): (Parameter | Reference)[] => [
  ...(ownLimit === undefined
    ? [shared('PageSize')]
    : [
        query('limit', 'The number of items per page.', { ...whole(1, ownLimit.max), default: ownLimit.default }),
        query('page_size', 'Another name of `limit`, up to 100. Not together with it.', whole(1, maxPage)),
      ]),
  shared('Cursor'),
  shared('Sort'),
  shared(ownOrder ? 'MailboxOrder' : 'Order'),
  ...(offset ? [shared('Limit'), shared('Offset')] : []),
];
