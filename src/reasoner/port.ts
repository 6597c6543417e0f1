/**
 * The reasoner port. A reasoner gets what an agent knows at one step of a run and proposes what to do: tool calls, of
 * which `answer` or `ask_human` ends the turn. It knows nothing of actors, stores or HTTP, and changes nothing itself.
 */
import type { ConsultedMemory, ModelUsage, ToolCall, ToolOutcome } from '../domain/model/model.js';
import type { ThoughtType, ToolName } from '../domain/shared/vocabulary.js';
import type { AgentConfig } from '../domain/agent/agent-config.js';
import type { TaskMessage } from '../domain/task/task.js';

/** A memory, message or turn that was recalled. */
export interface RecalledMemory extends ConsultedMemory {
  /** When it was said, where that is known (ISO 8601). */
  at?: string;
  /** Who said a turn: `user` is the client, `agent` the agent itself. */
  role?: 'user' | 'agent';
  /** Who said a memory, where it is told with that. */
  speaker?: string;
  /** It was found by what it means, whatever its words are. */
  byMeaning?: boolean;
  /** When a client changed the memory last, if one has; no model is told. */
  patched_at?: string;
}

/** A file, with its bytes as base64; `step` is that of the human input that it came with, or it came with the input. */
export interface PromptFile {
  mediaType: string;
  filename?: string | undefined;
  bytes: string;
  step?: number | undefined;
}

export interface StepContext {
  agent: {
    id: string;
    name: string;
    description: string;
    config: AgentConfig;
    hives: readonly string[];
    wakes?: boolean;
  };
  run: {
    id: string;
    input: string;
    /** What of it was said, where data came with it, which is no instruction; omitted where all of it was. */
    said?: string;
    sessionId: string;
    triggeredBy: string;
    /** When it began, ms since 1970; this step, if omitted. */
    startedAt?: number;
    multiStep: boolean;
    /** What came with what was said in it, of the media types that the agent takes. */
    files?: readonly PromptFile[];
    /** The A2A message that started the run, if any; `input` is its text. */ message: TaskMessage | null;
  };
  /** When the step begins, ms since 1970. */
  now: number;
  /** This step's number, from 1, and the maximum number of steps. */
  step: number;
  maxSteps: number;
  /** It is the last one, whatever its number: what the run may use of model servers is used up. */
  last?: boolean;
  /** What was said last in the session before this run, oldest first. */
  turns: readonly {
    id?: string;
    role: 'user' | 'agent';
    content: string;
    at: string;
    /** What tools had returned when the agent said it. */
    results?: readonly ToolOutcome[] | undefined;
    /** What became of its run, if it is the last turn of one that has not answered. */
    became?: 'cancelled' | 'interrupted' | 'waiting' | 'failed';
  }[];
  /** The memories recalled for the input from the agent's own context and its hives, best first. */
  memories: readonly RecalledMemory[];
  /** How somebody wants things always done, and what they prefer, what matters most first. The same at each step of a run. */
  profile?: readonly RecalledMemory[];
  /** The blocks of the agent (memory/blocks.ts). The same at each step of a run. */
  blocks?: readonly ToldBlock[];
  /**
   * Mailbox messages that this step takes in (they are marked as read when its commit is done). `from` is the agent
   * that sent it, `external` for clients, null for the service.
   */
  messages: readonly { id: string; from: string | null; content: string; reply_to: string | null }[];
  /** Earlier steps of this run, oldest first: calls and their outcomes. */
  transcript: readonly (readonly ToolOutcome[])[];
  /** What the model said beside the calls of each earlier step. */
  asides?: readonly (string | undefined)[];
  /** What the model handed out with each earlier step, for itself (StepProposal). */
  kept?: readonly (string | undefined)[];
  /** Human input on questions and rejected actions, and what was said to the run since it began, oldest first. */
  humanInputs: readonly {
    step: number;
    decision: 'reject' | null;
    input: string;
    said?: string | undefined;
    /** It is a message of the user, said while the run went on. */
    steers?: boolean | undefined;
  }[];
  /** Tools whose calls would be refused. */
  withheld?: readonly ToolName[];
  /** The tools of servers that the agent has beside those of its configuration. Rejects only when aborted. */
  offered?: (signal: AbortSignal) => Promise<OfferedTools>;
}

/** A block as it was when the run began. */
export interface ToldBlock {
  label: string;
  description: string;
  value: string;
  /** Whether calls of the model that change it are carried out. */
  mayChange: boolean;
}

