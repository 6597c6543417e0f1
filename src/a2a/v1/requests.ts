/**
 * Requests of 1.0, in ProtoJSON (A2A 1.0, 5.5-5.7 and `a2a.proto`). There are no discriminators: the kind of a part
 * follows from which of text, raw, url and data is present. An empty string, null and the zero of an enum count as
 * absent; integers may be strings and enums numbers. `tenant` is ignored, because an agent has its own URL.
 */
import { z } from 'zod';
import type { Part, PushConfigInput } from '../../domain/task.js';
import {
  anyBase64,
  longest,
  canonicalBase64,
  configId,
  count,
  credentials,
  flag,
  id,
  json,
  mediaTypes,
  messageFields,
  metadata,
  must,
  optionalId,
  partsOf,
  scheme,
  shortText,
  text,
  token,
  url,
} from '../fields.js';
import { authenticationOf, describedPart, pushInput, sendRequest } from '../message.js';
import type { ListPushRequest, ListRequest, SendRequest, SetPushRequest } from '../requests.js';
import { protoStateNames, statusesOf } from '../states.js';

const optionalText = shortText(longest.filename).nullish();
const pageToken = shortText(longest.url).nullish();
const whole = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
const int32 = (min: number, max?: number) => z.preprocess(whole, count(min, max).nullish());

const part = z
  .object(
    {
      text: text.nullish(),
      raw: anyBase64.nullish(),
      url: url.nullish(),
      data: json.optional(),
      filename: optionalText,
      mediaType: optionalText,
      metadata: metadata.nullish(),
    },
    must('an object'),
  )
  .refine((p) => contents(p) === 1, 'must have exactly one of text, raw, url and data');

interface Content {
  text?: string | null;
  raw?: string | null;
  url?: string | null;
  data?: unknown;
}

/** `data: null` is JSON's null if it is the only content, and counts as absent beside another. */
function contents(p: Content): number {
  const others =
    Number(typeof p.text === 'string') + Number(typeof p.raw === 'string') + Number(typeof p.url === 'string');
  return others + Number('data' in p && p.data !== undefined && (p.data !== null || others === 0));
}

const message = z.object(
  {
    role: z.union([z.literal('ROLE_USER'), z.literal(1)], must('"ROLE_USER"')),
    ...messageFields,
    parts: partsOf(part),
    taskId: optionalId,
    contextId: optionalId,
  },
  must('an object'),
);

const pushFields = {
  id: configId.nullish(),
  url,
  token: token.nullish(),
  authentication: z.object({ scheme, credentials: credentials.nullish() }, must('an object')).nullish(),
};

export const sendParams = z.object({
  message,
  configuration: z
    .object(
      {
        acceptedOutputModes: mediaTypes.nullish(),
        historyLength: int32(0),
        returnImmediately: flag.nullish(),
        taskPushNotificationConfig: z.object(pushFields, must('an object')).nullish(),
      },
      must('an object'),
    )
    .nullish(),
  metadata: metadata.nullish(),
});

export const idParams = z.object({ id });
export const getParams = z.object({ id, historyLength: int32(0) });
export const setPushParams = z.object({ taskId: id, ...pushFields });
export const configParams = z.object({ taskId: id, id });
export const listPushParams = z.object({ taskId: id, pageSize: int32(0), pageToken });

const state = z.preprocess(
  (value) => (typeof value === 'number' ? (protoStateNames[value] ?? value) : value),
  z.enum(protoStateNames, must('a task state, such as "TASK_STATE_WORKING"')).nullish(),
);
/** RFC 3339 with up to nanoseconds and any offset, as a protobuf Timestamp allows. */
const timestamp = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00.000Z' })
  .refine(
    (given) => Number.isNaN(Date.parse(given)) || /^\d{4}-/.test(inMilliseconds(given)),
    'must be in the years 0000 to 9999, in UTC',
  );

export const listParams = z.object({
  contextId: optionalId,
  status: state,
  pageSize: int32(1, 100),
  pageToken,
  historyLength: int32(0),
  statusTimestampAfter: timestamp.nullish(),
  includeArtifacts: flag.nullish(),
});

export function readSend(params: z.infer<typeof sendParams>): SendRequest {
  const { returnImmediately, taskPushNotificationConfig: push } = params.configuration ?? {};
  const wait = returnImmediately === true ? 'started' : 'settled';
  return sendRequest(params, params.message.parts.map(partOf), wait, push ? pushOf(push) : undefined);
}

export const readSetPush = (params: z.infer<typeof setPushParams>): SetPushRequest => ({
  taskId: params.taskId,
  config: pushOf(params),
});

export function readListPush({ taskId, pageSize, pageToken: after }: z.infer<typeof listPushParams>): ListPushRequest {
  const request: ListPushRequest = { taskId };
  if (pageSize) request.pageSize = pageSize;
  if (after) request.pageToken = after;
  return request;
}

export function readList(params: z.infer<typeof listParams>): ListRequest {
  const request: ListRequest = {
    pageSize: params.pageSize ?? defaultPageSize,
    includeArtifacts: params.includeArtifacts === true,
  };
  if (params.contextId) request.contextId = params.contextId;
  if (params.pageToken) request.pageToken = params.pageToken;
  if (typeof params.historyLength === 'number') request.historyLength = params.historyLength;
  if (params.status && params.status !== 'TASK_STATE_UNSPECIFIED') request.statuses = statusesOf(params.status);
  if (params.statusTimestampAfter) request.changedSince = inMilliseconds(params.statusTimestampAfter);
  return request;
}

const defaultPageSize = 50;

/**
 * Rounds up, because times here have milliseconds: whatever is at least as new as the given time is at least as new as
 * this one.
 */
function inMilliseconds(given: string): string {
  const beyond = /\.\d{3}(\d+)/.exec(given)?.[1] ?? '';
  return new Date(Date.parse(given) + (/[1-9]/.test(beyond) ? 1 : 0)).toISOString();
}

function pushOf(config: {
  id?: string | null;
  url: string;
  token?: string | null;
  authentication?: { scheme: string; credentials?: string | null } | null;
}): PushConfigInput {
  const { authentication: a } = config;
  return pushInput(config, a ? authenticationOf([a.scheme], a.credentials) : undefined, '1.0');
}

function partOf(read: z.infer<typeof part>): Part {
  return describedPart(contentOf(read), read.filename, read.mediaType, read.metadata);
}

function contentOf(read: Content): Part {
  if (typeof read.text === 'string') return { kind: 'text', text: read.text };
  if (typeof read.raw === 'string') return { kind: 'file', bytes: canonicalBase64(read.raw) };
  if (typeof read.url === 'string') return { kind: 'file', uri: read.url };
  return { kind: 'data', data: read.data };
}
