/**
 * Which of an agent's runs are running, and which wait. The head of the agent says so, with what decides whose turn it
 * is, so that no run has to be read for that.
 *
 *  - Of one session at most one run is running, and of the agent at most `config.max_parallel`.
 *  RunQueue.L2 Whenever there is room, the run begins that has waited longest of those whose session is free.
 */
import type { ActiveRun, AgentSnapshot } from './snapshots.js';
import type { RunRecord } from './agent-state.js';

/** How many runs of an agent may be running, unless its settings say otherwise. */
export const defaultParallel = 8;

export const activeRun = ({ id, sessionId, triggeredBy, messageId }: RunRecord): ActiveRun =>
  triggeredBy === 'message' && messageId !== null
    ? { id, session: sessionId, message: messageId }
    : { id, session: sessionId };

type Runs = Pick<AgentSnapshot, 'running' | 'pending'>;

export const activeRuns = ({ running, pending }: Runs): readonly ActiveRun[] =>
  pending.length === 0 ? running : [...running, ...pending];

export const isBusy = ({ running, pending }: Runs): boolean => running.length > 0 || pending.length > 0;

/** The mailbox messages that triggered a pending or running run. */
export const triggersOf = (agent: Runs): readonly string[] => activeRuns(agent).flatMap(({ message }) => message ?? []);

/** The agent's runs are to be cancelled, in order: those that were pending or running when it ended (`ending`). */
export const nextToCancel = (agent: AgentSnapshot): ActiveRun | undefined => {
  const { deleting, status, ending = 0 } = agent;
  return deleting || status === 'terminated' || ending > 0 ? activeRuns(agent)[0] : undefined;
};

/** RunQueue.L2; `pending` are the runs that wait. */
export function nextToBegin(
  agent: AgentSnapshot,
  pending: readonly ActiveRun[] = agent.pending,
): ActiveRun | undefined {
  const { running, config } = agent;
  if (pending.length === 0 || running.length >= (config.max_parallel ?? defaultParallel)) return undefined;
  if (nextToCancel(agent)) return undefined;
  return pending.find(({ session }) => !running.some((run) => run.session === session));
}

/** Whether the run would begin at once if it came now. */
export const beginsAtOnce = (agent: AgentSnapshot, run: Pick<ActiveRun, 'id' | 'session'>): boolean =>
  nextToBegin(agent, [...agent.pending, run])?.id === run.id;
