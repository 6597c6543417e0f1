/**
 * The service as the gateway sees it: commands and queries, independent of HTTP and of actors. REST, A2A and MCP
 * are thin adapters over this interface; the command line works on the store, or asks a server over REST.
 *
 * Every call carries its caller, and sees and changes only the caller's workspace: anything in another workspace is
 * NOT_FOUND. A command that resolves is durable. A failed call throws HivekeepError (domain/shared/errors.ts) and has changed
 * nothing. Inputs have already been validated with the schemas of domain/shared/inputs.ts; rules that depend on the state are
 * checked here.
 */
import type {
  BatchResult,
  FoundMemory,
  Memory,
  MessageReply,
  Profile,
  PromptContext,
  Run,
  RunEvent,
  RunUpdate,
  ToolTry,
  WorkspaceEvent,
  ImportReport,
} from './domain/model/model.js';
import type { RetoldTurn } from './domain/run/records.js';
import type { TriggeredBy } from './domain/shared/vocabulary.js';
import type {
  ContextInput,
  MemoryBatchInput,
  MemoryInput,
  MemoryPatch,
  MessageInput,
  ResumeInput,
  RunInput,
  ToolTryInput,
  SearchInput,
  ShareInput,
  WantedMetadata,
} from './domain/shared/inputs.js';
import type { Execute } from './commands/command.js';
import type { CreatedFilter, PageOf, PageRequest } from './commands/lists.js';
import type { Caller } from './domain/shared/caller.js';
import type { Task, TaskInput } from './domain/task/task.js';
import type { Dismissal } from './bus/port.js';
import type { AccessGrant } from './oauth/access-tokens.js';

export type { Caller, RequestKey } from './domain/shared/caller.js';

/**
 * The holder of a credential. An agent token gives access only to its own agent's endpoints, and so does an access
 * token that names agents; null are all of the workspace.
 */
export type Principal =
  | ({ kind: 'key' } & Caller)
  | ({ kind: 'token'; agent: string } & Caller)
  | ({ kind: 'access'; agents: ReadonlySet<string> | null } & Caller);

export type { CreatedFilter, PageOf, PageRequest } from './commands/lists.js';

export interface MemoryFilter extends CreatedFilter {
  agent_id?: string;
  hive_id?: string;
  type?: string;
  sessionId?: string;
  source?: string;
  run_id?: string;
  subject?: string;
  speaker?: string;
  occurred_after?: string;
  occurred_before?: string;
  /** Keys of the metadata and the values that they must have. */
  metadata?: WantedMetadata;
}

/** A task as of its event `lastSeq`, and the events after that, with the text that is being written. */
export interface FollowedTask {
  task: Task;
  events: AsyncIterable<RunUpdate>;
}

/** A task as of one of its events, and all events after that: its run ended before it was told of. */
export interface EndedTask {
  task: Task;
  events: readonly RunEvent[];
}

/**
 * What a search found; `partial` if a part of what it covers was not searched in time, `words_only` if the server of
 * embeddings did not say what the query means.
 */
export type FoundItems<T> = T[] & { partial?: true; words_only?: true };

/** What is said in a conversation. */
export interface Said extends RunInput {
  /** What was said before, where the session does not know it. */
  earlier?: readonly RetoldTurn[];
  /** The hash of the history that the client tells, with what it says. */
  chain?: string;
  /**
   * The run after which it is said, in whose session it goes on. Where that has gone on without it, it begins another
   * session, which was told `earlier`, or else what was said up to that run.
   */
  after?: After;
  /** It is something about a conversation, and no part of any: it leaves no turn and no memory. */
  passing?: boolean;
}

/** A run as a client has been told of it: it had answered this question last, or none; left out where that is not known. */
export interface After {
  run: string;
  answered?: string | null;
}

/** The run that takes what was said. */
export interface Heard {
  run: Run;
  /** The question that it answers; null for a run that it begins. */
  answers: string | null;
}

/** The history that a client tells. */
export interface ToldHistory {
  /** The hash of the history up to what was said last but one. */
  chain: string;
  /** What the client says that the agent has answered to that; empty for nothing. */
  answer: string;
  subject?: string | undefined;
}

export interface Service {
  /**
   * Looks a credential up by the SHA-256 (hex) of its raw text. Null if it is unknown, revoked or expired. The gateway
   * may reuse an answer for at most 2 s.
   */
  authenticate(credentialHash: string): Principal | null | Promise<Principal | null>;
  /** The holder of an access token that has been checked; null if there is no such workspace. */
  admit(grant: AccessGrant): Principal | null | Promise<Principal | null>;
  /**
   * Whether a principal that was authenticated earlier would be authenticated now: its key or token is neither revoked
   * nor expired. Used for open streams.
   */
  stillValid(principal: Principal): boolean | Promise<boolean>;

  /** Carries out a command (commands/index.ts). The methods below are the operations that are no commands yet. */
  execute: Execute;

  /** Waits until the run that answers has ended or paused. */
  messageAgent(caller: Caller, id: string, input: MessageInput, begun?: () => void): Promise<MessageReply>;

