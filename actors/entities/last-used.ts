/** When keys and tokens were last used, put onto their documents. */
import { iso } from '../../src/domain/clock.js';
import { notFound } from '../../src/domain/errors.js';
import type { EntityRef, Store } from '../../src/store/port.js';

/** A key or token, and when it was used (ms). */
export interface LastUse {
  id: string;
  at: number;
}

/** Their documents with the new times. NOT_FOUND when all of them were revoked meanwhile, so that nothing is written for nothing. */
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
