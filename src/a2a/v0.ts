/**
 * The codec of the `x/y` methods. 0.2 and 0.3 share one wire format; a push configuration keeps the version with which
 * it was registered.
 */
import { z } from 'zod';
import {
  type A2AVersion,
  type Part,
  type PushConfig,
  type PushConfigInput,
  type TaskInput,
  contextOf,
} from '../domain/task/task.js';
import {
  authenticationOf,
  base64Field,
  canonicalBase64,
  configId,
  credentials,
  describedPart,
  flag,
  historyLength,
  idField,
  isObject,
  jsonTree,
  longest,
  mediaTypes,
  messageFields,
  metadataField,
  must,
  partsField,
  pushInput,
  readParams,
  scheme,
  sendRequest,
  shortText,
  strings,
  textField,
  token,
  url,
} from './message.js';
import { slashStates } from './states.js';
import { type Wire, taskWriter } from './task-view.js';
import type { Codec, SendRequest, SetPushRequest } from './codec.js';
import { RpcError } from './rpc.js';

/* Results and frames of 0.2 and 0.3, discriminated by `kind` (docs/api.md 2.7-2.10). */

/**
 * Marks `{value}` as a wrapper around data that is not an object, which 0.x does not support; the official SDKs use the
 * same mark.
 */
export const wrapFlag = 'data_part_compat';

export const slashWriter = taskWriter({
  contextOf,
  states: slashStates,
  part: writePart,
  message: ({ role, messageId }, parts, { taskId, contextId }) => ({
    kind: 'message',
    role,
    messageId,
    parts,
    taskId,
    contextId,
  }),
  task: ({ taskId, contextId }, status) => ({ kind: 'task', id: taskId, contextId, status }),
  statusUpdate: ({ taskId, contextId }, status, final, metadata) => ({
    kind: 'status-update',
    taskId,
    contextId,
    status,
    final,
    ...(metadata && { metadata }),
  }),
  artifactUpdate: ({ taskId, contextId }, artifact, append, lastChunk) => ({
    kind: 'artifact-update',
    taskId,
    contextId,
    artifact,
    append,
    lastChunk,
  }),
});

export function writePushConfig(taskId: string, config: PushConfig): Wire {
  const inner: Wire = { id: config.id, url: config.url };
  if (config.token !== undefined) inner['token'] = config.token;
  if (config.authentication !== undefined) {
    const { schemes, credentials } = config.authentication;
    inner['authentication'] = credentials === undefined ? { schemes } : { schemes, credentials };
  }
  return { taskId, pushNotificationConfig: inner };
}

/** 0.x has no file names and media types for text and data, so they are omitted. */
function writePart(part: Part): Wire {
  switch (part.kind) {
    case 'text':
      return described({ kind: 'text', text: part.text }, part);
    case 'data':
      return isObject(part.data)
        ? described({ kind: 'data', data: part.data }, part)
        : { kind: 'data', data: { value: part.data }, metadata: { ...part.metadata, [wrapFlag]: true } };
    case 'file': {
      const file: Wire = 'uri' in part ? { uri: part.uri } : { bytes: part.bytes };
      if (part.filename !== undefined) file['name'] = part.filename;
      if (part.mediaType !== undefined) file['mimeType'] = part.mediaType;
      return described({ kind: 'file', file }, part);
    }
  }
}

function described(wire: Wire, { metadata }: Part): Wire {
  if (metadata !== undefined) wire['metadata'] = metadata;
  return wire;
}

/*
 * Requests of 0.2 and 0.3 (`types.ts` of these releases): discriminated by `kind`, with lower-case roles. A message may
 * omit its own `kind`, as the examples of the 0.2 specification do; a part may not.
 */

const filename = shortText(longest.filename).nullish();
const mimeType = shortText(longest.mediaType).nullish();

const file = z
  .object({ bytes: base64Field.nullish(), uri: url.nullish(), name: filename, mimeType }, must('an object'))
  .refine((f) => ((f.bytes ?? null) === null) !== ((f.uri ?? null) === null), 'must have either bytes or uri');
const part = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('text'), text: textField, metadata: metadataField.nullish() }),
    z.object({ kind: z.literal('file'), file, metadata: metadataField.nullish() }),
    z.object({ kind: z.literal('data'), data: jsonTree, metadata: metadataField.nullish() }),
  ],
  { error: ({ input }) => (isObject(input) ? 'must be "text", "file" or "data"' : 'must be an object') },
);

const message = z.object(
  {
    kind: z.literal('message', 'must be "message"').optional(),
    role: z.literal('user', must('"user"')),
    ...messageFields,
    parts: partsField(part),
    taskId: idField.nullish(),
    contextId: idField.nullish(),
  },
  must('an object'),
);

