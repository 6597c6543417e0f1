/**
 * What a run has done so far, read back from its transcript. The plan of a run follows from its input alone, so what is
 * still to be done is what has no outcome yet: nothing else needs to be kept between steps, and a step that is repeated
 * after a crash, resumed or forked comes to the same plan.
 *
 *  Ledger.L1 Each outcome answers for one call: two equal instructions are done twice.
 *  Ledger.L2 What a human rejected, or what failed, counts as done and is not tried again.
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

  /** The outcome of this call, which then answers for no other. */
  take(call: ToolCall): ToolOutcome | null {
    return this.all.length === 0 ? null : (this.open.get(keyOf(call))?.shift() ?? null);
  }

  /** Outcomes that no planned call has taken, in order: what messages of earlier steps asked for. */
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

export const wasRejected = (outcome: ToolOutcome): boolean => !outcome.ok && outcome.result.startsWith('rejected');

/** A question to a human and what came back. */
export interface HumanAnswer {
  question: string;
  answer: string;
}

export interface HumanWords {
  answers: readonly HumanAnswer[];
  /** What was said to a rejected call, or when the run was taken up again. */
  guidance: readonly { rejected: boolean; text: string }[];
}

/** Tells answers to questions from the rest: an answer's step is the one that ended with the question. */
export function humanWords(context: Pick<StepContext, 'humanInputs' | 'transcript'>): HumanWords {
  const answers: HumanAnswer[] = [];
  const guidance: { rejected: boolean; text: string }[] = [];
  for (const { step, decision, input } of context.humanInputs) {
    const last = context.transcript[step - 1]?.at(-1);
    if (decision === null && last?.tool === 'ask_human')
      answers.push({ question: last.arguments['question'] ?? '', answer: input });
    else guidance.push({ rejected: decision === 'reject', text: input });
  }
  return { answers, guidance };
}
