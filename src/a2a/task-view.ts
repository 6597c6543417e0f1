/** The version-independent view of a task: which history is included, and the ids of generated parts. */
import type { RunUpdate } from '../domain/model/model.js';
import type { RunStatus } from '../domain/shared/vocabulary.js';
import type { Part, Task, TaskMessage } from '../domain/task/task.js';
import type { Codec, TaskIds, TaskOptions } from './codec.js';

/** docs/api.md 2.8. */
export const artifactId = (taskId: string): string => `${taskId}-response`;
export const artifactName = 'response';

/** The same id in the task and in the frame of the event that set the status, so that a client can recognise it. */
export const statusMessageId = (taskId: string, seq: number): string => `${taskId}-${seq}`;

/** Null omits `history`: there is none, or none was requested (A2A 1.0, 3.2.4). */
export function shownHistory(task: Task, options: TaskOptions | undefined): readonly TaskMessage[] | null {
  const { history } = task;
  const length = options?.historyLength;
  if (history === null || history.length === 0 || length === 0) return null;
  return length === undefined || length >= history.length ? history : history.slice(-length);
}

export const shownOutput = (task: Task, options: TaskOptions | undefined): readonly Part[] | null =>
  options?.artifacts === false || task.output === null || task.output.length === 0 ? null : task.output;

/** Says that a stream closes although its task goes on: it may be followed again. */
export const agedMetadata = { 'hivekeep/closed': 'age' } as const;

/** What a status event tells, and of a task that waits for results which (Task.statusData). */
export type ShownUpdate = RunUpdate & Pick<Task, 'statusData'>;

export const statusParts = (text: string, data: Task['statusData']): readonly Part[] =>
  data ? [...textParts(text), { kind: 'data', data }] : textParts(text);

export const textParts = (text: string): readonly Part[] => [{ kind: 'text', text }];

/**
 * The text that peers get for a failed task. The actual reason may name servers, models and settings; it is available
 * with the run (REST) and in the log.
 */
export const failedText = 'the agent could not finish this task; whoever runs it finds the reason with the run';

/** The text shown with a status: a question, the limit that was reached, or that the agent failed. */
export const statusText = (status: RunStatus, message: string | null): string | null =>
  status === 'failed' && message !== null ? failedText : message;

/* Writes tasks and their events. What the dialects have in common is here; how each writes it is theirs. */

export type Wire = Record<string, unknown>;

export interface Dialect {
  /** The context of a task, as this dialect tells it. */
  contextOf(task: Task): string;
  readonly states: Readonly<Record<RunStatus, string>>;
  part(part: Part): Wire;
  message(said: Pick<TaskMessage, 'role' | 'messageId'>, parts: Wire[], ids: TaskIds): Wire;
  task(ids: TaskIds, status: Wire): Wire;
  statusUpdate(ids: TaskIds, status: Wire, final: boolean, metadata?: Wire): Wire;
  artifactUpdate(ids: TaskIds, artifact: Wire, append: boolean, lastChunk: boolean): Wire;
}

/** What an agent says of a status. */
interface Saying {
  status: RunStatus;
  seq: number;
  message: string | null;
  data?: Task['statusData'];
}

export interface TaskWriter {
  task: (task: Task, options?: TaskOptions) => Wire;
  frame: (event: ShownUpdate, ids: TaskIds, final: boolean) => Wire;
  aged: Codec['aged'];
  list: Codec['listResult'];
}

export function taskWriter(dialect: Dialect): TaskWriter {
  const { states } = dialect;
  const parts = (all: readonly Part[]): Wire[] => all.map((part) => dialect.part(part));

  const status = (of: RunStatus, timestamp: string, message: Wire | null): Wire =>
    message === null ? { state: states[of], timestamp } : { state: states[of], timestamp, message };
  const agentMessage = (messageId: string, said: readonly Part[], ids: TaskIds): Wire =>
    dialect.message({ role: 'agent', messageId }, parts(said), ids);
  const artifact = ({ taskId }: TaskIds, output: readonly Part[]): Wire => ({
    artifactId: artifactId(taskId),
    name: artifactName,
    parts: parts(output),
  });

  function saying({ status, seq, message, data }: Saying, ids: TaskIds): Wire | null {
    const text = statusText(status, message);
    return text === null ? null : agentMessage(statusMessageId(ids.taskId, seq), statusParts(text, data), ids);
  }

  function message(said: TaskMessage, ids: TaskIds): Wire {
    const wire = dialect.message(said, parts(said.parts), ids);
    if (said.metadata !== undefined) wire['metadata'] = said.metadata;
    if (said.extensions !== undefined) wire['extensions'] = said.extensions;
    if (said.referenceTaskIds !== undefined) wire['referenceTaskIds'] = said.referenceTaskIds;
    return wire;
  }

  function task(of: Task, options?: TaskOptions): Wire {
    const ids = { taskId: of.id, contextId: dialect.contextOf(of) };
    const said = { status: of.status, seq: of.statusSeq, message: of.statusMessage, data: of.statusData };
    const wire = dialect.task(ids, status(of.status, of.statusAt, saying(said, ids)));
    const output = shownOutput(of, options);
    if (output !== null) wire['artifacts'] = [artifact(ids, output)];
    const history = shownHistory(of, options);
    if (history !== null) wire['history'] = history.map((one) => message(one, ids));
    return wire;
  }

  return {
    task,
    frame(event, ids, final) {
      switch (event.type) {
        case 'status': {
          const said = saying({ ...event, data: event.statusData }, ids);
          return dialect.statusUpdate(ids, status(event.status, event.at, said), final);
        }
        case 'thought': {
          const said = agentMessage(event.thought.id, textParts(event.thought.content), ids);
          return dialect.statusUpdate(ids, status('running', event.at, said), false);
        }
        case 'answer':
          return dialect.artifactUpdate(ids, artifact(ids, event.parts ?? textParts(event.content)), false, true);
        case 'delta':
          return dialect.artifactUpdate(ids, artifact(ids, textParts(event.text)), event.append, false);
      }
    },
    aged: (now, ids) => dialect.statusUpdate(ids, status(now.status, now.statusAt, null), false, agedMetadata),
    list: ({ tasks, nextPageToken, pageSize, totalSize }, options) => ({
      tasks: tasks.map((one) => task(one, options)),
      nextPageToken,
      pageSize,
      totalSize,
    }),
  };
}
