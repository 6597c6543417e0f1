/**
 * What a request that may be repeated uses, recorded in the workspace's name before anything is decided. The store keeps
 * the first claim of a key, so no actor is needed.
 */
import type { Caller } from '../domain/shared/caller.js';
import type { Store } from '../store/port.js';
import type { Clock } from '../domain/shared/clock.js';
import { deskRef } from './entities.js';
import { type IdempotencyKey, idempotencyMismatch, idempotencyRecordMs } from './idempotency.js';

interface Claims {
  store: Pick<Store, 'claim'>;
  clock: Pick<Clock, 'now'>;
}

/**
 * For a command that creates an entity or has to find one: first records the command's parameters, so that a repeat of
 * the command uses the same. The record is the workspace's, but no actor writes it (`claim` of the store).
 */
export async function reserve<T>({ store, clock }: Claims, caller: Caller, result: T): Promise<T> {
  if (!caller.idempotencyKey) return result;
  const { id, bodyHash } = caller.idempotencyKey;
  const now = clock.now();
  const record = { id, bodyHash, result, expiresAt: now + idempotencyRecordMs };
  const kept = (await store.claim(deskRef(caller), record, now)) ?? record;
  if (kept.bodyHash !== bodyHash) throw idempotencyMismatch();
  return kept.result as T;
}

/**
 * The caller's key for a command whose body names the entity that handles it: the entity claims the key in the
 * workspace's name, so that a repeat with a different body is refused even if that body names another entity
 * (Idempotency.Y3).
 */
export function claimedKey({ idempotencyKey }: Caller): IdempotencyKey | undefined {
  return idempotencyKey && { id: idempotencyKey.id, bodyHash: idempotencyKey.bodyHash, claims: idempotencyKey.id };
}
