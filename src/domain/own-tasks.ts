/**
 * Tokens with `tasks: own`, which are given to peers that are not to learn of one another.
 *
 *  OwnTasks.O1 Such a token reads, lists, continues, answers and cancels only the tasks that it began; every run is a
 *     task. Any other does not exist for it.
 *  - Its conversations are its own, whatever it calls their contexts: their sessions carry its id.
 *  OwnTasks.O3 What its tasks recall leaves out what was said or remembered in any session but its own.
 */
import type { Caller } from './caller.js';
import type { RunRecord } from './records.js';

/** The session of the context that a client names. */
export const sessionFor = (token: string | undefined, context: string): string =>
  token === undefined || isSessionOf(token, context) ? context : `${token}~${context}`;

export const isSessionOf = (token: string, session: string): boolean => session.startsWith(`${token}~`);

/** The session that the caller means. */
export const sessionNamed = ({ ownTasks, credentialId }: Caller, session: string): string =>
  sessionFor(ownTasks && credentialId, session);

export const reachesSession = ({ ownTasks, credentialId }: Caller, session: string): boolean =>
  ownTasks !== true || isSessionOf(credentialId, session);

export const asBegunBy = ({ ownTasks, credentialId }: Caller): { begunBy: string } | undefined =>
  ownTasks && { begunBy: credentialId };

/** OwnTasks.O1. */
export const reaches = (
  { ownTasks, credentialId }: { ownTasks?: true; credentialId: string },
  { begunBy }: Pick<RunRecord, 'begunBy'>,
): boolean => ownTasks !== true || begunBy === credentialId;

/** Whether a run may recall what belongs to this session; null is no session (OwnTasks.O3). */
export const mayRecall = ({ begunBy }: Pick<RunRecord, 'begunBy'>, session: string | null): boolean =>
  begunBy === undefined || session === null || isSessionOf(begunBy, session);
