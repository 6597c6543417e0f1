/**
 * The progress of a run so far, reconstructed from its transcript. A run's plan follows from its input alone, so the
 * remaining work is every planned call without an outcome. Nothing else needs to be stored between steps, and a step
 * that is repeated after a crash, resumed or forked arrives at the same plan.
 *
 *  - Each outcome accounts for one call: two equal instructions are executed twice.
 *  - A call that a human rejected, or that failed, counts as done and is not retried.
 */
import type { ToolCall, ToolOutcome } from '../../domain/model.js';
import type { StepContext } from '../port.js';

const keyOf = (call: Pick<ToolCall, 'tool' | 'arguments'>): string =>
  `${call.tool} ${JSON.stringify(Object.entries(call.arguments).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

export class Ledger {
  private readonly open = new Map<string, ToolOutcome[]>();
  private readonly all: ToolOutcome[];

  constructor(transcript: StepContext['transcript']) {
    this.all = transcript.flat();
    for (const outcome of this.all) {
      const key = keyOf(outcome);
      const same = this.open.get(key);
      if (same) same.push(outcome);
      else this.open.set(key, [outcome]);
    }
  }

  /** The outcome of this call; it is then used up. */
  take(call: ToolCall): ToolOutcome | null {
    return this.all.length === 0 ? null : (this.open.get(keyOf(call))?.shift() ?? null);
  }

  /** Outcomes that no planned call has taken, in order: those of messages in earlier steps. */
  rest(): ToolOutcome[] {
    const left = new Set([...this.open.values()].flat());
    return this.all.filter((o) => left.has(o) && o.tool !== 'answer' && o.tool !== 'ask_human');
  }

  rejectedAnswer(): boolean {
    return this.all.at(-1)?.tool === 'answer' && this.all.at(-1)?.ok === false;
  }
  asked(question: (text: string) => boolean): boolean {
    return this.all.some((o) => o.tool === 'ask_human' && question(o.arguments['question'] ?? ''));
  }
}

/** A question to a human and the answer. */
export interface HumanAnswer {
  question: string;
  answer: string;
}

export interface HumanWords {
  answers: readonly HumanAnswer[];
  /** Comments on a rejected call, or given when the run was resumed. */
  guidance: readonly { rejected: boolean; text: string }[];
}

/**
 * Separates answers to questions from other human input: an answer belongs to the step that ended with the question.
 */
export function humanWords(context: Pick<StepContext, 'humanInputs' | 'transcript'>): HumanWords {
  const answers: HumanAnswer[] = [];
  const guidance: { rejected: boolean; text: string }[] = [];
  for (const { step, decision, input, said = input, steers } of context.humanInputs) {
    const last = context.transcript[step - 1]?.at(-1);
    if (decision === null && !steers && last?.tool === 'ask_human')
      answers.push({ question: last.arguments['question'] ?? '', answer: input });
    else guidance.push({ rejected: decision === 'reject', text: said });
  }
  return { answers, guidance };
}
