/** The commands of an agent, as the actor's shell passes them to `decideAgent`. */
import type { MemoryBatch } from './memory-batch.js';
import type { LiveRun, SaidTurn, StepReport, StoredMessage } from './agent-state.js';
import type { AuditActor, Credential } from './audit.js';
import type {
  ResumeInput,
  MailboxInput,
  MemoryInput,
  MemoryPatch,
  PatchAgentInput,
  ReplaceAgentInput,
  TokenInput,
} from './inputs.js';
import type { LearntFrom } from './learning.js';
import type { StoredMemory } from './stored-memory.js';
import type { Surroundings } from './memories.js';
import type { Checkpoint, ModelUsage } from './model.js';
import type { Powers } from './powers.js';
import type { PushOutboxItem, StoredDeadLetter } from './push.js';
import type { DeletedRun, OldJournals } from './retention.js';
import type { SessionPart } from './session-deletion.js';
import type { PushConfigInput, TaskMessage } from './task.js';
import type { QuotaExceeded } from './usage.js';
import type { MadeVector } from './vectors.js';
import type { TriggeredBy } from './vocabulary.js';

/**
 * The precondition of a conditional change: `updated_at` of the agent must be one of these timestamps. An agent's
 * `updated_at` moves with every change of its settings and with nothing else, and never stands still (clock.ts), so it
 * identifies the settings that a client has seen.
 */
export type Versions = readonly string[];

/** Commands as the actor's shell passes them on. Everything that had to be read from the store is already included. */
export type AgentCommand =
  /** `mayJoin`: whether the caller may change the agent's hives (hive:write). */
  | { type: 'replace'; input: ReplaceAgentInput; onlyIf?: Versions; mayJoin?: boolean }
  | { type: 'patch'; input: PatchAgentInput; onlyIf?: Versions; mayJoin?: boolean }
  | { type: 'join'; hive: string }
  | { type: 'leave'; hive: string }
  /**
   * A client shares a memory in the agent's name. The hive is recorded first, so that deleting the agent finds what was
   * shared.
   */
  | { type: 'sharing'; hive: string }
  | {
      type: 'run';
      input: string;
      sessionId?: string;
      maxSteps?: number;
      maxRuntimeSeconds?: number;
      onBusy?: 'enqueue' | 'reject';
      triggeredBy: TriggeredBy;
      direct: boolean;
      /** The last turns of the session; null if there is no such session, omitted if they are known already. */
      session?: readonly SaidTurn[] | null;
      powers?: Powers;
    }
  /** `mayDecide`: whether the caller may approve or reject what the run is about to do (agent:manage). */
  | { type: 'resume'; run: LiveRun; input: ResumeInput; mayDecide?: boolean; powers?: Powers }
  /** An A2A message. It starts a new run, or resumes the run that it names. */
  | {
      type: 'task';
      message: TaskMessage;
      run: LiveRun | null;
      push: PushConfigInput | null;
      /**
       * A conversation that the client named, or the agent's own conversation, whose id is the agent's; undefined if
       * the client named none.
       */
      contextId?: string | undefined;
      mayDecide?: boolean;
      powers?: Powers;
      /** As for a run, if the client named a conversation. */
      session?: readonly SaidTurn[] | null;
    }
  | { type: 'setPush'; run: LiveRun; config: PushConfigInput }
  | { type: 'deletePush'; run: LiveRun; id: string }
  /** `bytes`: the size of the outbox document that is removed (storage.ts). */
  | { type: 'pushed'; outboxId: string; bytes?: number }
  | { type: 'deadLettered'; item: PushOutboxItem; reason: string; tries: number }
  | { type: 'replay'; letter: StoredDeadLetter }
  | { type: 'fork'; run: LiveRun; checkpoint: Checkpoint }
  /** Removes what was read of the run's journal, and the run with the last part (Retention.D4). */
  | ({ type: 'deleteRun' } & DeletedRun)
  | { type: 'deleteMessage'; message: StoredMessage }
  | { type: 'cancel'; run: LiveRun }
  | { type: 'step'; runId: string; attempt: number; report: StepReport; usedMs: number; read: readonly string[] }
  /** What was learnt from these runs by the agent's model, which are then done with. */
  | { type: 'learn'; runs: readonly string[]; learnt: readonly LearntFrom[]; usage?: ModelUsage }
  | { type: 'deadline'; runId: string; attempt: number; usedMs: number }
  | {
      type: 'receive';
      message: MailboxInput;
      id?: string;
      hops: number;
      budget?: number | undefined;
      powers?: Powers;
      /** The message as it was received before, or the word that it was deleted since. */
      known: StoredMessage | 'deleted' | null;
      /** Whether the client may say which agent the message is from, and that agent exists. */
      verified?: boolean;
      /** The hives of the sending agent, if the receiver's settings depend on them. */
      senderHives?: readonly string[];
    }
  | { type: 'refill'; messages: readonly StoredMessage[]; moreMayWake: boolean }
  /** The run that is first in line has been read. */
  | { type: 'startNext'; run: LiveRun }
  | { type: 'delivered'; outboxId: string; bytes?: number }
  | { type: 'undelivered'; outboxId: string; bytes?: number; to: string; content: string; reason: string }
  | ({ type: 'remember'; input: MemoryInput; full?: QuotaExceeded | null } & Surroundings)
  | ({ type: 'rememberAll' } & MemoryBatch)
  | { type: 'patchMemory'; memory: StoredMemory; patch: MemoryPatch; full?: QuotaExceeded | null }
  | { type: 'forget'; memory: StoredMemory }
  | { type: 'vectors'; memories: readonly StoredMemory[]; made: readonly MadeVector[] }
  /** Deletes a part of a session. The decision's result says whether more has to follow. */
  | { type: 'deleteSession'; sessionId: string; part: SessionPart }
  | { type: 'expire'; memories: readonly StoredMemory[]; next: number | null; journals?: OldJournals }
  | { type: 'mint'; token: TokenInput; hash: string; hint: string; held: number; by: AuditActor }
  | { type: 'revoke'; token: Credential; by: AuditActor }
  /** Tokens as stored, including the time of their last use. */
  | { type: 'used'; tokens: readonly (Credential & { [field: string]: unknown })[] }
  /** The first commit of a delete. It fences off all other commands. */
  | { type: 'delete'; tokens: readonly Credential[]; by: AuditActor; onlyIf?: Versions }
  /**
   * Cancels a run that was still pending or paused when its agent ended. Each such run gets its own decision, because
   * all of them together may exceed what one commit can hold.
   */
  | { type: 'cancelLeft'; run: LiveRun }
  /** The agent has crashed too often. Its run in progress is given up so that the agent stays reachable. */
  | { type: 'abandon'; reason: { code: string; message: string } }
  /** The first command of a new activation. It continues what was in progress. */
  | { type: 'continue'; process?: string };
