/** What was used of models for one subject in a month (docs/api.md 8.6): a sum for each agent, read and added up. */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addModelUsage, noModelUsage, subjectUseId } from '../domain/agent/budgets.js';
import type { SubjectCount } from '../domain/agent/agent-state.js';
import type { ModelUsage } from '../domain/model/model.js';
import type { BudgetAlert } from '../domain/workspace/model-budget.js';
import { monthAt, monthBefore } from '../domain/workspace/usage.js';
import { allOf, wait, type Waiting } from '../maybe-promise.js';
import type { EntityRef, Position, Store } from '../store/port.js';
import { type CommandMessage, commandMessage, internalChange, takes } from './command.js';

/** By this the sums name a subject: they outlive what else is known of it. */
export const subjectKey = (subject: string): string => hash('sha256', subject).slice(0, 32);

const atATime = 250;

/** What all agents have used for the subject in the month, read in turns of the event loop: it costs a sum for each of them. */
export function* usedFor(
  store: Pick<Store, 'list'>,
  workspace: string,
  { subject, month }: { subject: string; month: string },
): Waiting<ModelUsage> {
  const of = { workspace, collection: 'subjectUse', list: 'subject', by: `${month} ${subjectKey(subject)}` } as const;
  let used = noModelUsage;
  let after: Position | undefined;
  do {
    const page = yield* wait(
      store.list({ ...of, order: 'asc', limit: atATime, ...(after !== undefined && { after }) }),
    );
    for (const { body } of page.items) used = addModelUsage(used, body);
    after = page.next ?? undefined;
    if (after !== undefined) yield* wait(nextTurn());
  } while (after !== undefined);
  return used;
}

/** The sum of this agent, towards which what it uses for the subject counts. */
export function* sumFor(
  store: Pick<Store, 'get'>,
  agent: EntityRef,
  { subject, month }: { subject: string; month: string },
): Waiting<SubjectCount> {
  const of = subjectKey(subject);
  const doc = yield* wait(store.get(agent, 'subjectUse', subjectUseId({ month, of }, agent.id)));
  return { subject, of, month, before: doc?.body ?? null };
}

/** The ids of what this agent has used for the subject in this month and the one before. */
export async function sumsOf(
  store: Pick<Store, 'get'>,
  agent: EntityRef,
  subject: string,
  now: number,
): Promise<readonly string[]> {
  const of = subjectKey(subject);
  const months = [monthAt(now), monthBefore(now)];
  const ids = months.map((month) => subjectUseId({ month, of }, agent.id));
  const found = await allOf(ids.map((id) => store.get(agent, 'subjectUse', id)));
  return ids.filter((_, i) => found[i]);
}

interface ToldOfSubject {
  subject: string;
  data: BudgetAlert['data'];
}

/** Tells how much of the budget of a subject is used. */
export const tellSubjectBudget = internalChange({
  name: 'tellSubjectBudget',
  of: 'workspace',
  target: [],
  takes: takes<ToldOfSubject>(),
  repeatable: true,
  decide(d, { input: { subject, data } }): void {
    d.announce('usage.alert', { subject, ...data });
  },
});

/** Longer than a month. */
const toldMs = 32 * 24 * 3600 * 1000;

/** The request that tells this once in a month, as long as the budget stays the same (ModelBudget.W2). */
export const subjectAlertOf = (subject: string, { name, data }: BudgetAlert): CommandMessage<unknown> =>
  commandMessage(tellSubjectBudget, null, {}, { subject, data }, subjectAlertKey(subject, { name, data }));

const subjectAlertKey = (subject: string, { name, data: { limit, cycle } }: BudgetAlert) => ({
  id: `budget_${hash('sha256', JSON.stringify([subject, name, limit, cycle.start]))}`,
  bodyHash: '',
  keptMs: toldMs,
});
