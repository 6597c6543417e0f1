/** Records in the documents of keys and tokens when they were last used. */
import { iso } from '../../src/domain/clock.js';
import { notFound } from '../../src/domain/errors.js';
import type { EntityRef, Store } from '../../src/store/port.js';

/** The id of a key or token, and when it was used (ms since the epoch). */
export interface LastUse {
  id: string;
  at: number;
}

/**
 * Returns the documents of the keys or tokens with the new times. Rejects NOT_FOUND if all of them have been revoked,
 * so that no empty commit is written.
 */
export async function withLastUses(
  store: Store,
  entity: EntityRef,
  kind: 'key' | 'token',
  uses: readonly LastUse[],
): Promise<Record<string, unknown>[]> {
  const stored = await store.getMany(
    entity,
    kind,
    uses.map(({ id }) => id),
  );
  const found = stored.flatMap((doc, i) => (doc ? [{ ...doc.body, last_used_at: iso(uses[i]?.at ?? 0) }] : []));
  if (found.length === 0) throw notFound(kind, uses[0]?.id ?? '');
  return found;
}
