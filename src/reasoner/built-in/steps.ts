/**
 * The steps of the built-in reasoner: which part of the work a step does. Everything follows from the context, so the
 * same context gives the same proposal.
 *
 *  - A multi-step run begins with a goal and a plan, does one thing in each step, or more if the budget is short, and
 *    reflects before it answers; a single-step run does everything in one step.
 *  - It answers no later than at the last step of the budget. Only "work in N steps" continues to its N whatever the
 *    budget, because that is its purpose.
 *  - A call that has an outcome is not made again (items.ts), even if a human rejected it.
 *  - Messages are processed in the step that takes them in, because later steps do not see them.
 *  - Nothing follows `answer` or `ask_human`, and no call has empty content.
 */
import { external } from '../../domain/agent/agent-state.js';
import { wasRejected } from '../../domain/run/tools.js';
import type { ToolCall, ToolOutcome } from '../../domain/model/model.js';
import type { ProposedThought, Reasoner, StepContext, StepProposal } from '../port.js';
import { type Account, type Tracked, compose, mayBeTopic, mayI, replyTo } from './answer.js';
import { type Item, Ledger, humanWords, recallOf, sendOf, workOf } from './items.js';
import { type Orders, type Request, isAnswer, parseOrders, parseRequest } from './request.js';
import { fromMemory, mostQuotes, readRecall } from './quotes.js';
import { brief } from '../../english/sentences.js';
import { doing, headed, told } from './wording.js';
import { memoize } from '../../base/memoize.js';

interface StepPlan {
  account: Account;
  multi: boolean;
  /** The first recall of a multi-step run with an input; null if none is needed or it is done. */
  opening: ToolCall | null;
  /** The recall made by the opening and by idle steps. */
  topic: ToolCall;
  /** Planned calls without an outcome. */
  pending: readonly ToolCall[];
  /** Calls for this step's messages. */
  fromInbox: readonly ToolCall[];
  /** How many steps may still come before the last one; 0 means that this step has to answer. */
  before: number;
  /** "Work in N steps" requires more steps before the answer. */
  idle: boolean;
}

type Read = (text: string) => Request;

/** Data is no instruction. Where nothing was said beside it, it is what the answer is about. */
const requestIn = (input: string, said: string | undefined, read: Read): Request =>
  said === undefined || input === '' || said.trim() !== ''
    ? read(input === '' ? '' : (said ?? input))
    : { units: [{ kind: 'statement', text: input.trim() }], steps: null, dropped: 0, unread: false };

/** Whether an answer to this may tell what is remembered. */
export const usesMemories = ({ units }: Request): boolean =>
  units.length === 0 ||
  units.some(
    (unit) =>
      unit.kind === 'recall' || unit.kind === 'forgetAbout' || (unit.kind === 'statement' && mayBeTopic(unit.text)),
  );

export function propose(context: StepContext, orders: Orders, read: Read): StepProposal {
  const turn = look(context, orders, read);
  const thoughts = looksBack(turn);
  if (turn.multi && turn.before > 0) {
    const calls = nextCalls(turn, thoughts);
    if (calls.length > 0) return { thoughts: [...thoughts, ...actions(calls)], calls: upToAsk(calls) };
  }
  return finish(turn, thoughts);
}

function look(context: StepContext, orders: Orders, read: Read): StepPlan {
  const { run, agent, maxSteps, step, transcript, messages } = context;
  const multi = run.multiStep;
  const input = run.triggeredBy === 'message' && messages.some((m) => m.content === run.input) ? '' : run.input;
  const ledger = new Ledger(transcript);
  const human = humanWords(context);
  const work = workOf(input, requestIn(input, run.said, read), agent, orders);
  const lone = work.items.length === 1 && work.items[0]?.unit.kind === 'recall' ? work.items[0].unit.text : null;
  const topic = recallOf(lone ?? (input.trim() === '' ? 'what I was asked' : input));
  // A single question serves as its own opening.
  const opens = multi && input.trim() !== '' && lone === null;
  const opened = opens ? ledger.take(topic) : null;
  const advice = human.guidance.flatMap((g) =>
    workOf(g.text, read(g.text), agent, null).items.filter((i) => i.unit.kind !== 'statement'),
  );
  const items = [...work.items, ...advice].map((item): Tracked => ({
    outcomes: item.calls.map((call) => ledger.take(call)),
    ...item,
  }));
  while (multi && ledger.take(topic));
  const total = multi ? (work.request.steps ?? orders.steps) : null;
  const left = maxSteps - step + 1;
  const inbox = messages.map((message) => ({
    message,
    work: workOf(message.content, read(message.content), agent, orders),
  }));
  const account: Account = {
    context,
    orders,
    input: { work: { ...work, questions: items.filter((i) => i.unit.kind === 'recall').length }, items },
    inbox,
    ledger,
    human,
    mayAsk: left > 1,
  };
  return {
    account,
    multi,
    topic,
    opening: opens && !opened ? topic : null,
    pending: items.flatMap((i) => i.calls.filter((c, at) => !i.outcomes[at] && (multi || c.tool !== 'recall'))),
    fromInbox: inbox.flatMap(({ message, work: { items: wanted } }) => inboxCalls(account, message, wanted, multi)),
    before: Math.max(0, (total === null ? left : total - transcript.length) - 1),
    idle: total !== null,
  };
}

