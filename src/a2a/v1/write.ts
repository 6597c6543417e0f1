/** Results and frames of 1.0, in ProtoJSON: exactly the fields of `a2a.proto`, because its clients reject any other. */
import type { RunStatus } from '../../domain/vocabulary.js';
import { conversationOf, type Part, type PushConfig, type Task, type TaskMessage } from '../../domain/task.js';
import type { TaskIds, TaskOptions } from '../codec.js';
import { protoStates } from '../states.js';
import {
  agedMetadata,
  artifactId,
  artifactName,
  shownHistory,
  shownOutput,
  statusMessageId,
  statusParts,
  statusText,
  type ShownUpdate,
  textParts,
} from '../task-view.js';

type Wire = Record<string, unknown>;

export function writeTask(task: Task, options?: TaskOptions): Wire {
  const ids = { taskId: task.id, contextId: conversationOf(task) };
  const text = statusText(task.status, task.statusMessage);
  const message =
    text === null
      ? null
      : agentMessage(statusMessageId(task.id, task.statusSeq), statusParts(text, task.statusData), ids);
  const wire: Wire = { id: task.id, contextId: ids.contextId, status: status(task.status, task.statusAt, message) };
  const output = shownOutput(task, options);
  if (output !== null) wire['artifacts'] = [artifact(task.id, output)];
  const history = shownHistory(task, options);
  if (history !== null) wire['history'] = history.map((said) => writeMessage(said, ids));
  return wire;
}

/** Encodes a StreamResponse. */
export function writeFrame(event: ShownUpdate, ids: TaskIds): Wire {
  switch (event.type) {
    case 'status': {
      const text = statusText(event.status, event.message);
      const message =
        text === null
          ? null
          : agentMessage(statusMessageId(ids.taskId, event.seq), statusParts(text, event.statusData), ids);
      return statusUpdate(ids, status(event.status, event.at, message));
    }
    case 'thought':
      return statusUpdate(
        ids,
        status('running', event.at, agentMessage(event.thought.id, textParts(event.thought.content), ids)),
      );
    case 'answer':
      return {
        artifactUpdate: {
          taskId: ids.taskId,
          contextId: ids.contextId,
          artifact: artifact(ids.taskId, event.parts ?? textParts(event.content)),
          append: false,
          lastChunk: true,
        },
      };
    case 'delta':
      return {
        artifactUpdate: {
          taskId: ids.taskId,
          contextId: ids.contextId,
          artifact: artifact(ids.taskId, textParts(event.text)),
          append: event.append,
          lastChunk: false,
        },
      };
  }
}

export const writeAged = (now: Pick<Task, 'status' | 'statusAt'>, { taskId, contextId }: TaskIds): Wire => ({
  statusUpdate: { taskId, contextId, status: status(now.status, now.statusAt, null), metadata: agedMetadata },
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

const statusUpdate = (ids: TaskIds, now: Wire): Wire => ({
  statusUpdate: { taskId: ids.taskId, contextId: ids.contextId, status: now },
});

const status = (of: RunStatus, timestamp: string, message: Wire | null): Wire =>
  message === null ? { state: protoStates[of], timestamp } : { state: protoStates[of], timestamp, message };

const agentMessage = (messageId: string, parts: readonly Part[], ids: TaskIds): Wire => ({
  messageId,
  contextId: ids.contextId,
  taskId: ids.taskId,
  role: 'ROLE_AGENT',
  parts: parts.map(writePart),
});

const artifact = (taskId: string, parts: readonly Part[]): Wire => ({
  artifactId: artifactId(taskId),
  name: artifactName,
  parts: parts.map(writePart),
});

function writeMessage(message: TaskMessage, ids: TaskIds): Wire {
  const wire: Wire = {
    messageId: message.messageId,
    contextId: ids.contextId,
    taskId: ids.taskId,
    role: message.role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: message.parts.map(writePart),
  };
  if (message.metadata !== undefined) wire['metadata'] = message.metadata;
  if (message.extensions !== undefined) wire['extensions'] = message.extensions;
  if (message.referenceTaskIds !== undefined) wire['referenceTaskIds'] = message.referenceTaskIds;
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