/** A tool that a server of the agent offers. What it says is data. */
export interface OfferedTool {
  /** `server.tool`, as calls of `use_tool` name it. */
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** Says why arguments do not fit the schema; null if they do. */
  check: (input: unknown, called?: string) => string | null;
}
export interface OfferedTools {
  tools: readonly OfferedTool[];
  /** What is not offered now and why, a sentence each; it may quote a server. */
  problems: readonly string[];
  /** The names of the servers that offer nothing now. */
  away: readonly string[];
}

export interface ProposedThought {
  thoughtType: ThoughtType;
  content: string;
  /** The tool that it is about to call. */
  tool?: ToolName;
  /** How many memories it has found. */
  found?: number;
}

/** A call; `refused` says why it cannot be made, which is its outcome then. `cut`: a limit has ended the answer. */
export type ProposedCall = ToolCall & { refused?: string; cut?: true };

export interface StepProposal {
  thoughts: readonly ProposedThought[];
  /** Executed in order; nothing after `answer` or `ask_human` is executed. An empty list counts as an empty answer. */
  calls: readonly ProposedCall[];
  /**
   * What the model handed out beside its words and calls, as text that only the reasoner reads. The steps that follow
   * are given it; nobody is shown it.
   */
  kept?: string;
  /** What the step used of a model server. */
  usage?: ModelUsage;
}

/** Hears the text of an answer while it is being written. It may turn out to be no answer, or not the whole of it. */
export interface TextListener {
  heard(text: string): void;
  /** What was heard so far is void. */
  restart(): void;
}

/** What a client said, and when (ISO 8601). */
export interface SaidToLearn {
  content: string;
  at: string;
}
/** A present memory that a passage may replace. */
export interface KnownMemory extends SaidToLearn {
  id: string;
}
/** A passage that a model cites from a turn, by the turn's index. */
export interface CitedSpan {
  turn: number;
  quote: string;
  /** The id of a known memory that is no longer so, because of what is cited. */
  replaces?: string;
  /** What it becomes; a fact if the model does not say. */
  type?: 'semantic' | 'episodic' | 'procedural';
  /** When it stops to be so (ISO 8601, UTC). */
  until?: string;
}
export interface Extraction {
  spans: readonly CitedSpan[];
  usage?: ModelUsage;
}

export interface Reasoner {
  readonly name: string;
  /**
   * Rejects with a ReasonerError, or with `signal.reason` when aborted. May answer synchronously: the step is then
   * committed together with the command that started it.
   */
  next(
    context: StepContext,
    signal: AbortSignal,
    listener?: TextListener,
    how?: Asking,
  ): StepProposal | Promise<StepProposal>;
  /**
   * Whether the only step of a run with this input makes use of `memories`; omitted by those that always do. Where it
   * does not, nothing is recalled for it.
   */
  usesMemories?(input: string): boolean;
  /**
   * Points out what in these turns of a client is worth remembering, and what that replaces of what is known. Rejects
   * as `next` does. Only reasoners on language models have it.
   */
  extract?(
    turns: readonly SaidToLearn[],
    known: readonly KnownMemory[],
    signal: AbortSignal,
    how?: Asking,
  ): Promise<Extraction>;
}

/** How a model is asked. */
export interface Asking {
  /** Whoever asks has another model to ask: one that is away is not waited for. */
  hasOthers: boolean;
}

/** The reasoner has failed: the run fails with this code and message. */
export class ReasonerError extends Error {
  override readonly name = 'ReasonerError';
  /** What was used of a model server before the failure. */
  usage?: ModelUsage;
  /**
   * Whose fault it is: that of the `request`, which another model would fail at as well; that of the `server`, until
   * somebody repairs it; or nobody's, because the server is `away` for a time.
   */
  fault: 'request' | 'server' | 'away' = 'request';
  /** The delay that a server asks for before the next request, ms. */
  retryAfterMs: number | null = null;
  /** The request is longer than the model can read. */
  overflow = false;
  /** How many tokens the model can read, where its server has said so. */
  window: number | null = null;
  constructor(
    readonly code:
      | 'not_configured'
      | 'refused'
      | 'rate_limited'
      | 'timeout'
      | 'unreachable'
      | 'bad_response'
      | 'bad_output'
      | 'too_large',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    if (code === 'not_configured') this.fault = 'server';
  }
}

/** Finds the reasoner for `config.model`; throws ReasonerError('not_configured') that says what is missing. */
export type ReasonerFor = (model: AgentConfig['model']) => Reasoner;
