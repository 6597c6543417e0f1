/**
 * Requests of 0.2 and 0.3 (`types.ts` of these releases): discriminated by `kind`, with lower-case roles. A message may
 * omit its own `kind`, as the examples of the 0.2 specification do; a part may not.
 */
import { z } from 'zod';
import type { A2AVersion, Part, PushConfigInput, TaskInput } from '../../domain/task.js';
import {
  base64,
  longest,
  canonicalBase64,
  configId,
  credentials,
  flag,
  historyLength,
  id,
  isObject,
  jsonTree,
  mediaTypes,
  messageFields,
  metadata,
  must,
  partsOf,
  scheme,
  shortText,
  strings,
  text,
  token,
  url,
} from '../fields.js';
import { authenticationOf, describedPart, pushInput, sendRequest } from '../message.js';
import type { SendRequest, SetPushRequest } from '../requests.js';
import { wrapFlag } from './write.js';

const filename = shortText(longest.filename).nullish();
const mimeType = shortText(longest.mediaType).nullish();

const file = z
  .object({ bytes: base64.nullish(), uri: url.nullish(), name: filename, mimeType }, must('an object'))
  .refine((f) => ((f.bytes ?? null) === null) !== ((f.uri ?? null) === null), 'must have either bytes or uri');
const part = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('text'), text, metadata: metadata.nullish() }),
    z.object({ kind: z.literal('file'), file, metadata: metadata.nullish() }),
    z.object({ kind: z.literal('data'), data: jsonTree, metadata: metadata.nullish() }),
  ],
  { error: ({ input }) => (isObject(input) ? 'must be "text", "file" or "data"' : 'must be an object') },
);

const message = z.object(
  {
    kind: z.literal('message', 'must be "message"').optional(),
    role: z.literal('user', must('"user"')),
    ...messageFields,
    parts: partsOf(part),
    taskId: id.nullish(),
    contextId: id.nullish(),
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
  metadata: metadata.nullish(),
});

export const idParams = z.object({ id });
export const getParams = z.object({ id, historyLength: historyLength.nullish() });
export const setPushParams = z.object({ taskId: id, pushNotificationConfig: pushConfig });
export const configParams = z.object({ id, pushNotificationConfigId: shortText(longest.id).nullish() });

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

/** Unwraps a value that was wrapped because 0.x supports only objects (v0/write.ts). */
function dataPart(data: object, metadata: z.infer<typeof part>['metadata']): Part {
  if (!metadata || metadata[wrapFlag] !== true || !('value' in data))
    return describedPart({ kind: 'data', data }, null, null, metadata);
  const { [wrapFlag]: _, ...rest } = metadata;
  return describedPart({ kind: 'data', data: data.value }, null, null, Object.keys(rest).length === 0 ? null : rest);
}
