/**
 * A2A tasks in the service's own words: what the wire forms of 0.2, 0.3 and 1.0 (src/a2a/) have in common. A task is a
 * run (docs/api.md 2.8, 3.1); a message is what a client or an agent says in it; a push config is where changes are
 * told. Optional fields are left out rather than null, so that what was read can be written again as it was.
 */
import type { Metadata, RunStatus } from './vocabulary.js';

/** A piece of a message or of an artifact. `bytes` is base64. */
export type Part =
  | { kind: 'text'; text: string; filename?: string; mediaType?: string; metadata?: Metadata }
  | { kind: 'data'; data: unknown; filename?: string; mediaType?: string; metadata?: Metadata }
  | { kind: 'file'; bytes: string; filename?: string; mediaType?: string; metadata?: Metadata }
  | { kind: 'file'; uri: string; filename?: string; mediaType?: string; metadata?: Metadata };

/** Spec 2.7. */
export interface TaskMessage {
  messageId: string;
  role: 'user' | 'agent';
  parts: readonly Part[];
  metadata?: Metadata;
  extensions?: readonly string[];
  referenceTaskIds?: readonly string[];
}

export const a2aVersions = ['0.2', '0.3', '1.0'] as const;
export type A2AVersion = (typeof a2aVersions)[number];

/** Spec 2.10. `version` is the one under which it was registered: pushes are written in it. */
export interface PushConfig {
  /** Unique within its task; the client's, or made for it. */
  id: string;
  url: string;
  /** Sent back as X-A2A-Notification-Token. */
  token?: string;
  authentication?: { schemes: readonly string[]; credentials?: string };
  version: A2AVersion;
}
export type PushConfigInput = Omit<PushConfig, 'id'> & { id?: string };

/** A run as A2A sees it. */
export interface Task {
  /** The run's id. */
  id: string;
  agent_id: string;
  /** The conversation that its client named (contextOf); left out where it is the agent's own. */
  contextId?: string;
  status: RunStatus;
  /** When it became so. */
  statusAt: string;
  /** The event that said so; names the status' message. */
  statusSeq: number;
  /** Said with the status: the question of a paused run, why one failed or was stopped. */
  statusMessage: string | null;
  /** What the run has left, as the artifact `<id>-response`; null when there is none (yet). */
  output: readonly Part[] | null;
  /** Oldest first; null where it was not asked for. */
  history: readonly TaskMessage[] | null;
  /** The last event that this reflects: a stream goes on after it. */
  lastSeq: number;
}

/** Spec 2.8: the agent's id, unless the client has named a conversation of its own. */
export const contextOf = ({ contextId, agent_id }: Pick<Task, 'contextId' | 'agent_id'>): string =>
  contextId ?? agent_id;

/** An A2A message as the service takes it. */
export interface TaskInput {
  message: TaskMessage;
  /**
   * The conversation that the client means: a name of its own making, which becomes the run's session, or the agent's id.
   * VALIDATION_ERROR where it is another agent's, or not that of the task.
   */
  contextId?: string;
  /** Goes on with this task, which must wait for input: NOT_FOUND, or RUN_NOT_RESUMABLE with details.status. */
  taskId?: string;
  push?: PushConfigInput;
  /**
   * When to answer: `settled` when the run has ended or waits for a human (or the wait's time is up), `started` at the
   * commit, `natural` settled unless the agent is multi-step (docs/api.md 3.2, 4.2).
   */
  wait: 'settled' | 'started' | 'natural';
}

/** A push that was given up: listed, and sent again on demand. */
export interface DeadLetter {
  id: string;
  agent_id: string;
  task_id: string;
  config_id: string;
  url: string;
  /** The status that it tells. */
  status: RunStatus;
  /** Why it was given up, and after how many tries. */
  reason: string;
  tries: number;
  created_at: string;
  /** When it was given up. */
  updated_at: string;
}

/** What a push carries: the task as of the change that it tells, and where it goes. */
export interface PushItem {
  id: string;
  config: PushConfig;
  task: Task;
}

/** Plain text, and nothing else that would be lost in it. */
const isPlain = (part: Part): boolean =>
  part.kind === 'text' && part.metadata === undefined && part.filename === undefined && part.mediaType === undefined;

/** The one text of parts that are no more than it; null where they are more. */
export const plainText = (parts: readonly Part[]): string | null => {
  const [first] = parts;
  return parts.length === 1 && first?.kind === 'text' && isPlain(first) ? first.text : null;
};

/** What a reasoner that reads text is given of parts: texts as they are, data as JSON, files of text decoded, others by name. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'data') return JSON.stringify(part.data) ?? '';
      if ('bytes' in part && isText(part.mediaType))
        return Buffer.from(part.bytes, 'base64').toString('utf8').replaceAll('\0', '');
      return `[file${part.filename === undefined ? '' : ` ${part.filename}`}${part.mediaType === undefined ? '' : ` (${part.mediaType})`}${'uri' in part ? ` at ${part.uri}` : ''}]`;
    })
    .join('\n')
    .toWellFormed();
}

/** Media types that are text: what textOf decodes. */
export const isText = (mediaType: string | undefined): boolean =>
  mediaType !== undefined && /^(text\/|application\/(json|[\w.-]+\+json)\b)/.test(mediaType);
