/**
 * Finds the memories of an entity that a new one may repeat or supersede (src/domain/memory/memories.ts).
 *
 *  - A lookup sees every memory that was decided on before it, committed or not, as it is after those decisions: what
 *    is not committed yet is kept here, and looked at before the store is read.
 *  - A text is compared with those of all memories of the entity. The first lookup reads them from the store, unless
 *    they are known from an earlier activation (KeptTexts.T1) or by the index, for which a lookup in a large entity
 *    waits if that is being built or can be restored.
 *
 * Failure: a lookup fails if the store cannot be read; a request that needed it is refused and changes nothing,
 * and a step waits (Outage.W1).
 */
import type { Decision, DocumentPutOf } from '../../src/domain/shared/draft.js';
import { type Statement, TextTable, identityOf, textHash } from '../../src/domain/memory/identities.js';
import type { StoredMemory } from '../../src/domain/memory/stored-memory.js';
import type { Surroundings } from '../../src/domain/memory/memories.js';
import { allOf, finish, wait, type Waiting } from '../../src/maybe-promise.js';
import { itemsOf } from '../../src/store/list-query.js';
import type { EntityRef } from '../../src/store/port.js';
import type { LocalDeps } from './local-deps.js';
import type { EntityWriter } from './entity-writer.js';

type Changes = Pick<Decision<unknown>, 'puts' | 'deletes'>;
const memoryOf = ({ body }: DocumentPutOf<'memory'>): StoredMemory => body;

const page = 500;
const pageBytes = 1024 * 1024;
/** So many deleted memories may be in the table of texts before it is built anew, and as many as are not deleted. */
const mostDeleted = 1000;
const mostNewest = 256;
/** No more memories than these have ids that begin alike and texts of one hash. */
const mostAlike = 8;
/** The texts of fewer memories are read with a page or two. */
const fewestRestored = 1000;

type Memories = readonly (StoredMemory | null)[];
const nobody: Memories = [];
const noSurroundings: Surroundings = {};

/** What it needs of the shell of an entity. */
interface Of {
  deps: Pick<LocalDeps, 'store' | 'keptTexts' | 'recall'>;
  entity: EntityRef;
  writer: Pick<EntityWriter<never>, 'seq' | 'quiet' | 'broken'>;
}

export class PresentMemories {
  /** Memories whose change is not committed yet; null for deleted ones. */
  private readonly changed = new Map<string, StoredMemory | null>();
  /** Which of them has a key, by its hash. */
  private readonly holders = new Map<string, string>();
  /** Ids by the hash of the text: of all that are not committed yet, and of others that were written last. */
  private readonly newest = new Map<number, string>();
  /** The texts of all memories; null until a lookup needs it. */
  private texts: TextTable | null = null;
  /** Resolves when all texts are in the table; null if they are, or there is no table. */
  private reading: Promise<void> | null = null;
  private tookTexts = false;
  /** Resolves when the texts have come with the index, if they do; undefined before that was asked. */
  private restoring: Promise<void> | null | undefined = undefined;
  private deleted = 0;

  constructor(private readonly of: Of) {}

  /** Call this for each decision, before the next lookup. */
  decided({ puts, deletes }: Changes): void {
    this.takeTexts();
    for (const put of puts) {
      if (put.kind !== 'memory') continue;
      const memory = memoryOf(put);
      this.changed.set(put.id, memory);
      if (memory.identity) this.holders.set(memory.identity, put.id);
      const text = memory.superseded_by ? null : textHash(memory);
      if (text === null) continue;
      this.newest.delete(text);
      this.newest.set(text, put.id);
      this.texts?.add(text, put.id);
    }
    for (const [text, id] of this.newest) {
      if (this.newest.size <= mostNewest || this.changed.has(id)) break;
      this.newest.delete(text);
    }
    for (const { kind, id } of deletes)
      if (kind === 'memory') {
        this.changed.set(id, null);
        this.deleted++;
      }
    if (this.texts && !this.reading && this.deleted > mostDeleted && this.deleted > this.texts.size / 2)
      this.texts = null;
  }

  /** Call this when the decision can be read from the store. */
  committed({ puts, deletes }: Changes): void {
    for (const put of puts) {
      if (put.kind !== 'memory' || this.changed.get(put.id) !== memoryOf(put)) continue;
      this.changed.delete(put.id);
      const { identity } = memoryOf(put);
      if (identity && this.holders.get(identity) === put.id) this.holders.delete(identity);
    }
    for (const { kind, id } of deletes) if (kind === 'memory' && this.changed.get(id) === null) this.changed.delete(id);
  }

  /** Call this when the activation ends. */
  ended(): void {
    const { deps, entity, writer } = this.of;
    if (this.texts && !this.reading && writer.quiet && !writer.broken)
      deps.keptTexts.keep(entity, writer.seq, this.texts);
  }

