/**
 * The service as the gateway sees it: commands and queries, without HTTP and without actors. REST, A2A and the command
 * line are thin adapters over this.
 *
 * Every call carries its caller, and sees and changes that workspace only: another workspace's thing is NOT_FOUND.
 * A command that resolves is durable. Whatever fails throws HivekeepError (domain/errors.ts) and has changed nothing.
 * Inputs have been validated with the schemas of domain/inputs.ts; what needs the state is checked here.
 */
import type {
  Agent,
  AgentToken,
  ApiKey,
  AuditRecord,
  Checkpoint,
  FoundMemory,
  Hive,
  MailboxMessage,
  Memory,
  MessageReply,
  Run,
  RunEvent,
  Thought,
  Usage,
  WorkspaceEvent,
} from './domain/model.js';
import type { RunStatus, Scope, ThoughtType, Tier, TriggeredBy } from './domain/vocabulary.js';
import type {
  ForkInput,
  HiveInput,
  PatchHiveInput,
  KeyInput,
  MailboxInput,
  MemoryInput,
  MemoryPatch,
  MessageInput,
  PatchAgentInput,
  ReplaceAgentInput,
  ResumeInput,
  RunInput,
  SearchInput,
  ShareInput,
  SpawnInput,
  TokenInput,
} from './domain/inputs.js';
import type { DeadLetter, PushConfig, PushConfigInput, Task, TaskInput } from './domain/task.js';
import type { Powers } from './domain/powers.js';
import type { Position } from './store/port.js';

export interface Caller {
  /** A sandbox is a workspace of its own (domain/sandbox.ts). */
  workspace: string;
  /** The API key's id. */
  key: string;
  tier: Tier;
  scopes: ReadonlySet<Scope>;
  /** When the credential ends; left out: never. What it mints ends no later. */
  expires_at?: string;
  /** Of a token that names what it may make its agent do (domain/powers.ts). */
  powers?: Powers;
  /** Of a POST with an Idempotency-Key. */
  command?: Command;
  /** The client's address, where what is done is audited. */
  from?: string;
}

/**
 * A request that may be sent again: it takes effect once, and is answered the same again for 24 h. CONFLICT while the
 * first is in progress, IDEMPOTENCY_MISMATCH with another body.
 */
export interface Command {
  /** Of the workspace, the path and the client's key. */
  id: string;
  bodyHash: string;
  /** Set by the service where the answer is that of an earlier request. */
  replayed: boolean;
}

/** Who a credential is; an agent token opens its own agent's A2A endpoint only. */
export type Principal = ({ kind: 'key' } & Caller) | ({ kind: 'token'; agent: string } & Caller);

export interface PageRequest {
  sort: 'created_at' | 'updated_at' | 'relevance';
  order: 'asc' | 'desc';
  limit: number;
  after?: Position;
  offset?: number;
}

export interface PageOf<T> {
  items: T[];
  /** The position after the last item when more may follow. */
  next: Position | null;
  /** How many the whole list holds; counted up to 10,000 where the list keeps no number of its own. */
  total: number;
}

/** A task as of its event `lastSeq`, and the events after that. */
export interface FollowedTask {
  task: Task;
  events: AsyncIterable<RunEvent>;
}

export interface Service {
  /**
   * By the SHA-256 (hex) of the raw credential; null when unknown, revoked or expired. The gateway may use an answer
   * again for at most 2 s.
   */
  authenticate(credentialHash: string): Principal | null | Promise<Principal | null>;
  /** Whether who was authenticated earlier would be so now: its key or token is neither revoked nor expired. Asked for open streams. */
  stillValid(principal: Principal): boolean | Promise<boolean>;

  spawnAgent(caller: Caller, input: SpawnInput): Promise<Agent>;
  listAgents(caller: Caller, page: PageRequest): Promise<PageOf<Agent>>;
  getAgent(caller: Caller, id: string): Promise<Agent>;
  /** With `onlyIf`: PRECONDITION_FAILED unless the agent's `updated_at` is among these. Of two changes with the same, one is done. */
  replaceAgent(caller: Caller, id: string, input: ReplaceAgentInput, onlyIf?: readonly string[]): Promise<Agent>;
  patchAgent(caller: Caller, id: string, input: PatchAgentInput, onlyIf?: readonly string[]): Promise<Agent>;
  /** Resolves when everything of the agent is gone. `onlyIf` as for replaceAgent. */
  deleteAgent(caller: Caller, id: string, onlyIf?: readonly string[]): Promise<void>;
  /** Waits until the run that answers has ended or paused. */
  messageAgent(caller: Caller, id: string, input: MessageInput): Promise<MessageReply>;

