/** Reads what memory commands need for their decision. */
import { notFound } from '../domain/shared/errors.js';
import type { StoredMemory } from '../domain/memory/stored-memory.js';
import { allOf } from '../maybe-promise.js';
import type { EntityRef, Position, Store } from '../store/port.js';

export async function memoryById(store: Store, entity: EntityRef, id: string): Promise<StoredMemory> {
  const found = await store.get(entity, 'memory', id);
  if (!found) throw notFound('memory', id);
  return found.body;
}

/** Those of the memories that are there. */
export async function memoriesById(store: Store, entity: EntityRef, ids: readonly string[]): Promise<StoredMemory[]> {
  const found = await allOf(ids.map((id) => store.get(entity, 'memory', id)));
  return found.flatMap((doc) => (doc ? [doc.body] : []));
}

/** Returns one more than the highest position of the session in this memory space, or 0 if none has one. */
export async function nextPosition(store: Store, entity: EntityRef, sessionId: string): Promise<number> {
  const { workspace } = entity;
  const query = { workspace, entity, collection: 'memory', list: 'session', by: sessionId, order: 'desc' } as const;
  let after: Position | undefined;
  do {
    const page = await store.list({ ...query, limit: after ? 100 : 5, ...(after && { after }) });
    // what was learnt in the session has no position
    for (const { body } of page.items) if (typeof body.position === 'number') return body.position + 1;
    after = page.next ?? undefined;
  } while (after);
  return 0;
}

/** The next position of each session that the memories name; `known` are those that the entity has in memory. */
export async function nextPositions(
  store: Store,
  entity: EntityRef,
  memories: readonly { sessionId?: string | undefined }[],
  known: ReadonlyMap<string, number> = new Map(),
): Promise<Record<string, number>> {
  const sessions = new Set(memories.flatMap(({ sessionId }) => sessionId ?? []));
  return Object.fromEntries(
    await Promise.all(
      [...sessions].map(async (id) => [id, known.get(id) ?? (await nextPosition(store, entity, id))] as const),
    ),
  );
}

/**
 * Returns a slice of the memories that have expired by `now`, and when to look again (`next`, ms since the epoch): at
 * once if there are more, or never (null) if nothing else expires.
 */
export async function expiredMemories(
  store: Store,
  entity: EntityRef,
  now: number,
): Promise<{ memories: StoredMemory[]; next: number | null }> {
  const page = await store.list({
    workspace: entity.workspace,
    entity,
    collection: 'memory',
    list: 'expiring',
    by: 'yes',
    order: 'asc',
    limit: 200,
  });
  const all = page.items.map((i) => i.body);
  const when = (m: StoredMemory): number => Date.parse(m.expires_at ?? '');
  const memories = all.filter((m) => when(m) <= now);
  const [later] = all.slice(memories.length);
  return { memories, next: later ? when(later) : page.next ? now : null };
}

/** Returns a slice of the memories that an agent shared with this hive. */
export async function sharedMemories(
  store: Store,
  hive: EntityRef,
  agent: string,
  limit: number,
): Promise<StoredMemory[]> {
  const page = await store.list({
    workspace: hive.workspace,
    entity: hive,
    collection: 'memory',
    list: 'sharedBy',
    by: agent,
    order: 'asc',
    limit,
  });
  return page.items.map((i) => i.body);
}
