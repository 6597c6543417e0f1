/**
 * Facts that change: a memory ends the one that it supersedes, because it names it or has its key, and a repetition is
 * counted instead of kept a second time. Nothing is lost: what was superseded stays as history, and a client can make
 * it present again.
 *
 *  - A memory is superseded by one other at most; a second one is a conflict that names the first.
 *  - The later statement wins: of two memories, the one whose `occurred_at` is earlier ends, whichever was written
 *    first. A memory that a client names in `supersedes` ends in any case.
 *  - All memories that supersede one another, directly or not, carry the same `chain`.
 */
import type { Draft } from './draft.js';
import { conflict, notFound } from './errors.js';
import { concerns, identityOf, repeats, type Statement } from './identities.js';
import type { StoredMemory } from './stored-memory.js';

/**
 * Whether a memory says what is so now, as far as the service knows. One that was superseded does not, whatever the
 * clock says: an entity's own time may run ahead of it.
 */
export const isPresent = (m: Pick<StoredMemory, 'valid_until' | 'superseded_by'>, now: number): boolean =>
  (m.superseded_by ?? null) === null && wasSo(m, now);

/** Whether what a memory says had not ended at a time. */
export const wasSo = (m: Pick<StoredMemory, 'valid_until'>, at: number): boolean =>
  m.valid_until === undefined || m.valid_until === null || Date.parse(m.valid_until) > at;

/** What the candidates of a new statement mean for it. */
export type Earlier = { repeated: StoredMemory } | { ended: readonly StoredMemory[]; explicit: boolean };

/**
 * `candidates` are the memories of the memory space that may have the statement's text or key, and the one named in
 * `supersedes`.
 */
export function earlierOf(
  statement: Statement & { supersedes?: string | undefined; endsAlso?: readonly string[] | undefined },
  candidates: readonly StoredMemory[],
  now: number,
): Earlier {
  const { supersedes } = statement;
  if (supersedes !== undefined) {
    const named = candidates.find((m) => m.id === supersedes);
    if (!named) throw notFound('memory', supersedes);
    if (named.superseded_by)
      throw conflict(`memory ${supersedes} is superseded by ${named.superseded_by} already: supersede that one`);
    const { endsAlso = [] } = statement;
    return { ended: [named, ...candidates.filter((m) => endsAlso.includes(m.id))], explicit: true };
  }
  const present = candidates.filter((m) => isPresent(m, now));
  const repeated = present.find((m) => repeats(m, statement));
  return repeated ? { repeated } : { ended: present.filter((m) => concerns(m, statement)), explicit: false };
}

/**
 * Connects a new memory with those that it supersedes, or with the later one that supersedes it. Sets
 * fields of `memory`, which has not been written yet, and returns the memories that change.
 */
export function succeed(
  d: Draft,
  memory: StoredMemory,
  { ended, explicit }: Extract<Earlier, { ended: unknown }>,
): void {
  const said = memory.occurred_at ?? memory.created_at;
  const later = explicit ? undefined : ended.find((m) => (m.occurred_at ?? m.created_at) > said);
  const [first] = ended;
  if (!first) return;
  memory.chain = (later ?? first).chain ?? (later ?? first).id;
  if (later) {
    end(memory, later.id, later.occurred_at ?? later.created_at);
    if (!later.chain) change(d, later, { ...later, chain: memory.chain });
    return;
  }
  memory.supersedes = ended.reduce((a, b) =>
    (a.occurred_at ?? a.created_at) >= (b.occurred_at ?? b.created_at) ? a : b,
  ).id;
  for (const before of ended) {
    const over: StoredMemory = { ...before, chain: before.chain ?? memory.chain, updated_at: d.time };
    end(over, memory.id, said > d.time ? d.time : said);
    change(d, before, over);
    d.announce('memory.updated', { memory_id: before.id, ...d.owner });
  }
}

/** Marks a memory as superseded; a fact lasts until the next one is said, and not less than no time at all. */
function end(memory: StoredMemory, by: string, at: string): void {
  const from = memory.occurred_at ?? memory.created_at;
  memory.superseded_by = by;
  memory.valid_until = at > from ? at : from;
  memory.identity = null;
}

/** A repetition: the memory stays as it is, and tells how often and when it was last said. */
export function seenAgain(d: Draft, before: StoredMemory, delivery: string | undefined): StoredMemory {
  // a share that is delivered twice is one repetition
  if (delivery !== undefined && before.seenAs === delivery) return before;
  const memory: StoredMemory = {
    ...before,
    times_seen: (before.times_seen ?? 1) + 1,
    last_seen_at: d.time,
    updated_at: d.time,
    ...(delivery !== undefined && { seenAs: delivery }),
  };
  change(d, before, memory);
  d.announce('memory.updated', { memory_id: memory.id, ...d.owner });
  return memory;
}

function change(d: Draft, before: StoredMemory, after: StoredMemory): void {
  d.put('memory', after.id, after, false, before);
  d.index('memory', after);
}

/** The identity of a memory that was changed: none once it has ended (Identities.D1). */
export const identityAfter = (memory: StoredMemory): string | null =>
  memory.valid_until === undefined || memory.valid_until === null ? identityOf(memory) : null;
