/** As much of a store as admin.ts needs, in maps: commits with compare-and-set, keys, workspaces. What else is asked of it throws. */
import type { Commit, EntityRef, Head, ListQuery, Page, Store, StoredDoc } from '../../../src/store/port.js';
import { entityKey } from '../../../src/store/port.js';

export interface MapStore extends Store {
  heads: Map<string, Head>;
  documents: Map<string, StoredDoc>;
  /** Called before each commit: lets a test write in between. */
  beforeCommit: ((commit: Commit) => void | Promise<void>) | null;
}

export function mapStore(): MapStore {
  const heads = new Map<string, Head>(), documents = new Map<string, StoredDoc>();
  const documentKey = (entity: EntityRef, kind: string, id: string): string => `${entityKey(entity)}/${kind}/${id}`;

  async function commit(c: Commit): Promise<'committed' | 'conflict'> {
    await store.beforeCommit?.(c);
    if ((heads.get(entityKey(c.entity))?.seq ?? 0) !== c.seq - 1) return 'conflict';
    const { puts, deletes, commands: _commands, previousCounts: _previous, ...head } = c;
    heads.set(entityKey(c.entity), structuredClone(head));
    for (const d of deletes) documents.delete(documentKey(c.entity, d.kind, d.id));
    for (const p of puts) documents.set(documentKey(c.entity, p.kind, p.id), structuredClone({ entity: c.entity, kind: p.kind, id: p.id, body: p.body }));
    return 'committed';
  }

  async function list(query: ListQuery): Promise<Page> {
    const all = [...documents.values()].filter((d) => query.entity && d.kind === query.collection && entityKey(d.entity) === entityKey(query.entity));
    const rest = all.sort((a, b) => (a.id < b.id ? -1 : 1)).filter((d) => query.after === undefined || d.id > String(query.after[0]));
    const items = rest.slice(0, query.limit).map((d) => ({ id: d.id, entity: d.entity, body: d.body, position: [d.id] }));
    return { items, next: rest.length > items.length ? items.at(-1)?.position ?? null : null };
  }

  const refuse = (): never => { throw new Error('admin.ts has no business here'); };
  const store: MapStore = {
    heads, documents, beforeCommit: null, commit, list,
    head: (entity) => structuredClone(heads.get(entityKey(entity)) ?? null),
    get: (entity, kind, id) => documents.get(documentKey(entity, kind, id)) ?? null,
    lookup: (kind, value) => [...documents.values()].find((d) => d.kind === kind && d.body['hash'] === value) ?? null,
    async* workspaces() { yield [...heads.values()].filter((h) => h.entity.kind === 'workspace' && !h.deleted); },
    close: async () => undefined,
    command: refuse, getMany: refuse, find: refuse, count: refuse, sum: refuse, activeHeads: refuse, dueHeads: refuse, purge: refuse,
  };
  return store;
}