  /** The memories that a new one may repeat or supersede. `memories`: how many the entity has, about. */
  *around(statement: Statement & { supersedes?: string | undefined }, memories: number): Waiting<Surroundings> {
    const { supersedes } = statement;
    if (supersedes !== undefined) {
      const named = yield* this.byId(supersedes);
      return named ? { candidates: [named] } : noSurroundings;
    }
    const text = textHash(statement);
    const twins = text === null ? nobody : finish(this.withText(text, memories));
    const key = identityOf(statement);
    if (twins === nobody && key === null) return noSurroundings;
    const holder = key === null ? nobody : finish(this.holder(key));
    const candidates = new Map<string, StoredMemory>();
    for (const memory of (yield* wait(allOf([twins, holder]))).flat()) if (memory) candidates.set(memory.id, memory);
    return candidates.size === 0 ? noSurroundings : { candidates: [...candidates.values()] };
  }

  *byId(id: string): Waiting<StoredMemory | null> {
    const changed = this.changed.get(id);
    if (changed !== undefined) return changed;
    const doc = yield* wait(this.of.deps.store.get(this.of.entity, 'memory', id));
    return doc ? doc.body : null;
  }

  /** The memories that may have this text. */
  private *withText(text: number, memories: number): Waiting<Memories> {
    const texts = yield* wait(this.allTexts(memories));
    const known = this.newest.get(text);
    const all = texts.find(text);
    if (known === undefined && all.length === 0) return nobody;
    const newest = known === undefined ? null : yield* this.byId(known);
    const others = all.filter((start) => !known?.startsWith(start));
    return [newest, ...(yield* wait(allOf(others.map((start) => this.alike(start))))).flat()];
  }

  /** The memories whose ids begin like this. */
  private async alike(start: string): Promise<(StoredMemory | null)[]> {
    const { deps, entity } = this.of;
    const { items } = await deps.store.list({
      workspace: entity.workspace,
      entity,
      collection: 'memory',
      list: 'created',
      order: 'desc',
      from: [start],
      until: [`${start}~`],
      limit: mostAlike,
    });
    return items.map(({ id, body }) => {
      const changed = this.changed.get(id);
      return changed === undefined ? body : changed;
    });
  }

  private allTexts(memories: number): TextTable | Promise<TextTable> {
    this.takeTexts();
    const known = this.texts;
    if (known) return this.reading ? this.reading.then(() => known) : known;
    const { deps, entity, writer } = this.of;
    const indexed = deps.recall.texts(entity);
    if (indexed) {
      this.deleted = 0;
      for (const memory of this.changed.values()) if (memory) note(indexed, memory);
      return (this.texts = indexed);
    }
    if (memories >= fewestRestored && this.restoring === undefined)
      this.restoring =
        deps.recall.restoring(entity, writer.seq)?.then(() => {
          this.restoring = null;
        }) ?? null;
    if (this.restoring) return this.restoring.then(() => this.allTexts(memories));
    const texts = (this.texts = new TextTable());
    this.deleted = 0;
    // what is decided from now on is added by `decided`
    for (const memory of this.changed.values()) if (memory) note(texts, memory);
    if (memories === 0) return texts;
    this.reading = this.readInto(texts).then(
      () => {
        this.reading = null;
        deps.recall.giveTexts(entity, texts);
      },
      (error: unknown) => {
        this.texts = this.reading = null;
        throw error;
      },
    );
    return this.reading.then(() => texts);
  }

  private async readInto(texts: TextTable): Promise<void> {
    const { deps, entity } = this.of;
    for await (const { body } of itemsOf(deps.store, {
      workspace: entity.workspace,
      entity,
      collection: 'memory',
      list: 'created',
      order: 'asc',
      limit: page,
      maxBytes: pageBytes,
    }))
      note(texts, body);
  }

  /** Only before the first decision of this activation is the store's last commit the one that it was loaded with. */
  private takeTexts(): void {
    if (this.tookTexts) return;
    this.tookTexts = true;
    const { deps, entity, writer } = this.of;
    this.texts = deps.keptTexts.take(entity, writer.seq);
  }

  private *holder(identity: string): Waiting<Memories> {
    const holder = this.holders.get(identity);
    if (holder !== undefined) return [this.holding(this.changed.get(holder) ?? null, identity)];
    const doc = yield* wait(this.of.deps.store.newest(this.of.entity, 'memory', 'identity', identity));
    if (!doc) return nobody;
    const changed = this.changed.get(doc.id);
    return [this.holding(changed === undefined ? doc.body : changed, identity)];
  }

  private holding(memory: StoredMemory | null, identity: string): StoredMemory | null {
    return memory?.identity === identity ? memory : null;
  }
}

function note(texts: TextTable, memory: StoredMemory): void {
  const text = memory.superseded_by ? null : textHash(memory);
  if (text !== null) texts.add(text, memory.id);
}
