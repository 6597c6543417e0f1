/**
 * Deletes a session, or all of a subject: runs with their journals, memories, and messages of a subject. A decision
 * deletes a bounded part, and the request is repeated until nothing is left.
 *
 *  - A run that has not ended is cancelled by a decision of its own before anything of it is deleted, so that its
 *    followers are told its end.
 *  - A run is deleted together with the last part of its journal. From the first part on it says that
 *     its journal is incomplete (Retention.D2), so that it is never continued from half a history.
 */
import type { AgentDraft } from '../agent/agent-draft.js';
import type { LiveRun, RunRecord, StoredMessage } from '../agent/agent-state.js';
import { withoutSession, withoutSubject } from './conversation.js';
import { dropFiles, type FreedFile } from './conversation.js';
import type { StoredMemory } from '../memory/stored-memory.js';
import { removeMessage } from '../mailbox/mailbox.js';
import { removeMemory } from '../memory/memories.js';
import { isTerminal } from '../model/model.js';
import { noRetention, type OldEntry, removeJournals } from './retention.js';
import { adoptRun, cancelLiveRun } from './run.js';

export interface SessionPart {
  /** Runs that have not ended. If there are any, the others have to wait for the next part. */
  live: readonly LiveRun[];
  /** Runs that have ended, with the first entries of their journals; `whole` if these are all. */
  runs: readonly { run: RunRecord; entries: readonly OldEntry[]; whole: boolean }[];
  /** What only those hold that are whole. */
  files: readonly FreedFile[];
  memories: readonly StoredMemory[];
  messages: readonly StoredMessage[];
  /** Whether the session or subject has more than this. */
  more: boolean;
}

export interface SessionDeleted {
  /** Whether there was anything to delete. */
  found: boolean;
  more: boolean;
}

/** Deletes a part of a session. */
export function deleteSessionPart(
  d: AgentDraft,
  { sessionId, part }: { sessionId: string; part: SessionPart },
): SessionDeleted {
  d.sessions = withoutSession(d.sessions, sessionId);
  return deletePart(d, part);
}

/** Deletes a part of what is of a subject. */
export function deleteSubjectPart(
  d: AgentDraft,
  { subject, part }: { subject: string; part: SessionPart },
): SessionDeleted {
  d.sessions = withoutSubject(d.sessions, subject);
  return deletePart(d, part);
}

function deletePart(d: AgentDraft, part: SessionPart): SessionDeleted {
  const { live, runs, files, memories, messages } = part;
  if (live.length > 0) {
    for (const run of live) {
      const edited = adoptRun(d, run);
      if (!isTerminal(edited.record.status)) cancelLiveRun(d, edited);
    }
    return { found: true, more: true };
  }
  for (const { run, entries, whole } of runs)
    removeJournals(
      d,
      { journals: [{ run, entries, done: whole, parent: null }], next: d.agent.journals ?? noRetention },
      whole ? { heir: null, files: [] } : undefined,
    );
  dropFiles(d, files);
  for (const memory of memories) removeMemory(d, memory);
  for (const message of messages) removeMessage(d, message);
  return { found: runs.length > 0 || memories.length > 0 || messages.length > 0, more: part.more };
}