function inboxCalls(
  account: Account,
  message: StepContext['messages'][number],
  items: readonly Item[],
  multi: boolean,
): ToolCall[] {
  const {
    orders,
    context: { agent },
  } = account;
  const calls = items
    .flatMap((i) => i.calls.filter((c) => multi || c.tool !== 'recall'))
    .filter((c) => !(c.tool === 'send_message' && c.arguments['to'] === agent.id));
  const work = account.inbox.find((i) => i.message === message)?.work;
  if (
    orders.replyToSender &&
    work &&
    message.from !== null &&
    message.from !== external &&
    message.from.trim() !== '' &&
    message.from !== agent.id &&
    !isAnswer(message.content)
  )
    calls.push(sendOf(message.from, replyTo(account, message.content, work)));
  return calls;
}

/** Questions to a human come last, combined into one, because asking ends the step. */
function upToAsk(calls: readonly ToolCall[]): ToolCall[] {
  const at = calls.findIndex((c) => c.tool === 'ask_human');
  return at < 0 ? [...calls] : calls.slice(0, at + 1);
}

const asksLast = (calls: readonly ToolCall[]): ToolCall[] => [
  ...calls.filter((c) => c.tool !== 'ask_human'),
  ...calls.filter((c) => c.tool === 'ask_human'),
];

/** The calls of a step that does not answer yet; none if it is time to answer. */
function nextCalls(turn: StepPlan, thoughts: ProposedThought[]): ToolCall[] {
  const {
    account: { context },
    pending,
    opening,
    before,
  } = turn;
  const inbox = asksLast(turn.fromInbox);
  if (context.transcript.length === 0) thoughts.push(...goal(turn));
  if (opening) return asksLast([...inbox, opening]);
  if (pending.length > 0) {
    const batch = pending.slice(0, Math.ceil(pending.length / before));
    const ask = batch.findIndex((c) => c.tool === 'ask_human');
    return asksLast([...inbox, ...(ask < 0 ? batch : batch.slice(0, ask + 1))]);
  }
  if (inbox.length > 0 || !turn.idle) return inbox;
  thoughts.push({
    thoughtType: 'reflection',
    content: `Step ${context.transcript.length + 1} of ${context.transcript.length + 1 + before}: looking again before I answer.`,
  });
  return [turn.topic];
}

function goal({ account: { context, input }, pending, fromInbox }: StepPlan): ProposedThought[] {
  const text = input.work.items.length > 0 ? context.run.input : context.messages.map((m) => m.content).join(' ');
  const count = pending.length + fromInbox.length;
  return [
    { thoughtType: 'goal', content: `Goal: ${brief(text) || 'answer'}` },
    {
      thoughtType: 'goal',
      content: `Plan: ${count === 0 ? 'recall what I know' : `${count} ${count === 1 ? 'thing' : 'things'} to do`}, then answer.`,
    },
    recallThought(context),
  ];
}

function recallThought({ memories }: StepContext): ProposedThought {
  const best = memories[0];
  const content = best
    ? `${memories.length} ${memories.length === 1 ? 'memory comes' : 'memories come'} to mind, the best with relevance ${best.relevance.toFixed(2)}: ${brief(best.content)}`
    : 'Nothing relevant comes to mind.';
  return { thoughtType: 'recall', content, found: memories.length };
}

const actions = (calls: readonly ToolCall[]): ProposedThought[] =>
  upToAsk(calls).map((call) => ({
    thoughtType: call.tool === 'recall' ? 'recall' : 'action',
    content: doing(call),
    tool: call.tool,
  }));

/** Thoughts about the outcome of the last step, and about what a human said to it. */
function looksBack({ account: { context, human }, topic }: StepPlan): ProposedThought[] {
  const { transcript, humanInputs } = context;
  const thoughts = (transcript.at(-1) ?? []).flatMap((o) => afterthought(o, topic));
  const said = humanInputs.at(-1);
  // An answer to a question carries the number of the step that asked; a rejection carries that of the step before the
  // rejected one.
  if (!said || said.step < transcript.length - (said.decision === 'reject' ? 1 : 0)) return thoughts;
  const text = brief(said.input);
  const answered = said.decision === null && human.answers.length > 0;
  if (said.decision === 'reject')
    thoughts.push({
      thoughtType: 'reflection',
      content: `A human rejected that${text === '' ? '' : ` ("${text}")`}: I change course.`,
    });
  else if (text !== '')
    thoughts.push({ thoughtType: 'result', content: `A human ${answered ? 'answered' : 'added'}: ${text}` });
  return thoughts;
}

