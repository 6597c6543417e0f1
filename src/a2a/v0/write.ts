/** Results and frames of 0.2 and 0.3, discriminated by `kind` (docs/api.md 2.7-2.10). */
import type { RunStatus } from '../../domain/vocabulary.js';
import { contextOf, type Part, type PushConfig, type Task, type TaskMessage } from '../../domain/task.js';
import type { TaskIds, TaskOptions } from '../codec.js';
import { isObject } from '../fields.js';
import { slashStates } from '../states.js';
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

/**
 * Marks `{value}` as a wrapper around data that is not an object, which 0.x does not support; the official SDKs use the
 * same mark.
 */
export const wrapFlag = 'data_part_compat';

export function writeTask(task: Task, options?: TaskOptions): Wire {
  const ids = { taskId: task.id, contextId: contextOf(task) };
  const wire: Wire = {
    kind: 'task',
    id: task.id,
    contextId: ids.contextId,
    status: status(task.status, task.statusAt, saying(task, ids)),
  };
  const output = shownOutput(task, options);
  if (output !== null) wire['artifacts'] = [artifact(task.id, output)];
  const history = shownHistory(task, options);
  if (history !== null) wire['history'] = history.map((message) => writeMessage(message, ids));
  return wire;
}

export function writeFrame(event: ShownUpdate, ids: TaskIds, final: boolean): Wire {
  switch (event.type) {
    case 'status': {
      const text = statusText(event.status, event.message);
      const message =
        text === null
          ? null
          : agentMessage(statusMessageId(ids.taskId, event.seq), statusParts(text, event.statusData), ids);
      return statusUpdate(ids, status(event.status, event.at, message), final);
    }
    case 'thought':
      return statusUpdate(
        ids,
        status('running', event.at, agentMessage(event.thought.id, textParts(event.thought.content), ids)),
        false,
      );
    case 'answer':
      return {
        kind: 'artifact-update',
        taskId: ids.taskId,
        contextId: ids.contextId,
        artifact: artifact(ids.taskId, event.parts ?? textParts(event.content)),
        append: false,
        lastChunk: true,
      };
    case 'delta':
      return {
        kind: 'artifact-update',
        taskId: ids.taskId,
        contextId: ids.contextId,
        artifact: artifact(ids.taskId, textParts(event.text)),
        append: event.append,
        lastChunk: false,
      };
  }
}

export const writeAged = (now: Pick<Task, 'status' | 'statusAt'>, ids: TaskIds): Wire => ({
  ...statusUpdate(ids, status(now.status, now.statusAt, null), false),
  metadata: agedMetadata,
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

const statusUpdate = (ids: TaskIds, now: Wire, final: boolean): Wire => ({
  kind: 'status-update',
  taskId: ids.taskId,
  contextId: ids.contextId,
  status: now,
  final,
});

function status(of: RunStatus, timestamp: string, message: Wire | null): Wire {
  return message === null ? { state: slashStates[of], timestamp } : { state: slashStates[of], timestamp, message };
}

function saying(task: Task, ids: TaskIds): Wire | null {
  const text = statusText(task.status, task.statusMessage);
  return text === null
    ? null
    : agentMessage(statusMessageId(task.id, task.statusSeq), statusParts(text, task.statusData), ids);
}

const agentMessage = (messageId: string, parts: readonly Part[], ids: TaskIds): Wire => ({
  kind: 'message',
  role: 'agent',
  messageId,
  parts: parts.map(writePart),
  taskId: ids.taskId,
  contextId: ids.contextId,
});

const artifact = (taskId: string, parts: readonly Part[]): Wire => ({
  artifactId: artifactId(taskId),
  name: artifactName,
  parts: parts.map(writePart),
});

function writeMessage(message: TaskMessage, ids: TaskIds): Wire {
  const wire: Wire = {
    kind: 'message',
    role: message.role,
    messageId: message.messageId,
    parts: message.parts.map(writePart),
    taskId: ids.taskId,
    contextId: ids.contextId,
  };
  if (message.metadata !== undefined) wire['metadata'] = message.metadata;
  if (message.extensions !== undefined) wire['extensions'] = message.extensions;
  if (message.referenceTaskIds !== undefined) wire['referenceTaskIds'] = message.referenceTaskIds;
  return wire;
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
