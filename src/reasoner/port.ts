/**
 * The reasoner port. A reasoner is given what an agent knows at one step of a run and says what to do: tool calls, of
 * which `answer` or `ask_human` ends the turn. It knows nothing of actors, stores or HTTP, and changes nothing itself.
 */
import type { ConsultedMemory, ToolCall, ToolName, ToolOutcome } from '../domain/model.js';
import type { ThoughtType } from '../domain/vocabulary.js';
import type { AgentConfig } from '../domain/inputs.js';
import type { TaskMessage } from '../domain/task.js';

export interface StepContext {
  agent: { id: string; name: string; description: string; config: AgentConfig; hives: readonly string[] };
  run: {
    id: string;
    input: string;
    sessionId: string;
    triggeredBy: string;
    multiStep: boolean;
    /** The A2A message that began it: `input` is what of it is text. */ message: TaskMessage | null;
  };
  /** This step's number, from 1, and how many the run may have. */
  step: number;
  maxSteps: number;
  /** What recall found for the input in the agent's own context and its hives, best first. */
  memories: readonly ConsultedMemory[];
  /** Mailbox messages that this step takes in (they count as read when its commit is done). `from`: the agent that sent it, `external` for clients, null for the service. */
  messages: readonly { id: string; from: string | null; content: string; reply_to: string | null }[];
  /** Earlier steps of this run, oldest first: what was called and what came of it. */
  transcript: readonly (readonly ToolOutcome[])[];
  /** What a human said to a question or to a rejected action, oldest first. */
  humanInputs: readonly { step: number; decision: 'reject' | null; input: string }[];
  /** Tools whose calls would be refused. */
  withheld?: readonly ToolName[];
}

export interface ProposedThought {
  thoughtType: ThoughtType;
  content: string;
}

export interface StepProposal {
  thoughts: readonly ProposedThought[];
  /** In order. Nothing after `answer` or `ask_human` is done. No calls at all counts as an empty answer. */
  calls: readonly ToolCall[];
}

export interface Reasoner {
  readonly name: string;
  /**
   * Rejects with a ReasonerError, or with `signal.reason` when aborted. May answer at once: a step that needs no
   * waiting is then committed together with the command that began it.
   */
  next(context: StepContext, signal: AbortSignal): StepProposal | Promise<StepProposal>;
}

/** A reasoner that could not think: the run fails with this code and message. */
export class ReasonerError extends Error {
  override readonly name = 'ReasonerError';
  constructor(
    readonly code: 'not_configured' | 'refused' | 'timeout' | 'unreachable' | 'bad_response' | 'too_large',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Finds the reasoner for `config.model`; throws ReasonerError('not_configured') with what is missing. */
export type ReasonerFor = (model: string | undefined) => Reasoner;
