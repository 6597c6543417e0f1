/**
 * Finds the memories of an entity that a new statement may repeat or supersede (src/domain/superseding.ts).
 *
 *  PresentMemories.F1 A lookup sees every memory that was decided on before it, committed or not, as it is after those
 *     decisions: what is not committed yet is kept here, and looked at before the store is read.
 *  PresentMemories.F2 A text is compared with those of the memories written last: the `window` of this activation,
 *     which begins with the newest of the store. An index of all texts would cost every write a fifth more.
 *
 * Failure: a lookup fails if the store cannot be read; a request that needed it is refused and changes nothing,
 * and a step waits (Outage.W1).
 */
import type { DocumentPut } from '../../src/domain/change.js';
import type { Decision } from '../../src/domain/draft.js';
import { identitiesAround, type Statement, textHash } from '../../src/domain/identities.js';
import type { StoredMemory } from '../../src/domain/stored-memory.js';
import type { Surroundings } from '../../src/domain/memories.js';
import { allSync, caughtSync, type MaybePromise, thenSync } from '../../src/maybe-promise.js';
import type { EntityRef, Store } from '../../src/store/port.js';

type Changes = Pick<Decision<unknown>, 'puts' | 'deletes'>;
const memoryOf = ({ body }: DocumentPut): StoredMemory => body as unknown as StoredMemory;

const window = 256;
const windowBytes = 256 * 1024;

export class PresentMemories {
  /** Memories whose change is not committed yet; null for deleted ones. */
  private readonly changed = new Map<string, StoredMemory | null>();
  /** Which of them has an identity. */
  private readonly holders = new Map<string, string>();
  /** Ids of the memories written last, by the hash of their text; null until a lookup needs it. */
  private texts: Map<number | string, string> | null = null;

  constructor(
    private readonly store: Pick<Store, 'newest' | 'get' | 'list'>,
    private readonly entity: EntityRef,
  ) {}

  /** Call this for each decision, before the next lookup. */
  decided({ puts, deletes }: Changes): void {
    for (const put of puts) {
      if (put.kind !== 'memory') continue;
      const memory = memoryOf(put);
      this.changed.set(put.id, memory);
      for (const identity of memory.identity ?? []) this.holders.set(identity, put.id);
      if (this.texts) note(this.texts, memory);
    }
    for (const { kind, id } of deletes) if (kind === 'memory') this.changed.set(id, null);
  }

  /** Call this when the decision can be read from the store. */
  committed({ puts, deletes }: Changes): void {
    for (const put of puts) {
      if (put.kind !== 'memory' || this.changed.get(put.id) !== memoryOf(put)) continue;
      this.changed.delete(put.id);
      for (const identity of memoryOf(put).identity ?? [])
        if (this.holders.get(identity) === put.id) this.holders.delete(identity);
    }
    for (const { kind, id } of deletes) if (kind === 'memory' && this.changed.get(id) === null) this.changed.delete(id);
  }

  /**
   * The identities of a new statement, and the memories that it may repeat or supersede. `empty`: the entity has no
   * memory yet.
   */
  around(statement: Statement & { supersedes?: string | undefined }, empty: boolean): MaybePromise<Surroundings> {
    const { supersedes } = statement;
    const { own: identity, earlier } = identitiesAround(statement);
    if (supersedes !== undefined)
      return thenSync(this.byId(supersedes), (named) => ({ identity, candidates: named ? [named] : [] }));
    const text = textHash(statement);
    const twin = text === null ? null : thenSync(this.recent(empty), (texts) => this.withText(texts.get(text)));
    if (twin === null && earlier.length === 0) return { identity };
    return thenSync(allSync([twin, ...earlier.map((each) => caughtSync(() => this.holder(each)))]), (found) => {
      const candidates = new Map<string, StoredMemory>();
      for (const memory of found) if (memory) candidates.set(memory.id, memory);
      return candidates.size === 0 ? { identity } : { identity, candidates: [...candidates.values()] };
    });
  }

  byId(id: string): MaybePromise<StoredMemory | null> {
    const changed = this.changed.get(id);
    if (changed !== undefined) return changed;
    return thenSync(this.store.get(this.entity, 'memory', id), (doc) =>
      doc ? (doc.body as unknown as StoredMemory) : null,
    );
  }

  private readonly withText = (id: string | undefined): MaybePromise<StoredMemory | null> =>
    id === undefined ? null : this.byId(id);

  /** PresentMemories.F2: what was decided since this activation began is newer than anything that the store lists. */
  private recent(empty: boolean): MaybePromise<ReadonlyMap<number | string, string>> {
    if (this.texts) return this.texts;
    if (empty) return (this.texts = new Map());
    const { workspace } = this.entity;
    const query = { workspace, entity: this.entity, collection: 'memory', list: 'created', order: 'desc' } as const;
    return this.store.list({ ...query, limit: window, maxBytes: windowBytes }).then(({ items }) => {
      const texts = new Map<number | string, string>();
      for (const { body } of items.reverse()) note(texts, body as unknown as StoredMemory);
      for (const memory of this.changed.values()) if (memory) note(texts, memory);
      return (this.texts = texts);
    });
  }

  private holder(identity: string): MaybePromise<StoredMemory | null> {
    const holder = this.holders.get(identity);
    if (holder !== undefined) return this.holding(this.changed.get(holder) ?? null, identity);
    return thenSync(this.store.newest(this.entity, 'memory', 'identity', identity), (doc) => {
      if (!doc) return null;
      const changed = this.changed.get(doc.id);
      return this.holding(changed === undefined ? (doc.body as unknown as StoredMemory) : changed, identity);
    });
  }

  private holding(memory: StoredMemory | null, identity: string): StoredMemory | null {
    return memory?.identity?.includes(identity) ? memory : null;
  }
}

/** Remembers the text of a memory, and forgets the oldest one beyond the window. */
function note(texts: Map<number | string, string>, memory: StoredMemory): void {
  const text = textHash(memory);
  if (text === null || memory.superseded_by) return;
  texts.delete(text);
  texts.set(text, memory.id);
  if (texts.size > window) texts.delete(texts.keys().next().value ?? text);
}
