/**
 * A database that all simulated processes share, with the promises of the store port (src/store/port.ts) and no more
 * than these: the weaknesses of the MongoDB adapter are all here, and happen far more often than they do in production.
 *
 *  - A commit is decided by the compare-and-set on its entity's head. Its documents are applied afterwards, one after
 *    the other in an order that the seed decides, documents of runs last, so readers see half of it until it is
 *    acknowledged (Store.P2).
 *  - A process that dies or is cut off in between leaves the rest to whoever loads the entity next. Its own late writes
 *    are refused by sequence number.
 *  - The answer of a commit may be lost after it took effect: the outcome is then unknown to the process.
 *  - Other calls fail now and then because a connection breaks, and the next ones do not.
 *  - Calls take time. While the database is down, or the process does not reach it, they fail after a while.
 *  - A new primary judges commits by the newest data while it shows reads an earlier state. The adapter waits until that
 *    is over; a database that does not (`waits` false) is there to show what goes wrong then.
 *  - A process may be cut off together with a primary that was replaced. Until it hears of the successor it reads what
 *    was acknowledged before, and no write of its own is acknowledged (docs/cluster.md).
 */
import type { CollectionName } from '../../src/store/collections.js';
import {
  entityKey,
  StoreError,
  type Commit,
  type IdempotencyRecord,
  type CountQuery,
  type DocKind,
  type EntityKind,
  type EntityPart,
  type EntityRef,
  type DueHead,
  type Head,
  type HeadScope,
  type KeptImages,
  recalledKinds,
  type ChangedDoc,
  type LoadedHead,
  type ListQuery,
  type OpenHead,
  type Page,
  type Put,
  type Store,
  type StoredDoc,
  type Shards,
  type OutlivingKind,
} from '../../src/store/port.js';
import { clone, MemoryStore } from '../helpers/memory-store.js';
import type { Kernel, SimulatedProcess } from './kernel.js';

/** What a commit still has to do to its documents. */
type Change = { key: string; seq: number; change: Put | { kind: DocKind; id: string } | null; apply(): void };

/** What the primary shows to a process. */
interface View {
  readonly content: MemoryStore;
  /** The changes of an entity's last commit, until its writer releases them. */
  readonly unapplied: Map<string, Change[]>;
  /** Entities whose last commit is applied in part. */
  readonly halfApplied: readonly string[];
}

/** How many of the applies take long, so that readers come in between. */
const slowApplies = 0.03;
const maxCommitBytes = 16 * 1024 * 1024;

export class Database {
  readonly content: MemoryStore;
  down = false;
  /** How many of 1,000 commits lose their answer, and of 1,000 calls find a broken connection. */
  lostAnswers = 5;
  epoch = 0;
  commits = 0;
  /** The changes of an entity's last commit, until its writer releases them. */
  readonly unapplied = new Map<string, Change[]>();
  /** The commit that wrote or removed a document last. */
  private readonly writtenBy = new Map<string, number>();
  /** Images of indexes, and up to which commit there is none. */
  private readonly images = new Map<string, { seq: number; chunks: readonly Uint8Array[] | null }>();
  /** What was seen going wrong in the history of an entity. */
  readonly problems: string[] = [];
  /** The processes that have not heard of the present primary, with what its predecessor shows them. */
  private readonly behind = new Map<SimulatedProcess, View>();
  private caughtUpAt = -Infinity;
  /** What a new primary shows until it has caught up. */
  lagging: View | null = null;
  waits = true;

  constructor(
    private readonly kernel: Kernel,
    shards: Shards,
  ) {
    this.content = new MemoryStore(shards);
  }

  /** The primary is replaced, and this process does not hear of it. */
  cutOff(process: SimulatedProcess): void {
    this.behind.set(process, this.copy());
  }

  /** Reads show the present from now on, whatever is committed, until the primary has caught up. */
  lag(): void {
    this.lagging = this.copy();
  }
  catchUp(): void {
    this.lagging = null;
  }

  private copy(): View {
    const content = new MemoryStore(this.content.shards);
    for (const [key, head] of this.content.heads) content.heads.set(key, head);
    for (const [key, doc] of this.content.docs) content.docs.set(key, doc);
    for (const [key, record] of this.content.commands) content.commands.set(key, record);
    return { content, unapplied: new Map(this.unapplied), halfApplied: this.halfApplied };
  }

  /** The process hears of the primary. It never goes back to an earlier one. */
  hearsOfPrimary(process: SimulatedProcess): void {
    if (this.behind.delete(process)) this.caughtUpAt = this.kernel.time;
  }

