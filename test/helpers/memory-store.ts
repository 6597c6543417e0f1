/**
 * A store in memory, for tests of what stands on the port. It passes the contract suite but for durability, and can be
 * made to fail or to hold a commit back.
 */
import { fewestShards } from '../../src/store/shards.js';
import {
  collections,
  type CollectionDefinition,
  type CollectionName,
  type ListDefinition,
} from '../../src/store/collections.js';
import type { Documents as Bodies } from '../../src/domain/shared/documents.js';
import { filterOf, outlivingKinds } from '../../src/store/list-query.js';
import {
  type AnyDoc,
  type Commit,
  type IdempotencyRecord,
  type CountQuery,
  type DocKind,
  type EntityKind,
  type EntityPart,
  type EntityRef,
  entityKey,
  type DueHead,
  type Head,
  type HeadScope,
  type Listed,
  type ListQuery,
  type OpenHead,
  type Page,
  type Position,
  type Store,
  type StoredDoc,
  type Shards,
  type OutlivingKind,
} from '../../src/store/port.js';

type Body = object;
type Item = Omit<Listed, 'body'> & { body: Body };

/** A copy of plain data, several times faster than `structuredClone`. */
export function clone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clone) as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = clone(value[key]);
  return copy as T;
}

/** All documents by their keys, and those of each kind by their entities, because queries are for one kind. */
class Documents extends Map<string, StoredDoc> {
  private readonly kinds = new Map<DocKind, Map<string, Map<string, StoredDoc>>>();

  /** Documents of one kind: of one entity, or of all. */
  *ofKind(kind: DocKind, entity?: EntityRef): Iterable<StoredDoc> {
    const entities = this.kinds.get(kind);
    if (entity) yield* entities?.get(entityKey(entity))?.values() ?? [];
    else for (const documents of entities?.values() ?? []) yield* documents.values();
  }
  override set(key: string, doc: StoredDoc): this {
    let entities = this.kinds.get(doc.kind);
    if (!entities) this.kinds.set(doc.kind, (entities = new Map<string, Map<string, StoredDoc>>()));
    const owner = entityKey(doc.entity);
    let documents = entities.get(owner);
    if (!documents) entities.set(owner, (documents = new Map<string, StoredDoc>()));
    documents.set(key, doc);
    return super.set(key, doc);
  }
  override delete(key: string): boolean {
    const doc = this.get(key);
    if (doc) this.kinds.get(doc.kind)?.get(entityKey(doc.entity))?.delete(key);
    return super.delete(key);
  }
}

/** The lists that a document is in, by its body, which never changes. */
const listsOf = new WeakMap<Body, Map<ListDefinition, readonly string[]>>();

function isIn(definition: ListDefinition | undefined, by: string, body: Body): boolean {
  if (!definition?.by) return true;
  let lists = listsOf.get(body);
  if (!lists) listsOf.set(body, (lists = new Map<ListDefinition, readonly string[]>()));
  let values = lists.get(definition);
  if (!values) lists.set(definition, (values = definition.by(body)));
  return values.includes(by);
}

function compare(a: Position, b: Position): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const x = a[i];
    const y = b[i];
    if (x === y) continue;
    if (x === undefined) return -1;
    if (y === undefined) return 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

export class MemoryStore implements Store {
  readonly heads = new Map<string, Head>();
  readonly docs = new Documents();
  readonly commands = new Map<string, IdempotencyRecord>();
  readonly commits: Commit[] = [];
  /** Awaited before each commit takes effect; throw to fail it. */
  beforeCommit: (commit: Commit) => Promise<void> | void = () => undefined;

  constructor(readonly shards: Shards = fewestShards) {}

  head<K extends EntityKind>(entity: EntityRef<K>): Head<K> | null {
    return clone(this.heads.get(entityKey(entity)) ?? null) as Head<K> | null;
  }
  load<K extends EntityKind>(entity: EntityRef<K>): Head<K> | null {
    return this.head(entity);
  }
  hasEntities(workspace: string, shards: readonly number[]): boolean {
    return [...this.heads.values()].some(
      ({ entity }) => entity.workspace === workspace && shards.includes(this.shards.of(entity)),
    );
  }
  release(): void {
    /* a commit is never half done */
  }

