/**
 * Subjects: whom what an agent knows is about, or who speaks to it. One agent serves many end users, and keeps what
 * they tell it apart. A memory, a mailbox message, a turn and a run may have a subject, a name that the client gives.
 *
 *  Subjects.T1 A run sees what is of its own subject and what is of nobody in particular; a run without a subject only
 *     the latter. That holds for turns, recall, mail, tools, learning and files of tasks that it refers to.
 *  Subjects.T2 What a run makes (memories, messages, shares, forks, what is learnt from it) is of its subject, so it
 *     stays with that on any detour over other agents and hives.
 *  Subjects.T3 A run changes or forgets only what is of its very subject: what is nobody's in particular is for all,
 *     and a subject's run may read it and not end it.
 *  Subjects.T4 A session is of the subject that it was begun with. Another that names it is refused.
 *  Subjects.T5 Memories repeat and supersede only memories of their own subject.
 */
export interface Owned {
  subject?: string | null | undefined;
}

const subjectOf = ({ subject }: Owned): string | null => subject ?? null;

export const isSameSubject = (a: Owned, b: Owned): boolean => subjectOf(a) === subjectOf(b);

/** Subjects.T1. */
export const maySee = (of: Owned, what: Owned): boolean => subjectOf(what) === null || isSameSubject(of, what);

/** The subject as a field, where there is one. */
export const withSubject = ({ subject }: Owned): { subject: string } | undefined =>
  subject === undefined || subject === null ? undefined : { subject };

/** The parts of what an entity knows that are seen by this subject, or by nobody in particular. */
export function seenBy<K>({ workspace, kind, id }: Named<K>, of: Owned): (Named<K> & { subject: string | null })[] {
  const nobodys = { workspace, kind, id, subject: null };
  const subject = subjectOf(of);
  return subject === null ? [nobodys] : [{ workspace, kind, id, subject }, nobodys];
}

interface Named<K> {
  readonly workspace: string;
  readonly kind: K;
  readonly id: string;
}
