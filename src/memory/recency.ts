/**
 * Determines which of two documents is newer from their ids alone (domain/ids.ts: prefix, time, random characters). An
 * index built from the store therefore has the same order as one that received the writes, and memories and messages
 * are ordered together by time.
 */
import { startOfId } from '../domain/ids.js';

/** The time in an id, in milliseconds; 0 for an id of another format. */
export const timeOf = (id: string): number => Math.floor(startOfId(id) / 1024);

/** Positive if document `a` is newer than `b`, negative if it is older, and 0 only for equal ids. */
export function compareAge(a: string, b: string): number {
  const [ofA, ofB] = [a.slice(a.indexOf('_') + 1), b.slice(b.indexOf('_') + 1)];
  return ofA === ofB ? compare(a, b) : compare(ofA, ofB);
}

const compare = (a: string, b: string): number => (a > b ? 1 : a < b ? -1 : 0);
