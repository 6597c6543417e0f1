/** Idempotency records as text, for both stores. */
import type { IdempotencyRecord } from './port.js';

export const recordText = ({ bodyHash, expiresAt, result }: IdempotencyRecord): string =>
  JSON.stringify([bodyHash, expiresAt, result ?? null]);

export function readRecord(id: string, text: string): IdempotencyRecord {
  const [bodyHash, expiresAt, result] = JSON.parse(text) as [string, number, unknown];
  return { id, bodyHash, expiresAt, result };
}

/** The record, unless it has expired. */
export const unexpired = (record: IdempotencyRecord, now: number): IdempotencyRecord | null =>
  record.expiresAt > now ? record : null;
