/** The requests that an agent's actor accepts, and the reads that turn a request into a command for the domain. */
import type { StorageExceeded } from '../../../src/domain/storage.js';
import type { AgentCommand, Versions } from '../../../src/domain/agent-command.js';
import type { AuditActor, Credential } from '../../../src/domain/audit.js';
import type { AgentState, LiveRun, StoredMessage } from '../../../src/domain/agent-state.js';
import { notFound } from '../../../src/domain/errors.js';
import type { ForkInput, MemoryInput, MemoryPatch, SpawnInput, TokenInput } from '../../../src/domain/inputs.js';
import type { ModelUsage } from '../../../src/domain/model.js';
import type { MemoryBatch } from '../../../src/domain/memory-batch.js';
import type { PushConfigInput } from '../../../src/domain/task.js';
import type { QuotaExceeded } from '../../../src/domain/usage.js';
import type { MadeVector } from '../../../src/domain/vectors.js';
import type { EntityRef } from '../../../src/store/port.js';
import { type CommandKey, goneCommand } from '../command.js';
import { expiredMemories, memoriesById, memoryById, nextPosition, nextPositions } from '../memory-reads.js';
import type { PresentMemories } from '../present-memories.js';
import { allSync, thenSync } from '../../../src/maybe-promise.js';
import { deadLetter } from './mailbox-reads.js';
import { deletedRun, oldJournals } from './old-journals.js';
import { checkpointOf, loadRun, recordOf } from './run-reads.js';
import { sessionPart, sessionTurns } from './session-reads.js';
import { type LastUse, withLastUses } from '../last-used.js';
import type { EntityDependencies } from '../dependencies.js';
import type { EntityShell } from '../entity.js';

type PlainCommand = Extract<AgentCommand, { type: 'replace' | 'patch' | 'join' | 'leave' | 'sharing' | 'run' }>;
/** The messages that the actor sends to itself. */
type SelfRequest =
  | Extract<
      AgentCommand,
      { type: 'step' | 'deadline' | 'delivered' | 'undelivered' | 'pushed' | 'deadLettered' | 'abandon' }
    >
  | { type: 'continue' }
  | { type: 'refill' }
  | { type: 'fetchNext' }
  | { type: 'begin'; runId: string; attempt: number }
  | LearnerRequest;

/** What a model cites of a turn (learner.ts). */
export interface Cited {
  run: string;
  turn: string;
  quote: string;
}
/** What the learner tells its actor: to begin, and what came of it (learner.ts). */
export type LearnerRequest =
  { type: 'study' } | { type: 'learnt'; runs: readonly string[]; cited: readonly Cited[]; usage?: ModelUsage };

export type AgentRequest = {
  command?: CommandKey | undefined;
  deadline?: number | undefined;
  storageExceeded?: StorageExceeded;
  /**
   * For a request that begins or continues a run: how long its answer may wait for the run to settle;
   * `unlessMultiStep`: only if the agent does not work in many steps.
   */
  wait?: { ms: number; unlessMultiStep?: boolean } | undefined;
} & (
  | PlainCommand
  | SelfRequest
  | { type: 'spawn'; input: SpawnInput }
  | ({ type: 'resume'; runId: string } & Omit<Extract<AgentCommand, { type: 'resume' }>, 'run'>)
  /** `streamed`: the answer also tells the events that were committed with it. */
  | ({ type: 'task'; runId: string | null; streamed?: boolean } & Omit<Extract<AgentCommand, { type: 'task' }>, 'run'>)
  | { type: 'setPush'; runId: string; config: PushConfigInput }
  | { type: 'deletePush'; runId: string; id: string }
  | { type: 'replay'; id: string }
  | { type: 'fork'; runId: string; input: ForkInput }
  | { type: 'cancel'; runId: string }
  | { type: 'deleteRun'; runId: string }
  | { type: 'deleteMessage'; id: string }
  | Omit<Extract<AgentCommand, { type: 'receive' }>, 'known'>
  /** `full`: the workspace's monthly quota has no room left, so no further memory may start to count. */
  | { type: 'remember'; input: MemoryInput; full?: QuotaExceeded | null }
  | ({ type: 'rememberAll' } & Omit<MemoryBatch, 'positions' | 'around'>)
  | { type: 'patchMemory'; id: string; patch: MemoryPatch; full?: QuotaExceeded | null }
  | { type: 'forget'; id: string }
  | { type: 'vectors'; made: readonly MadeVector[] }
  | { type: 'deleteSession'; sessionId: string }
  | { type: 'expire' }
  /** `salt` is the salt that the secret was derived with; it is kept if the command may be repeated. */
  | {
      type: 'mint';
      token: TokenInput;
      hash: string;
      hint: string;
      salt?: string;
      by: AuditActor;
    }
  | { type: 'revoke'; id: string; by: AuditActor }
  /** Records when tokens were last used. */
  | { type: 'used'; uses: readonly LastUse[] }
  | { type: 'delete'; by: AuditActor; onlyIf?: Versions }
  /** Loads the actor, which continues its unfinished work; loads it again if the stored head is newer (`seq`). */
  | { type: 'wake'; seq?: number }
);

