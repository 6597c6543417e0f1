/**
 * How many messages one origin may cause, through however many agents. Whatever comes from outside (a direct message, a
 * run, an A2A message, a client's mailbox message) is an origin and gets `defaults.messageBudget`. A message that an
 * agent sends costs one unit of its run's budget, and carries a share of the rest to its reader.
 *
 *  - Budget is conserved: only origins create it. A run receives what its messages carried, each counted once, in the
 *    commit that marks the message as read. Sending a message takes from the run what the message carries, plus one
 *    for the message itself, in the commit that puts it into the outbox. So one origin has at most `messageBudget`
 *    descendants, whatever its agents do.
 *  - A run without budget sends nothing, and its reasoner is informed of that.
 */
interface Caused {
  hops: number;
  /** Omitted by what comes from outside. */
  budget?: number | undefined;
}

/** The budget of a message or a run. What an agent has sent always carries one. */
export const budgetOf = ({ hops, budget }: Caused, origin: number): number => budget ?? (hops === 0 ? origin : 0);

/**
 * The budget that each of the `children` messages of one step carries. A run that may send more in later steps keeps
 * half of its budget, but no more than a tenth of an origin's, so that both long chains and runs of many steps get far.
 */
export function childBudget(left: number, children: number, endsRun: boolean, origin: number): number {
  const kept = endsRun ? 0 : Math.min(Math.floor(left / 2), Math.floor(origin / 10));
  return children === 0 ? 0 : Math.max(0, Math.floor((left - kept - children) / children));
}
