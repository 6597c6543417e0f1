/**
 * The commit point: a compare-and-set on the heads of a batch, in one bulk write.
 *
 *  - A head is replaced only if the stored seq is the preceding one, and inserted only as the first: of two writers,
 *    one wins.
 *  - A bulk write reports how many heads matched, but not which. If too few matched, or the answer was lost, the heads
 *    are read back and judged by their commit id. If it is ours, the commit took effect. If it is another commit with
 *    our seq, ours never will. If the stored seq is still the one before ours, the commit has not taken effect yet and
 *    is sent again, which is safe because only one attempt can match.
 *  - A newer head proves neither outcome. The result is then 'unknown', unless the counts in the answer leave only one
 *    possibility.
 *
 * While the server cannot be reached, this is retried for `fencePatienceMs` after the first lost answer; the result is then
 * 'unknown'.
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import { backoffMs } from '../../domain/shared/clock.js';
import { Stopwatch } from './age.js';
import { byIds, headsOf, reconnect, type MongoConnection } from './connection.js';
import type { StoredHead } from './documents.js';
import { duplicateKey, isTransient, toStoreError, unknownOutcome, writeErrors } from './failures.js';
import type { StoreError } from '../port.js';

export type Outcome = 'committed' | 'conflict' | StoreError;
type Found = Pick<StoredHead, 's' | 'c'>;

export const fencePatienceMs = 20_000;

/** What the server answered to a bulk write. */
interface Answer {
  /** Null if the answer was lost, so that nothing is known. */
  matched: number | null;
  /** Heads that were refused for any reason other than that they already exist. */
  refused: Map<StoredHead, unknown>;
  /** First heads (seq 1) that already exist. For inserts, an answer settles the outcome. */
  there: Set<StoredHead>;
  error: unknown;
}

/** Returns the outcome for each head. The heads must belong to different entities. Never rejects. */
export async function compareAndSet(
  connection: MongoConnection,
  heads: readonly StoredHead[],
): Promise<Map<StoredHead, Outcome>> {
  const outcomes = new Map<StoredHead, Outcome>();
  let left = heads;
  let trouble: Stopwatch | null = null;
  let everLost = false;
  for (let attempt = 1; left.length > 0; attempt++) {
    const answer = await send(connection, left);
    everLost ||= answer.matched === null;
    if (!everLost && complete(left, answer)) {
      for (const head of left) outcomes.set(head, answer.there.has(head) ? 'conflict' : 'committed');
      return outcomes;
    }
    trouble ??= new Stopwatch(connection.clocks);
    if (attempt > 1 || everLost) await connection.pause(backoffMs(reconnect, attempt));
    left = await decide(connection, left, answer, { everLost, trouble }, outcomes);
  }
  return outcomes;
}

/** Whether the answer alone settles the outcome of every head. */
function complete(heads: readonly StoredHead[], { matched, refused }: Answer): boolean {
  return refused.size === 0 && matched === heads.filter((h) => h.s > 1).length;
}

async function send(connection: MongoConnection, heads: readonly StoredHead[]): Promise<Answer> {
  const answer: Answer = { matched: null, refused: new Map(), there: new Set(), error: null };
  try {
    answer.matched = (await headsOf(connection).bulkWrite(heads.map(write), { ordered: false })).matchedCount;
  } catch (error) {
    const failed = writeErrors(error);
    answer.error = error;
    if (failed) answer.matched = (error as { matchedCount: number }).matchedCount;
    else if (!isTransient(error)) for (const head of heads) answer.refused.set(head, error);
    for (const { index, code, errmsg } of failed ?? []) {
      const head = heads[index];
      if (!head) continue;
      if (code === duplicateKey) answer.there.add(head);
      else answer.refused.set(head, Object.assign(new Error(errmsg ?? 'a write failed'), { code }));
    }
  }
  return answer;
}

function write(head: StoredHead): AnyBulkWriteOperation<StoredHead> {
  const { _id, w, e, s } = head;
  return s === 1
    ? { insertOne: { document: head } }
    : { replaceOne: { filter: { _id, w, e, s: s - 1 }, replacement: head } };
}

/** Returns the heads that must be sent again. */
async function decide(
  connection: MongoConnection,
  heads: readonly StoredHead[],
  answer: Answer,
  { everLost, trouble }: { everLost: boolean; trouble: Stopwatch },
  outcomes: Map<StoredHead, Outcome>,
): Promise<StoredHead[]> {
  const found = await readBack(connection, heads, trouble);
  const again: StoredHead[] = [];
  const newer: StoredHead[] = [];
  let won = 0;
  for (const head of heads) {
    if (head.s === 1 && !everLost && !answer.refused.has(head)) {
      outcomes.set(head, answer.there.has(head) ? 'conflict' : 'committed');
      continue;
    }
    const now = found?.get(head._id);
    const seq = now?.s ?? 0;
    const refusal = answer.refused.get(head);
    if (!found || (trouble.ms > fencePatienceMs && seq === head.s - 1 && !refusal))
      outcomes.set(head, unknownOutcome(connection.url, answer.error));
    else if (now?.c === head.c) {
      outcomes.set(head, 'committed');
      won++;
    } else if (seq > head.s) newer.push(head);
    else if (seq !== head.s - 1) outcomes.set(head, 'conflict');
    else if (refusal) outcomes.set(head, toStoreError(refusal, connection.url));
    else again.push(head);
  }
  // if every match is accounted for, the newer heads cannot have matched.
  const certain = !everLost && won === answer.matched;
  for (const head of newer) outcomes.set(head, certain ? 'conflict' : unknownOutcome(connection.url, answer.error));
  return again;
}

/** Returns null if the server did not answer in time. */
async function readBack(
  connection: MongoConnection,
  heads: readonly StoredHead[],
  trouble: Stopwatch,
): Promise<Map<string, Found> | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await headsOf(connection)
        .find(byIds(connection, heads), { projection: { s: 1, c: 1 } })
        .toArray();
      return new Map(found.map((h) => [h._id, h]));
    } catch (error) {
      if (!isTransient(error) || trouble.ms > fencePatienceMs) return null;
      await connection.pause(backoffMs(reconnect, attempt));
    }
  }
}
