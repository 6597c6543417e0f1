/** Writes tasks and their events. What the dialects have in common is here; how each writes it is theirs. */
import type { Part, Task, TaskMessage } from '../domain/task.js';
import type { RunStatus } from '../domain/vocabulary.js';
import type { Codec, TaskIds, TaskOptions } from './codec.js';
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
} from './task-view.js';

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
