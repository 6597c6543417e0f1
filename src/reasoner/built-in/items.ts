/** Turns parsed units into tool calls for this agent, including those of standing orders. */
import type { ToolCall, ToolOutcome } from '../../domain/model/model.js';
import type { RecalledMemory, StepContext } from '../port.js';
import type { Orders, Request, RequestedTask } from './request.js';
import { brief, cut, followsUp } from '../../english/sentences.js';
import { aboutThis } from './quotes.js';
import { keywords } from './fitting.js';

export interface Item {
  unit: RequestedTask;
  calls: readonly ToolCall[];
  /** The reason why it cannot be done, if that is known before trying. */
  problem: string | null;
}

export interface AnswerWork {
  items: readonly Item[];
  /** The number of questions among the items; if there is one, all recalled memories are about it. */
  questions: number;
  request: Request;
}

const longestQuery = 500;
export const recallOf = (query: string): ToolCall => ({
  tool: 'recall',
  arguments: { query: cut(query.trim(), longestQuery) },
});
const rememberOf = (content: string, type: string): ToolCall => ({ tool: 'remember', arguments: { content, type } });
export const sendOf = (to: string, content: string): ToolCall => ({ tool: 'send_message', arguments: { to, content } });

/** `request` is the parsed text. */
export function workOf(text: string, request: Request, agent: StepContext['agent'], orders: Orders | null): AnswerWork {
  const items = request.units.map((unit) => itemOf(unit, agent));
  const add = (unit: RequestedTask): void => {
    items.push(itemOf(unit, agent));
  };
  if (orders && text.trim() !== '') {
    const said = request.units.length > 0 && request.units.every((u) => u.kind === 'remember');
    if (orders.rememberAll && !said) add({ kind: 'remember', text: text.trim(), type: 'episodic' });
    if (orders.shareLearned)
      for (const { unit } of [...items])
        if (unit.kind === 'remember') add({ kind: 'share', text: unit.text, hive: null });
    for (const to of orders.forwardTo) add({ kind: 'send', to, text: text.trim() });
  }
  return { items, request, questions: request.units.filter((u) => u.kind === 'recall').length };
}

function itemOf(unit: RequestedTask, agent: StepContext['agent']): Item {
  switch (unit.kind) {
    case 'remember':
      return { unit, calls: [rememberOf(unit.text, unit.type)], problem: null };
    case 'forget':
      return { unit, calls: [{ tool: 'forget', arguments: { memory: unit.text } }], problem: null };
    case 'correct':
      return {
        unit,
        calls: [{ tool: 'update_memory', arguments: { memory: unit.content, content: unit.to } }],
        problem: null,
      };
    case 'send':
      return { unit, calls: [sendOf(unit.to, unit.text)], problem: null };
    case 'share':
      return { unit, ...sharing(unit, agent.hives) };
    case 'ask':
      return { unit, calls: [{ tool: 'ask_human', arguments: { question: unit.text } }], problem: null };
    case 'recall':
      return { unit, calls: [recallOf(unit.text)], problem: null };
    case 'say':
    case 'forgetAbout':
    case 'chat':
    case 'said':
    case 'identity':
    case 'help':
    case 'cannot':
    case 'statement':
      return { unit, calls: [], problem: null };
    default:
      return unit satisfies never;
  }
}

function sharing(
  { text: content, hive }: Extract<RequestedTask, { kind: 'share' }>,
  hives: readonly string[],
): Omit<Item, 'unit'> {
  const to = (hive_id: string): ToolCall => ({
    tool: 'share_with_hive',
    arguments: { content, type: 'semantic', hive_id },
  });
  const [only] = hives;
  if (only === undefined) return { calls: [], problem: 'I am in no hive, so I shared nothing.' };
  if (hive === 'all') return { calls: hives.map(to), problem: null };
  if (hive !== null)
    return hives.includes(hive)
      ? { calls: [to(hive)], problem: null }
      : { calls: [], problem: `I am not in ${hive}, so I shared nothing with it.` };
  if (hives.length > 1)
    return { calls: [], problem: `I am in ${hives.length} hives; say which one: ${hives.slice(0, 5).join(', ')}.` };
  return { calls: [to(only)], problem: null };
}

/* Answers from what was just said: in the same input, or before in the same session. */

/**
 * What the input itself says about a question in it: "Remember that Ana is in Rome. Where is Ana?" Recall cannot know
 * it yet.
 */
export function saidHere(work: AnswerWork, item: Item): RecalledMemory[] {
  if (item.unit.kind !== 'recall') return [];
  const { text: query } = item.unit;
  const told = work.items
    .slice(
      0,
      Math.max(
        0,
        work.items.findIndex(({ unit }) => unit === item.unit),
      ),
    )
    .flatMap(({ unit }): RecalledMemory[] => {
      const content = unit.kind === 'remember' ? unit.text : unit.kind === 'statement' ? unit.text : '';
      return content.trim() === '' ? [] : [{ id: '', type: 'said', content, relevance: 1 }];
    });
  if (told.length === 0) return [];
  const about = aboutThis(told, query);
  const namesATopic = keywords(query).size > 0;
  return about.length > 0 || namesATopic || !followsUp(query) ? about : told.slice(-1);
}

const mostTold = 5;

/** The client's last turns, the newest last. */
export function saidBefore(turns: StepContext['turns']): string {
  const said = turns.filter(({ role }) => role === 'user').slice(-mostTold);
  if (said.length === 0) return 'You have not said anything in this conversation before.';
  if (said.length === 1) return `You said: "${brief(said[0]?.content ?? '', 500)}"`;
  return `You said:\n${said.map(({ content }) => `- "${brief(content, 500)}"`).join('\n')}`;
}

/*
 * The progress of a run so far, reconstructed from its transcript. A run's plan follows from its input alone, so the
 * remaining work is every planned call without an outcome. Nothing else needs to be stored between steps, and a step
 * that is repeated after a crash, resumed or forked arrives at the same plan.
 *
 *  - Each outcome accounts for one call: two equal instructions are executed twice.
 *  - A call that a human rejected, or that failed, counts as done and is not retried.
 */

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
