/**
 * A2A tasks in the service's own terms: what the wire formats of versions 0.2, 0.3 and 1.0 (src/a2a/) have in common. A
 * task is a run (docs/api.md 2.8, 3.1); a message is what a client or an agent says in it; a push config says where
 * status changes are sent. Optional fields are omitted instead of being null, so that what was read can be written back
 * unchanged.
 */
import type { ClientCall } from '../agent/agent-tools.js';
import type { Part, TaskMessage } from '../model/fields.js';
import type { ProgressLevel, RunStatus } from '../shared/vocabulary.js';

export type { Part, TaskMessage };

export const a2aVersions = ['0.2', '0.3', '1.0'] as const;
export type A2AVersion = (typeof a2aVersions)[number];

/** Where pushes go, and what they carry so that the receiver knows the sender. */
export interface Receiver {
  url: string;
  /** Sent back in the X-A2A-Notification-Token header. */
  token?: string;
  authentication?: { schemes: readonly string[]; credentials?: string };
}

/**
 * docs/api.md 2.10. `version` is the protocol version under which it was registered; pushes use that version's format.
 */
export interface PushConfig extends Receiver {
  /** Unique within its task; chosen by the client or generated. */
  id: string;
  version: A2AVersion;
}
export type PushConfigInput = Omit<PushConfig, 'id'> & { id?: string };

/** A run as A2A sees it. */
export interface Task {
  /** The run's id. */
  id: string;
  agent_id: string;
  /** The conversation that the client named (contextOf); omitted if it is the agent's own. */
  contextId?: string;
  status: RunStatus;
  /** The conversation that it is part of; absent in pushes that an earlier version has stored. */
  sessionId?: string;
  /** How many steps it may take; absent in pushes that an earlier version has stored. */
  maxSteps?: number;
  /** What streams tell of what it does; absent if the agent does not say. */
  progress?: ProgressLevel;
  /** When the status last changed. */
  statusAt: string;
  /** The sequence number of the event that changed the status; the id of the status message contains it. */
  statusSeq: number;
  /** The message of the status: the question of a paused run, or why a run failed or was stopped. */
  statusMessage: string | null;
  /** What the message has besides its text: the calls whose results the run waits for. */
  statusData?: { id: string; calls: readonly ClientCall[] };
  /** The output of the run, shown as the artifact `<id>-response`; null while there is none. */
  output: readonly Part[] | null;
  /** Oldest first; null if it was not requested. */
  history: readonly TaskMessage[] | null;
  /** The sequence number of the last event that this task reflects; a stream continues after it. */
  lastSeq: number;
}

/** In 1.0 the conversation, so that whoever sends it back goes on with it (docs/api.md 15.3). */
export const conversationOf = (task: Pick<Task, 'contextId' | 'sessionId' | 'agent_id'>): string =>
  task.contextId ?? task.sessionId ?? task.agent_id;

/** In 0.2 and 0.3: the agent's id, unless the client has named a conversation of its own (docs/api.md 2.8). */
export const contextOf = ({ contextId, agent_id }: Pick<Task, 'contextId' | 'agent_id'>): string =>
  contextId ?? agent_id;

/** An A2A message as the service receives it. */
export interface TaskInput {
  message: TaskMessage;
  /**
   * The conversation that the client means: a name of its own choice, which becomes the run's session, or the agent's
   * id. VALIDATION_ERROR if it is another agent's id, or not the context of the task.
   */
  contextId?: string;
  /**
   * Continues this task, which must be waiting for input; otherwise NOT_FOUND, or RUN_NOT_RESUMABLE with
   * details.status.
   */
  taskId?: string;
  push?: PushConfigInput;
  /**
   * When to answer: `settled` when the run has ended or waits for a human (or the time limit of the wait has passed),
   * `started` at the commit, `natural` like `settled` unless the agent is multi-step (docs/api.md 3.2, 4.2).
   */
  wait: 'settled' | 'started' | 'natural';
}

/** The push of a task: the task as of the status change that it reports, and its destination. */
export interface TaskPush {
  id: string;
  config: PushConfig;
  task: Task;
  /** Of whose share of the connections it is sent; not stored. */
  workspace?: string | undefined;
}

/** Whether a part is plain text, without anything else that would be lost if only the text were kept. */
const isPlain = (part: Part): boolean =>
  part.kind === 'text' && part.metadata === undefined && part.filename === undefined && part.mediaType === undefined;

/** The text of parts that consist of a single plain text; null if they contain more. */
export const plainText = (parts: readonly Part[]): string | null => {
  const [first] = parts;
  return parts.length === 1 && first?.kind === 'text' && isPlain(first) ? first.text : null;
};

/**
 * The parts as text for a reasoner that reads text: texts unchanged, data as JSON, text files decoded below their
 * names, and other files by name.
 */
export function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'data') return JSON.stringify(part.data) ?? '';
      if ('bytes' in part && isText(part.mediaType))
        return `${part.filename === undefined ? '' : `[file ${part.filename}]\n`}${Buffer.from(part.bytes, 'base64').toString('utf8').replaceAll('\0', '')}`;
      return `[file${part.filename === undefined ? '' : ` ${part.filename}`}${part.mediaType === undefined ? '' : ` (${part.mediaType})`}]`;
    })
    .join('\n')
    .toWellFormed();
}

/**
 * What is said by parts that have more than texts: the texts alone, because files and data are no instructions.
 * Undefined if all of it is said.
 */
export const saidIn = (parts: readonly Part[]): string | undefined =>
  parts.every(({ kind }) => kind === 'text')
    ? undefined
    : parts.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('\n');

/** Whether a media type is text, which textOf decodes. */
export const isText = (mediaType: string | undefined): boolean =>
  mediaType !== undefined && /^(text\/|application\/(json|[\w.-]+\+json)\b)/.test(mediaType);
