/** The codec of the PascalCase methods: A2A 1.0. */
import { z } from 'zod';
import { type Part, type PushConfig, type PushConfigInput, conversationOf } from '../domain/task/task.js';
import {
  anyBase64,
  authenticationOf,
  canonicalBase64,
  configId,
  countField,
  credentials,
  describedPart,
  flag,
  idField,
  isObject,
  jsonField,
  longest,
  mediaTypes,
  messageFields,
  metadataField,
  must,
  optionalId,
  partsField,
  pushInput,
  readParams,
  scheme,
  sendRequest,
  shortText,
  textField,
  token,
  url,
} from './message.js';
import type { Codec, ListPushRequest, ListRequest, SendRequest, SetPushRequest } from './codec.js';
import { protoStateNames, protoStates, statusesOf } from './states.js';
import { type Wire, taskWriter } from './task-view.js';

/*
 * Requests of 1.0, in ProtoJSON (A2A 1.0, 5.5-5.7 and `a2a.proto`). There are no discriminators: the kind of a part
 * follows from which of text, raw, url and data is present. An empty string, null and the zero of an enum count as
 * absent; integers may be strings and enums numbers. `tenant` is ignored, because an agent has its own URL.
 */

const optionalText = shortText(longest.filename).nullish();
const pageToken = shortText(longest.url).nullish();
const whole = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
const int32 = (min: number, max?: number) => z.preprocess(whole, countField(min, max).nullish());

const part = z
  .object(
    {
      text: textField.nullish(),
      raw: anyBase64.nullish(),
      url: url.nullish(),
      data: jsonField.optional(),
      filename: optionalText,
      mediaType: optionalText,
      metadata: metadataField.nullish(),
    },
    must('an object'),
  )
  .refine((p) => contentsOf(p) === 1, 'must have exactly one of text, raw, url and data');

interface Content {
  text?: string | null;
  raw?: string | null;
  url?: string | null;
  data?: unknown;
}

/** `data: null` is JSON's null if it is the only content, and counts as absent beside another. */
function contentsOf(p: Content): number {
  const others =
    Number(typeof p.text === 'string') + Number(typeof p.raw === 'string') + Number(typeof p.url === 'string');
  return others + Number('data' in p && p.data !== undefined && (p.data !== null || others === 0));
}

const message = z.object(
  {
    role: z.union([z.literal('ROLE_USER'), z.literal(1)], must('"ROLE_USER"')),
    ...messageFields,
    parts: partsField(part),
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
  metadata: metadataField.nullish(),
});

export const idParams = z.object({ id: idField });
export const getParams = z.object({ id: idField, historyLength: int32(0) });
export const setPushParams = z.object({ taskId: idField, ...pushFields });
export const configParams = z.object({ taskId: idField, id: idField });
export const listPushParams = z.object({ taskId: idField, pageSize: int32(0), pageToken });

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

/*
 * ProtoJSON allows field names in camelCase or, as in the .proto file, in snake_case; the conformance kit of 1.0 uses
 * the latter. This converts params to camelCase. What metadata and data contain is the client's, and keeps its names.
 */

const contents: ReadonlySet<string> = new Set(['metadata', 'data']);

export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = nameOf(key);
      return [name, contents.has(name) ? inner : camelCased(inner)];
    }),
  );
}

/** Matches only from the first _ of a run: matching from each of them would take quadratic time. */
const nameOf = (key: string): string =>
  key.includes('_') ? key.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : key;

/* Results and frames of 1.0, in ProtoJSON: exactly the fields of `a2a.proto`, because its clients reject any other. */

export const protoWriter = taskWriter({
  contextOf: conversationOf,
  states: protoStates,
  part: writePart,
  message: ({ role, messageId }, parts, { taskId, contextId }) => ({
    messageId,
    contextId,
    taskId,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts,
  }),
  task: ({ taskId, contextId }, status) => ({ id: taskId, contextId, status }),
  statusUpdate: ({ taskId, contextId }, status, _final, metadata) => ({
    statusUpdate: { taskId, contextId, status, ...(metadata && { metadata }) },
  }),
  artifactUpdate: ({ taskId, contextId }, artifact, append, lastChunk) => ({
    artifactUpdate: { taskId, contextId, artifact, append, lastChunk },
  }),
});

export function writePushConfig(taskId: string, config: PushConfig): Wire {
  const wire: Wire = { taskId, id: config.id, url: config.url };
  if (config.token !== undefined) wire['token'] = config.token;
  // 1.0 supports one scheme, which must have a name
  const scheme = config.authentication?.schemes[0];
  if (scheme !== undefined) {
    const credentials = config.authentication?.credentials;
    wire['authentication'] = credentials === undefined ? { scheme } : { scheme, credentials };
  }
  return wire;
}

function writePart(part: Part): Wire {
  const wire = content(part);
  if (part.filename !== undefined) wire['filename'] = part.filename;
  if (part.mediaType !== undefined) wire['mediaType'] = part.mediaType;
  if (part.metadata !== undefined) wire['metadata'] = part.metadata;
  return wire;
}

function content(part: Part): Wire {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'data':
      return { data: part.data };
    case 'file':
      return 'uri' in part ? { url: part.uri } : { raw: part.bytes };
  }
}

const read = <T>(schema: z.ZodType<T>, params: unknown): T => readParams(schema, camelCased(params));

export const protoCodec: Codec = {
  version: '1.0',

  readSend: (params) => readSend(read(sendParams, params)),
  readGet: (params) => {
    const { id, historyLength } = read(getParams, params);
    return typeof historyLength === 'number' ? { id, historyLength } : { id };
  },
  readId: (params) => read(idParams, params).id,
  readList: (params) => readList(read(listParams, params === undefined ? {} : params)),
  readSetPush: (params) => readSetPush(read(setPushParams, params)),
  readPush: (params) => read(configParams, params),
  readListPush: (params) => readListPush(read(listPushParams, params)),

  contextOf: conversationOf,
  task: protoWriter.task,
  sendResult: (task, options) => ({ task: protoWriter.task(task, options) }),
  streamTask: (task, options) => ({ task: protoWriter.task(task, options) }),
  frame: protoWriter.frame,
  aged: protoWriter.aged,
  listResult: protoWriter.list,
  pushConfig: writePushConfig,
  pushList: (taskId, configs, nextPageToken) => ({
    configs: configs.map((config) => writePushConfig(taskId, config)),
    nextPageToken,
  }),
  pushDeleted: {},
};
