/** Results and frames of 1.0, in ProtoJSON: exactly the fields of `a2a.proto`, because its clients reject any other. */
import { conversationOf, type Part, type PushConfig } from '../../domain/task.js';
import { protoStates } from '../states.js';
import { taskWriter, type Wire } from '../task-writer.js';

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
