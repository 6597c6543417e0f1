/** What an agent can be asked (../operation.ts). Its memories are asked for in ../memory-operations.ts. */
import type { AgentCommand, AgentCommands, TaskStarted } from '../../../src/domain/agent/agent-commands.js';
import { type GivenFile, answeredBySaying } from '../../../src/domain/run/conversation.js';
import type { LiveRun, RunRecord, SessionState } from '../../../src/domain/agent/agent-state.js';
import { notFound } from '../../../src/domain/shared/errors.js';
import type { RunEvent } from '../../../src/domain/model/model.js';
import { everything, showRun, wasActedOn } from '../../../src/domain/task/run-as-task.js';
import { sessionFor } from '../../../src/domain/shared/caller.js';
import { memoryOperations, usedOperation } from '../memory-operations.js';
import { expiredMemories } from '../../../src/commands/memory-reads.js';
import { operationsWith, type RequestOf } from '../operation.js';
import { type AgentReads, dueSchedules, goesIn } from './agent-reads.js';
import { oldJournals } from '../../../src/commands/old-journals.js';
import type { DirectAnswer } from './run-answers.js';

const { plain, reading, looking, work } = operationsWith<AgentCommands, AgentReads>();

/** How long the answer of a run may wait until it settles; `unlessMultiStep`: only if the agent takes single steps. */
export interface WaitTerms {
  wait?: { ms: number; unlessMultiStep?: boolean } | undefined;
}

/** The files that came with it. */
export interface CarriedFiles {
  files?: readonly GivenFile[] | undefined;
}

type FieldsOf<N extends keyof AgentCommands> = Omit<AgentCommand<N>, 'type'>;
type TaskRequest = Omit<FieldsOf<'task'>, 'run' | 'session' | 'waiting' | 'busy' | 'files'> &
  WaitTerms &
  CarriedFiles & {
    runId: string | null;
    /** The answer also tells the events that were committed with it. */
    streamed?: boolean;
  };

/** It names every field, so that all commands have one shape. */
const taskOn = (run: LiveRun | null, r: TaskRequest): AgentCommand<'task'> => ({
  type: 'task',
  run,
  message: r.message,
  push: r.push,
  contextId: r.contextId,
  overrides: r.overrides,
  trusted: r.trusted,
  mayDecide: r.mayDecide,
  by: r.by,
  powers: r.powers,
  begunBy: r.begunBy,
  subject: r.subject,
  onBusy: r.onBusy,
  hops: r.hops,
});

/**
 * The answer to an A2A message: the run as of its commit, and the first event that the message caused; null if the
 * message was known already. `told` are the events of the run after that one, as far as they were committed with it.
 */
export interface TaskAnswer {
  run: RunRecord;
  first: RunEvent | null;
  told?: readonly RunEvent[] | undefined;
  /** It was an answer to what another run waits for. */
  passed?: true;
}

/** The one run of a context that waits. What it waits for says whether a message that names no task answers it. */
const onlyWaiting = ({ waiting }: SessionState): string | undefined =>
  waiting.length === 1 ? waiting[0]?.id : undefined;

