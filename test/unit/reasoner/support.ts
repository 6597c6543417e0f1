/** Contexts for reasoners, and a small run loop that keeps the port's contract and the rules of design section 7. */
import type { ConsultedMemory, ToolCall, ToolOutcome } from '../../../src/domain/model/model.js';
import type { AgentConfig } from '../../../src/domain/agent/agent-config.js';
import type { Reasoner, StepContext, StepProposal } from '../../../src/reasoner/port.js';

export const memory = (content: string, relevance = 0.8, type = 'semantic'): ConsultedMemory => ({
  id: `mem_${content.length}`,
  type,
  content,
  relevance,
});
export const message = (content: string, from: string | null = 'agent_ana'): StepContext['messages'][number] => ({
  id: 'msg_1',
  from,
  content,
  reply_to: null,
});

export interface Given {
  input?: string;
  instructions?: string;
  turns?: StepContext['turns'];
  memories?: StepContext['memories'];
  messages?: StepContext['messages'];
  hives?: readonly string[];
  multi?: boolean;
  maxSteps?: number;
  config?: AgentConfig;
}

export function contextOf(given: Given, more: Partial<StepContext> = {}): StepContext {
  return {
    agent: {
      id: 'agent_me',
      name: 'Scout',
      description: 'I keep the facts of the launch.',
      config: { ...given.config, ...(given.instructions !== undefined && { instructions: given.instructions }) },
      hives: given.hives ?? [],
    },
    run: {
      id: 'run_1',
      input: given.input ?? '',
      sessionId: 'sess_1',
      triggeredBy: given.messages && given.input === undefined ? 'message' : 'api',
      multiStep: given.multi ?? false,
      message: null,
    },
    now: Date.UTC(2026, 10, 22, 12),
    step: 1,
    maxSteps: given.maxSteps ?? 10,
    turns: given.turns ?? [],
    memories: given.memories ?? [],
    messages: given.messages ?? [],
    transcript: [],
    humanInputs: [],
    ...more,
  };
}

/** At once: the built-in never waits. */
export function think(reasoner: Reasoner, context: StepContext): StepProposal {
  const proposal = reasoner.next(context, new AbortController().signal);
  if (proposal instanceof Promise) throw new Error('the built-in reasoner answers at once');
  return proposal;
}

/** What a human does: approves (null), rejects with words, or answers a question. */
export interface Human {
  onCall?: (call: ToolCall) => string | null;
  onQuestion?: (question: string) => string;
}

export interface Ran {
  steps: StepProposal[];
  transcript: ToolOutcome[][];
  answer: string | null;
  humanInputs: StepContext['humanInputs'];
}

/** Runs until the answer or the end of the budget; `from` goes on from an earlier end with a fresh budget. */
export function runAll(
  reasoner: Reasoner,
  given: Given,
  outcome: (call: ToolCall) => Pick<ToolOutcome, 'ok' | 'result'> = (c) => ({
    ok: true,
    result: c.tool === 'recall' ? 'nothing relevant is known' : 'done',
  }),
  human: Human = {},
  from?: Ran,
): Ran {
  const transcript: ToolOutcome[][] = [...(from?.transcript ?? [])];
  const steps: StepProposal[] = [];
  const humanInputs = [...(from?.humanInputs ?? [])];
  const maxSteps = given.maxSteps ?? 10;
  for (let step = 1; step <= maxSteps; step++) {
    const proposal = think(
      reasoner,
      contextOf(given, {
        step,
        transcript: [...transcript],
        humanInputs: [...humanInputs],
        messages: transcript.length === 0 ? (given.messages ?? []) : [],
      }),
    );
    steps.push(proposal);
    const done: ToolOutcome[] = [];
    let rejected: string | null = null;
    for (const call of proposal.calls) {
      rejected = human.onCall?.(call) ?? null;
      if (rejected !== null) {
        done.push({ ...call, ok: false, result: `rejected${rejected === '' ? '' : `: ${rejected}`}` });
        break;
      }
      done.push({ ...call, ...outcome(call) });
    }
    if (rejected !== null) humanInputs.push({ step: transcript.length, decision: 'reject', input: rejected });
    transcript.push(done);
    const last = proposal.calls.at(-1);
    if (rejected === null && (last === undefined || last.tool === 'answer'))
      return { steps, transcript, answer: last?.arguments['content'] ?? '', humanInputs };
    if (rejected === null && last?.tool === 'ask_human')
      humanInputs.push({
        step: transcript.length,
        decision: null,
        input: human.onQuestion?.(last.arguments['question'] ?? '') ?? 'yes',
      });
  }
  return { steps, transcript, answer: null, humanInputs };
}