function afterthought(outcome: ToolOutcome, topic: ToolCall): ProposedThought[] {
  if (outcome.tool === 'answer' || outcome.tool === 'ask_human') return [];
  if (outcome.tool !== 'recall' || !outcome.ok)
    return [{ thoughtType: wasRejected(outcome) ? 'reflection' : 'result', content: told(outcome) }];
  const query = outcome.arguments['query'] ?? '';
  const known = fromMemory(readRecall(outcome.result), query, mostQuotes);
  if (known === null) return [{ thoughtType: 'recall', content: `I found nothing about: ${brief(query)}`, found: 0 }];
  return [{ thoughtType: 'insight', content: query === topic.arguments['query'] ? known : headed(query, known) }];
}

const noRecall: ProposedThought = { thoughtType: 'recall', content: 'I need no memories for this.' };

/** Whether anything was recalled for a single step. */
const looksUp = ({ account: { context, input } }: StepPlan): boolean =>
  usesMemories(input.work.request) || context.messages.length > 0 || context.humanInputs.length > 0;

/** The last step: the remaining calls and the answer, or first a question to a human. */
function finish(turn: StepPlan, thoughts: ProposedThought[]): StepProposal {
  const { context, mayAsk } = turn.account;
  const planned = turn.multi
    ? asksLast([...turn.fromInbox, ...turn.pending])
    : [
        ...turn.fromInbox.filter((c) => c.tool !== 'ask_human'),
        ...turn.pending,
        ...turn.fromInbox.filter((c) => c.tool === 'ask_human'),
      ];
  // A recall whose result nobody would read is skipped.
  const calls = planned.filter((c) => c.tool !== 'recall' && (mayAsk || c.tool !== 'ask_human'));
  const first = context.transcript.length === 0;
  if (first && !thoughts.some((t) => t.thoughtType === 'recall'))
    thoughts.push(...(turn.multi ? goal(turn) : [looksUp(turn) ? recallThought(context) : noRecall]));
  thoughts.push(...actions(calls));
  if (calls.some((c) => c.tool === 'ask_human')) return { thoughts, calls: upToAsk(calls) };
  const content = compose(turn.account);
  const asked = lastWord(turn.account, content);
  if (asked.ask) return { thoughts, calls: [...calls, { tool: 'ask_human', arguments: { question: asked.ask } }] };
  if (turn.multi)
    thoughts.push({
      thoughtType: 'reflection',
      content: `${context.transcript.length + 1} ${context.transcript.length === 0 ? 'step' : 'steps'}; answering with what I have.`,
    });
  return { thoughts, calls: [...calls, { tool: 'answer', arguments: { content: asked.answer } }] };
}

/** "Ask a human before answering": the question to ask, or the answer as modified by the human's reply. */
function lastWord({ orders, ledger, human, mayAsk }: Account, content: string): { ask: string | null; answer: string } {
  if (!orders.askFirst) return { ask: null, answer: content };
  if (!ledger.asked((q) => q.startsWith(mayI)))
    return mayAsk
      ? { ask: `${mayI}${brief(content, 2000)}`, answer: '' }
      : { ask: null, answer: 'I was to ask a human before answering, and no step was left for it.' };
  const said = human.answers.findLast((a) => a.question.startsWith(mayI))?.answer.trim() ?? '';
  if (/^(?:yes|y|ok|okay|sure|approved?|go ahead|do it|fine)\b/i.test(said)) return { ask: null, answer: content };
  if (/^(?:no|n|nope|do not|don['’]t|reject|stop|never)\b/i.test(said) || said === '')
    return { ask: null, answer: `A human did not want me to answer${said === '' ? '' : `: ${brief(said, 300)}`}` };
  return { ask: null, answer: `${content}\nA human says: ${said}` };
}

/*
 * The built-in reasoner: deterministic, offline, synchronous. It answers from memory, quotes the memories that it used,
 * and follows instructions in plain English in the input, in mailbox messages and in `config.instructions`
 * (docs/reasoners.md).
 */

/** How many texts of each kind are kept at least. */
const kept = 32;

/** `read` parses the text of an input or a message. */
export function createBuiltIn(read = parseRequest): Reasoner {
  // every step of a run uses the same instructions and the same input
  const orders = memoize(parseOrders, kept, Infinity);
  const requests = memoize(read, kept, Infinity);
  return {
    name: 'built-in',
    usesMemories: (input) => usesMemories(requests(input)),
    next: (context) => propose(context, orders(context.agent.config.instructions ?? ''), requests),
  };
}