  view(process: SimulatedProcess): View {
    return this.behind.get(process) ?? (this.waits ? this : (this.lagging ?? this));
  }

  isBehind(process: SimulatedProcess): boolean {
    return this.behind.has(process);
  }

  /** Whether some process may have read from an earlier primary since then. */
  showedThePast(since: number): boolean {
    return this.caughtUpAt >= since || [...this.behind.keys()].some((process) => !process.over);
  }

  storeFor(process: SimulatedProcess): Store & { images: KeptImages } {
    return new SimulatedStore(this.kernel, this, process);
  }

  /** The compare-and-set. Null: a conflict. Otherwise what is left to apply. */
  decide(commit: Commit): Change[] | null {
    const key = entityKey(commit.entity);
    const { content } = this;
    if ((content.heads.get(key)?.seq ?? 0) !== commit.seq - 1) return null;
    const { puts, deletes, records, previousCounts: _, ...head } = clone(commit);
    const lost = (this.unapplied.get(key) ?? []).filter((change) => (this.writtenBy.get(change.key) ?? 0) < change.seq);
    // the port: whoever commits has loaded the head first, which finishes the commit before, or has written it
    if (lost.length > 0) this.problems.push(`${key}: commit ${commit.seq} replaced one that was applied in part`);
    content.heads.set(key, head);
    this.commits++;
    const changes: Change[] = [
      ...puts.map((put) => {
        const doc: StoredDoc = { entity: commit.entity, kind: put.kind, id: put.id, body: put.body };
        return this.change(`${key}/${put.kind}/${put.id}`, commit.seq, put, (at) => content.docs.set(at, doc));
      }),
      ...deletes.map((gone) =>
        this.change(`${key}/${gone.kind}/${gone.id}`, commit.seq, gone, (at) => content.docs.delete(at)),
      ),
      ...records.map((record) =>
        this.change(`${key}/command/${record.id}`, commit.seq, null, () =>
          content.commands.set(`${key}/${record.id}`, record),
        ),
      ),
    ];
    for (let i = changes.length - 1; i > 0; i--) {
      const j = this.kernel.random.between(0, i + 1);
      [changes[i], changes[j]] = [changes[j] as Change, changes[i] as Change];
    }
    changes.sort((a, b) => Number(a.key.startsWith(`${key}/run/`)) - Number(b.key.startsWith(`${key}/run/`)));
    this.unapplied.set(key, changes);
    return changes;
  }

  /** Applies what an entity's last commit has left; doing it twice changes nothing. */
  finish(key: string): void {
    for (const change of this.unapplied.get(key) ?? []) this.applyOne(change);
  }

  applyOne({ key, seq, apply }: Change): void {
    if ((this.writtenBy.get(key) ?? 0) > seq) return;
    this.writtenBy.set(key, seq);
    apply();
  }

  /**
   * Entities whose last commit is applied in part: its writer has lost its answer, and nobody has loaded them since.
   */
  get halfApplied(): string[] {
    return [...this.unapplied].flatMap(([key, changes]) =>
      changes.some((change) => (this.writtenBy.get(change.key) ?? 0) < change.seq) ? [key] : [],
    );
  }

  lastChanges(key: string, { unapplied }: View): LoadedHead['lastChanges'] {
    const changes = unapplied.get(key)?.flatMap(({ change }) => change ?? []);
    if (!changes) return undefined;
    return {
      puts: changes.filter((change): change is Put => 'body' in change),
      deletes: changes.filter((change) => !('body' in change)),
    };
  }

  /** Everything of an entity goes, and no late write brings any of it back. */
  forget(key: string): void {
    const seq = this.content.heads.get(key)?.seq ?? 0;
    for (const doc of this.content.docs.keys()) if (doc.startsWith(`${key}/`)) this.writtenBy.set(doc, seq);
  }

  /** As the adapter: nothing takes the place of what is later. */
  raiseImage(key: string, upTo: number, image: { seq: number; chunks: readonly Uint8Array[] | null }): boolean {
    if ((this.images.get(key)?.seq ?? 0) > upTo) return false;
    this.images.set(key, image);
    return true;
  }

  image(key: string): { seq: number; chunks: readonly Uint8Array[] } | null {
    const { seq = 0, chunks = null } = this.images.get(key) ?? {};
    return chunks && { seq, chunks };
  }

  changesSince(key: string, since: number): ChangedDoc[] {
    return [...this.writtenBy].flatMap(([at, seq]) => {
      const [kind, id] = seq > since && at.startsWith(`${key}/`) ? at.slice(key.length + 1).split('/') : [];
      const recalled = recalledKinds.find((one) => one === kind);
      return recalled && id
        ? [{ kind: recalled, id, body: clone(this.content.docs.get(at)?.body ?? null) } as ChangedDoc]
        : [];
    });
  }

