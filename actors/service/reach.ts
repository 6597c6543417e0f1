/** What a caller reaches: everything, or only its own (src/domain/own-tasks.ts). */
import type { Caller } from '../../src/service.js';
import { type ServiceContext } from './context.js';
import { runById } from './following.js';

/** NOT_FOUND for a run that the caller does not reach. What changes the run says so of one that does not exist. */
export async function checkReach(c: ServiceContext, caller: Caller, agent: string, run: string): Promise<void> {
  if (caller.ownTasks) await runById(c, caller, agent, run);
}