  /** Awaited by a trial write; throw to fail it. */
  beforeTrial: () => Promise<void> | void = () => undefined;
  async trialWrite(): Promise<void> {
    await this.beforeTrial();
  }
  async commit(commit: Commit): Promise<'committed' | 'conflict'> {
    await this.beforeCommit(commit);
    const key = entityKey(commit.entity);
    if ((this.heads.get(key)?.seq ?? 0) !== commit.seq - 1) return 'conflict';
    const { puts, deletes, records, previousCounts: _, ...head } = clone(commit);
    this.heads.set(key, head);
    for (const put of puts) {
      const id = this.docKey(commit.entity, put.kind, put.id);
      if (put.isNew && this.docs.has(id)) throw new Error(`isNew is not true of ${id}`);
      this.docs.set(id, { entity: commit.entity, kind: put.kind, id: put.id, body: put.body });
    }
    for (const gone of deletes) this.docs.delete(this.docKey(commit.entity, gone.kind, gone.id));
    for (const record of records) this.commands.set(`${key}/${record.id}`, record);
    this.commits.push(commit);
    return 'committed';
  }

  record(entity: EntityRef, id: string, now: number): IdempotencyRecord | null {
    const record = this.commands.get(`${entityKey(entity)}/${id}`);
    return record && record.expiresAt > now ? clone(record) : null;
  }
  async claim(entity: EntityRef, record: IdempotencyRecord, now: number): Promise<IdempotencyRecord | null> {
    const found = this.record(entity, record.id, now);
    if (found) return found;
    this.commands.set(`${entityKey(entity)}/${record.id}`, clone(record));
    return null;
  }

  get<K extends DocKind>(entity: EntityRef, kind: K, id: string): StoredDoc<K> | null {
    return clone(this.docs.get(this.docKey(entity, kind, id)) ?? null) as StoredDoc<K> | null;
  }
  getMany<K extends DocKind>(entity: EntityRef, kind: K, ids: readonly string[]): (StoredDoc<K> | null)[] {
    return ids.map((id) => this.get(entity, kind, id));
  }
  find<K extends DocKind>(workspace: string, kind: K, id: string): StoredDoc<K> | null {
    const found = [...this.docs.ofKind(kind)].find((d) => d.entity.workspace === workspace && d.id === id);
    return clone(found ?? null) as StoredDoc<K> | null;
  }

  lookup<K extends DocKind>(kind: K, value: string): StoredDoc<K> | null {
    const { lookup }: CollectionDefinition = collections[kind];
    return clone([...this.docs.ofKind(kind)].find((d) => lookup?.(d.body) === value) ?? null) as StoredDoc<K> | null;
  }

  newest<K extends DocKind>(entity: EntityRef, kind: K, list: string, by: string): StoredDoc<K> | null {
    const query = { workspace: entity.workspace, entity, collection: kind, list, by } as CountQuery;
    const last = this.all(query)
      .sort((a, b) => compare(a.position, b.position))
      .at(-1);
    return last ? clone({ entity, kind, id: last.id, body: last.body as Bodies[K] }) : null;
  }
  async list<C extends CollectionName>(query: ListQuery<C>): Promise<Page<C>> {
    const sign = query.order === 'asc' ? 1 : -1;
    const all = this.all(query).sort((a, b) => sign * compare(a.position, b.position));
    const { after } = query;
    const rest = after ? all.filter((i) => sign * compare(i.position, after) > 0) : all;
    const items = rest.slice(query.offset ?? 0, (query.offset ?? 0) + query.limit);
    return {
      items: clone(items) as Listed<C>[],
      next: rest.length > (query.offset ?? 0) + items.length ? (items.at(-1)?.position ?? null) : null,
    };
  }

  async count(query: CountQuery, limit: number): Promise<{ count: number; exact: boolean }> {
    const { length } = this.all(query);
    return { count: Math.min(length, limit), exact: length <= limit };
  }

  async sum(workspace: string, name: string): Promise<number> {
    return (await this.sums(workspace))[name] ?? 0;
  }

  exactSum(workspace: string, name: string): Promise<number> {
    return this.sum(workspace, name);
  }

  storage(workspace: string): Promise<number> {
    return this.sum(workspace, 'bytes');
  }

  async sums(workspace: string): Promise<Record<string, number>> {
    const sums: Record<string, number> = {};
    for (const head of this.heads.values())
      if (head.entity.workspace === workspace)
        for (const [name, n] of Object.entries(head.counts)) sums[name] = (sums[name] ?? 0) + n;
    return sums;
  }

