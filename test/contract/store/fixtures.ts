/** What the suites commit: small entities and documents with every field that collections.ts makes lists of. */
import type { Commit, DocKind, EntityKind, EntityRef, Put, Store } from '../../../src/store/port.js';
import { iso } from '../../../src/domain/shared/clock.js';

export interface Opened {
  store: Store;
  /** Closes the store and opens it again on the same data. */
  reopen: () => Promise<Store>;
  /** A reader may see parts of a commit that was not acknowledged yet (Store.P2). */
  showsUnacknowledged?: true;
  /** Resolves when every `release` so far has had its effect. */
  released?: () => Promise<void>;
  /** Closes the store and removes its data. */
  destroy: () => Promise<void>;
}
export type OpenStore = () => Promise<Opened>;

export const start = Date.parse('2026-01-01T00:00:00.000Z');

export const entity = (id: string, kind: EntityKind = 'agent', workspace = 'ws_a'): EntityRef => ({
  workspace,
  kind,
  id,
});

export const commit = (ref: EntityRef, seq: number, more: Loose<Commit> = {}): Commit =>
  ({
    entity: ref,
    seq,
    snapshot: { id: ref.id, name: `name of ${ref.id}`, updated_at: iso(start + seq), hives: [] },
    active: false,
    due: null,
    counts: {},
    deleted: false,
    puts: [],
    deletes: [],
    records: [],
    previousCounts: {},
    ...more,
  }) as Commit;

/** Stores do not look into what they keep, so suites keep what is easy to compare. */
type Loose<C extends Commit> = Partial<Omit<C, 'snapshot'>> & { snapshot?: object };

export const put = (kind: DocKind, id: string, body: object = {}, isNew = true): Put =>
  ({ kind, id, body: { id, ...body }, isNew }) as object as Put;

export const memory = (id: string, more: Record<string, unknown> = {}, isNew = true): Put =>
  put(
    'memory',
    id,
    {
      type: 'fact',
      content: `content of ${id}`,
      sessionId: null,
      shared_by: null,
      expires_at: null,
      created_at: iso(start),
      updated_at: iso(start),
      ...more,
    },
    isNew,
  );

export const message = (id: string, at: number, read: number | null = null, isNew = true): Put =>
  put(
    'message',
    id,
    { content: `content of ${id}`, read_at: read === null ? null : iso(start + read), created_at: iso(start + at) },
    isNew,
  );

/** Commits one after the other, each of which must take effect. */
export async function committed(store: Store, ...commits: Commit[]): Promise<void> {
  for (const one of commits) {
    const outcome = await store.commit(one);
    if (outcome !== 'committed') throw new Error(`expected the commit ${one.seq} of ${one.entity.id} to take effect`);
  }
}

export async function collect<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