/** Whether accepting the message depends on the hives of its sender (config.mailbox.accept). */
const wantsHives = (
  { agent }: AgentState,
  { hops, verified, message }: Extract<AgentRequest, { type: 'receive' }>,
): boolean => agent.config.mailbox?.accept === 'hive' && (hops > 0 || verified === true) && message.from !== undefined;

/** A command of the domain, or the request that creates the agent. */
export type AgentActorCommand = AgentCommand | Extract<AgentRequest, { type: 'spawn' }>;

export type AgentShell = EntityShell<AgentState, AgentRequest, AgentActorCommand>;

interface ReadDependencies {
  deps: EntityDependencies;
  entity: EntityRef;
  present: PresentMemories;
  /** Reads for a decision must wait for this, so that they do not miss a commit in progress. */
  settled(): Promise<void>;
}

/** The requests whose decision needs a read from the store first. */
type ReadingRequest = Exclude<
  AgentRequest,
  PlainCommand | SelfRequest | { type: 'spawn' | 'delete' | 'wake' | 'remember' }
>;

const isEmpty = ({ counts }: AgentState): boolean => !counts['memories'];

export function prepareAgent(
  request: AgentRequest,
  state: AgentState,
  reads: ReadDependencies,
): AgentCommand | Promise<AgentCommand> {
  const { type } = request;
  if (type === 'replace' || type === 'patch' || type === 'join' || type === 'leave' || type === 'sharing')
    return request;
  if (type === 'run' || (type === 'task' && request.runId === null)) return beginning(request, state, reads);
  if (type === 'receive' && request.id === undefined && !wantsHives(state, request)) return { ...request, known: null };
  if (type === 'remember') {
    const { sessionId } = request.input;
    return thenSync(reads.present.around(request.input, isEmpty(state)), (around) =>
      sessionId === undefined || state.positions.has(sessionId)
        ? { type, input: request.input, full: request.full ?? null, ...around }
        : reads
            .settled()
            .then(() => nextPosition(reads.deps.store, reads.entity, sessionId))
            .then((position) => ({ type, input: request.input, full: request.full ?? null, position, ...around })),
    );
  }
  return reads.settled().then(() => read(request as ReadingRequest, state, reads));
}

/** Reads what was said last in the session that a new run names, unless that is known. */
function beginning(
  request: Extract<AgentRequest, { type: 'run' | 'task' }>,
  state: AgentState,
  reads: ReadDependencies,
): AgentCommand | Promise<AgentCommand> {
  const { deps, entity } = reads;
  const named = request.type === 'run' ? request.sessionId : request.contextId;
  const command: AgentCommand = request.type === 'run' ? request : { run: null, ...request };
  if (named === undefined || named === entity.id || state.sessions.has(named)) return command;
  return reads
    .settled()
    .then(() => sessionTurns(deps.store, entity, { sessionId: named }, state.agent.config.memory))
    .then((session) => ({ ...command, session }));
}

async function expired(
  state: AgentState,
  { store, clock, defaults }: Pick<EntityDependencies, 'store' | 'clock' | 'defaults'>,
  entity: EntityRef,
): Promise<Omit<Extract<AgentCommand, { type: 'expire' }>, 'type'>> {
  const now = clock.now();
  const { nextExpiry } = state.agent;
  const memories =
    nextExpiry === null || nextExpiry > now
      ? { memories: [], next: nextExpiry }
      : await expiredMemories(store, entity, now);
  const journals = await oldJournals(store, entity, state, { now, journalMs: defaults.journalMs ?? 0 });
  return { ...memories, ...(journals && { journals }) };
}

