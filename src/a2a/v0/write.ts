/** Results and frames of 0.2 and 0.3, discriminated by `kind` (docs/api.md 2.7-2.10). */
import { contextOf, type Part, type PushConfig } from '../../domain/task.js';
import { isObject } from '../fields.js';
import { slashStates } from '../states.js';
import { taskWriter, type Wire } from '../task-writer.js';

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