  startRun(caller: Caller, agent: string, input: RunInput, triggeredBy?: TriggeredBy): Promise<Run>;
  listRuns(caller: Caller, agent: string, page: PageRequest): Promise<PageOf<Run>>;
  getRun(caller: Caller, agent: string, id: string): Promise<Run>;
  resumeRun(caller: Caller, agent: string, id: string, input: ResumeInput): Promise<Run>;
  forkRun(caller: Caller, agent: string, id: string, input: ForkInput): Promise<Run>;
  /** Ends a run that is not terminal (no REST route; A2A tasks/cancel); CONFLICT when it is. */
  cancelRun(caller: Caller, agent: string, id: string): Promise<Run>;
  /**
   * The run's events after `lastSeq`, without gap or duplicate; ends after the event of a terminal status, or when the
   * run is gone. `signal` ends it early.
   */
  runEvents(
    caller: Caller,
    agent: string,
    id: string,
    lastSeq: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<RunEvent>>;
  listThoughts(
    caller: Caller,
    agent: string,
    filter: { sessionId?: string; thoughtType?: ThoughtType },
    page: PageRequest,
  ): Promise<PageOf<Thought>>;
  listCheckpoints(
    caller: Caller,
    agent: string,
    filter: { runId?: string; sessionId?: string },
    page: PageRequest,
  ): Promise<PageOf<Checkpoint>>;

  /**
   * A2A message/send (docs/api.md 3.2, 4.2): a run for the message, or the resume of the task that it names. The same
   * messageId with the same content, from the same caller to the same agent, answers the same task.
   */
  sendTask(caller: Caller, agent: string, input: TaskInput): Promise<Task>;
  /**
   * A2A message/stream: as sendTask, which waits for nothing; answers the task as of the first event that the message
   * caused (of the task's first where the message was known already), and its events after that, as `runEvents`.
   */
  streamTask(caller: Caller, agent: string, input: Omit<TaskInput, 'wait'>, signal: AbortSignal): Promise<FollowedTask>;
  /** With its whole history. */
  getTask(caller: Caller, agent: string, id: string): Promise<Task>;
  /** By `page.sort` updated_at the last changed come first; `total` is counted up to 10,000 where a filter is given. */
  listTasks(
    caller: Caller,
    agent: string,
    filter: { contextId?: string; statuses?: readonly RunStatus[]; changedSince?: string; history: boolean },
    page: PageRequest,
  ): Promise<PageOf<Task>>;
  /** CONFLICT when the run is terminal. */
  cancelTask(caller: Caller, agent: string, id: string): Promise<Task>;
  /**
   * The task as it was after event `lastSeq` (null: as it is now), and its events after that, as `runEvents`. A `lastSeq`
   * that the run has not reached counts as now.
   */
  followTask(
    caller: Caller,
    agent: string,
    id: string,
    lastSeq: number | null,
    signal: AbortSignal,
  ): Promise<FollowedTask>;
  /** Registers where changes of a task are told; replaces the config of the same id. VALIDATION_ERROR on `url` where the guard refuses it. */
  setPush(caller: Caller, agent: string, task: string, config: PushConfigInput): Promise<PushConfig>;
  listPush(caller: Caller, agent: string, task: string): Promise<PushConfig[]>;
  deletePush(caller: Caller, agent: string, task: string, id: string): Promise<void>;
  /** Pushes of the workspace that were given up, newest first. */
  listDeadLetters(caller: Caller, page: PageRequest): Promise<PageOf<DeadLetter>>;
  /** Sends one again, from its first try on. */
  replayDeadLetter(caller: Caller, id: string): Promise<DeadLetter>;

  /** With `inbox`: unread first, newest first among these and among the read ones; `page.order` is then ignored. */
  listMessages(caller: Caller, agent: string, inbox: boolean, page: PageRequest): Promise<PageOf<MailboxMessage>>;
  sendMessage(caller: Caller, agent: string, input: MailboxInput): Promise<MailboxMessage>;

  mintToken(caller: Caller, agent: string, input: TokenInput): Promise<{ token: AgentToken; secret: string }>;
  listTokens(caller: Caller, agent: string, page: PageRequest): Promise<PageOf<AgentToken>>;
  revokeToken(caller: Caller, agent: string, id: string): Promise<void>;

  createMemory(caller: Caller, input: MemoryInput): Promise<Memory>;
  listMemories(
    caller: Caller,
    filter: { agent_id?: string; hive_id?: string; type?: string; sessionId?: string },
    page: PageRequest,
  ): Promise<PageOf<Memory>>;
  getMemory(caller: Caller, id: string): Promise<Memory>;
  patchMemory(caller: Caller, id: string, input: MemoryPatch): Promise<Memory>;
  deleteMemory(caller: Caller, id: string): Promise<void>;
  /** Best first. */
  searchMemories(caller: Caller, input: SearchInput): Promise<FoundMemory[]>;

  createHive(caller: Caller, input: HiveInput): Promise<Hive>;
  listHives(caller: Caller, page: PageRequest): Promise<PageOf<Hive>>;
  getHive(caller: Caller, id: string): Promise<Hive>;
  patchHive(caller: Caller, id: string, input: PatchHiveInput): Promise<Hive>;
  deleteHive(caller: Caller, id: string): Promise<void>;
  listMembers(caller: Caller, hive: string, page: PageRequest): Promise<PageOf<Agent>>;
  joinHive(caller: Caller, hive: string, agent: string): Promise<Agent>;
  leaveHive(caller: Caller, hive: string, agent: string): Promise<void>;
  shareMemory(caller: Caller, hive: string, input: ShareInput): Promise<Memory>;
  listShared(caller: Caller, hive: string, page: PageRequest): Promise<PageOf<Memory>>;

  /** With `agent_id`, `by_agent` is of that agent alone: NOT_FOUND. */
  usage(caller: Caller, filter?: { agent_id?: string }): Promise<Usage>;
  mintKey(caller: Caller, input: KeyInput): Promise<{ key: ApiKey; secret: string }>;
  listKeys(caller: Caller, page: PageRequest): Promise<PageOf<ApiKey>>;
  /** With `cascade`, also what it minted, and what that minted: their ids are the answer. What was revoked before stays so. */
  revokeKey(caller: Caller, id: string, cascade?: boolean): Promise<readonly string[]>;
  /** What was done to keys and tokens of the workspace. */
  listAudit(caller: Caller, page: PageRequest): Promise<PageOf<AuditRecord>>;

  /** The workspace's live events from now on; a reader that falls more than `buffer` events behind is ended. */
  workspaceEvents(caller: Caller, signal: AbortSignal): AsyncIterable<WorkspaceEvent>;

  /** Whether commands are served; the reason where not. */
  ready(): { ready: true } | { ready: false; reason: string };
}