async function read(
  request: ReadingRequest,
  state: AgentState,
  { deps: { store, clock, defaults }, entity, present }: ReadDependencies,
): Promise<AgentCommand> {
  const runById = async (id: string): Promise<LiveRun> => state.runs.get(id) ?? (await loadRun(store, entity, id));
  const hivesOf = async (agent: EntityRef): Promise<readonly string[]> => {
    const head = await store.head(agent);
    return head && !head.deleted ? (head.snapshot as unknown as AgentState['agent']).hives : [];
  };
  /** Mailbox.B1. */
  const received = async (id: string): Promise<StoredMessage | 'deleted' | null> => {
    const message = await store.get(entity, 'message', id);
    if (message) return message.body as unknown as StoredMessage;
    const { mailDeletedAt } = state.agent;
    if (mailDeletedAt === undefined) return null;
    return (await store.command(entity, goneCommand(id).id, clock.now())) ? 'deleted' : null;
  };
  switch (request.type) {
    case 'resume':
      return { ...request, run: await runById(request.runId) };
    case 'task':
      return { ...request, run: await runById(request.runId ?? '') };
    case 'setPush':
      return { type: 'setPush', run: await runById(request.runId), config: request.config };
    case 'deletePush':
      return { type: 'deletePush', run: await runById(request.runId), id: request.id };
    case 'replay':
      return { type: 'replay', letter: await deadLetter(store, entity, request.id) };
    case 'cancel':
      return { type: 'cancel', run: await runById(request.runId) };
    case 'deleteRun': {
      const run = state.runs.get(request.runId)?.record ?? (await recordOf(store, entity, request.runId));
      return { type: 'deleteRun', ...(await deletedRun(store, entity, run)) };
    }
    case 'deleteMessage': {
      const message = await store.get(entity, 'message', request.id);
      if (!message) throw notFound('message', request.id);
      return { type: 'deleteMessage', message: message.body as unknown as StoredMessage };
    }
    case 'fork':
      return {
        type: 'fork',
        run: await loadRun(store, entity, request.runId),
        checkpoint: await checkpointOf(store, entity, request.runId, request.input.checkpoint),
      };
    case 'receive':
      return {
        ...request,
        ...(wantsHives(state, request) && {
          senderHives: await hivesOf({ workspace: entity.workspace, kind: 'agent', id: request.message.from ?? '' }),
        }),
        known: request.id === undefined ? null : await received(request.id),
      };
    case 'rememberAll': {
      const { inputs } = request;
      const positions = await nextPositions(store, entity, inputs, state.positions);
      return {
        ...request,
        positions,
        around: await allSync(inputs.map((input) => present.around(input, isEmpty(state)))),
      };
    }
    case 'patchMemory':
      return {
        type: 'patchMemory',
        memory: await memoryById(store, entity, request.id),
        patch: request.patch,
        full: request.full ?? null,
      };
    case 'vectors': {
      const ids = request.made.map(({ id }) => id);
      return { ...request, memories: await memoriesById(store, entity, ids) };
    }
    case 'forget':
      return { type: 'forget', memory: await memoryById(store, entity, request.id) };
    case 'deleteSession': {
      const part = await sessionPart(store, entity, request.sessionId, state);
      return { type: 'deleteSession', sessionId: request.sessionId, part };
    }
    case 'expire':
      return { type: 'expire', ...(await expired(state, { store, clock, defaults }, entity)) };
    case 'mint':
      return {
        ...request,
        held: (await store.count({ workspace: entity.workspace, entity, collection: 'token', list: 'created' }, 1000))
          .count,
      };
    case 'revoke': {
      const token = await store.get(entity, 'token', request.id);
      if (!token) throw notFound('token', request.id);
      return { type: 'revoke', token: token.body as unknown as Credential, by: request.by };
    }
    case 'used':
      return {
        type: 'used',
        tokens: (await withLastUses(store, entity, 'token', request.uses)) as (Credential & Record<string, unknown>)[],
      };
    default:
      return request satisfies never;
  }
}