  private change(key: string, seq: number, change: Change['change'], apply: (key: string) => unknown): Change {
    return { key, seq, change, apply: () => void apply(key) };
  }
}

class SimulatedStore implements Store {
  readonly shards: Shards;

  constructor(
    private readonly kernel: Kernel,
    private readonly db: Database,
    private readonly process: SimulatedProcess,
  ) {
    this.shards = db.content.shards;
  }

  readonly images: KeptImages = {
    prepare: () => Promise.resolve(),
    keep: (entity, seq, chunks) => this.write(() => this.db.raiseImage(entityKey(entity), seq - 1, { seq, chunks })),
    kept: async (entity) => {
      const key = entityKey(entity);
      const found = await this.call(() => this.db.image(key));
      if (!found) return null;
      const { seq, chunks } = found;
      const { db } = this;
      const read = (): Promise<ChangedDoc[]> => this.call(() => db.changesSince(key, seq));
      return {
        seq,
        chunks: (async function* () {
          yield* chunks;
        })(),
        changes: () =>
          (async function* () {
            yield await read();
          })(),
      };
    },
    discard: (entity, { seq }) =>
      this.write(() => void this.db.raiseImage(entityKey(entity), seq, { seq, chunks: null })),
  };

  head<K extends EntityKind>(entity: EntityRef<K>): Promise<Head<K> | null> {
    return this.call(() => this.seen.head(entity));
  }
  async load<K extends EntityKind>(entity: EntityRef<K>): Promise<LoadedHead<K> | null> {
    const key = entityKey(entity);
    const found = await this.call(() => {
      const view = this.db.view(this.process);
      if (view === this.db) this.db.finish(key);
      else if (view.halfApplied.includes(key)) return 'to be finished';
      const lastChanges = this.db.lastChanges(key, view);
      const head = view.content.head(entity);
      return head && { ...head, ...(lastChanges && { lastChanges }) };
    });
    if (found !== 'to be finished') return found;
    await this.write(() => undefined);
    return this.load(entity);
  }
  release(entity: EntityRef, seq: number): void {
    this.write(() => {
      if (this.db.content.heads.get(entityKey(entity))?.seq === seq) this.db.unapplied.delete(entityKey(entity));
    }).catch(() => undefined); // a hint
  }

  trialWrite(): Promise<void> {
    return this.write(() => undefined);
  }

  async commit(commit: Commit): Promise<'committed' | 'conflict'> {
    if (Buffer.byteLength(JSON.stringify(commit)) > maxCommitBytes)
      throw new StoreError('refused', 'a commit of more than 16 MiB was refused');
    const isRecalled = ({ kind }: { kind: DocKind }): boolean => recalledKinds.some((one) => one === kind);
    if (commit.puts.some(({ rewrites }) => rewrites) || commit.deletes.some(isRecalled)) {
      const seq = commit.seq - 1;
      await this.write(() => this.db.raiseImage(entityKey(commit.entity), seq, { seq, chunks: null }));
    }
    const planned = await this.write(() => this.db.decide(commit));
    if (planned === null) return 'conflict';
    const changes = [...planned];
    if (this.kernel.random.between(0, 1000) < this.db.lostAnswers) {
      await this.travel();
      throw new StoreError('unknown', 'the answer of a commit was lost');
    }
    while (changes.length > 0) {
      if (this.kernel.random.next() < slowApplies) await this.kernel.sleep(this.kernel.random.between(20, 300));
      await this.write(() => {
        const n = this.kernel.random.between(1, changes.length + 1);
        for (const change of changes.splice(0, n)) this.db.applyOne(change);
      }).catch(() => {
        throw new StoreError('unknown', 'a commit took effect, and its documents could not be written');
      });
    }
    return 'committed';
  }

