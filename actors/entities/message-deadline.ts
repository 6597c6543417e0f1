/**
 * The time after which a request must not be decided on, because what it was made on may no longer hold: a place in a
 * quota, for example. It is a time by the monotonic clock (`elapsed`) of the process that the request is in, and of no
 * other: between processes it travels as a duration (actors/cluster/router.ts, Router.R5).
 */
export interface MessageDeadline {
  deadline?: number | undefined;
}

export const deadlineOf = (message: unknown): number => (message as MessageDeadline).deadline ?? Infinity;

/** The message with another deadline, or with none. */
export function withDeadline(message: unknown, deadline: number | undefined): unknown {
  const { deadline: before, ...rest } = message as MessageDeadline;
  if (deadline !== undefined) return { ...rest, deadline };
  return before === undefined ? message : rest;
}
