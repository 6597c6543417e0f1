/**
 * Determines which of two documents is newer from their ids alone (domain/ids.ts: prefix, 10 characters of time, random
 * characters). An index built from the store therefore has the same order as one that received the writes, and memories
 * and messages are ordered together by time.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digits = new Int8Array(128).fill(-1);
for (let i = 0; i < alphabet.length; i++) digits[alphabet.charCodeAt(i)] = i;

/** The time in an id, in milliseconds; 0 for an id of another format. */
export function timeOf(id: string): number {
  const start = id.indexOf('_') + 1;
  if (id.length < start + 10) return 0;
  let time = 0;
  for (let i = start; i < start + 10; i++) {
    const digit = digits[id.charCodeAt(i)] ?? -1;
    if (digit < 0) return 0;
    time = time * 32 + digit;
  }
  return time;
}

/**
 * Positive if document `a` is newer than `b`, negative if it is older, and 0 only for equal ids. The times are those
 * that `timeOf` returns.
 */
export function compareAge(timeA: number, idA: string, timeB: number, idB: string): number {
  if (timeA !== timeB) return timeA - timeB;
  if (idA === idB) return 0;
  const tailA = idA.slice(idA.indexOf('_') + 1);
  const tailB = idB.slice(idB.indexOf('_') + 1);
  if (tailA !== tailB) return tailA > tailB ? 1 : -1;
  return idA > idB ? 1 : -1;
}