  record(entity: EntityRef, id: string, now: number): Promise<IdempotencyRecord | null> {
    return this.call(() => this.seen.record(entity, id, now));
  }
  claim(entity: EntityRef, record: IdempotencyRecord, now: number): Promise<IdempotencyRecord | null> {
    return this.write(() => this.db.content.claim(entity, record, now)).then((kept) => kept);
  }
  get<K extends DocKind>(entity: EntityRef, kind: K, id: string): Promise<StoredDoc<K> | null> {
    return this.call(() => this.seen.get(entity, kind, id));
  }
  getMany<K extends DocKind>(entity: EntityRef, kind: K, ids: readonly string[]): Promise<(StoredDoc<K> | null)[]> {
    return this.call(() => this.seen.getMany(entity, kind, ids));
  }
  find<K extends DocKind>(workspace: string, kind: K, id: string): Promise<StoredDoc<K> | null> {
    return this.call(() => this.seen.find(workspace, kind, id));
  }
  lookup<K extends DocKind>(kind: K, value: string): Promise<StoredDoc<K> | null> {
    return this.call(() => this.seen.lookup(kind, value));
  }
  newest<K extends DocKind>(entity: EntityRef, kind: K, list: string, by: string): Promise<StoredDoc<K> | null> {
    return this.call(() => this.seen.newest(entity, kind, list, by)).then((doc) => doc);
  }
  list<C extends CollectionName>(query: ListQuery<C>): Promise<Page<C>> {
    return this.call(() => this.seen.list(query)).then((page) => page);
  }
  count(query: CountQuery, limit: number): Promise<{ count: number; exact: boolean }> {
    return this.call(() => this.seen.count(query, limit)).then((count) => count);
  }
  sum(workspace: string, name: string): Promise<number> {
    return this.call(() => this.seen.sum(workspace, name)).then((sum) => sum);
  }
  exactSum(workspace: string, name: string): Promise<number> {
    return this.sum(workspace, name);
  }
  storage(workspace: string): Promise<number> {
    return this.call(() => this.seen.storage(workspace)).then((bytes) => bytes);
  }
  sums(workspace: string): Promise<Readonly<Record<string, number>>> {
    return this.call(() => this.seen.sums(workspace)).then((sums) => sums);
  }

  async *activeHeads(
    shards?: readonly number[],
    { unfinished = false }: { unfinished?: boolean } = {},
  ): AsyncIterable<OpenHead[]> {
    const heads = await this.call(() =>
      [...this.seen.heads.values()].filter(
        (head) =>
          (head.active || (unfinished && this.db.view(this.process).unapplied.has(entityKey(head.entity)))) &&
          (!shards || shards.includes(this.shards.of(head.entity))),
      ),
    );
    yield structuredClone(heads);
  }
  dueHeads(now: number, limit: number, shards?: readonly number[], from?: number): Promise<DueHead[]> {
    return this.call(() => this.seen.dueHeads(now, limit, shards, from)).then((heads) => heads);
  }
  async *workspaces(): AsyncIterable<Head<'workspace'>[]> {
    await this.travel();
    yield* this.seen.workspaces();
  }

  async *allHeads(of?: HeadScope): AsyncIterable<Head[]> {
    await this.travel();
    yield* this.seen.allHeads(of);
  }
  async *contents(entity: EntityRef): AsyncIterable<EntityPart> {
    await this.travel();
    yield* this.seen.contents(entity);
  }

  purge(entity: EntityRef, limit: number): Promise<boolean> {
    return this.write(() => {
      this.db.forget(entityKey(entity));
      this.db.raiseImage(entityKey(entity), Infinity, { seq: Infinity, chunks: null });
      return this.db.content.purge(entity, limit);
    }).then((done) => done);
  }

  removeOutliving(entity: EntityRef, kind: OutlivingKind, ids: readonly string[]): Promise<boolean> {
    return this.write(() => this.db.content.removeOutliving(entity, kind, ids)).then((done) => done);
  }

  async close(): Promise<void> {
    /* nothing is open */
  }

  private get seen(): MemoryStore {
    return this.db.view(this.process).content;
  }

  /** Without a majority a primary acknowledges nothing, and a write waits until the process hears of the successor. */
  private write<T>(effect: () => T): Promise<T> {
    return this.call(effect, true);
  }

  /** One round trip: takes effect between two stretches of time. */
  private async call<T>(effect: () => T, needsMajority = false): Promise<T> {
    await this.travel();
    if (this.unreachable()) {
      // a driver looks for a server for a while before it gives up
      await this.wait(this.kernel.random.between(20, 3_000));
      if (this.unreachable()) throw new StoreError('io', 'the database does not answer');
    }
    while (!needsMajority && this.db.waits && this.db.lagging) await this.wait(this.kernel.random.between(1, 20));
    while (needsMajority && this.db.isBehind(this.process)) await this.wait(this.kernel.random.between(20, 200));
    if (this.kernel.random.between(0, 1000) < this.db.lostAnswers)
      throw new StoreError('io', 'the connection to the database broke');
    const result = effect();
    await this.travel();
    return result;
  }

  private unreachable(): boolean {
    return this.db.down || !this.process.reaches.store;
  }

  private travel(): Promise<void> {
    return this.wait(0.2 + 2 * this.kernel.random.next());
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.kernel.after(ms, resolve, this.process);
    });
  }
}