export const agentOperations = {
  ...memoryOperations,
  sharing: plain('sharing', { repeatable: true }),
  /** A direct message: a run whose client waits for its outcome. A repeat is answered with the run as it is by then. */
  message: reading(
    'run',
    (
      e,
      r: Pick<
        FieldsOf<'run'>,
        | 'input'
        | 'said'
        | 'sessionId'
        | 'subject'
        | 'powers'
        | 'overrides'
        | 'trusted'
        | 'metadata'
        | 'begunBy'
        | 'by'
        | 'onBusy'
      > &
        WaitTerms &
        CarriedFiles,
    ) =>
      e.withFiles(
        r.files,
        e.inSession<AgentCommand<'run'>>(
          r.sessionId,
          {
            type: 'run',
            triggeredBy: 'api',
            direct: true,
            input: r.input,
            said: r.said,
            sessionId: r.sessionId,
            subject: r.subject,
            powers: r.powers,
            overrides: r.overrides,
            trusted: r.trusted,
            metadata: r.metadata,
            begunBy: r.begunBy,
            by: r.by,
            onBusy: r.onBusy,
          },
          answeredBySaying,
        ),
      ),
    {
      adds: true,
      awaits: { run: (run) => run, answer: ({ run, consulted }): DirectAnswer => ({ run, consulted }) },
      record: ({ id }) => ({ run: id }),
      async repeat(e, recorded): Promise<{ answer: DirectAnswer }> {
        const { run: id } = recorded as { run: string };
        const run = await e.record(id);
        if (!run) throw notFound('run', id);
        return { answer: { run, consulted: null } };
      },
    },
  ),
  run: reading(
    'run',
    (
      e,
      {
        files,
        mayAnswer,
        ...request
      }: Omit<FieldsOf<'run'>, 'session' | 'waiting' | 'busy' | 'direct' | 'files'> &
        CarriedFiles & { mayAnswer?: boolean },
    ) =>
      e.withFiles(
        files,
        e.inSession<AgentCommand<'run'>>(
          request.sessionId,
          { ...request, type: 'run', direct: false },
          mayAnswer || goesIn(request.onBusy) ? answeredBySaying : undefined,
        ),
      ),
    { adds: true, record: (run: RunRecord) => showRun(run, everything) },
  ),
  resume: reading(
    'resume',
    (e, { files, ...request }: Omit<FieldsOf<'resume'>, 'run' | 'files'> & { runId: string } & CarriedFiles) =>
      e.withFiles<AgentCommand<'resume'>>(
        files,
        e.settled(async () => ({ ...request, type: 'resume', run: await e.run(request.runId) })),
      ),
    { adds: true, record: (run: RunRecord) => showRun(run, everything) },
  ),
  /**
   * Agent.G5. A message that was accepted before is answered with its task; one that began a task only until somebody
   * has continued or cancelled that.
   */
  task: reading(
    'task',
    (e, request: TaskRequest) => {
      const { runId, contextId, begunBy, files } = request;
      return e.withFiles<AgentCommand<'task'>>(
        files,
        runId === null
          ? e.inSession(contextId && sessionFor(begunBy, contextId), taskOn(null, request), onlyWaiting)
          : e.settled(async () => {
              const run = await e.run(runId);
              return { ...taskOn(run, request), ...(request.onBusy === 'steer' && { busy: { run, written: '' } }) };
            }),
      );
    },
    {
      adds: true,
      awaits: {
        run: ({ record }: TaskStarted) => record,
        answer: ({ run, told }, { first }, { streamed }): TaskAnswer => ({
          run,
          first,
          told: streamed ? told : undefined,
        }),
      },
      record: ({ record, answered }) => (answered ? { run: record.id, answered } : { run: record.id }),
      async repeat(e, recorded, { runId }): Promise<{ answer: TaskAnswer } | null> {
        const { run: id, answered } = recorded as { run: string; answered?: true };
        const run = await e.record(id);
        return !run || (runId === null && !answered && wasActedOn(run)) ? null : { answer: { run, first: null } };
      },
    },
  ),
  expire: looking(
    'expire',
    async (e) => {
      const { deps, entity, state } = e;
      const now = deps.clock.now();
      const { nextExpiry } = state.agent;
      const memories =
        nextExpiry === null || nextExpiry > now
          ? { memories: [], next: nextExpiry }
          : await expiredMemories(deps.store, entity, now);
      const journals = await oldJournals(deps.store, entity, state, { now, journalMs: deps.defaults.journalMs ?? 0 });
      const schedules = await dueSchedules(e);
      return { ...memories, ...(journals && { journals }), ...(schedules && { schedules }) };
    },
    { repeatable: true },
  ),
  noteToolCall: plain('noteToolCall'),
  used: usedOperation('token'),
  /** The peer of this call has pushed, which changes nothing by itself (PeerPushes.H1). */
  peerPushed: work<{ call: string }, undefined>({ repeatable: true }),
  /** Loads the actor, which continues its unfinished work; loads it again if the stored head is newer (`seq`). */
  wake: work<{ seq?: number }, undefined>({ repeatable: true }),
};

export type AgentOperations = typeof agentOperations;
export type AgentRequest<N extends keyof AgentOperations = keyof AgentOperations> = RequestOf<AgentOperations, N>;
