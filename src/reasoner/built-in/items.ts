/** Turns parsed units into tool calls for this agent, including those of standing orders. */
import type { ToolCall } from '../../domain/model.js';
import type { StepContext } from '../port.js';
import type { Orders } from './orders.js';
import type { Request, Task } from './request.js';
import { cut } from '../../english/sentences.js';

export interface Item {
  unit: Task;
  calls: readonly ToolCall[];
  /** The reason why it cannot be done, if that is known before trying. */
  problem: string | null;
}

export interface Work {
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
export function workOf(text: string, request: Request, agent: StepContext['agent'], orders: Orders | null): Work {
  const items = request.units.map((unit) => itemOf(unit, agent));
  const add = (unit: Task): void => {
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

function itemOf(unit: Task, agent: StepContext['agent']): Item {
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
  { text: content, hive }: Extract<Task, { kind: 'share' }>,
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
