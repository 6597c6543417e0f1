/** What a caller reaches and begins: everything, or only its own (src/domain/own-tasks.ts). */
import { isSessionOf, sessionFor } from '../../src/domain/own-tasks.js';
import type { Caller } from '../../src/service.js';
import { type ServiceContext } from './context.js';
import { runById } from './following.js';

/** NOT_FOUND for a run that the caller does not reach. What changes the run says so of one that does not exist. */
export async function checkReach(c: ServiceContext, caller: Caller, agent: string, run: string): Promise<void> {
  if (caller.ownTasks) await runById(c, caller, agent, run);
}

export const asBegunBy = ({ ownTasks, credentialId }: Caller): { begunBy: string } | undefined =>
  ownTasks && { begunBy: credentialId };

/** The session that the caller means. */
export const sessionNamed = ({ ownTasks, credentialId }: Caller, session: string): string =>
  sessionFor(ownTasks && credentialId, session);

export const reachesSession = ({ ownTasks, credentialId }: Caller, session: string): boolean =>
  ownTasks !== true || isSessionOf(credentialId, session);
