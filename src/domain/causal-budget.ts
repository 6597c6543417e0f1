/**
 * How many messages one origin may cause, through however many agents. What comes from outside (a direct message, a
 * run, an A2A message, a mailbox message of a client) is an origin and has `defaults.messageBudget`. A message that an
 * agent sends costs one of its run's budget, and carries a share of the rest to whoever reads it.
 *
 *  CausalBudget.B1 Conserved: budget is made by origins alone. A run has what its messages carried, each taken once, in
 *     the commit that marks it as read; a send takes from the run what the message carries, and one for itself, in the
 *     commit that puts it into the outbox. So one origin has at most `messageBudget` descendants, whatever its agents
 *     do.
 *  CausalBudget.B2 A run without budget sends nothing; its reasoner is told.
 */
import { bounds } from './agent-state.js';

interface Caused {
  hops: number;
  /** Left out by versions that knew no budgets. */
  budget?: number | undefined;
}

/** What a message or a run has. One of an earlier version, which knew hops only, may still cause a chain of the hops left. */
export const budgetOf = ({ hops, budget }: Caused, origin: number): number =>
  budget ?? (hops === 0 ? origin : Math.max(0, bounds.maxHops - hops));

/**
 * What each of `children` messages of one step carries. A run that may send more in later steps keeps half of its budget,
 * but no more than a tenth of an origin's, so that long chains and runs of many steps both get far.
 */
export function childBudget(left: number, children: number, endsRun: boolean, origin: number): number {
  const kept = endsRun ? 0 : Math.min(Math.floor(left / 2), Math.floor(origin / 10));
  return children === 0 ? 0 : Math.max(0, Math.floor((left - kept - children) / children));
}
