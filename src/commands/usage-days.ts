/** What models were used for, day by day (docs/api.md 8.6). */
import { z } from 'zod';
import { addModelUsage } from '../domain/agent/budgets.js';
import type { UsageDays } from '../domain/model/model.js';
import { reference } from '../domain/shared/input-fields.js';
import type { StoredUsageDay } from '../domain/shared/snapshots.js';
import { dayAt } from '../domain/workspace/usage.js';
import { allOf } from '../maybe-promise.js';
import { pagesOf } from '../store/list-query.js';
import { query } from './command.js';
import { agentRef, headOf } from './entities.js';

const dayMs = 24 * 60 * 60 * 1000;
/** How many days are told where none is named, and at most. */
const usualDays = 30;
const mostDays = 366;
/** How many days of agents one request adds up, and reads at a time. */
const mostAdded = 20_000;
const atATime = 250;
const agentsListed = 20;

type Use = Omit<StoredUsageDay, 'day' | 'agent_id'>;
const plus = (a: Use | undefined, b: Use): Use => ({
  runs: (a?.runs ?? 0) + b.runs,
  failed: (a?.failed ?? 0) + b.failed,
  ...addModelUsage(a, b),
});

/** `agent_id` tells of this agent only, also once it is deleted; NOT_FOUND if there is none of which anything is known. */
export const getUsageDays = query({
  name: 'getUsageDays',
  summary: 'Get what models were used for, day by day, and by which agents.',
  scope: 'usage:read',
  result: 'UsageDays',
  target: [],
  filter: {
    from: z.iso
      .date()
      .describe('The first day, UTC. Without it, 29 days before the last; at the earliest, 365 days before that.'),
    until: z.iso.date().describe('The last day, UTC. Without it, today.'),
    agent_id: reference.describe('Only what this agent has used.'),
  },
  async run(services, { caller, input }): Promise<UsageDays> {
    const { store, clock } = services;
    const { from, until } = period(input, clock.now());
    const { workspace } = caller;
    const agent = input.agent_id === undefined ? null : agentRef(caller, input.agent_id);
    const days = new Map<string, Use>();
    const agents = new Map<string, Use>();
    let added = 0;
    const range = { from: [from], until: [`${until}~`], order: 'desc', limit: atATime } as const;
    const list = {
      workspace,
      collection: 'usageDay',
      list: 'created',
      ...(agent && { entity: agent }),
      ...range,
    } as const;
    let complete = true;
    for await (const { items, next } of pagesOf(store, list)) {
      for (const { body } of items) {
        days.set(body.day, plus(days.get(body.day), body));
        agents.set(body.agent_id, plus(agents.get(body.agent_id), body));
      }
      added += items.length;
      if (added < mostAdded || next === null) continue;
      complete = false;
      break;
    }
    if (agent && added === 0) await headOf(services, agent);
    const first = [...agents].sort(([, a], [, b]) => byCost(a, b)).slice(0, agentsListed);
    const heads = await allOf(first.map(([id]) => store.head(agentRef(caller, id))));
    return {
      from,
      until,
      days: [...days].map(([day, use]) => ({ day, ...use })).reverse(),
      by_agent: first.map(([agent_id, use], i) => ({ agent_id, name: nameIn(heads[i]), ...use })),
      complete,
    };
  },
});

const nameIn = (head: { deleted: boolean; snapshot: { name?: string } } | null | undefined): string | null =>
  head && !head.deleted ? (head.snapshot.name ?? null) : null;

const tokens = ({ inputTokens, outputTokens }: Use): number => inputTokens + outputTokens;
const byCost = (a: Use, b: Use): number => (b.cost ?? 0) - (a.cost ?? 0) || tokens(b) - tokens(a);

/** The days that are told, the first and the last: at most `mostDays` of those that are asked for, the latest. */
function period(asked: { from?: string; until?: string }, now: number): { from: string; until: string } {
  const until = asked.until ?? dayAt(now);
  const before = (days: number): string => dayAt(Date.parse(until) - (days - 1) * dayMs);
  const [usual, first] = [before(usualDays), before(mostDays)];
  const from = asked.from ?? usual;
  return { from: from < first ? first : from, until };
}