  /** `told`: what of the input is said, where data comes with it. */
  startRun(
    caller: Caller,
    agent: string,
    input: RunInput & { told?: string | undefined },
    triggeredBy?: TriggeredBy,
  ): Promise<Run>;
  /** Says something in a conversation: it begins a run, or answers the one of the session that waits for a human. */
  converse(caller: Caller, agent: string, said: Said): Promise<Heard>;
  /** The run that has answered to the history that a client tells, if it is the newest of its session; or null. */
  findConversation(caller: Caller, agent: string, told: ToldHistory): Promise<After | null>;
  resumeRun(caller: Caller, agent: string, id: string, input: ResumeInput): Promise<Run>;
  /**
   * The run's events after `lastSeq`, without gaps or duplicates. Ends after the event of a terminal status, or when
   * the run is gone. `signal`, or its `return()`, ends it early.
   */
  runEvents(
    caller: Caller,
    agent: string,
    id: string,
    lastSeq: number,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<RunEvent>>;
  /** The same, and the text that the run's model is writing meanwhile. */
  runUpdates(caller: Caller, agent: string, id: string, lastSeq: number): Promise<AsyncIterable<RunUpdate>>;
  /** Tells those who wait for the answer to a question of a run that the human gives none; the run is unchanged. */
  dismissQuestion(caller: Caller, agent: string, id: string, dismissal: Dismissal): Promise<void>;
  /** Resolves, once it listens, to a function that ends it. What a killed gateway had to tell is lost. */
  dismissals(caller: Caller, agent: string, id: string, tell: (dismissal: Dismissal) => void): Promise<() => void>;
  /**
   * A2A message/send (docs/api.md 3.2, 4.2): starts a run for the message, or resumes the task that it names. The same
   * messageId with the same content, from the same caller to the same agent, returns the same task.
   */
  sendTask(
    caller: Caller,
    agent: string,
    input: TaskInput,
    gone?: () => AbortSignal,
    begun?: () => void,
  ): Promise<Task>;
  /**
   * A2A message/stream: like sendTask, but without waiting. Returns the task as of the first event that the message
   * caused (or the task's first event if the message was already known), and the events after that, like `runEvents`.
   */
  streamTask(caller: Caller, agent: string, input: Omit<TaskInput, 'wait'>): Promise<FollowedTask | EndedTask>;
  /**
   * Returns the task as it was after event `lastSeq` (null: as it is now), and the events after that, like `runEvents`.
   * A `lastSeq` that the run has not reached counts as now.
   */
  followTask(caller: Caller, agent: string, id: string, lastSeq: number | null): Promise<FollowedTask>;
  /**
   * Calls a tool of the agent once, as a run would, and notes it in the audit log. NOT_FOUND if it has no such tool,
   * CONFLICT for those that clients carry out, VALIDATION_ERROR if the arguments do not fit.
   */
  tryTool(caller: Caller, agent: string, name: string, input: ToolTryInput): Promise<ToolTry>;
  /** Something was pushed for a call of a peer, by who has its token; NOT_FOUND by anybody else, and for what is over. */
  takePeerPush(push: string, token: string): Promise<void>;
  createMemory(caller: Caller, input: MemoryInput): Promise<Memory>;
  /**
   * Adds many memories, with one commit of each agent and hive that they belong to; one that is refused stops no other.
   */
  createMemories(caller: Caller, input: MemoryBatchInput): Promise<BatchResult>;
  listMemories(caller: Caller, filter: MemoryFilter, page: PageRequest): Promise<PageOf<Memory>>;
  getMemory(caller: Caller, id: string): Promise<Memory>;
  /** The memory, what it replaced, and what replaced it. */
  memoryHistory(caller: Caller, id: string, page: PageRequest): Promise<PageOf<Memory>>;
  patchMemory(caller: Caller, id: string, input: MemoryPatch): Promise<Memory>;
  deleteMemory(caller: Caller, id: string): Promise<void>;
  /**
   * Returns the best matches first. Of a search of the whole workspace, `partial` says that a process did not answer in
   * time, and what it holds is missing.
   */
  searchMemories(caller: Caller, input: SearchInput): Promise<FoundItems<FoundMemory>>;
  /** What an agent knows and what was said to it, as a text for the prompt of a model. */
  promptContext(caller: Caller, input: ContextInput): Promise<PromptContext>;
  /** What an agent keeps in mind of a subject, or of nobody in particular, and what says it. */
  getProfile(caller: Caller, agent: string, of: { subject?: string }): Promise<Profile>;
  /** Takes an entry out of a profile: it does not come back from what says it now. */
  rejectProfileEntry(caller: Caller, agent: string, entry: string, of: { subject?: string }): Promise<void>;

  shareMemory(caller: Caller, hive: string, input: ShareInput): Promise<Memory>;

  /**
   * The lines of an export (docs/export.md) without credentials, of the workspace or of one agent; NOT_FOUND if there
   * is no such agent. Reading on may fail with UNAVAILABLE.
   */
  exportRecords(caller: Caller, filter: { agent_id?: string; after?: string }): Promise<AsyncIterable<string>>;
  /**
   * Takes an export in, without credentials. VALIDATION_ERROR, with nothing changed, if anything is wrong with its
   * lines. `new_ids`: all ids are replaced, by others for another label.
   */
  importRecords(caller: Caller, body: AsyncIterable<Uint8Array>, options: { new_ids?: string }): Promise<ImportReport>;

  /** The workspace's live events from now on. A reader that falls more than `buffer` events behind is disconnected. */
  workspaceEvents(caller: Caller, signal: AbortSignal): AsyncIterable<WorkspaceEvent>;

  /** Whether commands are being served, and if not, why. */
  ready(): { ready: true } | { ready: false; reason: string };
}
