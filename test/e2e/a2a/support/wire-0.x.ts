/** What 0.2 and 0.3 have in common on the wire, from the types of 0.3's SDK into the words of peer.ts. */
import type {
  Artifact,
  Message,
  MessageSendParams,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskStatusUpdateEvent,
} from 'a2a-sdk-0.3';
import type { PushTarget, Seen, SeenFrame, Sent } from './peer.js';
import { freshId } from './rpc.js';

const text = (parts: Artifact['parts']): string => parts.map((p) => (p.kind === 'text' ? p.text : '')).join('');
const data = (parts: Artifact['parts']): unknown[] => parts.flatMap((p) => (p.kind === 'data' ? [p.data] : []));

export function seen(task: Task | Message): Seen {
  if (task.kind !== 'task') throw new Error(`a ${task.kind} instead of a task`);
  const { id, contextId, status, artifacts, history } = task;
  return {
    id,
    contextId,
    state: status.state,
    says: status.message ? text(status.message.parts) : null,
    asks: data(status.message?.parts ?? []),
    output: artifacts ? artifacts.map((a) => text(a.parts)).join('') : null,
    artifacts: (artifacts ?? []).map(({ artifactId, name = '' }) => ({ artifactId, name })),
    history: (history ?? []).map((m) => text(m.parts)),
  };
}

function seenFrame(event: Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent): SeenFrame {
  switch (event.kind) {
    case 'status-update':
      return {
        kind: 'status',
        taskId: event.taskId,
        contextId: event.contextId,
        state: event.status.state,
        says: event.status.message ? text(event.status.message.parts) : null,
        asks: data(event.status.message?.parts ?? []),
        final: event.final,
      };
    case 'artifact-update':
      return {
        kind: 'artifact',
        taskId: event.taskId,
        contextId: event.contextId,
        artifactId: event.artifact.artifactId,
        name: event.artifact.name ?? '',
        output: text(event.artifact.parts),
        append: event.append ?? false,
        lastChunk: event.lastChunk ?? false,
      };
    default:
      return { kind: 'task', task: seen(event) };
  }
}

export async function* frames(events: AsyncIterable<Parameters<typeof seenFrame>[0]>): AsyncIterable<SeenFrame> {
  for await (const event of events) yield seenFrame(event);
}

export const params = (
  { text: said, image, data, messageId = freshId(), taskId, push, historyLength }: Sent,
  blocking?: boolean,
) =>
  ({
    message: {
      kind: 'message',
      role: 'user',
      messageId,
      taskId,
      parts: [
        { kind: 'text', text: said },
        ...(image
          ? [{ kind: 'file' as const, file: { name: image.name, mimeType: image.mediaType, bytes: image.bytes } }]
          : []),
        ...(data ? [{ kind: 'data' as const, data }] : []),
      ],
    },
    configuration: { acceptedOutputModes: ['text/plain'], blocking, historyLength, pushNotificationConfig: push },
  }) satisfies MessageSendParams;

export const target = ({
  pushNotificationConfig: { url, token = '', id },
}: TaskPushNotificationConfig): PushTarget => ({ url, token, id });