  async *activeHeads(shards?: readonly number[]): AsyncIterable<OpenHead[]> {
    yield clone(
      [...this.heads.values()].filter(
        (h) => h.active && !h.deleted && (!shards || shards.includes(this.shards.of(h.entity))),
      ),
    );
  }
  async dueHeads(now: number, limit: number, shards?: readonly number[], from = -Infinity): Promise<DueHead[]> {
    return clone(
      [...this.heads.values()]
        .flatMap(({ entity, seq, active, due }) => (due === null ? [] : [{ entity, seq, active, due }]))
        .filter((h) => h.due >= from && h.due <= now && (!shards || shards.includes(this.shards.of(h.entity))))
        .sort((a, b) => a.due - b.due)
        .slice(0, limit),
    );
  }
  async *workspaces(): AsyncIterable<Head<'workspace'>[]> {
    const found = [...this.heads.values()].filter((h) => h.entity.kind === 'workspace' && !h.deleted);
    yield clone(found) as Head<'workspace'>[];
  }

  async *allHeads({ workspace, kind, after, shards }: HeadScope = {}): AsyncIterable<Head[]> {
    const wanted = ({ entity }: Head): boolean =>
      (workspace === undefined || entity.workspace === workspace) &&
      (kind === undefined || entity.kind === kind) &&
      (shards?.includes(this.shards.of(entity)) ?? true) &&
      (after === undefined || entityKey(entity) > entityKey(after));
    yield clone(
      [...this.heads.values()].filter(wanted).sort((a, b) => (entityKey(a.entity) < entityKey(b.entity) ? -1 : 1)),
    );
  }
  async *contents(entity: EntityRef): AsyncIterable<EntityPart> {
    const head = this.head(entity);
    if (!head) return;
    const key = entityKey(entity);
    yield { type: 'head', head };
    const documents = [...this.docs.values()].filter((d) => entityKey(d.entity) === key);
    documents.sort((a, b) => (a.kind + a.id < b.kind + b.id ? -1 : 1));
    const records = [...this.commands]
      .filter(([id]) => id.startsWith(`${key}/`))
      .map(([, record]) => ({ entity, ...record }));
    yield { type: 'content', documents: clone(documents) as AnyDoc[], records: clone(records) };
    yield { type: 'end' };
  }

  async purge(entity: EntityRef, limit: number): Promise<boolean> {
    const mine = [...this.docs.keys()].filter(
      (k) =>
        k.startsWith(`${entityKey(entity)}/`) &&
        !outlivingKinds.has(k.slice(entityKey(entity).length + 1).split('/')[0]!),
    );
    for (const key of mine.slice(0, limit)) this.docs.delete(key);
    return mine.length <= limit;
  }

  async removeOutliving(entity: EntityRef, kind: OutlivingKind, ids: readonly string[]): Promise<boolean> {
    for (const id of ids) this.docs.delete(this.docKey(entity, kind, id));
    return true;
  }

  async close(): Promise<void> {
    /* nothing is open */
  }

  private docKey(entity: EntityRef, kind: DocKind, id: string): string {
    return `${entityKey(entity)}/${kind}/${id}`;
  }

  private all(query: CountQuery): Item[] {
    const { workspace, collection, list, entity, by, from, until, where, matches, aliveAt } = query;
    const definition =
      list === 'created' ? undefined : (collections[collection].lists as Record<string, ListDefinition>)[list];
    if (list !== 'created' && !definition) throw new Error(`no list ${collection}.${list}`);
    const passes = filterOf({
      ...(where && { where }),
      ...(matches && { matches }),
      ...(aliveAt !== undefined && { aliveAt }),
    });
    return this.bodies(collection, entity)
      .filter(
        (d) => d.entity.workspace === workspace && isIn(definition, by ?? '', d.body) && (passes?.(d.body) ?? true),
      )
      .map((d) => ({
        id: d.id,
        entity: d.entity,
        body: d.body,
        position: [...(definition?.sort?.(d.body) ?? []), d.id],
      }))
      .filter((i) => (!from || compare(i.position, from) >= 0) && (!until || compare(i.position, until) < 0));
  }

  private bodies(collection: CollectionName, entity?: EntityRef): { entity: EntityRef; id: string; body: Body }[] {
    if (collection === 'agent' || collection === 'hive' || collection === 'workspace')
      return [...this.heads.values()]
        .filter((h) => h.entity.kind === collection && !h.deleted)
        .filter((h) => !entity || entityKey(h.entity) === entityKey(entity))
        .map((h) => ({ entity: h.entity, id: h.entity.id, body: h.snapshot }));
    return [...this.docs.ofKind(collection, entity)];
  }
}