const pushConfig = z.object(
  {
    id: configId.nullish(),
    url,
    token: token.nullish(),
    authentication: z
      .object(
        { schemes: strings(scheme, 'an array of schemes'), credentials: credentials.nullish() },
        must('an object'),
      )
      .nullish(),
  },
  must('an object'),
);

export const sendParams = z.object({
  message,
  configuration: z
    .object(
      {
        acceptedOutputModes: mediaTypes.nullish(),
        historyLength: historyLength.nullish(),
        blocking: flag.nullish(),
        pushNotificationConfig: pushConfig.nullish(),
      },
      must('an object'),
    )
    .nullish(),
  metadata: metadataField.nullish(),
});

export const idParams = z.object({ id: idField });
export const getParams = z.object({ id: idField, historyLength: historyLength.nullish() });
export const setPushParams = z.object({ taskId: idField, pushNotificationConfig: pushConfig });
export const configParams = z.object({ id: idField, pushNotificationConfigId: shortText(longest.id).nullish() });

export function readSend(params: z.infer<typeof sendParams>, version: A2AVersion): SendRequest {
  const { blocking, pushNotificationConfig: push } = params.configuration ?? {};
  const parts = params.message.parts.map(partOf);
  return sendRequest(params, parts, waitOf(blocking), push ? pushOf(push, version) : undefined);
}

export const readSetPush = (
  { taskId, pushNotificationConfig }: z.infer<typeof setPushParams>,
  version: A2AVersion,
): SetPushRequest => ({ taskId, config: pushOf(pushNotificationConfig, version) });

/** If absent, the call does not wait, as in the examples of docs/api.md 3.2 and 4.2: runs proceed by themselves. */
function waitOf(blocking: boolean | null | undefined): TaskInput['wait'] {
  if (blocking === true) return 'settled';
  return blocking === false ? 'started' : 'natural';
}

function pushOf(config: z.infer<typeof pushConfig>, version: A2AVersion): PushConfigInput {
  const { authentication: a } = config;
  return pushInput(config, a ? authenticationOf(a.schemes, a.credentials) : undefined, version);
}

function partOf(read: z.infer<typeof part>): Part {
  switch (read.kind) {
    case 'text':
      return describedPart({ kind: 'text', text: read.text }, null, null, read.metadata);
    case 'data':
      return dataPart(read.data, read.metadata);
    case 'file': {
      const { bytes, uri, name, mimeType: mediaType } = read.file;
      const part: Part =
        typeof uri === 'string' ? { kind: 'file', uri } : { kind: 'file', bytes: canonicalBase64(bytes ?? '') };
      return describedPart(part, name, mediaType, read.metadata);
    }
  }
}

/** Unwraps a value that was wrapped because 0.x supports only objects (written above, with `wrapFlag`). */
function dataPart(data: object, metadata: z.infer<typeof part>['metadata']): Part {
  if (!metadata || metadata[wrapFlag] !== true || !('value' in data))
    return describedPart({ kind: 'data', data }, null, null, metadata);
  const { [wrapFlag]: _, ...rest } = metadata;
  return describedPart({ kind: 'data', data: data.value }, null, null, Object.keys(rest).length === 0 ? null : rest);
}

const slashCodec = (version: '0.2' | '0.3'): Codec => ({
  version,

  readSend: (params) => readSend(readParams(sendParams, params), version),
  readGet: (params) => {
    const { id, historyLength } = readParams(getParams, params);
    return typeof historyLength === 'number' ? { id, historyLength } : { id };
  },
  readId: (params) => readParams(idParams, params).id,
  readList: () => {
    throw new RpcError('METHOD_NOT_FOUND', 'tasks are listed by ListTasks, with A2A 1.0');
  },
  readSetPush: (params) => readSetPush(readParams(setPushParams, params), version),
  readPush: (params) => {
    const { id: taskId, pushNotificationConfigId: id } = readParams(configParams, withId(params));
    return id ? { taskId, id } : { taskId };
  },
  readListPush: (params) => ({ taskId: readParams(idParams, withId(params)).id }),

  contextOf,
  task: slashWriter.task,
  sendResult: slashWriter.task,
  streamTask: slashWriter.task,
  frame: slashWriter.frame,
  aged: slashWriter.aged,
  listResult: slashWriter.list,
  pushConfig: writePushConfig,
  pushList: (taskId, configs) => configs.map((config) => writePushConfig(taskId, config)),
  pushDeleted: null,
});

/** Push methods other than `set` call the task `id`. It is also read under the name that `set` and 1.0 have for it. */
function withId(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || 'id' in params || !('taskId' in params)) return params;
  return { ...params, id: params.taskId };
}

export const slashCodecs = { '0.2': slashCodec('0.2'), '0.3': slashCodec('0.3') } as const;
